//! Catalogue A.1, P16 to P26: panics, cycles, caches and depth, as this library answers where
//! others differ.

mod cases_common {
    pub(crate) mod knot;
    pub(crate) mod log;
    pub(crate) mod panics;
    pub(crate) mod tally;
    pub(crate) mod turns;
}

use cases_common::knot::Knot;
use cases_common::log::{Log, follow};
use cases_common::panics::panic_of;
use cases_common::tally::Tally;
use cases_common::turns::set;
use cog_arena::{Arena, Derived, Reaction, ReadError};

#[test]
fn policy_p16_a_function_that_panicked_runs_again_at_the_next_read() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let failing = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let fails = std::sync::Arc::clone(&failing);
    let d = arena.derived(tally.count("d", move |_| {
        assert!(!fails.load(std::sync::atomic::Ordering::Relaxed), "not yet");
        1
    }));
    for runs in [1, 2] {
        assert_eq!(panic_of(|| *arena.read(d)), "not yet");
        assert_eq!(tally.of(["d"]), [runs]);
    }

    failing.store(false, std::sync::atomic::Ordering::Relaxed);

    assert_eq!((*arena.read(d), *arena.read(d)), (1, 1));
    assert_eq!(tally.of(["d"]), [3]);
}

#[test]
fn policy_p17_the_other_reactions_run_and_then_the_first_panic_is_raised() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let log = Log::default();
    for (name, fails) in [
        ("one", false),
        ("two", true),
        ("three", true),
        ("four", false),
    ] {
        let log = log.clone();
        arena.react(move |r, _| {
            let value = *r.get(s);
            if value > 0 {
                log.push(name);
            }
            assert!(!fails || value == 0, "{name} failed");
        });
    }

    assert_eq!(panic_of(|| arena.turn(|w| w.set(s, 1))), "two failed");

    assert_eq!(log.entries(), ["one", "two", "three", "four"]);
}

#[test]
fn policy_p18_a_reaction_that_panics_on_its_first_run_stays_registered() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let log = Log::default();
    let seen = log.clone();
    panic_of(|| {
        arena.react(move |r, _| {
            let value = *r.get(s);
            seen.push(value);
            assert!(value > 0, "too early");
        })
    });

    set(&mut arena, s, 1);
    set(&mut arena, s, 2);

    assert_eq!(log.entries(), [0, 1, 2]);
}

#[test]
fn policy_p19_nothing_that_a_failed_turn_staged_survives() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let family = arena.member_family::<u32, i32>(space);
    let (s, t) = (arena.source(0), arena.source(0));
    let (log, _) = follow(&mut arena, move |r| {
        (*r.get(s), *r.get(t), r.lookup(family.at(1)).copied())
    });

    panic_of(|| {
        arena.turn(|w| {
            w.set(s, 1);
            w.set(family.at(1), 1);
            panic!("half way");
        });
    });
    assert!(!arena.contains(space, &1));
    assert_eq!(log.entries(), [(0, 0, None)]);

    set(&mut arena, t, 2);
    assert_eq!(log.entries(), [(0, 0, None), (0, 2, None)]);
}

#[test]
fn policy_p20_a_cycle_is_an_error_that_names_it() {
    let mut arena = Arena::new();
    let knot = Knot::<Derived<i32>>::new();
    let other = knot.clone();
    let threat = arena
        .cog()
        .name("threat")
        .derived(move |r| *r.get(other.handle()));
    let rally = arena.cog().name("rally").derived(move |r| *r.get(threat));
    knot.tie(rally);

    assert_eq!(
        panic_of(|| *arena.read(threat)),
        "dependency cycle: threat → rally → threat"
    );
    assert!(matches!(arena.try_read(rally), Err(ReadError::Cycle(_))));
}

#[test]
fn policy_p21_a_derived_value_is_cached_though_nobody_observes_it() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let (s, other) = (arena.source(1), arena.source(1));
    let d = arena.derived(tally.count("d", move |r| *r.get(s)));

    for value in 2..5 {
        assert_eq!(*arena.read(d), 1);
        set(&mut arena, other, value);
    }

    assert_eq!(tally.of(["d"]), [1]);
}

#[test]
fn policy_p22_declaring_and_writing_run_nothing() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let seen = tally.clone();
    let space = arena.key_space::<u32>();
    let d = arena.derived(tally.count("run", move |r| *r.get(s)));
    arena.derived_from(d.shared(), {
        let seen = tally.clone();
        move |d: &i32| {
            seen.hit("run");
            *d
        }
    });
    arena.derived_family(space, move |r, key| {
        seen.hit("run");
        r.get(s) + i32::try_from(*key).unwrap_or(0)
    });

    set(&mut arena, s, 2);

    assert_eq!(tally.of(["run"]), [0]);
}

#[test]
fn policy_p23_depth_has_a_limit_and_passing_it_is_an_error_with_the_path() {
    let mut arena = Arena::new();
    arena.set_depth_max(50);
    let s = arena.source(1);
    let mut last = arena.cog().name("bottom").derived(move |r| *r.get(s));
    for _ in 0..100 {
        let below = last;
        last = arena.cog().name("link").derived(move |r| *r.get(below));
    }
    let Err(ReadError::TooDeep(path)) = arena.try_read(last) else {
        panic!("a cold chain of 101 is deeper than 50");
    };
    assert!(path.to_string().contains("link → link"), "{path}");
    assert!(panic_of(|| *arena.read(last)).contains("link"));

    arena.set_depth_max(200);
    assert_eq!(*arena.read(last), 1);
    arena.set_depth_max(50);
    set(&mut arena, s, 2);
    assert_eq!(
        *arena.read(last),
        2,
        "a warm chain is checked without nesting"
    );
}

#[test]
fn policy_p24_a_reaction_that_ends_itself_does_not_run_again() {
    let mut arena = Arena::new();
    let (s, late) = (arena.source(0), arena.source(0));
    let own = Knot::<Reaction>::new();
    let log = Log::default();
    let (seen, end) = (log.clone(), own.clone());
    let reaction = arena.react(move |r, later| {
        let value = *r.get(s);
        seen.push(value);
        if value == 1 {
            later.turn(move |w| w.set(s, 10));
            later.end(end.handle());
            r.get(late);
        }
    });
    own.tie(reaction);

    set(&mut arena, s, 1);
    assert_eq!(*arena.read(s), 10, "what it asked for still happens");
    set(&mut arena, s, 2);

    assert_eq!(log.entries(), [0, 1]);
    assert_eq!(
        (arena.consumer_count(s), arena.consumer_count(late)),
        (0, 0)
    );
    assert!(!arena.end(reaction));
}

/// A number that logs what it is compared with.
#[derive(Clone)]
struct Compared(i32, Log<(i32, i32)>);

// The equality is a plain function of two values: it has no reader, so it can depend on nothing.
#[test]
fn policy_p26_an_equality_sees_the_stored_value_and_the_new_one() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let log = Log::default();
    let s = arena.source(1);
    let logged = log.clone();
    let same_tens = |a: &Compared, b: &Compared| {
        a.1.push((a.0, b.0));
        a.0 / 10 == b.0 / 10
    };
    let d = arena
        .cog()
        .equality(same_tens)
        .derived(tally.count("d", move |r| Compared(*r.get(s), logged.clone())));
    let reader = arena.derived(tally.count("reader", move |r| r.get(d).0));
    arena.read(reader);

    for value in [5, 25, 27] {
        set(&mut arena, s, value);
        arena.read(reader);
    }

    assert_eq!(log.entries(), [(1, 5), (1, 25), (25, 27)]);
    assert_eq!(tally.of(["d", "reader"]), [4, 2]);
}
