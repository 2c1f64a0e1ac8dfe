//! The shape of a file: it opens with a header, is short, and so are its functions.
//!
//! Takes: a file. Leaves: complaints. Never: asks what the file is about.

use super::source::{SourceFile, end_of_block, find_words, line_of};

/// A file of this many lines has become two ideas.
pub(crate) const FILE_LINES_MAX: usize = 400;

/// A function of this many lines, from its name to its closing brace, hides a second one.
pub(crate) const FUNCTION_LINES_MAX: usize = 70;

/// Complaints about the header, the length, and the length of each function.
pub(crate) fn check(file: &SourceFile) -> Vec<String> {
    let mut complaints = Vec::new();
    let lines = file.text.lines().count();
    if !file.text.starts_with("//!") {
        complaints.push(format!(
            "{}:1: a file begins with a `//!` header",
            file.path
        ));
    }
    if FILE_LINES_MAX <= lines {
        complaints.push(format!(
            "{}: {lines} lines; a file has fewer than {FILE_LINES_MAX}",
            file.path
        ));
    }
    complaints.extend(check_functions(file));
    complaints
}

fn check_functions(file: &SourceFile) -> Vec<String> {
    let mut complaints = Vec::new();
    for at in find_words(&file.code, "fn") {
        // `fn` before a parenthesis is a type, not a function.
        let Some(name) = file.code[at + 2..]
            .split_whitespace()
            .next()
            .filter(|name| !name.starts_with('('))
        else {
            continue;
        };
        let Some(end) = end_of_block(&file.code, at) else {
            continue;
        };
        let lines = file.code[at..end].matches('\n').count() + 1;
        if FUNCTION_LINES_MAX <= lines {
            let name = name.split(['(', '<']).next().unwrap_or(name);
            let line = line_of(&file.code, at);
            let path = &file.path;
            complaints.push(format!("{path}:{line}: `{name}` has {lines} lines; a function has fewer than {FUNCTION_LINES_MAX}"));
        }
    }
    complaints
}
