//! Why a snapshot was refused.
//!
//! Takes: what is wrong with it. Leaves: an error that names the cog. Never: comes after something was changed.

use std::error::Error;
use std::fmt;

use crate::engine::saved::Fault;

/// Why a snapshot could not be restored. Nothing was changed.
///
/// # Examples
///
/// ```
/// use cog_arena::{Arena, RestoreError};
///
/// let mut arena = Arena::new();
/// let gold = arena.cog().name("gold").saved().source(10_u32);
/// let text = r#"{ "gold": "much" }"#;
/// let error = arena.restore(&mut serde_json::Deserializer::from_str(text)).unwrap_err();
/// assert!(matches!(&error, RestoreError::Mistyped { cog, .. } if cog == "gold"));
/// assert_eq!(*arena.read(gold), 10);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RestoreError {
    /// The snapshot is no map of names to entries, or could not be read to its end.
    Unreadable {
        /// What the format says.
        reason: String,
    },
    /// No saved cog is called that.
    Unknown {
        /// The entry's name.
        cog: String,
    },
    /// A name is there twice.
    Twice {
        /// The entries' name.
        cog: String,
    },
    /// Saved cogs have no entry.
    Missing {
        /// All of them, in the order of declaration.
        cogs: Vec<String>,
    },
    /// The entry can't be read as what the cog holds.
    Mistyped {
        /// The cog.
        cog: String,
        /// What the format says.
        reason: String,
    },
    /// A key is there twice in one entry.
    KeyTwice {
        /// The family or key space.
        cog: String,
        /// The key.
        key: String,
    },
    /// A family has a row for a key that the entry of its key space doesn't list.
    Stray {
        /// The family.
        cog: String,
        /// The key.
        key: String,
    },
    /// A key or a value was refused by the function given to [`LoadedSnapshot::map`](crate::LoadedSnapshot::map).
    Unmapped {
        /// The cog.
        cog: String,
        /// What the function says.
        reason: String,
    },
}

impl RestoreError {
    pub(crate) fn of(cog: &str, fault: Fault) -> Self {
        let cog = cog.to_owned();
        match fault {
            Fault::Twice(key) => Self::KeyTwice { cog, key },
            Fault::Stray(key) => Self::Stray { cog, key },
        }
    }
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { reason } => write!(f, "the snapshot can't be read: {reason}"),
            Self::Unknown { cog } => write!(
                f,
                "the snapshot has an entry {cog:?}, and no saved cog is called that"
            ),
            Self::Twice { cog } => write!(f, "the snapshot has the entry {cog:?} twice"),
            Self::Missing { cogs } => {
                write!(f, "the snapshot has no entry for {}", cogs.join(", "))
            }
            Self::Mistyped { cog, reason } => {
                write!(
                    f,
                    "the entry {cog:?} can't be read as what the cog holds: {reason}"
                )
            }
            Self::KeyTwice { cog, key } => write!(f, "the entry {cog:?} has the key {key} twice"),
            Self::Stray { cog, key } => write!(
                f,
                "the entry {cog:?} has the key {key}, which the entry of its key space doesn't list"
            ),
            Self::Unmapped { cog, reason } => {
                write!(f, "a key or a value of {cog:?} can't be mapped: {reason}")
            }
        }
    }
}

impl Error for RestoreError {}
