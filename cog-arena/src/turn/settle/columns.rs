//! Settling by column: eager declared columns, by rank and chunk; then the roots.
//!
//! Takes: the rank queues and the list of roots. Leaves: every eager column and
//! every held row settled. Never: runs a row of which no input really changed.
//!
//! Columns with nothing tracked above them go first; for tracked rows they are
//! then like sources. Marks are complete when the first tracked row is pulled.

use smallvec::SmallVec;

use crate::error::Panic;
use crate::graph::Graph;
use crate::graph::columns::Kind;
use crate::graph::nodes::Flags;
use crate::ids::{ChunkId, ColumnId, Item, NodeIndex, Row, StoreId, bits_of, row_count};
use crate::turn::host::Host;
use crate::turn::settle::{batch, rows};
use crate::turn::tell;

/// Settles everything that is needed whether read or not.
#[inline]
pub(crate) fn settle<H: Host>(host: &mut H) {
    if !host.graph().is_quiet() {
        settle_pending(host);
    }
    let reached = std::mem::take(&mut host.graph().pending.reached_count);
    host.state().counts.reached += reached;
}

#[inline(never)]
fn settle_pending<H: Host>(host: &mut H) {
    loop {
        while let Some(column) = host.graph().pending.first.pop() {
            settle_column(host, column);
        }
        pull_roots(host);
        if !host.graph().pending.recovered.is_told() {
            tell::tell_recovered(host.graph());
        } else if let Some(column) = host.graph().pending.second.pop() {
            settle_later(host, column);
        } else if host.graph().pending.first.is_empty() {
            break;
        }
        // Roots may wake a column of the first stratum: by a row that nobody knows, or one that failed.
    }
    host.graph().pending.recovered.clear();
    while let Some(column) = host.graph().pending.touched.pop() {
        untouch(host, column);
    }
    host.graph().sweep_loose();
}

fn pull_roots<H: Host>(host: &mut H) {
    let mut at = 0;
    while let Some(&node) = host.graph().pending.roots.get(at) {
        at += 1;
        pull_root(host, node);
    }
    host.graph().pending.roots.clear();
}

#[inline(never)]
fn pull_root<H: Host>(host: &mut H, node: NodeIndex) {
    if !host.graph().nodes[node].flags.any(Flags::ROOT) {
        return;
    }
    let row = host.graph().nodes[node].row;
    let settled = if host.graph().nodes[node].flags.any(Flags::TRACKED) {
        rows::settle_node(host, node)
    } else {
        let column = host.graph().column_of(row);
        if column.is_nil() || host.graph().columns[column].kind != Kind::Declared {
            return;
        }
        rows::settle_row(host, column, row)
    };
    if let Err(panic) = settled {
        host.state().keep(panic);
    }
    end_if_idle(host.graph(), node);
}

/// A member's row that can't have a value, and that nothing reads, needs no node: it comes back when its inputs do.
/// One with declared dependants stays, since these may not be told of rows that never were.
fn end_if_idle(graph: &mut Graph, at: NodeIndex) {
    let node = &graph.nodes[at];
    let needed = Flags::HELD.with(Flags::PENDING).with(Flags::OUTS);
    let can_be = node.flags.any(Flags::INS) && node.flags.any(Flags::ABSENT);
    if node.is_read() || node.flags.any(needed) || !can_be {
        return;
    }
    let (chunk, bit) = graph.place(node.row);
    let column = graph.column_of(node.row);
    if graph.bound(column, chunk) & bit != 0 && graph.available(column, chunk) & bit == 0 {
        graph.end_tracked(at);
        graph.sweep_loose();
    }
}

/// As [`settle_column`], out of the way of the loop over the first stratum.
#[inline(never)]
fn settle_later<H: Host>(host: &mut H, id: ColumnId) {
    settle_column(host, id);
}

#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "the body of the loop over a chain: a call a link costs as much as its bookkeeping"
)]
fn settle_column<H: Host>(host: &mut H, id: ColumnId) {
    let column = &mut host.graph().columns[id];
    if !column.is_lane() {
        settle_family(host, id);
    } else if column.dirty.take_first() != 0 {
        settle_lane(host, id);
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "as above")]
fn settle_lane<H: Host>(host: &mut H, id: ColumnId) {
    let graph = host.graph();
    graph.pending.reached_count += 1;
    if graph.is_plain_lane(id) {
        batch::run_plain_lane(host, id);
    } else {
        settle_fragile_lane(host, id);
    }
}

#[cold]
#[inline(never)]
fn settle_fragile_lane<H: Host>(host: &mut H, id: ColumnId) {
    let present = host.graph().available(id, 0);
    let mut items = [Item {
        chunk: 0,
        mask: 1,
        present,
    }];
    if let Some(panic) = batch::run(host, id, &mut items) {
        host.state().keep(panic);
    }
    batch::after(host, id, &items, true);
}

#[inline(never)]
fn settle_family<H: Host>(host: &mut H, id: ColumnId) {
    let mut items = std::mem::take(&mut host.state().items);
    items.clear();
    let graph = host.graph();
    graph.columns[id].dirty.take(|chunk, mask| {
        items.push(Item {
            chunk,
            mask,
            present: 0,
        });
    });
    if graph.is_fragile(id) {
        items.retain_mut(|item| {
            look_again(graph, id, *item);
            item.present = graph.available(id, item.chunk);
            item.mask &= due(graph, id, *item);
            graph.pending.reached_count += row_count(item.mask);
            item.mask != 0
        });
        if !items.is_empty() {
            let panic = batch::run(host, id, &mut items);
            settled_family(host, id, &items, panic);
        }
    } else {
        select_due(graph, id, &mut items);
        if !items.is_empty() {
            let panic = batch::run_known(host, id, &mut items);
            settled_family(host, id, &items, panic);
        }
    }
    host.state().items = items;
}

fn settled_family<H: Host>(host: &mut H, id: ColumnId, items: &[Item], panic: Option<Panic>) {
    if let Some(panic) = panic {
        host.state().keep(panic);
    }
    batch::after(host, id, items, true);
}

/// Leaves of `items` what is [`due`], where nothing failed, and notes that it will be known: with all that is the same
/// for each chunk looked up once.
fn select_due(graph: &mut Graph, id: ColumnId, items: &mut Vec<Item>) {
    let column = &graph.columns[id];
    let mut shared = u64::MAX;
    let mut inputs = SmallVec::<[StoreId; 4]>::new();
    for input in column.inputs.iter().filter(|input| input.required) {
        if input.shared {
            shared &= graph.present(input.column, true, 0);
        } else {
            inputs.push(graph.columns[input.column].store);
        }
    }
    let store = column.store;
    let space = &graph.spaces[column.space.index()];
    let (heads, stores) = graph.rows.parts();
    let aligned: SmallVec<[&[ChunkId]; 4]> = inputs
        .iter()
        .map(|input| stores[input.index()].as_slice())
        .collect();
    let own = stores[store.index()].as_slice();
    let (mut count, mut kept, mut new) = (0, 0, false);
    // Not `retain_mut`: its closure is a call for each chunk, and that costs as much as what it does.
    for at in 0..items.len() {
        let mut item = items[at];
        item.present = aligned.iter().fold(shared, |mask, chunks| {
            mask & chunk_at(chunks, item.chunk).map_or(0, |chunk| heads[chunk.index()].present)
        });
        let members = space.members(item.chunk);
        if let Some(chunk) = chunk_at(own, item.chunk) {
            let head = &mut heads[chunk.index()];
            item.mask &= (head.present | item.present) & (head.known | members);
            head.known |= item.mask;
        } else {
            item.mask &= item.present & members;
            new |= item.mask != 0;
        }
        count += row_count(item.mask);
        items[kept] = item;
        kept += usize::from(item.mask != 0);
    }
    items.truncate(kept);
    drop(aligned);
    graph.pending.reached_count += count;
    if new {
        batch::make_known(graph, id, items);
    }
}

#[inline]
fn chunk_at(chunks: &[ChunkId], at: u32) -> Option<ChunkId> {
    let chunk = chunks.get(at as usize).copied()?;
    (!chunk.is_nil()).then_some(chunk)
}

/// Of rows marked dirty, those that can be something else now: a value, or a failure, or available. Of keys that aren't
/// members only rows that were read: their inputs are settled because these were read with them. Chunks filled as a
/// whole hold other bits, too.
fn due(graph: &Graph, id: ColumnId, item: Item) -> u64 {
    let members = graph.bound(id, item.chunk);
    let possible = item.present | graph.blocked(id, item.chunk);
    let chunk = graph.rows.chunk(graph.columns[id].store, item.chunk);
    if chunk.is_nil() {
        return possible & members;
    }
    let head = &graph.rows[chunk];
    (head.present | head.failed | possible) & (head.known | members)
}

/// Rows of keys that aren't members, which failed before all their inputs were settled, and may not fail now.
fn look_again(graph: &mut Graph, id: ColumnId, item: Item) {
    let chunk = graph.rows.chunk(graph.columns[id].store, item.chunk);
    if !graph.columns[id].any_failed || chunk.is_nil() {
        return;
    }
    let possible = !graph.bound(id, item.chunk) & !graph.blocked(id, item.chunk);
    let head = &graph.rows[chunk];
    let mask = item.mask & possible & head.failed & !head.known;
    if mask != 0 {
        tell::look_again(graph, id, chunk, Item { mask, ..item });
    }
}

/// Check bits of eager columns die with the turn: the column is settled.
#[inline(never)]
fn untouch<H: Host>(host: &mut H, id: ColumnId) {
    let graph = host.graph();
    let mut check = std::mem::take(&mut graph.columns[id].check);
    graph.columns[id].touched = false;
    check.take(|chunk, mask| {
        if graph.columns[id].is_lane() {
            graph.unmark_anchor(graph.columns[id].lane);
            if let Some(whole) = &mut graph.columns[id].whole {
                whole.check.take(|_, _| {});
            }
            return;
        }
        let chunk = graph.rows.chunk(graph.columns[id].store, chunk);
        if chunk.is_nil() || graph.columns[id].kind != Kind::Declared {
            return;
        }
        // Rows that are settled only when they are read stay marked.
        let settled = graph.rows[chunk].noded & graph.rows[chunk].known;
        for offset in bits_of(mask & settled) {
            graph.unmark_anchor(Row::of(chunk, offset));
        }
    });
    graph.columns[id].check = check;
}
