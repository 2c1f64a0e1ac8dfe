//! One random graph, thirty turns long.
//!
//! Takes: a seed. Leaves: how many functions ran, or a panic at the first disagreement. Never:
//! reads a guarded row from outside.

use crate::rooms::cogs::{Cog, Shared, declare, with_row};
use crate::rooms::columns::{Place, draw};
use crate::rooms::rng::Rng;
use crate::rooms::world::World;
use cog_arena::{Arena, Hold, KeySpace, Writer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Turns of a graph.
const TURNS: usize = 30;

/// What a hold holds: a column, or one row of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    column: usize,
    key: Option<u32>,
}

/// What the publications of a column held as a whole add up to, by key.
type Mirror = BTreeMap<u32, i64>;

struct Play {
    rng: Rng,
    arena: Arena,
    space: KeySpace<u32>,
    shared: Arc<Shared>,
    keys: u32,
    holds: Vec<(Held, Hold)>,
    mirrors: BTreeMap<usize, Mirror>,
}

/// Plays the graph of `seed`; how many functions ran.
pub(crate) fn play(seed: u64) -> u64 {
    let mut rng = Rng::new(seed);
    let keys = [1, 3, 64, 70, 200][rng.below(5)];
    let columns = draw(&mut rng);
    let mut arena = Arena::new();
    let space = if rng.once_in(2) {
        arena.key_space()
    } else {
        arena.key_space_indexed(|key: &u32| *key)
    };
    let shared = Shared::new(World::new(columns, keys));
    declare(&mut arena, space, &shared);
    let mut play = Play {
        rng,
        arena,
        space,
        shared,
        keys,
        holds: Vec::new(),
        mirrors: BTreeMap::new(),
    };
    let mut runs = 0;
    for turn in 0..TURNS {
        play.change_holds(turn == 0);
        play.turn();
        runs += play.shared.world().runs;
        play.look();
        play.arena.check();
    }
    runs
}

impl Play {
    fn turn(&mut self) {
        let shared = Arc::clone(&self.shared);
        shared.world().begin_turn();
        self.arena.begin();
        // Members come in waves, so that columns grow past a chunk while others read them.
        let mut writer = self.arena.writer();
        for _ in 0..self.rng.below(4) {
            let key = self.rng.key(self.keys);
            match self.rng.below(8) {
                0..=1 if shared.world().members[key as usize] => {
                    assert!(
                        writer.remove_key(self.space, &key),
                        "a member can be removed"
                    );
                    shared.world().remove_key(key);
                }
                2..=3 => insert(&mut writer, self.space, &shared, key, self.keys),
                4 => (key..self.keys)
                    .for_each(|key| insert(&mut writer, self.space, &shared, key, self.keys)),
                _ => {}
            }
        }
        write(&mut self.rng, &mut writer, &shared);
        shared.world().commit();
        self.arena.settle();
        let runs = shared.world().runs;
        assert_eq!(self.arena.counts().run, runs, "the arena counts its runs");
        self.check_publications();
        self.arena.publish();
        self.arena.run_reactions();
        assert!(!self.arena.release(), "nothing is queued");
        self.check_held();
    }

    fn change_holds(&mut self, is_first: bool) {
        let tries = if is_first { 4 } else { self.rng.below(3) };
        for _ in 0..tries {
            if self.rng.once_in(3) && !self.holds.is_empty() {
                let (held, hold) = self.holds.swap_remove(self.rng.below(self.holds.len()));
                self.arena.let_go(hold);
                if held.key.is_none() && !self.holds.iter().any(|(other, _)| *other == held) {
                    self.mirrors.remove(&held.column);
                }
                continue;
            }
            let column = self.rng.below(self.shared.world().columns.len());
            let (is_hidden, is_source, keyed) = {
                let world = self.shared.world();
                let column = &world.columns[column];
                (column.hidden, column.is_source(), column.keyed)
            };
            if is_hidden || is_source {
                continue;
            }
            let key = (keyed && self.rng.once_in(2)).then(|| self.rng.key(self.keys));
            let hold = match (self.shared.cog(column), key) {
                (Cog::DerivedFamily(family), None) => self.arena.hold(family),
                (Cog::DerivedFamily(family), Some(key)) => self.arena.hold(family.at(key)),
                (Cog::Derived(cog), _) => self.arena.hold(cog),
                (other, _) => unreachable!("{other:?} is derived"),
            };
            if keyed && key.is_none() {
                // The next turn publishes all rows that have a value.
                self.mirrors.entry(column).or_default();
            }
            self.holds.push((Held { column, key }, hold));
        }
    }

    /// What a turn publishes is what changed, no more and no less.
    fn check_publications(&mut self) {
        let mut world = self.shared.world();
        for (&column, mirror) in &mut self.mirrors {
            let Cog::DerivedFamily(family) = self.shared.cog(column) else {
                continue;
            };
            for row in self.arena.moved(family).iter() {
                let value = row.value.map(|value| value.number);
                let old = match value {
                    Some(value) => mirror.insert(*row.key, value),
                    None => mirror.remove(row.key),
                };
                let may_repeat = old.is_some() && world.was_replaced(*row.key);
                assert!(
                    old != value || may_repeat,
                    "column {column} published {value:?} at {} again",
                    row.key
                );
            }
            for key in 0..self.keys {
                let is_member = world.members[key as usize];
                let right = if is_member {
                    world.truth(Place { column, key })
                } else {
                    None
                };
                let found = mirror.get(&key).copied();
                assert_eq!(found, right, "what column {column} has published at {key}");
            }
        }
    }

    /// Everything held is settled and right.
    fn check_held(&self) {
        for (held, _) in &self.holds {
            let rows = self.shared.world().row_count(held.column);
            let keys = held.key.map_or(0..rows, |key| key..key + 1);
            for key in keys {
                let mut world = self.shared.world();
                let keyed = world.columns[held.column].keyed;
                if keyed && !world.members[key as usize] {
                    continue;
                }
                let right = world.truth(Place {
                    column: held.column,
                    key,
                });
                drop(world);
                let found =
                    with_row!(self.shared.cog(held.column), key, row => self.arena.settled(row));
                assert_eq!(
                    found.map(|value| value.number),
                    right,
                    "column {} is held at {key}",
                    held.column
                );
            }
        }
    }

    /// Reads some rows that nobody holds, members or not.
    fn look(&mut self) {
        let columns = self.shared.world().columns.len();
        for column in 0..columns {
            let (is_hidden, rows) = {
                let world = self.shared.world();
                (world.columns[column].hidden, world.row_count(column))
            };
            for key in 0..rows {
                if is_hidden || !self.rng.once_in(40) {
                    continue;
                }
                let found = with_row!(self.shared.cog(column), key, row => self.arena.lookup(row));
                let found = found.map(|value| value.number);
                let right = self.shared.world().truth(Place { column, key });
                assert_eq!(found, right, "column {column} read at {key}");
            }
        }
    }
}

fn insert(writer: &mut Writer<'_>, space: KeySpace<u32>, shared: &Shared, key: u32, keys: u32) {
    debug_assert!(key < keys, "keys are below their number");
    writer.insert_key(space, key);
    shared.world().insert_key(key);
}

/// Writes a few rows of every source, or nearly all of them.
fn write(rng: &mut Rng, writer: &mut Writer<'_>, shared: &Shared) {
    let many = rng.once_in(8);
    let columns = shared.world().columns.len();
    for column in 0..columns {
        let (is_source, is_partial, rows) = {
            let world = shared.world();
            let source = &world.columns[column];
            (
                source.is_source(),
                source.is_partial(),
                world.row_count(column),
            )
        };
        if !is_source {
            continue;
        }
        let count = if many { rows as usize } else { rng.below(4) };
        for _ in 0..count {
            let place = Place {
                column,
                key: rng.key(rows),
            };
            let value = (!is_partial || !rng.once_in(4))
                .then(|| i64::try_from(rng.below(6)).expect("a small number"));
            write_one(writer, shared, place, value);
        }
    }
}

fn write_one(writer: &mut Writer<'_>, shared: &Shared, place: Place, number: Option<i64>) {
    let value = number.map(|number| crate::rooms::world::Value {
        key: place.key,
        number,
    });
    match (shared.cog(place.column), value) {
        (Cog::Source(source), Some(value)) => writer.set(source, value),
        (Cog::Source(source), None) => writer.clear(source),
        (Cog::SourceFamily(family), Some(value)) => writer.set(family.at(place.key), value),
        (Cog::SourceFamily(family), None) => writer.remove(family.at(place.key)),
        (other, _) => unreachable!("{other:?} is a source"),
    }
    shared.world().write(place, number);
}
