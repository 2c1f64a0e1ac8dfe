//! What comes and goes: row numbers, memory and edges of what went serve what comes next.
//!
//! Takes: keys and reactions by the thousand. Leaves: counts of allocations, bytes and row numbers.
//! Never: a clock; what grows is counted at one size and at four times that size.

#![expect(
    clippy::disallowed_macros,
    reason = "counted per thread, so that tests beside this one add nothing"
)]

#[path = "common/counting.rs"]
mod counting;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use cog_arena::{
    Arena, Derived, DerivedFamily, KeySlot, KeySpace, OwnKey, ReadError, Reader, Reads, Source,
    SourceFamily,
};
use counting::{counted, live_bytes};
use rustc_hash::{FxBuildHasher, FxHashSet};

/// How many keys are members between two turns.
const WINDOW: u32 = 64;

/// A column of each kind over one space, and a keyless value that reads the newest key's.
struct Columns {
    arena: Arena,
    space: KeySpace<u32>,
    number: SourceFamily<u32, u32>,
    weight: SourceFamily<u32, u32>,
    double: DerivedFamily<u32, u32>,
    tracked: DerivedFamily<u32, u32>,
    mixed: DerivedFamily<u32, u32>,
    newest: Source<u32>,
    tip: Derived<u32>,
}

impl Columns {
    fn new(indexed: bool, held: bool) -> Self {
        let mut arena = Arena::new();
        let space = if indexed {
            // Small numbers that come again, as those of entities do.
            arena.key_space_indexed(|key: &u32| key % 1_024)
        } else {
            arena.key_space()
        };
        let number = arena.member_family(space);
        let weight = arena.source_family(space, |key| key % 10);
        let double = arena.derived_family_from(space, number.aligned(), |n: &u32| n * 2);
        let tracked = arena.derived_family(space, move |r, key| {
            r.lookup(number.at(*key)).copied().unwrap_or(0) + r.get(weight.at(*key))
        });
        let mixed = arena.derived_family_from(
            space,
            (double.aligned(), Reads, OwnKey::new()),
            move |(double, r, key): (&u32, &Reader<'_>, &u32)| double + r.get(tracked.at(*key)),
        );
        let newest = arena.source(0);
        let tip = arena.derived(move |r| {
            let key = *r.get(newest);
            r.lookup(mixed.at(key)).copied().unwrap_or(0)
        });
        if held {
            // Held for as long as the arena lives.
            let _holds = [double, tracked, mixed].map(|column| arena.hold(column));
        }
        Self {
            arena,
            space,
            number,
            weight,
            double,
            tracked,
            mixed,
            newest,
            tip,
        }
    }

    /// A key comes and the oldest goes, in one turn. The slot of the one that came, and of the other.
    fn come_and_go(&mut self, new: u32, old: Option<u32>) -> (KeySlot<u32>, Option<KeySlot<u32>>) {
        let (space, number, newest) = (self.space, self.number, self.newest);
        let gone = old.and_then(|old| self.arena.slot(space, &old));
        let came = self.arena.turn(|w| {
            if let Some(old) = old {
                assert!(w.remove_key(space, &old));
            }
            w.set(number.at(new), new);
            w.set(newest, new);
            w.insert_key(space, new)
        });
        (came, gone)
    }

    /// Every column has the right value, by slot.
    fn assert_right(&mut self, slot: KeySlot<u32>, key: u32) {
        let tracked = key + key % 10;
        let arena = &mut self.arena;
        assert_eq!(*arena.read(self.tip), 2 * key + tracked);
        assert_eq!(*arena.read(self.double.at_slot(slot)), 2 * key);
        assert_eq!(*arena.read(self.tracked.at_slot(slot)), tracked);
        assert_eq!(*arena.read(self.mixed.at_slot(slot)), 2 * key + tracked);
        assert_eq!(arena.consumer_count(self.weight.at_slot(slot)), 1);
        assert_eq!(arena.consumer_count(self.mixed.at_slot(slot)), 1);
    }

    /// No verb takes a slot whose key is gone for the key that has its row number now.
    fn assert_stale(&mut self, slot: KeySlot<u32>) {
        let (arena, number) = (&mut self.arena, self.number);
        assert_eq!(arena.key(slot), None);
        for column in [self.double, self.tracked, self.mixed] {
            let read = arena.try_read(column.at_slot(slot));
            assert_eq!(read.err(), Some(ReadError::Stale));
            assert_eq!(arena.settled(column.at_slot(slot)), None);
        }
        arena.turn(|w| {
            assert!(!w.rows(number).set(slot, 77));
            assert!(!w.remove_slot(slot));
        });
    }
}

#[test]
fn perf_05_keys_that_come_and_go_reuse_their_rows() {
    const WARM: u32 = 2_000;
    const ROUNDS: u32 = 6_000;
    for (indexed, held) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut columns = Columns::new(indexed, held);
        let mut seen = FxHashSet::with_capacity_and_hasher(2 * ROUNDS as usize, FxBuildHasher);
        let mut churn = |next: u32| {
            let (came, gone) = columns.come_and_go(next, next.checked_sub(WINDOW));
            // The one that goes has its number until the turn is over.
            assert!(came.index() <= WINDOW, "a row number is used again");
            assert!(seen.insert(came), "no slot comes twice");
            columns.assert_right(came, next);
            if let Some(gone) = gone {
                columns.assert_stale(gone);
            }
        };
        (0..WARM).for_each(&mut churn);

        let counted = counted(|| (WARM..ROUNDS).for_each(&mut churn));

        assert_eq!(counted, (0, 0), "indexed: {indexed}, held: {held}");
        assert_eq!(columns.arena.len(columns.space), WINDOW as usize);
        columns.arena.check();
    }
}

#[test]
fn keys_that_are_looked_up_in_vain_give_their_rows_back() {
    for indexed in [false, true] {
        let mut columns = Columns::new(indexed, false);
        let (space, number, newest) = (columns.space, columns.number, columns.newest);
        let (double, arena) = (columns.double, &mut columns.arena);
        let reader = arena.derived(move |r| {
            let key = *r.get(newest);
            (key, r.lookup(number.at(key)).is_some())
        });
        let hold = arena.hold(reader);
        // The last key of a chunk would take the chunk along.
        arena.turn(|w| w.set(number.at(1_000_000), 1));
        let mut follow = |next: u32| {
            arena.turn(|w| w.set(newest, next));
            assert_eq!(*arena.read(reader), (next, false));
        };
        (1..2_000).for_each(&mut follow);
        let counted = counted(|| (2_000..6_000).for_each(&mut follow));
        assert_eq!(counted, (0, 0), "indexed: {indexed}");

        // From outside, the error that it would be is made, and dropped.
        let mut look = |key: u32| assert_eq!(arena.lookup(double.at(key)), None);
        (0..2_000).for_each(&mut look);
        let before = live_bytes();
        (2_000..6_000).for_each(&mut look);
        assert_eq!(live_bytes(), before, "indexed: {indexed}");
        let slot = arena.turn(|w| w.insert_key(space, 1_000_001));
        assert!(slot.index() <= 3, "only what is read now has a row");
        arena.check();
        arena.let_go(hold);
    }
}

/// Makes `keys` members of every column, and removes them.
fn fill_and_empty(columns: &mut Columns, keys: u32) -> i64 {
    let (space, number) = (columns.space, columns.number);
    columns
        .arena
        .turn(|w| (0..keys).for_each(|key| w.set(number.at(key), key)));
    assert_eq!(columns.arena.len(space), keys as usize);
    let mixed = columns.mixed.at(keys - 1);
    assert_eq!(*columns.arena.read(mixed), 3 * (keys - 1) + (keys - 1) % 10);
    let live = live_bytes();
    columns.arena.turn(|w| {
        for key in 0..keys {
            assert!(w.remove_key(space, &key));
        }
    });
    assert_eq!(columns.arena.len(space), 0);
    live
}

#[test]
fn g06_a_third_round_of_a_hundred_thousand_keys_lives_in_the_memory_of_the_second() {
    const KEYS: u32 = 100_000;
    for held in [false, true] {
        let mut columns = Columns::new(false, held);
        let first = fill_and_empty(&mut columns, KEYS);
        let second = fill_and_empty(&mut columns, KEYS);
        assert!(
            second <= first + first / 2,
            "held: {held}, {first} bytes, and {second} with what removing needs"
        );

        let counted = counted(|| {
            let third = fill_and_empty(&mut columns, KEYS);
            assert_eq!(third, second, "held: {held}");
        });

        assert_eq!(counted, (0, 0), "held: {held}");
        columns.arena.check();
    }
}

#[test]
fn g06_memory_grows_with_the_keys_and_all_of_it_goes_with_the_arena() {
    let bytes = |keys: u32| {
        let before = live_bytes();
        let mut columns = Columns::new(false, true);
        let full = fill_and_empty(&mut columns, keys) - before;
        drop(columns);
        assert_eq!(live_bytes(), before, "nothing is left of {keys} keys");
        full
    };
    let (few, many) = (bytes(1 << 14), bytes(1 << 16));
    assert!(
        many <= 4 * few + few / 4,
        "{few} bytes, and {many} for four times the keys"
    );
}

/// Registers reactions, writes, and ends them from both sides of the middle. What the registering
/// and the ending allocated and freed.
fn react_and_end(
    arena: &mut Arena,
    source: Source<u32>,
    runs: &Arc<[AtomicU32]>,
) -> [(u64, u64); 2] {
    let count = runs.len();
    let mut reactions = Vec::with_capacity(count);
    let registered = counted(|| {
        for at in 0..count {
            let runs = Arc::clone(runs);
            reactions.push(arena.react(move |r, _| {
                r.get(source);
                runs[at].fetch_add(1, Ordering::Relaxed);
            }));
        }
    });
    assert_each(runs, 1, "at its registration");
    for writes in 0..2 {
        arena.turn(|w| w.update(source, |value| *value += 1));
        assert_each(runs, writes + 2, "for a write");
        assert_eq!(arena.counts().reached, count as u64);
    }
    let (front, back) = reactions.split_at(count / 2);
    let ended = counted(|| {
        for (one, other) in front.iter().rev().zip(back.iter().rev()) {
            assert!(arena.end(*one) && arena.end(*other));
        }
    });
    assert_eq!(arena.consumer_count(source), 0);
    assert_eq!(Arc::strong_count(runs), 1, "what they captured went along");
    arena.turn(|w| w.update(source, |value| *value += 1));
    assert_eq!(arena.counts().reached, 0, "nobody is left to reach");
    assert_each(runs, 3, "and not once it has ended");
    runs.iter()
        .for_each(|runs| runs.store(0, Ordering::Relaxed));
    [registered, ended]
}

#[track_caller]
fn assert_each(runs: &[AtomicU32], times: u32, when: &str) {
    let other = runs
        .iter()
        .position(|runs| runs.load(Ordering::Relaxed) != times);
    assert_eq!(other, None, "each ran {times} times, once {when}");
}

#[test]
fn g04_each_of_thousands_of_reactions_runs_once_a_write_and_ending_all_is_linear() {
    for count in [12_500, 50_000] {
        let runs: Arc<[AtomicU32]> = (0..count).map(|_| AtomicU32::new(0)).collect();
        let mut arena = Arena::new();
        let source = arena.source(0);
        // The first round grows the lists, and the second lives in them.
        react_and_end(&mut arena, source, &runs);

        let [registered, ended] = react_and_end(&mut arena, source, &runs);

        assert_eq!(registered, (count, 0), "one body for each of {count}");
        assert_eq!(ended, (0, count), "the bodies, and nothing beside them");
        arena.check();
    }
}
