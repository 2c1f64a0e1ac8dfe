//! What must not compile, and that the message says what to do instead.

#[test]
fn what_must_not_compile_does_not_and_says_why() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
