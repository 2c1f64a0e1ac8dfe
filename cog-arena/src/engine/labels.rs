//! Labels: what cogs are called.
//!
//! Takes: names and places of declaration. Leaves: text for errors and logs.
//! Never: renders anything before it is asked to.

use std::borrow::Cow;
use std::panic::Location;

use crate::ids::{Row, StoreId};

/// A cog's name, or where it was declared.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    /// The name that was given, if any.
    pub(crate) name: Option<Cow<'static, str>>,
    /// Where the cog was declared.
    pub(crate) location: &'static Location<'static>,
}

impl Label {
    /// The name, or file and line.
    pub(crate) fn text(&self) -> String {
        match &self.name {
            Some(name) => name.clone().into_owned(),
            None => format!("{}:{}", self.location.file(), self.location.line()),
        }
    }
}

/// Labels by store: one for a family, one for each row of a pool.
#[derive(Debug, Default)]
pub(crate) struct Labels(Vec<Vec<Label>>);

impl Labels {
    /// Adds the label of a family, or of the next row of a pool.
    pub(crate) fn push(&mut self, store: StoreId, label: Label) {
        if self.0.len() <= store.index() {
            self.0.resize(store.index() + 1, Vec::new());
        }
        self.0[store.index()].push(label);
    }

    /// Names a family, or a row of a pool, anew.
    pub(crate) fn set(&mut self, store: StoreId, at: usize, label: Label) {
        self.0[store.index()][at] = label;
    }

    /// What the row's cog is called, without its key.
    pub(crate) fn text(&self, store: StoreId, local: u32, row: Row, pool: bool) -> String {
        let at = if pool {
            (local << 6 | row.offset()) as usize
        } else {
            0
        };
        self.0[store.index()][at].text()
    }
}
