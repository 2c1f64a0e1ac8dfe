//! The dynamic grid: rows of cogs over a row of sources, some of which choose what they read.
//!
//! A static cog sums all its inputs. A dynamic one sums them too, but if its first input is odd, it
//! leaves out one of the others. `Plan` is the graph drawn on paper, `Grid` the one in an arena, and
//! `Reference` the one in plain arrays, which says how often a cog has to run.

use cog_arena::{Arena, Derived, Reader, Shared, Source};

use super::random::Random;
use super::{Style, Tally};

/// The parameters of one published graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameters {
    pub(crate) name: &'static str,
    pub(crate) width: usize,
    pub(crate) layers: usize,
    pub(crate) static_fraction: f64,
    /// How many inputs a cog has.
    pub(crate) fan: usize,
    pub(crate) read_fraction: f64,
    pub(crate) iterations: usize,
}

/// The six graphs of the suite.
pub(crate) const SIX: [Parameters; 6] = [
    parameters("simple component", (10, 5), 1.0, 2, 0.2, 600_000),
    parameters("dynamic component", (10, 10), 0.75, 6, 0.2, 15_000),
    parameters("large web app", (1_000, 12), 0.95, 4, 1.0, 7_000),
    parameters("wide dense", (1_000, 5), 1.0, 25, 1.0, 3_000),
    parameters("deep", (5, 500), 1.0, 3, 1.0, 500),
    parameters("very dynamic", (100, 15), 0.5, 6, 1.0, 2_000),
];

const fn parameters(
    name: &'static str,
    (width, layers): (usize, usize),
    static_fraction: f64,
    fan: usize,
    read_fraction: f64,
    iterations: usize,
) -> Parameters {
    Parameters {
        name,
        width,
        layers,
        static_fraction,
        fan,
        read_fraction,
        iterations,
    }
}

/// Which cogs are dynamic, and which of the last row are read.
pub(crate) struct Plan {
    pub(crate) parameters: Parameters,
    /// Row by row, left to right.
    pub(crate) dynamic: Vec<bool>,
    pub(crate) leaves: Vec<usize>,
}

impl Plan {
    /// Draws the graph.
    pub(crate) fn new(parameters: Parameters) -> Self {
        let Parameters {
            width,
            layers,
            static_fraction,
            read_fraction,
            ..
        } = parameters;
        let mut random = Random::new();
        let dynamic = (0..width * (layers - 1))
            .map(|_| static_fraction <= random.draw())
            .collect();
        let mut random = Random::new();
        let mut leaves: Vec<usize> = (0..width).collect();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "the public suite rounds a product of small numbers"
        )]
        let skipped = (width as f64 * (1.0 - read_fraction)).round() as usize;
        for _ in 0..skipped {
            leaves.remove(random.index(leaves.len()));
        }
        Self {
            parameters,
            dynamic,
            leaves,
        }
    }

    /// Which source a turn writes, and what.
    pub(crate) fn write(&self, turn: usize) -> (usize, u64) {
        let source = turn % self.parameters.width;
        (source, (turn + source) as u64)
    }

    /// The sum of the leaves over given sources, everything computed afresh.
    pub(crate) fn leaves_over(&self, sources: Vec<u64>) -> u64 {
        let Parameters { width, fan, .. } = self.parameters;
        let last = self.dynamic.chunks(width).fold(sources, |below, row| {
            let columns = row.iter().enumerate();
            columns
                .map(|(column, &dynamic)| {
                    sum(dynamic, fan, |input| below[(column + input) % width])
                })
                .collect()
        });
        self.leaves
            .iter()
            .fold(0, |sum: u64, &leaf| sum.wrapping_add(last[leaf]))
    }
}

/// What a cog of the grid computes, given how to get its inputs in order.
fn sum(dynamic: bool, fan: usize, mut input: impl FnMut(usize) -> u64) -> u64 {
    let first = input(0);
    let dropped = if dynamic && first % 2 == 1 {
        1 + first % (fan as u64 - 1)
    } else {
        0
    };
    let rest = (1..fan).filter(|index| *index as u64 != dropped);
    rest.fold(first, |sum, index| sum.wrapping_add(input(index)))
}

/// The grid in an arena.
pub(crate) struct Grid {
    pub(crate) sources: Vec<Source<u64>>,
    pub(crate) leaves: Vec<Derived<u64>>,
}

/// A row of cogs that can be read or declared as inputs.
enum Row {
    Sources(Vec<Source<u64>>),
    Derived(Vec<Derived<u64>>),
}

impl Row {
    fn shared(&self, index: usize) -> Shared<u64> {
        match self {
            Self::Sources(row) => row[index].shared(),
            Self::Derived(row) => row[index].shared(),
        }
    }
}

impl Grid {
    /// Builds the plan. Dynamic cogs are tracked in both styles.
    pub(crate) fn new<T: Tally>(
        arena: &mut Arena,
        plan: &Plan,
        style: Style,
        (runs, reactions): (&T, &T),
    ) -> Self {
        let Parameters { width, fan, .. } = plan.parameters;
        let sources: Vec<Source<u64>> =
            (0..width as u64).map(|first| arena.source(first)).collect();
        let mut below = Row::Sources(sources.clone());
        for row in plan.dynamic.chunks(width) {
            let next = row.iter().enumerate().map(|(column, &dynamic)| {
                let index = |input: usize| (column + input) % width;
                match (style, &below) {
                    (Style::Declared, below) if !dynamic => {
                        let inputs: Vec<_> =
                            (0..fan).map(|input| below.shared(index(input))).collect();
                        declared(arena, runs, &inputs)
                    }
                    (_, Row::Sources(below)) => {
                        let inputs: Vec<_> = (0..fan).map(|input| below[index(input)]).collect();
                        tracked(arena, runs, move |r| {
                            sum(dynamic, fan, |input| *r.get(inputs[input]))
                        })
                    }
                    (_, Row::Derived(below)) => {
                        let inputs: Vec<_> = (0..fan).map(|input| below[index(input)]).collect();
                        tracked(arena, runs, move |r| {
                            sum(dynamic, fan, |input| *r.get(inputs[input]))
                        })
                    }
                }
            });
            below = Row::Derived(next.collect());
        }
        let Row::Derived(last) = below else {
            unreachable!("a grid has at least two layers");
        };
        let leaves: Vec<Derived<u64>> = plan.leaves.iter().map(|&leaf| last[leaf]).collect();
        let (read, reactions) = (leaves.clone(), reactions.clone());
        arena.react(move |r, _| {
            reactions.hit();
            for &leaf in &read {
                r.get(leaf);
            }
        });
        Self { sources, leaves }
    }

    /// The turns of one run, with all leaves read after each, and the sum of the leaves at the end.
    pub(crate) fn run(&self, arena: &mut Arena, plan: &Plan, iterations: usize) -> u64 {
        for turn in 0..iterations {
            let (source, value) = plan.write(turn);
            arena.turn(|w| w.set(self.sources[source], value));
            for &leaf in &self.leaves {
                arena.read(leaf);
            }
        }
        self.sum_of_leaves(arena)
    }

    /// What the leaves add up to.
    pub(crate) fn sum_of_leaves(&self, arena: &mut Arena) -> u64 {
        self.leaves
            .iter()
            .fold(0, |sum: u64, &leaf| sum.wrapping_add(*arena.read(leaf)))
    }
}

fn tracked<T: Tally>(
    arena: &mut Arena,
    runs: &T,
    function: impl Fn(&Reader<'_>) -> u64 + Send + Sync + 'static,
) -> Derived<u64> {
    let runs = runs.clone();
    arena.derived(move |r| {
        runs.hit();
        function(r)
    })
}

/// A static cog with as many declared inputs as there are.
fn declared<T: Tally>(arena: &mut Arena, runs: &T, inputs: &[Shared<u64>]) -> Derived<u64> {
    type Six<'a> = (&'a u64, &'a u64, &'a u64, &'a u64, &'a u64, &'a u64);
    fn six(inputs: &[Shared<u64>]) -> [Shared<u64>; 6] {
        std::array::from_fn(|index| inputs[index])
    }
    fn sum_six((a, b, c, d, e, f): Six<'_>) -> u64 {
        [a, b, c, d, e, f]
            .into_iter()
            .fold(0, |sum: u64, v| sum.wrapping_add(*v))
    }
    let runs = runs.clone();
    match *inputs {
        [a, b] => arena.derived_from((a, b), move |(a, b): (&u64, &u64)| {
            runs.hit();
            a.wrapping_add(*b)
        }),
        [a, b, c] => arena.derived_from((a, b, c), move |(a, b, c): (&u64, &u64, &u64)| {
            runs.hit();
            a.wrapping_add(*b).wrapping_add(*c)
        }),
        [a, b, c, d] => arena.derived_from(
            (a, b, c, d),
            move |(a, b, c, d): (&u64, &u64, &u64, &u64)| {
                runs.hit();
                a.wrapping_add(*b).wrapping_add(c.wrapping_add(*d))
            },
        ),
        [_, _, _, _, _, _] => arena.derived_from(
            <(_, _, _, _, _, _)>::from(six(inputs)),
            move |all: Six<'_>| {
                runs.hit();
                sum_six(all)
            },
        ),
        // Twenty-five: four tuples of six, and one more.
        [.., last] => {
            let [p, q, r, s]: [(_, _, _, _, _, _); 4] =
                std::array::from_fn(|part| six(&inputs[6 * part..]).into());
            arena.derived_from(
                (p, q, r, s, last),
                move |(p, q, r, s, last): (Six<'_>, Six<'_>, Six<'_>, Six<'_>, &u64)| {
                    runs.hit();
                    [p, q, r, s]
                        .map(sum_six)
                        .into_iter()
                        .fold(*last, u64::wrapping_add)
                },
            )
        }
        [] => unreachable!("a cog of the grid has inputs"),
    }
}

/// The grid in plain arrays: runs what must run, and counts it.
pub(crate) struct Reference<'a> {
    plan: &'a Plan,
    /// Sources first, then row by row.
    values: Vec<u64>,
    /// What each cog read in its last run. Empty for sources and for what never ran.
    reads: Vec<Vec<usize>>,
    /// The turn in which the value last changed, and the one in which it was last known to be right.
    changed: Vec<usize>,
    known: Vec<usize>,
    turn: usize,
    pub(crate) runs: u64,
}

impl<'a> Reference<'a> {
    /// A grid whose leaves have been read once.
    pub(crate) fn new(plan: &'a Plan) -> Self {
        let Parameters { width, layers, .. } = plan.parameters;
        let cogs = width * layers;
        let mut reference = Self {
            plan,
            values: (0..cogs as u64).collect(),
            reads: vec![Vec::new(); cogs],
            changed: vec![0; cogs],
            known: vec![0; cogs],
            turn: 1,
            runs: 0,
        };
        reference.read_leaves();
        reference
    }

    fn read_leaves(&mut self) -> u64 {
        let Parameters { width, layers, .. } = self.plan.parameters;
        let last_row = width * (layers - 1);
        let leaves = self.plan.leaves.iter();
        leaves.fold(0, |sum: u64, leaf| {
            sum.wrapping_add(self.read(last_row + leaf))
        })
    }

    fn read(&mut self, cog: usize) -> u64 {
        if cog < self.plan.parameters.width || self.known[cog] == self.turn {
            return self.values[cog];
        }
        let reads = std::mem::take(&mut self.reads[cog]);
        let stale = reads.is_empty()
            || reads.iter().any(|&input| {
                self.read(input);
                self.known[cog] < self.changed[input]
            });
        self.reads[cog] = reads;
        if stale {
            self.run(cog);
        }
        self.known[cog] = self.turn;
        self.values[cog]
    }

    fn run(&mut self, cog: usize) {
        let Parameters { width, fan, .. } = self.plan.parameters;
        let below = cog - cog % width - width;
        let mut reads = Vec::new();
        let value = sum(self.plan.dynamic[cog - width], fan, |input| {
            let input = below + (cog + input) % width;
            reads.push(input);
            self.read(input)
        });
        if value != self.values[cog] || self.reads[cog].is_empty() {
            self.values[cog] = value;
            self.changed[cog] = self.turn;
        }
        self.reads[cog] = reads;
        self.runs += 1;
    }

    /// The same turns as `Grid::run`.
    pub(crate) fn drive(&mut self, iterations: usize) -> u64 {
        let mut leaves = 0;
        for turn in 0..iterations {
            let (source, value) = self.plan.write(turn);
            self.turn += 1;
            if self.values[source] != value {
                self.values[source] = value;
                self.changed[source] = self.turn;
            }
            leaves = self.read_leaves();
        }
        leaves
    }
}
