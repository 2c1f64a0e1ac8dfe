//! Step 6 of a turn. Runs reactions, each once, in the order of registration; before them, feeds that are still due.
//!
//! Takes: marked reactions. Leaves: them run or found clean. Never: lets one
//! that panics keep the others from running; the first panic is kept.

use crate::turn::feed::run_in_order;
use crate::turn::host::Host;

/// Runs every marked reaction of which a dependency really changed.
#[inline]
pub(crate) fn react<H: Host>(host: &mut H) {
    if !host.graph().pending.reactions.is_empty() {
        react_marked(host);
    }
}

#[inline(never)]
fn react_marked<H: Host>(host: &mut H) {
    loop {
        let mut due = std::mem::take(&mut host.state().reactions);
        due.clear();
        while let Some(node) = host.graph().pending.reactions.pop() {
            if let Some(number) = host.order(node) {
                due.push((number, node));
            }
        }
        run_in_order(host, &mut due);
        let done = due.is_empty();
        host.state().reactions = due;
        if done {
            return;
        }
    }
}
