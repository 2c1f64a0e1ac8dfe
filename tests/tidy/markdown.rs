//! Tables in Markdown, read by their first heading.
//!
//! Takes: text. Leaves: rows of cells, without backticks. Never: minds the prose around a table.

/// The rows of the first table whose first heading is `heading`; none if there is no such table.
pub(crate) fn rows(text: &str, heading: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| -> Vec<String> {
        let inner = line.trim().trim_matches('|');
        inner
            .split('|')
            .map(|cell| cell.trim().trim_matches('`').to_owned())
            .collect()
    };
    let is_row = |line: &&str| line.trim_start().starts_with('|');
    let mut lines = text
        .lines()
        .skip_while(|line| !is_row(line) || cells(line)[0] != heading);
    lines.next();
    // The line of dashes.
    lines.next();
    lines.take_while(is_row).map(cells).collect()
}
