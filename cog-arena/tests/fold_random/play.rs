//! A game: random writes, reads, holds and failures, each compared with the model.
//!
//! Takes: a seed. Leaves: how many folds were compared. Never: excuses a difference.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cog_arena::{Arena, Hold, Readable};

use super::cogs::Cogs;
use super::model::{Model, Outcome};
use super::rng::Rng;

/// How many cogs can be held or read.
const COGS: usize = 13;

struct Game {
    arena: Arena,
    cogs: Cogs,
    model: Model,
    holds: Vec<(usize, Hold)>,
    keys: u32,
    compared: u64,
}

/// Plays one game.
pub(crate) fn play(seed: u64) -> u64 {
    let mut rng = Rng::new(seed);
    let keys = [3, 10, 70, 200][rng.below(4)];
    let mut arena = Arena::new();
    let cogs = Cogs::new(&mut arena, keys);
    let mut game = Game {
        arena,
        cogs,
        model: Model::default(),
        holds: Vec::new(),
        keys,
        compared: 0,
    };
    for _ in 0..60 {
        game.step(&mut rng);
        game.arena.check();
    }
    while let Some((_, hold)) = game.holds.pop() {
        game.arena.let_go(hold);
    }
    game.arena.check();
    (0..COGS).for_each(|cog| game.compare(cog));
    game.compared
}

impl Game {
    fn step(&mut self, rng: &mut Rng) {
        match rng.below(10) {
            0 => self.hold(rng.below(COGS + 2)),
            1 if !self.holds.is_empty() => {
                let at = rng.below(self.holds.len());
                let (_, hold) = self.holds.swap_remove(at);
                self.arena.let_go(hold);
            }
            2 => self.read_row(rng),
            3 => {
                let cog = rng.below(COGS);
                self.compare(cog);
            }
            _ => self.turn(rng),
        }
        let seen = *self.cogs.seen.lock().expect("nothing panics with it");
        assert_eq!(seen, self.model.sum_some(), "a reaction hears of a fold");
        for _ in 0..rng.below(3) {
            let cog = rng.below(COGS);
            self.compare(cog);
        }
        if rng.once_in(12) {
            (0..COGS).for_each(|cog| self.compare(cog));
        }
    }

    fn turn(&mut self, rng: &mut Rng) {
        let mut model = self.model.clone();
        let Cogs {
            space,
            some,
            every,
            shared,
            ..
        } = self.cogs;
        let keys = self.keys;
        let turn = catch_unwind(AssertUnwindSafe(|| {
            self.arena.turn(|w| {
                for _ in 0..=rng.below(6) {
                    let key = rng.key(keys);
                    match rng.below(12) {
                        0 => {
                            w.remove_key(space, &key);
                            model.members.remove(&key);
                            model.some.remove(&key);
                            model.every.remove(&key);
                        }
                        1 => {
                            w.insert_key(space, key);
                            model.members.insert(key);
                        }
                        2 => {
                            if model.members.contains(&key) {
                                w.remove(some.at(key));
                            }
                            model.some.remove(&key);
                        }
                        3 => {
                            let value = value(rng);
                            w.set(every.at(key), value);
                            model.every.insert(key, value);
                            model.members.insert(key);
                        }
                        4 => {
                            model.shared = value(rng);
                            w.set(shared, model.shared);
                        }
                        _ => {
                            let value = value(rng);
                            w.set(some.at(key), value);
                            model.some.insert(key, value);
                            model.members.insert(key);
                        }
                    }
                }
            });
        }));
        // Whatever failed is in the folds that are compared.
        drop(turn);
        self.model = model;
    }

    /// Reads a row of a key that may be no member.
    fn read_row(&mut self, rng: &mut Rng) {
        let key = rng.key(self.keys);
        let (every, declared, tracked) = (self.cogs.every, self.cogs.declared, self.cogs.tracked);
        let arena = &mut self.arena;
        let _ = catch_unwind(AssertUnwindSafe(|| match rng.below(3) {
            0 => arena.lookup(every.at(key)).copied(),
            1 => arena.lookup(declared.at(key)).copied(),
            _ => arena.lookup(tracked.at(key)).copied(),
        }));
    }

    fn hold(&mut self, cog: usize) {
        let cogs = &self.cogs;
        let before = self.holds.len();
        let held = catch_unwind(AssertUnwindSafe(|| {
            let arena = &mut self.arena;
            match cog {
                0 => arena.hold(cogs.sum_some),
                1 => arena.hold(cogs.sum_every),
                2 => arena.hold(cogs.sum_declared),
                3 => arena.hold(cogs.min_partial),
                4 => arena.hold(cogs.sorted_tracked),
                5 => arena.hold(cogs.sum_tracked),
                6 => arena.hold(cogs.sum_below),
                7 => arena.hold(cogs.filtered_mixed),
                8 => arena.hold(cogs.picky),
                9 | 10 => arena.hold(cogs.top),
                11 | 12 => arena.hold(cogs.declared_top),
                13 => arena.hold(cogs.declared),
                _ => arena.hold(cogs.tracked),
            }
        }));
        if let Ok(hold) = held {
            self.holds.push((cog, hold));
        }
        assert!(before <= self.holds.len());
    }

    fn compare(&mut self, cog: usize) {
        self.compared += 1;
        let (cogs, keys) = (&self.cogs, self.keys);
        let (arena, model) = (&mut self.arena, &self.model);
        match cog {
            0 => same(arena, cogs.sum_some, Ok(model.sum_some())),
            1 => same(arena, cogs.sum_every, Ok(model.sum_every())),
            2 => same(arena, cogs.sum_declared, model.sum_declared()),
            3 => same(arena, cogs.min_partial, Ok(model.min_partial())),
            4 => {
                let rows = outcome(arena, cogs.sorted_tracked, |view| {
                    view.iter().map(|(key, value)| (*key, *value)).collect()
                });
                assert_eq!(rows, model.sorted_tracked(keys));
            }
            5 => same(arena, cogs.sum_tracked, model.sum_tracked(keys)),
            6 => same(arena, cogs.sum_below, model.sum_below(keys)),
            7 => {
                let rows = outcome(arena, cogs.filtered_mixed, |view| {
                    view.keys().copied().collect()
                });
                assert_eq!(rows, Ok(model.filtered_mixed()));
            }
            8 => same(arena, cogs.picky, model.picky()),
            9 | 10 => same(arena, cogs.top, model.top()),
            _ => same(arena, cogs.declared_top, model.top()),
        }
    }
}

fn outcome<C: Readable, T>(
    arena: &mut Arena,
    cog: C,
    see: impl FnOnce(&C::Value) -> T,
) -> Outcome<T> {
    let read = catch_unwind(AssertUnwindSafe(|| see(arena.read(cog))));
    read.map_err(|_| ())
}

#[track_caller]
fn same<C: Readable>(arena: &mut Arena, cog: C, expected: Outcome<C::Value>)
where
    C::Value: Clone + PartialEq + Debug,
{
    assert_eq!(outcome(arena, cog, Clone::clone), expected);
}

fn value(rng: &mut Rng) -> i64 {
    if rng.once_in(12) {
        return -1 - i64::try_from(rng.below(3)).expect("a small number");
    }
    i64::try_from(rng.below(7)).expect("a small number")
}
