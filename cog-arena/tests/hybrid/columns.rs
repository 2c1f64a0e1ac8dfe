//! Columns of the random graphs, as plain tables, and how they are drawn.
//!
//! Takes: randomness. Leaves: a graph without a true cycle: every tracked read goes to a smaller
//! key, or to a column declared before. Never: knows an arena.

use crate::rooms::rng::Rng;

/// One value of one column. Keyless columns have key 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The column's number.
    pub(crate) column: usize,
    /// The key.
    pub(crate) key: u32,
}

/// How a declared input is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// Same key, required.
    Aligned,
    /// Same key, if there.
    Optional,
    /// Keyless, required.
    Shared,
}

/// A declared input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    /// Which column.
    pub(crate) column: usize,
    /// How it is asked for.
    pub(crate) how: How,
}

impl Input {
    /// The row that the row at `key` gets.
    pub(crate) fn at(&self, key: u32) -> Place {
        Place {
            column: self.column,
            key: if self.how == How::Shared { 0 } else { key },
        }
    }
}

/// What a column does.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// Written from outside; partial or total.
    Source { partial: bool },
    /// A sum of declared inputs and of tracked reads (column, distance), cut down.
    Sum {
        reads: Vec<(usize, u32)>,
        has_reader: bool,
        stops: bool,
        cut: i64,
        may_be_nothing: bool,
    },
    /// Two reads, the second only if the first is nought.
    Guarding { guard: usize, guarded: usize },
}

/// A column, completely.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    /// What it does.
    pub(crate) kind: Kind,
    /// Whether it is a family.
    pub(crate) keyed: bool,
    /// Declared inputs; at most three.
    pub(crate) inputs: Vec<Input>,
    /// The column that must be nought, at the same key, whenever this one runs.
    pub(crate) guard: Option<usize>,
    /// Read by its guard's reader only.
    pub(crate) hidden: bool,
}

impl Column {
    fn source(keyed: bool, partial: bool) -> Self {
        Self {
            kind: Kind::Source { partial },
            keyed,
            inputs: Vec::new(),
            guard: None,
            hidden: false,
        }
    }

    fn sum(keyed: bool, inputs: Vec<Input>, reads: Option<Vec<(usize, u32)>>, cut: i64) -> Self {
        let has_reader = reads.is_some();
        let kind = Kind::Sum {
            reads: reads.unwrap_or_default(),
            has_reader,
            stops: false,
            cut,
            may_be_nothing: false,
        };
        Self {
            kind,
            keyed,
            inputs,
            guard: None,
            hidden: false,
        }
    }

    /// Whether it is written from outside.
    pub(crate) fn is_source(&self) -> bool {
        matches!(self.kind, Kind::Source { .. })
    }

    /// Whether it is a source whose rows come and go.
    pub(crate) fn is_partial(&self) -> bool {
        matches!(self.kind, Kind::Source { partial: true })
    }

    /// Whether its function gets a reader.
    pub(crate) fn has_reader(&self) -> bool {
        matches!(
            self.kind,
            Kind::Sum {
                has_reader: true,
                ..
            } | Kind::Guarding { .. }
        )
    }

    /// Plays the function for `me`.
    pub(crate) fn play(
        &self,
        columns: &[Column],
        me: Place,
        given: &[Option<i64>],
        read: &mut dyn FnMut(Place) -> Option<i64>,
    ) -> Option<i64> {
        match &self.kind {
            Kind::Source { .. } => unreachable!("a source has no function"),
            Kind::Guarding { guard, guarded } => {
                let is_open = read(Place {
                    column: *guard,
                    key: me.key,
                }) == Some(0);
                Some(if is_open {
                    read(Place {
                        column: *guarded,
                        key: me.key,
                    })
                    .unwrap_or(-2)
                } else {
                    -1
                })
            }
            Kind::Sum {
                reads,
                stops,
                cut,
                may_be_nothing,
                ..
            } => {
                let mut sum: i64 = given.iter().map(|value| value.unwrap_or(-5)).sum();
                for (at, &(column, distance)) in reads.iter().enumerate() {
                    let value = read(target(columns, me, column, distance));
                    sum += value.unwrap_or(-7);
                    if *stops && at % 2 == 0 && value.is_none_or(|value| value % 3 == 0) {
                        break;
                    }
                }
                let value = sum.rem_euclid(*cut);
                (!may_be_nothing || value != 1).then_some(value)
            }
        }
    }
}

/// Any column, later ones and its own included, as long as key and column together get smaller.
fn target(columns: &[Column], me: Place, column: usize, distance: u32) -> Place {
    let column = column % columns.len();
    let key = if columns[column].keyed {
        me.key - distance.min(me.key)
    } else {
        0
    };
    let is_smaller =
        column < me.column || columns[column].keyed && columns[me.column].keyed && key < me.key;
    if columns[column].hidden || !is_smaller {
        return Place {
            column: 0,
            key: me.key,
        };
    }
    Place { column, key }
}

/// Draws a graph. Column 0 is a total family of sources.
pub(crate) fn draw(rng: &mut Rng) -> Vec<Column> {
    let mut columns = vec![Column::source(true, false)];
    for _ in 0..1 + rng.below(4) {
        let (keyed, partial) = (!rng.once_in(3), rng.once_in(2));
        columns.push(Column::source(keyed, partial));
    }
    let count = columns.len() + 2 + rng.below(12);
    while columns.len() < count {
        match rng.below(10) {
            0..=4 => {
                let column = declared(rng, &columns);
                columns.push(column);
            }
            5..=8 => {
                let column = tracked(rng, &columns);
                columns.push(column);
            }
            _ => guarded(rng, &mut columns),
        }
    }
    columns
}

fn pick_input(rng: &mut Rng, columns: &[Column], keyed: bool) -> Option<Input> {
    let column = rng.below(columns.len());
    if columns[column].hidden || columns[column].keyed && !keyed {
        return None;
    }
    let how = match (columns[column].keyed, rng.below(3)) {
        (false, _) => How::Shared,
        (true, 0) => How::Optional,
        (true, _) => How::Aligned,
    };
    Some(Input { column, how })
}

fn cut(rng: &mut Rng) -> i64 {
    [2, 5, 1000][rng.below(3)]
}

fn declared(rng: &mut Rng, columns: &[Column]) -> Column {
    let keyed = !rng.once_in(4);
    let count = 1 + rng.below(3);
    let mut inputs: Vec<_> = (0..count)
        .filter_map(|_| pick_input(rng, columns, keyed))
        .collect();
    if inputs.is_empty() && keyed {
        inputs.push(Input {
            column: 0,
            how: How::Aligned,
        });
    }
    if inputs.is_empty() {
        return tracked(rng, columns);
    }
    let mut column = Column::sum(keyed, inputs, None, cut(rng));
    if let Kind::Sum { may_be_nothing, .. } = &mut column.kind {
        *may_be_nothing = rng.once_in(6);
    }
    column
}

fn tracked(rng: &mut Rng, columns: &[Column]) -> Column {
    let keyed = !rng.once_in(4);
    let mut inputs = Vec::new();
    if rng.once_in(2) {
        inputs.extend((0..2).filter_map(|_| pick_input(rng, columns, keyed)));
    }
    let bound = if rng.once_in(2) { columns.len() } else { 24 };
    let reads = (0..1 + rng.below(5))
        .map(|_| (rng.below(bound), rng.key(4)))
        .collect();
    let mut column = Column::sum(keyed, inputs, Some(reads), cut(rng));
    if let Kind::Sum { stops, .. } = &mut column.kind {
        *stops = rng.once_in(2);
    }
    column
}

/// A guard, what it guards, and who reads both. The guarded column may come first.
fn guarded(rng: &mut Rng, columns: &mut Vec<Column>) {
    let families =
        (0..columns.len()).filter(|&column| columns[column].keyed && !columns[column].hidden);
    let families: Vec<_> = families.collect();
    let other = families[rng.below(families.len())];
    let at = columns.len();
    let guarded_first = rng.once_in(2);
    let (guard, guarded) = if guarded_first {
        (at + 1, at)
    } else {
        (at, at + 1)
    };
    let first = Input {
        column: 0,
        how: How::Aligned,
    };
    let parity = if rng.once_in(2) {
        Column::sum(true, vec![first], None, 2)
    } else {
        Column::sum(true, Vec::new(), Some(vec![(0, 0)]), 2)
    };
    let mut behind = if rng.once_in(2) {
        Column::sum(
            true,
            vec![
                first,
                Input {
                    column: other,
                    how: How::Optional,
                },
            ],
            None,
            1000,
        )
    } else {
        Column::sum(true, Vec::new(), Some(vec![(0, 0), (other, 0)]), 1000)
    };
    behind.guard = Some(guard);
    behind.hidden = true;
    let pair = if guarded_first {
        [behind, parity]
    } else {
        [parity, behind]
    };
    columns.extend(pair);
    let inputs = if rng.once_in(3) {
        vec![first]
    } else {
        Vec::new()
    };
    columns.push(Column {
        kind: Kind::Guarding { guard, guarded },
        keyed: true,
        inputs,
        guard: None,
        hidden: false,
    });
}
