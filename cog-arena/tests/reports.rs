//! Field reports, rows 1 to 21: faults that users of other libraries met, played here with the
//! right outcome. The name of a test starts with its row.

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
use cog_arena::{Arena, Reaction, Source};

/// Where a program is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Route {
    Home,
    User(u32),
}

// The parent is registered first. A child that was registered before its parent would still run
// first: for that order there are gated scopes.
#[test]
fn report_01_a_child_that_its_parent_ends_does_not_run_on_what_is_gone() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let route = arena.source(Route::Home);
    let id = arena.derived(tally.count("id", move |r| match *r.get(route) {
        Route::User(id) => id,
        Route::Home => panic!("there is no user at home"),
    }));
    let log = Log::default();
    let seen = log.clone();
    let mut child: Option<Reaction> = None;
    arena.react(move |r, later| match (*r.get(route), child) {
        (Route::User(_), None) => {
            let seen = seen.clone();
            child = Some(later.react(move |r, _| seen.push(*r.get(id))));
        }
        (Route::Home, Some(reaction)) => {
            later.end(reaction);
            child = None;
        }
        _ => {}
    });

    set(&mut arena, route, Route::User(7));
    set(&mut arena, route, Route::Home);

    assert_eq!(log.entries(), [7]);
    assert_eq!(tally.of(["id"]), [1]);
    assert_eq!(arena.consumer_count(id), 0);
}

#[test]
fn report_02_a_reset_through_a_derived_keeps_working() {
    for depth in [1, 2] {
        let mut arena = Arena::new();
        let s = arena.source(0);
        let mut c = arena.derived(move |r| *r.get(s));
        for _ in 1..depth {
            let below = c;
            c = arena.derived(move |r| *r.get(below));
        }
        let log = Log::default();
        let seen = log.clone();
        arena.react(move |r, later| {
            seen.push(*r.get(c));
            if *r.get(c) > 0 {
                later.turn(move |w| w.set(s, 0));
            }
        });

        for value in [1, 2, 3] {
            set(&mut arena, s, value);
            assert_eq!(
                (*arena.read(s), *arena.read(c)),
                (0, 0),
                "{depth} derived values"
            );
        }

        assert_eq!(
            log.entries(),
            [0, 1, 0, 2, 0, 3, 0],
            "{depth} derived values"
        );
    }
}

// There is no write guard: what is to be written is computed before it is staged.
#[test]
fn report_03_a_value_may_be_computed_from_a_derived_of_its_own_source() {
    let mut arena = Arena::new();
    let flags = arena.source(vec![false, true]);
    let any = arena.derived(move |r| r.get(flags).contains(&true));
    let (log, _) = follow(&mut arena, move |r| r.get(flags).clone());

    for _ in 0..2 {
        arena.turn(|w| {
            let next = !*w.read(any);
            w.update(flags, |flags| flags.fill(next));
        });
    }

    assert_eq!(
        log.entries(),
        [vec![false, true], vec![false, false], vec![true, true]]
    );
    assert!(*arena.read(any));
}

#[test]
fn report_04_a_reaction_may_end_any_of_its_neighbours_while_they_are_checked() {
    for ends in [&[0][..], &[2], &[0, 2], &[0, 1, 2], &[1]] {
        let mut arena = Arena::new();
        let s = arena.source(1);
        let c = arena.derived(move |r| *r.get(s));
        let knots: [Knot<Reaction>; 3] = [Knot::new(), Knot::new(), Knot::new()];
        let victims: Vec<_> = ends.iter().map(|at| knots[*at].clone()).collect();
        let (first, first_reaction) = follow(&mut arena, move |r| *r.get(c));
        let middle = Log::default();
        let seen = middle.clone();
        let middle_reaction = arena.react(move |r, later| {
            seen.push(*r.get(c));
            if *r.get(c) == 2 {
                for victim in &victims {
                    later.end(victim.handle());
                }
            }
        });
        let (last, last_reaction) = follow(&mut arena, move |r| *r.get(c));
        for (knot, reaction) in knots
            .iter()
            .zip([first_reaction, middle_reaction, last_reaction])
        {
            knot.tie(reaction);
        }

        set(&mut arena, s, 2);
        assert_eq!(arena.consumer_count(c), 3 - ends.len(), "ending {ends:?}");
        set(&mut arena, s, 3);

        let alive = |at: usize| !ends.contains(&at);
        assert_eq!(
            first.entries(),
            if alive(0) { vec![1, 2, 3] } else { vec![1, 2] },
            "ending {ends:?}"
        );
        assert_eq!(
            middle.entries(),
            if alive(1) { vec![1, 2, 3] } else { vec![1, 2] },
            "ending {ends:?}"
        );
        assert_eq!(
            last.entries(),
            if alive(2) { vec![1, 2, 3] } else { vec![1] },
            "ending {ends:?}"
        );
    }
}

#[test]
fn report_10_a_reaction_that_writes_one_input_still_follows_the_other() {
    let mut arena = Arena::new();
    let (a, b) = (arena.source(3), arena.source(4));
    let sum = arena.derived(move |r| r.get(a) + r.get(b));
    let log = Log::default();
    let seen = log.clone();
    arena.react(move |r, later| {
        seen.push(*r.get(sum));
        later.turn(move |w| w.set(b, 5));
    });
    arena.turn(|_| {});

    set(&mut arena, a, 6);

    assert_eq!(log.entries(), [7, 8, 11]);
}

#[test]
fn report_11_two_borrows_of_one_value_and_of_what_it_is_made_of_live_together() {
    let mut arena = Arena::new();
    let s = arena.source(42);
    let one = arena.derived(move |r| vec![*r.get(s)]);
    let two = arena.derived(move |r| {
        let below = r.get(one);
        let again = r.get(one);
        assert!(std::ptr::eq(below, again));
        below[0] + again[0]
    });
    let (log, _) = follow(&mut arena, move |r| {
        let held = r.get(one);
        let sum = r.get(two);
        (held[0], r.get(one)[0], *sum)
    });

    set(&mut arena, s, 21);

    assert_eq!(log.entries(), [(42, 42, 84), (21, 21, 42)]);
}

#[test]
fn report_12_a_reaction_may_read_the_stale_value_that_woke_it() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let d = arena.derived(tally.count("d", move |r| *r.get(s)));
    let (log, _) = follow(&mut arena, move |r| (*r.get(s), *r.get(d)));

    set(&mut arena, s, 2);

    assert_eq!(log.entries(), [(1, 1), (2, 2)]);
    assert_eq!(*arena.read(d), 2);
    assert_eq!((log.entries().len(), tally.of(["d"])), (2, [2]));
}

#[test]
fn report_14_two_parts_of_one_value_change_together() {
    let mut arena = Arena::new();
    let object = arena.source((0, 0));
    let b = arena.derived(move |r| r.get(object).0);
    let c = arena.derived(move |r| r.get(object).1);
    let (log, _) = follow(&mut arena, move |r| (*r.get(b), *r.get(c)));

    set(&mut arena, object, (1, 2));

    assert_eq!(log.entries(), [(0, 0), (1, 2)]);
}

#[test]
fn report_16_two_reactions_that_push_to_one_list_do_not_wake_each_other() {
    let mut arena = Arena::new();
    let list = arena.source(Vec::<i32>::new());
    let runs = Tally::default();
    for (name, value) in [("one", 1), ("two", 2)] {
        let runs = runs.clone();
        arena.react(move |_, later| {
            runs.hit(name);
            later.turn(move |w| w.update(list, |list| list.push(value)));
        });
    }
    arena.turn(|_| {});

    assert_eq!(*arena.read(list), [1, 2]);
    assert_eq!(runs.of(["one", "two"]), [1, 1]);
}

#[test]
fn report_17_a_turn_that_panicked_does_not_stop_the_next() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let (log, _) = follow(&mut arena, move |r| *r.get(s));

    panic_of(|| {
        arena.turn(|w| {
            w.turn(|w| w.set(s, 1));
            panic!("in the body");
        });
    });
    set(&mut arena, s, 2);

    assert_eq!(log.entries(), [0, 2]);
}

#[test]
fn report_17_a_panic_in_a_function_does_not_stop_the_next_turn() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let (log, _) = follow(&mut arena, move |r| *r.get(s));
    let fragile = arena.derived(move |r| {
        assert!(*r.get(s) != 1, "in a derived value");
        *r.get(s)
    });
    let hold = arena.hold(fragile);
    arena.react(move |r, _| {
        assert!(*r.get(s) != 2, "in a reaction");
    });

    for (value, text) in [(1, "in a derived value"), (2, "in a reaction")] {
        assert_eq!(panic_of(|| arena.turn(|w| w.set(s, value))), text);
        assert_eq!(log.entries().last(), Some(&value), "the others ran");
    }
    set(&mut arena, s, 3);

    assert_eq!(log.entries(), [0, 1, 2, 3]);
    assert_eq!(*arena.read(fragile), 3);
    arena.let_go(hold);
}

#[test]
fn report_18_a_turn_that_nets_out_is_the_same_for_every_kind_of_reader() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let space = arena.key_space::<u32>();
    let source_family = arena.source_family(space, |_| 1);
    let aligned = arena.derived_family_from(space, source_family.aligned(), |value: &i32| *value);
    let family = arena.derived_family(space, move |r, _| *r.get(s));
    let d = arena.derived(tally.count("d", move |r| *r.get(s)));
    let logs = [
        follow(&mut arena, move |r| *r.get(s)).0,
        follow(&mut arena, move |r| *r.get(d)).0,
        follow(&mut arena, move |r| *r.get(family.at(1))).0,
        follow(&mut arena, move |r| *r.get(source_family.at(1))).0,
        follow(&mut arena, move |r| *r.get(aligned.at(1))).0,
    ];

    for _ in 0..3 {
        arena.turn(|w| {
            for value in [2, 1] {
                w.set(s, value);
                w.set(source_family.at(1), value);
            }
        });
    }

    for log in logs {
        assert_eq!(log.entries(), [1]);
    }
    assert_eq!(tally.of(["d"]), [1]);
}

// Inside a turn a derived value is the committed one (P5); right after it, it is the new one.
#[test]
fn report_19_a_derived_value_is_current_right_after_the_write() {
    let mut arena = Arena::new();
    let s = arena.source(1);
    let d = arena.derived(move |r| *r.get(s));
    assert_eq!(*arena.read(d), 1);

    arena.turn(|w| {
        w.update(s, |value| *value += 1);
        assert_eq!(*w.read(d), 1);
    });
    assert_eq!(*arena.read(d), 2);

    let inside = arena.turn(|w| *w.read(d));
    assert_eq!(inside, 2);
}

#[test]
fn report_20_a_read_inside_the_turn_does_not_part_two_arms() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let arms = [2, 3].map(|k| arena.derived(move |r| r.get(s) * k));
    let (log, _) = follow(&mut arena, move |r| arms.map(|arm| *r.get(arm)));

    for value in [1, 2] {
        arena.turn(|w| {
            w.set(s, value);
            w.read(arms[0]);
        });
    }

    assert_eq!(log.entries(), [[0, 0], [2, 3], [4, 6]]);
}

/// Registers a parent that keeps a child alive while `shown`. The child hides itself when `n` is 0,
/// and reads on.
fn parent_with_child(arena: &mut Arena, shown: Source<bool>, n: Source<i32>, log: Log<i32>) {
    let mut child: Option<Reaction> = None;
    arena.react(move |r, later| match (*r.get(shown), child.take()) {
        (true, None) => {
            let log = log.clone();
            child = Some(later.react(move |r, later| {
                if *r.get(n) == 0 {
                    later.turn(move |w| w.set(shown, false));
                }
                log.push(*r.get(n));
            }));
        }
        (false, Some(reaction)) => {
            later.end(reaction);
        }
        (_, kept) => child = kept,
    });
}

#[test]
fn report_21_a_reaction_may_write_what_makes_its_parent_end_it() {
    let mut arena = Arena::new();
    let (shown, n) = (arena.source(true), arena.source(2));
    let log = Log::default();
    parent_with_child(&mut arena, shown, n, log.clone());
    arena.turn(|_| {});
    assert_eq!(log.entries(), [2]);

    set(&mut arena, n, 0);
    assert_eq!(log.entries(), [2, 0], "the child finished its run");
    assert!(!*arena.read(shown));
    assert_eq!(arena.consumer_count(n), 0);
    set(&mut arena, n, 5);

    assert_eq!(log.entries(), [2, 0]);
}
