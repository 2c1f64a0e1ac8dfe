//! What the behaviour tests share: an arena that is checked after every turn, and a log of what ran.
//!
//! Takes: nothing. Leaves: `Checked`, `Log`, and what catching a panic needs.
//! Never: time, order or randomness that a test did not give.

#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "every test binary includes this file and uses its own part of it"
)]

use std::fmt::Debug;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cog_arena::{Arena, Reader, TurnError, Writer};

/// An arena whose invariants are verified after each turn, and once more at its end.
pub(crate) struct Checked(Arena);

impl Checked {
    /// A turn, and then `check()`.
    pub(crate) fn turn<R>(&mut self, body: impl FnOnce(&mut Writer<'_>) -> R) -> R {
        let result = catch_unwind(AssertUnwindSafe(|| self.0.turn(body)));
        // Whatever the turn did, a panic included, the graph is whole.
        self.0.check();
        result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    /// The turn that gives a runaway back as an error, and then `check()`.
    ///
    /// # Errors
    ///
    /// If the turns that it caused found no end.
    pub(crate) fn try_turn<R>(
        &mut self,
        body: impl FnOnce(&mut Writer<'_>) -> R,
    ) -> Result<R, TurnError> {
        let result = self.0.try_turn(body);
        self.0.check();
        result
    }
}

impl Deref for Checked {
    type Target = Arena;
    fn deref(&self) -> &Arena {
        &self.0
    }
}

impl DerefMut for Checked {
    fn deref_mut(&mut self) -> &mut Arena {
        &mut self.0
    }
}

impl Drop for Checked {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.0.check();
        }
    }
}

/// An arena of one test.
pub(crate) fn arena() -> Checked {
    Checked(Arena::new())
}

/// An arena of one test, and the log that its functions write to.
pub(crate) fn arena_with_log() -> (Checked, Log) {
    (arena(), Log::default())
}

/// Lines in the order in which they were written. Clones write to the same log.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn lines(&self) -> MutexGuard<'_, Vec<String>> {
        // A panicking test function may have poisoned the lock; the lines are still good.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a line.
    pub(crate) fn note(&self, line: impl Into<String>) {
        self.lines().push(line.into());
    }

    /// How often this line was written.
    pub(crate) fn runs(&self, line: &str) -> usize {
        self.lines().iter().filter(|l| *l == line).count()
    }

    /// How many lines there are.
    pub(crate) fn len(&self) -> usize {
        self.lines().len()
    }

    /// All lines so far. The log is empty afterwards.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.lines())
    }

    /// The function of a derived cog, noting `name` at each run.
    pub(crate) fn named<T, F>(
        &self,
        name: &'static str,
        function: F,
    ) -> impl Fn(&Reader<'_>) -> T + Send + Sync + 'static + use<T, F>
    where
        F: Fn(&Reader<'_>) -> T + Send + Sync + 'static,
    {
        let log = self.clone();
        move |r: &Reader<'_>| {
            log.note(name);
            function(r)
        }
    }

    /// The function of a derived family, noting `name[key]` at each run.
    pub(crate) fn keyed<K, T, F>(
        &self,
        name: &'static str,
        function: F,
    ) -> impl Fn(&Reader<'_>, &K) -> T + Send + Sync + 'static + use<K, T, F>
    where
        K: Debug,
        F: Fn(&Reader<'_>, &K) -> T + Send + Sync + 'static,
    {
        let log = self.clone();
        move |r: &Reader<'_>, key: &K| {
            log.note(format!("{name}[{key:?}]"));
            function(r, key)
        }
    }
}

/// Runs `f`, which must panic, and returns what it said.
#[track_caller]
pub(crate) fn panic_of<R>(f: impl FnOnce() -> R) -> String {
    let Err(panic) = catch_unwind(AssertUnwindSafe(f)) else {
        panic!("this had to panic");
    };
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => match panic.downcast::<&'static str>() {
            Ok(text) => (*text).to_owned(),
            Err(_) => String::from("(a panic without a text)"),
        },
    }
}

/// Asserts that a text contains all of these parts, in this order.
#[track_caller]
pub(crate) fn assert_says(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let Some(at) = rest.find(part) else {
            panic!("{text:?} says {part:?}");
        };
        rest = &rest[at + part.len()..];
    }
}

/// A handle that a function can name before it exists, so that a test can close a loop.
#[derive(Clone)]
pub(crate) struct Late<T>(Arc<Mutex<Option<T>>>);

impl<T: Copy> Late<T> {
    /// A place for a handle to come.
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(None)))
    }

    /// Fills the place.
    pub(crate) fn set(&self, value: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    }

    /// What was filled in.
    pub(crate) fn get(&self) -> T {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .expect("the handle has been filled in")
    }
}
