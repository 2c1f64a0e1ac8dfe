//! Key spaces, as far as the shape knows them: how many chunks, and who is a member.
//!
//! Takes: row numbers. Leaves: a word of members per chunk. Never: knows a key.

use crate::ids::KeyRow;

/// One key space.
#[derive(Debug, Default)]
pub(crate) struct Space {
    /// How many chunks its keys take.
    pub(crate) chunk_count: usize,
    members: Vec<u64>,
}

impl Space {
    /// Makes a key a member, or takes that back.
    pub(crate) fn set_member(&mut self, key: KeyRow, member: bool) {
        let at = key.chunk() as usize;
        if self.members.len() <= at {
            self.members.resize((at + 1).next_power_of_two(), 0);
        }
        if member {
            self.members[at] |= key.bit();
        } else {
            self.members[at] &= !key.bit();
        }
    }

    /// The members among the keys of a chunk.
    #[inline]
    pub(crate) fn members(&self, chunk: u32) -> u64 {
        self.members.get(chunk as usize).copied().unwrap_or(0)
    }
}
