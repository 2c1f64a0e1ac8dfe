//! Declaring folds: one keyless value made of all rows of a family.
//!
//! Takes: a family, and how its rows are put together. Leaves: a keyless cog. Never: looks at a row.

use std::marker::PhantomData;

use crate::graph::columns::{Input, Kind};
use crate::handle::Derived;
use crate::ids::SpaceId;
use crate::kinds::declare::{Declare, NewColumn};
use crate::recipes::descriptors::Aligned;
use crate::recipes::fold::{Fold, Folded};
use crate::recipes::folds::{Addend, CountBy, EndBy, Greatest, Inverse, Least, SumBy};
use crate::recipes::sorted::{Sorted, SortedBy};
use crate::values::keys::Key;

/// A fold about to be declared: one keyless derived value made of all rows of a family. Say which.
///
/// Made by [`Arena::over`](crate::Arena::over) and [`Declare::over`]. What is declared is a [`Derived`] like any other:
/// read, held, watched, shared. It counts the *members* of the family's key space that have a value; rows that are only
/// read, of keys that aren't members, don't count.
///
/// It is brought up to date by the rows that moved, and no others: what each row added is kept, and taken out again when
/// the row moves or goes, though its old value is gone. It runs once in a turn in which some row moved, and is equal, so
/// that nothing beyond it runs, if its value is. Held, it settles with the turn, and the whole family with it; only read,
/// it waits, and so does the family.
///
/// The family is an input like any declared one: if a member's row fails, the fold fails, until the row is well again or
/// gone. If a function of the fold panics, the fold fails, and the next run starts from all rows.
///
/// # Cost
///
/// O(rows that moved), whatever the size of the family; O(log rows) each where an order is kept. The first run, and one
/// after a failure of its own, looks at all members, as does the first read after it was let go. Memory: what a row adds,
/// for each row number of the key space. A warm turn of a sum or a count allocates nothing; where an order is kept, its
/// tree may.
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let units = arena.key_space::<u32>();
/// let health = arena.member_family::<u32, u32>(units);
/// let total = arena.over(health.aligned()).sum();
/// let alive = arena.over(health.aligned()).count_by(|_, health| 0 < *health);
/// let weakest = arena.over(health.aligned()).min();
/// arena.turn(|w| (1..=4).for_each(|unit| w.set(health.at(unit), unit * 10)));
/// assert_eq!((*arena.read(total), *arena.read(alive), *arena.read(weakest)), (100, 4, Some(10)));
///
/// arena.turn(|w| w.set(health.at(4), 0));
/// assert_eq!((*arena.read(total), *arena.read(alive), *arena.read(weakest)), (60, 3, Some(0)));
/// ```
#[derive(Debug)]
#[must_use = "nothing is declared before a fold is chosen, such as `.sum()`"]
pub struct Over<'a, K, V> {
    declare: Declare<'a>,
    family: Aligned<K, V>,
}

impl<'a> Declare<'a> {
    /// A fold over a family. See [`Arena::over`](crate::Arena::over).
    ///
    /// # Panics
    ///
    /// If the family belongs to another arena.
    #[track_caller]
    pub fn over<K: Key, V: Send + Sync + 'static>(self, family: Aligned<K, V>) -> Over<'a, K, V> {
        self.engine.own(family.arena);
        Over {
            declare: self,
            family,
        }
    }
}

impl<K: Key, V: Send + Sync + 'static> Over<'_, K, V> {
    /// The sum of all values. Integers wrap; sums of floats are exact and rounded once: see [`Addend`].
    ///
    /// # Examples
    ///
    /// See [`Over`].
    pub fn sum(self) -> Derived<V>
    where
        V: Addend,
    {
        self.sum_by(|_, value| value.clone())
    }

    /// The sum of what `function` gives for each row.
    ///
    /// # Examples
    ///
    /// ```
    /// # let mut arena = cog_arena::Arena::new();
    /// # let units = arena.key_space::<u32>();
    /// let armor = arena.member_family::<u32, u8>(units);
    /// let total = arena.over(armor.aligned()).sum_by(|_, armor| u64::from(*armor));
    /// arena.turn(|w| (0..3).for_each(|unit| w.set(armor.at(unit), 200)));
    /// assert_eq!(*arena.read(total), 600);
    /// ```
    pub fn sum_by<N: Addend>(
        self,
        function: impl Fn(&K, &V) -> N + Send + Sync + 'static,
    ) -> Derived<N> {
        self.with(SumBy(function))
    }

    /// How many members have a value.
    ///
    /// # Examples
    ///
    /// ```
    /// # let mut arena = cog_arena::Arena::new();
    /// # let units = arena.key_space::<u32>();
    /// let armor = arena.member_family::<u32, u8>(units);
    /// let armored = arena.over(armor.aligned()).count();
    /// arena.turn(|w| w.set(armor.at(7), 1));
    /// assert_eq!(*arena.read(armored), 1);
    /// ```
    pub fn count(self) -> Derived<usize> {
        self.count_by(|_, _| true)
    }

    /// How many rows `function` accepts.
    ///
    /// # Examples
    ///
    /// See [`Over`].
    pub fn count_by(
        self,
        function: impl Fn(&K, &V) -> bool + Send + Sync + 'static,
    ) -> Derived<usize> {
        self.with(CountBy(function))
    }

    /// The least value, if there is one.
    ///
    /// # Examples
    ///
    /// See [`Over`].
    pub fn min(self) -> Derived<Option<V>>
    where
        V: Ord + Clone,
    {
        self.min_by(|_, value| value.clone())
    }

    /// The least of what `function` gives for each row. Floats have no order of their own: wrap them in a type that is
    /// `Ord` by `total_cmp`.
    ///
    /// # Examples
    ///
    /// ```
    /// # let mut arena = cog_arena::Arena::new();
    /// # let units = arena.key_space::<u32>();
    /// let armor = arena.member_family::<u32, u8>(units);
    /// let weakest = arena.over(armor.aligned()).min_by(|unit, armor| (*armor, *unit));
    /// arena.turn(|w| (4..8).for_each(|unit| w.set(armor.at(unit), 1)));
    /// assert_eq!(*arena.read(weakest), Some((1, 4)));
    /// ```
    pub fn min_by<O: Ord + Clone + Send + Sync + 'static>(
        self,
        function: impl Fn(&K, &V) -> O + Send + Sync + 'static,
    ) -> Derived<Option<O>> {
        self.with(EndBy(function, PhantomData::<Least>))
    }

    /// The greatest value, if there is one.
    ///
    /// # Examples
    ///
    /// See [`Over`].
    pub fn max(self) -> Derived<Option<V>>
    where
        V: Ord + Clone,
    {
        self.max_by(|_, value| value.clone())
    }

    /// The greatest of what `function` gives for each row. As [`min_by`](Self::min_by).
    ///
    /// # Examples
    ///
    /// See [`min_by`](Self::min_by).
    pub fn max_by<O: Ord + Clone + Send + Sync + 'static>(
        self,
        function: impl Fn(&K, &V) -> O + Send + Sync + 'static,
    ) -> Derived<Option<O>> {
        self.with(EndBy(function, PhantomData::<Greatest>))
    }

    /// `first`, with each row added by `add`; `remove` is its inverse, and gets the very key and value that were added.
    ///
    /// The order of rows must not matter, nor rows that were added and removed: with floats, it does, by rounding, so that
    /// the value drifts. [`ExactSum`](crate::ExactSum) doesn't.
    ///
    /// # Cost
    ///
    /// A clone of the value in each run, and of each row that moved.
    ///
    /// # Examples
    ///
    /// ```
    /// # let mut arena = cog_arena::Arena::new();
    /// # let units = arena.key_space::<u32>();
    /// let team = arena.member_family::<u32, usize>(units);
    /// let sizes = arena.over(team.aligned()).fold(
    ///     [0; 3],
    ///     |sizes, _, team| sizes[*team] += 1,
    ///     |sizes, _, team| sizes[*team] -= 1,
    /// );
    /// arena.turn(|w| (0..5).for_each(|unit| w.set(team.at(unit), unit as usize % 3)));
    /// assert_eq!(*arena.read(sizes), [2, 2, 1]);
    /// ```
    pub fn fold<A: Clone + PartialEq + Send + Sync + 'static>(
        self,
        first: A,
        add: impl Fn(&mut A, &K, &V) + Send + Sync + 'static,
        remove: impl Fn(&mut A, &K, &V) + Send + Sync + 'static,
    ) -> Derived<A>
    where
        V: Clone,
    {
        self.with(Inverse { first, add, remove })
    }

    /// The keys, sorted by what `function` gives for each row, then by key.
    ///
    /// # Examples
    ///
    /// See [`Sorted`].
    pub fn sorted_by<S: Ord + Clone + Send + Sync + 'static>(
        self,
        function: impl Fn(&K, &V) -> S + Send + Sync + 'static,
    ) -> Derived<Sorted<K, S>>
    where
        K: Ord,
    {
        self.sorted_where(move |key, value| Some(function(key, value)))
    }

    /// The keys for which `function` gives something, sorted by that, then by key.
    ///
    /// # Examples
    ///
    /// ```
    /// # let mut arena = cog_arena::Arena::new();
    /// # let units = arena.key_space::<u32>();
    /// let health = arena.member_family::<u32, u32>(units);
    /// let wounded = arena.over(health.aligned()).sorted_where(|_, health| (*health < 50).then_some(*health));
    /// arena.turn(|w| (1..=4).for_each(|unit| w.set(health.at(unit), 80 - unit * 15)));
    /// assert_eq!(arena.read(wounded).keys().collect::<Vec<_>>(), [&4, &3]);
    /// ```
    pub fn sorted_where<S: Ord + Clone + Send + Sync + 'static>(
        self,
        function: impl Fn(&K, &V) -> Option<S> + Send + Sync + 'static,
    ) -> Derived<Sorted<K, S>>
    where
        K: Ord,
    {
        self.with(SortedBy(function))
    }

    /// The keys of rows that `function` accepts, in their own order.
    ///
    /// # Examples
    ///
    /// ```
    /// # let mut arena = cog_arena::Arena::new();
    /// # let units = arena.key_space::<u32>();
    /// let health = arena.member_family::<u32, u32>(units);
    /// let dead = arena.over(health.aligned()).filtered(|_, health| *health == 0);
    /// arena.turn(|w| (1..=4).for_each(|unit| w.set(health.at(unit), unit % 2)));
    /// assert_eq!(arena.read(dead).keys().collect::<Vec<_>>(), [&2, &4]);
    /// ```
    pub fn filtered(
        self,
        function: impl Fn(&K, &V) -> bool + Send + Sync + 'static,
    ) -> Derived<Sorted<K, ()>>
    where
        K: Ord,
    {
        self.sorted_where(move |key, value| function(key, value).then_some(()))
    }

    /// A fold of your own.
    ///
    /// # Examples
    ///
    /// See [`Fold`].
    pub fn with<F: Fold<K, V>>(self, fold: F) -> Derived<F::Value> {
        let Self {
            mut declare,
            family,
        } = self;
        let running = Folded::<K, V, F>::add_store(declare.engine);
        let (store, row) = declare.keyless::<F::Value>();
        let local = declare.engine.local(row).1;
        let typed = declare.engine.values.store_mut::<F::Value>(store);
        typed.ensure(local);
        let recipe = declare.recipe(Folded {
            fold,
            family,
            running,
        });
        let column = declare.column(NewColumn {
            kind: Kind::Declared,
            inputs: vec![Input {
                column: family.column,
                shared: false,
                required: false,
            }],
            recipe,
            space: SpaceId::NIL,
            lane: row,
            store,
        });
        declare.engine.graph.columns.fold_whole(column);
        Derived::new(declare.engine.id, row, store)
    }
}
