//! What happens in a turn, in order. Integers only; user code is reached through [`host::Host`].
//!
//! Takes: what writers staged. Leaves: a settled graph, moved rows told, and
//! reactions run. Never: names a value type, recurses, or lets a panic of user
//! code leave the graph half done.
//!
//! | step | room | |
//! |---|---|---|
//! | 1 write | [`mod@write`] | staged values become current |
//! | 2 mark | [`mark`], [`wake`], [`tell`] | everything below may have changed |
//! | 3 settle | [`mod@settle`] | what is needed of it is recomputed |
//! | 4 publish | the host reads what moved | |
//! | 5 feed | [`mod@feed`] | values that moved leave the arena |
//! | 6 react | [`mod@react`] | reactions run |
//! | 7 release | [`host::Host::release`] | replaced values and released keys go |

pub(crate) mod state;

pub(crate) mod host;

pub(crate) mod wake;

pub(crate) mod mark;
pub(crate) mod tell;
pub(crate) mod write;

pub(crate) mod settle;

pub(crate) mod feed;

pub(crate) mod react;

use crate::error::Panic;
use host::Host;

/// Steps 1 to 3. An error means that a comparison panicked and nothing was written.
///
/// # Errors
///
/// With the first panic of user code.
pub(crate) fn settle<H: Host>(host: &mut H) -> Result<(), Panic> {
    write::commit(host)?;
    let pending = &host.graph().pending;
    if !pending.failed_roots.is_empty() || !pending.failed_columns.is_empty() {
        host.graph().try_failed();
    }
    settle::columns::settle(host);
    Ok(())
}

/// Step 5, of a turn that a host takes in steps: in others it is the first part of the next one.
pub(crate) fn feed<H: Host>(host: &mut H) {
    if feed::feed(host) {
        settle::columns::settle(host);
    }
}

/// Step 6.
pub(crate) fn react<H: Host>(host: &mut H) {
    react::react(host);
    settle::columns::settle(host);
}

/// Step 7. Returns the first panic of user code in the turn, or one that waited for it.
pub(crate) fn release<H: Host>(host: &mut H) -> Option<Panic> {
    host.release();
    let state = host.state();
    if let Some(late) = state.late.take() {
        state.keep(late);
    }
    state.panic.take()
}
