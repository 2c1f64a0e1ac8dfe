//! Catalogue A.11: a cycle of rows is an error that names its path, found only while it is live,
//! from every entry. Nothing on the path keeps a made-up value.

mod cases_common {
    pub(crate) mod knot;
    pub(crate) mod log;
    pub(crate) mod panics;
    pub(crate) mod turns;
}

use std::panic::{AssertUnwindSafe, catch_unwind};

use cases_common::knot::Knot;
use cases_common::log::{Log, follow};
use cases_common::panics::panic_of;
use cases_common::turns::set;
use cog_arena::{Arena, Derived, DerivedFamily, ReadError, Source};

/// A ring of named derived values, each one more than the next; the ring is closed while `closed`
/// is true, and ends in `base` otherwise.
fn ring<const N: usize>(
    arena: &mut Arena,
    names: [&'static str; N],
    closed: Source<bool>,
    base: Source<i32>,
) -> [Derived<i32>; N] {
    let first = Knot::<Derived<i32>>::new();
    let mut next: Option<Derived<i32>> = None;
    let mut rows = names.map(|name| {
        let (first, after) = (first.clone(), next);
        let row = arena.cog().name(name).derived(move |r| match after {
            Some(after) => r.get(after) + 1,
            None if *r.get(closed) => r.get(first.handle()) + 1,
            None => *r.get(base),
        });
        next = Some(row);
        row
    });
    first.tie(rows[N - 1]);
    rows.reverse();
    rows
}

#[test]
fn case_y01_a_row_that_reads_itself_is_an_error_at_every_read() {
    let mut arena = Arena::new();
    let (closed, base) = (arena.source(true), arena.source(7));
    let [only] = ring(&mut arena, ["only"], closed, base);

    assert_eq!(
        panic_of(|| *arena.read(only)),
        "dependency cycle: only → only"
    );
    assert!(matches!(arena.try_read(only), Err(ReadError::Cycle(_))));
    assert!(panic_of(|| arena.lookup(only).copied()).contains("only → only"));
    let reader = arena.derived(move |r| *r.get(only));
    assert!(panic_of(|| *arena.read(reader)).contains("only → only"));
}

#[test]
fn case_y02_a_cycle_of_four_is_found_from_every_entry() {
    for entry in 0..4 {
        let mut arena = Arena::new();
        let (closed, base) = (arena.source(true), arena.source(7));
        let rows = ring(&mut arena, ["d", "c", "b", "a"], closed, base);
        let text = panic_of(|| *arena.read(rows[entry]));
        let names: Vec<_> = (0..=4)
            .map(|step| ["a", "b", "c", "d"][(entry + step) % 4])
            .collect();
        assert_eq!(text, format!("dependency cycle: {}", names.join(" → ")));
        for row in rows {
            assert!(
                matches!(arena.try_read(row), Err(ReadError::Cycle(_))),
                "entered at {entry}"
            );
        }
    }
}

#[test]
fn case_y03_a_cycle_that_a_flag_closes_is_gone_when_the_flag_falls() {
    let mut arena = Arena::new();
    let (closed, base) = (arena.source(false), arena.source(7));
    let [a, b] = ring(&mut arena, ["b", "a"], closed, base);
    assert_eq!((*arena.read(a), *arena.read(b)), (8, 7));

    set(&mut arena, closed, true);
    assert!(panic_of(|| *arena.read(a)).starts_with("dependency cycle: "));
    set(&mut arena, closed, false);

    assert_eq!((*arena.read(a), *arena.read(b)), (8, 7));
}

#[test]
fn case_y04_a_self_read_that_is_caught_is_forgotten_with_the_next_value() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let knot = Knot::<Derived<i32>>::new();
    let own = knot.clone();
    let d = arena.derived(move |r| match *r.get(s) {
        0 => catch_unwind(AssertUnwindSafe(|| *r.get(own.handle()))).unwrap_or(-1),
        value => value,
    });
    knot.tie(d);
    assert_eq!(*arena.read(d), -1);

    set(&mut arena, s, 3);

    assert_eq!(*arena.read(d), 3);
}

#[test]
fn case_y05_a_cycle_through_a_peek_is_found_too() {
    let mut arena = Arena::new();
    let knot = Knot::<Derived<i32>>::new();
    let other = knot.clone();
    let a = arena
        .cog()
        .name("a")
        .derived(move |r| *r.peek(other.handle()));
    let b = arena.cog().name("b").derived(move |r| *r.get(a));
    knot.tie(b);

    assert_eq!(panic_of(|| *arena.read(a)), "dependency cycle: a → b → a");
}

// The swap itself, with its values, is case D18; this is its shortest form.
#[test]
fn case_y06_an_edge_that_turns_round_is_no_cycle() {
    let mut arena = Arena::new();
    let flag = arena.source(true);
    let knot = Knot::<Derived<i32>>::new();
    let later = knot.clone();
    let a = arena.derived(move |r| {
        if *r.get(flag) {
            r.get(later.handle()) + 1
        } else {
            1
        }
    });
    let b = arena.derived(move |r| if *r.get(flag) { 1 } else { r.get(a) + 1 });
    knot.tie(b);
    assert_eq!((*arena.read(a), *arena.read(b)), (2, 1));

    set(&mut arena, flag, false);
    assert_eq!(*arena.read(a), 1);
    assert_eq!(*arena.read(b), 2);
    set(&mut arena, flag, true);
    assert_eq!(*arena.read(b), 1);
    assert_eq!(*arena.read(a), 2);
}

#[test]
fn case_y07_no_row_that_was_on_a_cycle_keeps_a_made_up_value() {
    let mut arena = Arena::new();
    let (closed, base) = (arena.source(true), arena.source(7));
    let rows = ring(&mut arena, ["d", "c", "b", "a"], closed, base);
    let outside = arena.derived(move |r| r.get(rows[1]) * 10);
    assert!(panic_of(|| *arena.read(outside)).starts_with("dependency cycle: b → c → d → a → b"));
    for row in rows {
        assert_eq!(arena.settled(row), None);
    }

    set(&mut arena, closed, false);

    assert_eq!(rows.map(|row| *arena.read(row)), [10, 9, 8, 7]);
    assert_eq!(*arena.read(outside), 90);
}

#[test]
fn case_y08_the_path_lists_the_cycle_alone_and_in_order() {
    let mut arena = Arena::new();
    let (closed, base) = (arena.source(true), arena.source(7));
    let rows = ring(&mut arena, ["c", "b", "a"], closed, base);
    let first = arena.cog().name("first").derived(move |r| *r.get(rows[0]));

    assert_eq!(
        panic_of(|| *arena.read(first)),
        "dependency cycle: a → b → c → a"
    );
    let Err(ReadError::Cycle(path)) = arena.try_read(first) else {
        panic!("the read meets a cycle");
    };
    assert!(path.to_string().contains("a → b → c → a"));
}

// A chain of turns that reactions cause is no cycle of rows. It is bounded all the same: the limit
// ends it with an error, and the next turn is a normal one.
#[test]
fn case_y12_reactions_that_write_for_ever_end_at_the_limit() {
    let mut arena = Arena::new();
    arena.set_turns_max(500);
    let (a, b, on) = (arena.source(0), arena.source(0), arena.source(false));
    let (log, _) = follow(&mut arena, move |r| *r.get(a));
    for (from, to) in [(a, b), (b, a)] {
        arena.react(move |r, later| {
            let next = r.get(from) + 1;
            if *r.get(on) {
                later.turn(move |w| w.set(to, next));
            }
        });
    }

    let runaway = arena.try_turn(|w| w.set(on, true));
    assert!(runaway.is_err());
    assert!(log.entries().len() <= 502, "the chain was bounded");
    set(&mut arena, on, false);
    let runs = log.entries().len();
    set(&mut arena, a, -1);

    assert_eq!(log.entries().len(), runs + 1);
    assert_eq!(log.entries().last(), Some(&-1));
}

#[test]
fn case_w08_rings_of_reactions_end_at_the_limit_directly_and_through_derived_values() {
    for (count, derived) in [(2, true), (3, false), (3, true), (7, true)] {
        let mut arena = Arena::new();
        arena.set_turns_max(300);
        let (on, beside) = (arena.source(false), arena.source(0));
        let sources: Vec<_> = (0..count).map(|_| arena.source(0)).collect();
        for at in 0..count {
            let (from, to) = (sources[at], sources[(at + 1) % count]);
            let next = arena.derived(move |r| r.get(from) + 1);
            arena.react(move |r, later| {
                let next = if derived {
                    *r.get(next)
                } else {
                    r.get(from) + 1
                };
                if *r.get(on) {
                    later.turn(move |w| w.set(to, next));
                }
            });
        }
        let (log, _) = follow(&mut arena, move |r| *r.get(beside));

        let runaway = arena.try_turn(|w| w.set(on, true));
        assert!(runaway.is_err(), "{count}, derived: {derived}");
        let revision = arena.counts().revision;
        assert!((300..=301).contains(&revision), "{revision} turns");

        assert!(arena.try_turn(|w| w.set(on, false)).is_ok());
        assert_eq!(arena.queued(), 0);
        set(&mut arena, beside, 1);
        assert_eq!(log.entries(), [0, 1], "and another reaction is well");
    }
}

#[test]
fn case_y13_a_cycle_within_a_family_is_named_with_its_keys() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let knot = Knot::<DerivedFamily<u32, u32>>::new();
    let own = knot.clone();
    let step = arena
        .cog()
        .name("step")
        .derived_family(space, move |r, key| {
            let next = (key + 1) % 3;
            r.get(own.handle().at(next)) + 1
        });
    knot.tie(step);

    let text = panic_of(|| *arena.read(step.at(1)));

    assert_eq!(
        text,
        "dependency cycle: step[1] → step[2] → step[0] → step[1]"
    );
}

// Holding a row of a cycle makes the turn meet it; the turn that opens the cycle again is normal.
#[test]
fn case_y02_a_turn_that_settles_a_cycle_raises_it_and_recovers() {
    let mut arena = Arena::new();
    let (closed, base) = (arena.source(false), arena.source(7));
    let [a, _] = ring(&mut arena, ["b", "a"], closed, base);
    let (log, _): (Log<i32>, _) = follow(&mut arena, move |r| *r.get(a));

    let text = panic_of(|| arena.turn(|w| w.set(closed, true)));
    assert!(text.starts_with("dependency cycle: "), "{text}");
    arena.turn(|w| {
        w.set(closed, false);
        w.set(base, 8);
    });

    assert_eq!(log.entries(), [8, 9]);
}
