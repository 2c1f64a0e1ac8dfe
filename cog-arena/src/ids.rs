//! Integers as citizens: every index, count and stamp of the graph has a type of its own.
//!
//! Takes: nothing. Leaves: names for places. Never: owns or looks at anything.

/// Rows in a chunk; one `u64` holds a bit for each.
pub(crate) const CHUNK_ROWS: u32 = 64;

/// "No such place", in every 32-bit index below.
const NIL: u32 = u32::MAX;

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub(crate) struct $name(u32);

        impl $name {
            /// No place at all.
            pub(crate) const NIL: Self = Self(NIL);

            /// The place with this number.
            #[inline]
            pub(crate) const fn new(index: u32) -> Self {
                Self(index)
            }

            /// The place with this number; a graph has fewer than 2³² of anything.
            #[inline]
            pub(crate) fn at(index: usize) -> Self {
                debug_assert!(index < NIL as usize, "an index fits 32 bits");
                #[expect(clippy::cast_possible_truncation, reason = "checked above; the pools cannot grow so far")]
                Self(index as u32)
            }

            /// Position in a slice.
            #[inline]
            pub(crate) const fn index(self) -> usize {
                self.0 as usize
            }

            /// The bare number.
            #[inline]
            pub(crate) const fn raw(self) -> u32 {
                self.0
            }

            /// Whether this names no place.
            #[inline]
            pub(crate) const fn is_nil(self) -> bool {
                self.0 == NIL
            }
        }
    };
}

index!(
    /// A chunk of 64 rows, numbered over the whole arena.
    ChunkId
);
index!(
    /// One live value of one cog: a chunk and an offset in it.
    Row
);
index!(
    /// A tracked row's record, or the anchor of a row that tracked rows read.
    NodeIndex
);
index!(
    /// A family, or a keyless cog that takes part in declared dependencies.
    ColumnId
);
index!(
    /// Typed storage: a family's, or the pool of keyless cogs of one type.
    StoreId
);
index!(
    /// A key space.
    SpaceId
);
index!(
    /// A user function made ready to run.
    RecipeId
);
index!(
    /// A key's row number in its key space, the same in all its columns.
    KeyRow
);

impl Row {
    /// The row at `offset` of `chunk`.
    #[inline]
    pub(crate) const fn of(chunk: ChunkId, offset: u32) -> Self {
        Self(chunk.0 << 6 | offset)
    }

    /// The chunk that holds this row.
    #[inline]
    pub(crate) const fn chunk(self) -> ChunkId {
        ChunkId(self.0 >> 6)
    }

    /// The row's place in its chunk, below 64.
    #[inline]
    pub(crate) const fn offset(self) -> u32 {
        self.0 & (CHUNK_ROWS - 1)
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
        self.0 >> 6
    }

    /// The key's place in its chunk, below 64.
    #[inline]
    pub(crate) const fn offset(self) -> u32 {
        self.0 & (CHUNK_ROWS - 1)
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
