//! An optional input is an option.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let armor = arena.member_family::<_, i32>(space);
    arena.derived_family_from(space, (armor.optional(),), |(armor,): (&i32,)| armor * 2);
}
