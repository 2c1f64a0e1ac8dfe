//! Many of a kind: what each of n cogs adds must not grow with n. Each shape has two sizes, and one limit for both.

use cog_arena::{Arena, Derived, DerivedFamily, Hold, KeySpace, SourceFamily};

use crate::keyless::warm;
use crate::{Operation, Shape};

pub(crate) fn shapes() -> Vec<Shape> {
    let shape = |name, units, build| Shape {
        name,
        units,
        operations: 4,
        target: None,
        build,
    };
    vec![
        shape("many::holds::100", 100, || holds(100)),
        shape("many::holds::1000", 1_000, || holds(1_000)),
        shape("many::families_held::100", 100, || families_held(100)),
        shape("many::families_held::1000", 1_000, || families_held(1_000)),
        shape("many::families_written::100", 100, || families_written(100)),
        shape("many::families_written::1000", 1_000, || {
            families_written(1_000)
        }),
        shape("many::spaces_written::100", 100, || spaces_written(100)),
        shape("many::spaces_written::1000", 1_000, || {
            spaces_written(1_000)
        }),
        shape("many::key_removed::100", 100, || key_removed(100)),
        shape("many::key_removed::1000", 1_000, || key_removed(1_000)),
        shape("many::key_unread::100", 100, || key_unread(100)),
        shape("many::key_unread::1000", 1_000, || key_unread(1_000)),
        shape("many::held_turn::100", 1, || held_turn(100)),
        shape("many::held_turn::1000", 1, || held_turn(1_000)),
    ]
}

/// Keyless cogs with one declared input, which is declared itself, each held; let go in the same order.
fn holds(count: u32) -> Operation {
    let mut arena = Arena::new();
    let source = arena.source(0_u32);
    let below = arena.derived_from(source.shared(), |s: &u32| *s);
    let cogs: Vec<Derived<u32>> = (0..count)
        .map(|at| arena.derived_from(below.shared(), move |b: &u32| b.wrapping_add(at)))
        .collect();
    warm(4, move |next| {
        arena.turn(|w| w.set(source, next));
        let holds: Vec<Hold> = cogs.iter().map(|&cog| arena.hold(cog)).collect();
        let last = cogs.last().expect("there is one");
        assert_eq!(arena.settled(*last), Some(&next.wrapping_add(count - 1)));
        for hold in holds {
            arena.let_go(hold);
        }
    })
}

fn families(arena: &mut Arena, space: KeySpace<u32>, count: u32) -> Vec<SourceFamily<u32, u32>> {
    (0..count).map(|_| arena.member_family(space)).collect()
}

/// Families that are aligned with one source family, each held; let go in the same order.
fn families_held(count: u32) -> Operation {
    let mut arena = Arena::new();
    let space = arena.key_space();
    let source = arena.member_family::<u32, u32>(space);
    let cogs: Vec<DerivedFamily<u32, u32>> = (0..count)
        .map(|at| {
            arena.derived_family_from(space, source.aligned(), move |s: &u32| s.wrapping_add(at))
        })
        .collect();
    warm(4, move |next| {
        arena.turn(|w| w.set(source.at(7), next));
        let holds: Vec<Hold> = cogs.iter().map(|&cog| arena.hold(cog)).collect();
        let last = cogs.last().expect("there is one");
        assert_eq!(
            arena.settled(last.at(7)),
            Some(&next.wrapping_add(count - 1))
        );
        for hold in holds {
            arena.let_go(hold);
        }
    })
}

fn write_each(arena: &mut Arena, families: &[SourceFamily<u32, u32>], value: u32) {
    arena.turn(|w| {
        for family in families {
            w.set(family.at(7), value);
        }
    });
}

/// A turn that writes a row of each family.
fn families_written(count: u32) -> Operation {
    let mut arena = Arena::new();
    let space = arena.key_space();
    let families = families(&mut arena, space, count);
    warm(4, move |next| {
        write_each(&mut arena, &families, next);
        assert_eq!(arena.counts().written, u64::from(count));
    })
}

/// A turn that inserts a key into each space, and one that removes them.
fn spaces_written(count: u32) -> Operation {
    let mut arena = Arena::new();
    let spaces: Vec<KeySpace<u32>> = (0..count).map(|_| arena.key_space()).collect();
    warm(4, move |_| {
        arena.turn(|w| {
            for &space in &spaces {
                w.insert_key(space, 7);
            }
        });
        assert_eq!(arena.len(spaces[0]), 1);
        arena.turn(|w| {
            for &space in &spaces {
                w.remove_key(space, &7);
            }
        });
    })
}

/// A turn that gives a key a row in each family, and one that removes the key.
fn key_removed(count: u32) -> Operation {
    let mut arena = Arena::new();
    let space = arena.key_space();
    let families = families(&mut arena, space, count);
    warm(4, move |next| {
        write_each(&mut arena, &families, next);
        assert!(arena.turn(|w| w.remove_key(space, &7)));
        assert_eq!(arena.counts().written, u64::from(count));
    })
}

/// A reaction reads a key's rows of all families, and in the next turn of none but the last.
fn key_unread(count: u32) -> Operation {
    let mut arena = Arena::new();
    let space = arena.key_space();
    let families = families(&mut arena, space, count);
    let on = arena.source(false);
    let last = *families.last().expect("there is one");
    let _one = arena.react(move |r, _| {
        let _ = r.lookup(last.at(7));
    });
    let _all = arena.react(move |r, _| {
        if *r.get(on) {
            for &family in &families {
                let _ = r.lookup(family.at(7));
            }
        }
    });
    warm(4, move |_| {
        arena.turn(|w| w.set(on, true));
        arena.turn(|w| w.set(on, false));
    })
}

/// Many families are held, and one row of one moves.
fn held_turn(count: u32) -> Operation {
    let mut arena = Arena::new();
    let space = arena.key_space();
    let sources = families(&mut arena, space, count);
    for source in &sources {
        let cog = arena.derived_family_from(space, source.aligned(), |s: &u32| *s);
        let _hold = arena.hold(cog);
    }
    warm(4, move |next| {
        arena.turn(|w| w.set(sources[0].at(7), next));
        assert_eq!(arena.counts().run, 1);
    })
}
