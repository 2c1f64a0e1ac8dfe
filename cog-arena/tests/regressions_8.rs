//! Faults that were found by reading: whoever waits for a row that failed hears of it, and what can't but fail costs little.
//!
//! Takes: rows that fail before they read anything, and chains above them. Leaves: what reactions saw, and what was
//! counted. Never: depends on another test.

#[path = "common/seen.rs"]
mod seen;

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cog_arena::{Arena, Derived, Reader, Reads, Source};
use seen::{Count, Seen, caught, take};

/// What a cog is made of, and how, that fails before it reads anything while `fails`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Tracked,
    Declared,
    DeclaredOfTracked,
    Mixed,
}

struct Armed {
    arena: Arena,
    source: Source<i32>,
    fails: Arc<AtomicBool>,
    shaky: Derived<i32>,
}

fn armed(form: Form) -> Armed {
    let mut arena = Arena::new();
    let source = arena.source(1);
    let fails = Arc::new(AtomicBool::new(false));
    let its = Arc::clone(&fails);
    let check = move || assert!(!its.load(Ordering::Relaxed), "armed");
    let between = arena.derived(move |r| *r.get(source));
    let shaky = match form {
        Form::Tracked => arena.derived(move |r| {
            check();
            *r.get(source)
        }),
        Form::Declared => arena.derived_from(source.shared(), move |value: &i32| {
            check();
            *value
        }),
        Form::DeclaredOfTracked => arena.derived_from(between.shared(), move |value: &i32| {
            check();
            *value
        }),
        Form::Mixed => arena.cog().derived_from(
            (between.shared(), Reads),
            move |(_, r): (&i32, &Reader<'_>)| {
                check();
                *r.get(source)
            },
        ),
    };
    Armed {
        arena,
        source,
        fails,
        shaky,
    }
}

const FORMS: [Form; 4] = [
    Form::Tracked,
    Form::Declared,
    Form::DeclaredOfTracked,
    Form::Mixed,
];

/// Registers a reaction above the shaky row, which then fails once; what the reaction reads.
fn fail_below_a_reaction(table: &mut Armed, catches: bool) -> Seen<Option<i32>> {
    let seen: Seen<Option<i32>> = Seen::default();
    let (its, shaky) = (Arc::clone(&seen), table.shaky);
    let over = table.arena.derived(move |r| *r.get(shaky));
    table.arena.react(move |r, _| {
        let read = || *r.get(over);
        let value = if catches { caught(read) } else { Some(read()) };
        its.lock().unwrap().push(value);
    });
    table.fails.store(true, Ordering::Relaxed);
    let _ended = caught(|| table.arena.turn(|w| w.set(table.source, 2)));
    table.fails.store(false, Ordering::Relaxed);
    seen
}

#[test]
fn a_reaction_hears_of_a_row_that_failed_before_it_read_anything() {
    for form in FORMS {
        for catches in [false, true] {
            let mut table = armed(form);
            let seen = fail_below_a_reaction(&mut table, catches);

            table.arena.turn(|w| w.set(table.source, 3));

            let seen = take(&seen);
            assert_eq!(seen.last(), Some(&Some(3)), "{form:?}, {catches}");
            table.arena.check();
        }
    }
}

#[test]
fn a_reaction_hears_of_a_held_row_that_is_tried_again_by_the_next_turn() {
    for form in FORMS {
        for catches in [false, true] {
            let mut table = armed(form);
            let _hold = table.arena.hold(table.shaky);
            let seen = fail_below_a_reaction(&mut table, catches);

            table.arena.turn(|_| {});

            let seen = take(&seen);
            assert_eq!(seen.last(), Some(&Some(2)), "{form:?}, {catches}");
            table.arena.check();
        }
    }
}

#[test]
fn a_reaction_that_failed_before_it_read_anything_runs_again_when_what_it_read_before_moves() {
    let mut table = armed(Form::Tracked);
    let seen: Seen<i32> = Seen::default();
    let (its, fails) = (Arc::clone(&seen), Arc::clone(&table.fails));
    let source = table.source;
    table.arena.react(move |r, _| {
        assert!(!fails.load(Ordering::Relaxed), "armed");
        its.lock().unwrap().push(*r.get(source));
    });
    table.fails.store(true, Ordering::Relaxed);
    let _ended = caught(|| table.arena.turn(|w| w.set(source, 2)));
    table.fails.store(false, Ordering::Relaxed);

    table.arena.turn(|w| w.set(source, 3));

    assert_eq!(take(&seen), [1, 3]);
}

#[test]
fn what_a_row_reads_in_runs_that_fail_does_not_add_up() {
    let mut arena = Arena::new();
    let space = arena.key_space_indexed::<u32>(|key| *key);
    let number = arena.source_family(space, |_| 0);
    let (which, fails) = (arena.source(0_u32), arena.source(false));
    let reads = arena.derived(move |r| {
        let value = *r.get(number.at(*r.get(which)));
        assert!(!*r.get(fails), "told to");
        value
    });
    arena.read(reads);
    arena.turn(|w| w.set(fails, true));
    for key in 1..20 {
        arena.turn(|w| w.set(which, key));
        assert!(caught(|| *arena.read(reads)).is_none());
        let readers: Vec<_> = (0..20)
            .map(|key| arena.consumer_count(number.at(key)))
            .collect();
        assert_eq!(
            readers.iter().sum::<usize>(),
            2,
            "the last run, and the last good one"
        );
        assert_eq!((readers[0], readers[key as usize]), (1, 1));
    }
    arena.turn(|w| w.set(fails, false));
    arena.read(reads);
    assert_eq!(arena.consumer_count(number.at(0)), 0);
    arena.check();
}

/// A chain of declared cogs, each held, on a tracked one; the first of them fails. Nothing here walks what is above it
/// for each row that fails: that would be twelve million steps a turn.
#[test]
fn a_long_chain_of_held_rows_fails_with_its_first_one_and_none_of_it_runs() {
    const LINKS: i32 = 5_000;
    for below_tracked in [true, false] {
        let mut arena = Arena::new();
        let (source, runs) = (arena.source(0), Count::default());
        let first = move |value: &i32| {
            if 0 < *value {
                resume_unwind(Box::new("too much"));
            }
            *value
        };
        let mut last = if below_tracked {
            let tracked = arena.derived(move |r| *r.get(source));
            arena.derived_from(tracked.shared(), first)
        } else {
            arena.derived_from(source.shared(), first)
        };
        let mut links = vec![last];
        for _ in 1..LINKS {
            let its = runs.clone();
            last = arena.derived_from(last.shared(), move |value: &i32| {
                its.add();
                value + 1
            });
            links.push(last);
        }
        for &link in &links {
            let _hold = arena.hold(link);
        }
        runs.take();
        for value in 1..20 {
            assert!(caught(|| arena.turn(|w| w.set(source, value))).is_none());
            assert_eq!(runs.take(), 0);
            assert!(links.iter().all(|link| arena.settled(*link).is_none()));
        }
        arena.turn(|w| w.set(source, -1));
        assert_eq!(runs.take(), LINKS.unsigned_abs() - 1);
        assert_eq!(arena.settled(last), Some(&(LINKS - 2)));
        arena.check();
    }
}
