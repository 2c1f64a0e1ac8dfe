//! What can't be settled: rows that fail, what they take with them, and cycles.
//!
//! Takes: a row that failed, or closes a cycle, and the stack above it. Leaves: rows that will be tried again when they
//! are read next, and an error. Never: runs anything.

use rustc_hash::FxHashMap;

use crate::error::Panic;
use crate::graph::Graph;
use crate::graph::nodes::Flags;
use crate::ids::{Item, NodeIndex, Row};
use crate::turn::host::Host;
use crate::turn::settle::steps::inputs_of;
use crate::turn::state::Subject;
use crate::turn::wake;

/// The subject on top of the stack failed. What can't do without it fails too; a row that may catch
/// the panic, or not read it any more, will run and see.
///
/// # Errors
///
/// With the first panic of user code.
///
/// # Panics
///
/// If one of our own promises is broken.
#[cold]
#[inline(never)]
pub(super) fn fail<H: Host>(host: &mut H, base: usize, panic: Panic) -> Result<(), Panic> {
    let failed = leave(host);
    note_failure(host.graph(), failed);
    while base < host.state().stack.len() {
        let frame = *host
            .state()
            .stack
            .last()
            .expect("the stack is longer than its base");
        if let Subject::Node(node) = frame.subject {
            let graph = host.graph();
            if inputs_of(graph, node).len() <= frame.input_count as usize {
                graph.nodes[node].flags = graph.nodes[node].flags.with(Flags::DIRTY);
                // What lies between, it settles by its inputs once more, down to the one that failed.
                let row = row_of(graph, failed);
                host.state().put_aside(row, panic);
                return Ok(());
            }
        }
        let between = leave(host);
        note_failure(host.graph(), between);
    }
    Err(panic)
}

/// # Panics
///
/// If one of our own promises is broken.
fn leave<H: Host>(host: &mut H) -> Subject {
    let (graph, state) = host.parts();
    let frame = state.stack.pop().expect("a subject is being settled");
    if let Subject::Node(node) = frame.subject {
        let flags = &mut graph.nodes[node].flags;
        *flags = flags.without(Flags::BUSY);
    }
    frame.subject
}

/// Makes sure that the next read of the subject tries again.
fn note_failure(graph: &mut Graph, subject: Subject) {
    match subject {
        Subject::Node(node) => {
            let flags = graph.nodes[node].flags.without(Flags::MARKED);
            // A reaction is not tried again by itself, but as soon as anything that it reads may have moved.
            graph.nodes[node].flags = flags.with(Flags::STALE);
            graph.nodes[node].changed_at = graph.revision;
            graph.nodes[node].verified_at = graph.revision;
            let row = graph.nodes[node].row;
            if row.is_nil() {
                return;
            }
            graph.pending.failures.note(row);
            graph.note_failed_root(node);
            let column = graph.column_of(row);
            if column.is_nil() {
                return;
            }
            graph.columns[column].any_failed = true;
            let failed = &mut graph.rows[row.chunk()].failed;
            let known = std::mem::replace(failed, *failed | row.bit()) & row.bit() != 0;
            if !known && flags.any(Flags::OUTS) {
                wake::push_row(graph, node);
            }
        }
        Subject::Row(column, row) => {
            let (chunk, bit) = graph.place(row);
            graph.columns[column].check.clear(chunk, bit);
            graph.columns[column].dirty.clear(chunk, bit);
            graph.note_failed_column(column);
            graph.pending.failures.note(row);
            let failed = &mut graph.rows[row.chunk()].failed;
            let known = std::mem::replace(failed, *failed | row.bit()) & row.bit() != 0;
            if !known {
                let item = Item {
                    chunk,
                    mask: bit,
                    present: u64::MAX,
                };
                wake::push_outputs(graph, column, &[item]);
            }
            let node = graph.rows.node(row);
            if !node.is_nil() {
                graph.nodes[node].flags = graph.nodes[node]
                    .flags
                    .with(Flags::STALE)
                    .without(Flags::CHECK);
                graph.nodes[node].changed_at = graph.revision;
                graph.note_failed_root(node);
            }
        }
    }
}

/// The cycle that needing `node` closes: the first part of the stack that ends where it starts. Each of its rows fails
/// with it, or catches it; the one that runs is the first to be asked.
pub(crate) fn cycle<H: Host>(host: &mut H, node: NodeIndex) -> Panic {
    let graph = host.graph();
    let running = graph.capture.top.node;
    if !running.is_nil() {
        graph.nodes[running].flags = graph.nodes[running].flags.with(Flags::CLOSED);
    }
    let frames = host.state().stack.iter().map(|frame| frame.subject);
    let path: Vec<_> = frames.chain([Subject::Node(node)]).collect();
    let mut first = FxHashMap::default();
    for (at, &subject) in path.iter().enumerate() {
        if let Some(from) = first.insert(subject, at) {
            return host.cycle(&path[from..=at]);
        }
    }
    unreachable!("a busy node is on the stack")
}

pub(crate) fn row_of(graph: &Graph, subject: Subject) -> Row {
    match subject {
        Subject::Node(node) => graph.nodes[node].row,
        Subject::Row(_, row) => row,
    }
}
