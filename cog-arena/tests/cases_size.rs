//! Catalogue A.14, deep: chains of up to a million rows on a stack of 2 MB, cold and warm, changed,
//! unchanged and dropped.

mod cases_common {
    pub(crate) mod log;
    pub(crate) mod stack;
    pub(crate) mod tally;
    pub(crate) mod turns;
}

use cases_common::log::{Log, follow};
use cases_common::stack::on_a_small_stack;
use cases_common::tally::Tally;
use cases_common::turns::set;
use cog_arena::{Arena, Derived, Later, Reader, Source};

/// A chain of `length` derived rows over `s`, each one more than the one below; all of them, first
/// to last.
fn chain(arena: &mut Arena, s: Source<u64>, length: usize) -> Vec<Derived<u64>> {
    let mut rows: Vec<Derived<u64>> = Vec::with_capacity(length);
    for _ in 0..length {
        let below = rows.last().copied();
        rows.push(arena.derived(move |r| 1 + below.map_or_else(|| *r.get(s), |cog| *r.get(cog))));
    }
    rows
}

/// Pulls a chain cold, after a write, and with a reaction; then drops the arena.
fn deep(length: usize) {
    on_a_small_stack(move || {
        let mut arena = Arena::new();
        let s = arena.source(0_u64);
        let last = *chain(&mut arena, s, length)
            .last()
            .expect("the chain has rows");
        let length = u64::try_from(length).expect("a length fits");
        assert_eq!(*arena.read(last), length);

        set(&mut arena, s, 1);
        assert_eq!(*arena.read(last), length + 1);

        let (log, _) = follow(&mut arena, move |r| *r.get(last));
        set(&mut arena, s, 2);
        assert_eq!(log.entries(), [length + 1, length + 2]);
        drop(arena);
    });
}

#[test]
fn case_g01_a_chain_of_ten_thousand_is_pulled_on_a_small_stack() {
    deep(10_000);
}

#[test]
fn case_g02_a_chain_of_a_hundred_thousand_is_pulled_and_dropped_on_a_small_stack() {
    deep(100_000);
}

// The default limit on depth is a million, and a cold chain of a million would nest as deep. Read
// from below while it is built, it never nests; warm, it is checked without nesting.
#[test]
fn case_g02_a_warm_chain_of_a_million_is_settled_on_a_small_stack() {
    on_a_small_stack(|| {
        let mut arena = Arena::new();
        let s = arena.source(0_u64);
        let mut last = arena.derived(move |r| *r.get(s));
        for _ in 0..1_000_000 {
            let below = last;
            last = arena.derived(move |r| r.get(below) + 1);
            arena.read(last);
        }

        arena.turn(|w| w.set(s, 1));

        assert_eq!(*arena.read(last), 1_000_001);
    });
}

#[test]
fn case_g03_a_gate_at_the_bottom_keeps_a_hundred_thousand_levels_from_running() {
    on_a_small_stack(|| {
        let (mut arena, tally) = (Arena::new(), Tally::default());
        let s = arena.source(1_i64);
        let gate = arena.derived(tally.count("gate", move |r| *r.get(s) > 0));
        let mut last = arena.derived(tally.count("level", move |r| u64::from(*r.get(gate))));
        for _ in 1..100_000 {
            let below = last;
            last = arena.derived(tally.count("level", move |r| r.get(below) + 1));
        }
        let (log, _) = follow(&mut arena, move |r| *r.get(last));

        for value in 2..5 {
            set(&mut arena, s, value);
            assert!(
                arena.counts().reached <= 100_002,
                "each row is reached at most once"
            );
        }

        assert_eq!(*arena.read(last), 100_000);
        assert_eq!(log.entries(), [100_000]);
        assert_eq!(tally.of(["gate", "level"]), [4, 100_000]);
    });
}

#[test]
fn case_g07_a_ladder_of_sixty_levels_runs_each_level_once() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1_u64);
    let mut older = arena.derived(tally.count("level", move |r| *r.get(s)));
    let mut newer = {
        let first = older;
        arena.derived(tally.count("level", move |r| r.get(first) + r.get(s)))
    };
    for _ in 2..60 {
        let (one, two) = (newer, older);
        (older, newer) = (
            newer,
            arena.derived(tally.count("level", move |r| r.get(one) + r.get(two))),
        );
    }
    let top = *arena.read(newer);
    assert_eq!(tally.of(["level"]), [60]);

    set(&mut arena, s, 2);

    assert_eq!(*arena.read(newer), 2 * top);
    assert_eq!(tally.of(["level"]), [120]);
}

/// A reaction of any shape. Boxed, because the function below returns what registers more of its
/// own kind.
type Boxed = Box<dyn FnMut(&Reader<'_>, &mut Later<'_>) + Send + Sync>;

/// A reaction that logs its level, and registers the next level on its first run.
fn level(s: Source<i32>, at: usize, end: usize, log: Log<usize>) -> Boxed {
    let mut first = true;
    Box::new(move |r, later| {
        r.get(s);
        log.push(at);
        if std::mem::take(&mut first) && at + 1 < end {
            later.react(level(s, at + 1, end, log.clone()));
        }
    })
}

#[test]
fn case_g08_reactions_that_register_reactions_ten_thousand_deep_use_no_stack() {
    on_a_small_stack(|| {
        let mut arena = Arena::new();
        let s = arena.source(0);
        let log = Log::default();
        arena.react(level(s, 0, 10_000, log.clone()));
        assert_eq!(log.entries(), (0..10_000).collect::<Vec<_>>());

        set(&mut arena, s, 1);

        assert_eq!(log.entries()[10_000..], (0..10_000).collect::<Vec<_>>());
        drop(arena);
    });
}

#[test]
fn case_g11_an_edge_that_lifts_ten_thousand_rows_keeps_them_right() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let (s, lifted) = (arena.source(1_u64), arena.source(false));
    let deep = *chain(&mut arena, s, 1_000)
        .last()
        .expect("the chain has rows");
    let hinge = arena.derived(tally.count("hinge", move |r| {
        if *r.get(lifted) {
            *r.get(deep)
        } else {
            *r.get(s)
        }
    }));
    let rows: Vec<_> = (0..10_000_u64)
        .map(|i| arena.derived(tally.count("row", move |r| r.get(hinge) + r.get(s) + i)))
        .collect();
    let sum = arena.derived(move |r| rows.iter().map(|row| r.get(*row)).sum::<u64>());
    let (log, _) = follow(&mut arena, move |r| *r.get(sum));
    let of = |hinge: u64, s: u64| (0..10_000).map(|i| hinge + s + i).sum::<u64>();

    set(&mut arena, lifted, true);
    set(&mut arena, s, 2);
    set(&mut arena, lifted, false);

    assert_eq!(
        log.entries(),
        [of(1, 1), of(1_001, 1), of(1_002, 2), of(2, 2)]
    );
    assert_eq!(tally.of(["hinge", "row"]), [4, 40_000]);
}
