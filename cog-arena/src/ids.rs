//! Integers as citizens: every index, count and stamp of the graph has a type of its own.
//!
//! Takes: nothing. Leaves: names for places. Never: owns or looks at anything.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// Rows in a chunk; one `u64` holds a bit for each.
pub(crate) const CHUNK_ROWS: u32 = 64;

/// "No such place", in every 32-bit index below.
const NIL: u32 = u32::MAX;

/// A position, and by `Kind` a position of what: they don't mix.
#[repr(transparent)]
pub(crate) struct Index<Kind> {
    raw: u32,
    kind: PhantomData<fn() -> Kind>,
}

impl<Kind> Index<Kind> {
    /// No place at all.
    pub(crate) const NIL: Self = Self::new(NIL);

    /// The place with this number.
    #[inline]
    pub(crate) const fn new(raw: u32) -> Self {
        Self {
            raw,
            kind: PhantomData,
        }
    }

    /// The place with this number; a graph has fewer than 2³² of anything.
    #[inline]
    pub(crate) fn at(index: usize) -> Self {
        debug_assert!(index < NIL as usize, "an index fits 32 bits");
        #[expect(
            clippy::cast_possible_truncation,
            reason = "checked above; the pools cannot grow so far"
        )]
        Self::new(index as u32)
    }

    /// Position in a slice.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.raw as usize
    }

    /// The bare number.
    #[inline]
    pub(crate) const fn raw(self) -> u32 {
        self.raw
    }

    /// Whether this names no place.
    #[inline]
    pub(crate) const fn is_nil(self) -> bool {
        self.raw == NIL
    }
}

impl<Kind> Clone for Index<Kind> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<Kind> Copy for Index<Kind> {}

impl<Kind> PartialEq for Index<Kind> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl<Kind> Eq for Index<Kind> {}

impl<Kind> PartialOrd for Index<Kind> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<Kind> Ord for Index<Kind> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.raw.cmp(&other.raw)
    }
}

impl<Kind> Hash for Index<Kind> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}

impl<Kind> fmt::Debug for Index<Kind> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = std::any::type_name::<Kind>();
        let short = name.rsplit("::").next().unwrap_or(name);
        if self.is_nil() {
            write!(f, "{short}(nil)")
        } else {
            write!(f, "{short}({})", self.raw)
        }
    }
}

/// What an index counts. Never made.
pub(crate) mod of {
    /// Chunks of rows.
    pub(crate) enum Chunk {}
    /// Rows.
    pub(crate) enum Row {}
    /// Nodes.
    pub(crate) enum Node {}
    /// Columns.
    pub(crate) enum Column {}
    /// Stores.
    pub(crate) enum Store {}
    /// Key spaces.
    pub(crate) enum Space {}
    /// Functions.
    pub(crate) enum Recipe {}
    /// Keys of one space.
    pub(crate) enum Key {}
}

/// A chunk of 64 rows, numbered over the whole arena.
pub(crate) type ChunkId = Index<of::Chunk>;
/// One live value of one cog: a chunk and an offset in it.
pub(crate) type Row = Index<of::Row>;
/// A tracked row's record, or the anchor of a row that tracked rows read.
pub(crate) type NodeIndex = Index<of::Node>;
/// A family, or a keyless cog that takes part in declared dependencies.
pub(crate) type ColumnId = Index<of::Column>;
/// Typed storage: a family's, or the pool of keyless cogs of one type.
pub(crate) type StoreId = Index<of::Store>;
/// A key space.
pub(crate) type SpaceId = Index<of::Space>;
/// A user function made ready to run.
pub(crate) type RecipeId = Index<of::Recipe>;
/// A key's row number in its key space, the same in all its columns.
pub(crate) type KeyRow = Index<of::Key>;

impl Row {
    /// The row at `offset` of `chunk`.
    #[inline]
    pub(crate) const fn of(chunk: ChunkId, offset: u32) -> Self {
        Self::new(chunk.raw() << 6 | offset)
    }

    /// The chunk that holds this row.
    #[inline]
    pub(crate) const fn chunk(self) -> ChunkId {
        ChunkId::new(self.raw() >> 6)
    }

    /// The row's place in its chunk, below 64.
    #[inline]
    pub(crate) const fn offset(self) -> u32 {
        self.raw() & (CHUNK_ROWS - 1)
    }

    /// The row's bit in its chunk's words.
    #[inline]
    pub(crate) const fn bit(self) -> u64 {
        1 << self.offset()
    }
}

impl KeyRow {
    /// The local chunk that holds this key's rows, the same in all columns.
    #[inline]
    pub(crate) const fn chunk(self) -> u32 {
        self.raw() >> 6
    }

    /// The key's place in its chunk, below 64.
    #[inline]
    pub(crate) const fn offset(self) -> u32 {
        self.raw() & (CHUNK_ROWS - 1)
    }

    /// The key's bit in its chunk's words.
    #[inline]
    pub(crate) const fn bit(self) -> u64 {
        1 << self.offset()
    }
}

/// How often a key's slot was given to another life; a handle of an older one is stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub(crate) struct Generation(pub(crate) u32);

/// The number of a turn. Sixty-four bits never run out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct Revision(pub(crate) u64);

impl Revision {
    /// Before every turn.
    pub(crate) const NEVER: Self = Self(0);
}

/// Whether a run gave a value other than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Equal: nothing beyond this row runs.
    Kept,
    /// Really another value, or none where there was one, or the other way round.
    Moved,
}

/// How many rows a word names. One row at a time is what scattered changes are, and counting bits costs a dozen
/// instructions where the processor isn't asked to.
#[inline]
pub(crate) fn row_count(mask: u64) -> u64 {
    if mask & mask.wrapping_sub(1) == 0 {
        u64::from(mask != 0)
    } else {
        count_many(mask)
    }
}

// A call, or the compiler counts first and looks afterwards whether it had to.
#[inline(never)]
fn count_many(mask: u64) -> u64 {
    u64::from(mask.count_ones())
}

/// Some rows of one chunk of one column, on their way through a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    /// The chunk's number within its column.
    pub(crate) chunk: u32,
    /// Before a run: the rows to run. After it: the rows that moved.
    pub(crate) mask: u64,
    /// Before a run: rows whose required inputs are all there. After it: rows that have a value.
    pub(crate) present: u64,
}

/// Rows of a store that a writer really changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    /// Where the values lie.
    pub(crate) store: StoreId,
    /// Which rows moved, and which have values now.
    pub(crate) item: Item,
}

/// The offsets of the bits set in `mask`, ascending.
#[inline]
pub(crate) fn bits_of(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let offset = mask.trailing_zeros();
        mask &= mask - 1;
        Some(offset)
    })
}

const _: () = assert!(size_of::<Row>() == 4 && size_of::<Item>() == 24);
