//! The naive side of the fuzz: tables of columns, recomputed from the sources.
//!
//! Takes: writes, and what ran. Leaves: the truth, and a panic at the first run that was wrong,
//! needless, repeated or behind a false guard. Never: asks the arena.

use crate::rooms::columns::{Column, How, Input, Place};

/// A value that knows whose it is, so that a row given another row's value notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// The key of the row it was made for.
    pub(crate) key: u32,
    /// The number itself.
    pub(crate) number: i64,
}

/// What is remembered of a row.
#[derive(Clone, Debug, Default)]
struct Cell {
    written: Option<i64>,
    stored: Option<i64>,
    ran_at: u64,
    changed_at: u64,
    gone_at: u64,
    runs: u32,
    reads: Vec<Place>,
    truth: Option<Option<i64>>,
}

/// The whole naive side.
#[derive(Debug)]
pub(crate) struct World {
    /// All columns, first the sources.
    pub(crate) columns: Vec<Column>,
    cells: Vec<Vec<Cell>>,
    /// Which keys are members.
    pub(crate) members: Vec<bool>,
    /// Which keys were removed in the turn in progress.
    replaced: Vec<bool>,
    /// Function runs of this turn.
    pub(crate) runs: u64,
    clock: u64,
}

impl World {
    /// A world of these columns, in which no key is a member yet.
    pub(crate) fn new(columns: Vec<Column>, keys: u32) -> Self {
        let rows = |column: &Column| if column.keyed { keys as usize } else { 1 };
        let cells = columns
            .iter()
            .map(|column| vec![Cell::default(); rows(column)])
            .collect();
        Self {
            columns,
            cells,
            members: vec![false; keys as usize],
            replaced: vec![false; keys as usize],
            runs: 0,
            clock: 1,
        }
    }

    fn cell(&mut self, place: Place) -> &mut Cell {
        &mut self.cells[place.column][place.key as usize]
    }

    /// How many rows a column may have.
    pub(crate) fn row_count(&self, column: usize) -> u32 {
        u32::try_from(self.cells[column].len()).expect("a few rows")
    }

    /// What a source row holds.
    fn source(&self, place: Place) -> Option<i64> {
        let written = self.cells[place.column][place.key as usize].written;
        written.or((!self.columns[place.column].is_partial()).then_some(0))
    }

    /// Writes a source row; nothing takes its value away.
    pub(crate) fn write(&mut self, place: Place, value: Option<i64>) {
        if self.columns[place.column].keyed && value.is_some() {
            self.insert_key(place.key);
        }
        let old = self.source(place);
        self.cell(place).written = value;
        if old != self.source(place) {
            let now = self.clock;
            let cell = self.cell(place);
            cell.changed_at = now;
            if old.is_none() || value.is_none() {
                cell.gone_at = now;
            }
        }
    }

    /// Makes a key a member. What was read of it before, and was nothing, may have been forgotten.
    pub(crate) fn insert_key(&mut self, key: u32) {
        if std::mem::replace(&mut self.members[key as usize], true) {
            return;
        }
        for (column, cells) in self.columns.iter().zip(&mut self.cells) {
            if column.keyed && cells[key as usize].stored.is_none() {
                cells[key as usize].ran_at = 0;
            }
        }
    }

    /// Removes a key with all its rows.
    pub(crate) fn remove_key(&mut self, key: u32) {
        self.members[key as usize] = false;
        self.replaced[key as usize] = true;
        let now = self.clock;
        for (column, cells) in self.columns.iter().zip(&mut self.cells) {
            if column.keyed {
                let runs = cells[key as usize].runs;
                cells[key as usize] = Cell {
                    changed_at: now,
                    gone_at: now,
                    runs,
                    ..Cell::default()
                };
            }
        }
    }

    /// Begins a turn: what is written from here on belongs to it.
    pub(crate) fn begin_turn(&mut self) {
        self.clock += 1;
        self.replaced.fill(false);
    }

    /// Whether a key was removed in the turn in progress, and perhaps came back.
    pub(crate) fn was_replaced(&self, key: u32) -> bool {
        self.replaced[key as usize]
    }

    /// The turn's writes are in: everything may be different now.
    pub(crate) fn commit(&mut self) {
        self.runs = 0;
        for cell in self.cells.iter_mut().flatten() {
            cell.runs = 0;
            cell.truth = None;
        }
    }

    /// What `place` holds.
    pub(crate) fn truth(&mut self, place: Place) -> Option<i64> {
        if let Some(truth) = self.cell(place).truth {
            return truth;
        }
        let truth = self.recompute(place);
        self.cell(place).truth = Some(truth);
        truth
    }

    fn recompute(&mut self, place: Place) -> Option<i64> {
        let column = self.columns[place.column].clone();
        if column.is_source() {
            return self.source(place);
        }
        let mut given = Vec::new();
        for input in &column.inputs {
            let value = self.truth(input.at(place.key));
            if value.is_none() && input.how != How::Optional {
                return None;
            }
            given.push(value);
        }
        let columns = self.columns.clone();
        column.play(&columns, place, &given, &mut |read| self.truth(read))
    }

    fn dependencies(&self, place: Place) -> Vec<Place> {
        let inputs = self.columns[place.column]
            .inputs
            .iter()
            .map(|input: &Input| input.at(place.key));
        inputs
            .chain(
                self.cells[place.column][place.key as usize]
                    .reads
                    .iter()
                    .copied(),
            )
            .collect()
    }

    /// Whether `place` was seen to change after `since`, or may have been gone for a while.
    fn has_moved(&self, place: Place, since: u64) -> bool {
        since < self.cells[place.column][place.key as usize].changed_at
            || self.was_gone(place, since)
    }

    fn was_gone(&self, place: Place, since: u64) -> bool {
        let required = self.columns[place.column]
            .inputs
            .iter()
            .filter(|input| input.how != How::Optional);
        since < self.cells[place.column][place.key as usize].gone_at
            || required
                .into_iter()
                .any(|input| self.was_gone(input.at(place.key), since))
    }

    /// Whether nothing may be left of the row: it was only asked for, and had no value.
    fn may_be_forgotten(&self, place: Place) -> bool {
        let keyed = self.columns[place.column].keyed;
        let cell = &self.cells[place.column][place.key as usize];
        keyed && !self.members[place.key as usize] && cell.stored.is_none()
    }

    /// The function of `place` begins to run.
    pub(crate) fn run_begins(&mut self, place: Place, given: &[Option<i64>]) {
        self.runs += 1;
        let cell = self.cell(place);
        cell.runs += 1;
        let (runs, since) = (cell.runs, cell.ran_at);
        let forgotten = self.may_be_forgotten(place);
        assert!(runs <= 1 || forgotten, "{place:?} ran twice in a turn");
        let dependencies = self.dependencies(place);
        let is_due =
            forgotten || since == 0 || dependencies.iter().any(|&read| self.has_moved(read, since));
        assert!(
            is_due,
            "{place:?} ran though none of {dependencies:?} had moved"
        );
        let inputs = self.columns[place.column].inputs.clone();
        for (input, &given) in inputs.iter().zip(given) {
            let at = input.at(place.key);
            assert_eq!(
                given,
                self.truth(at),
                "{place:?} was given {at:?} before it was settled"
            );
        }
        if let Some(guard) = self.columns[place.column].guard {
            let truth = self.truth(Place {
                column: guard,
                key: place.key,
            });
            assert_eq!(truth, Some(0), "{place:?} ran behind a false guard");
        }
    }

    /// The function of `place` read `reads` and gave `value`.
    pub(crate) fn run_ends(&mut self, place: Place, reads: Vec<Place>, value: Option<i64>) {
        assert_eq!(value, self.truth(place), "the result of {place:?}");
        let was_gone = self.was_gone(place, self.cells[place.column][place.key as usize].ran_at);
        self.clock += 1;
        let now = self.clock;
        let cell = self.cell(place);
        if cell.ran_at == 0 || cell.stored != value || was_gone {
            cell.changed_at = now;
            if cell.stored.is_none() || value.is_none() {
                cell.gone_at = now;
            }
        }
        cell.ran_at = now;
        cell.stored = value;
        cell.reads = reads;
    }
}
