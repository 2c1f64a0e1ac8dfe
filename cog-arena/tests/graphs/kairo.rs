//! Kairo's shapes: one source or a hundred, and a few dozen cogs in a typical arrangement.

use cog_arena::{Arena, Derived, Reader, Source};

use super::{Builder, Node, Style, Tally};

/// A graph with one source.
pub(crate) struct Shape {
    pub(crate) head: Source<i64>,
    /// The cog whose value is checked.
    pub(crate) last: Node,
}

/// How many additions the busy cogs of `avoidable` do.
const BUSY: i64 = 100;

fn busy(value: i64) -> i64 {
    (0..BUSY).fold(value, |sum, step| std::hint::black_box(sum + step)) - BUSY * (BUSY - 1) / 2
}

/// A change that dies at the second link: the third to fifth never run again.
pub(crate) fn avoidable<T: Tally>(b: &mut Builder<'_, T>) -> Shape {
    let head = b.arena.source(0);
    let first = b.map(Node::Source(head), |v| v);
    let second = b.map(first, |_| 0);
    let third = b.map(second, |v| busy(v + 1));
    let fourth = b.map(third, |v| v + 2);
    let last = b.map(fourth, |v| v + 3);
    b.watch(last);
    Shape { head, last }
}

/// Fifty arms of two links, each with a reaction.
pub(crate) fn broad<T: Tally>(b: &mut Builder<'_, T>) -> Shape {
    let head = b.arena.source(0);
    let mut last = Node::Source(head);
    for arm in 0..50 {
        let near = b.map(Node::Source(head), move |v| v + arm);
        last = b.map(near, |v| v + 1);
        b.watch(last);
    }
    Shape { head, last }
}

/// One chain of fifty links.
pub(crate) fn deep<T: Tally>(b: &mut Builder<'_, T>) -> Shape {
    let head = b.arena.source(0);
    let last = (0..50).fold(Node::Source(head), |below, _| b.map(below, |v| v + 1));
    b.watch(last);
    Shape { head, last }
}

/// The cogs that a shape put between its source and its end.
fn derived<const N: usize>(nodes: &[Node]) -> [Derived<i64>; N] {
    std::array::from_fn(|index| match nodes[index] {
        Node::Derived(derived) => derived,
        Node::Source(_) => unreachable!("only derived cogs are passed here"),
    })
}

/// Five arms and their sum.
pub(crate) fn diamond<T: Tally>(b: &mut Builder<'_, T>) -> Shape {
    let head = b.arena.source(0);
    let arms: Vec<Node> = (0..5)
        .map(|_| b.map(Node::Source(head), |v| v + 1))
        .collect();
    let last = match b.style {
        Style::Tracked => b.tracked(move |r| arms.iter().map(|arm| arm.get(r)).sum()),
        Style::Declared => {
            let runs = b.runs.clone();
            let inputs = <(_, _, _, _, _)>::from(derived::<5>(&arms).map(Derived::shared));
            Node::Derived(b.arena.derived_from(
                inputs,
                move |(p, q, s, t, u): (&i64, &i64, &i64, &i64, &i64)| {
                    runs.hit();
                    p + q + s + t + u
                },
            ))
        }
    };
    b.watch(last);
    Shape { head, last }
}

/// One cog that reads its source thirty times.
pub(crate) fn repeated<T: Tally>(b: &mut Builder<'_, T>) -> Shape {
    let head = b.arena.source(0);
    let last = match b.style {
        Style::Tracked => b.tracked(move |r| (0..30).map(|_| *r.get(head)).sum()),
        Style::Declared => b.map(Node::Source(head), |v| (0..30).map(|_| v).sum()),
    };
    b.watch(last);
    Shape { head, last }
}

/// A chain of ten, and the sum of the source and its first nine links. Nobody reads the tenth.
pub(crate) fn triangle<T: Tally>(b: &mut Builder<'_, T>) -> Shape {
    let head = b.arena.source(0);
    let mut links = Vec::new();
    let mut below = Node::Source(head);
    for _ in 0..10 {
        below = b.map(below, |v| v + 1);
        links.push(below);
    }
    links.pop();
    let last = match b.style {
        Style::Tracked => {
            b.tracked(move |r| *r.get(head) + links.iter().map(|link| link.get(r)).sum::<i64>())
        }
        Style::Declared => {
            let runs = b.runs.clone();
            let near: [Derived<i64>; 5] = derived(&links);
            let far: [Derived<i64>; 4] = derived(&links[5..]);
            let inputs = (
                head.shared(),
                <(_, _, _, _, _)>::from(near.map(Derived::shared)),
                <(_, _, _, _)>::from(far.map(Derived::shared)),
            );
            type Near<'a> = (&'a i64, &'a i64, &'a i64, &'a i64, &'a i64);
            type Far<'a> = (&'a i64, &'a i64, &'a i64, &'a i64);
            let sum = move |(h, n, f): (&i64, Near<'_>, Far<'_>)| {
                runs.hit();
                h + n.0 + n.1 + n.2 + n.3 + n.4 + f.0 + f.1 + f.2 + f.3
            };
            Node::Derived(b.arena.derived_from(inputs, sum))
        }
    };
    b.watch(last);
    Shape { head, last }
}

/// Twenty rounds of one of two cogs, chosen by the parity of the source.
pub(crate) fn unstable<T: Tally>(b: &mut Builder<'_, T>) -> Shape {
    let shape = unstable_unwatched(b);
    b.watch(shape.last);
    shape
}

/// The same without a reaction.
pub(crate) fn unstable_unwatched<T: Tally>(b: &mut Builder<'_, T>) -> Shape {
    let head = b.arena.source(0);
    let double = b.map(Node::Source(head), |v| 2 * v);
    let inverse = b.map(Node::Source(head), |v| -v);
    let last = b.tracked(move |r: &Reader<'_>| {
        let round = |_| {
            if *r.get(head) % 2 == 0 {
                inverse.get(r)
            } else {
                double.get(r)
            }
        };
        (0..20).map(round).sum()
    });
    Shape { head, last }
}

/// A graph with a hundred sources.
pub(crate) struct Mux {
    pub(crate) heads: Vec<Source<i64>>,
    pub(crate) ends: Vec<Node>,
}

/// A snapshot of all sources, and behind it two links and a reaction for each of them.
pub(crate) fn mux<T: Tally>(b: &mut Builder<'_, T>) -> Mux {
    let heads: Vec<Source<i64>> = (0..100).map(|_| b.arena.source(0)).collect();
    let (all, runs) = (heads.clone(), b.runs.clone());
    let snapshot = b.arena.derived(move |r| {
        runs.hit();
        all.iter().map(|&head| *r.get(head)).collect::<Vec<i64>>()
    });
    let mut ends = Vec::new();
    for index in 0..heads.len() {
        let split = Node::Derived(split(b.arena, b.style, b.runs, snapshot, index));
        let end = b.map(split, |v| v + 1);
        b.watch(end);
        ends.push(end);
    }
    Mux { heads, ends }
}

fn split<T: Tally>(
    arena: &mut Arena,
    style: Style,
    runs: &T,
    snapshot: Derived<Vec<i64>>,
    index: usize,
) -> Derived<i64> {
    let runs = runs.clone();
    match style {
        Style::Tracked => arena.derived(move |r| {
            runs.hit();
            r.get(snapshot)[index]
        }),
        Style::Declared => arena.derived_from(snapshot.shared(), move |all: &Vec<i64>| {
            runs.hit();
            all[index]
        }),
    }
}
