//! Step 5 of a turn. Runs feeds: what leaves the arena before anything reacts.
//!
//! Takes: marked feeds. Leaves: them run or found clean, in the order of registration; marked reactions still wait.
//! Never: lets one that panics keep the others from running; the first panic is kept.
//!
//! To the graph a feed is a reaction with a number below those of all reactions. So the react step, which sorts, runs
//! those first that were marked since, and all of them in a turn that no host takes in steps.

use crate::ids::NodeIndex;
use crate::turn::host::Host;
use crate::turn::settle::rows;

/// The first number of a reaction. Those below are feeds.
pub(crate) const FIRST_REACTION: u64 = 1 << 48;

/// Runs every marked feed of which a dependency really changed.
#[inline]
pub(crate) fn feed<H: Host>(host: &mut H) -> bool {
    !host.graph().pending.reactions.is_empty() && feed_marked(host)
}

#[inline(never)]
fn feed_marked<H: Host>(host: &mut H) -> bool {
    let mut due = std::mem::take(&mut host.state().reactions);
    due.clear();
    let mut at = 0;
    while let Some(&node) = host.graph().pending.reactions.get(at) {
        match host.order(node) {
            Some(number) if number < FIRST_REACTION => {
                due.push((number, node));
                host.graph().pending.reactions.swap_remove(at);
            }
            _ => at += 1,
        }
    }
    run_in_order(host, &mut due);
    let fed = !due.is_empty();
    host.state().reactions = due;
    fed
}

/// Runs those of `due` of which a dependency really changed, in the order of registration. A panic is kept, and the
/// others run.
pub(crate) fn run_in_order<H: Host>(host: &mut H, due: &mut [(u64, NodeIndex)]) {
    due.sort_unstable();
    for &(number, node) in &*due {
        // One that ended meanwhile may have left its node to another.
        if host.order(node) != Some(number) {
            continue;
        }
        if let Err(panic) = rows::settle_node(host, node) {
            host.state().keep(panic);
        }
        host.between_reactions();
    }
}
