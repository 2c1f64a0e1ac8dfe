//! The usual folds: sums, counts, least and greatest, and one of two functions.
//!
//! Takes: functions of a key and a value. Leaves: folds. Never: keeps more of a row than it takes to take it out.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use crate::recipes::exact::ExactSum;
use crate::recipes::fold::Fold;

/// What can be summed, and taken out of a sum again without a trace.
///
/// Implemented for integers, whose sums wrap: a total that fits is right, whatever lay between. For floats, whose sums
/// are [`ExactSum`]s: no drift, and rounded once. Implement it for vectors and the like.
///
/// # Examples
///
/// ```
/// use cog_arena::{Addend, ExactSum};
///
/// #[derive(Clone, PartialEq, Debug)]
/// struct Point(f64, f64);
///
/// impl Addend for Point {
///     type Total = (ExactSum, ExactSum);
///
///     fn add_to(&self, total: &mut Self::Total) {
///         total.0.add(self.0);
///         total.1.add(self.1);
///     }
///
///     fn remove_from(&self, total: &mut Self::Total) {
///         total.0.remove(self.0);
///         total.1.remove(self.1);
///     }
///
///     fn sum(total: &Self::Total) -> Self {
///         Self(total.0.value(), total.1.value())
///     }
/// }
///
/// let mut arena = cog_arena::Arena::new();
/// let units = arena.key_space::<u32>();
/// let force = arena.member_family::<u32, Point>(units);
/// let total = arena.over(force.aligned()).sum();
/// arena.turn(|w| (1..4).for_each(|key| w.set(force.at(key), Point(1e300, f64::from(key)))));
/// arena.turn(|w| (1..4).for_each(|key| w.set(force.at(key), Point(0.5, f64::from(key)))));
/// assert_eq!(*arena.read(total), Point(1.5, 6.0));
/// ```
pub trait Addend: Clone + PartialEq + Send + Sync + 'static {
    /// A sum under way.
    type Total: Default + Send + Sync + 'static;

    /// Adds it to a sum.
    fn add_to(&self, total: &mut Self::Total);

    /// Takes it out of a sum to which it was added.
    fn remove_from(&self, total: &mut Self::Total);

    /// What the sum comes to.
    fn sum(total: &Self::Total) -> Self;
}

macro_rules! integers {
    ($($integer:ty)*) => {$(
        impl Addend for $integer {
            type Total = Self;

            #[inline]
            fn add_to(&self, total: &mut Self) {
                *total = total.wrapping_add(*self);
            }

            #[inline]
            fn remove_from(&self, total: &mut Self) {
                *total = total.wrapping_sub(*self);
            }

            #[inline]
            fn sum(total: &Self) -> Self {
                *total
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! floats {
    ($($float:ty)*) => {$(
        impl Addend for $float {
            type Total = ExactSum;

            fn add_to(&self, total: &mut ExactSum) {
                total.add((*self).into());
            }

            fn remove_from(&self, total: &mut ExactSum) {
                total.remove((*self).into());
            }

            #[expect(clippy::allow_attributes, reason = "one of the two is wide enough")]
            #[allow(clippy::cast_possible_truncation, reason = "a sum of narrow floats is a narrow float")]
            fn sum(total: &ExactSum) -> Self {
                total.value() as Self
            }
        }
    )*};
}

floats!(f32 f64);

/// The sum of what a function gives for each row.
pub(crate) struct SumBy<F>(pub(crate) F);

impl<K, V, N, F> Fold<K, V> for SumBy<F>
where
    N: Addend,
    F: Fn(&K, &V) -> N + Send + Sync + 'static,
{
    type Kept = N;
    type State = N::Total;
    type Value = N;

    fn start(&self) -> N::Total {
        N::Total::default()
    }

    #[inline]
    fn change(&self, total: &mut N::Total, kept: Option<N>, row: Option<(&K, &V)>) -> Option<N> {
        if let Some(old) = kept {
            old.remove_from(total);
        }
        let new = row.map(|(key, value)| (self.0)(key, value))?;
        new.add_to(total);
        Some(new)
    }

    fn value(&self, total: &mut N::Total) -> N {
        N::sum(total)
    }
}

/// How many rows a function accepts.
pub(crate) struct CountBy<F>(pub(crate) F);

impl<K, V, F: Fn(&K, &V) -> bool + Send + Sync + 'static> Fold<K, V> for CountBy<F> {
    type Kept = ();
    type State = usize;
    type Value = usize;

    fn start(&self) -> usize {
        0
    }

    #[inline]
    fn change(&self, count: &mut usize, kept: Option<()>, row: Option<(&K, &V)>) -> Option<()> {
        let is = row.is_some_and(|(key, value)| (self.0)(key, value));
        *count = *count + usize::from(is) - usize::from(kept.is_some());
        is.then_some(())
    }

    fn value(&self, count: &mut usize) -> usize {
        *count
    }
}

/// Which end of an order.
pub(crate) trait End: Send + Sync + 'static {
    /// The value at that end.
    fn of<O: Ord>(counts: &BTreeMap<O, usize>) -> Option<&O>;
}

/// The least.
pub(crate) struct Least;

/// The greatest.
pub(crate) struct Greatest;

impl End for Least {
    fn of<O: Ord>(counts: &BTreeMap<O, usize>) -> Option<&O> {
        counts.first_key_value().map(|(value, _)| value)
    }
}

impl End for Greatest {
    fn of<O: Ord>(counts: &BTreeMap<O, usize>) -> Option<&O> {
        counts.last_key_value().map(|(value, _)| value)
    }
}

/// The least or greatest of what a function gives for each row.
pub(crate) struct EndBy<F, X>(pub(crate) F, pub(crate) PhantomData<X>);

impl<K, V, O, F, X> Fold<K, V> for EndBy<F, X>
where
    O: Ord + Clone + Send + Sync + 'static,
    F: Fn(&K, &V) -> O + Send + Sync + 'static,
    X: End,
{
    type Kept = O;
    type State = BTreeMap<O, usize>;
    type Value = Option<O>;

    fn start(&self) -> Self::State {
        BTreeMap::new()
    }

    fn change(
        &self,
        counts: &mut Self::State,
        kept: Option<O>,
        row: Option<(&K, &V)>,
    ) -> Option<O> {
        let new = row.map(|(key, value)| (self.0)(key, value));
        if kept == new {
            return kept;
        }
        if let Some(old) = kept
            && let Some(count) = counts.get_mut(&old)
        {
            *count -= 1;
            if *count == 0 {
                counts.remove(&old);
            }
        }
        let new = new?;
        *counts.entry(new.clone()).or_insert(0) += 1;
        Some(new)
    }

    fn value(&self, counts: &mut Self::State) -> Option<O> {
        X::of(counts).cloned()
    }

    fn refresh(&self, counts: &mut Self::State, value: &mut Option<O>) -> bool {
        let new = X::of(counts);
        let moved = new != value.as_ref();
        if moved {
            *value = new.cloned();
        }
        moved
    }
}

/// A value, a function that adds a row to it, and its inverse.
pub(crate) struct Inverse<A, P, M> {
    pub(crate) first: A,
    pub(crate) add: P,
    pub(crate) remove: M,
}

impl<K, V, A, P, M> Fold<K, V> for Inverse<A, P, M>
where
    K: Clone + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    A: Clone + PartialEq + Send + Sync + 'static,
    P: Fn(&mut A, &K, &V) + Send + Sync + 'static,
    M: Fn(&mut A, &K, &V) + Send + Sync + 'static,
{
    type Kept = (K, V);
    type State = A;
    type Value = A;

    fn start(&self) -> A {
        self.first.clone()
    }

    fn change(&self, state: &mut A, kept: Option<(K, V)>, row: Option<(&K, &V)>) -> Option<(K, V)> {
        if let Some((key, value)) = &kept {
            (self.remove)(state, key, value);
        }
        let (key, value) = row?;
        (self.add)(state, key, value);
        Some((key.clone(), value.clone()))
    }

    fn value(&self, state: &mut A) -> A {
        state.clone()
    }
}
