//! Runs a test on a stack of known size, so that recursion over rows would overflow it.

/// Runs `body` on a thread of its own with 2 MB of stack, and raises its panic here.
pub(crate) fn on_a_small_stack(body: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(body)
        .expect("the system gives one more thread");
    if let Err(payload) = thread.join() {
        std::panic::resume_unwind(payload);
    }
}
