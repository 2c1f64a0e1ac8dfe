//! Putting a computed value in its place, if it differs from the one there.
//!
//! Takes: a value. Leaves: it, or the equal one before it, and whether it moved.
//! Never: replaces a value before its successor is complete.

use std::mem::replace;

use crate::engine::Engine;
use crate::graph::nodes::Flags;
use crate::ids::{Change, NodeIndex, Row, StoreId};
use crate::turn::host::Host;
use crate::values::chunk::drop_caught;

/// What a function gives: a value, or perhaps none.
pub(crate) trait Shape<T>: Send + Sync + 'static {
    /// The function's result.
    type Out;

    /// The value, if there is one.
    fn value(out: Self::Out) -> Option<T>;
}

/// The function gives a value.
pub(crate) struct Whole;

/// The function gives a value or none.
pub(crate) struct Partial;

impl<T> Shape<T> for Whole {
    type Out = T;

    #[inline]
    fn value(out: T) -> Option<T> {
        Some(out)
    }
}

impl<T> Shape<T> for Partial {
    type Out = Option<T>;

    #[inline]
    fn value(out: Option<T>) -> Option<T> {
        out
    }
}

/// When two values are the same to whoever reads them: [`ByPartialEq`] unless a declaration says otherwise.
///
/// Equality sees two values only. `f32` and `f64` follow IEEE: NaN is unequal to itself, so a NaN counts as a
/// change each time; `0.0` equals `-0.0`.
#[diagnostic::on_unimplemented(
    message = "values of type `{T}` can't be compared this way",
    label = "needs `PartialEq`, or an equality of its own",
    note = "derive PartialEq, or declare with `arena.cog().equality(|a, b| ..)` or `arena.cog().always_changes()`"
)]
pub trait Equality<T>: Copy + Send + Sync + 'static {
    /// Whether `new` may stand for `old`.
    fn equal(self, old: &T, new: &T) -> bool;

    /// The same as a plain function.
    #[doc(hidden)]
    fn pointer(self) -> fn(&T, &T) -> bool;
}

/// As `PartialEq` says.
#[derive(Clone, Copy, Debug)]
pub struct ByPartialEq;

/// As a function says.
#[derive(Debug)]
pub struct By<T>(pub(crate) fn(&T, &T) -> bool);

impl<T> Clone for By<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for By<T> {}

/// Never.
#[derive(Clone, Copy, Debug)]
pub struct AlwaysChanges;

impl<T: PartialEq> Equality<T> for ByPartialEq {
    #[inline]
    fn equal(self, old: &T, new: &T) -> bool {
        old == new
    }

    fn pointer(self) -> fn(&T, &T) -> bool {
        |old, new| old == new
    }
}

impl<T: 'static> Equality<T> for By<T> {
    fn equal(self, old: &T, new: &T) -> bool {
        (self.0)(old, new)
    }

    fn pointer(self) -> fn(&T, &T) -> bool {
        self.0
    }
}

impl<T> Equality<T> for AlwaysChanges {
    #[inline]
    fn equal(self, _: &T, _: &T) -> bool {
        false
    }

    fn pointer(self) -> fn(&T, &T) -> bool {
        |_, _| false
    }
}

/// Puts the result of a tracked row's run in its place.
#[inline]
pub(crate) fn install_node<T, E>(
    engine: &mut Engine,
    at: NodeIndex,
    value: Option<T>,
    equality: E,
) -> Change
where
    T: Send + Sync + 'static,
    E: Equality<T>,
{
    let node = &engine.graph.nodes[at];
    let (row, slot) = (node.row, node.value.cast::<T>());
    let Some(value) = value else {
        return engine.drop_value(row);
    };
    if slot.is_null() || node.flags.any(Flags::ABSENT) {
        return install_row(engine, row, value, equality);
    }
    // SAFETY: the node isn't absent, so its address is that of a value of the
    // row's type; nothing borrows it: its readers ran before, or will.
    let current = unsafe { &mut *slot };
    if equality.equal(current, &value) {
        keep(engine, value);
        return Change::Kept;
    }
    let old = replace(current, value);
    keep(engine, old);
    Change::Moved
}

/// Puts the result of a keyless declared cog's run in its place.
#[inline]
pub(crate) fn install_lane<T, E>(
    engine: &mut Engine,
    row: Row,
    (store, local): (StoreId, u32),
    value: T,
    equality: E,
) -> Change
where
    T: Send + Sync + 'static,
    E: Equality<T>,
{
    // Where there is a value its address is known already, or will be when it is read.
    let typed = engine.values.store_mut::<T>(store);
    let Some(current) = typed.get_mut(local, row.offset()) else {
        engine.graph.rows[row.chunk()].known |= row.bit();
        return install_row(engine, row, value, equality);
    };
    if equality.equal(current, &value) {
        keep(engine, value);
        return Change::Kept;
    }
    let old = replace(current, value);
    keep(engine, old);
    Change::Moved
}

/// Puts a value into a row that may have none.
pub(crate) fn install_row<T, E>(engine: &mut Engine, row: Row, value: T, equality: E) -> Change
where
    T: Send + Sync + 'static,
    E: Equality<T>,
{
    let (store, local) = engine.local(row);
    let typed = engine.values.store_mut::<T>(store);
    if typed
        .get(local, row.offset())
        .is_some_and(|current| equality.equal(current, &value))
    {
        keep(engine, value);
        engine.address(row);
        return Change::Kept;
    }
    let old = typed.put(local, row.offset(), value);
    engine.graph.rows[row.chunk()].present |= row.bit();
    engine.address(row);
    keep(engine, old);
    Change::Moved
}

/// Drops a value that nothing reads. A panic of its `Drop` waits for the turn's end.
#[inline]
fn keep<T>(engine: &mut Engine, value: T) {
    if let Some(panic) = drop_caught(value) {
        engine.state.keep(panic);
    }
}
