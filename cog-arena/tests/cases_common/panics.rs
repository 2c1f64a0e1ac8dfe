//! Catches the panic that a test expects. Takes a body that must panic, gives the message.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `body`, which has to panic, and returns the message of its panic.
pub(crate) fn panic_of<R>(body: impl FnOnce() -> R) -> String {
    let Err(payload) = catch_unwind(AssertUnwindSafe(body)) else {
        panic!("the body was expected to panic, and did not");
    };
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => (*payload
            .downcast_ref::<&str>()
            .expect("a panic carries a text"))
        .to_owned(),
    }
}
