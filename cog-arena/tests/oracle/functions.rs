//! What the arena really runs: the tables' functions, told apart from the model only by how they read.
//!
//! Takes: readers and inputs from the arena. Leaves: values, and in the model what happened.
//! Never: keeps the model locked while the arena has control.

use crate::net::model::Model;
use crate::net::spec::{Fault, How, Place, play};
use crate::net::value::{Tag, Value, boom};
use cog_arena::{Derived, DerivedFamily, Lookup, Reader, Source, SourceFamily};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A declared cog.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Handle {
    /// A keyless source.
    Source(Source<Value>),
    /// A keyless derived cog.
    Derived(Derived<Value>),
    /// A family of sources.
    SourceFamily(SourceFamily<Tag, Value>),
    /// A family of derived cogs.
    DerivedFamily(DerivedFamily<Tag, Value>),
}

/// Runs an expression with the row of `handle` at `key`, whichever type it has.
macro_rules! with_row {
    ($handle:expr, $key:expr, $row:ident => $do:expr) => {
        match $handle {
            $crate::net::functions::Handle::Source($row) => $do,
            $crate::net::functions::Handle::Derived($row) => $do,
            $crate::net::functions::Handle::SourceFamily(family) => {
                let $row = &family.at($crate::net::value::Tag::new($key));
                $do
            }
            $crate::net::functions::Handle::DerivedFamily(family) => {
                let $row = &family.at($crate::net::value::Tag::new($key));
                $do
            }
        }
    };
}
pub(crate) use with_row;

/// Both sides of the game, as the functions know them.
#[derive(Debug)]
pub(crate) struct Game {
    model: Mutex<Model>,
    handles: Mutex<Vec<Option<Handle>>>,
}

impl Game {
    /// A game around a fresh model.
    pub(crate) fn new(model: Model) -> Arc<Self> {
        Arc::new(Self {
            model: Mutex::new(model),
            handles: Mutex::default(),
        })
    }

    /// The model; a failure elsewhere doesn't make it worse.
    pub(crate) fn model(&self) -> MutexGuard<'_, Model> {
        self.model.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cog with this number, if it is declared or reserved.
    pub(crate) fn reserved_handle(&self, cog: usize) -> Option<Handle> {
        let handles = self.handles.lock().unwrap_or_else(PoisonError::into_inner);
        handles.get(cog).copied().flatten()
    }

    /// The cog with this number.
    pub(crate) fn handle(&self, cog: usize) -> Handle {
        self.reserved_handle(cog).expect("a cog in use is declared")
    }

    /// Notes the handle of a cog.
    pub(crate) fn set_handle(&self, cog: usize, handle: Handle) {
        let mut handles = self.handles.lock().unwrap_or_else(PoisonError::into_inner);
        if handles.len() <= cog {
            handles.resize(cog + 1, None);
        }
        handles[cog] = Some(handle);
    }
}

/// A reader of whichever run.
pub(crate) trait Lend {
    /// Reads a row.
    fn lend(&self, handle: Handle, key: u32, how: How) -> Option<&Value>;
    /// The run's own last value.
    fn last(&self) -> Option<&Value>;
}

impl Lend for Reader<'_> {
    fn lend(&self, handle: Handle, key: u32, how: How) -> Option<&Value> {
        match how {
            How::Lookup => with_row!(handle, key, row => self.lookup(row)),
            How::Get => with_row!(handle, key, row => Some(self.get(row))),
            How::Peek => with_row!(handle, key, row => self.peek_lookup(row)),
        }
    }

    fn last(&self) -> Option<&Value> {
        self.previous()
    }
}

/// What a function is given, whatever tuple it came in.
#[derive(Default)]
pub(crate) struct Given<'a> {
    /// Values, in order; the own last value is one of them.
    pub(crate) values: Vec<Option<&'a Value>>,
    /// The own key.
    pub(crate) key: Option<&'a Tag>,
    /// The right to read.
    pub(crate) reader: Option<&'a dyn Lend>,
    /// The right to read one family.
    pub(crate) lookup: Option<Lookup<'a, Tag, Value>>,
}

impl Given<'_> {
    /// The row's key: given as such, or known from an aligned value, which comes first then.
    pub(crate) fn key(&self) -> u32 {
        let from_value = || {
            self.values
                .iter()
                .flatten()
                .next()
                .map(|value| value.origin().key)
        };
        self.key
            .map(Tag::number)
            .or_else(from_value)
            .expect("a row of a family has a key or an aligned input")
    }
}

/// The reads of one run, of a function or of a reaction.
pub(crate) struct Reading<'g, 'a> {
    game: &'g Game,
    by: Place,
    /// What was read and recorded, each row once, with what was found.
    pub(crate) reads: Vec<(Place, Option<i64>)>,
    lent: Vec<(&'a Value, i64)>,
    /// The read in progress.
    current: Option<(Place, How)>,
}

impl<'g, 'a> Reading<'g, 'a> {
    /// No read yet.
    pub(crate) fn new(game: &'g Game, by: Place) -> Self {
        Self {
            game,
            by,
            reads: Vec::new(),
            lent: Vec::new(),
            current: None,
        }
    }

    /// Reads a row, and compares what is found with the model.
    pub(crate) fn read(&mut self, given: &Given<'a>, read: Place, how: How) -> Option<i64> {
        let handle = self.game.handle(read.cog);
        self.current = Some((read, how));
        let found = match (given.lookup, given.reader) {
            (Some(lookup), None) => lookup.get(&Tag::new(read.key)),
            (_, Some(reader)) => reader.lend(handle, read.key, how),
            (None, None) => unreachable!("a function with steps has a way to read"),
        };
        self.current = None;
        let number = found.map(Value::number);
        let mut model = self.game.model();
        model.check_read(self.by, read, number);
        if let Some(origin) = found.map(Value::origin).filter(|origin| *origin != read) {
            model.complain(format!(
                "{:?} read {read:?} and was lent a value of {origin:?}",
                self.by
            ));
        }
        self.lent.extend(found.zip(number));
        if how != How::Peek && !self.reads.iter().any(|(place, _)| *place == read) {
            self.reads.push((read, number));
        }
        number
    }

    /// Complains about values that changed while they were lent.
    pub(crate) fn check_lent(&self) {
        for (value, number) in &self.lent {
            if value.number() != *number {
                self.game.model().complain(format!(
                    "a value lent to {:?} went from {number} to another",
                    self.by
                ));
            }
        }
    }

    /// The run fails: because of the read in progress, if there is one.
    pub(crate) fn check_failure(&self) {
        if let Some((read, how)) = self.current {
            self.game
                .model()
                .check_failed_read(self.by, read, how == How::Get);
        }
    }
}

/// One run of one function. Dropped before its end, it is a failed one.
struct Run<'g, 'a> {
    reading: Reading<'g, 'a>,
    is_over: bool,
}

impl Drop for Run<'_, '_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.reading.check_failure();
            self.reading
                .game
                .model()
                .run_failed(self.reading.by, Fault::Boom);
        }
    }
}

/// Runs the function of `place`.
pub(crate) fn run(game: &Game, place: Place, given: &Given<'_>) -> Option<Value> {
    let (expected, spec, fuse) = {
        let mut model = game.model();
        let expected = model.run_begins(place);
        (
            expected,
            Arc::clone(&model.specs[place.cog]),
            Arc::clone(&model.fuse),
        )
    };
    let mut run = Run {
        reading: Reading::new(game, place),
        is_over: false,
    };
    let (values, mut previous) = split_previous(&spec, &given.values);
    run.reading.lent.extend(
        values
            .iter()
            .flatten()
            .map(|value| (*value, value.number())),
    );
    let inputs: Vec<_> = values
        .iter()
        .map(|value| value.map(Value::number))
        .collect();
    if spec.previous {
        previous = Some(given.reader.and_then(Lend::last));
    }
    let previous = previous.map(|value| value.map(Value::number));
    {
        let mut model = game.model();
        model.check_inputs(place, &inputs);
        if let Some(found) = previous {
            model.check_previous(place, found);
        }
        for ((input, _), value) in spec.declared(place.key).zip(&values) {
            if let Some(origin) = value.map(Value::origin).filter(|origin| *origin != input) {
                model.complain(format!(
                    "{place:?} was given a value of {origin:?} for {input:?}"
                ));
            }
        }
    }
    let value = play(
        &spec,
        place,
        &inputs,
        previous.flatten(),
        &mut |read, how| Ok(run.reading.read(given, read, how)),
    );
    run.reading.check_lent();
    let Ok(value) = value else { boom() };
    run.is_over = true;
    game.model().run_ends(
        place,
        std::mem::take(&mut run.reading.reads),
        value,
        expected,
    );
    value.map(|number| Value::new(&fuse, place, number))
}

type Split<'a> = (Vec<Option<&'a Value>>, Option<Option<&'a Value>>);

/// Tells the own last value, if it was asked for, from the inputs.
fn split_previous<'a>(spec: &crate::net::spec::Spec, values: &[Option<&'a Value>]) -> Split<'a> {
    use crate::net::spec::Role;
    let is_value = |role: &&Role| !matches!(role, Role::Lookup(_) | Role::Reads | Role::OwnKey);
    let mut inputs = Vec::new();
    let mut previous = None;
    for (role, value) in spec.inputs.iter().filter(is_value).zip(values) {
        if *role == Role::Previous {
            previous = Some(*value);
        } else {
            inputs.push(*value);
        }
    }
    (inputs, previous)
}
