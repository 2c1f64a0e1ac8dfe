//! The smallest turn: one source, one value. After it, every invariant of the graph is checked.

use cog_arena::{Arena, Source};

/// Writes `value` to `source` in a turn of its own, and checks the graph.
pub(crate) fn set<T>(arena: &mut Arena, source: Source<T>, value: T)
where
    T: PartialEq + Send + Sync + 'static,
{
    arena.turn(|w| w.set(source, value));
    check(arena);
}

/// Checks every invariant, where the feature that can is on.
#[cfg_attr(
    not(feature = "testing"),
    expect(unused_variables, reason = "only `testing` can check")
)]
pub(crate) fn check(arena: &Arena) {
    #[cfg(feature = "testing")]
    arena.check();
}
