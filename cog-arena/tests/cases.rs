//! Every promised behaviour is answered for: `tests/cases.tsv` says which test keeps it, or why none.
//!
//! Takes: `tests/ids.txt`, the ids there are; `tests/cases.tsv`, a line `id<TAB>what` for each, where
//! `what` is `package::test_file::test_name` (several with commas), `later: WHERE` or
//! `not applicable: WHY`. Leaves: complaints. Never: runs the tests it finds.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The text of the test file that `parts` name: package, then folders or file below its `tests/`.
fn test_file(root: &Path, parts: &[&str]) -> Option<String> {
    let (package, file) = parts.split_first()?;
    let folder = root.join(package.replace('_', "-")).join("tests");
    let stem = file.iter().fold(folder, |path, part| path.join(part));
    [
        stem.with_extension("rs"),
        stem.join("main.rs"),
        stem.join("mod.rs"),
    ]
    .iter()
    .find_map(|path| fs::read_to_string(path).ok())
}

/// Whether `text` has a function `name` that is a test, that is, with `#[test]` right above it.
fn has_test(text: &str, name: &str) -> bool {
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("#[test]") {
            is_test = true;
        }
        let function = line
            .trim_start_matches("#[test]")
            .trim_start()
            .strip_prefix("fn ");
        if let Some(function) = function {
            if is_test && function.split(['(', '<', ' ']).next() == Some(name) {
                return true;
            }
            is_test = false;
        }
    }
    false
}

/// The ids of a list: one a line, without empty lines and comments.
fn ids(text: &str) -> Vec<&str> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
}

/// Complaints about what `what` says, where `exists` knows the tests.
fn check_answer(what: &str, exists: &impl Fn(&str) -> bool) -> Vec<String> {
    if let Some((kind, rest)) = what.split_once(": ")
        && (kind == "later" || kind == "not applicable")
    {
        let is_empty = rest.trim().is_empty();
        return if is_empty {
            vec![format!("`{kind}` says no more")]
        } else {
            Vec::new()
        };
    }
    let names = what.split(',').map(str::trim);
    names
        .filter(|name| !exists(name))
        .map(|name| format!("there is no test `{name}`"))
        .collect()
}

/// Complaints about a table that has to answer for `ids`.
fn check(ids: &[&str], table: &str, exists: &impl Fn(&str) -> bool) -> Vec<String> {
    let known: BTreeSet<&str> = ids.iter().copied().collect();
    let mut seen = BTreeSet::new();
    let mut complaints = Vec::new();
    for (index, line) in table.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let number = index + 1;
        let Some((id, what)) = line.split_once('\t') else {
            complaints.push(format!("{number}: no tab between id and answer"));
            continue;
        };
        if !known.contains(id) {
            complaints.push(format!("{number}: `{id}` is no id"));
        }
        if !seen.insert(id) {
            complaints.push(format!("{number}: `{id}` is listed twice"));
        }
        complaints.extend(
            check_answer(what, exists)
                .iter()
                .map(|c| format!("{number}: {id}: {c}")),
        );
    }
    complaints.extend(
        known
            .difference(&seen)
            .map(|id| format!("`{id}` is not answered for")),
    );
    complaints
}

#[test]
fn every_id_is_answered_for_once_and_every_named_test_is_there() {
    let root = root();
    let listed = fs::read_to_string(root.join("tests/ids.txt")).expect("the list of ids is there");
    let table =
        fs::read_to_string(root.join("tests/cases.tsv")).expect("the table of cases is there");
    let exists = |name: &str| {
        let parts: Vec<&str> = name.split("::").collect();
        let Some((function, file)) = parts.split_last() else {
            return false;
        };
        2 <= file.len() && test_file(&root, file).is_some_and(|text| has_test(&text, function))
    };
    let complaints = check(&ids(&listed), &table, &exists);
    assert!(
        complaints.is_empty(),
        "tests/cases.tsv:\n{}",
        complaints.join("\n")
    );
}

#[test]
fn the_list_of_ids_has_each_page_in_full() {
    let listed =
        fs::read_to_string(root().join("tests/ids.txt")).expect("the list of ids is there");
    let ids = ids(&listed);
    let count = |start: &str| ids.iter().filter(|id| id.starts_with(start)).count();
    let cases = ids
        .iter()
        .filter(|id| id.len() == 3 && !id.contains('-'))
        .count();
    assert_eq!(
        ids.iter().collect::<BTreeSet<_>>().len(),
        ids.len(),
        "no id stands twice"
    );
    assert_eq!(
        (count("FAULT-"), count("POLICY-P"), count("REPORT-"), cases),
        (12, 26, 77, 323)
    );
    assert_eq!(
        ids.len() - 12 - 26 - 77 - 323,
        234,
        "the behaviour scenarios"
    );
}

#[test]
fn a_table_with_a_fault_is_found_out() {
    let ids = ["A-01", "A-02"];
    let complaints = |table: &str| check(&ids, table, &|name| name == "p::f::t").len();
    assert_eq!(
        complaints("# why\n\nA-01\tp::f::t, p::f::t\nA-02\tlater: tasks\n"),
        0
    );
    assert_eq!(
        complaints("A-01\tp::f::t\nA-02\tnot applicable: no such thing\n"),
        0
    );
    assert_eq!(complaints("A-01\tp::f::t\n"), 1, "an id that is missing");
    assert_eq!(
        complaints("A-01\tp::f::t\nA-02\tp::f::t\nA-01\tp::f::t\n"),
        1,
        "an id listed twice"
    );
    assert_eq!(
        complaints("A-01\tp::f::t\nA-02\tp::f::t\nA-03\tp::f::t\n"),
        1,
        "an id that is none"
    );
    assert_eq!(
        complaints("A-01\tp::f::t\nA-02\tp::f::u\n"),
        1,
        "a test that is not there"
    );
    assert_eq!(
        complaints("A-01\tp::f::t, p::f::u\nA-02\tp::f::t\n"),
        1,
        "one of two not there"
    );
    assert_eq!(
        complaints("A-01\tp::f::t\nA-02\tlater: \n"),
        1,
        "later, but when"
    );
    assert_eq!(
        complaints("A-01\tp::f::t\nA-02 p::f::t\n"),
        2,
        "no tab, so no answer"
    );
}

#[test]
fn a_function_is_a_test_only_with_its_attribute() {
    let text = "#[test]\n#[should_panic]\nfn yes() {}\nfn no() {}\n    #[test]\n    fn drawn(x in 0..9) {}\n";
    assert!(has_test(text, "yes") && has_test(text, "drawn"));
    assert!(!has_test(text, "no") && !has_test(text, "ye"));
}
