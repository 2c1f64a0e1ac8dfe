//! Read-only handles, and equality of floats by their bits.

mod common;

use cog_arena::{Bitwise, ReadError, bitwise};
use common::{arena, arena_with_log};

#[test]
fn floats_are_the_same_if_their_bits_are() {
    let quiet = f64::NAN;
    let another = f64::from_bits(quiet.to_bits() ^ 1);
    assert!(bitwise(&quiet, &quiet));
    assert!(!bitwise(&quiet, &another), "two kinds of NaN");
    assert!(!bitwise(&0.0_f32, &-0.0_f32), "the sign is a bit");
    assert!(bitwise(&[f32::NAN, 1.0], &[f32::NAN, 1.0]));
    assert!(!bitwise(&vec![1.0_f32], &vec![1.0, 2.0]), "one is longer");
    assert!(bitwise(&Some((f32::NAN, 1.0_f64)), &Some((f32::NAN, 1.0))));
    assert!(!bitwise(&None::<f32>, &Some(0.0)));
    assert!((1.0_f32, 2.0_f32, f64::NAN, 3.0_f32).bitwise_eq(&(1.0, 2.0, f64::NAN, 3.0)));
    assert!(!(1.0_f32, 2.0_f32, f64::NAN).bitwise_eq(&(1.0, 2.5, f64::NAN)));
}

#[test]
fn a_derived_value_that_stays_nan_stops_the_wave_if_it_is_compared_by_its_bits() {
    let (mut arena, log) = arena_with_log();
    let x = arena.source(0.0_f32);
    let ratio = arena
        .cog()
        .equality(bitwise::<f32>)
        .derived(move |r| 0.0 / (r.get(x) * 0.0));
    let text = arena.derived(log.named("text", move |r| r.get(ratio).to_string()));
    assert_eq!(arena.read(text), "NaN");
    arena.turn(|w| w.set(x, 5.0));
    assert_eq!(arena.read(text), "NaN");
    assert_eq!(log.take(), ["text"]);
}

#[test]
fn a_read_only_handle_leads_where_its_source_does() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let gold = arena.source(1);
    let health = arena.source_family(space, |_| 10);
    let (gold_shown, health_shown) = (gold.read_only(), health.read_only());
    let total = arena.derived(move |r| r.get(gold_shown) + r.get(health_shown.at(7)));
    let double = arena.derived_from(gold_shown.shared(), |gold: &i32| gold * 2);
    let threat = arena.derived_family_from(
        space,
        (health_shown.aligned(), gold_shown.shared_optional()),
        |(health, gold): (&i32, Option<&i32>)| health + gold.copied().unwrap_or(0),
    );
    arena.turn(|w| {
        w.set(gold, 2);
        w.set(health.at(7), 20);
    });
    assert_eq!((*arena.read(total), *arena.read(double)), (22, 4));
    assert_eq!(
        (*arena.read(threat.at(7)), *arena.read(gold_shown)),
        (22, 2)
    );
    let slot = arena.turn(|w| w.insert_key(space, 7));
    assert_eq!(*arena.read(health_shown.at_slot(slot)), 20);
    arena.turn(|w| w.remove_key(space, &7));
    assert_eq!(
        arena.try_read(health_shown.at_slot(slot)).err(),
        Some(ReadError::Stale)
    );
}
