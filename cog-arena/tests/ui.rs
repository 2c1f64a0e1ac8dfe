//! What must not compile, and what the compiler then says.
//!
//! Takes: the programs in `ui/`, each with the message beside it. Leaves: nothing. Never: runs
//! them.

#[test]
fn what_must_not_compile_does_not() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
