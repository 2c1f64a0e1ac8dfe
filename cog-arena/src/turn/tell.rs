//! Part of step 2, and of settling: readers hear that a row ended, recovered, or must be looked at again.
//!
//! Takes: rows that changed in another way than by a new value. Leaves: whoever read them marked. Never: runs anything.

use crate::graph::Graph;
use crate::graph::columns::Kind;
use crate::graph::nodes::Flags;
use crate::graph::pending::Mark;
use crate::ids::{NodeIndex, Row};
use crate::turn::mark::{drain, first_mark, mark_anchor, mark_consumers, mark_node, mark_outputs};

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

/// A row that failed has a result again: whoever read the failure, and doesn't run already, must hear of it.
#[cold]
pub(crate) fn row_recovered(graph: &mut Graph, row: Row) {
    let node = graph.rows.node(row);
    if !node.is_nil() {
        let list = graph.nodes[node].consumers;
        for i in 0..list.len() {
            let consumer = graph.blocks.get(&list, i).node;
            if !graph.nodes[consumer].flags.any(Flags::BUSY) {
                mark_node(graph, consumer, Flags::DIRTY);
            }
        }
    }
    let column = graph.column_of(row);
    if !column.is_nil() && graph.columns[column].marks {
        let (chunk, mask) = graph.place(row);
        let mark = Mark {
            column,
            chunk,
            mask,
        };
        mark_outputs(graph, mark, Flags::CHECK);
    }
    drain(graph);
}

/// A declared row may have another result when it is read: its readers look again.
#[cold]
pub(crate) fn anchor_marked(graph: &mut Graph, at: NodeIndex) {
    mark_anchor(graph, at);
    drain(graph);
}
