//! The cellx lattice: layers of four cogs, each from two or one of the layer below.

use cog_arena::{Derived, Reader, Source};

use super::{Builder, Node, Style, Tally};

/// A lattice.
pub(crate) struct Lattice {
    pub(crate) sources: [Source<i64>; 4],
    /// The top layer.
    pub(crate) top: [Node; 4],
}

/// One layer above another, with a reaction for each of its cogs.
fn layer<T: Tally>(b: &mut Builder<'_, T>, [m1, m2, m3, m4]: [Node; 4]) -> [Node; 4] {
    let layer = [
        b.map(m2, |v| v),
        pair(b, m1, m3, |p, q| p - q),
        pair(b, m2, m4, |p, q| p + q),
        b.map(m3, |v| v),
    ];
    for node in layer {
        b.watch(node);
    }
    layer
}

/// A cog of two inputs of one kind.
fn pair<T: Tally>(b: &mut Builder<'_, T>, p: Node, q: Node, function: fn(i64, i64) -> i64) -> Node {
    let runs = b.runs.clone();
    let declared = move |(p, q): (&i64, &i64)| {
        runs.hit();
        function(*p, *q)
    };
    match (b.style, p, q) {
        (Style::Declared, Node::Source(p), Node::Source(q)) => {
            Node::Derived(b.arena.derived_from((p.shared(), q.shared()), declared))
        }
        (Style::Declared, Node::Derived(p), Node::Derived(q)) => {
            Node::Derived(b.arena.derived_from((p.shared(), q.shared()), declared))
        }
        _ => b.tracked(move |r: &Reader<'_>| function(p.get(r), q.get(r))),
    }
}

/// A lattice of this many layers over the sources 1, 2, 3, 4.
pub(crate) fn lattice<T: Tally>(b: &mut Builder<'_, T>, layers: usize) -> Lattice {
    let sources = [1, 2, 3, 4].map(|first| b.arena.source(first));
    let top = (0..layers).fold(sources.map(Node::Source), |below, _| layer(b, below));
    Lattice { sources, top }
}

/// What the top layer holds over given sources, by plain arithmetic.
pub(crate) fn reference(sources: [i64; 4], layers: usize) -> [i64; 4] {
    (0..layers).fold(sources, |[m1, m2, m3, m4], _| [m2, m1 - m3, m2 + m4, m3])
}

/// Before and after the turn, by the number of layers modulo 12, as published.
pub(crate) const PERIOD: [([i64; 4], [i64; 4]); 12] = [
    ([1, 2, 3, 4], [4, 3, 2, 1]),
    ([2, -2, 6, 3], [3, 2, 4, 2]),
    ([-2, -4, 1, 6], [2, -1, 4, 4]),
    ([-4, -3, 2, 1], [-1, -2, 3, 4]),
    ([-3, -6, -2, 2], [-2, -4, 2, 3]),
    ([-6, -1, -4, -2], [-4, -4, -1, 2]),
    ([-1, -2, -3, -4], [-4, -3, -2, -1]),
    ([-2, 2, -6, -3], [-3, -2, -4, -2]),
    ([2, 4, -1, -6], [-2, 1, -4, -4]),
    ([4, 3, -2, -1], [1, 2, -3, -4]),
    ([3, 6, 2, -2], [2, 4, -2, -3]),
    ([6, 1, 4, 2], [4, 4, 1, -2]),
];

/// The lattice's cogs as plain handles, for the benches.
pub(crate) fn derived(top: [Node; 4]) -> Vec<Derived<i64>> {
    top.into_iter()
        .filter_map(|node| match node {
            Node::Derived(derived) => Some(derived),
            Node::Source(_) => None,
        })
        .collect()
}
