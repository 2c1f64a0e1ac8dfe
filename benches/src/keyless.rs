//! Keyless and tracked shapes: a steady turn, a fan, chains, keyed diamonds, the dynamic grids.

use cog_arena::{Arena, Depth, Derived, Source};

use crate::graphs::dynamic::{Grid, Plan, Reference, SIX};
use crate::graphs::{Silent, Style, keyed};
use crate::{Operation, Shape};

pub(crate) fn shapes() -> Vec<Shape> {
    let shape = |name, units, target, build| Shape {
        name,
        units,
        operations: 400,
        target,
        build,
    };
    let dear = |name, build| Shape {
        name,
        units: 1,
        operations: 40,
        target: None,
        build,
    };
    vec![
        shape("turn::steady::tracked", 1, Some(450), || {
            steady(Style::Tracked)
        }),
        shape("turn::steady::declared", 1, None, || {
            steady(Style::Declared)
        }),
        shape("turn::keyed::1", 1, None, || pinned(1)),
        shape("turn::keyed::1000", 1, None, || pinned(1_000)),
        shape("feed::steady::1", 1, None, fed),
        shape("settle::fan::16", 1, None, || fan(Style::Tracked)),
        shape("settle::fan_declared::16", 1, None, || fan(Style::Declared)),
        shape("settle::chain_tracked::100", LINKS, Some(250), || {
            chain(Style::Tracked)
        }),
        shape("settle::chain_derived_from::100", LINKS, None, || {
            chain(Style::Declared)
        }),
        shape("settle::chain_held::100", LINKS, Some(150), || {
            held_chain(Style::Declared)
        }),
        dear("settle::diamonds_tracked::100", || diamonds(Style::Tracked)),
        dear("settle::diamonds_declared::100", || {
            diamonds(Style::Declared)
        }),
        dear("settle::churn::10", churn),
        dear("settle::dynamic::simple_component", || dynamic(0)),
        dear("settle::dynamic::dynamic_component", || dynamic(1)),
        dear("settle::dynamic::large_web_app", || dynamic(2)),
        dear("settle::dynamic::wide_dense", || dynamic(3)),
        dear("settle::dynamic::deep", || dynamic(4)),
        dear("settle::dynamic::very_dynamic", || dynamic(5)),
    ]
}

/// One source, one derived, one read.
fn steady(style: Style) -> Operation {
    let mut arena = Arena::new();
    let source = arena.source(0_u32);
    let double = match style {
        Style::Tracked => arena.derived(move |r| r.get(source).wrapping_mul(2)),
        Style::Declared => arena.derived_from(source.shared(), |s: &u32| s.wrapping_mul(2)),
    };
    warm(100, move |next| {
        arena.turn(|w| w.set(source, next));
        assert_eq!(*arena.read(double), next.wrapping_mul(2));
    })
}

/// One source, one derived, one feed that is read and one that is not.
fn fed() -> Operation {
    let mut arena = Arena::new();
    let source = arena.source(0_u32);
    let double = arena.derived(move |r| r.get(source).wrapping_mul(2));
    let (read, late) = (
        arena.feed(double, Depth::Unbounded),
        arena.feed(double, Depth::Newest(1)),
    );
    warm(100, move |next| {
        arena.turn(|w| w.set(source, next));
        assert_eq!(read.drain().last(), Some(Some(next.wrapping_mul(2))));
        assert_eq!(late.len(), 1);
    })
}

/// A keyed source and a keyed derived; many keys are warm, one of them changes.
fn pinned(keys: u32) -> Operation {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let source = arena.source_family(space, |_| 0_u32);
    let derived = arena.derived_family(space, move |r, &key| {
        r.get(source.at(key)).wrapping_add(key)
    });
    for key in 0..keys {
        arena.read(derived.at(key));
    }
    warm(100, move |next| {
        arena.turn(|w| w.set(source.at(0), next));
        assert_eq!(*arena.read(derived.at(0)), next);
    })
}

/// One source and sixteen derived, all of them read.
fn fan(style: Style) -> Operation {
    let mut arena = Arena::new();
    let source = arena.source(0_u32);
    let arms: Vec<Derived<u32>> = (0..16)
        .map(|arm| match style {
            Style::Tracked => arena.derived(move |r| r.get(source).wrapping_add(arm)),
            Style::Declared => {
                arena.derived_from(source.shared(), move |s: &u32| s.wrapping_add(arm))
            }
        })
        .collect();
    warm(100, move |next| {
        arena.turn(|w| w.set(source, next));
        for (&cog, arm) in arms.iter().zip(0..) {
            assert_eq!(*arena.read(cog), next.wrapping_add(arm));
        }
    })
}

/// How long the chains are.
const LINKS: u32 = 100;

/// A chain over a source, and its end.
fn links(arena: &mut Arena, style: Style) -> (Source<u32>, Derived<u32>) {
    let source = arena.source(0_u32);
    let add = |below: &u32| below.wrapping_add(1);
    let mut last = match style {
        Style::Tracked => arena.derived(move |r| add(r.get(source))),
        Style::Declared => arena.derived_from(source.shared(), add),
    };
    for _ in 1..LINKS {
        last = match style {
            Style::Tracked => arena.derived(move |r| add(r.get(last))),
            Style::Declared => arena.derived_from(last.shared(), add),
        };
    }
    (source, last)
}

/// A chain, its end read after each turn.
fn chain(style: Style) -> Operation {
    let mut arena = Arena::new();
    let (source, last) = links(&mut arena, style);
    warm(100, move |next| {
        arena.turn(|w| w.set(source, next));
        assert_eq!(*arena.read(last), next.wrapping_add(LINKS));
    })
}

/// A chain whose end is held, so that it settles in the turn.
fn held_chain(style: Style) -> Operation {
    let mut arena = Arena::new();
    let (source, last) = links(&mut arena, style);
    // Held for as long as the arena lives.
    let _hold = arena.hold(last);
    warm(100, move |next| {
        arena.turn(|w| w.set(source, next));
        assert_eq!(*arena.read(last), next.wrapping_add(LINKS));
    })
}

/// A diamond for each of a hundred keys: one changes, all are read.
fn diamonds(style: Style) -> Operation {
    let mut arena = Arena::new();
    let graph = keyed::diamonds(&mut arena, style, &Silent, 100);
    warm(200, move |next| {
        let value = i64::from(next);
        arena.turn(|w| w.set(graph.source.at(next % 100), value));
        let sums: i64 = (0..100)
            .map(|key| *arena.read(graph.sum.at(key)))
            .max()
            .unwrap_or(0);
        assert_eq!(sums, 5 * (value + 1));
    })
}

/// A window of ten entries that slides by one.
fn churn() -> Operation {
    let mut arena = Arena::new();
    let graph = keyed::churn(&mut arena, &Silent);
    warm(200, move |next| {
        // Over and over the same keys, as an application has only so many.
        let start = next % 1_000;
        arena.turn(|w| {
            w.set(graph.epoch, i64::from(next));
            w.set(graph.start, start);
        });
        assert_eq!(*arena.read(graph.roster), 10 * i64::from(next + start) + 45);
    })
}

/// A dynamic grid that was driven for some turns, and checks itself at its end.
struct Driven {
    arena: Arena,
    plan: Plan,
    grid: Grid,
    turn: usize,
}

impl Drop for Driven {
    fn drop(&mut self) {
        let sources = self
            .grid
            .sources
            .iter()
            .map(|&source| *self.arena.read(source))
            .collect();
        let leaves = self.grid.sum_of_leaves(&mut self.arena);
        assert_eq!(
            leaves,
            self.plan.leaves_over(sources),
            "{}",
            self.plan.parameters.name
        );
    }
}

/// One of the six dynamic grids: a write, and all leaves read by a reaction.
fn dynamic(index: usize) -> Operation {
    let mut arena = Arena::new();
    let plan = Plan::new(SIX[index]);
    let grid = Grid::new(&mut arena, &plan, Style::Tracked, (&Silent, &Silent));
    let turn = plan.parameters.width.min(100);
    assert_eq!(
        grid.run(&mut arena, &plan, turn),
        Reference::new(&plan).drive(turn)
    );
    let mut driven = Driven {
        arena,
        plan,
        grid,
        turn,
    };
    Box::new(move |_| {
        let Driven {
            arena,
            plan,
            grid,
            turn,
        } = &mut driven;
        let (source, value) = plan.write(*turn);
        *turn += 1;
        arena.turn(|w| w.set(grid.sources[source], value));
        assert_eq!(arena.counts().written, 1);
    })
}

/// The operation after this many of it.
pub(crate) fn warm(times: u32, mut operation: impl FnMut(u32) + 'static) -> Operation {
    (1..=times).for_each(&mut operation);
    Box::new(move |next| operation(times + next))
}
