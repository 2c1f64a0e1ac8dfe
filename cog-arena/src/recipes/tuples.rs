//! Tuples of inputs, up to twelve.
//!
//! Takes: inputs. Leaves: tuples of them, themselves inputs. Never: adds a cost.

use crate::recipes::fetch::{Declaration, Fetch};
use crate::recipes::inputs::Inputs;

macro_rules! tuple {
    ($($name:ident $value:ident),*) => {
        // SAFETY: each member answers for itself.
        #[allow(unused_variables, clippy::unused_unit, clippy::allow_attributes, reason = "nothing to pass on for the empty tuple")]
        unsafe impl<$($name: Inputs),*> Inputs for ($($name,)*) {
            type Items<'a> = ($($name::Items<'a>,)*);
            type Chunk = ($($name::Chunk,)*);
            const TRACKED: bool = false $(|| $name::TRACKED)*;

            fn declare(self, declaration: &mut Declaration<'_>) {
                let ($($value,)*) = self;
                $($value.declare(declaration);)*
            }

            #[inline]
            fn chunk(self, fetch: &Fetch<'_>) -> Self::Chunk {
                let ($($value,)*) = self;
                ($($value.chunk(fetch),)*)
            }

            #[inline]
            unsafe fn item<'a>(chunk: Self::Chunk, fetch: &'a Fetch<'a>, offset: u32) -> Self::Items<'a> {
                let ($($value,)*) = chunk;
                // SAFETY: the caller's promises hold for each member.
                ($(unsafe { $name::item($value, fetch, offset) },)*)
            }
        }
    };
}

tuple!();
tuple!(A a);
tuple!(A a, B b);
tuple!(A a, B b, C c);
tuple!(A a, B b, C c, D d);
tuple!(A a, B b, C c, D d, E e);
tuple!(A a, B b, C c, D d, E e, F f);
tuple!(A a, B b, C c, D d, E e, F f, G g);
tuple!(A a, B b, C c, D d, E e, F f, G g, H h);
tuple!(A a, B b, C c, D d, E e, F f, G g, H h, I i);
tuple!(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j);
tuple!(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, L l);
tuple!(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, L l, M m);
