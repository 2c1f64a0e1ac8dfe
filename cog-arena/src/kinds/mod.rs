//! What a cog can be.
//!
//! Takes: what a user says. Leaves: cogs. Never: knows how one settles.
//!
//! | kind | written by | runs | lives |
//! |---|---|---|---|
//! | source | writers | never | while the arena does; a key's, while the key does |
//! | derived, tracked | its function | when held and something it read moved; else when read | the same |
//! | derived, declared | its function | when held and an input moved; else when read | the same, while its inputs do |
//! | fold | its function, one row at a time | when held and a row of its family moved; else when read | the same |
//! | feed | – | after publication, when its cog moved | until its handle is dropped |
//! | reaction | – | in the react step, when something it read moved | until it is ended |

pub(crate) mod declare;

pub(crate) mod feed;
pub(crate) mod hold;
pub(crate) mod moved;
pub(crate) mod reaction;
pub(crate) mod read_only;

mod families;
pub(crate) mod over;
mod reserve;

#[cfg(feature = "serialize")]
pub(crate) mod saved;
mod selected;
