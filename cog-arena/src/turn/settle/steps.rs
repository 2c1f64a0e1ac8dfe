//! The next step for a row that is being settled.
//!
//! Takes: a row and how far it has come. Leaves: what to do: settle another,
//! run it, or nothing. Never: does it.

use crate::graph::Graph;
use crate::graph::columns::{Input, Kind};
use crate::graph::nodes::Flags;
use crate::ids::{ColumnId, NodeIndex, Row};
use crate::turn::state::{Frame, Subject};

/// What to do next for the subject on top of the stack.
pub(crate) enum Step {
    /// Settle another one first.
    Into(Subject),
    /// Make the row of a total source, for the key of this subject.
    Materialise(ColumnId, Row),
    /// Run the declared row.
    Run(ColumnId, Row),
    /// It is settled.
    Done,
    /// It needs a row that is on the stack already.
    Cycle(NodeIndex),
}

pub(crate) fn inputs_of(graph: &Graph, node: NodeIndex) -> &[Input] {
    if !graph.nodes[node].flags.any(Flags::INS) {
        return &[];
    }
    let column = graph.column_of(graph.nodes[node].row);
    &graph.columns[column].inputs
}

/// The next step for the node on top of the stack. Walks down tracked rows
/// that wait for tracked rows, without a detour for each.
///
/// # Panics
///
/// If one of our own promises is broken.
#[inline]
pub(crate) fn node_step(graph: &mut Graph, stack: &mut Vec<Frame>, top: NodeIndex) -> Walk {
    let mut node = top;
    loop {
        let frame = stack.last_mut().expect("a subject is being settled");
        let runs = Flags::DIRTY.with(Flags::STALE).with(Flags::CLOSED);
        if graph.nodes[node].flags.any(runs.with(Flags::INS)) {
            if let Some(step) = node_inputs_step(graph, node, frame) {
                return Walk::Other(step);
            }
            if graph.nodes[node].flags.any(runs) {
                return Walk::Run(node);
            }
        }
        let checked = &graph.nodes[node];
        let (list, verified_at) = (checked.dependencies, checked.verified_at);
        let mut next = NodeIndex::NIL;
        let mut count = frame.dependency_count;
        while count < list.len() {
            let at = graph.blocks.get(&list, count).node;
            let read = &graph.nodes[at];
            if read.flags.any(Flags::UNSETTLED)
                && (read.flags.any(Flags::PENDING) || read.verified_at < graph.changed)
            {
                next = at;
                break;
            }
            if verified_at < read.changed_at {
                return Walk::Run(node);
            }
            count += 1;
        }
        frame.dependency_count = count;
        if next.is_nil() {
            let revision = graph.revision;
            let clean = &mut graph.nodes[node];
            clean.verified_at = revision;
            clean.flags = clean.flags.without(Flags::CHECK.with(Flags::BUSY));
            return Walk::Done;
        }
        let read = &mut graph.nodes[next];
        if read.flags.any(Flags::BUSY) {
            // It is sure to read what waits for it: let it run, and its read fail.
            return Walk::Run(node);
        }
        if !read.flags.any(Flags::TRACKED) {
            return Walk::Other(Step::Into(subject_of(graph, next)));
        }
        read.flags = read.flags.with(Flags::BUSY);
        stack.push(Frame::of(Subject::Node(next)));
        node = next;
    }
}

#[inline(never)]
pub(crate) fn row_step(graph: &mut Graph, column: ColumnId, row: Row, frame: &mut Frame) -> Step {
    // One that is known to fail does so without looking at what is above it.
    if !graph.has_failed_for_good(column, row)
        && let Some(step) = inputs_step(graph, column, row, frame)
    {
        return step;
    }
    let (chunk, bit) = graph.place(row);
    graph.columns[column].check.clear(chunk, bit);
    let node = graph.rows.node(row);
    if !node.is_nil() {
        graph.nodes[node].flags = graph.nodes[node]
            .flags
            .without(Flags::CHECK.with(Flags::STALE));
    }
    let head = &graph.rows[row.chunk()];
    let again = head.known & row.bit() == 0 || head.failed & row.bit() != 0;
    if again || graph.columns[column].dirty.word(chunk) & bit != 0 {
        Step::Run(column, row)
    } else {
        Step::Done
    }
}

/// The first declared input that isn't settled. All of them are settled before
/// the function runs: it gets them whatever they hold.
#[inline(never)]
pub(crate) fn inputs_step(
    graph: &mut Graph,
    column: ColumnId,
    row: Row,
    frame: &mut Frame,
) -> Option<Step> {
    while (frame.input_count as usize) < graph.columns[column].inputs.len() {
        let input = graph.columns[column].inputs[frame.input_count as usize];
        let step = if !input.shared && graph.columns[column].is_lane() {
            whole_step(graph, column, input.column, frame)
        } else {
            input_step(graph, input, row)
        };
        if step.is_some() {
            return step;
        }
        frame.input_count += 1;
    }
    None
}

pub(crate) fn input_step(graph: &mut Graph, input: Input, reader: Row) -> Option<Step> {
    let column = &graph.columns[input.column];
    let row = if input.shared {
        column.lane
    } else {
        let key = graph.rows.key_row(reader);
        if column.kind == Kind::Source {
            let absent = graph.present(input.column, false, key.chunk()) & key.bit() == 0;
            return (column.total && absent).then_some(Step::Materialise(input.column, reader));
        }
        let chunk = graph
            .rows
            .ensure_chunk(column.store, key.chunk(), input.column);
        Row::of(chunk, key.offset())
    };
    match graph.columns[input.column].kind {
        Kind::Source => None,
        Kind::Declared => graph
            .is_pending(input.column, row)
            .then_some(Step::Into(Subject::Row(input.column, row))),
        Kind::Tracked => {
            let recipe = graph.columns[input.column].recipe;
            let node = graph.ensure_tracked(row, recipe);
            settle_first(graph, node)
        }
    }
}

/// As [`input_step`], for an input that is a family as a whole: the first of its rows that may have moved and isn't
/// settled. Rows of keys that aren't members don't count, and are not settled.
#[inline(never)]
fn whole_step(
    graph: &mut Graph,
    id: ColumnId,
    family: ColumnId,
    frame: &mut Frame,
) -> Option<Step> {
    loop {
        let (from, passed) = (frame.dependency_count >> 6, frame.dependency_count & 63);
        let whole = graph.columns[id].whole.as_mut()?;
        let (chunk, mut mask) = whole.next_to_settle(from)?;
        if chunk == from {
            mask &= u64::MAX << passed;
        }
        let members = graph.bound(family, chunk);
        let whole = graph.columns[id].whole.as_mut()?;
        whole.check.clear(chunk, mask & !members);
        mask &= members;
        if mask == 0 {
            frame.dependency_count = (chunk + 1) << 6;
            continue;
        }
        let offset = mask.trailing_zeros();
        if let Some(step) = member_step(graph, family, chunk, offset) {
            frame.dependency_count = chunk << 6 | offset;
            return Some(step);
        }
        let whole = graph.columns[id].whole.as_mut()?;
        whole.check.clear(chunk, 1 << offset);
        frame.dependency_count = (chunk << 6 | offset) + 1;
    }
}

/// What settles one row of a family, if it isn't settled.
fn member_step(graph: &mut Graph, id: ColumnId, chunk: u32, offset: u32) -> Option<Step> {
    let column = &graph.columns[id];
    let (kind, total, recipe) = (column.kind, column.total, column.recipe);
    if kind == Kind::Source && (!total || graph.present(id, false, chunk) >> offset & 1 != 0) {
        return None;
    }
    let store = column.store;
    let row = Row::of(graph.rows.ensure_chunk(store, chunk, id), offset);
    match kind {
        Kind::Source => Some(Step::Materialise(id, row)),
        Kind::Declared => graph
            .is_pending(id, row)
            .then_some(Step::Into(Subject::Row(id, row))),
        Kind::Tracked => {
            let node = graph.ensure_tracked(row, recipe);
            settle_first(graph, node)
        }
    }
}

fn settle_first(graph: &Graph, node: NodeIndex) -> Option<Step> {
    if !graph.is_unsettled(node) {
        None
    } else if graph.nodes[node].flags.any(Flags::BUSY) {
        Some(Step::Cycle(node))
    } else {
        Some(Step::Into(Subject::Node(node)))
    }
}

pub(crate) fn subject_of(graph: &Graph, node: NodeIndex) -> Subject {
    let row = graph.nodes[node].row;
    if graph.nodes[node].flags.any(Flags::TRACKED) {
        Subject::Node(node)
    } else {
        Subject::Row(graph.column_of(row), row)
    }
}

/// Where walking down tracked rows ended.
pub(crate) enum Walk {
    /// At a node to run.
    Run(NodeIndex),
    /// At one that is settled.
    Done,
    /// At one that needs something else first.
    Other(Step),
}

#[inline]
pub(crate) fn node_inputs_step(
    graph: &mut Graph,
    node: NodeIndex,
    frame: &mut Frame,
) -> Option<Step> {
    if !graph.nodes[node].flags.any(Flags::INS) {
        return None;
    }
    let row = graph.nodes[node].row;
    if graph.has_failed_node(node) {
        return None;
    }
    inputs_step(graph, graph.column_of(row), row, frame)
}
