//! Catalogue A.13: reactions that end, register and write while a flush is going on. Each change is
//! seen once by whoever is alive, and by nobody else.

mod cases_common {
    pub(crate) mod knot;
    pub(crate) mod log;
    pub(crate) mod tally;
    pub(crate) mod turns;
}

use cases_common::knot::Knot;
use cases_common::log::{Log, follow};
use cases_common::tally::Tally;
use cases_common::turns::set;
use cog_arena::{Arena, Later, Reaction, Reader, Source};

/// Registers a reaction that ends those in `knots` as soon as `s` is no longer 0, and logs its
/// runs.
fn ender(arena: &mut Arena, s: Source<i32>, knots: Vec<Knot<Reaction>>) -> (Log<i32>, Reaction) {
    let log = Log::default();
    let seen = log.clone();
    let reaction = arena.react(move |r, later| {
        let value = *r.get(s);
        seen.push(value);
        if value != 0 {
            for knot in &knots {
                later.end(knot.handle());
            }
        }
    });
    (log, reaction)
}

#[test]
fn case_r01_a_reaction_that_is_ended_while_it_waits_does_not_run() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let victim = Knot::new();
    let (first, _) = ender(&mut arena, s, vec![victim.clone()]);
    let (second, reaction) = follow(&mut arena, move |r| *r.get(s));
    victim.tie(reaction);

    set(&mut arena, s, 1);

    assert_eq!(first.entries(), [0, 1]);
    assert_eq!(second.entries(), [0]);
    assert!(!arena.end(reaction), "it has ended already");
    assert_eq!(arena.consumer_count(s), 1);
}

#[test]
fn case_r02_a_reaction_registered_in_a_flush_runs_once_for_it() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let log = Log::default();
    let seen = log.clone();
    arena.react(move |r, later| {
        if *r.get(s) == 1 {
            let seen = seen.clone();
            later.react(move |r, _| seen.push(*r.get(s)));
        }
    });

    set(&mut arena, s, 1);
    assert_eq!(log.entries(), [1]);
    set(&mut arena, s, 2);

    assert_eq!(log.entries(), [1, 2]);
}

#[test]
fn case_r03_a_reaction_may_end_itself_and_the_next_without_losing_the_one_after() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let (own, next) = (Knot::new(), Knot::new());
    let (a, a_reaction) = ender(&mut arena, s, vec![own.clone(), next.clone()]);
    let (b, b_reaction) = follow(&mut arena, move |r| *r.get(s));
    let (c, _) = follow(&mut arena, move |r| *r.get(s));
    own.tie(a_reaction);
    next.tie(b_reaction);

    set(&mut arena, s, 1);
    set(&mut arena, s, 2);

    assert_eq!(a.entries(), [0, 1]);
    assert_eq!(b.entries(), [0]);
    assert_eq!(c.entries(), [0, 1, 2]);
    assert_eq!(arena.consumer_count(s), 1);
}

#[test]
fn case_r04_a_reaction_that_already_ran_runs_again_for_a_later_write() {
    let mut arena = Arena::new();
    let (s, s2) = (arena.source(0), arena.source(0));
    let (b, _) = follow(&mut arena, move |r| (*r.get(s), *r.get(s2)));
    arena.react(move |r, later| {
        let value = *r.get(s);
        later.turn(move |w| w.set(s2, value * 10));
    });

    set(&mut arena, s, 1);

    assert_eq!(b.entries(), [(0, 0), (1, 0), (1, 10)]);
}

#[test]
fn case_r15_a_reaction_in_the_middle_may_end_the_one_that_registered_it() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let outer_knot = Knot::new();
    let [outer_log, middle_log, inner_log] = [(); 3].map(|()| Log::default());
    let logs = (outer_log.clone(), middle_log.clone(), inner_log.clone());
    let registered = Tally::default();
    let end = outer_knot.clone();
    let outer = arena.react(move |r, later| {
        logs.0.push(*r.get(s));
        if registered.of(["middle"]) == [1] {
            return;
        }
        registered.hit("middle");
        let (middle_log, inner_log, end) = (logs.1.clone(), logs.2.clone(), end.clone());
        later.react(move |r, later| {
            let value = *r.get(s);
            middle_log.push(value);
            if value == 0 {
                let inner_log = inner_log.clone();
                later.react(move |r, _| inner_log.push(*r.get(s)));
            } else {
                later.end(end.handle());
            }
        });
    });
    outer_knot.tie(outer);

    set(&mut arena, s, 1);
    set(&mut arena, s, 2);

    assert_eq!(
        outer_log.entries(),
        [0, 1],
        "it ran before the middle one ended it"
    );
    assert_eq!(middle_log.entries(), [0, 1, 2]);
    assert_eq!(inner_log.entries(), [0, 1, 2]);
}

#[test]
fn case_r17_a_row_that_changes_its_reactions_in_one_flush_does_not_run_again() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let d = arena.derived(tally.count("d", move |r| *r.get(s)));
    let victim = Knot::<Reaction>::new();
    let new = Log::default();
    let (end, seen) = (victim.clone(), new.clone());
    arena.react(move |r, later| {
        if *r.get(s) == 1 {
            later.end(end.handle());
            let seen = seen.clone();
            later.react(move |r, _| seen.push(*r.get(d)));
        }
    });
    let (old, reaction) = follow(&mut arena, move |r| *r.get(d));
    victim.tie(reaction);

    set(&mut arena, s, 1);
    assert_eq!((old.entries(), new.entries()), (vec![0], vec![1]));
    assert_eq!(arena.consumer_count(d), 1);
    assert_eq!(tally.of(["d"]), [2]);

    set(&mut arena, s, 2);
    assert_eq!((old.entries(), new.entries()), (vec![0], vec![1, 2]));
    assert_eq!(tally.of(["d"]), [3]);
}

#[test]
fn case_r17_a_reaction_that_replaces_another_in_a_flush_runs_at_its_tail() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let victim = Knot::<Reaction>::new();
    let log = Log::default();
    let (end, first, last) = (victim.clone(), log.clone(), log.clone());
    arena.react(move |r, later| {
        first.push(("first", *r.get(s)));
        if *r.get(s) == 1 {
            later.end(end.handle());
            let new = first.clone();
            later.react(move |r, _| new.push(("new", *r.get(s))));
        }
    });
    victim.tie(follow(&mut arena, move |r| *r.get(s)).1);
    arena.react(move |r, _| last.push(("last", *r.get(s))));

    set(&mut arena, s, 1);
    assert_eq!(log.entries()[2..], [("first", 1), ("last", 1), ("new", 1)]);
    set(&mut arena, s, 2);

    assert_eq!(log.entries()[5..], [("first", 2), ("last", 2), ("new", 2)]);
}

#[test]
fn case_r17_a_reaction_that_is_ended_before_its_first_run_never_runs() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let log = Log::default();
    let seen = log.clone();
    arena.react(move |r, later| {
        if *r.get(s) == 1 {
            let seen = seen.clone();
            let reaction = later.react(move |r, _| seen.push(*r.get(s)));
            later.end(reaction);
        }
    });

    set(&mut arena, s, 1);
    set(&mut arena, s, 2);

    assert_eq!(log.entries(), []);
    assert_eq!(arena.consumer_count(s), 1);
}

/// A reaction of any shape. Boxed, because the functions below return what registers more of its
/// own kind.
type Boxed = Box<dyn FnMut(&Reader<'_>, &mut Later<'_>) + Send + Sync>;

/// A reaction that, on its second run, registers its successor and ends itself.
fn relay(s: Source<i32>, log: Log<(u32, i32)>, generation: u32, own: Knot<Reaction>) -> Boxed {
    let mut first = true;
    Box::new(move |r, later| {
        log.push((generation, *r.get(s)));
        if std::mem::take(&mut first) {
            return;
        }
        let next = Knot::new();
        next.tie(later.react(relay(s, log.clone(), generation + 1, next.clone())));
        later.end(own.handle());
    })
}

#[test]
fn case_r18_a_reaction_may_hand_over_to_its_successor() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let (log, own) = (Log::default(), Knot::new());
    own.tie(arena.react(relay(s, log.clone(), 0, own.clone())));

    for value in 1..4 {
        set(&mut arena, s, value);
        assert_eq!(arena.consumer_count(s), 1, "exactly one is alive");
    }

    let expected = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 3), (3, 3)];
    assert_eq!(log.entries(), expected);
}
