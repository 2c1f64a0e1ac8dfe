//! Whole games, played to their end.
//!
//! Takes: wishes and moves. Leaves: what went wrong, if anything did. Never: chooses a move.

use crate::net::drive::{Table, describe};
use crate::net::ops::{Op, Wish};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Plays a game to its end; every value must be dropped with the arena.
fn play(wishes: &[Wish], ops: &[Op]) {
    let mut table = Table::new(wishes);
    for op in ops {
        table.play(op);
    }
    table.play(&Op::Arm(false));
    table.play(&Op::LookAtAll);
    let fuse = table.model().fuse.clone();
    drop(table);
    assert_eq!(
        fuse.live(),
        0,
        "values of a dropped arena are dropped, once each"
    );
}

/// What goes wrong in a game.
pub(crate) fn fault(wishes: &[Wish], ops: &[Op]) -> Option<String> {
    let played = catch_unwind(AssertUnwindSafe(|| play(wishes, ops)));
    played.err().map(|payload| describe(&*payload))
}
