//! Source text as the checks want it: comments and literals blanked out, unit tests cut away.
//!
//! Takes: files or text. Leaves: text of the same lines and columns, so that a complaint can name
//! its line. Never: parses Rust; a few characters of context are enough for what is asked here.

use std::fs;
use std::path::Path;

/// One file, as it is and as the checks read it.
pub(crate) struct SourceFile {
    /// Path from the folder that was read, with `/` between the parts.
    pub(crate) path: String,
    /// The text as it stands.
    pub(crate) text: String,
    /// The text with every comment, string and character blanked out.
    pub(crate) code: String,
    /// `code` with every `#[cfg(test)]` item blanked out as well; empty in a file of unit tests.
    pub(crate) shipped: String,
}

impl SourceFile {
    /// Prepares `text`, which is called `path` in complaints.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let code = blank_comments_and_literals(text);
        let is_tests = path.ends_with("/tests.rs") || path.contains("/tests/");
        let shipped = if is_tests {
            String::new()
        } else {
            blank_unit_tests(&code)
        };
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
            code,
            shipped,
        }
    }

    /// The module path: `graph/rows.rs` is `[graph, rows]`, a `mod.rs` its folder, `lib.rs` nothing.
    pub(crate) fn module(&self) -> Vec<&str> {
        let mut parts: Vec<&str> = self.path.trim_end_matches(".rs").split('/').collect();
        if matches!(parts.last(), Some(&"mod" | &"lib" | &"main")) {
            parts.pop();
        }
        parts
    }
}

/// All `.rs` files below `folder` in the order of their names, without build folders.
pub(crate) fn read_folder(folder: &Path) -> Vec<SourceFile> {
    let mut files = Vec::new();
    collect(folder, folder, &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<SourceFile>) {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|e| panic!("{} can be listed: {e}", folder.display()));
    for entry in entries {
        let path = entry.expect("a folder's entry can be read").path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                collect(root, &path, files);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source file is UTF-8");
            let inner = path
                .strip_prefix(root)
                .expect("a file lies below the folder it was found in");
            let name = inner
                .components()
                .map(|part| part.as_os_str().to_string_lossy());
            files.push(SourceFile::new(&name.collect::<Vec<_>>().join("/"), &text));
        }
    }
}

/// The line, counted from 1, that byte `at` of `text` lies in.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Byte positions where `word` stands alone, that is, not inside a longer name.
pub(crate) fn find_words(text: &str, word: &str) -> Vec<usize> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    // A quote makes it a lifetime, which is another word.
    let opens_free = |at: usize| {
        !text[..at]
            .chars()
            .next_back()
            .is_some_and(|c| is_name(c) || c == '\'')
    };
    let closes_free = |end: usize| !text[end..].chars().next().is_some_and(is_name);
    let first_is_name = word.chars().next().is_some_and(is_name);
    let last_is_name = word.chars().next_back().is_some_and(is_name);
    text.match_indices(word)
        .map(|(at, _)| at)
        .filter(|&at| !first_is_name || opens_free(at))
        .filter(|&at| !last_is_name || closes_free(at + word.len()))
        .collect()
}

/// The byte after the brace that closes the first one opened at or after `from`.
///
/// `None` if a `;` at the same depth comes before any brace (an item without a body), or if the
/// brace never closes. Expects code without comments and literals.
pub(crate) fn end_of_block(code: &str, from: usize) -> Option<usize> {
    let (mut braces, mut brackets) = (0_usize, 0_usize);
    for (offset, byte) in code.bytes().enumerate().skip(from) {
        match byte {
            b'{' => braces += 1,
            b'}' if braces <= 1 => return (braces == 1).then_some(offset + 1),
            b'}' => braces -= 1,
            b'(' | b'[' => brackets += 1,
            b')' | b']' => brackets = brackets.saturating_sub(1),
            b';' if braces == 0 && brackets == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Blanks out all bytes of `text` in `range` but the line breaks.
fn blank(text: &mut [u8], range: std::ops::Range<usize>) {
    for byte in &mut text[range] {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
}

fn blank_unit_tests(code: &str) -> String {
    let mut bytes = code.as_bytes().to_vec();
    for (at, marker) in code.match_indices("#[cfg(test)]") {
        let after = at + marker.len();
        let end = end_of_block(code, after).unwrap_or_else(|| {
            code[after..]
                .find(';')
                .map_or(code.len(), |semicolon| after + semicolon + 1)
        });
        blank(&mut bytes, at..end);
    }
    String::from_utf8(bytes).expect("blanking whole items leaves UTF-8")
}

/// Replaces every comment, string and character literal by spaces.
pub(crate) fn blank_comments_and_literals(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = end_of_hidden(text.as_bytes(), at);
        if at < end {
            blank(&mut bytes, at..end);
            at = end;
        } else {
            at += 1;
        }
    }
    String::from_utf8(bytes).expect("comments and literals begin and end between characters")
}

/// The end of the comment or literal that begins at `at`; `at` itself if none does.
fn end_of_hidden(text: &[u8], at: usize) -> usize {
    let rest = &text[at..];
    let inside_name = 0 < at && (text[at - 1].is_ascii_alphanumeric() || text[at - 1] == b'_');
    match rest {
        [b'/', b'/', ..] => at + rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()),
        [b'/', b'*', ..] => end_of_block_comment(text, at),
        [b'"', ..] => end_of_string(text, at + 1),
        [b'r', b'"' | b'#', ..] if !inside_name => end_of_raw_string(text, at),
        [b'b', b'r', b'"' | b'#', ..] if !inside_name => end_of_raw_string(text, at + 1),
        [b'\'', ..] => end_of_character(text, at),
        _ => at,
    }
}

fn end_of_block_comment(text: &[u8], from: usize) -> usize {
    let (mut depth, mut at) = (0_usize, from);
    while at + 1 < text.len() {
        match &text[at..at + 2] {
            b"/*" => depth += 1,
            b"*/" if depth == 1 => return at + 2,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
    }
    text.len()
}

fn end_of_string(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// `at` is the `r`. A raw name such as `r#type` is no string and is left alone.
fn end_of_raw_string(text: &[u8], at: usize) -> usize {
    let hashes = text[at + 1..].iter().take_while(|&&b| b == b'#').count();
    if text.get(at + 1 + hashes) != Some(&b'"') {
        return at;
    }
    let closing: Vec<u8> = std::iter::once(b'"')
        .chain(std::iter::repeat_n(b'#', hashes))
        .collect();
    let from = at + 2 + hashes;
    let found = text[from..]
        .windows(closing.len())
        .position(|window| window == closing);
    found.map_or(text.len(), |offset| from + offset + closing.len())
}

/// A quote opens a character if a second one closes it; otherwise it is a lifetime.
fn end_of_character(text: &[u8], at: usize) -> usize {
    if text.get(at + 1) == Some(&b'\\') {
        let closing = text[at + 3..].iter().position(|&b| b == b'\'');
        return closing.map_or(text.len(), |offset| at + 3 + offset + 1);
    }
    // A character is at most four bytes long.
    let closing = (at + 2..=at + 5).find(|&end| text.get(end) == Some(&b'\''));
    match closing {
        Some(end)
            if std::str::from_utf8(&text[at + 1..end]).is_ok_and(|c| c.chars().count() == 1) =>
        {
            end + 1
        }
        _ => at,
    }
}
