//! The mol benchmark: eight cogs with a conditional fallback, and three reactions that write a log.

use std::sync::{Arc, Mutex};

use cog_arena::{Arena, Derived, Source};

use super::{Style, Tally};

/// Whether the list in the middle counts as changed whenever it was made anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// By its content, which never changes.
    Content,
    /// Every list is another one.
    Fresh,
}

/// The graph, its log, and a tally for each of the cogs C, D, E, F, G and the reactions H, I, J.
pub(crate) struct Mol<T> {
    pub(crate) a: Source<i64>,
    pub(crate) b: Source<i64>,
    pub(crate) log: Arc<Mutex<Vec<i64>>>,
    pub(crate) runs: [T; 8],
}

fn fibonacci(n: i64) -> i64 {
    if n < 2 {
        1
    } else {
        fibonacci(n - 1) + fibonacci(n - 2)
    }
}

fn hard(x: i64) -> i64 {
    x + fibonacci(16)
}

/// The five records.
fn records((a, b): (&i64, &i64)) -> Vec<i64> {
    (0..5).map(|index| index + a % 2 - b % 2).collect()
}

/// Builds the graph.
pub(crate) fn mol<T: Tally + Default>(
    arena: &mut Arena,
    style: Style,
    identity: Identity,
) -> Mol<T> {
    let runs: [T; 8] = std::array::from_fn(|_| T::default());
    let [of_c, of_d, of_e, of_f, of_g, of_h, of_i, of_j] = runs.clone();
    let (a, b) = (arena.source(0_i64), arena.source(0_i64));
    let (c, d) = roots(arena, (style, identity), (a, b), (of_c, of_d));
    let e = arena.derived(move |r| {
        of_e.hit();
        hard(r.get(c) + r.get(a) + r.get(d)[0])
    });
    let f = arena.derived(move |r| {
        of_f.hit();
        let third = r.get(d)[2];
        hard(if third == 0 { *r.get(b) } else { third })
    });
    let g = arena.derived(move |r| {
        of_g.hit();
        let c = *r.get(c);
        c + if c == 0 { r.get(e) % 2 } else { c } + r.get(d)[4] + r.get(f)
    });
    let log = Arc::new(Mutex::new(Vec::new()));
    for (tally, cog, work) in [
        (of_h, g, hard as fn(i64) -> i64),
        (of_i, g, |x| x),
        (of_j, f, hard),
    ] {
        let log = Arc::clone(&log);
        arena.react(move |r, _| {
            tally.hit();
            log.lock()
                .expect("no function of this graph panics")
                .push(work(*r.get(cog)));
        });
    }
    Mol { a, b, log, runs }
}

/// C and D, which read both sources whatever they hold.
fn roots<T: Tally>(
    arena: &mut Arena,
    kind: (Style, Identity),
    (a, b): (Source<i64>, Source<i64>),
    (of_c, of_d): (T, T),
) -> (Derived<i64>, Derived<Vec<i64>>) {
    let c = move |(a, b): (&i64, &i64)| {
        of_c.hit();
        a % 2 + b % 2
    };
    let d = move |inputs: (&i64, &i64)| {
        of_d.hit();
        records(inputs)
    };
    let both = (a.shared(), b.shared());
    match kind {
        (Style::Tracked, Identity::Content) => (
            arena.derived(move |r| c((r.get(a), r.get(b)))),
            arena.derived(move |r| d((r.get(a), r.get(b)))),
        ),
        (Style::Tracked, Identity::Fresh) => (
            arena.derived(move |r| c((r.get(a), r.get(b)))),
            arena
                .cog()
                .always_changes()
                .derived(move |r| d((r.get(a), r.get(b)))),
        ),
        (Style::Declared, Identity::Content) => {
            (arena.derived_from(both, c), arena.derived_from(both, d))
        }
        (Style::Declared, Identity::Fresh) => (
            arena.derived_from(both, c),
            arena.cog().always_changes().derived_from(both, d),
        ),
    }
}
