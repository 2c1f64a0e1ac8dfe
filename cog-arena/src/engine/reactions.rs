//! Reactions as the engine keeps them, feeds among them, and what they asked for.
//!
//! Takes: bodies. Leaves: them in the order of registration. Never: runs one
//! while it runs.

use std::panic::Location;

use rustc_hash::FxHashMap;

use crate::ids::{NodeIndex, RecipeId};
use crate::turn::feed::FIRST_REACTION;

/// A reaction's function. `E` is the engine.
pub(crate) type Body<E> = Box<dyn FnMut(&mut E, NodeIndex) + Send + Sync>;

/// The body of a turn that waits.
pub(crate) type TurnBody<E> = Box<dyn FnOnce(&mut E) + Send + Sync>;

/// What a running reaction asked for.
pub(crate) enum Command<E> {
    /// A later turn.
    Turn(Queued<E>),
    /// Another reaction.
    React(u64, Body<E>, &'static Location<'static>),
    /// The end of a reaction.
    End(u64),
}

/// A turn that waits.
pub(crate) struct Queued<E> {
    /// Who asked for it.
    pub(crate) cause: &'static Location<'static>,
    /// What it writes.
    pub(crate) body: TurnBody<E>,
}

struct Slot<E> {
    number: u64,
    node: NodeIndex,
    body: Option<Body<E>>,
    location: &'static Location<'static>,
}

/// All reactions.
pub(crate) struct Reactions<E> {
    slots: Vec<Slot<E>>,
    free: Vec<RecipeId>,
    by_number: FxHashMap<u64, RecipeId>,
    /// The number of the next reaction.
    pub(crate) next_number: u64,
    /// The number of the next feed.
    pub(crate) next_feed: u64,
    /// What the running one asked for.
    pub(crate) commands: Vec<Command<E>>,
}

impl<E> Default for Reactions<E> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            by_number: FxHashMap::default(),
            next_number: FIRST_REACTION,
            next_feed: 0,
            commands: Vec::new(),
        }
    }
}

impl<E> Reactions<E> {
    /// Makes a place for a reaction; `node` is told its place.
    pub(crate) fn insert(
        &mut self,
        number: u64,
        body: Body<E>,
        location: &'static Location<'static>,
        node: impl FnOnce(RecipeId) -> NodeIndex,
    ) -> NodeIndex {
        let at = self.free.pop().unwrap_or(RecipeId::at(self.slots.len()));
        let node = node(at);
        let slot = Slot {
            number,
            node,
            body: Some(body),
            location,
        };
        if at.index() == self.slots.len() {
            self.slots.push(slot);
        } else {
            self.slots[at.index()] = slot;
        }
        self.by_number.insert(number, at);
        node
    }

    /// Takes a reaction out, unless it ended before: its node and body.
    pub(crate) fn remove(&mut self, number: u64) -> Option<(NodeIndex, Option<Body<E>>)> {
        let at = self.by_number.remove(&number)?;
        self.free.push(at);
        let slot = &mut self.slots[at.index()];
        Some((slot.node, slot.body.take()))
    }

    /// The reaction's place in the order of registration.
    pub(crate) fn number(&self, at: RecipeId) -> u64 {
        self.slots[at.index()].number
    }

    /// What a reader is told that it is.
    pub(crate) fn kind(&self, at: RecipeId) -> &'static str {
        if self.number(at) < FIRST_REACTION {
            "feed"
        } else {
            "reaction"
        }
    }

    /// Where the reaction was registered.
    pub(crate) fn location(&self, at: RecipeId) -> &'static Location<'static> {
        self.slots[at.index()].location
    }

    /// Takes the body to run it.
    pub(crate) fn take_body(&mut self, at: RecipeId) -> Option<Body<E>> {
        self.slots[at.index()].body.take()
    }

    /// Puts the body back after a run.
    pub(crate) fn put_body(&mut self, at: RecipeId, body: Body<E>) {
        self.slots[at.index()].body = Some(body);
    }
}
