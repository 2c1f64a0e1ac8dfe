//! What a keyless cog that depends on a family as a whole has still to look at.
//!
//! Takes: words of the family's rows. Leaves: each, until the cog has looked at it. Never: knows what is kept of a row.

use crate::graph::bits::Bits;

/// Rows of the family, by what is known about them since the cog ran. A row can be in all three sets.
#[derive(Debug, Default)]
pub(crate) struct Whole {
    /// They really moved, failed, or their key came or went.
    pub(crate) moved: Bits,
    /// They may have: to be settled before the cog runs, where it is settled by pulling.
    pub(crate) check: Bits,
    /// Members that failed when the cog was last to run. It fails while there are any.
    pub(crate) failed: Bits,
}

impl Whole {
    /// The first word at or after `chunk` with rows to settle before the cog can run.
    pub(crate) fn next_to_settle(&self, chunk: u32) -> Option<(u32, u64)> {
        match (self.check.next_from(chunk), self.failed.next_from(chunk)) {
            (Some(check), Some(failed)) if check.0 == failed.0 => {
                Some((check.0, check.1 | failed.1))
            }
            (Some(check), Some(failed)) => Some(if check.0 < failed.0 { check } else { failed }),
            (check, failed) => check.or(failed),
        }
    }
}
