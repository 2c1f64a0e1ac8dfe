//! Step 1 of a turn. Staged values become current.
//!
//! Takes: what writers staged. Leaves: the rows that really moved, and marks
//! everything below them. Never: moves a row whose staged value equals the
//! committed one, and changes nothing at all if a comparison panics.

use crate::error::Panic;
use crate::graph::Graph;
use crate::ids::{ChunkId, ColumnId, Item, Moved, Row, StoreId, bits_of, row_count};
use crate::turn::host::Host;
use crate::turn::{mark, tell, wake};

/// Commits what is staged. Steps 1 and 2 in one: a word that moved is still in
/// the cache when what it wakes is marked.
///
/// # Errors
///
/// With the first panic of user code.
pub(crate) fn commit<H: Host>(host: &mut H) -> Result<(), Panic> {
    host.graph().pending.pass += 1;
    let Some((chunk, item)) = host.commit_one()? else {
        return commit_many(host);
    };
    let graph = host.graph();
    graph.revision.0 += 1;
    if item.mask != 0 {
        graph.changed = graph.revision;
        let written = word_moved(graph, chunk, item);
        graph.sweep_loose();
        host.state().counts.written += written;
    }
    Ok(())
}

/// # Errors
///
/// With the first panic of user code.
#[inline(never)]
fn commit_many<H: Host>(host: &mut H) -> Result<(), Panic> {
    if !host.has_staged() {
        return Ok(());
    }
    let mut moved = std::mem::take(&mut host.state().moved);
    moved.clear();
    let compared = host.compare_staged(&mut moved);
    if compared.is_ok() {
        host.graph().revision.0 += 1;
        host.apply_staged(&mut moved);
        announce(host, &moved);
    }
    host.state().moved = moved;
    compared
}

fn announce<H: Host>(host: &mut H, moved: &[Moved]) {
    let ended = std::mem::take(&mut host.state().ended);
    let graph = host.graph();
    if !moved.is_empty() || !ended.is_empty() {
        graph.changed = graph.revision;
    }
    let mut items = std::mem::take(&mut host.state().items);
    let mut written = 0;
    for run in moved.chunk_by(|one, next| one.store == next.store) {
        items.clear();
        items.extend(run.iter().map(|moved| moved.item));
        written += words_moved(host.graph(), run[0].store, &items);
    }
    let graph = host.graph();
    for &node in &ended {
        tell::row_ended(graph, node);
    }
    graph.sweep_loose();
    let state = host.state();
    state.items = items;
    state.counts.written += written;
    state.ended = ended;
    state.ended.clear();
}

/// Marks what is below words of one store that moved; how many rows did.
fn words_moved(graph: &mut Graph, store: StoreId, items: &[Item]) -> u64 {
    let chunk = graph.rows.chunk(store, items[0].chunk);
    let column = graph.rows[chunk].column;
    if column.is_nil() {
        let words = items.iter().map(|item| {
            let chunk = graph.rows.chunk(store, item.chunk);
            word_moved(graph, chunk, *item)
        });
        return words.sum();
    }
    family_moved(graph, column, items);
    items.iter().map(|item| row_count(item.mask)).sum()
}

/// Marks what is below a word that moved; how many rows did.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "the whole of most turns: one word of one source"
)]
fn word_moved(graph: &mut Graph, chunk: ChunkId, item: Item) -> u64 {
    let column = graph.rows[chunk].column;
    if !column.is_nil() {
        family_moved(graph, column, &[item]);
        return row_count(item.mask);
    }
    let mut written = 0;
    for offset in bits_of(item.mask) {
        written += 1;
        mark::row_moved(graph, Row::of(chunk, offset));
    }
    written
}

#[inline(never)]
fn family_moved(graph: &mut Graph, column: ColumnId, items: &[Item]) {
    wake::push_outputs(graph, column, items);
    if graph.columns[column].anchored || graph.columns[column].marks {
        for &item in items {
            mark::mark_moved(graph, column, item);
        }
    }
    mark::drain(graph);
}
