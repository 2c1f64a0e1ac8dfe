//! What a derived function may ask for, and how its signature becomes declared inputs.
//!
//! Takes: function signatures. Leaves: what each one depends on, the descriptors by which the
//! arena hands the values over, and the wrappers in which the function receives them.
//! Never: looks into the world; which component is a source and which is derived, `Cogs` knows.

mod compare;
mod param;
mod input;
mod resource;
mod lookup;
mod own;
mod tuples;
mod function;
mod moved;

pub use compare::{AsDeclared, ByEq, Compare};
pub use function::{DerivedFn, DerivedOut, IsOptional, IsPlain};
pub use input::Input;
pub use lookup::Lookup;
pub use moved::{CogMoved, CogResourceMoved, Moved};
pub use own::{Own, Previous};
pub use param::{CogParam, Declarer, Need};
pub use resource::InputRes;
