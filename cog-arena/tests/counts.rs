//! Exact run counts on the graphs of the public benchmarks, and on the shapes that the original miscounted.

mod graphs;

use cog_arena::Arena;
use graphs::kairo::{self, Shape};
use graphs::{Builder, Counted, Style, cellx, keyed, mol};

const STYLES: [Style; 2] = [Style::Tracked, Style::Declared];

/// What a shape of Kairo's must do.
struct Expected {
    /// Runs of cogs and of reactions while building.
    build: [u64; 2],
    /// Turns of one iteration, after a first one that writes 1.
    turns: i64,
    /// Runs of cogs and of reactions in one iteration, the first turn included.
    iteration: [u64; 2],
    /// The last cog's value when the source holds this.
    value: fn(i64) -> i64,
}

fn drive(build: fn(&mut Builder<'_, Counted>) -> Shape, expected: &Expected) {
    for style in STYLES {
        let (mut arena, runs, reactions) = (Arena::new(), Counted::default(), Counted::default());
        let shape = build(&mut Builder {
            arena: &mut arena,
            style,
            runs: &runs,
            reactions: &reactions,
        });
        assert_eq!(
            [runs.take(), reactions.take()],
            expected.build,
            "{style:?}, while building"
        );
        for _ in 0..3 {
            arena.turn(|w| w.set(shape.head, 1));
            for next in 0..expected.turns {
                arena.turn(|w| w.set(shape.head, next));
                assert_eq!(
                    shape.last.read(&mut arena),
                    (expected.value)(next),
                    "{style:?}"
                );
            }
            assert_eq!(
                [runs.take(), reactions.take()],
                expected.iteration,
                "{style:?}"
            );
        }
        arena.check();
        // The arena's own figures say the same.
        assert_eq!(
            arena.totals().run,
            expected.build[0] + 3 * expected.iteration[0],
            "{style:?}"
        );
    }
}

#[test]
fn kairo_avoidable_propagation_dies_at_the_second_link() {
    let value = |_| 6;
    drive(
        kairo::avoidable,
        &Expected {
            build: [5, 1],
            turns: 1_000,
            iteration: [2_002, 0],
            value,
        },
    );
}

#[test]
fn count_03_kairo_broad() {
    let value = |head| head + 50;
    drive(
        kairo::broad,
        &Expected {
            build: [100, 50],
            turns: 50,
            iteration: [5_100, 2_550],
            value,
        },
    );
}

#[test]
fn count_02_kairo_deep() {
    let value = |head| head + 50;
    drive(
        kairo::deep,
        &Expected {
            build: [50, 1],
            turns: 50,
            iteration: [2_550, 51],
            value,
        },
    );
}

#[test]
fn count_01_kairo_diamond() {
    let value = |head| 5 * (head + 1);
    drive(
        kairo::diamond,
        &Expected {
            build: [6, 1],
            turns: 500,
            iteration: [3_006, 501],
            value,
        },
    );
}

#[test]
fn kairo_repeated_reads_make_one_run() {
    let value = |head| 30 * head;
    drive(
        kairo::repeated,
        &Expected {
            build: [1, 1],
            turns: 100,
            iteration: [101, 101],
            value,
        },
    );
}

#[test]
fn kairo_triangle_leaves_the_link_that_nobody_reads() {
    let value = |head| 45 + 10 * head;
    drive(
        kairo::triangle,
        &Expected {
            build: [10, 1],
            turns: 100,
            iteration: [1_010, 101],
            value,
        },
    );
}

#[test]
fn count_04_kairo_unstable_runs_no_branch_that_is_about_to_be_dropped() {
    let value = |head| if head % 2 == 0 { -20 * head } else { 40 * head };
    drive(
        kairo::unstable,
        &Expected {
            build: [2, 1],
            turns: 100,
            iteration: [202, 101],
            value,
        },
    );
}

#[test]
fn kairo_mux_runs_only_what_is_behind_the_source_written() {
    for style in STYLES {
        let (mut arena, runs, reactions) = (Arena::new(), Counted::default(), Counted::default());
        let mux = kairo::mux(&mut Builder {
            arena: &mut arena,
            style,
            runs: &runs,
            reactions: &reactions,
        });
        assert_eq!(
            [runs.take(), reactions.take()],
            [201, 100],
            "{style:?}, while building"
        );
        for _ in 0..3 {
            for factor in [1, 2] {
                for (head, index) in mux.heads.iter().zip(0..10) {
                    arena.turn(|w| w.set(*head, factor * index));
                    let end = usize::try_from(index).expect("an index is small");
                    assert_eq!(mux.ends[end].read(&mut arena), factor * index + 1);
                }
            }
            assert_eq!([runs.take(), reactions.take()], [1_836, 18], "{style:?}");
        }
        arena.check();
    }
}

#[test]
fn count_04_unstable_without_a_reaction_runs_two_and_two_for_each_turn() {
    let (mut arena, runs) = (Arena::new(), Counted::default());
    let reactions = Counted::default();
    let style = Style::Tracked;
    let mut builder = Builder {
        arena: &mut arena,
        style,
        runs: &runs,
        reactions: &reactions,
    };
    let shape = kairo::unstable_unwatched(&mut builder);
    shape.last.read(&mut arena);
    for next in 1..=100 {
        arena.turn(|w| w.set(shape.head, next));
        shape.last.read(&mut arena);
    }
    assert_eq!(shape.last.read(&mut arena), -2_000);
    assert_eq!(runs.take(), 2 + 2 * 100);
}

#[test]
fn count_01_a_diamond_of_two_arms_runs_three_cogs_a_turn() {
    let (mut arena, runs) = (Arena::new(), Counted::default());
    let a = arena.source(0);
    let arms = [1, 2].map(|add| {
        let runs = runs.clone();
        arena.derived(move |r| {
            graphs::Tally::hit(&runs);
            r.get(a) + add
        })
    });
    let tally = runs.clone();
    let sum = arena.derived(move |r| {
        graphs::Tally::hit(&tally);
        arms.iter().map(|&arm| r.get(arm)).sum::<i32>()
    });
    arena.read(sum);
    for next in 1..=200 {
        arena.turn(|w| w.set(a, next));
        assert_eq!(*arena.read(sum), 2 * next + 3);
    }
    assert_eq!(runs.take(), 3 * (1 + 200));
}

fn cellx(style: Style, layers: usize) -> [[i64; 4]; 2] {
    let (mut arena, runs, reactions) = (Arena::new(), Counted::default(), Counted::default());
    let mut builder = Builder {
        arena: &mut arena,
        style,
        runs: &runs,
        reactions: &reactions,
    };
    let lattice = cellx::lattice(&mut builder, layers);
    let cogs = 4 * layers as u64;
    assert_eq!(
        [runs.take(), reactions.take()],
        [cogs, cogs],
        "{style:?}, while building {layers} layers"
    );
    let before = lattice.top.map(|node| node.read(&mut arena));
    assert_eq!(runs.take(), 0);

    arena.turn(|w| {
        for (source, value) in lattice.sources.into_iter().zip([4, 3, 2, 1]) {
            w.set(source, value);
        }
    });

    assert_eq!(
        [runs.take(), reactions.take()],
        [cogs, cogs],
        "{style:?}, {layers} layers"
    );
    let after = lattice.top.map(|node| node.read(&mut arena));
    assert_eq!(runs.take(), 0);
    arena.check();
    [before, after]
}

#[test]
fn count_06_cellx_of_a_thousand_layers() {
    for style in STYLES {
        assert_eq!(cellx(style, 1_000), [[-3, -6, -2, 2], [-2, -4, 2, 3]]);
    }
}

#[test]
fn count_06_cellx_repeats_after_twelve_layers() {
    for style in STYLES {
        for layers in 1..=25 {
            let (before, after) = cellx::PERIOD[layers % 12];
            assert_eq!(
                cellx(style, layers),
                [before, after],
                "{style:?}, {layers} layers"
            );
            let reference = [[1, 2, 3, 4], [4, 3, 2, 1]].map(|s| cellx::reference(s, layers));
            assert_eq!([before, after], reference);
        }
    }
}

#[test]
fn count_06_cellx_of_2500_and_5000_layers() {
    assert_eq!(
        cellx(Style::Tracked, 2_500),
        [[-3, -6, -2, 2], [-2, -4, 2, 3]]
    );
    assert_eq!(
        cellx(Style::Declared, 5_000),
        [[2, 4, -1, -6], [-2, 1, -4, -4]]
    );
}

#[test]
fn count_07_keyed_diamonds_run_3600() {
    for style in STYLES {
        for held in [false, true] {
            let (mut arena, runs) = (Arena::new(), Counted::default());
            let graph = keyed::diamonds(&mut arena, style, &runs, 100);
            let hold = held.then(|| arena.hold(graph.sum));
            for key in 0..100 {
                assert_eq!(*arena.read(graph.sum.at(key)), 5);
            }
            for turn in 1..=500_u32 {
                arena.turn(|w| w.set(graph.source.at(turn % 100), i64::from(turn)));
                for key in 0..100 {
                    arena.read(graph.sum.at(key));
                }
            }
            assert_eq!(runs.take(), (100 + 500) * 6, "{style:?}, held: {held}");
            for key in 0..100 {
                let last = if key == 0 { 500 } else { 400 + i64::from(key) };
                assert_eq!(*arena.read(graph.sum.at(key)), 5 * (last + 1));
            }
            if let Some(hold) = hold {
                arena.let_go(hold);
            }
            arena.check();
        }
    }
}

#[test]
fn count_08_key_churn_runs_the_window_and_one_a_turn() {
    for held in [false, true] {
        let (mut arena, runs) = (Arena::new(), Counted::default());
        let graph = keyed::churn(&mut arena, &runs);
        let hold = held.then(|| arena.hold(graph.roster));
        assert_eq!(*arena.read(graph.roster), 45);
        for turn in 1..=500_u32 {
            arena.turn(|w| {
                w.set(graph.epoch, i64::from(turn));
                w.set(graph.start, turn);
            });
            arena.read(graph.roster);
        }
        assert_eq!(*arena.read(graph.roster), 10_045);
        assert_eq!(runs.take(), 11 + 500 * 11, "held: {held}");
        arena.check();
        if let Some(hold) = hold {
            arena.let_go(hold);
        }
    }
}

#[test]
fn mol_runs_and_logs_what_was_published() {
    for style in STYLES {
        for (identity, f) in [(mol::Identity::Fresh, 1), (mol::Identity::Content, 0)] {
            let mut arena = Arena::new();
            let graph = mol::mol::<Counted>(&mut arena, style, identity);
            let log = || std::mem::take(&mut *graph.log.lock().expect("nothing panicked"));
            assert_eq!(log(), [3_201, 1_604, 3_196]);
            let _building = graph.runs.each_ref().map(Counted::take);
            for i in 1..=20 {
                arena.turn(|w| {
                    w.set(graph.b, 1);
                    w.set(graph.a, 1 + 2 * i);
                });
                assert_eq!(log(), [3_204, 1_607], "{style:?} {identity:?}");
                let runs = graph.runs.each_ref().map(Counted::take);
                assert_eq!(
                    runs,
                    [1, 1, 0, f, 1, 1, 1, 0],
                    "{style:?} {identity:?}, first turn"
                );

                arena.turn(|w| {
                    w.set(graph.a, 2 + 2 * i);
                    w.set(graph.b, 2);
                });
                assert_eq!(log(), [3_201, 1_604], "{style:?} {identity:?}");
                let runs = graph.runs.each_ref().map(Counted::take);
                assert_eq!(
                    runs,
                    [1, 1, 1, f, 1, 1, 1, 0],
                    "{style:?} {identity:?}, second turn"
                );
            }
            arena.check();
        }
    }
}
