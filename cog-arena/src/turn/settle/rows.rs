//! Settling by row: tracked rows, reactions, and declared rows that are read before their turn.
//!
//! Takes: one row that is needed. Leaves: it settled, and of what it reads
//! just as much as that took. Never: recurses; the stack is a list. The one
//! recursion is a read of an unsettled row inside a running function.
//!
//! A marked row looks at what it read last time, **in the order it was read**,
//! and stops at the first that really changed; then it runs. If none changed it
//! is clean without running. So a branch that is about to be dropped is never
//! run for its own sake, a row of something removed is not run once more, and
//! a cycle is reported only when it is live: every row on the stack is sure to
//! read the next one again, since nothing that it read before changed.

use crate::error::Panic;
use crate::graph::columns::{Kind, Stratum};
use crate::graph::nodes::Flags;
use crate::ids::{Change, ColumnId, Item, NodeIndex, Revision, Row};
use crate::turn::host::Host;
use crate::turn::settle::batch;
use crate::turn::settle::fail::{cycle, fail};
use crate::turn::settle::steps::{Step, Walk, node_step, row_step, subject_of};
use crate::turn::state::{Frame, Subject};
use crate::turn::{tell, wake};

/// Settles the node's row, if it isn't.
///
/// # Errors
///
/// With the first panic of user code.
pub(crate) fn settle_node<H: Host>(host: &mut H, node: NodeIndex) -> Result<(), Panic> {
    if !host.graph().is_unsettled(node) {
        return Ok(());
    }
    let subject = subject_of(host.graph(), node);
    pull(host, subject)
}

/// Settles a tracked row of which the caller knows that it isn't.
///
/// # Errors
///
/// With the first panic of user code.
pub(crate) fn settle_tracked<H: Host>(host: &mut H, node: NodeIndex) -> Result<(), Panic> {
    pull(host, Subject::Node(node))
}

/// Settles a declared row that something tracked, or someone outside, reads.
///
/// # Errors
///
/// With the first panic of user code.
pub(crate) fn settle_row<H: Host>(host: &mut H, column: ColumnId, row: Row) -> Result<(), Panic> {
    let graph = host.graph();
    if graph.columns[column].kind == Kind::Declared
        && graph.columns[column].stratum != Stratum::First
    {
        graph.flip(column);
    }
    if graph.is_pending(column, row) {
        pull(host, Subject::Row(column, row))
    } else {
        // Its column settled it, with all others.
        graph.unmark_anchor(row);
        Ok(())
    }
}

/// A frame stays on the stack for as long as its subject is being settled: a
/// cycle is read off the stack.
///
/// # Errors
///
/// With the first panic of user code.
///
/// # Panics
///
/// If one of our own promises is broken.
fn pull<H: Host>(host: &mut H, first: Subject) -> Result<(), Panic> {
    let base = host.state().stack.len();
    enter(host, first);
    loop {
        let (graph, state) = host.parts();
        let frame = state.stack.last_mut().expect("a subject is being settled");
        let outcome = match frame.subject {
            Subject::Node(node) => match node_step(graph, &mut state.stack, node) {
                Walk::Run(node) => run_node(host, node),
                Walk::Done => Ok(()),
                Walk::Other(step) => match take(host, step) {
                    Some(outcome) => outcome,
                    None => continue,
                },
            },
            Subject::Row(column, row) => {
                let step = row_step(graph, column, row, frame);
                match take(host, step) {
                    Some(outcome) => outcome,
                    None => continue,
                }
            }
        };
        // Whoever settled took `BUSY` away; a failure leaves it.
        match outcome {
            Ok(()) => drop(host.state().stack.pop()),
            Err(panic) => {
                fail(host, base, panic)?;
            }
        }
        if host.state().stack.len() == base {
            return Ok(());
        }
    }
}

/// Takes a step other than a node's run; the outcome, if the subject is done with it.
#[inline(never)]
fn take<H: Host>(host: &mut H, step: Step) -> Option<Result<(), Panic>> {
    match step {
        Step::Into(subject) => {
            enter(host, subject);
            None
        }
        Step::Materialise(column, row) => {
            let key = host.graph().rows.key_row(row);
            let made = host.materialise(column, key);
            made.is_err().then_some(made)
        }
        Step::Done => Some(Ok(())),
        Step::Run(column, row) => Some(run_row(host, column, row)),
        Step::Cycle(node) => Some(Err(cycle(host, node))),
    }
}

#[inline]
fn enter<H: Host>(host: &mut H, subject: Subject) {
    let (graph, state) = host.parts();
    if let Subject::Node(node) = subject {
        let flags = &mut graph.nodes[node].flags;
        *flags = flags.with(Flags::BUSY);
    }
    state.stack.push(Frame::of(subject));
}

/// # Errors
///
/// With the first panic of user code.
fn run_row<H: Host>(host: &mut H, column: ColumnId, row: Row) -> Result<(), Panic> {
    let graph = host.graph();
    if graph.has_failed_for_good(column, row) {
        return Err(host.failed_again(row));
    }
    let (chunk, mask) = graph.place(row);
    host.graph().columns[column].dirty.clear(chunk, mask);
    let present = host.graph().available(column, chunk);
    let mut items = [Item {
        chunk,
        mask,
        present,
    }];
    let before = host.graph().rows[row.chunk()].failed & row.bit();
    if before != 0 {
        host.graph().begin_recovery();
    }
    let failed = batch::run(host, column, &mut items);
    batch::after(host, column, &items, false);
    if before != 0 && failed.is_none() {
        tell::row_recovered(host.graph(), row);
    }
    failed.map_or(Ok(()), Err)
}

/// # Errors
///
/// With the first panic of user code.
#[inline]
fn run_node<H: Host>(host: &mut H, node: NodeIndex) -> Result<(), Panic> {
    let before = host.graph().nodes[node].flags;
    if before.any(Flags::STALE) {
        return run_again(host, node, before);
    }
    let change = evaluate(host, node, before)?;
    let revision = host.graph().revision;
    ran(host, node, before, change, revision);
    Ok(())
}

/// As [`run_node`], for a row or reaction that failed when it ran last. If a row did in this attempt, and nothing that it
/// read moved, it fails without running.
///
/// # Errors
///
/// With the first panic of user code.
#[cold]
#[inline(never)]
fn run_again<H: Host>(host: &mut H, node: NodeIndex, before: Flags) -> Result<(), Panic> {
    let graph = host.graph();
    let row = graph.nodes[node].row;
    if graph.has_failed_node(node) {
        return Err(host.failed_again(row));
    }
    let change = evaluate(host, node, before)?;
    let graph = host.graph();
    graph.completed.remove(&node);
    let revision = if before.any(Flags::REACTION) {
        graph.revision
    } else {
        graph.begin_recovery()
    };
    ran(host, node, before, change, revision);
    Ok(())
}

/// Runs the function, and links the row to what it read. A row that can't have a value loses the one it has.
///
/// # Errors
///
/// With the first panic of user code.
#[inline(always)]
#[expect(clippy::inline_always, reason = "once a link of a chain")]
fn evaluate<H: Host>(host: &mut H, node: NodeIndex, before: Flags) -> Result<Change, Panic> {
    let graph = host.graph();
    let running = &mut graph.nodes[node];
    let recipe = running.recipe;
    let past = Flags::MARKED.with(Flags::STALE).with(Flags::CLOSED);
    running.flags = before.without(past);
    graph
        .capture
        .begin(&graph.blocks, node, &running.dependencies);
    let runs = !before.any(Flags::INS) || graph.is_available(node);
    let outcome = if runs {
        host.recompute(node, before, recipe)
    } else {
        Ok(drop_value(host, node))
    };
    let graph = host.graph();
    let captured = graph.capture.end();
    if outcome.is_ok() {
        graph.relink(node, captured);
    } else {
        graph.relink_failed(node, captured);
    }
    graph.pending.recovered.ran(node);
    outcome
}

/// Notes that a row ran, and tells who waits for it if it moved.
#[inline(always)]
#[expect(clippy::inline_always, reason = "once a link of a chain")]
fn ran<H: Host>(host: &mut H, node: NodeIndex, before: Flags, change: Change, revision: Revision) {
    let ran = &mut host.graph().nodes[node];
    ran.verified_at = revision;
    ran.flags = ran.flags.without(Flags::BUSY);
    if change == Change::Kept && !before.any(Flags::STALE) {
        host.state().counts.cut += 1;
        return;
    }
    ran.changed_at = revision;
    let wide = Flags::OUTS.with(Flags::PUBLISHED).with(Flags::HELD);
    if before.any(wide.with(Flags::STALE)) {
        moved_wide(host, node, before, change);
    }
}

#[inline(never)]
fn drop_value<H: Host>(host: &mut H, node: NodeIndex) -> Change {
    let row = host.graph().nodes[node].row;
    host.drop_value(row)
}

/// A tracked row moved that more than its readers wait for.
#[inline(never)]
fn moved_wide<H: Host>(host: &mut H, node: NodeIndex, flags: Flags, change: Change) {
    let graph = host.graph();
    let row = graph.nodes[node].row;
    if row.is_nil() {
        return;
    }
    graph.rows[row.chunk()].failed &= !row.bit();
    // One that failed before and has no value was never told of.
    let told = change == Change::Moved || graph.rows.is_present(row);
    let news = told && graph.note_held_move(node) && !flags.any(Flags::PUBLISHED);
    if flags.any(Flags::STALE) {
        tell::row_recovered(graph, row);
    }
    host.state().counts.published += u64::from(news);
    let graph = host.graph();
    let column = graph.column_of(row);
    if column.is_nil() {
        return;
    }
    let (chunk, bit) = graph.place(row);
    if flags.any(Flags::OUTS) {
        wake::push_row(graph, node);
    }
    if told && flags.any(Flags::PUBLISHED) {
        let noted = host.graph().note_moves(column, chunk, bit);
        host.state().counts.published += noted;
    }
}
