//! Allocation gates: a warm turn allocates nothing and frees nothing.
//!
//! A zero proves something only if the counter can count, so the first test is its witness, and
//! every gate checks the answers of the turns that it counted.

#![expect(
    clippy::disallowed_macros,
    reason = "counted per thread, so that tests beside this one add nothing"
)]

#[path = "common/counting.rs"]
mod counting;
mod graphs;

use cog_arena::{
    Arena, Depth, Derived, DerivedFamily, KeySlot, KeySpace, OwnKey, Reader, Reads, SourceFamily,
};
use counting::counted;
use graphs::{Silent, Style, keyed};

/// Warms `turn` up and asserts that many more of them allocate and free nothing.
#[track_caller]
fn assert_steady(turns: u32, mut turn: impl FnMut(u32)) {
    (1..=turns).for_each(&mut turn);
    let counted = counted(|| (turns + 1..=3 * turns).for_each(&mut turn));
    assert_eq!(
        counted,
        (0, 0),
        "(allocations, frees) of {} warm turns",
        2 * turns
    );
}

#[test]
fn the_witness_the_counter_counts() {
    let counted = counted(|| {
        let boxed = std::hint::black_box(Box::new(1));
        let mut list = std::hint::black_box(vec![*boxed]);
        list.reserve(1_000);
        std::hint::black_box(&list);
    });
    assert_eq!(
        counted,
        (3, 3),
        "two allocations, one that grew, and all of them freed"
    );
}

#[test]
fn perf_01_a_keyless_turn_and_its_read() {
    for style in [Style::Tracked, Style::Declared] {
        let mut arena = Arena::new();
        let source = arena.source(0_u32);
        let double = match style {
            Style::Tracked => arena.derived(move |r| r.get(source) * 2),
            Style::Declared => arena.derived_from(source.shared(), |s: &u32| s * 2),
        };
        assert_steady(1_000, |next| {
            arena.turn(|w| w.set(source, next));
            assert_eq!(*arena.read(double), 2 * next);
        });
    }
}

#[test]
fn a_keyed_turn_and_its_read() {
    for style in [Style::Tracked, Style::Declared] {
        let mut arena = Arena::new();
        let graph = keyed::diamonds(&mut arena, style, &Silent, 100);
        (0..100).for_each(|key| assert_eq!(*arena.read(graph.sum.at(key)), 5));
        assert_steady(1_000, |next| {
            let (key, value) = (next % 100, i64::from(next));
            arena.turn(|w| w.set(graph.source.at(key), value));
            assert_eq!(*arena.read(graph.sum.at(key)), 5 * (value + 1));
        });
    }
}

#[test]
fn perf_06_naming_a_key_allocates_nothing() {
    let mut arena = Arena::new();
    let space = arena.key_space::<(u64, u64)>();
    let family = arena.source_family(space, |_| 0);
    let counted = counted(|| {
        for key in 0..1_000 {
            std::hint::black_box(family.at((key, key)));
        }
    });
    assert_eq!(counted, (0, 0));
}

#[test]
fn a_fan_of_sixteen() {
    for style in [Style::Tracked, Style::Declared] {
        let mut arena = Arena::new();
        let source = arena.source(0_u32);
        let fan: Vec<Derived<u32>> = (0..16)
            .map(|arm| match style {
                Style::Tracked => arena.derived(move |r| r.get(source) + arm),
                Style::Declared => arena.derived_from(source.shared(), move |s: &u32| s + arm),
            })
            .collect();
        assert_steady(300, |next| {
            arena.turn(|w| w.set(source, next));
            for (&cog, arm) in fan.iter().zip(0..) {
                assert_eq!(*arena.read(cog), next + arm);
            }
        });
    }
}

#[test]
fn a_chain_of_101_rows() {
    for style in [Style::Tracked, Style::Declared] {
        for held in [false, true] {
            let mut arena = Arena::new();
            let source = arena.source(0_u32);
            let mut last = arena.derived_from(source.shared(), |s: &u32| s + 1);
            for _ in 1..101 {
                last = match style {
                    Style::Tracked => arena.derived(move |r| r.get(last) + 1),
                    Style::Declared => arena.derived_from(last.shared(), |s: &u32| s + 1),
                };
            }
            let hold = held.then(|| arena.hold(last));
            assert_steady(200, |next| {
                arena.turn(|w| w.set(source, next));
                assert_eq!(*arena.read(last), next + 101);
            });
            if let Some(hold) = hold {
                arena.let_go(hold);
            }
        }
    }
}

#[test]
fn a_keyed_chain_of_101_rows_of_one_family() {
    let mut arena = Arena::new();
    let space = arena.key_space_indexed::<u32>(|key| *key);
    let source = arena.source(0_u32);
    let chain = arena.reserve_family::<u32, u32>(space);
    let link = move |(r, key): (&Reader<'_>, &u32)| match key.checked_sub(1) {
        None => *r.get(source),
        Some(below) => r.get(chain.at(below)) + 1,
    };
    arena
        .cog()
        .define_family(chain, (Reads, OwnKey::new()), link);
    assert_steady(200, |next| {
        arena.turn(|w| w.set(source, next));
        assert_eq!(*arena.read(chain.at(100)), next + 100);
    });
}

/// A source column of this many rows, and five derived columns in a chain, all of them held.
struct Columns {
    arena: Arena,
    source: SourceFamily<u32, u32>,
    columns: [DerivedFamily<u32, u32>; 5],
    slots: Vec<KeySlot<u32>>,
}

fn five_columns(rows: u32) -> Columns {
    let mut arena = Arena::new();
    let space: KeySpace<u32> = arena.key_space_indexed(|key| *key);
    let source = arena.member_family::<u32, u32>(space);
    let first = arena.derived_family_from(space, source.aligned(), |s: &u32| s.wrapping_add(1));
    let mut columns = [first; 5];
    for column in 1..5 {
        columns[column] =
            arena.derived_family_from(space, columns[column - 1].aligned(), |s: &u32| {
                s.wrapping_add(1)
            });
    }
    let slots = arena.turn(|w| {
        let insert = |row| {
            w.set(source.at(row), 0);
            w.insert_key(space, row)
        };
        (0..rows).map(insert).collect()
    });
    for column in columns {
        // Held for as long as the arena lives.
        let _hold = arena.hold(column);
    }
    arena.turn(|_| {});
    Columns {
        arena,
        source,
        columns,
        slots,
    }
}

#[test]
fn an_aligned_turn_over_100_000_rows() {
    const ROWS: u32 = 100_000;
    let Columns {
        mut arena,
        source,
        columns,
        slots,
    } = five_columns(ROWS);
    // (how many rows, how far apart)
    for (changed, stride) in [(100, 997), (1_000, 97), (1_000, 1), (ROWS as usize, 1)] {
        let slots: Vec<KeySlot<u32>> = slots
            .iter()
            .step_by(stride)
            .take(changed)
            .copied()
            .collect();
        let mut value = 0;
        assert_steady(if changed < 10_000 { 20 } else { 3 }, |_| {
            value += 1;
            arena.turn(|w| {
                let mut rows = w.rows(source);
                for &slot in &slots {
                    assert!(rows.set(slot, value));
                }
            });
            assert_eq!(arena.counts().run, 5 * slots.len() as u64);
            assert_eq!(
                *arena.read(columns[4].at_slot(slots[slots.len() - 1])),
                value + 5
            );
        });
        // Back to the start, so that the next round changes every row that it writes.
        arena.turn(|w| {
            let mut rows = w.rows(source);
            slots.iter().for_each(|&slot| assert!(rows.set(slot, 0)));
        });
    }
    arena.check();
}

#[test]
fn a_graph_that_alternates_between_two_shapes() {
    let mut arena = Arena::new();
    let flag = arena.source(0_u32);
    let near: Vec<Derived<u32>> = (0..40)
        .map(|add| arena.derived(move |r| r.get(flag) + add))
        .collect();
    let far: Vec<Derived<u32>> = near
        .iter()
        .map(|&cog| arena.derived(move |r| r.get(cog) * 2))
        .collect();
    let join = arena.derived(move |r| {
        let flag = *r.get(flag);
        match flag % 2 {
            0 => near.iter().map(|&cog| *r.get(cog)).sum::<u32>(),
            _ => far.iter().rev().map(|&cog| *r.get(cog)).sum(),
        }
    });
    assert_steady(100, |next| {
        arena.turn(|w| w.set(flag, next));
        let near = 40 * next + 39 * 20;
        assert_eq!(
            *arena.read(join),
            if next % 2 == 0 { near } else { 2 * near }
        );
    });
}

#[test]
fn a_reaction_and_a_watch() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    let mut arena = Arena::new();
    let source = arena.source(0_u32);
    let double = arena.derived(move |r| r.get(source) * 2);
    let (seen, told) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
    let sink = Arc::clone(&seen);
    arena.react(move |r, _| sink.store(*r.get(double), Ordering::Relaxed));
    let sink = Arc::clone(&told);
    arena.watch(double, cog_arena::First::Skip, move |old, new, _| {
        sink.store(new - old.copied().unwrap_or(0), Ordering::Relaxed);
    });
    assert_steady(500, |next| {
        arena.turn(|w| w.set(source, next));
        assert_eq!(
            (seen.load(Ordering::Relaxed), told.load(Ordering::Relaxed)),
            (2 * next, 2)
        );
    });
}

#[test]
fn a_turn_in_steps() {
    let mut arena = Arena::new();
    let space: KeySpace<u32> = arena.key_space();
    let source = arena.member_family::<u32, u32>(space);
    let double = arena.derived_family_from(space, source.aligned(), |s: &u32| s * 2);
    arena.turn(|w| (0..1_000).for_each(|key| w.set(source.at(key), 0)));
    let _hold = arena.hold(double);
    assert_steady(200, |next| {
        arena.begin();
        arena.writer().set(source.at(next % 1_000), next);
        arena.settle();
        let moved: u32 = arena
            .moved(double)
            .iter()
            .map(|row| row.value.copied().unwrap_or(0))
            .sum();
        assert_eq!(moved, 2 * next);
        arena.publish();
        arena.run_reactions();
        assert!(!arena.release());
    });
}

#[test]
fn a_turn_of_folds_and_of_a_keyed_projection() {
    for held in [false, true] {
        let mut arena = Arena::new();
        let space: KeySpace<u32> = arena.key_space();
        let gold = arena.member_family::<u32, u32>(space);
        let double = arena.derived_family_from(space, gold.aligned(), |gold: &u32| 2 * gold);
        let sum = arena.over(double.aligned()).sum();
        let exact = arena
            .over(gold.aligned())
            .sum_by(|_, gold| f64::from(*gold) / 10.0);
        let rich = arena.over(gold.aligned()).count_by(|_, gold| 50 < *gold);
        let chosen = arena.source(Some(0));
        let is_chosen = arena.selected_family(space, chosen.shared());
        arena.turn(|w| (0..1000).for_each(|key| w.set(gold.at(key), 1)));
        let _holds = held.then(|| [arena.hold(sum), arena.hold(rich)]);
        assert_steady(1_000, |next| {
            let key = next * 7 % 1000;
            arena.turn(|w| {
                w.set(gold.at(key), next % 100);
                w.set(chosen, Some(key));
            });
            assert!(*arena.read(is_chosen.at(key)));
            assert_eq!(
                f64::from(*arena.read(sum)),
                (*arena.read(exact) * 20.0).round()
            );
            assert!(*arena.read(rich) <= 1000);
        });
    }
}

#[test]
fn a_turn_that_is_fed_whether_the_reader_is_late_or_not() {
    for depth in [Depth::Newest(3), Depth::Oldest(3), Depth::Unbounded] {
        let mut arena = Arena::new();
        let source = arena.source(0_u32);
        let double = arena.derived(move |r| r.get(source) * 2);
        let (read, unread) = (
            arena.feed(double, depth),
            arena.feed(double, Depth::Newest(3)),
        );
        assert_steady(1_000, |next| {
            arena.turn(|w| w.set(source, next));
            assert_eq!(read.drain().last(), Some(Some(2 * next)));
        });
        assert_eq!((read.lost(), unread.lost(), unread.len()), (0, 2_998, 3));
    }
}
