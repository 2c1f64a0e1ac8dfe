//! The house is tidy: headers, lengths, the floor plan, dangerous rooms, banned words, tables.
//!
//! The plan below is the one of `ARCHITECTURE.md`, as a table that is checked. A room that moves, or
//! an arrow that is new, changes a line here, and so shows in the review.

#[path = "../../tests/tidy/mod.rs"]
mod tidy;

#[path = "../../tests/tidy/tables.rs"]
mod tables;

#[path = "../../tests/tidy/planted.rs"]
mod planted;

use std::path::{Path, PathBuf};

use tidy::floors::Plan;
use tidy::words::Ban;
use tidy::{shape, source, words};

const PLAN: Plan = Plan {
    rooms: &[
        ("ids", 0),
        ("error", 0),
        ("sync", 0),
        ("bitwise", 0),
        ("graph", 1),
        ("values", 1),
        ("handle", 1),
        ("turn", 2),
        ("engine", 3),
        ("access", 4),
        ("staging", 5),
        ("reader", 6),
        ("writer", 6),
        ("recipes", 7),
        ("snapshot", 7),
        ("kinds", 8),
        ("arena", 9),
    ],
    doors: &[],
    walls: &[("turn", "values"), ("turn", "handle")],
    strangers: &[("kinds", &["declare"])],
    dangerous: &["values", "reader", "recipes"],
};

/// What the arena never says: it has no thread, clock, log line or global, and its algorithm no types.
const BANS: &[Ban] = &[
    Ban {
        word: "thread::Builder",
        but_in: &[],
        reason: "the arena has no threads: executors come in as arguments",
    },
    Ban {
        word: "thread::scope",
        but_in: &[],
        reason: "the arena has no threads: executors come in as arguments",
    },
    Ban {
        word: "thread::sleep",
        but_in: &[],
        reason: "the arena has no threads: executors come in as arguments",
    },
    Ban {
        word: "thread::park",
        but_in: &[],
        reason: "the arena has no threads: executors come in as arguments",
    },
    Ban {
        word: "thread::current",
        but_in: &[],
        reason: "the arena has no threads: executors come in as arguments",
    },
    Ban {
        word: "spawn",
        but_in: &[],
        reason: "the arena starts nothing",
    },
    Ban {
        word: "thread_local",
        but_in: &[],
        reason: "nothing is global, not even per thread",
    },
    Ban {
        word: "Instant",
        but_in: &[],
        reason: "time is an argument, never a clock",
    },
    Ban {
        word: "SystemTime",
        but_in: &[],
        reason: "time is an argument, never a clock",
    },
    Ban {
        word: "std::env",
        but_in: &[],
        reason: "settings are arguments, never the environment",
    },
    Ban {
        word: "println",
        but_in: &[],
        reason: "warnings go to a function that the caller gave",
    },
    Ban {
        word: "eprintln",
        but_in: &[],
        reason: "warnings go to a function that the caller gave",
    },
    Ban {
        word: "log::",
        but_in: &[],
        reason: "warnings go to a function that the caller gave",
    },
    Ban {
        word: "tracing::",
        but_in: &[],
        reason: "spans are opened in one room",
    },
    Ban {
        word: "static",
        but_in: &["sync.rs"],
        reason: "nothing is global",
    },
    Ban {
        word: "OnceLock",
        but_in: &["sync.rs"],
        reason: "nothing is global",
    },
    Ban {
        word: "LazyLock",
        but_in: &["sync.rs"],
        reason: "nothing is global",
    },
    Ban {
        word: "atomic",
        but_in: &["sync.rs"],
        reason: "the few atomics there are have one door",
    },
    Ban {
        word: "Mutex",
        but_in: &["sync.rs"],
        reason: "no locks: one owner, `&mut`",
    },
    Ban {
        word: "RwLock",
        but_in: &["sync.rs"],
        reason: "no locks: one owner, `&mut`",
    },
    Ban {
        word: "Condvar",
        but_in: &[],
        reason: "the arena never waits",
    },
    Ban {
        word: "mpsc",
        but_in: &[],
        reason: "results from other threads have one door",
    },
];

/// What `graph/` and `turn/` never say: they move integers.
const INTEGERS_ONLY: &[Ban] = &[
    Ban {
        word: "T",
        but_in: &[],
        reason: "the algorithm never names a value type",
    },
    Ban {
        word: "V",
        but_in: &[],
        reason: "the algorithm never names a value type",
    },
    Ban {
        word: "K",
        but_in: &[],
        reason: "the algorithm never names a key type",
    },
    Ban {
        word: "TypeId",
        but_in: &[],
        reason: "types are erased and restored in `values` only",
    },
];

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn root() -> PathBuf {
    package().join("..")
}

#[test]
fn the_arena_is_tidy() {
    tidy::assert_none(&tidy::check_package(package(), &PLAN, BANS));
}

#[test]
fn the_graph_and_the_turn_never_name_a_value_type() {
    let rooms = source::read_folder(&package().join("src"));
    let integers = |room: &str| room == "graph" || room == "turn";
    let rooms = rooms
        .iter()
        .filter(|file| file.module().first().is_some_and(|room| integers(room)));
    let complaints: Vec<String> = rooms
        .flat_map(|file| words::check_bans(file, INTEGERS_ONLY))
        .collect();
    tidy::assert_none(&complaints);
}

#[test]
fn what_stands_beside_the_packages_is_tidy() {
    let mut complaints = Vec::new();
    for folder in ["examples", "benches", "tests"] {
        for file in source::read_folder(&root().join(folder)) {
            complaints.extend(
                shape::check(&file)
                    .iter()
                    .map(|complaint| format!("{folder}/{complaint}")),
            );
            complaints.extend(
                words::check_leftovers(&file)
                    .iter()
                    .map(|complaint| format!("{folder}/{complaint}")),
            );
        }
    }
    tidy::assert_none(&complaints);
}

#[test]
fn the_tables_agree_with_the_files() {
    tidy::assert_none(&tables::check(&root()));
}
