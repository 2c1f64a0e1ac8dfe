//! The arena alone, without Bevy: a price that follows from a catalogue, a cart and a discount.
//!
//! You will see the total follow three writes, and the second of them run nothing, because it
//! changed nothing that the total depends on. There are no keys to press.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use cog_arena::{Arena, First};

fn main() {
    let mut arena = Arena::new();

    // Sources are facts. A family has one value per key; here a key is an article number.
    let articles = arena.key_space::<u32>();
    let price = arena.member_family::<u32, u32>(articles);
    let in_cart = arena.source(vec![1, 3]);
    let discount_percent = arena.source(0);

    // Derived values are pure functions of others. What they read is remembered as they read it.
    let sum = arena.derived(move |r| {
        let cart = r.get(in_cart).iter();
        cart.map(|article| r.lookup(price.at(*article)).copied().unwrap_or(0))
            .sum::<u32>()
    });
    let total = arena.derived(move |r| r.get(sum) * (100 - r.get(discount_percent)) / 100);

    // A reaction is told when a turn really moved what it watches.
    arena.watch(total, First::Run, |old, new, _| match old {
        Some(old) => println!("the total moved from {old} to {new}"),
        None => println!("the total is {new}"),
    });

    // All writes of a turn take effect together.
    arena.turn(|w| {
        w.set(price.at(1), 100);
        w.set(price.at(2), 999);
        w.set(price.at(3), 40);
    });
    assert_eq!(*arena.read(total), 140);

    // Nobody has article 2 in the cart: nothing runs.
    arena.turn(|w| w.set(price.at(2), 1));
    assert_eq!(arena.counts().run, 0);

    arena.turn(|w| {
        w.update(in_cart, |cart| cart.push(2));
        w.set(discount_percent, 50);
    });
    assert_eq!(*arena.read(total), 70);
    println!("and {} functions ran for the last turn", arena.counts().run);
}
