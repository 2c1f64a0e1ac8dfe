//! The house is tidy: headers, lengths, the floor plan, dangerous rooms, banned words.
//!
//! The plan below is the one of `ARCHITECTURE.md`, as a table that is checked. A room that moves, or
//! an arrow that is new, changes a line here, and so shows in the review.

#[path = "../../tests/tidy/mod.rs"]
mod tidy;

use std::path::Path;

use tidy::floors::Plan;
use tidy::words::Ban;

const PLAN: Plan = Plan {
    rooms: &[
        ("sets", 0),
        ("cogs", 0),
        ("params", 1),
        ("binding", 1),
        ("saving", 1),
        ("frame", 2),
        ("app_ext", 3),
        ("plugin", 4),
    ],
    doors: &[("sets", "cogs")],
    walls: &[],
    strangers: &[("frame", &[])],
    dangerous: &[],
};

/// What the plugin never says: threads are Bevy's task pools, and nothing is global.
const BANS: &[Ban] = &[
    Ban {
        word: "thread::spawn",
        but_in: &[],
        reason: "threads are Bevy's task pools",
    },
    Ban {
        word: "thread::Builder",
        but_in: &[],
        reason: "threads are Bevy's task pools",
    },
    Ban {
        word: "thread::scope",
        but_in: &[],
        reason: "threads are Bevy's task pools",
    },
    Ban {
        word: "thread::sleep",
        but_in: &[],
        reason: "threads are Bevy's task pools",
    },
    Ban {
        word: "thread_local",
        but_in: &[],
        reason: "nothing is global: several worlds share a program",
    },
    Ban {
        word: "static",
        but_in: &[],
        reason: "nothing is global: several worlds share a program",
    },
    Ban {
        word: "OnceLock",
        but_in: &[],
        reason: "nothing is global: several worlds share a program",
    },
    Ban {
        word: "LazyLock",
        but_in: &[],
        reason: "nothing is global: several worlds share a program",
    },
    Ban {
        word: "HashMap",
        but_in: &[],
        reason: "same writes, same order: no map with random order",
    },
    Ban {
        word: "println",
        but_in: &[],
        reason: "what is to be said goes through Bevy",
    },
    Ban {
        word: "eprintln",
        but_in: &[],
        reason: "what is to be said goes through Bevy",
    },
];

#[test]
fn the_plugin_is_tidy() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    tidy::assert_none(&tidy::check_package(package, &PLAN, BANS));
}
