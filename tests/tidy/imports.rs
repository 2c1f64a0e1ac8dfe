//! Which modules a file names: every path that begins with `crate::`, groups unfolded.
//!
//! Takes: shipped code. Leaves: paths with their lines. Never: resolves a name; the floor plan
//! decides what a path means.

use super::source::{find_words, line_of};

/// One path after `crate::`, and where it stands.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// The parts, without `crate`.
    pub(crate) path: Vec<String>,
    /// The line it begins in, counted from 1.
    pub(crate) line: usize,
}

/// All paths of `code` that begin at the crate's root, in the order they stand.
pub(crate) fn find(code: &str) -> Vec<Import> {
    let mut imports = Vec::new();
    for at in find_words(code, "crate::") {
        // `pub(in crate::graph)` says who may look in, not where this file looks.
        if code[..at].trim_end().ends_with("(in") {
            continue;
        }
        let mut paths = Vec::new();
        read_tree(&code[at + "crate::".len()..], &mut Vec::new(), &mut paths);
        let line = line_of(code, at);
        imports.extend(paths.into_iter().map(|path| Import { path, line }));
    }
    imports
}

/// Reads `a::b`, `a::{b, c::d}` or `{a, b}` from the start of `text`; gives back how long it was.
fn read_tree(text: &str, prefix: &mut Vec<String>, paths: &mut Vec<Vec<String>>) -> usize {
    let depth = prefix.len();
    let mut at = 0;
    loop {
        at += blanks(&text[at..]);
        if text[at..].starts_with('{') {
            at += read_group(&text[at..], prefix, paths);
            break;
        }
        let name: String = text[at..]
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        if name.is_empty() {
            break;
        }
        at += name.len();
        // `a::{self, b}` names `a`.
        if name != "self" {
            prefix.push(name);
        }
        let after = at + blanks(&text[at..]);
        if !text[after..].starts_with("::") {
            paths.push(prefix.clone());
            break;
        }
        at = after + 2;
        // `Row::<..>`: the path is over where its generic arguments begin.
        if text[at..].starts_with('<') {
            paths.push(prefix.clone());
            break;
        }
    }
    prefix.truncate(depth);
    at
}

fn read_group(text: &str, prefix: &mut Vec<String>, paths: &mut Vec<Vec<String>>) -> usize {
    let mut at = 1;
    while at < text.len() {
        at += blanks(&text[at..]);
        if text[at..].starts_with('}') {
            return at + 1;
        }
        at += read_tree(&text[at..], prefix, paths);
        // What is left of an item, such as `as Name`, ends at a comma or the closing brace.
        at += text[at..].find([',', '}']).unwrap_or(text.len() - at);
        if text[at..].starts_with(',') {
            at += 1;
        }
    }
    at
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start().len()
}
