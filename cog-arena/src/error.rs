//! Everything that a caller can meet at run time and may want to go on from.
//!
//! Takes: what went wrong. Leaves: an error that names the cogs. Never: stands
//! for a mistake of ours; those panic.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// The payload of a panic in user code.
pub(crate) type Panic = Box<dyn std::any::Any + Send>;

/// An error of ours on its way to become a panic: a message is printed when it is raised, not before.
#[derive(Debug)]
pub(crate) struct Raised(pub(crate) Arc<ReadError>);

/// Raises what was caught: an error of ours as a new panic with its text, a panic of user code again.
///
/// # Panics
///
/// If one of our own promises is broken.
#[track_caller]
pub(crate) fn raise(panic: Panic) -> ! {
    match panic.downcast::<Raised>() {
        Ok(raised) => panic!("{}", raised.0),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// The rows of a cycle, or of a chain that is too deep, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CogPath {
    /// Names with keys, such as `threat[4v1]`, each reading the next. In a cycle the last is the first.
    pub cogs: Vec<String>,
}

impl fmt::Display for CogPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 24;
        let skipped = self.cogs.len().saturating_sub(SHOWN);
        let from = if skipped == 0 {
            self.cogs.len()
        } else {
            SHOWN / 2
        };
        f.write_str(&self.cogs[..from].join(" → "))?;
        if 0 < skipped {
            write!(
                f,
                " → … {skipped} more … → {}",
                self.cogs[self.cogs.len() - SHOWN / 2..].join(" → ")
            )?;
        }
        Ok(())
    }
}

/// Why a feed has no next value.
///
/// # Examples
///
/// ```
/// use cog_arena::{Arena, Depth, TryNextError};
///
/// let mut arena = Arena::new();
/// let gold = arena.source(1);
/// let feed = arena.feed(gold, Depth::Unbounded);
/// assert_eq!(feed.try_next(), Ok(Some(1)));
/// assert_eq!(feed.try_next(), Err(TryNextError::Empty));
/// drop(arena);
/// assert_eq!(feed.try_next(), Err(TryNextError::Ended));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TryNextError {
    /// Nothing waits; something may come.
    Empty,
    /// Nothing waits, and nothing will come: the cog is gone, or the arena.
    Ended,
}

impl fmt::Display for TryNextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "nothing waits in the feed",
            Self::Ended => "the feed has ended",
        })
    }
}

impl Error for TryNextError {}

/// Why a cog could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// The handle belongs to another arena.
    Foreign,
    /// The slot was released since the handle was made.
    Stale,
    /// The cog holds no value, or the family has no row for the key.
    Absent {
        /// The cog, with its key.
        cog: String,
    },
    /// The cog was reserved and never defined.
    Undefined {
        /// The cog, with its key.
        cog: String,
    },
    /// The value would depend on itself.
    Cycle(CogPath),
    /// Functions nest deeper than the arena's limit.
    TooDeep(CogPath),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str(
                "the handle belongs to another arena; use each handle with the arena that made it",
            ),
            Self::Stale => {
                f.write_str("the handle's key was removed since it was made; look the key up again")
            }
            Self::Absent { cog } => {
                write!(f, "{cog} holds no value; use `lookup` where that may be")
            }
            Self::Undefined { cog } => write!(
                f,
                "{cog} was reserved and never defined; define it before it is read"
            ),
            Self::Cycle(path) => write!(f, "dependency cycle: {path}"),
            Self::TooDeep(path) => write!(
                f,
                "functions nest too deep (see `Arena::set_depth_max`): {path}"
            ),
        }
    }
}

impl Error for ReadError {}

/// Why a turn was ended by force.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TurnError {
    /// Turns caused turns without end. Those still queued were dropped.
    Runaway {
        /// How many turns ran in a row.
        turns: u32,
        /// Who asked for the last of them.
        causes: Vec<String>,
    },
}

impl fmt::Display for TurnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Runaway { turns, causes } = self;
        write!(
            f,
            "{turns} turns ran in a row, each asked for by one before it; the last were asked for by {}",
            causes.join(", ")
        )
    }
}

impl Error for TurnError {}

/// Something that a host should show its developer. Given to the function of [`Arena::on_warning`](crate::Arena::on_warning).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// Reactions keep asking for further turns. Told once per chain.
    LongChain {
        /// How many turns ran in a row so far.
        turns: u32,
        /// Who asked for the last of them.
        causes: Vec<String>,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::LongChain { turns, causes } = self;
        write!(
            f,
            "a chain of {turns} turns, the last asked for by {}",
            causes.join(", ")
        )
    }
}
