//! Catalogue A.10 for rows of one column: a row whose function, equality or `Drop` panics, and a
//! key that comes or goes in a turn that fails, spoil none of their neighbours.

mod cases_common {
    pub(crate) mod log;
    pub(crate) mod panics;
    pub(crate) mod turns;
}

use cases_common::log::{Log, follow};
use cases_common::panics::panic_of;
use cases_common::turns::{check, set};
use cog_arena::{Arena, DerivedFamily, First, KeySpace, SourceFamily};

/// A number that panics when -1 is compared, when -2 is dropped, and when -3 is cloned.
#[derive(Debug)]
struct Fragile(i32);

impl Clone for Fragile {
    fn clone(&self) -> Self {
        assert!(self.0 != -3, "cloned");
        Self(self.0)
    }
}

impl PartialEq for Fragile {
    fn eq(&self, other: &Self) -> bool {
        assert!(self.0 != -1 && other.0 != -1, "compared");
        self.0 == other.0
    }
}

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(self.0 != -2 || std::thread::panicking(), "dropped");
    }
}

/// 200 keys, and a held family that is made of them row by row and fails for -9.
fn rows(
    arena: &mut Arena,
) -> (
    KeySpace<u32>,
    SourceFamily<u32, i32>,
    DerivedFamily<u32, Fragile>,
) {
    let space = arena.key_space::<u32>();
    let source = arena.member_family::<u32, i32>(space);
    let derived = arena.derived_family_from(space, source.aligned(), |value: &i32| {
        assert!(*value != -9, "ran");
        Fragile(*value)
    });
    let _kept = arena.hold(derived);
    arena.turn(|w| {
        for key in 0..200 {
            w.set(source.at(key), 0);
        }
    });
    (space, source, derived)
}

#[test]
fn case_x08_a_row_that_fails_does_not_touch_the_others_of_its_column() {
    for (bad, text) in [(-9, "ran"), (-1, "compared")] {
        let mut arena = Arena::new();
        let (_, source, derived) = rows(&mut arena);

        let raised = panic_of(|| {
            arena.turn(|w| {
                for key in 0..200 {
                    w.set(source.at(key), if key == 70 { bad } else { 5 });
                }
            });
        });
        check(&arena);
        assert_eq!(raised, text);
        for key in (0..200).filter(|key| *key != 70) {
            assert_eq!(arena.read(derived.at(key)).0, 5, "key {key}, {text}");
        }
        assert_eq!(
            panic_of(|| arena.read(derived.at(70)).0),
            text,
            "it is dirty still"
        );

        arena.turn(|w| w.set(source.at(70), 6));
        check(&arena);
        assert_eq!(arena.read(derived.at(70)).0, 6);
    }
}

#[test]
fn case_x13_a_row_whose_old_value_fails_to_drop_has_the_new_one() {
    let mut arena = Arena::new();
    let (_, source, derived) = rows(&mut arena);
    arena.turn(|w| w.set(source.at(70), -2));

    let raised = panic_of(|| {
        arena.turn(|w| {
            for key in 60..80 {
                w.set(source.at(key), 7);
            }
        });
    });

    check(&arena);
    assert_eq!(raised, "dropped");
    for key in 60..80 {
        assert_eq!(arena.read(derived.at(key)).0, 7, "key {key}");
    }
    arena.turn(|w| w.set(source.at(70), 8));
    assert_eq!(arena.read(derived.at(70)).0, 8);
}

#[test]
fn case_x12_a_clone_that_panics_in_the_body_discards_the_turn() {
    let mut arena = Arena::new();
    let (s, other) = (arena.source(Fragile(-3)), arena.source(1));
    let (log, _) = follow(&mut arena, move |r| (r.get(s).0, *r.get(other)));

    for _ in 0..2 {
        let raised = panic_of(|| {
            arena.turn(|w| {
                w.set(other, 2);
                w.update(s, |value| value.0 = 1);
            });
        });
        assert_eq!(raised, "cloned");
        check(&arena);
    }
    set(&mut arena, s, Fragile(4));

    assert_eq!(log.entries(), [(-3, 1), (4, 1)]);
}

#[test]
fn case_x12_a_watch_whose_value_fails_to_clone_goes_on_with_the_next() {
    let mut arena = Arena::new();
    let s = arena.source(Fragile(0));
    let log = Log::default();
    let seen = log.clone();
    arena.watch(
        s,
        First::Run,
        move |_: Option<&Fragile>, new: &Fragile, _| {
            seen.push(new.0);
        },
    );
    let (beside, _) = follow(&mut arena, move |r| r.get(s).0);

    assert_eq!(panic_of(|| arena.turn(|w| w.set(s, Fragile(-3)))), "cloned");
    check(&arena);
    set(&mut arena, s, Fragile(2));

    assert_eq!(log.entries().last(), Some(&2));
    assert_eq!(beside.entries(), [0, -3, 2]);
}

#[test]
fn case_b07_a_turn_that_panics_leaves_the_keys_as_they_were() {
    let mut arena = Arena::new();
    let (space, source, derived) = rows(&mut arena);
    let slot = arena.slot(space, &3).expect("key 3 is a member");
    let (log, _) = follow(&mut arena, move |r| {
        r.lookup(derived.at(3)).map(|value| value.0)
    });

    panic_of(|| {
        arena.turn(|w| {
            w.remove_key(space, &3);
            w.insert_key(space, 1_000);
            w.set(source.at(1_001), 1);
            w.remove(source.at(4));
            panic!("half way");
        });
    });

    check(&arena);
    assert_eq!(arena.len(space), 200);
    assert_eq!(arena.slot(space, &3), Some(slot));
    assert!(!arena.contains(space, &1_000));
    assert!(!arena.contains(space, &1_001));
    assert!(arena.lookup(derived.at(4)).is_some());
    arena.turn(|w| w.set(source.at_slot(slot), 9));
    assert_eq!(log.entries(), [Some(0), Some(9)]);
}

#[test]
fn case_x14_a_key_that_goes_while_its_row_fails_is_gone() {
    let mut arena = Arena::new();
    let (space, source, derived) = rows(&mut arena);
    let raised = panic_of(|| arena.turn(|w| w.set(source.at(5), -9)));
    assert_eq!(raised, "ran");

    arena.turn(|w| {
        w.remove_key(space, &5);
    });
    check(&arena);
    assert!(arena.lookup(derived.at(5)).is_none());
    arena.turn(|w| w.set(source.at(5), 1));

    assert_eq!(arena.read(derived.at(5)).0, 1);
    assert_eq!(arena.len(space), 200);
}
