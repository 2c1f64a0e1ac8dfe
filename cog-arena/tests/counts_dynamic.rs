//! Exact run counts on the six dynamic graphs and on the s-bench, each against an independent reference.

mod graphs;

use cog_arena::{Arena, Source};
use graphs::dynamic::{Grid, Parameters, Plan, Reference, SIX};
use graphs::random::Random;
use graphs::{Counted, Style, Tally};

const STYLES: [Style; 2] = [Style::Tracked, Style::Declared];

/// A grid in an arena, and how often its cogs and its reaction ran.
struct Driven<'a> {
    plan: &'a Plan,
    arena: Arena,
    grid: Grid,
    runs: Counted,
    reactions: Counted,
}

impl<'a> Driven<'a> {
    fn new(plan: &'a Plan, style: Style) -> Self {
        let (mut arena, runs, reactions) = (Arena::new(), Counted::default(), Counted::default());
        let grid = Grid::new(&mut arena, plan, style, (&runs, &reactions));
        Self {
            plan,
            arena,
            grid,
            runs,
            reactions,
        }
    }

    /// One run: the sum, the runs of cogs, the runs of the reaction.
    fn run(&mut self, iterations: usize) -> (u64, u64, u64) {
        let sum = self.grid.run(&mut self.arena, self.plan, iterations);
        (sum, self.runs.take(), self.reactions.take())
    }
}

#[test]
fn the_generator_gives_the_published_numbers() {
    let mut random = Random::new();
    let eight: Vec<f64> = (0..8).map(|_| random.draw()).collect();
    let published = [
        0.837_037_750_985_473_4,
        0.358_161_349_082_365_63,
        0.121_956_107_905_134_56,
        0.486_986_321_862_787,
        0.285_088_140_051_811_93,
        0.667_191_092_856_228_4,
        0.574_685_977_771_878_2,
        0.848_991_052_480_414_5,
    ];
    assert_eq!(eight, published);
}

#[test]
fn the_plans_are_the_published_ones() {
    let drawn = SIX.map(|parameters| {
        let plan = Plan::new(parameters);
        let dynamic = plan.dynamic.iter().filter(|dynamic| **dynamic).count();
        (plan.dynamic.len() - dynamic, dynamic, plan.leaves.len())
    });
    let published = [
        (40, 0, 2),
        (70, 20, 2),
        (10_405, 595, 1_000),
        (4_000, 0, 1_000),
        (2_495, 0, 5),
        (734, 666, 100),
    ];
    assert_eq!(drawn, published);
    assert_eq!(
        [0, 1].map(|index| Plan::new(SIX[index]).leaves),
        [[1, 4], [1, 4]]
    );
}

/// Cold and warm runs of an arena must agree with the plain arrays, in values and in runs.
fn agree(parameters: Parameters, iterations: usize) {
    let plan = Plan::new(parameters);
    let mut reference = Reference::new(&plan);
    let expected: Vec<(u64, u64)> = std::iter::once((None, std::mem::take(&mut reference.runs)))
        .chain((0..3).map(|_| {
            let sum = reference.drive(iterations);
            (Some(sum), std::mem::take(&mut reference.runs))
        }))
        .map(|(sum, runs)| (sum.unwrap_or(0), runs))
        .collect();
    for style in STYLES {
        let mut driven = Driven::new(&plan, style);
        let name = parameters.name;
        assert_eq!(
            driven.runs.take(),
            expected[0].1,
            "{name}, {style:?}, while building"
        );
        assert_eq!(driven.reactions.take(), 1);
        for (run, &(sum, runs)) in expected.iter().enumerate().skip(1) {
            let (own_sum, own_runs, _) = driven.run(iterations);
            assert_eq!(own_sum, sum, "{name}, {style:?}, run {run}");
            assert_eq!(own_runs, runs, "{name}, {style:?}, run {run}");
        }
        driven.arena.check();
    }
}

#[test]
fn count_05_the_six_dynamic_graphs_agree_with_plain_arrays() {
    for (parameters, iterations) in SIX.into_iter().zip([3_000, 1_500, 60, 40, 20, 200]) {
        agree(parameters, iterations);
    }
}

#[test]
fn count_05_the_initial_runs_are_the_published_ones() {
    let initial = SIX.map(|parameters| Reference::new(&Plan::new(parameters)).runs);
    assert_eq!(initial, [19, 81, 11_000, 4_000, 2_495, 1_400]);
}

/// A full cold run and a full warm one, as published: (sum, cold count, warm count, reaction runs).
fn published(index: usize, style: Style, sum: u64, cold: u64, warm: u64, reactions: [u64; 2]) {
    let plan = Plan::new(SIX[index]);
    let mut driven = Driven::new(&plan, style);
    driven.runs.take();
    driven.reactions.take();
    let iterations = plan.parameters.iterations;
    assert_eq!(
        driven.run(iterations),
        (sum, cold, reactions[0]),
        "{}, cold",
        plan.parameters.name
    );
    assert_eq!(
        driven.run(iterations),
        (sum, warm, reactions[1]),
        "{}, warm",
        plan.parameters.name
    );
}

#[test]
fn count_05_simple_component_in_full() {
    published(
        0,
        Style::Declared,
        19_199_968,
        3_480_000,
        3_480_000,
        [480_000, 480_000],
    );
}

#[test]
fn count_05_dynamic_component_in_full() {
    for style in STYLES {
        published(
            1,
            style,
            302_310_782_860,
            1_154_923,
            1_155_000,
            [14_999, 15_000],
        );
    }
}

#[test]
fn count_05_large_web_app_in_full() {
    published(
        2,
        Style::Tracked,
        29_355_933_696_000,
        1_462_791,
        1_463_000,
        [6_999, 7_000],
    );
}

#[test]
fn count_05_wide_dense_in_full() {
    published(
        3,
        Style::Declared,
        1_171_484_375_000,
        731_756,
        732_000,
        [2_999, 3_000],
    );
}

#[test]
fn count_05_deep_in_full() {
    for style in STYLES {
        // The exact sum has 242 digits; this is what is left of it modulo 2^64.
        published(
            4,
            style,
            6_329_683_023_313_797_861,
            1_244_007,
            1_246_500,
            [499, 500],
        );
    }
}

#[test]
fn count_05_very_dynamic_in_full() {
    for style in STYLES {
        published(
            5,
            style,
            15_664_996_402_790_400,
            1_077_273,
            1_078_000,
            [1_999, 2_000],
        );
    }
}

#[test]
fn count_05_the_tiny_grids_of_the_suite_s_own_tests() {
    let tiny = |(width, layers), static_fraction, read_fraction, iterations| Parameters {
        name: "tiny",
        width,
        layers,
        static_fraction,
        fan: 2,
        read_fraction,
        iterations,
    };
    let cases = [
        (tiny((3, 3), 1.0, 1.0, 2), 16, 11),
        (tiny((3, 3), 1.0, 2.0 / 3.0, 10), 72, 41),
        (tiny((4, 2), 0.5, 1.0, 10), 72, 22),
    ];
    for (parameters, sum, count) in cases {
        for style in STYLES {
            let plan = Plan::new(parameters);
            let mut driven = Driven::new(&plan, style);
            let (own_sum, own_count, _) = driven.run(parameters.iterations);
            assert_eq!(
                (own_sum, own_count),
                (sum, count),
                "{parameters:?}, {style:?}"
            );
        }
    }
}

/// Runs a bench of the s-bench: sources, reactions that read some of them, then writes of the first.
fn sbench(
    sources: usize,
    reactions: usize,
    reads: impl Fn(usize) -> Vec<usize>,
    writes: u64,
) -> [u64; 2] {
    let (mut arena, runs) = (Arena::new(), Counted::default());
    let all: Vec<Source<u64>> = (0..sources as u64)
        .map(|first| arena.source(first))
        .collect();
    for reaction in 0..reactions {
        let own: Vec<Source<u64>> = reads(reaction)
            .into_iter()
            .map(|index| all[index])
            .collect();
        let runs = runs.clone();
        arena.react(move |r, _| {
            runs.hit();
            for &source in &own {
                r.get(source);
            }
        });
    }
    let created = runs.take();
    for next in 0..writes {
        arena.turn(|w| w.set(all[0], next));
    }
    arena.check();
    [created, runs.take()]
}

#[test]
fn sbench_reactions_run_once_when_they_are_created() {
    const N: usize = 4_000;
    assert_eq!(sbench(N, 0, |_| vec![], 0), [0, 0], "createSignals");
    assert_eq!(sbench(0, N, |_| vec![], 0), [N as u64, 0], "create0to1");
    for reads in [1, 2, 4, 1_000] {
        let own = |reaction: usize| (0..reads).map(|read| reads * reaction + read).collect();
        assert_eq!(
            sbench(N, N / reads, own, 0),
            [(N / reads) as u64, 0],
            "create{reads}to1"
        );
    }
    for readers in [2, 4, 8, 1_000] {
        let own = |reaction: usize| vec![reaction / readers];
        assert_eq!(
            sbench(N / readers, N, own, 0),
            [N as u64, 0],
            "create1to{readers}"
        );
    }
}

#[test]
fn sbench_reactions_run_once_for_each_write_that_changed_something() {
    const N: u64 = 4_000;
    // The first write is 0 over 0.
    for (sources, writes) in [(1, 4 * N), (2, 2 * N), (4, N), (1_000, N / 10)] {
        let own = |_| (0..sources).collect();
        assert_eq!(
            sbench(sources, 1, own, writes),
            [1, writes - 1],
            "update{sources}to1"
        );
    }
    for (reactions, writes) in [(2, N), (4, N), (1_000, N / 10)] {
        let expected = [reactions as u64, reactions as u64 * (writes - 1)];
        assert_eq!(
            sbench(1, reactions, |_| vec![0], writes),
            expected,
            "update1to{reactions}"
        );
    }
}
