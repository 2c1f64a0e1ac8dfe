//! The fuzz's rooms: randomness, tables, the naive side, the arena's side, the play.

pub(crate) mod rng;

pub(crate) mod columns;

pub(crate) mod world;

pub(crate) mod cogs;

pub(crate) mod play;
