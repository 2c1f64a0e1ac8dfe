//! A family is saved with its keys.

use cog_arena::{Arena, KeySpace};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Unit(u32);

fn main() {
    let mut arena = Arena::new();
    let units: KeySpace<Unit> = arena.key_space();
    let _ = arena.cog().name("armor").saved().member_family::<_, u32>(units);
}
