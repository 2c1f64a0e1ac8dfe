//! Equality of floats by their bits.
//!
//! Takes: two values. Leaves: whether they are the same to the last bit. Never: calls two `NaN`s different that have the
//! same bits, or `0.0` and `-0.0` the same.

/// A value that can be compared by its bits: floats, and arrays, tuples and options of them.
///
/// Floats are `PartialEq` in the manner of IEEE 754: a `NaN` is unequal to itself, so a source or derived value that is
/// `NaN` counts as changed each time. [`bitwise`] doesn't.
///
/// # Examples
///
/// Implemented for your own type in a line:
///
/// ```
/// use cog_arena::Bitwise;
///
/// struct Place { x: f32, y: f32 }
///
/// impl Bitwise for Place {
///     fn bitwise_eq(&self, other: &Self) -> bool {
///         (self.x, self.y).bitwise_eq(&(other.x, other.y))
///     }
/// }
///
/// assert!(Place { x: f32::NAN, y: 1.0 }.bitwise_eq(&Place { x: f32::NAN, y: 1.0 }));
/// ```
pub trait Bitwise {
    /// Whether both have the same bits.
    fn bitwise_eq(&self, other: &Self) -> bool;
}

/// Whether both have the same bits: an equality for [`Declare::equality`](crate::Declare::equality).
///
/// It doesn't round: for "near enough" give a function of your own.
///
/// # Examples
///
/// ```
/// use cog_arena::{Arena, bitwise};
///
/// let mut arena = Arena::new();
/// let heat = arena.cog().equality(bitwise::<f32>).source(f32::NAN);
/// let glow = arena.derived(move |r| r.get(heat) * 2.0);
/// arena.read(glow);
/// arena.turn(|w| w.set(heat, f32::NAN));
/// arena.read(glow);
/// assert_eq!(arena.counts().run, 0);
/// ```
#[must_use]
pub fn bitwise<T: Bitwise>(a: &T, b: &T) -> bool {
    a.bitwise_eq(b)
}

macro_rules! floats {
    ($($float:ty),*) => {
        $(
            impl Bitwise for $float {
                #[inline]
                fn bitwise_eq(&self, other: &Self) -> bool {
                    self.to_bits() == other.to_bits()
                }
            }
        )*
    };
}

floats!(f32, f64);

impl<T: Bitwise> Bitwise for Option<T> {
    fn bitwise_eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Some(a), Some(b)) => a.bitwise_eq(b),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T: Bitwise> Bitwise for [T] {
    fn bitwise_eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a.bitwise_eq(b))
    }
}

impl<T: Bitwise, const N: usize> Bitwise for [T; N] {
    fn bitwise_eq(&self, other: &Self) -> bool {
        self.as_slice().bitwise_eq(other)
    }
}

impl<T: Bitwise> Bitwise for Vec<T> {
    fn bitwise_eq(&self, other: &Self) -> bool {
        self.as_slice().bitwise_eq(other)
    }
}

macro_rules! tuples {
    ($(($($name:ident $at:tt),*)),*) => {
        $(
            impl<$($name: Bitwise),*> Bitwise for ($($name,)*) {
                #[inline]
                fn bitwise_eq(&self, other: &Self) -> bool {
                    $(self.$at.bitwise_eq(&other.$at))&&*
                }
            }
        )*
    };
}

tuples!((A 0, B 1), (A 0, B 1, C 2), (A 0, B 1, C 2, D 3));
