//! A reactive state graph that stands alone.
//!
//! Declare *sources* (facts) and *derived values* (pure functions of other values). Write sources in *turns*. A turn
//! settles: it finds what may have changed, recomputes only that, in dependency order, each row once, and stops where a
//! value came out equal. Then reactions run. Nobody ever sees a half-updated graph.
//!
//! ```
//! use cog_arena::{Arena, First};
//!
//! let mut arena = Arena::new();
//! let celsius = arena.source(20);
//! let fahrenheit = arena.derived(move |r| r.get(celsius) * 9 / 5 + 32);
//! let is_hot = arena.derived(move |r| *r.get(fahrenheit) > 86);
//! arena.watch(is_hot, First::Skip, |_, hot, _| assert!(*hot));
//!
//! arena.turn(|w| w.set(celsius, 25)); // still not hot: the watch stays quiet
//! arena.turn(|w| w.set(celsius, 35)); // the watch runs
//! assert_eq!(*arena.read(fahrenheit), 95);
//! ```
//!
//! # Kinds
//!
//! | kind | declared with | read |
//! |---|---|---|
//! | source | [`Arena::source`], by key [`Arena::source_family`] (every key) or [`Arena::member_family`] (where set) | as it stands |
//! | derived, tracked | [`Arena::derived`], [`Arena::derived_family`] | depends on what it read, as it read it |
//! | derived, declared | [`Arena::derived_from`], [`Arena::derived_family_from`] | handed its inputs; no edge a row |
//! | fold: a sum, a count, a sorted view | [`Arena::over`] | one value made of all rows of a family, by those that moved |
//! | keyed projection | [`Arena::selected_family`] | whether each key is the selected one; two rows flip at a time |
//! | reaction | [`Arena::react`], [`Arena::watch`] | – |
//! | feed | [`Arena::feed`] | on any thread, value after value |
//!
//! *Declared* inputs are for values that always need all of them, above all for many rows: a row costs a few
//! nanoseconds. *Tracked* reads are for the rest: conditional reads, other keys, values that come and go. One function
//! can have both (see [`Inputs`]).
//!
//! # Features
//!
//! | feature | gives |
//! |---|---|
//! | `serialize` | snapshots of sources that were declared as saved, and restoring them in one turn, with serde |
//! | `testing` | `Arena::check`, which verifies every invariant, a log of which rows ran, and `Arena::seed` |
//!
//! # Testing what you build
//!
//! An arena is a value, and nothing is global: each test makes its own, and they run side by side. Turns come to an end
//! before they return, so there is nothing to wait for. The feature `testing`, for your `[dev-dependencies]`, adds what
//! a test wants to see or to leave out:
//!
//! | ask | to |
//! |---|---|
//! | `Arena::seed` | begin with a state: it is no turn, and no reaction runs for it |
//! | `Arena::log_runs`, `Arena::take_runs` | see which functions ran, in order, by name |
//! | `Arena::check` | know that every invariant of the graph holds, after each turn of a test that finds bugs at random |
//! | [`Arena::counts`] | count what a turn wrote, reached and ran; in every build |
//!
//! ```
//! use cog_arena::Arena;
//!
//! let mut arena = Arena::new();
//! let stock = arena.cog().name("stock").source(100);
//! let is_low = arena.cog().name("is_low").derived(move |r| *r.get(stock) < 10);
//! let sign = arena.cog().name("sign").derived(move |r| if *r.get(is_low) { "low" } else { "plenty" });
//!
//! arena.seed(stock, 50);
//! assert_eq!(*arena.read(sign), "plenty");
//!
//! arena.log_runs(true);
//! arena.turn(|w| w.set(stock, 40));
//! assert_eq!(*arena.read(sign), "plenty");
//! assert_eq!(arena.take_runs(), ["is_low"], "it came out equal: the sign did not run");
//! arena.check();
//! ```
//!
//! Costs are best held in place by exact counts such as these: they don't depend on the machine.
//!
//! # Where things are
//!
//! Floors, from below; imports go down, never up or sideways, and a test says so.
//!
//! | floor | rooms |
//! |---|---|
//! | 0 | `ids`, `error`, `sync`, `bitwise` |
//! | 1 | `graph` (the shape: integers only), `values` (the contents: types only), `handle` |
//! | 2 | `turn`: what happens, in order |
//! | 3 | `engine`: where shape and contents meet |
//! | 4 | `access`: where a handle leads |
//! | 5 | `staging`: where a written value waits |
//! | 6 | `reader`, `writer` |
//! | 7 | `recipes`: functions with their types, made ready to run; `snapshot`: sources, written down |
//! | 8 | `kinds`: what a cog can be |
//! | 9 | `arena`: every public verb |

#![cfg_attr(docsrs, feature(doc_cfg))]

mod bitwise;
mod error;
mod ids;
mod sync;

mod graph;
mod handle;
#[expect(
    unsafe_code,
    reason = "values at stable addresses, lent while others come to life; stores by type without a search"
)]
mod values;

mod turn;

mod engine;

mod access;
mod staging;

#[expect(unsafe_code, reason = "`&T` out of a graph that is settling")]
mod reader;
mod writer;

#[expect(
    unsafe_code,
    reason = "the loop over a chunk's rows, and values compared and replaced in place"
)]
mod recipes;

#[cfg(feature = "serialize")]
mod snapshot;

mod kinds;

mod arena;

pub use access::Readable;
pub use arena::Arena;
pub use bitwise::{Bitwise, bitwise};
pub use engine::Step;
pub use error::{CogPath, ReadError, TryNextError, TurnError, Warning};
pub use handle::{
    Derived, DerivedAt, DerivedFamily, Hold, KeySlot, KeySpace, Reaction, Source, SourceAt,
    SourceFamily,
};
pub use kinds::declare::Declare;
pub use kinds::feed::{Depth, Feed};
pub use kinds::hold::Holdable;
pub use kinds::moved::{MovedChunk, MovedCursor, MovedRow, MovedRows};
pub use kinds::over::Over;
pub use kinds::reaction::{First, Later};
pub use kinds::read_only::ReadOnly;
#[cfg(feature = "serialize")]
pub use kinds::saved::DeclareSaved;
pub use reader::Reader;
pub use recipes::descriptors::{
    Aligned, Lookups, Optional, OwnKey, Previous, Reads, Shared, SharedOptional,
};
pub use recipes::exact::ExactSum;
pub use recipes::fold::Fold;
pub use recipes::folds::Addend;
pub use recipes::inputs::Inputs;
pub use recipes::install::{AlwaysChanges, By, ByPartialEq, Equality};
pub use recipes::lookup::Lookup;
pub use recipes::selected::Selects;
pub use recipes::sorted::{Sorted, SortedChange};
#[cfg(feature = "serialize")]
pub use snapshot::{error::RestoreError, load::LoadedSnapshot, save::Snapshot};
pub use staging::{Rows, Writable};
pub use turn::state::TurnCounts;
pub use values::keys::Key;
pub use writer::Writer;

/// Types that show in signatures of traits which are not meant to be implemented outside.
#[doc(hidden)]
pub mod sealed {
    pub use crate::access::Place;
    pub use crate::engine::Engine;
    pub use crate::handle::Grip;
    pub use crate::recipes::fetch::{Column, Declaration, Fetch};
    pub use crate::staging::Spot;
}
