//! Seeding: what a test stages becomes current without a turn.
//!
//! Takes: staged values. Leaves: them current, what is held settled, everything else that depends on them marked. Never:
//! runs a reaction, or counts as a turn.

use crate::engine::state::{Engine, Step};
use crate::error::Panic;
use crate::turn;

impl Engine {
    /// Makes current what is staged. Reactions stay marked, and what moved stays told, until the next turn.
    ///
    /// # Errors
    ///
    /// With the first panic of user code.
    pub(crate) fn settle_quietly(&mut self) -> Result<(), Panic> {
        if self.step != Step::Writing {
            return Ok(());
        }
        let turns = self.graph.turn_count();
        let settled = turn::settle(self);
        self.forget_strangers();
        if settled.is_err() {
            self.abandon();
        } else {
            self.clean_stores();
            self.step = Step::Idle;
            self.end_attempt();
            self.release_keys();
        }
        // The graph has a new revision, as after a recovery, and there was no turn.
        self.graph.recovery_count = self.graph.revision.0 - turns;
        settled?;
        self.state.panic.take().map_or(Ok(()), Err)
    }
}
