//! Rows: one per live value, in chunks of 64 that bear their bits.
//!
//! Takes: stores (typed storage elsewhere; here only their number) and local
//! chunk numbers. Leaves: for each chunk of each store a head with a word per
//! question one may ask of 64 rows. Never: holds a value.

use crate::ids::{ChunkId, ColumnId, KeyRow, NodeIndex, Row, StoreId};

/// What is known about the 64 rows of a chunk.
#[derive(Debug)]
pub(crate) struct Head {
    /// The family the chunk belongs to; nil for a pool of keyless cogs.
    pub(crate) column: ColumnId,
    /// The typed storage.
    pub(crate) store: StoreId,
    /// The chunk's number within its store.
    pub(crate) local: u32,
    /// Rows that have a value.
    pub(crate) present: u64,
    /// Declared rows that were evaluated, to a value or to none.
    pub(crate) known: u64,
    /// Declared rows whose last evaluation failed.
    pub(crate) failed: u64,
    /// Rows that have a node.
    pub(crate) noded: u64,
    /// Rows of a pool whose sources may hold nothing.
    pub(crate) clearable: u64,
    /// Rows of a pool that take part in declared dependencies.
    pub(crate) laned: u64,
    nodes: Table,
    lanes: Table,
}

/// Where a chunk's side table lies, if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Table(u32);

const NO_TABLE: Table = Table(u32::MAX);

/// All chunk heads, and the way from a store's local chunks to them.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    heads: Vec<Head>,
    tables: Vec<[u32; 64]>,
    stores: Vec<Vec<ChunkId>>,
}

impl std::ops::Index<ChunkId> for Rows {
    type Output = Head;

    #[inline]
    fn index(&self, at: ChunkId) -> &Head {
        &self.heads[at.index()]
    }
}

impl std::ops::IndexMut<ChunkId> for Rows {
    #[inline]
    fn index_mut(&mut self, at: ChunkId) -> &mut Head {
        &mut self.heads[at.index()]
    }
}

impl Rows {
    /// Makes room for the chunks of one more store.
    pub(crate) fn add_store(&mut self) -> StoreId {
        self.stores.push(Vec::new());
        StoreId::at(self.stores.len() - 1)
    }

    /// The chunk `local` of `store`, or nil.
    #[inline]
    pub(crate) fn chunk(&self, store: StoreId, local: u32) -> ChunkId {
        self.stores[store.index()]
            .get(local as usize)
            .copied()
            .unwrap_or(ChunkId::NIL)
    }

    /// All chunks of a store, nil where there is none.
    #[inline]
    pub(crate) fn chunks(&self, store: StoreId) -> &[ChunkId] {
        &self.stores[store.index()]
    }

    /// All heads to be changed, with the chunks of every store.
    #[inline]
    pub(crate) fn parts(&mut self) -> (&mut [Head], &[Vec<ChunkId>]) {
        (&mut self.heads, &self.stores)
    }

    /// The chunk `local` of `store`; made if it isn't there.
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    #[inline]
    pub(crate) fn ensure_chunk(&mut self, store: StoreId, local: u32, column: ColumnId) -> ChunkId {
        let found = self.chunk(store, local);
        if found.is_nil() {
            self.add_chunk(store, local, column)
        } else {
            found
        }
    }

    #[cold]
    #[inline(never)]
    fn add_chunk(&mut self, store: StoreId, local: u32, column: ColumnId) -> ChunkId {
        let id = ChunkId::at(self.heads.len());
        assert!(id.raw() < 1 << 26, "an arena has fewer than 2^26 chunks");
        self.heads.push(Head {
            column,
            store,
            local,
            present: 0,
            known: 0,
            failed: 0,
            noded: 0,
            clearable: 0,
            laned: 0,
            nodes: NO_TABLE,
            lanes: NO_TABLE,
        });
        let chunks = &mut self.stores[store.index()];
        if chunks.len() <= local as usize {
            chunks.resize(local as usize + 1, ChunkId::NIL);
        }
        chunks[local as usize] = id;
        id
    }

    /// The row of `key` in `store`, or nil.
    #[inline]
    pub(crate) fn row(&self, store: StoreId, key: KeyRow) -> Row {
        let chunk = self.chunk(store, key.chunk());
        if chunk.is_nil() {
            Row::NIL
        } else {
            Row::of(chunk, key.offset())
        }
    }

    /// The key's row number behind a family's row.
    #[inline]
    pub(crate) fn key_row(&self, row: Row) -> KeyRow {
        KeyRow::new(self[row.chunk()].local << 6 | row.offset())
    }

    /// Whether the row has a value.
    #[inline]
    pub(crate) fn is_present(&self, row: Row) -> bool {
        self[row.chunk()].present & row.bit() != 0
    }

    /// The row's node, or nil.
    #[inline]
    pub(crate) fn node(&self, row: Row) -> NodeIndex {
        let head = &self[row.chunk()];
        if head.noded & row.bit() == 0 {
            return NodeIndex::NIL;
        }
        NodeIndex::new(self.tables[head.nodes.0 as usize][row.offset() as usize])
    }

    /// Gives the row a node.
    pub(crate) fn set_node(&mut self, row: Row, node: NodeIndex) {
        let head = &mut self.heads[row.chunk().index()];
        head.noded |= row.bit();
        let table = Self::table(&mut self.tables, &mut head.nodes);
        table[row.offset() as usize] = node.raw();
    }

    /// Takes the row's node away.
    pub(crate) fn clear_node(&mut self, row: Row) {
        self[row.chunk()].noded &= !row.bit();
    }

    /// The column through which a keyless row takes part in declared dependencies, or nil.
    #[inline]
    pub(crate) fn lane(&self, row: Row) -> ColumnId {
        let head = &self[row.chunk()];
        if head.laned & row.bit() == 0 {
            return ColumnId::NIL;
        }
        ColumnId::new(self.tables[head.lanes.0 as usize][row.offset() as usize])
    }

    /// Gives a keyless row its column.
    pub(crate) fn set_lane(&mut self, row: Row, column: ColumnId) {
        let head = &mut self.heads[row.chunk().index()];
        head.laned |= row.bit();
        let table = Self::table(&mut self.tables, &mut head.lanes);
        table[row.offset() as usize] = column.raw();
    }

    fn table<'a>(tables: &'a mut Vec<[u32; 64]>, at: &mut Table) -> &'a mut [u32; 64] {
        if *at == NO_TABLE {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "two tables a chunk, and chunk numbers fit 26 bits"
            )]
            let new = Table(tables.len() as u32);
            *at = new;
            tables.push([u32::MAX; 64]);
        }
        &mut tables[at.0 as usize]
    }

    /// Every chunk.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn all(&self) -> impl Iterator<Item = (ChunkId, &Head)> {
        self.heads
            .iter()
            .enumerate()
            .map(|(at, head)| (ChunkId::at(at), head))
    }
}
