//! What both packages' tidy tests share: reading the sources, and the checks that need no compiler.
//!
//! Takes: a package's folder and its floor plan as a table. Leaves: a list of complaints, empty if
//! the house is in order. Never: changes a file, or looks into the target folder.

pub(crate) mod floors;
pub(crate) mod imports;
pub(crate) mod markdown;
pub(crate) mod shape;
pub(crate) mod source;
pub(crate) mod words;

use std::fs;
use std::path::Path;

use floors::Plan;
use source::SourceFile;

/// Every complaint about one package: shape, floor plan and its map, unsafe rooms, banned words.
///
/// `bans` are the words that this package's `src` never says, beyond what holds for both.
pub(crate) fn check_package(folder: &Path, plan: &Plan, bans: &[words::Ban]) -> Vec<String> {
    let all = source::read_folder(folder);
    let rooms: Vec<SourceFile> = source::read_folder(&folder.join("src"));
    assert!(!rooms.is_empty(), "{} has sources", folder.display());
    let mut complaints = Vec::new();
    for file in &all {
        complaints.extend(shape::check(file));
        complaints.extend(words::check_leftovers(file));
    }
    complaints.extend(floors::check(&rooms, plan));
    let map = fs::read_to_string(folder.join("../ARCHITECTURE.md")).expect("there is a map");
    let package = folder
        .file_name()
        .expect("a package's folder has a name")
        .to_string_lossy();
    complaints.extend(floors::check_map(&map, &package, plan));
    complaints.extend(floors::check_unsafe(&rooms, plan));
    for file in &rooms {
        complaints.extend(words::check_bans(file, words::EVERYWHERE));
        complaints.extend(words::check_bans(file, bans));
    }
    complaints
}

/// Panics with one complaint a line.
#[track_caller]
pub(crate) fn assert_none(complaints: &[String]) {
    assert!(
        complaints.is_empty(),
        "not tidy:\n{}",
        complaints.join("\n")
    );
}
