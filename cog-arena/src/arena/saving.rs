//! Saving sources, and taking them back.
//!
//! Takes: an arena, or what a format reads. Leaves: a snapshot; a turn taken with it. Never: has logic of its own.

use serde::Deserializer;

use crate::arena::owner::Arena;
use crate::engine::Step;
use crate::snapshot::error::RestoreError;
use crate::snapshot::load::{LoadedSnapshot, read};
use crate::snapshot::save::Snapshot;

/// Snapshots of the cogs that were declared as saved ([`Declare::saved`](crate::Declare::saved)). Feature `serialize`.
impl Arena {
    /// What the saved cogs hold, for any serializer of serde's. What an open turn has staged is not in it.
    ///
    /// # Cost
    ///
    /// Nothing, before it is serialized: see [`Snapshot`].
    ///
    /// # Examples
    ///
    /// See [`Declare::saved`](crate::Declare::saved).
    #[must_use]
    pub fn snapshot(&self) -> Snapshot<'_> {
        Snapshot::new(&self.engine)
    }

    /// Reads a snapshot and restores it, in one turn: afterwards every saved cog holds what it held when the snapshot was
    /// taken. Others keep what they hold.
    ///
    /// Cogs are found by name, whatever the order of declaration is now. Everything is read before anything changes. The
    /// turn is one like any other: what is equal moves nothing, what is derived follows, reactions run once. (So a source
    /// with an equality of its own may keep a value that is equal by that; and `0.0` stays where `-0.0` was saved, unless
    /// the equality is [`bitwise`](fn@crate::bitwise).) A format
    /// that doesn't describe itself, such as postcard, can't always tell that an entry is of another type; it is for
    /// whoever saves to write down a version there.
    ///
    /// It does *not* ask whether something comes after the snapshot; [`read_snapshot`](Self::read_snapshot) gives the
    /// time to.
    ///
    /// # Cost
    ///
    /// What reading costs, and a write for each row. Everything that was read is in memory before the turn.
    ///
    /// # Errors
    ///
    /// If the snapshot can't be read, has an entry that no saved cog bears the name of, lacks one, or has one that isn't
    /// what the cog holds. The error names it, and nothing has changed. To load what an older version of a game has saved,
    /// change it first, in a format's own value, such as `serde_json::Value`: that is a deserializer, too.
    ///
    /// # Panics
    ///
    /// As [`turn`](Self::turn).
    ///
    /// # Examples
    ///
    /// See [`Declare::saved`](crate::Declare::saved).
    #[track_caller]
    pub fn restore<'de, D: Deserializer<'de>>(
        &mut self,
        deserializer: D,
    ) -> Result<(), RestoreError> {
        self.engine.expect(Step::Idle);
        let snapshot = self.read_snapshot(deserializer)?;
        self.turn_named("restore", |w| w.restore(snapshot));
        Ok(())
    }

    /// Reads a snapshot, and changes nothing: it waits to be staged by [`Writer::restore`](crate::Writer::restore), perhaps
    /// with its keys changed by [`LoadedSnapshot::map`].
    ///
    /// # Cost
    ///
    /// What reading costs; everything that was read is kept in memory.
    ///
    /// # Errors
    ///
    /// As [`restore`](Self::restore).
    ///
    /// # Examples
    ///
    /// See [`LoadedSnapshot`].
    pub fn read_snapshot<'de, D: Deserializer<'de>>(
        &self,
        deserializer: D,
    ) -> Result<LoadedSnapshot, RestoreError> {
        read(&self.engine, deserializer)
    }
}
