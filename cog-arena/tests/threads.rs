//! Settled values through a shared arena, from eight threads at once.
//!
//! Takes: an arena with everything that can be read. Leaves: nothing. Never: runs a function while
//! threads look on.

use cog_arena::{Arena, Derived, DerivedFamily, Hold, KeySlot, KeySpace, SourceFamily};
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Keys in the family; four chunks of rows and a part of a fifth.
const KEYS: u32 = 300;

/// How many threads read.
const THREADS: usize = 8;

struct Town {
    arena: Arena,
    space: KeySpace<u32>,
    people: SourceFamily<u32, String>,
    greeting: DerivedFamily<u32, String>,
    neighbour: DerivedFamily<u32, usize>,
    nobody_asks: DerivedFamily<u32, usize>,
    total: Derived<usize>,
    slots: Vec<KeySlot<u32>>,
    _holds: [Hold; 3],
}

/// A family with an aligned and a tracked derived family, both held, and one that nobody holds.
fn town() -> Town {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let people = arena.member_family::<u32, String>(space);
    let greeting = arena.derived_family_from(space, (people.aligned(),), |(name,): (&String,)| {
        format!("hello {name}")
    });
    let neighbour = arena.derived_family(space, move |r, key| {
        let next = (key + 1) % KEYS;
        r.lookup(greeting.at(next)).map_or(0, String::len)
    });
    let nobody_asks = arena.derived_family(space, move |r, key| r.get(neighbour.at(*key)) * 2);
    let total = arena.derived(move |r| (0..KEYS).map(|key| r.get(neighbour.at(key))).sum());
    let holds = [
        arena.hold(greeting),
        arena.hold(neighbour),
        arena.hold(total),
    ];
    let slots = arena.turn(|w| {
        let set = |key: u32| {
            let slot = w.insert_key(space, key);
            w.set(people.at(key), "x".repeat(key as usize % 7));
            slot
        };
        (0..KEYS).map(set).collect()
    });
    Town {
        arena,
        space,
        people,
        greeting,
        neighbour,
        nobody_asks,
        total,
        slots,
        _holds: holds,
    }
}

/// Runs `read` on eight threads that start together.
fn on_all_threads(read: impl Fn(usize) + Sync) {
    let start = Barrier::new(THREADS);
    std::thread::scope(|threads| {
        for thread in 0..THREADS {
            let (start, read) = (&start, &read);
            threads.spawn(move || {
                start.wait();
                read(thread);
            });
        }
    });
}

fn greeting_len(key: u32) -> usize {
    "hello ".len() + key as usize % 7
}

#[test]
fn eight_threads_read_the_same_settled_values() {
    let mut town = town();
    for turn in 0..20_u32 {
        let changed = turn * 13 % KEYS;
        let people = town.people;
        town.arena
            .turn(|w| w.set(people.at(changed), "x".repeat(changed as usize % 7)));
        let (arena, town) = (&town.arena, &town);
        let right: usize = (0..KEYS).map(greeting_len).sum();
        on_all_threads(|thread| {
            for step in 0..KEYS {
                let key = (step + 37 * u32::try_from(thread).expect("a few threads")) % KEYS;
                let name = arena
                    .settled(town.people.at(key))
                    .expect("a source is always settled");
                assert_eq!(name.len(), key as usize % 7);
                let greeting = arena
                    .settled(town.greeting.at(key))
                    .expect("a held declared row is settled");
                assert_eq!(greeting.len(), greeting_len(key));
                let neighbour = arena
                    .settled(town.neighbour.at(key))
                    .expect("a held tracked row is settled");
                assert_eq!(*neighbour, greeting_len((key + 1) % KEYS));
                let slot = town.slots[key as usize];
                assert_eq!(arena.settled(town.greeting.at_slot(slot)), Some(greeting));
                assert_eq!(arena.key(slot), Some(&key));
            }
            assert_eq!(arena.settled(town.total), Some(&right));
            assert_eq!(arena.len(town.space), KEYS as usize);
        });
    }
}

#[test]
fn an_unsettled_value_reads_as_none_and_runs_nothing() {
    let mut town = town();
    let runs = town.arena.totals().run;
    let (arena, cold) = (&town.arena, town.nobody_asks);
    let misses = AtomicUsize::new(0);
    on_all_threads(|_| {
        for key in 0..KEYS {
            let found = arena.settled(cold.at(key));
            misses.fetch_add(usize::from(found.is_none()), Ordering::Relaxed);
        }
    });
    assert_eq!(
        misses.into_inner(),
        THREADS * KEYS as usize,
        "nobody has asked for these rows yet"
    );
    assert_eq!(town.arena.totals().run, runs);

    let (first, people) = (*town.arena.read(cold.at(0)), town.people);
    assert_eq!(
        town.arena.settled(cold.at(0)),
        Some(&first),
        "what was read once is settled"
    );
    town.arena
        .turn(|w| w.set(people.at(1), String::from("a longer name")));
    assert_eq!(
        town.arena.settled(cold.at(0)),
        None,
        "what it depends on has changed"
    );
}

#[test]
fn a_removed_key_reads_as_none_on_every_thread() {
    let mut town = town();
    let (space, slot) = (town.space, town.slots[5]);
    town.arena.turn(|w| assert!(w.remove_key(space, &5)));
    let (arena, town) = (&town.arena, &town);
    on_all_threads(|_| {
        assert_eq!(arena.settled(town.people.at(5)), None);
        assert_eq!(arena.settled(town.greeting.at(5)), None);
        assert_eq!(arena.key(slot), None);
        assert_eq!(arena.len(space), KEYS as usize - 1);
        assert_eq!(
            arena.settled(town.neighbour.at(4)),
            Some(&0),
            "who looked for the removed row knows"
        );
    });
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the test is the host, and the host owns the threads"
)]
fn an_arena_moves_between_threads_with_everything_in_it() {
    let Town {
        mut arena,
        people,
        total,
        ..
    } = town();
    let before = *arena.read(total);
    let arena = std::thread::spawn(move || {
        arena.turn(|w| w.set(people.at(3), "x".repeat(13)));
        arena
    });
    let mut arena = arena.join().expect("a turn on another thread is a turn");
    assert_eq!(*arena.read(total), before + 10);
}
