//! Catalogue A.4, D11 to D19: what the edges are after reads were dropped, repeated, re-ordered or
//! reversed.

mod cases_common {
    pub(crate) mod knot;
    pub(crate) mod log;
    pub(crate) mod tally;
    pub(crate) mod turns;
}

use cases_common::knot::Knot;
use cases_common::log::follow;
use cases_common::tally::Tally;
use cases_common::turns::set;
use cog_arena::{Arena, Derived};

#[test]
fn case_d11_a_dropped_dependency_stays_with_its_other_reader() {
    let mut arena = Arena::new();
    let (t, s) = (arena.source(true), arena.source(1));
    let p = arena.derived(move |r| if *r.get(t) { *r.get(s) } else { 111 });
    let pp = arena.derived(move |r| *r.get(s));
    let (log, _) = follow(&mut arena, move |r| *r.get(p));
    assert_eq!(*arena.read(pp), 1);

    set(&mut arena, t, false);
    set(&mut arena, s, 2);

    assert_eq!((*arena.read(p), *arena.read(pp)), (111, 2));
    assert_eq!(log.entries(), [1, 111]);
}

#[test]
fn case_d12_an_unstable_reader_runs_only_the_branch_that_it_takes() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let head = arena.source(0);
    let double = arena.derived(tally.count("double", move |r| r.get(head) * 2));
    let inverse = arena.derived(tally.count("inverse", move |r| -r.get(head)));
    let unstable = arena.derived(tally.count("unstable", move |r| {
        (0..20)
            .map(|_| {
                if r.get(head) % 2 == 1 {
                    *r.get(double)
                } else {
                    *r.get(inverse)
                }
            })
            .sum::<i32>()
    }));
    let (log, _) = follow(&mut arena, move |r| *r.get(unstable));

    for (value, of_double, of_inverse) in [(1, 1, 0), (2, 0, 1)] {
        set(&mut arena, head, value);
        assert_eq!(
            arena.consumer_count(double),
            of_double,
            "one edge beside the one to the head"
        );
        assert_eq!(
            arena.consumer_count(inverse),
            of_inverse,
            "one edge beside the one to the head"
        );
    }

    assert_eq!(log.entries(), [0, 40, -40]);
    assert_eq!(tally.of(["double", "inverse", "unstable"]), [1, 2, 3]);
}

#[test]
fn case_d13_reads_in_another_order_lose_and_double_no_edge() {
    let mut arena = Arena::new();
    let (x, y, z) = (arena.source(0), arena.source(0), arena.source(0));
    let i = arena.derived(move |r| r.get(y) + r.get(x) + if *r.get(x) > 0 { *r.get(z) } else { 0 });
    let j = arena.derived(move |r| {
        if *r.peek(x) < 5 {
            r.get(y) + r.get(x)
        } else {
            r.get(z) + r.get(x) + r.get(y)
        }
    });
    let (log, _) = follow(&mut arena, move |r| (*r.get(i), *r.get(j)));

    for (value, z_readers) in [(0, 0), (1, 1), (5, 2), (1, 1), (0, 0)] {
        set(&mut arena, x, value);
        assert_eq!((*arena.read(i), *arena.read(j)), (value, value));
        let readers = [x, y, z].map(|s| arena.consumer_count(s));
        assert_eq!(readers, [2, 2, z_readers], "x is {value}");
    }
    assert_eq!(log.entries(), [(0, 0), (1, 1), (5, 5), (1, 1), (0, 0)]);
}

#[test]
fn case_d14_a_swap_of_the_first_and_the_last_dependency_keeps_both() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let way = arena.source(0);
    let sources = [1, 2, 3].map(|value| arena.source(value));
    let reader = arena.derived(tally.count("reader", move |r| {
        let order: &[usize] = [&[0, 1, 2][..], &[2, 1, 0], &[1]][*r.get(way)];
        order.iter().map(|at| *r.get(sources[*at])).sum::<i32>()
    }));
    let (_, _) = follow(&mut arena, move |r| *r.get(reader));

    for (next, readers) in [(0, [1, 1, 1]), (1, [1, 1, 1]), (2, [0, 1, 0])] {
        set(&mut arena, way, next);
        assert_eq!(sources.map(|s| arena.consumer_count(s)), readers);
    }
    assert_eq!(tally.of(["reader"]), [3]);

    set(&mut arena, sources[0], 10);
    set(&mut arena, sources[2], 30);
    assert_eq!(tally.of(["reader"]), [3]);
    set(&mut arena, sources[1], 20);
    assert_eq!((*arena.read(reader), tally.of(["reader"])), (20, [4]));
}

#[test]
fn case_d15_a_peek_between_two_reads_of_one_cog_leaves_one_edge() {
    let mut arena = Arena::new();
    let (a, b) = (arena.source(1), arena.source(10));
    let d = arena.derived(move |r| r.get(a) + r.peek(b) + r.get(a));

    assert_eq!(*arena.read(d), 12);

    assert_eq!((arena.consumer_count(a), arena.consumer_count(b)), (1, 0));
}

#[test]
fn case_d16_two_handles_of_one_row_make_one_edge() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let family = arena.source_family(space, |key| *key);
    let slot = arena.turn(|w| w.insert_key(space, 7));
    let (log, _) = follow(&mut arena, move |r| {
        r.get(family.at(7)) + r.get(family.at(7)) + r.get(family.at_slot(slot))
    });

    assert_eq!(arena.consumer_count(family.at(7)), 1);
    arena.turn(|w| w.set(family.at_slot(slot), 1));

    assert_eq!(log.entries(), [21, 3]);
}

/// A chain of `length` derived rows over `first`, each one more than the one below.
fn chain(arena: &mut Arena, first: Derived<i32>, length: usize) -> Derived<i32> {
    let mut last = first;
    for _ in 0..length {
        let below = last;
        last = arena.derived(move |r| r.get(below) + 1);
    }
    last
}

#[test]
fn case_d17_a_deep_chain_that_is_attached_late_is_up_to_date_first() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let (flag, s) = (arena.source(false), arena.source(0));
    let first = arena.derived(move |r| *r.get(s));
    let deep = chain(&mut arena, first, 1_000);
    let join = arena.derived(tally.count("join", move |r| {
        if *r.get(flag) {
            r.get(s) + r.get(deep)
        } else {
            *r.get(s)
        }
    }));
    let (log, _) = follow(&mut arena, move |r| *r.get(join));

    set(&mut arena, flag, true);
    assert_eq!(tally.of(["join"]), [2]);
    set(&mut arena, s, 1);
    assert_eq!(tally.of(["join"]), [3]);

    arena.turn(|w| {
        w.set(flag, false);
        w.set(s, 2);
    });
    arena.turn(|w| {
        w.set(flag, true);
        w.set(s, 3);
    });
    assert_eq!(log.entries(), [0, 1_000, 1_002, 2, 1_006]);
    assert_eq!(tally.of(["join"]), [5]);
}

#[test]
fn case_d18_two_rows_may_swap_who_reads_whom() {
    let mut arena = Arena::new();
    let (v, x) = (arena.source(1), arena.source(10));
    let b_later = Knot::<Derived<i32>>::new();
    let a = arena.derived({
        let b = b_later.clone();
        move |r| {
            if *r.get(v) == 1 {
                *r.get(x)
            } else {
                r.get(b.handle()) + 1
            }
        }
    });
    let b = arena.derived(move |r| {
        if *r.get(v) == 1 {
            r.get(a) + 10
        } else {
            *r.get(x)
        }
    });
    b_later.tie(b);
    let sum = arena.derived(move |r| r.get(a) + r.get(b));
    let (log, _) = follow(&mut arena, move |r| *r.get(sum));
    assert_eq!(*arena.read(sum), 30);

    set(&mut arena, v, 2);
    assert_eq!(*arena.read(sum), 21);
    set(&mut arena, x, 20);
    assert_eq!(*arena.read(sum), 41);
    set(&mut arena, x, 10);
    assert_eq!(*arena.read(sum), 21);
    set(&mut arena, v, 1);
    assert_eq!(*arena.read(sum), 30);
    for writes in [[v, x], [x, v]] {
        arena.turn(|w| {
            for s in writes {
                w.set(s, if s == v { 2 } else { 20 });
            }
        });
        assert_eq!(*arena.read(sum), 41);
        arena.turn(|w| {
            for s in writes {
                w.set(s, if s == v { 1 } else { 10 });
            }
        });
        assert_eq!(*arena.read(sum), 30);
    }

    assert_eq!(log.entries(), [30, 21, 41, 21, 30, 41, 30, 41, 30]);
}

#[test]
fn case_d19_a_row_may_be_replaced_by_one_that_is_built_on_it() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let (flag, s) = (arena.source(false), arena.source(1));
    let low = arena.derived(tally.count("low", move |r| *r.get(s)));
    let high = arena.derived(move |r| r.get(low) + 2);
    let selected = arena.derived(move |r| {
        if *r.get(flag) {
            *r.get(high)
        } else {
            *r.get(low)
        }
    });
    let (log, _) = follow(&mut arena, move |r| *r.get(selected));

    for next in [true, false, true] {
        set(&mut arena, flag, next);
    }

    assert_eq!(log.entries(), [1, 3, 1, 3]);
    assert_eq!(tally.of(["low"]), [1]);
}
