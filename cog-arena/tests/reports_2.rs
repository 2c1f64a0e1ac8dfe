//! Field reports, rows 28 to 62: faults that users of other libraries met, played here with the
//! right outcome. The name of a test starts with its row.

mod cases_common {
    pub(crate) mod knot;
    pub(crate) mod log;
    pub(crate) mod panics;
    pub(crate) mod tally;
    pub(crate) mod turns;
}

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cases_common::knot::Knot;
use cases_common::log::{Log, follow};
use cases_common::panics::panic_of;
use cases_common::tally::Tally;
use cases_common::turns::set;
use cog_arena::{Arena, Derived, ReadError, Source};

#[test]
fn report_28_a_derived_value_that_stays_equal_wakes_nobody() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let a = arena.source(0);
    let zero = arena.derived(tally.count("zero", move |r| (*r.get(a)).min(0)));
    let (log, _) = follow(&mut arena, move |r| *r.get(zero));

    set(&mut arena, a, 1);
    set(&mut arena, a, 2);

    assert_eq!(log.entries(), [0]);
    assert_eq!(tally.of(["zero"]), [3]);
}

#[test]
fn report_29_a_reaction_may_have_removed_what_it_has_just_read() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let family = arena.member_family::<u32, i32>(space);
    arena.turn(|w| w.set(family.at(1), 10));
    let log = Log::default();
    let seen = log.clone();
    arena.react(move |r, later| {
        let value = r.lookup(family.at(1)).copied();
        seen.push(value);
        if value.is_some() {
            later.turn(move |w| {
                w.remove_key(space, &1);
            });
        }
    });
    arena.turn(|_| {});

    assert_eq!(log.entries(), [Some(10), None]);
    assert!(!arena.contains(space, &1));
    let dropped = catch_unwind(AssertUnwindSafe(|| drop(arena)));
    assert!(dropped.is_ok());
}

#[test]
fn report_31_a_reader_that_comes_with_the_first_key_sees_it_once() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let family = arena.member_family::<u32, i32>(space);
    let [early, late] = [(); 2].map(|()| Log::default());
    let (of_early, of_late) = (early.clone(), late.clone());
    arena.react(move |r, later| {
        let value = r.lookup(family.at(1)).copied();
        of_early.push(value);
        if value == Some(10) {
            let of_late = of_late.clone();
            later.react(move |r, _| of_late.push(r.lookup(family.at(1)).copied()));
        }
    });

    arena.turn(|w| w.set(family.at(1), 10));
    assert_eq!(early.entries(), [None, Some(10)]);
    assert_eq!(late.entries(), [Some(10)]);

    arena.turn(|w| w.set(family.at(1), 11));
    assert_eq!(late.entries(), [Some(10), Some(11)]);
}

#[test]
fn report_33_a_reaction_that_only_peeks_may_write_what_it_peeks() {
    let mut arena = Arena::new();
    let v = arena.cog().always_changes().source(0);
    let log = Log::default();
    let seen = log.clone();
    arena.react(move |r, later| {
        let value = *r.peek(v);
        seen.push(value);
        later.turn(move |w| w.set(v, value + 1));
    });
    arena.turn(|_| {});

    assert_eq!(log.entries(), [0]);
    assert_eq!(*arena.read(v), 1);
}

/// Something that lies in a source and has a source of its own.
#[derive(Clone, Copy, PartialEq)]
struct Item {
    answer: Source<&'static str>,
}

#[test]
fn report_36_a_source_inside_a_source_reaches_a_reader_two_levels_down() {
    let mut arena = Arena::new();
    let (one, two) = (arena.source("no"), arena.source("no"));
    let item = arena.source(Item { answer: one });
    let answer = arena.derived(move |r| *r.get(r.get(item).answer));
    let number = arena.derived(move |r| if *r.get(answer) == "yes" { 1 } else { 0 });
    let test = arena.derived(move |r| *r.get(number));
    let (log, _) = follow(&mut arena, move |r| *r.get(test));

    set(&mut arena, one, "yes");
    assert_eq!(log.entries(), [0, 1]);
    set(&mut arena, item, Item { answer: two });
    assert_eq!(log.entries(), [0, 1, 0]);
    set(&mut arena, two, "yes");
    assert_eq!(log.entries(), [0, 1, 0, 1]);
    set(&mut arena, one, "no");

    assert_eq!(log.entries(), [0, 1, 0, 1]);
    assert_eq!(arena.consumer_count(one), 0);
}

#[test]
fn report_37_a_derived_value_that_is_read_again_is_not_the_old_one() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let mirror = arena.derived(move |r| *r.get(s));
    let c = arena.derived(move |r| {
        if *r.get(s) > 0 {
            *r.get(s)
        } else {
            *r.get(mirror)
        }
    });
    let (log, _) = follow(&mut arena, move |r| *r.get(c));

    for value in [1, 0, -1] {
        set(&mut arena, s, value);
        assert_eq!(*arena.read(c), value);
    }

    assert_eq!(log.entries(), [0, 1, 0, -1]);
}

#[test]
fn report_39_a_write_between_the_read_and_the_end_of_the_run_is_not_lost() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let log = Log::default();
    let seen = log.clone();
    arena.react(move |r, later| {
        let value = *r.get(s);
        if value % 2 == 1 {
            later.turn(move |w| w.set(s, value + 1));
        }
        seen.push(*r.get(s));
    });

    set(&mut arena, s, 1);
    set(&mut arena, s, 3);

    assert_eq!(log.entries(), [0, 1, 2, 3, 4]);
}

// Reactions are no place for derived state: in either order the second run is the first that sees
// both, because what a reaction writes is a later turn.
#[test]
fn report_52_the_last_run_of_a_reaction_sees_what_another_one_wrote() {
    for writer_first in [true, false] {
        let mut arena = Arena::new();
        let (a, d) = (arena.source(1), arena.source(10));
        let write = move |r: &cog_arena::Reader<'_>, later: &mut cog_arena::Later<'_>| {
            let next = r.get(a) * 10;
            later.turn(move |w| w.set(d, next));
        };
        if writer_first {
            arena.react(write);
        }
        let (holds, _) = follow(&mut arena, move |r| *r.get(d) == r.get(a) * 10);
        if !writer_first {
            arena.react(write);
        }

        set(&mut arena, a, 2);

        assert_eq!(
            holds.entries(),
            [true, false, true],
            "writer first: {writer_first}"
        );
    }
}

#[test]
fn report_54_an_update_inside_a_reaction_subscribes_to_nothing() {
    let mut arena = Arena::new();
    let (a, b) = (arena.source(1), arena.source(0));
    let (log, _) = follow(&mut arena, move |r| *r.get(b));
    let runs = Tally::default();
    let count = runs.clone();
    arena.react(move |r, later| {
        count.hit("adder");
        let by = *r.get(a);
        later.turn(move |w| w.update(b, |b| *b += by));
    });

    set(&mut arena, a, 5);

    assert_eq!(log.entries(), [0, 1, 6]);
    assert_eq!(runs.of(["adder"]), [2]);
}

#[test]
fn report_54_a_reaction_that_adds_to_what_it_reads_ends_with_an_error() {
    let mut arena = Arena::new();
    arena.set_turns_max(300);
    let (a, b) = (arena.source(0), arena.source(0));
    arena.react(move |r, later| {
        let (by, value) = (*r.get(a), *r.get(b));
        later.turn(move |w| w.set(b, value + by));
    });

    let runaway = arena
        .try_turn(|w| w.set(a, 1))
        .expect_err("it never settles");

    assert!(runaway.to_string().contains("300"), "{runaway}");
}

#[test]
fn report_55_one_rule_says_what_a_read_right_after_a_write_gives() {
    let mut arena = Arena::new();
    let s = arena.source(1);
    let d = arena.derived(move |r| *r.get(s));
    let space = arena.key_space::<u32>();
    let sources = arena.source_family(space, |_| 1);
    let members = arena.member_family::<u32, i32>(space);
    let derived = arena.derived_family_from(space, sources.aligned(), |value: &i32| *value);
    arena.turn(|w| w.set(members.at(1), 1));

    arena.turn(|w| {
        w.set(s, 2);
        w.set(sources.at(1), 2);
        w.set(members.at(1), 2);
        let staged = [*w.get(s), *w.get(sources.at(1)), *w.get(members.at(1))];
        assert_eq!(staged, [2, 2, 2], "a writer sees what is staged");
        let committed = [
            *w.read(s),
            *w.read(sources.at(1)),
            *w.read(members.at(1)),
            *w.read(d),
            *w.read(derived.at(1)),
        ];
        assert_eq!(committed, [1; 5], "a read sees what is committed");
    });

    let log = Log::default();
    let seen = log.clone();
    arena.react(move |r, later| {
        later.turn(move |w| w.set(s, 3));
        seen.push((*r.get(s), *r.get(d)));
    });
    arena.turn(|_| {});
    assert_eq!(
        log.entries(),
        [(2, 2), (3, 3)],
        "a reaction's write is a later turn"
    );
}

#[test]
fn report_56_a_reaction_that_appends_to_a_history_runs_once_a_change() {
    let mut arena = Arena::new();
    let price = arena.source(10);
    let history = arena.source(Vec::<i32>::new());
    let runs = Tally::default();
    let count = runs.clone();
    arena.react(move |r, later| {
        count.hit("append");
        let price = *r.get(price);
        later.turn(move |w| w.update(history, |history| history.push(price)));
    });
    arena.turn(|_| {});
    assert_eq!(runs.of(["append"]), [1]);

    set(&mut arena, price, 11);

    assert_eq!(*arena.read(history), [10, 11]);
    assert_eq!(runs.of(["append"]), [2]);
}

#[test]
fn report_59_what_a_reaction_captured_is_dropped_when_it_ends() {
    let witness = Arc::new(());
    let mut arena = Arena::new();
    let s = arena.source(0);
    let captured = Arc::clone(&witness);
    let reaction = arena.react(move |r, _| {
        r.get(s);
        let _ = &captured;
    });
    assert_eq!(Arc::strong_count(&witness), 2);

    arena.end(reaction);
    assert_eq!(Arc::strong_count(&witness), 1);
}

#[test]
fn report_62_a_cycle_that_only_a_check_walks_is_an_error() {
    let mut arena = Arena::new();
    let (flag, sibling) = (arena.source(false), arena.source(0));
    let knot = Knot::<Derived<i32>>::new();
    let later = knot.clone();
    let gate = arena.derived(move |r| *r.get(flag) && *r.get(sibling) >= 0);
    let a = arena.cog().name("a").derived(move |r| {
        if *r.get(gate) {
            *r.get(later.handle())
        } else {
            0
        }
    });
    let middle = arena
        .cog()
        .name("middle")
        .derived(move |r| r.get(sibling) + r.get(a));
    let b = arena.cog().name("b").derived(move |r| *r.get(middle));
    knot.tie(b);
    assert_eq!((*arena.read(b), *arena.read(a)), (0, 0));

    arena.turn(|w| {
        w.set(flag, true);
        w.set(sibling, 1);
    });
    for row in [b, a] {
        assert!(matches!(arena.try_read(row), Err(ReadError::Cycle(_))));
    }
    set(&mut arena, sibling, 2);
    let text = panic_of(|| *arena.read(b));
    assert!(text.starts_with("dependency cycle: "), "{text}");

    set(&mut arena, flag, false);
    assert_eq!((*arena.read(b), *arena.read(a)), (2, 0));
}
