//! Catalogue A.11 on a larger ring: fifty rows, closed and opened at every place, met from every
//! entry, from outside, and by a turn. What is asserted is values and errors, not how often rows run.

mod cases_common {
    pub(crate) mod panics;
}

use std::panic::{AssertUnwindSafe, catch_unwind};

use cases_common::panics::panic_of;
use cog_arena::{
    Arena, DerivedFamily, KeySpace, Lookup, OwnKey, ReadError, Reader, Reads, SourceFamily,
};

/// How many rows the ring has.
const ROWS: u32 = 50;

/// How the rows of the ring read one another.
#[derive(Clone, Copy, Debug)]
enum Style {
    Tracked,
    Declared,
}

/// A ring of rows, each its weight more than the next one, until one of them is opened; and what
/// stands around it.
struct Ring {
    arena: Arena,
    space: KeySpace<u32>,
    /// What a row gives instead of reading the next.
    open: SourceFamily<u32, Option<u32>>,
    /// Read by the ring.
    weight: DerivedFamily<u32, u32>,
    ring: DerivedFamily<u32, u32>,
    /// Reads the ring: one row leads to each of its rows, and a declared one to that.
    lead: DerivedFamily<u32, u32>,
    above: DerivedFamily<u32, u32>,
    /// Reads the ring and catches what it says.
    careful: DerivedFamily<u32, Option<u32>>,
}

impl Ring {
    fn new(style: Style) -> Self {
        let mut arena = Arena::new();
        let space = arena.key_space::<u32>();
        let open = arena.source_family(space, |_| None::<u32>);
        let weight = arena.derived_family(space, |_, key| 1 + key % 3);
        let ring = arena.reserve_family::<u32, u32>(space);
        let next = |key: u32| (key + 1) % ROWS;
        match style {
            Style::Tracked => arena.cog().name("ring").define_family(
                ring,
                (Reads, OwnKey::new()),
                move |(r, &key): (&Reader<'_>, &u32)| {
                    r.get(open.at(key))
                        .unwrap_or_else(|| r.get(ring.at(next(key))) + r.get(weight.at(key)))
                },
            ),
            Style::Declared => arena.cog().name("ring").define_family(
                ring,
                (
                    open.aligned(),
                    weight.aligned(),
                    ring.lookup(),
                    OwnKey::new(),
                ),
                move |(open, weight, ring, &key): (
                    &Option<u32>,
                    &u32,
                    Lookup<'_, u32, u32>,
                    &u32,
                )| {
                    open.unwrap_or_else(|| {
                        ring.get(&next(key)).expect("the family is total") + weight
                    })
                },
            ),
        }
        let lead = arena
            .cog()
            .name("lead")
            .derived_family(space, move |r, key| r.get(ring.at(*key)) * 10);
        let above = arena.derived_family_from(space, lead.aligned(), |lead: &u32| lead + 1);
        let careful = arena.derived_family(space, move |r, key| {
            catch_unwind(AssertUnwindSafe(|| *r.get(ring.at(*key)))).ok()
        });
        Self {
            arena,
            space,
            open,
            weight,
            ring,
            lead,
            above,
            careful,
        }
    }

    /// Opens the ring at `at`, or closes it there.
    fn open(&mut self, at: u32, value: Option<u32>) {
        let open = self.open;
        self.arena.turn(|w| w.set(open.at(at), value));
    }

    /// What is wrong with the row, seen from outside and from inside a panic.
    fn assert_cycle(&mut self, cog: DerivedFamily<u32, u32>, key: u32) {
        let Err(ReadError::Cycle(path)) = self.arena.try_read(cog.at(key)) else {
            panic!("row {key} is on a cycle, or leads to one");
        };
        assert_is_ring(&path.to_string());
        let text = panic_of(|| *self.arena.read(cog.at(key)));
        assert_is_ring(
            text.strip_prefix("dependency cycle: ")
                .expect("it says what it is"),
        );
        assert_eq!(self.arena.settled(cog.at(key)), None, "no value is made up");
    }

    fn assert_closed(&mut self, key: u32) {
        for cog in [self.ring, self.lead, self.above] {
            self.assert_cycle(cog, key);
        }
        assert_eq!(*self.arena.read(self.careful.at(key)), None);
        assert_eq!(*self.arena.read(self.weight.at(key)), 1 + key % 3);
    }

    /// What the ring gives at `key`, opened with `value` at `at`.
    fn right(key: u32, at: u32, value: u32) -> u32 {
        let steps = (at + ROWS - key) % ROWS;
        let weights = (0..steps).map(|step| 1 + (key + step) % ROWS % 3);
        value + weights.sum::<u32>()
    }

    fn assert_open(&mut self, at: u32, value: u32) {
        // From another row each time, so that each is the first to hear of it once.
        for key in (0..ROWS).map(|key| (7 * at + key) % ROWS) {
            let right = Self::right(key, at, value);
            let arena = &mut self.arena;
            assert_eq!(*arena.read(self.careful.at(key)), Some(right), "{key}");
            assert_eq!(*arena.read(self.above.at(key)), 10 * right + 1, "{key}");
            assert_eq!(*arena.read(self.lead.at(key)), 10 * right, "{key}");
            assert_eq!(*arena.read(self.ring.at(key)), right, "{key}");
        }
    }
}

/// The path is the whole ring in its order, from any of its rows, and nothing else; of one so long,
/// the middle is left out.
#[track_caller]
fn assert_is_ring(path: &str) {
    const SHOWN: u32 = 12;
    let rows: Vec<&str> = path.split(" → ").collect();
    let number =
        |row: &str| -> Option<u32> { row.strip_prefix("ring[")?.strip_suffix(']')?.parse().ok() };
    let first = number(rows[0]).expect("a row of the ring comes first");
    let row = |step: u32| format!("ring[{}]", (first + step) % ROWS);
    let left_out = format!("… {} more …", ROWS + 1 - 2 * SHOWN);
    let expected: Vec<String> = (0..SHOWN)
        .map(row)
        .chain([left_out])
        .chain((ROWS + 1 - SHOWN..=ROWS).map(row))
        .collect();
    assert_eq!(rows, expected);
}

#[test]
fn case_y08_a_path_of_fifty_begins_where_it_was_entered() {
    for style in [Style::Tracked, Style::Declared] {
        for entry in 0..ROWS {
            let mut ring = Ring::new(style);
            let text = panic_of(|| *ring.arena.read(ring.ring.at(entry)));
            assert!(
                text.starts_with(&format!("dependency cycle: ring[{entry}] → ")),
                "{style:?}: {text}"
            );
            ring.assert_cycle(ring.above, (entry + 13) % ROWS);
        }
    }
}

#[test]
fn case_y02_a_ring_of_fifty_fails_from_every_entry_and_recovers_wherever_it_is_opened() {
    for style in [Style::Tracked, Style::Declared] {
        let mut ring = Ring::new(style);
        for at in 0..ROWS {
            ring.assert_closed((at * 11) % ROWS);
            if at == 20 {
                (0..ROWS).for_each(|key| ring.assert_closed(key));
            }
            ring.open(at, Some(at));
            ring.assert_open(at, at);
            // Opened twice: what lies between the two is cut off from the rest.
            let other = (at + 20) % ROWS;
            ring.open(other, Some(1_000));
            let last = (other + 1) % ROWS;
            let right = [
                Ring::right(last, at, at),
                1_000,
                Ring::right(at + 1, other, 1_000),
            ];
            let keys = [last, other, (at + 1) % ROWS];
            let read = keys.map(|key| *ring.arena.read(ring.ring.at(key)));
            assert_eq!(read, right, "{style:?} {at}");
            ring.open(other, None);
            ring.assert_open(at, at);
            ring.open(at, None);
        }
    }
}

#[test]
fn case_y07_a_turn_that_closes_a_ring_of_fifty_leaves_no_value_and_the_one_that_opens_it_all() {
    for style in [Style::Tracked, Style::Declared] {
        let mut ring = Ring::new(style);
        let space = ring.space;
        ring.open(0, Some(5));
        ring.arena.turn(|w| {
            for key in 0..ROWS {
                w.insert_key(space, key);
            }
        });
        let beside = ring.arena.source(1);
        let double = ring.arena.derived(move |r| r.get(beside) * 2);
        let holds = [ring.arena.hold(ring.above), ring.arena.hold(ring.ring)];
        let holds = (
            holds,
            ring.arena.hold(ring.careful),
            ring.arena.hold(double),
        );
        for at in (0..ROWS).step_by(7) {
            for key in 0..ROWS {
                let right = Ring::right(key, at, 5);
                let arena = &ring.arena;
                assert_eq!(arena.settled(ring.ring.at(key)), Some(&right), "{style:?}");
                assert_eq!(arena.settled(ring.above.at(key)), Some(&(10 * right + 1)));
                assert_eq!(arena.settled(ring.careful.at(key)), Some(&Some(right)));
            }

            let (open, value) = (ring.open, i32::try_from(at).expect("it is small"));
            let text = panic_of(|| {
                ring.arena.turn(|w| {
                    w.set(open.at(at), None);
                    w.set(beside, value);
                });
            });
            assert_is_ring(text.strip_prefix("dependency cycle: ").expect("it is one"));
            for key in 0..ROWS {
                assert_eq!(ring.arena.settled(ring.ring.at(key)), None);
                assert_eq!(ring.arena.settled(ring.above.at(key)), None);
                assert_eq!(ring.arena.settled(ring.careful.at(key)), Some(&None));
            }
            assert_eq!(ring.arena.settled(double), Some(&(2 * value)));
            ring.assert_closed(at);

            ring.open((at + 7) % ROWS, Some(5));
        }
        let ((rings, careful), double) = ((holds.0, holds.1), holds.2);
        for hold in rings {
            ring.arena.let_go(hold);
        }
        ring.arena.let_go(careful);
        ring.arena.let_go(double);
        ring.open(6, None);
        ring.assert_closed(0);
    }
}
