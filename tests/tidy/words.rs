//! Words that the sources do not say, each with its reason and the files that may.
//!
//! Takes: a file and a table of bans. Leaves: complaints with line and reason. Never: looks into
//! comments or strings, save for leftovers, which are looked for everywhere.

use super::source::{SourceFile, find_words, line_of};

/// A word that the shipped code of a package does not say.
pub(crate) struct Ban {
    /// The word, as it stands in code.
    pub(crate) word: &'static str,
    /// The files, or folders with a `/` at the end, that may say it all the same.
    pub(crate) but_in: &'static [&'static str],
    /// Why nobody else does.
    pub(crate) reason: &'static str,
}

/// What neither package says.
pub(crate) const EVERYWHERE: &[Ban] = &[
    Ban {
        word: "::*",
        but_in: &[],
        reason: "an import names what it takes, or the floor plan is invisible",
    },
    Ban {
        word: "prelude",
        but_in: &[],
        reason: "an import names where a thing comes from",
    },
    Ban {
        word: "super::",
        but_in: &[],
        reason: "nobody looks up: `mod.rs` gathers",
    },
    Ban {
        word: "static mut",
        but_in: &[],
        reason: "nothing is global",
    },
    Ban {
        word: "transmute",
        but_in: &[],
        reason: "a cast says what it keeps",
    },
];

/// Complaints about banned words in the shipped code of `file`.
pub(crate) fn check_bans(file: &SourceFile, bans: &[Ban]) -> Vec<String> {
    let mut complaints = Vec::new();
    for ban in bans {
        let excused = |place: &&str| {
            file.path == **place || place.ends_with('/') && file.path.starts_with(place)
        };
        if ban.but_in.iter().any(excused) {
            continue;
        }
        for at in find_words(&file.shipped, ban.word) {
            let line = line_of(&file.shipped, at);
            complaints.push(format!(
                "{}:{line}: `{}`: {}",
                file.path, ban.word, ban.reason
            ));
        }
    }
    complaints
}

/// Complaints about what was meant to be finished later. Spelt in halves, or this file would complain.
pub(crate) fn check_leftovers(file: &SourceFile) -> Vec<String> {
    let words = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
        concat!("to", "do!"),
        concat!("un", "implemented!"),
        concat!("#[ig", "nore"),
    ];
    let mut complaints = Vec::new();
    for word in words {
        for at in find_words(&file.text, word) {
            complaints.push(format!(
                "{}:{}: a leftover, `{word}`",
                file.path,
                line_of(&file.text, at)
            ));
        }
    }
    complaints
}
