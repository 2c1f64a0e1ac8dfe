//! More faults that random play found, each as the smallest program that showed it: failures and recoveries.

mod common;
#[path = "common/seen.rs"]
mod seen;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cog_arena::{Arena, DerivedFamily, KeySpace, Reader, Reads, Source};
use common::{arena, assert_says, panic_of};
use seen::{Count, Seen, caught, first_of, take};

/// Something outside that a function should not depend on, but does.
#[derive(Clone, Default)]
struct Weather(Arc<AtomicBool>);

impl Weather {
    fn set(&self, bad: bool) {
        self.0.store(bad, Ordering::Relaxed);
    }

    fn is_bad(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A tracked family that fails in bad weather, and the source it reads. One is a member.
struct Fickle {
    weather: Weather,
    source: Source<i32>,
    space: KeySpace<u32>,
    family: DerivedFamily<u32, i32>,
}

impl Fickle {
    fn new(arena: &mut Arena) -> Self {
        let weather = Weather::default();
        let source = arena.source(1);
        let space = arena.key_space::<u32>();
        let outside = weather.clone();
        let family = arena.derived_family(space, move |r, _| {
            let value = *r.get(source);
            assert!(!outside.is_bad(), "bad weather");
            value
        });
        arena.turn(|w| {
            w.insert_key(space, 1);
        });
        Self {
            weather,
            source,
            space,
            family,
        }
    }

    /// Sets the source while the weather is bad, which is good again afterwards.
    fn set_in_bad_weather(&self, arena: &mut common::Checked, value: i32) {
        self.weather.set(true);
        let failed = panic_of(|| arena.turn(|w| w.set(self.source, value)));
        assert_says(&failed, &["bad weather"]);
        self.weather.set(false);
    }
}

#[test]
fn a_needed_row_that_failed_is_tried_again_once_by_the_next_turn() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let source = arena.member_family::<u32, i32>(space);
    let runs = Count::default();
    let counted = runs.clone();
    let failing = arena.derived_family_from(space, source.aligned(), move |v: &i32| {
        if *v == 0 {
            counted.add();
            panic!("boom");
        }
        *v
    });
    let hold = arena.hold(failing);
    assert_says(
        &panic_of(|| arena.turn(|w| w.set(source.at(1), 0))),
        &["boom"],
    );
    assert_eq!(runs.take(), 1);

    assert_says(
        &panic_of(|| arena.turn(|w| w.set(source.at(2), 5))),
        &["boom"],
    );

    assert_eq!(runs.take(), 1);
    assert_eq!(arena.settled(failing.at(2)), Some(&5));
    arena.turn(|w| w.set(source.at(1), 6));
    assert_eq!(arena.settled(failing.at(1)), Some(&6));
    arena.let_go(hold);
}

#[test]
fn a_healthy_row_read_outside_is_not_answered_with_the_panic_of_another() {
    let mut arena = arena();
    let fickle = Fickle::new(&mut arena);
    let over = arena.derived_family_from(fickle.space, fickle.family.aligned(), |v: &i32| {
        assert!(*v != 2, "two is too much");
        *v
    });
    let hold = arena.hold(over);
    fickle.set_in_bad_weather(&mut arena, 2);

    assert_eq!(*arena.read(fickle.family.at(1)), 2);

    arena.check();
    assert_says(&panic_of(|| arena.turn(|_| ())), &["two is too much"]);
    arena.turn(|w| w.set(fickle.source, 3));
    assert_eq!(arena.settled(over.at(1)), Some(&3));
    arena.let_go(hold);
}

#[test]
fn a_failed_optional_input_makes_its_dependant_fail() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let source = arena.source_family(space, |_| 1);
    let tracked = arena.derived_family(space, move |r, k| {
        let value = *r.get(source.at(*k));
        assert!(value != 0, "boom");
        value
    });
    let seen: Seen<Option<i32>> = Arc::default();
    let noted = seen.clone();
    let declared = arena.derived_family_from(space, tracked.optional(), move |v: Option<&i32>| {
        noted.lock().unwrap().push(v.copied());
        v.copied()
    });
    let noted = seen.clone();
    let mixed = arena.derived_family_from(
        space,
        (tracked.optional(), Reads),
        move |(v, _): (Option<&i32>, &Reader<'_>)| {
            noted.lock().unwrap().push(v.copied());
            v.copied()
        },
    );
    arena.turn(|w| {
        w.insert_key(space, 1);
    });
    let holds = [arena.hold(declared), arena.hold(mixed)];
    assert_eq!(take(&seen), [Some(1); 2]);

    // One fails that was well before, two from the beginning.
    let failed = panic_of(|| arena.turn(|w| [1, 2].map(|key| w.set(source.at(key), 0))));
    assert_says(&failed, &["boom"]);
    for row in [1, 2]
        .into_iter()
        .flat_map(|key| [declared.at(key), mixed.at(key)])
    {
        assert_says(&panic_of(|| *arena.read(row)), &["boom"]);
    }
    assert_eq!(take(&seen), [], "never without a value");
    arena.turn(|w| [1, 2].map(|key| w.set(source.at(key), 5)));

    for row in [1, 2]
        .into_iter()
        .flat_map(|key| [declared.at(key), mixed.at(key)])
    {
        assert_eq!(arena.settled(row), Some(&Some(5)));
    }
    assert_eq!(take(&seen), [Some(5); 4]);
    for hold in holds {
        arena.let_go(hold);
    }
}

#[test]
fn what_requires_a_failed_row_fails_too_and_so_does_what_may_do_without() {
    for (tracks, total) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut arena = arena();
        let space = arena.key_space::<u32>();
        let source = if total {
            arena.source_family(space, |k| i32::from(*k == 2))
        } else {
            arena.member_family::<u32, i32>(space)
        };
        let failing = arena.derived_family_from(
            space,
            (source.aligned(), Reads),
            |(v, _): (&i32, &Reader<'_>)| {
                assert!(*v != 0, "boom");
                *v
            },
        );
        let middle = if tracks {
            arena.derived_family_from(space, (failing.aligned(), Reads), first_of)
        } else {
            arena.derived_family_from(space, failing.aligned(), |v: &i32| *v)
        };
        let seen: Seen<Option<i32>> = Arc::default();
        let noted = seen.clone();
        let over = arena.derived_family_from(space, middle.optional(), move |v: Option<&i32>| {
            noted.lock().unwrap().push(v.copied());
            v.copied()
        });
        let hold = arena.hold(over);
        // From now on what is read of the family isn't settled for the first time.
        arena.read(over.at(2));
        if !total {
            arena.turn(|w| {
                w.insert_key(space, 1);
            });
        }
        take(&seen);

        let failed = panic_of(|| arena.turn(|w| w.set(source.at(1), 0)));

        assert_says(&failed, &["boom"]);
        assert_says(&panic_of(|| *arena.read(over.at(1))), &["boom"]);
        assert_eq!(take(&seen), [], "never without a value");
        arena.turn(|w| w.set(source.at(1), 5));
        assert_eq!(take(&seen), [Some(5)]);
        arena.let_go(hold);
    }
}

#[test]
fn a_row_that_recovers_as_it_is_read_outside_is_news_to_who_depends_on_it() {
    let mut arena = arena();
    let fickle = Fickle::new(&mut arena);
    let family = fickle.family;
    let function = |(v, _): (Option<&i32>, &Reader<'_>)| v.copied();
    let over = arena.derived_family_from(fickle.space, (family.optional(), Reads), function);
    // This one nobody reads.
    let alone = arena.derived_family_from(fickle.space, (family.optional(), Reads), function);
    let kept = arena.hold(alone);
    let hold = arena.hold(over);
    let reader = arena.derived(move |r| *r.get(family.at(1)));
    let held = arena.hold(reader);
    let seen: Seen<[Option<i32>; 2]> = Arc::default();
    let noted = seen.clone();
    arena.react(move |r, _| {
        let first = caught(|| *r.get(family.at(1)));
        let second = caught(|| *r.get(over.at(1)));
        noted.lock().unwrap().push([first, second.flatten()]);
    });
    fickle.set_in_bad_weather(&mut arena, 2);
    assert_eq!(take(&seen), [[Some(1); 2], [None; 2]]);

    assert_eq!(*arena.read(family.at(1)), 2);
    arena.check();
    assert_eq!(arena.settled(alone.at(1)), Some(&Some(2)));
    arena.turn(|_| ());

    assert_eq!(take(&seen), [[Some(2); 2]]);
    assert_eq!(arena.settled(reader), Some(&2));
    assert_eq!(arena.settled(over.at(1)), Some(&Some(2)));
    arena.let_go(held);
    arena.let_go(hold);
    arena.let_go(kept);
}

#[test]
fn a_turn_that_reads_and_then_panics_leaves_nothing_half_settled() {
    let mut arena = arena();
    let fickle = Fickle::new(&mut arena);
    let over = arena.derived_family_from(fickle.space, fickle.family.aligned(), |v: &i32| *v);
    let kept = arena.hold(over);
    fickle.set_in_bad_weather(&mut arena, 2);

    let failed = panic_of(|| {
        arena.turn(|w| {
            assert_eq!(*w.read(fickle.family.at(1)), 2);
            panic!("and out");
        });
    });

    assert_says(&failed, &["and out"]);
    arena.check();
    assert_eq!(arena.settled(over.at(1)), Some(&2));
    arena.let_go(kept);
}

#[test]
fn two_families_whose_inputs_fail_by_turns_end_with_an_error() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let source = arena.member_family::<u32, i32>(space);
    let one = arena.reserve_family::<u32, i32>(space);
    let two = arena.reserve_family::<u32, i32>(space);
    type Items<'a> = (&'a i32, Option<&'a i32>, &'a Reader<'a>);
    let function = |(v, other, _): Items<'_>| {
        assert!(*v != 0, "boom");
        v + other.copied().unwrap_or(0)
    };
    let inputs = |other: DerivedFamily<u32, i32>| (source.aligned(), other.optional(), Reads);
    arena
        .cog()
        .name("one")
        .define_family(one, inputs(two), function);
    arena
        .cog()
        .name("two")
        .define_family(two, inputs(one), function);
    let holds = [arena.hold(one), arena.hold(two)];
    for value in [1, 0, 2] {
        let failed = panic_of(|| arena.turn(|w| w.set(source.at(1), value)));
        assert!(!failed.is_empty());
        arena.check();
    }
    for hold in holds {
        arena.let_go(hold);
    }
}
