//! Columns: declared dependencies, column to column.
//!
//! Takes: declarations. Leaves: for each column its inputs and dependants, its
//! pending rows, and when it settles. Never: has an edge per row.
//!
//! A column's number is its rank: it is declared after its inputs. A keyless
//! cog that takes part in declared dependencies has a column of one row, its
//! *lane*; other keyless cogs have none.

use smallvec::SmallVec;

use crate::graph::bits::Bits;
use crate::graph::whole::Whole;
use crate::ids::{ColumnId, KeyRow, RecipeId, Row, SpaceId, StoreId};

/// Who gives a column its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Writers.
    Source,
    /// A function of declared inputs only.
    Declared,
    /// A function that reads as it runs (and may have declared inputs too).
    Tracked,
}

/// When a column settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stratum {
    /// In rank order before anything tracked: sources, and eager columns with nothing tracked above.
    First,
    /// In rank order after the roots were pulled: other eager columns.
    Second,
    /// When read, row by row.
    Lazy,
}

/// One declared input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    /// The column that is read.
    pub(crate) column: ColumnId,
    /// A keyless cog read by all rows; else the same key's row.
    pub(crate) shared: bool,
    /// Whether a row needs the input to exist.
    pub(crate) required: bool,
}

/// One declared dependant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    /// The column that reads this one.
    pub(crate) column: ColumnId,
    /// As in [`Input::shared`].
    pub(crate) shared: bool,
}

/// A column's shape: no value, only who depends on whom and what is pending.
#[derive(Debug)]
pub(crate) struct Column {
    /// Who gives it its values.
    pub(crate) kind: Kind,
    /// When it settles.
    pub(crate) stratum: Stratum,
    /// Needed unconditionally: held as a whole, or a declared input of such a column.
    pub(crate) eager: bool,
    /// Holds of the column as a whole.
    pub(crate) hold_count: u32,
    /// How many of its outputs are eager.
    pub(crate) eager_count: u32,
    /// A tracked row has read it, or something declared that depends on it: marks pass through.
    pub(crate) below: bool,
    /// Some declared dependant is `below`.
    pub(crate) marks: bool,
    /// Some row has an anchor.
    pub(crate) anchored: bool,
    /// Its check bits are to be cleared at the turn's end.
    pub(crate) touched: bool,
    /// Some row failed once; never taken back.
    pub(crate) any_failed: bool,
    /// The next turn tries what failed again.
    pub(crate) retried: bool,
    /// A source with a row for every key, made when it is first needed.
    pub(crate) total: bool,
    /// Rows can be made for every key: all that bounds them is total.
    pub(crate) boundless: bool,
    /// Declared columns: rows for which an input really changed.
    pub(crate) dirty: Bits,
    /// Rows that may change.
    pub(crate) check: Bits,
    /// Rows that moved since the last release; kept while the column is held as a whole.
    pub(crate) moved: Bits,
    /// Among the columns of which something moved since the last release.
    pub(crate) is_news: bool,
    /// Held since the last release: nobody has seen a row of it yet.
    pub(crate) fresh: bool,
    /// What it reads.
    pub(crate) inputs: SmallVec<[Input; 4]>,
    /// What reads it.
    pub(crate) outputs: SmallVec<[Output; 4]>,
    /// The settling in which all its rows were marked.
    pub(crate) all_marked: u64,
    /// The typed storage.
    pub(crate) store: StoreId,
    /// The function.
    pub(crate) recipe: RecipeId,
    /// The keys, for a family; nil for a lane.
    pub(crate) space: SpaceId,
    /// A lane's only row.
    pub(crate) lane: Row,
    /// A lane that depends on a family as a whole: its one input, which is neither aligned nor shared.
    pub(crate) whole: Option<Box<Whole>>,
    /// Some lane depends on this family as a whole.
    pub(crate) folded: bool,
    /// A family of whose rows a keyless input flips two, as a rule: settled in every turn, and told which.
    pub(crate) narrow: Option<Box<Narrow>>,
}

/// The rows that flip when the keyless input of a family moved. If they aren't known, it is all of them.
#[derive(Debug, Default)]
pub(crate) struct Narrow {
    flips: Option<[KeyRow; 2]>,
}

impl Narrow {
    /// Takes what is known: rows, or nil where there is none.
    pub(crate) fn take(&mut self) -> Option<[KeyRow; 2]> {
        self.flips.take()
    }
}

impl Column {
    /// A column without dependants. Inputs are linked by [`Columns::insert`].
    pub(crate) fn new(
        kind: Kind,
        store: StoreId,
        space: SpaceId,
        lane: Row,
        recipe: RecipeId,
    ) -> Self {
        Self {
            kind,
            stratum: if kind == Kind::Source {
                Stratum::First
            } else {
                Stratum::Lazy
            },
            eager: false,
            hold_count: 0,
            eager_count: 0,
            below: kind == Kind::Tracked,
            marks: false,
            anchored: false,
            touched: false,
            any_failed: false,
            retried: false,
            total: false,
            boundless: false,
            fresh: false,
            dirty: Bits::default(),
            check: Bits::default(),
            moved: Bits::default(),
            is_news: false,
            inputs: SmallVec::new(),
            outputs: SmallVec::new(),
            all_marked: 0,
            store,
            recipe,
            space,
            lane,
            whole: None,
            folded: false,
            narrow: None,
        }
    }

    /// Whether this is a keyless cog's column.
    #[inline]
    pub(crate) fn is_lane(&self) -> bool {
        !self.lane.is_nil()
    }

    /// The aligned input whose rows bound this column's rows, if any.
    pub(crate) fn driver(&self) -> Option<ColumnId> {
        self.inputs
            .iter()
            .find(|input| input.required && !input.shared)
            .map(|input| input.column)
    }
}

/// All columns, by rank.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    list: Vec<Column>,
}

impl std::ops::Index<ColumnId> for Columns {
    type Output = Column;

    #[inline]
    fn index(&self, at: ColumnId) -> &Column {
        &self.list[at.index()]
    }
}

impl std::ops::IndexMut<ColumnId> for Columns {
    #[inline]
    fn index_mut(&mut self, at: ColumnId) -> &mut Column {
        &mut self.list[at.index()]
    }
}

impl Columns {
    /// The number that the next column will get.
    pub(crate) fn next(&self) -> ColumnId {
        ColumnId::at(self.list.len())
    }

    /// Adds a column and links it to its inputs, which were declared before it.
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    pub(crate) fn insert(&mut self, column: Column) -> ColumnId {
        let id = self.next();
        for input in &column.inputs {
            assert!(
                input.column < id,
                "an input is declared before its dependants"
            );
        }
        let inputs = column.inputs.clone();
        self.list.push(column);
        self.link(id, &inputs);
        self[id].boundless = self.is_boundless(id);
        id
    }

    /// Whether every key can have a row: nothing but total columns bounds them.
    pub(crate) fn is_boundless(&self, id: ColumnId) -> bool {
        let column = &self[id];
        let mut bounds = column
            .inputs
            .iter()
            .filter(|input| input.required && !input.shared);
        !column.is_lane()
            && (column.kind != Kind::Source || column.total)
            && bounds.all(|input| self[input.column].boundless)
    }

    fn link(&mut self, id: ColumnId, inputs: &[Input]) {
        let (below, eager) = (self[id].below, self[id].eager);
        for input in inputs {
            let above = &mut self[input.column];
            above.outputs.push(Output {
                column: id,
                shared: input.shared,
            });
            above.marks |= below;
            above.eager_count += u32::from(eager);
        }
    }

    /// A keyless cog depends on its one input, a family, as a whole.
    pub(crate) fn fold_whole(&mut self, id: ColumnId) {
        let family = self[id].inputs[0].column;
        self[id].whole = Some(Box::default());
        self[family].folded = true;
    }

    /// A keyless cog is about to move, and flips these rows of the family that asks it, and no others.
    pub(crate) fn flip_rows(&mut self, lane: ColumnId, flips: [KeyRow; 2]) {
        for at in 0..self[lane].outputs.len() {
            let family = self[lane].outputs[at].column;
            if let Some(narrow) = &mut self[family].narrow {
                narrow.flips = Some(flips);
            }
        }
    }

    /// Makes a column eager, or lazy again; its inputs count it.
    pub(crate) fn set_eager(&mut self, id: ColumnId, eager: bool) {
        debug_assert!(self[id].eager != eager, "an input counts an output once");
        self[id].eager = eager;
        for at in 0..self[id].inputs.len() {
            let above = self[id].inputs[at].column;
            let count = &mut self[above].eager_count;
            *count = if eager { *count + 1 } else { *count - 1 };
        }
    }

    /// Gives a reserved tracked column its inputs. They may be of a higher
    /// rank: tracked rows settle when they are pulled, not by rank.
    pub(crate) fn define(&mut self, id: ColumnId, inputs: &[Input], recipe: RecipeId) {
        let column = &mut self[id];
        debug_assert!(
            column.kind == Kind::Tracked && column.inputs.is_empty(),
            "only reserved columns are defined later"
        );
        column.inputs = inputs.iter().copied().collect();
        column.recipe = recipe;
        self.link(id, inputs);
        self[id].boundless = self.is_boundless(id);
    }

    /// Every column, by rank.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (ColumnId, &Column)> {
        self.list
            .iter()
            .enumerate()
            .map(|(at, column)| (ColumnId::at(at), column))
    }
}
