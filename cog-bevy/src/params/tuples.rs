//! Tuples of parameters, up to twelve, nested as you like.
//!
//! Takes: parameters. Leaves: one parameter. Never: adds a meaning of its own.

use cog_arena::Inputs;
use variadics_please::all_tuples;

use crate::cogs::Cogs;
use crate::params::param::{CogParam, Declarer};

macro_rules! tuple_of_params {
    ($(($P:ident, $p:ident)),*) => {
        #[expect(clippy::allow_attributes, reason = "which of these apply depends on the arity")]
        #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple has nothing")]
        impl<$($P: CogParam),*> CogParam for ($($P,)*) {
            type Inputs = ($($P::Inputs,)*);
            type Item<'a> = ($($P::Item<'a>,)*);

            fn declare(declarer: &mut impl Declarer) {
                $($P::declare(declarer);)*
            }

            fn inputs(cogs: &Cogs) -> Self::Inputs {
                ($($P::inputs(cogs),)*)
            }

            #[inline(always)]
            fn item<'a>(items: <Self::Inputs as Inputs>::Items<'a>) -> Self::Item<'a> {
                let ($($p,)*) = items;
                ($($P::item($p),)*)
            }
        }
    };
}

all_tuples!(tuple_of_params, 0, 12, P, p);
