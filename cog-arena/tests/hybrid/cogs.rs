//! From tables of columns to cogs.
//!
//! Takes: a table. Leaves: cogs whose functions play the table and tell the world. Never: keeps
//! the world locked while the arena has control.

use crate::rooms::columns::{Column, How, Input, Kind, Place};
use crate::rooms::world::{Value, World};
use cog_arena::{
    Arena, Derived, DerivedFamily, KeySpace, OwnKey, Reader, Reads, Source, SourceFamily,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A declared column.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cog {
    /// A keyless source.
    Source(Source<Value>),
    /// A keyless derived cog.
    Derived(Derived<Value>),
    /// A family of sources.
    SourceFamily(SourceFamily<u32, Value>),
    /// A family of derived cogs.
    DerivedFamily(DerivedFamily<u32, Value>),
}

/// Runs an expression with the row of `cog` at `key`, whichever type it has.
macro_rules! with_row {
    ($cog:expr, $key:expr, $row:ident => $do:expr) => {
        match $cog {
            $crate::rooms::cogs::Cog::Source($row) => $do,
            $crate::rooms::cogs::Cog::Derived($row) => $do,
            $crate::rooms::cogs::Cog::SourceFamily(family) => {
                let $row = family.at($key);
                $do
            }
            $crate::rooms::cogs::Cog::DerivedFamily(family) => {
                let $row = family.at($key);
                $do
            }
        }
    };
}
pub(crate) use with_row;

/// Both sides, as the functions know them.
#[derive(Debug)]
pub(crate) struct Shared {
    world: Mutex<World>,
    cogs: Mutex<Vec<Cog>>,
}

impl Shared {
    /// The two sides of a fresh world.
    pub(crate) fn new(world: World) -> Arc<Self> {
        Arc::new(Self {
            world: Mutex::new(world),
            cogs: Mutex::default(),
        })
    }

    /// The naive side.
    pub(crate) fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cog of a column.
    pub(crate) fn cog(&self, column: usize) -> Cog {
        self.cogs.lock().unwrap_or_else(PoisonError::into_inner)[column]
    }
}

/// Runs the function of `place`, and looks at the end whether what it was lent is unchanged.
fn run(
    shared: &Shared,
    place: Place,
    given: &[Option<&Value>],
    reader: Option<&Reader<'_>>,
) -> Option<Value> {
    let numbers: Vec<_> = given
        .iter()
        .map(|value| value.map(|value| value.number))
        .collect();
    let (column, columns) = {
        let mut world = shared.world();
        world.run_begins(place, &numbers);
        (world.columns[place.column].clone(), world.columns.clone())
    };
    let mut lent: Vec<(&Value, Value)> = given
        .iter()
        .flatten()
        .map(|value| (*value, **value))
        .collect();
    let mut reads = Vec::new();
    let value = column.play(&columns, place, &numbers, &mut |read| {
        let reader = reader.expect("a function that reads has a reader");
        let found = with_row!(shared.cog(read.column), read.key, row => reader.lookup(row));
        assert_eq!(
            found.map(|value| value.number),
            shared.world().truth(read),
            "{place:?} reads {read:?}"
        );
        if let Some(value) = found {
            assert!(
                !columns[read.column].keyed || value.key == read.key,
                "{place:?} reads {read:?}, not {value:?}"
            );
            lent.push((value, *value));
        }
        if !reads.contains(&read) {
            reads.push(read);
        }
        found.map(|value| value.number)
    });
    for (now, then) in lent {
        assert_eq!(
            *now, then,
            "a value lent to {place:?} was replaced while it ran"
        );
    }
    shared.world().run_ends(place, reads, value);
    value.map(|number| Value {
        key: place.key,
        number,
    })
}

/// The value of a function that always gives one.
fn total(value: Option<Value>) -> Value {
    value.expect("a total function gives a value")
}

/// An item of an input tuple as a value that may be missing.
trait Item<'a> {
    fn value(self) -> Option<&'a Value>;
}

impl<'a> Item<'a> for &'a Value {
    fn value(self) -> Option<&'a Value> {
        Some(self)
    }
}

impl<'a> Item<'a> for Option<&'a Value> {
    fn value(self) -> Option<&'a Value> {
        self
    }
}

/// Descriptors of the inputs, in order.
macro_rules! input {
    ($shared:ident $inputs:ident aligned) => {
        match $shared.cog($inputs.next().expect("the inputs fit the shape").column) {
            Cog::SourceFamily(family) => family.aligned(),
            Cog::DerivedFamily(family) => family.aligned(),
            other => unreachable!("{other:?} is a family"),
        }
    };
    ($shared:ident $inputs:ident optional) => {
        match $shared.cog($inputs.next().expect("the inputs fit the shape").column) {
            Cog::SourceFamily(family) => family.optional(),
            Cog::DerivedFamily(family) => family.optional(),
            other => unreachable!("{other:?} is a family"),
        }
    };
    ($shared:ident $inputs:ident shared) => {
        match $shared.cog($inputs.next().expect("the inputs fit the shape").column) {
            Cog::Source(cog) => cog.shared(),
            Cog::Derived(cog) => cog.shared(),
            other => unreachable!("{other:?} is keyless"),
        }
    };
}

/// Declares all columns, in order.
pub(crate) fn declare(arena: &mut Arena, space: KeySpace<u32>, shared: &Arc<Shared>) {
    let columns = shared.world().columns.clone();
    for (number, column) in columns.iter().enumerate() {
        let cog = declare_one(arena, space, shared, number, column);
        shared
            .cogs
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(cog);
    }
}

fn declare_one(
    arena: &mut Arena,
    space: KeySpace<u32>,
    shared: &Arc<Shared>,
    number: usize,
    column: &Column,
) -> Cog {
    let its = Arc::clone(shared);
    match (&column.kind, column.keyed) {
        (Kind::Source { partial: false }, true) => {
            Cog::SourceFamily(arena.source_family(space, |key| Value {
                key: *key,
                number: 0,
            }))
        }
        (Kind::Source { .. }, true) => Cog::SourceFamily(arena.member_family(space)),
        (Kind::Source { partial: false }, false) => {
            Cog::Source(arena.source(Value { key: 0, number: 0 }))
        }
        (Kind::Source { .. }, false) => Cog::Source(arena.absent_source()),
        (_, false) if column.inputs.is_empty() => Cog::Derived(arena.derived(move |reader| {
            total(run(
                &its,
                Place {
                    column: number,
                    key: 0,
                },
                &[],
                Some(reader),
            ))
        })),
        (_, true) if column.inputs.is_empty() => {
            Cog::DerivedFamily(arena.derived_family(space, move |reader, key| {
                total(run(
                    &its,
                    Place {
                        column: number,
                        key: *key,
                    },
                    &[],
                    Some(reader),
                ))
            }))
        }
        (_, false) => declare_keyless(arena, shared, number, column),
        (_, true) => declare_family(arena, space, shared, number, column),
    }
}

/// The letters of a column's inputs, in order.
fn shape(column: &Column) -> String {
    let letter = |input: &Input| match input.how {
        How::Aligned => 'A',
        How::Optional => 'O',
        How::Shared => 'S',
    };
    column.inputs.iter().map(letter).collect()
}

fn declare_keyless(arena: &mut Arena, shared: &Arc<Shared>, number: usize, column: &Column) -> Cog {
    let its = Arc::clone(shared);
    let mut inputs = column.inputs.iter();
    let place = Place {
        column: number,
        key: 0,
    };
    macro_rules! shapes {
        ($($text:literal ($($how:ident $name:ident),*))*) => {
            match (shape(column).as_str(), column.has_reader(), may_be_nothing(column)) {
                $(
                    ($text, true, _) => Cog::Derived(arena.derived_from(
                        ($(input!(shared inputs $how),)* Reads),
                        move |($($name,)* reader)| total(run(&its, place, &[$($name.value()),*], Some(reader))),
                    )),
                    ($text, false, false) => Cog::Derived(arena.derived_from(
                        ($(input!(shared inputs $how),)*),
                        move |($($name,)*)| total(run(&its, place, &[$($name.value()),*], None)),
                    )),
                    ($text, false, true) => Cog::Derived(arena.partial_from(
                        ($(input!(shared inputs $how),)*),
                        move |($($name,)*)| run(&its, place, &[$($name.value()),*], None),
                    )),
                )*
                (other, ..) => unreachable!("{other} is a shape"),
            }
        };
    }
    shapes!("S"(shared a) "SS"(shared a, shared b) "SSS"(shared a, shared b, shared c))
}

fn may_be_nothing(column: &Column) -> bool {
    matches!(
        column.kind,
        Kind::Sum {
            may_be_nothing: true,
            ..
        }
    )
}

fn declare_family(
    arena: &mut Arena,
    space: KeySpace<u32>,
    shared: &Arc<Shared>,
    number: usize,
    column: &Column,
) -> Cog {
    let its = Arc::clone(shared);
    let mut inputs = column.inputs.iter();
    macro_rules! shapes {
        ($($text:literal ($($how:ident $name:ident),*))*) => {
            match (shape(column).as_str(), column.has_reader(), may_be_nothing(column)) {
                $(
                    ($text, true, _) => Cog::DerivedFamily(arena.derived_family_from(
                        space,
                        (OwnKey::new(), ($(input!(shared inputs $how),)*), Reads),
                        move |(key, ($($name,)*), reader)| {
                            total(run(&its, at(number, key), &[$($name.value()),*], Some(reader)))
                        },
                    )),
                    // No key in the tuple: the shortest way through the arena. The value tells whose it is.
                    ($text, false, false) if $text.starts_with('A') => Cog::DerivedFamily(arena.derived_family_from(
                        space,
                        ($(input!(shared inputs $how),)*),
                        move |($($name,)*)| {
                            let given = [$($name.value()),*];
                            total(run(&its, at(number, &given[0].expect("aligned").key), &given, None))
                        },
                    )),
                    ($text, false, false) => Cog::DerivedFamily(arena.derived_family_from(
                        space,
                        ($(input!(shared inputs $how),)* OwnKey::new()),
                        move |($($name,)* key)| total(run(&its, at(number, key), &[$($name.value()),*], None)),
                    )),
                    ($text, false, true) => Cog::DerivedFamily(arena.partial_family_from(
                        space,
                        ($(input!(shared inputs $how),)* OwnKey::new()),
                        move |($($name,)* key)| run(&its, at(number, key), &[$($name.value()),*], None),
                    )),
                )*
                (other, ..) => unreachable!("{other} is a shape"),
            }
        };
    }
    shapes!(
        "A"(aligned a) "O"(optional a) "S"(shared a)
        "AA"(aligned a, aligned b) "AO"(aligned a, optional b) "AS"(aligned a, shared b)
        "OA"(optional a, aligned b) "OO"(optional a, optional b) "OS"(optional a, shared b)
        "SA"(shared a, aligned b) "SO"(shared a, optional b) "SS"(shared a, shared b)
        "AAA"(aligned a, aligned b, aligned c) "AAO"(aligned a, aligned b, optional c)
        "AAS"(aligned a, aligned b, shared c) "AOA"(aligned a, optional b, aligned c)
        "AOO"(aligned a, optional b, optional c) "AOS"(aligned a, optional b, shared c)
        "ASA"(aligned a, shared b, aligned c) "ASO"(aligned a, shared b, optional c)
        "ASS"(aligned a, shared b, shared c) "OAA"(optional a, aligned b, aligned c)
        "OAO"(optional a, aligned b, optional c) "OAS"(optional a, aligned b, shared c)
        "OOA"(optional a, optional b, aligned c) "OOO"(optional a, optional b, optional c)
        "OOS"(optional a, optional b, shared c) "OSA"(optional a, shared b, aligned c)
        "OSO"(optional a, shared b, optional c) "OSS"(optional a, shared b, shared c)
        "SAA"(shared a, aligned b, aligned c) "SAO"(shared a, aligned b, optional c)
        "SAS"(shared a, aligned b, shared c) "SOA"(shared a, optional b, aligned c)
        "SOO"(shared a, optional b, optional c) "SOS"(shared a, optional b, shared c)
        "SSA"(shared a, shared b, aligned c) "SSO"(shared a, shared b, optional c)
        "SSS"(shared a, shared b, shared c)
    )
}

fn at(column: usize, key: &u32) -> Place {
    Place { column, key: *key }
}
