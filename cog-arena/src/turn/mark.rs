//! Step 2 of a turn. Tells everything downstream of a moved row that it may have changed.
//!
//! Takes: words of rows whose values moved. Leaves: their tracked readers
//! dirty, all beyond at least to check; declared dependants dirty row by row,
//! without an edge. Never: runs user code, looks at a value, visits a row twice.
//!
//! | who is told | by | how |
//! |---|---|---|
//! | declared dependants | [`push_outputs`] | a bit per row that *really* changed, in their dirty set |
//! | tracked readers | [`mark_moved`] | dirty one hop from what really changed, to check beyond |
//! | lazy declared columns with tracked readers below | `mark_outputs` | check bits, word by word |

use crate::graph::Graph;
use crate::graph::columns::{Kind, Stratum};
use crate::graph::edges::List;
use crate::graph::nodes::Flags;
use crate::graph::pending::Mark;
use crate::ids::{ChunkId, ColumnId, Item, NodeIndex, RecipeId, Row, bits_of};
use crate::turn::wake::push_outputs;

/// Marks the tracked readers of one node.
#[inline]
pub(crate) fn mark_consumers(graph: &mut Graph, at: NodeIndex, color: Flags) {
    let list = graph.nodes[at].consumers;
    if list.len() != 0 {
        mark_list(graph, list, color);
    }
}

#[inline(never)]
fn mark_list(graph: &mut Graph, list: List, color: Flags) {
    for i in 0..list.len() {
        let consumer = graph.blocks.get(&list, i).node;
        mark_node(graph, consumer, color);
    }
}

#[inline]
pub(crate) fn mark_node(graph: &mut Graph, at: NodeIndex, color: Flags) {
    let node = &mut graph.nodes[at];
    let flags = node.flags;
    node.flags = flags.with(color);
    if !flags.any(Flags::MARKED) {
        let read = node.consumers.len() > 0;
        first_mark(graph, at, flags, read);
    }
}

#[inline]
pub(crate) fn first_mark(graph: &mut Graph, at: NodeIndex, flags: Flags, read: bool) {
    graph.pending.reached_count += 1;
    if flags.any(Flags::WIDE) {
        if flags.any(Flags::ROOT) {
            graph.pending.roots.push(at);
        }
        if flags.any(Flags::REACTION) {
            graph.pending.reactions.push(at);
        }
        if flags.any(Flags::OUTS) {
            let row = graph.nodes[at].row;
            let (chunk, mask) = graph.place(row);
            let column = graph.column_of(row);
            graph.pending.column_marks.push(Mark {
                column,
                chunk,
                mask,
            });
        }
    }
    if read {
        graph.pending.marked.push(at);
    }
}

/// Passes on every mark that waits.
#[inline]
pub(crate) fn drain(graph: &mut Graph) {
    if !graph.pending.marked.is_empty() || !graph.pending.column_marks.is_empty() {
        drain_all(graph);
    }
}

#[inline(never)]
fn drain_all(graph: &mut Graph) {
    loop {
        if let Some(at) = graph.pending.marked.pop() {
            mark_consumers(graph, at, Flags::CHECK);
        } else if let Some(mark) = graph.pending.column_marks.pop() {
            mark_outputs(graph, mark, Flags::CHECK);
        } else {
            return;
        }
    }
}

/// A keyless row's value really moved: everything that reads it is told.
#[inline]
pub(crate) fn row_moved(graph: &mut Graph, row: Row) {
    let head = &graph.rows[row.chunk()];
    let (there, bit) = (head.noded | head.laned, row.bit());
    let laned = head.laned & bit != 0;
    if there & bit == 0 {
        return;
    }
    let present = head.present & bit != 0;
    let node = graph.rows.node(row);
    if !node.is_nil() {
        node_moved(graph, node, present);
        mark_consumers(graph, node, Flags::DIRTY);
    }
    if laned {
        lane_moved(graph, graph.rows.lane(row));
    }
    drain(graph);
}

#[inline(never)]
fn lane_moved(graph: &mut Graph, lane: ColumnId) {
    let item = Item {
        chunk: 0,
        mask: 1,
        present: 1,
    };
    push_outputs(graph, lane, &[item]);
    if graph.columns[lane].marks {
        let mark = Mark {
            column: lane,
            chunk: 0,
            mask: 1,
        };
        mark_outputs(graph, mark, Flags::DIRTY);
    }
}

/// Notes that a node's value moved, or is gone.
#[inline]
fn node_moved(graph: &mut Graph, at: NodeIndex, present: bool) {
    let revision = graph.revision;
    let node = &mut graph.nodes[at];
    node.changed_at = revision;
    if !present || node.flags.any(Flags::HELD) {
        note_moved(graph, at, present);
    }
}

#[cold]
#[inline(never)]
fn note_moved(graph: &mut Graph, at: NodeIndex, present: bool) {
    let row = graph.nodes[at].row;
    if graph.rows[row.chunk()].failed & row.bit() == 0 {
        graph.note_held_move(at);
    }
    let node = &mut graph.nodes[at];
    if !present {
        node.flags = node.flags.with(Flags::ABSENT);
        if !node.is_read() {
            graph.loose.push(at);
        }
    }
}

/// Rows of a source, or of a column settled before anything tracked, really
/// moved: their tracked readers are told.
pub(crate) fn mark_moved(graph: &mut Graph, id: ColumnId, item: Item) {
    if graph.columns[id].anchored {
        anchors_moved(graph, id, item, |graph, node| {
            mark_consumers(graph, node, Flags::DIRTY);
        });
    }
    if graph.columns[id].marks {
        mark_outputs(
            graph,
            Mark {
                column: id,
                chunk: item.chunk,
                mask: item.mask,
            },
            Flags::DIRTY,
        );
    }
    drain(graph);
}

/// Notes on the anchors of rows that really moved that they did; then `each` of them.
pub(crate) fn anchors_moved(
    graph: &mut Graph,
    id: ColumnId,
    item: Item,
    mut each: impl FnMut(&mut Graph, NodeIndex),
) {
    let column = &graph.columns[id];
    if column.is_lane() {
        let row = column.lane;
        let node = graph.rows.node(row);
        if !node.is_nil() {
            node_moved(graph, node, graph.rows.is_present(row));
            each(graph, node);
        }
        return;
    }
    let chunk = graph.rows.chunk(column.store, item.chunk);
    for offset in bits_of(item.mask & graph.rows[chunk].noded) {
        let node = graph.rows.node(Row::of(chunk, offset));
        let present = graph.rows.is_present(Row::of(chunk, offset));
        node_moved(graph, node, present);
        each(graph, node);
    }
}

/// Marks the declared dependants of `mark` through which marks pass.
pub(crate) fn mark_outputs(graph: &mut Graph, mark: Mark, color: Flags) {
    for i in 0..graph.columns[mark.column].outputs.len() {
        let output = graph.columns[mark.column].outputs[i];
        let column = &graph.columns[output.column];
        if !column.below || column.stratum == Stratum::First {
            continue;
        }
        if column.whole.is_some() {
            mark_whole(graph, output.column, mark);
            continue;
        }
        let all = output.shared && !column.is_lane() || mark.chunk == Mark::ALL;
        match (column.kind, all) {
            (Kind::Tracked, true) => mark_all_tracked(graph, output.column, color),
            (Kind::Tracked, false) => {
                mark_tracked(graph, output.column, mark.chunk, mark.mask, color);
            }
            (_, true) => mark_all(graph, output.column),
            (_, false) => mark_rows(graph, output.column, mark.chunk, mark.mask),
        }
    }
}

/// Marks a keyless cog that depends on a family as a whole.
#[inline(never)]
fn mark_whole(graph: &mut Graph, id: ColumnId, mark: Mark) {
    if mark.chunk == Mark::ALL {
        graph.fill_whole(id);
    } else if let Some(whole) = &mut graph.columns[id].whole {
        whole.check.or(mark.chunk, mark.mask);
    }
    mark_rows(graph, id, 0, 1);
}

pub(crate) fn mark_rows(graph: &mut Graph, id: ColumnId, chunk: u32, mask: u64) {
    let column = &mut graph.columns[id];
    let new = mask & !column.check.word(chunk);
    if new == 0 {
        return;
    }
    column.check.or(chunk, new);
    graph.touch(id);
    mark_anchors(graph, id, chunk, new);
    graph.pending.column_marks.push(Mark {
        column: id,
        chunk,
        mask: new,
    });
}

#[cold]
fn mark_all(graph: &mut Graph, id: ColumnId) {
    let pass = graph.pending.pass;
    let column = &mut graph.columns[id];
    if column.all_marked == pass {
        return;
    }
    column.all_marked = pass;
    if column.is_lane() {
        mark_rows(graph, id, 0, 1);
        return;
    }
    graph.touch(id);
    for chunk in graph.key_chunks(id) {
        graph.columns[id].check.or(chunk, u64::MAX);
        mark_anchors(graph, id, chunk, u64::MAX);
    }
    graph.pending.column_marks.push(Mark {
        column: id,
        chunk: Mark::ALL,
        mask: u64::MAX,
    });
}

/// Marks the anchors of declared rows, and their readers.
fn mark_anchors(graph: &mut Graph, id: ColumnId, chunk: u32, mask: u64) {
    let column = &graph.columns[id];
    if !column.anchored {
        return;
    }
    if column.is_lane() {
        let node = graph.rows.node(column.lane);
        if !node.is_nil() {
            mark_anchor(graph, node);
        }
        return;
    }
    let chunk = graph.rows.chunk(column.store, chunk);
    if chunk.is_nil() {
        return;
    }
    for offset in bits_of(mask & graph.rows[chunk].noded) {
        let node = graph.rows.node(Row::of(chunk, offset));
        mark_anchor(graph, node);
    }
}

pub(crate) fn mark_anchor(graph: &mut Graph, at: NodeIndex) {
    let flags = graph.nodes[at].flags;
    graph.nodes[at].flags = flags.with(Flags::CHECK);
    if flags.any(Flags::ROOT) && !flags.any(Flags::MARKED) {
        graph.pending.roots.push(at);
    }
    mark_consumers(graph, at, Flags::CHECK);
}

/// Tracked rows that have declared inputs too: marked row by row, without edges.
fn mark_tracked(graph: &mut Graph, id: ColumnId, chunk: u32, mask: u64, color: Flags) {
    let column = &graph.columns[id];
    let recipe = column.recipe;
    if column.is_lane() {
        let node = graph.ensure_tracked(column.lane, recipe);
        mark_node(graph, node, color);
        return;
    }
    let at = graph.rows.chunk(column.store, chunk);
    if column.marks {
        mark_untracked(graph, id, at, chunk, mask);
    }
    if at.is_nil() {
        return;
    }
    for offset in bits_of(mask & graph.rows[at].noded) {
        mark_tracked_row(graph, Row::of(at, offset), recipe, color);
    }
}

/// Rows of members that never were, since an input was missing, may come to life: what depends on them has settled
/// without them, and must know before anything tracked is pulled. A bit tells that it does, until the row comes to
/// life, or the turn ends in which the column is eager.
fn mark_untracked(graph: &mut Graph, id: ColumnId, at: ChunkId, chunk: u32, mask: u64) {
    let members = mask & graph.bound(id, chunk);
    let never = if at.is_nil() {
        members
    } else {
        graph.untracked(at, members)
    };
    let new = never & !graph.columns[id].check.word(chunk);
    if new != 0 {
        graph.columns[id].check.or(chunk, new);
        graph.touch(id);
        graph.pending.column_marks.push(Mark {
            column: id,
            chunk,
            mask: new,
        });
    }
}

fn mark_tracked_row(graph: &mut Graph, row: Row, recipe: RecipeId, color: Flags) {
    let at = graph.rows.node(row);
    let ended = !graph.nodes[at].flags.any(Flags::TRACKED);
    if ended && is_leaving(graph, at) {
        return;
    }
    if ended {
        // The key came back before its readers let go of the old row.
        graph.ensure_tracked(row, recipe);
    }
    let flags = graph.nodes[at].flags;
    if flags.any(Flags::COLD) {
        // Nothing hot reads it; it finds out when it is read.
        graph.nodes[at].flags = flags.with(color.without(Flags::CHECK));
    } else if ended {
        let read = graph.nodes[at].consumers.len() > 0;
        first_mark(graph, at, flags, read);
    } else {
        mark_node(graph, at, color);
    }
}

/// A row that ended with its key, and that nobody reads or holds, goes when the marks are complete.
fn is_leaving(graph: &Graph, at: NodeIndex) -> bool {
    let node = &graph.nodes[at];
    let (chunk, bit) = graph.place(node.row);
    let needed = node.is_read() || node.flags.any(Flags::HELD);
    !needed && graph.bound(graph.column_of(node.row), chunk) & bit == 0
}

fn mark_all_tracked(graph: &mut Graph, id: ColumnId, color: Flags) {
    if graph.columns[id].is_lane() {
        mark_tracked(graph, id, 0, 1, color);
        return;
    }
    for chunk in graph.key_chunks(id) {
        mark_tracked(graph, id, chunk, u64::MAX, color);
    }
}
