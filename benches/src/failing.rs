//! Shapes that fail: what can't but fail costs as much for each row, however many there are.
//!
//! Takes: nothing. Leaves: chains, held, whose every turn fails. Never: prints what fails.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use cog_arena::Arena;

use crate::{Operation, Shape};

const LINKS: u32 = 1_000;

pub(crate) fn shapes() -> Vec<Shape> {
    let shape = |name, build| Shape {
        name,
        units: LINKS,
        operations: 10,
        target: None,
        build,
    };
    vec![
        shape("fail::chain_held::1000", || chain(false)),
        shape("fail::chain_of_holds::1000", || chain(true)),
    ]
}

/// Fails, without a message on the screen.
fn fail() -> ! {
    resume_unwind(Box::new("it fails"))
}

/// A chain of declared cogs above a tracked one; the first of them fails in each turn. The last is held, or each.
fn chain(each: bool) -> Operation {
    let mut arena = Arena::new();
    let source = arena.source(0_u32);
    let tracked = arena.derived(move |r| *r.get(source));
    let mut last = arena.derived_from(
        tracked.shared(),
        |value: &u32| {
            if *value == 0 { 0 } else { fail() }
        },
    );
    let mut links = vec![last];
    for _ in 1..LINKS {
        last = arena.derived_from(last.shared(), |below: &u32| below + 1);
        links.push(last);
    }
    // Held for as long as the arena lives.
    if each {
        for link in links {
            let _hold = arena.hold(link);
        }
    } else {
        let _hold = arena.hold(last);
    }
    warm(move |next| {
        let ended = catch_unwind(AssertUnwindSafe(|| arena.turn(|w| w.set(source, next))));
        assert!(ended.is_err(), "what is held fails");
        assert_eq!(arena.settled(last), None);
    })
}

/// The operation after a few of it.
fn warm(mut operation: impl FnMut(u32) + 'static) -> Operation {
    const TIMES: u32 = 4;
    (1..=TIMES).for_each(&mut operation);
    Box::new(move |next| operation(TIMES + next))
}
