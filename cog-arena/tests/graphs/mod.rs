//! The graphs of the public reactivity benchmarks, each with tracked cogs and, where it can be said, with declared inputs.
//!
//! Takes: an arena, a style, and tallies that are told of every run. Leaves: the graph's handles.
//! Never: drives a graph or knows what to expect of it; the tests and the benches do.

#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "every binary includes this folder and builds its own part of it"
)]

pub(crate) mod cellx;
pub(crate) mod dynamic;
pub(crate) mod kairo;
pub(crate) mod keyed;
pub(crate) mod mol;
pub(crate) mod random;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cog_arena::{Arena, Derived, Reader, Source};

/// How the cogs of a graph get their inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Read through a `Reader`, and recorded as they are read.
    Tracked,
    /// Given at the declaration, wherever the graph's reads are unconditional.
    Declared,
}

/// Is told whenever a function runs.
pub(crate) trait Tally: Clone + Send + Sync + 'static {
    /// One run.
    fn hit(&self);
}

/// Counts nothing, and costs nothing: for the benches.
#[derive(Clone, Copy, Default)]
pub(crate) struct Silent;

impl Tally for Silent {
    fn hit(&self) {}
}

/// Counts the runs. Clones share the count.
#[derive(Clone, Default)]
pub(crate) struct Counted(Arc<AtomicU64>);

impl Tally for Counted {
    fn hit(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Counted {
    /// The runs since the last call.
    pub(crate) fn take(&self) -> u64 {
        self.0.swap(0, Ordering::Relaxed)
    }
}

/// A keyless cog of either kind.
#[derive(Clone, Copy)]
pub(crate) enum Node {
    Source(Source<i64>),
    Derived(Derived<i64>),
}

impl Node {
    /// A tracked read.
    pub(crate) fn get(self, r: &Reader<'_>) -> i64 {
        match self {
            Self::Source(source) => *r.get(source),
            Self::Derived(derived) => *r.get(derived),
        }
    }

    /// A read from outside.
    pub(crate) fn read(self, arena: &mut Arena) -> i64 {
        match self {
            Self::Source(source) => *arena.read(source),
            Self::Derived(derived) => *arena.read(derived),
        }
    }
}

/// Builds one-input cogs and reactions, so that each graph says only its shape.
pub(crate) struct Builder<'a, T> {
    pub(crate) arena: &'a mut Arena,
    pub(crate) style: Style,
    pub(crate) runs: &'a T,
    pub(crate) reactions: &'a T,
}

impl<T: Tally> Builder<'_, T> {
    /// A cog of one input.
    pub(crate) fn map(
        &mut self,
        input: Node,
        function: impl Fn(i64) -> i64 + Send + Sync + 'static,
    ) -> Node {
        let runs = self.runs.clone();
        Node::Derived(match (self.style, input) {
            (Style::Tracked, input) => self.arena.derived(move |r| {
                runs.hit();
                function(input.get(r))
            }),
            (Style::Declared, Node::Source(source)) => {
                self.arena
                    .derived_from(source.shared(), move |input: &i64| {
                        runs.hit();
                        function(*input)
                    })
            }
            (Style::Declared, Node::Derived(derived)) => {
                self.arena
                    .derived_from(derived.shared(), move |input: &i64| {
                        runs.hit();
                        function(*input)
                    })
            }
        })
    }

    /// A cog that reads as it likes, in both styles.
    pub(crate) fn tracked(
        &mut self,
        function: impl Fn(&Reader<'_>) -> i64 + Send + Sync + 'static,
    ) -> Node {
        let runs = self.runs.clone();
        Node::Derived(self.arena.derived(move |r| {
            runs.hit();
            function(r)
        }))
    }

    /// A reaction that reads one cog.
    pub(crate) fn watch(&mut self, input: Node) {
        let reactions = self.reactions.clone();
        self.arena.react(move |r, _| {
            reactions.hit();
            input.get(r);
        });
    }
}
