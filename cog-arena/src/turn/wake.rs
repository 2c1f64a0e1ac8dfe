//! Part of step 2, and of settling: declared dependants hear which rows really moved.
//!
//! Takes: words of rows whose values moved. Leaves: dependants dirty row by
//! row, without an edge, and queued. Never: runs anything.

use crate::graph::Graph;
use crate::graph::columns::{Kind, Output};
use crate::graph::nodes::Flags;
use crate::graph::pending::Mark;
use crate::ids::{ColumnId, Item, NodeIndex, Row, bits_of};

/// Tells declared dependants which rows really moved, one dependant at a time.
#[inline]
pub(crate) fn push_outputs(graph: &mut Graph, id: ColumnId, items: &[Item]) {
    for i in 0..graph.columns[id].outputs.len() {
        let output = graph.columns[id].outputs[i];
        push_output(graph, output, items);
    }
}

/// As [`push_outputs`], for a keyless cog.
#[inline]
pub(crate) fn push_lane(graph: &mut Graph, id: ColumnId) {
    match *graph.columns[id].outputs.as_slice() {
        [] => {}
        [output] => push_to_lane(graph, output),
        _ => push_each(graph, id),
    }
}

#[inline(never)]
fn push_each(graph: &mut Graph, id: ColumnId) {
    for i in 0..graph.columns[id].outputs.len() {
        let output = graph.columns[id].outputs[i];
        push_to_lane(graph, output);
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "once a link of a chain")]
fn push_to_lane(graph: &mut Graph, output: Output) {
    let column = &mut graph.columns[output.column];
    if column.kind == Kind::Declared && column.is_lane() {
        column.dirty.or(0, 1);
        let stratum = column.stratum;
        graph.enqueue_in(stratum, output.column);
    } else {
        let item = Item {
            chunk: 0,
            mask: 1,
            present: 1,
        };
        push_output(graph, output, &[item]);
    }
}

#[inline(never)]
fn push_output(graph: &mut Graph, output: Output, items: &[Item]) {
    let id = output.column;
    let column = &mut graph.columns[id];
    if column.kind == Kind::Tracked {
        push_tracked(graph, output, items);
        return;
    }
    if column.is_lane() {
        column.dirty.or(0, 1);
        if let Some(whole) = &mut column.whole {
            for item in items {
                whole.moved.or(item.chunk, item.mask);
            }
        }
    } else if output.shared {
        push_shared(graph, id);
    } else {
        for item in items.iter().filter(|item| item.mask != 0) {
            column.dirty.or(item.chunk, item.mask);
        }
    }
    graph.enqueue(id);
}

/// A keyless input of a family moved: all rows are to run, or those two that are known to flip.
fn push_shared(graph: &mut Graph, id: ColumnId) {
    let column = &mut graph.columns[id];
    if let Some(flips) = column.narrow.as_mut().and_then(|narrow| narrow.take()) {
        for row in flips.into_iter().filter(|row| !row.is_nil()) {
            column.dirty.or(row.chunk(), row.bit());
        }
        return;
    }
    for chunk in graph.chunk_range(id) {
        graph.columns[id].dirty.or(chunk, u64::MAX);
    }
}

fn push_tracked(graph: &mut Graph, output: Output, items: &[Item]) {
    if output.shared && !graph.columns[output.column].is_lane() {
        for chunk in graph.chunk_range(output.column) {
            push_tracked_rows(graph, output.column, chunk, u64::MAX);
        }
        return;
    }
    for item in items.iter().filter(|item| item.mask != 0) {
        push_tracked_rows(graph, output.column, item.chunk, item.mask);
    }
}

/// A declared input of tracked rows really moved: marked and cold ones are
/// dirty. Rows of an eager column come to life when their inputs are there.
fn push_tracked_rows(graph: &mut Graph, id: ColumnId, chunk: u32, mask: u64) {
    let column = &graph.columns[id];
    let (eager, recipe, store, lane) = (column.eager, column.recipe, column.store, column.lane);
    if !lane.is_nil() {
        let node = graph.ensure_tracked(lane, recipe);
        dirty_if_marked(graph, node);
        if graph.nodes[node].flags.any(Flags::STALE) && graph.blocked(id, 0) == 0 {
            try_again(graph, node);
        }
        return;
    }
    let new = if eager {
        mask & (graph.available(id, chunk) | graph.blocked(id, chunk)) & graph.bound(id, chunk)
    } else {
        0
    };
    let at = if new == 0 {
        graph.rows.chunk(store, chunk)
    } else {
        graph.rows.ensure_chunk(store, chunk, id)
    };
    if at.is_nil() {
        return;
    }
    let noded = graph.rows[at].noded;
    for offset in bits_of(mask & noded) {
        let node = graph.rows.node(Row::of(at, offset));
        dirty_if_marked(graph, node);
        if graph.nodes[node].flags.any(Flags::STALE) && graph.blocked(id, chunk) >> offset & 1 == 0
        {
            try_again(graph, node);
        }
    }
    for offset in bits_of(graph.untracked(at, new)) {
        let node = graph.ensure_tracked(Row::of(at, offset), recipe);
        graph.pending.reached_count += 1;
        graph.pending.roots.push(node);
        if graph.nodes[node].flags.any(Flags::OUTS) {
            graph.pending.column_marks.push(Mark {
                column: id,
                chunk,
                mask: 1 << offset,
            });
        }
    }
}

/// A needed row failed, and now an input moved and none fails: it is pulled again.
#[cold]
fn try_again(graph: &mut Graph, at: NodeIndex) {
    let node = &mut graph.nodes[at];
    if node.flags.any(Flags::ROOT) && !node.flags.any(Flags::MARKED.with(Flags::BUSY)) {
        node.flags = node.flags.with(Flags::DIRTY);
        graph.pending.roots.push(at);
    }
}

fn dirty_if_marked(graph: &mut Graph, at: NodeIndex) {
    let node = &mut graph.nodes[at];
    if node.flags.any(Flags::CHECK.with(Flags::COLD)) && node.flags.any(Flags::TRACKED) {
        node.flags = node.flags.with(Flags::DIRTY);
    }
}

/// Tells the declared dependants of a tracked row.
#[inline(never)]
pub(crate) fn push_row(graph: &mut Graph, node: NodeIndex) {
    let row = graph.nodes[node].row;
    let (chunk, mask) = graph.place(row);
    push_outputs(
        graph,
        graph.column_of(row),
        &[Item {
            chunk,
            mask,
            present: u64::MAX,
        }],
    );
}
