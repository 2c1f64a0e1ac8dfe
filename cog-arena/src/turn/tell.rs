//! Part of step 2, and of settling: readers hear that a row ended, recovered, or must be looked at again.
//!
//! Takes: rows that changed in another way than by a new value. Leaves: whoever read them marked. Never: runs anything.

use crate::graph::Graph;
use crate::graph::columns::{Kind, Output, Stratum};
use crate::graph::nodes::Flags;
use crate::graph::pending::Mark;
use crate::ids::{ChunkId, ColumnId, Item, NodeIndex, Row, bits_of};
use crate::turn::mark::{
    drain, first_mark, mark_anchor, mark_consumers, mark_node, mark_outputs, mark_rows,
};
use crate::turn::wake::push_outputs;

/// A row ended with its key: its readers must run again. Or, if it had no value, look again.
pub(crate) fn row_ended(graph: &mut Graph, at: NodeIndex) {
    let (flags, row) = (graph.nodes[at].flags, graph.nodes[at].row);
    if graph.columns[graph.column_of(row)].kind == Kind::Declared {
        mark_anchor(graph, at);
    } else if flags.any(Flags::TRACKED) {
        let read = graph.nodes[at].consumers.len() > 0;
        first_mark(graph, at, flags, read);
    } else {
        mark_consumers(graph, at, Flags::DIRTY);
    }
    drain(graph);
}

/// A row that failed has a result again: whoever read the failure, and doesn't run already, is to hear of it.
#[cold]
pub(crate) fn row_recovered(graph: &mut Graph, row: Row) {
    let count = graph.pending.failures.recovered(row);
    if !graph.pending.recovered.note(row, count) {
        return;
    }
    let node = graph.rows.node(row);
    if node.is_nil() {
        return;
    }
    let list = graph.nodes[node].consumers;
    for i in 0..list.len() {
        let consumer = graph.blocks.get(&list, i).node;
        if !graph.nodes[consumer].flags.any(Flags::BUSY) {
            graph.pending.recovered.note_reader(consumer);
        }
    }
}

/// Nothing runs: the readers of what recovered hear of it, if they have not run since.
#[cold]
#[inline(never)]
pub(crate) fn tell_recovered(graph: &mut Graph) {
    graph.pending.pass += 1;
    graph.changed = graph.begin_recovery();
    // What failed may have been made of what moves now, and of no failure.
    graph.pending.failures.recoveries_are_told();
    for node in std::mem::take(&mut graph.pending.recovered.readers) {
        if graph.pending.recovered.take_misled(node) {
            mark_node(graph, node, Flags::DIRTY);
        }
    }
    while !graph.pending.recovered.is_told() {
        let (row, count) = graph.pending.recovered.rows[graph.pending.recovered.told_count];
        graph.pending.recovered.told_count += 1;
        let column = graph.column_of(row);
        if !column.is_nil() && graph.columns[column].marks {
            mark_failed_outputs(graph, column, row, count);
        }
    }
    drain(graph);
}

/// Marks the declared dependants of a row that still bear its failure. Those that failed after so many recoveries know.
fn mark_failed_outputs(graph: &mut Graph, column: ColumnId, row: Row, count: u32) {
    let (chunk, mask) = graph.place(row);
    for i in 0..graph.columns[column].outputs.len() {
        let Output { column: id, shared } = graph.columns[column].outputs[i];
        let to = &graph.columns[id];
        if !to.below || to.stratum == Stratum::First {
            continue;
        }
        let (chunks, mask) = match (to.is_lane(), shared) {
            (true, _) => (0..1, 1),
            (false, true) => (graph.key_chunks(id), u64::MAX),
            (false, false) => (chunk..chunk + 1, mask),
        };
        for chunk in chunks {
            let failed = mask & graph.failed(id, chunk);
            let misled = bits_of(failed).filter(|&offset| {
                let row = graph.row_at(id, chunk, offset);
                !graph.pending.failures.has_failed_since(row, count)
            });
            let misled = misled.fold(0, |mask, offset| mask | 1 << offset);
            mark_failed(graph, id, chunk, misled);
        }
    }
}

fn mark_failed(graph: &mut Graph, id: ColumnId, chunk: u32, failed: u64) {
    if graph.columns[id].kind == Kind::Declared {
        mark_rows(graph, id, chunk, failed);
        return;
    }
    for offset in bits_of(failed) {
        let node = graph.rows.node(graph.row_at(id, chunk, offset));
        if !node.is_nil() && graph.nodes[node].flags.any(Flags::TRACKED) {
            mark_node(graph, node, Flags::DIRTY);
        }
    }
}

/// A key came or went: what depends on the family as a whole looks at its row, whatever becomes of it.
#[inline(never)]
pub(crate) fn member_changed(graph: &mut Graph, family: ColumnId, chunk: u32, bit: u64) {
    graph.changed = graph.revision;
    for i in 0..graph.columns[family].outputs.len() {
        let id = graph.columns[family].outputs[i].column;
        let column = &mut graph.columns[id];
        let Some(whole) = &mut column.whole else {
            continue;
        };
        whole.moved.or(chunk, bit);
        whole.check.or(chunk, bit);
        column.dirty.or(0, 1);
        if column.below && column.stratum != Stratum::First {
            mark_rows(graph, id, 0, 1);
        }
        graph.enqueue(id);
    }
    drain(graph);
}

/// Declared rows that failed may not fail now, but are settled only when they are read: what depends on them, and who
/// read them, must look again.
#[cold]
pub(crate) fn look_again(graph: &mut Graph, id: ColumnId, chunk: ChunkId, item: Item) {
    graph.rows[chunk].failed &= !item.mask;
    for offset in bits_of(item.mask & graph.rows[chunk].noded) {
        let node = graph.rows.node(Row::of(chunk, offset));
        mark_anchor(graph, node);
    }
    push_outputs(graph, id, &[item]);
    if graph.columns[id].marks {
        let mark = Mark {
            column: id,
            chunk: item.chunk,
            mask: item.mask,
        };
        mark_outputs(graph, mark, Flags::CHECK);
    }
    drain(graph);
}
