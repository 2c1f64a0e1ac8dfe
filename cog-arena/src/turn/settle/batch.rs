//! Running declared rows, many at once or one, and telling who waits for them.
//!
//! Takes: rows of one column of which an input may have changed. Leaves: their
//! values, and everyone told which of them really moved. Never: decides which
//! column is next.

use crate::error::Panic;
use crate::graph::Graph;
use crate::graph::columns::Stratum;
use crate::graph::nodes::Flags;
use crate::ids::{Change, ColumnId, Item, Row, bits_of};
use crate::turn::host::Host;
use crate::turn::{mark, wake};

/// Runs the column's function for the rows of `items`, whose `present` says
/// for which of them all required inputs have values.
pub(crate) fn run<H: Host>(host: &mut H, id: ColumnId, items: &mut [Item]) -> Option<Panic> {
    let graph = host.graph();
    if graph.columns[id].is_lane() {
        return run_lane(host, id, &mut items[0]);
    }
    make_known(graph, id, items);
    if graph.is_fragile(id) {
        run_fragile(host, id, items)
    } else {
        run_known(host, id, items)
    }
}

/// Notes that rows of a family are about to be evaluated.
pub(crate) fn make_known(graph: &mut Graph, id: ColumnId, items: &[Item]) {
    let store = graph.columns[id].store;
    for item in items {
        let chunk = graph.rows.ensure_chunk(store, item.chunk, id);
        graph.rows[chunk].known |= item.mask;
    }
}

/// As [`run`], for rows of a family that are known, and where nothing failed before.
pub(crate) fn run_known<H: Host>(host: &mut H, id: ColumnId, items: &mut [Item]) -> Option<Panic> {
    let panic = host.recompute_rows(id, items);
    if panic.is_some() {
        let graph = host.graph();
        for item in items {
            let failed = graph.failed(id, item.chunk);
            if failed != 0 {
                note_failed(graph, id, item, failed, 0);
            }
        }
    }
    panic
}

/// As [`run`], where some row of the column or of an input failed before. A
/// row with a failed input fails without running; one that recovered counts as
/// moved, since its readers saw it fail.
#[cold]
fn run_fragile<H: Host>(host: &mut H, id: ColumnId, items: &mut [Item]) -> Option<Panic> {
    let mut first = None;
    for item in items {
        let graph = host.graph();
        let chunk = graph.rows.chunk(graph.columns[id].store, item.chunk);
        let blocked = item.mask & graph.failed_inputs(id, item.chunk);
        let before = graph.rows[chunk].failed & item.mask;
        graph.rows[chunk].failed &= !item.mask;
        item.mask &= !blocked;
        let ran = item.mask;
        let panic = host.recompute_rows(id, std::slice::from_mut(item));
        let graph = host.graph();
        graph.rows[chunk].failed |= blocked;
        let failed = graph.rows[chunk].failed & (ran | blocked);
        let recovered = before & ran & !failed;
        item.mask |= recovered;
        for offset in bits_of(recovered) {
            graph.pending.failures.recovered(Row::of(chunk, offset));
        }
        note_failed(graph, id, item, failed, before);
        if first.is_none() {
            first = panic;
        } else if let Some(panic) = panic {
            host.state().keep(panic);
        }
    }
    first
}

/// Failed rows run again when they are read, when an input really moved, and if they are needed in the next turn; they
/// tell what is below once.
fn note_failed(graph: &mut Graph, id: ColumnId, item: &mut Item, failed: u64, before: u64) {
    graph.note_failed_column(id);
    item.mask |= failed & !before;
    for offset in bits_of(failed) {
        let row = graph.row_at(id, item.chunk, offset);
        graph.pending.failures.note(row);
        let node = graph.rows.node(row);
        if !node.is_nil() {
            graph.nodes[node].flags = graph.nodes[node].flags.with(Flags::STALE);
        }
    }
}

fn run_lane<H: Host>(host: &mut H, id: ColumnId, item: &mut Item) -> Option<Panic> {
    let graph = host.graph();
    let row = graph.columns[id].lane;
    let before = graph.rows[row.chunk()].failed & row.bit() != 0;
    if graph.columns[id].whole.is_some() {
        graph.note_failed_members(id);
    }
    let blocked = graph.blocked(id, 0) != 0;
    let outcome = if blocked {
        None
    } else if item.present == 0 {
        Some(Ok(host.drop_value(row)))
    } else {
        let recipe = graph.columns[id].recipe;
        Some(host.recompute_lane(recipe, row))
    };
    lane_ran(host, id, item, before, outcome)
}

/// As [`run`] and [`after`], for a keyless cog that can't but run: nothing
/// failed before, and all that it requires is there. Whoever installs the
/// first value, or none, makes the row known.
#[inline(always)]
#[expect(clippy::inline_always, reason = "once a link of a chain")]
pub(crate) fn run_plain_lane<H: Host>(host: &mut H, id: ColumnId) {
    let column = &host.graph().columns[id];
    let (recipe, row) = (column.recipe, column.lane);
    match host.recompute_lane(recipe, row) {
        Ok(change) => {
            let graph = host.graph();
            if change == Change::Kept {
                host.state().counts.cut += 1;
                return;
            }
            let column = &graph.columns[id];
            if column.anchored | column.marks || column.hold_count != 0 {
                lane_moved(host, id);
            } else {
                wake::push_lane(graph, id);
            }
        }
        Err(panic) => lane_failed(host, id, panic),
    }
}

#[inline(never)]
fn lane_moved<H: Host>(host: &mut H, id: ColumnId) {
    after(host, id, &[LANE_MOVED], true);
}

#[cold]
#[inline(never)]
fn lane_failed<H: Host>(host: &mut H, id: ColumnId, panic: Panic) {
    let mut item = LANE_MOVED;
    if let Some(panic) = lane_ran(host, id, &mut item, false, Some(Err(panic))) {
        host.state().keep(panic);
    }
    after(host, id, &[item], true);
}

const LANE_MOVED: Item = Item {
    chunk: 0,
    mask: 1,
    present: 1,
};

fn lane_ran<H: Host>(
    host: &mut H,
    id: ColumnId,
    item: &mut Item,
    before: bool,
    outcome: Option<Result<Change, Panic>>,
) -> Option<Panic> {
    let graph = host.graph();
    let row = graph.columns[id].lane;
    graph.rows[row.chunk()].known |= row.bit();
    let failed = !matches!(outcome, Some(Ok(_)));
    if failed || before {
        graph.rows[row.chunk()].failed =
            graph.rows[row.chunk()].failed & !row.bit() | if failed { row.bit() } else { 0 };
    }
    item.mask = u64::from(before != failed || matches!(outcome, Some(Ok(Change::Moved))));
    item.present = u64::from(graph.rows.is_present(row));
    if before && !failed {
        graph.pending.failures.recovered(row);
    }
    if failed {
        let tell = item.mask;
        note_failed(graph, id, item, 1, u64::from(before));
        item.mask = tell;
    } else if item.mask == 0 {
        host.state().counts.cut += 1;
    }
    match outcome {
        Some(Err(panic)) => Some(panic),
        _ => None,
    }
}

/// Tells everyone which rows of the column moved.
pub(crate) fn after<H: Host>(host: &mut H, id: ColumnId, items: &[Item], in_rank_order: bool) {
    if items.iter().all(|item| item.mask == 0) {
        return;
    }
    let graph = host.graph();
    wake::push_outputs(graph, id, items);
    let column = &graph.columns[id];
    let first = column.stratum == Stratum::First && in_rank_order;
    let (anchored, marks, held) = (column.anchored, column.marks, column.hold_count > 0);
    if held {
        note_moved(host, id, items);
    }
    if !anchored && !marks {
        return;
    }
    let graph = host.graph();
    for &item in items.iter().filter(|item| item.mask != 0) {
        if first {
            mark::mark_moved(graph, id, item);
        } else if anchored {
            mark::anchors_moved(graph, id, item, |_, _| {});
        }
    }
}

fn note_moved<H: Host>(host: &mut H, id: ColumnId, items: &[Item]) {
    let graph = host.graph();
    let published = if graph.columns[id].any_failed || graph.columns[id].is_lane() {
        let mut published = 0;
        for item in items {
            let moved = item.mask & !graph.failed(id, item.chunk);
            published += graph.note_moves(id, item.chunk, moved);
        }
        published
    } else {
        graph.note_words(id, items)
    };
    host.state().counts.published += published;
}
