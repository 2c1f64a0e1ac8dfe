//! What must hold after the cogs: values, change ticks, and what a reaction was told.
//!
//! Takes: the world. Leaves: nothing, or a panic that says who shows what.
//! Never: asks the plugin.

use std::collections::BTreeMap;

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::World;

use super::acts::{Cast, Spoiled};
use super::cast::{Army, Best, Budget, DERIVED, Even, Health, NAMES, Shown, budget, naive, shown};

/// The places of some components in the lists.
pub(crate) const THREAT: usize = 0;
pub(crate) const DANGER: usize = 1;
const AIM: usize = 4;

/// What everybody showed after the last frame.
#[derive(Resource, Default)]
pub(crate) struct Shadow(BTreeMap<Entity, [Shown; DERIVED]>);

/// A threat that moved, with the value before and after.
pub(crate) type Step = (Entity, Option<i32>, Option<i32>);

/// What the reaction to threats was told in this frame.
#[derive(Resource, Default)]
pub(crate) struct Told(pub(crate) Vec<Step>);

/// A clone brings along what its original shows.
pub(crate) fn met(world: &mut World, clone: Entity) {
    let there = shown(world, clone);
    world.resource_mut::<Shadow>().0.insert(clone, there);
}

/// Compares every value with a naive recomputation.
///
/// # Panics
///
/// If one is wrong.
pub(crate) fn check(world: &World) {
    for (at, entity) in living(world) {
        let (expected, shown) = (naive(world, entity), values(shown(world, entity)));
        for derived in 0..DERIVED {
            let name = NAMES[derived];
            assert_eq!(
                shown[derived], expected[derived],
                "{name} of number {at}, {entity}: it shows the left, the right is right"
            );
        }
    }
    let there = world.get_resource::<Budget>().map(|budget| budget.0);
    assert_eq!(there, budget(world), "the derived resource");
    check_folds(world);
}

/// # Panics
///
/// If what follows from everybody doesn't.
fn check_folds(world: &World) {
    let all: Vec<_> = living(world).map(|(_, e)| (e, naive(world, e))).collect();
    let army: i32 = all.iter().filter_map(|(_, values)| values[THREAT]).sum();
    assert_eq!(world.resource::<Army>().0, army, "the sum of all threats");
    let best = all.iter().filter_map(|(_, values)| values[AIM]).max();
    let there = world.get_resource::<Best>().map(|best| best.0);
    assert_eq!(there, best, "the greatest of all aims");
    let health = |entity| world.get::<Health>(entity).map(|health| health.0);
    let even = all.iter().map(|(entity, _)| *entity);
    let mut even: Vec<_> = even
        .filter(|&entity| health(entity).is_some_and(|health| health % 2 == 0))
        .collect();
    even.sort_unstable();
    assert_eq!(world.resource::<Even>().0, even, "all even healths");
}

/// What a frame showed.
#[derive(Debug, PartialEq)]
pub(crate) struct Seen {
    values: Vec<(Entity, [Option<i32>; DERIVED])>,
    told: Vec<Step>,
}

/// Checks a whole frame, and starts to watch the next one.
///
/// # Panics
///
/// If a value is wrong; if a change tick moved and the value didn't, or the other way round; if the
/// reaction was told something else than what happened.
pub(crate) fn check_frame(world: &mut World) -> Seen {
    if std::mem::take(&mut world.resource_mut::<Spoiled>().midway) {
        return look_only(world);
    }
    check(world);
    let spoiled = std::mem::take(&mut *world.resource_mut::<Spoiled>());
    let before = std::mem::take(&mut *world.resource_mut::<Shadow>()).0;
    let told = std::mem::take(&mut *world.resource_mut::<Told>()).0;
    let now: BTreeMap<_, _> = living(world).map(|(_, e)| (e, shown(world, e))).collect();
    for (entity, shown) in &now {
        if let Some(before) = before.get(entity) {
            check_ticks(*entity, before, shown, &spoiled);
        }
    }
    for entity in &world.resource::<Cast>().0 {
        let value = |all: &BTreeMap<_, [Shown; DERIVED]>| Some(all.get(entity)?[THREAT]?.0);
        // Whoever was cloned shows what nobody was told of.
        let old = value(&before).filter(|_| !spoiled.cloned.contains(entity));
        if spoiled.gone.contains(entity) {
            check_gone(*entity, old, &told);
        } else {
            check_told(*entity, old, value(&now), &told);
        }
    }
    let shown = now.iter().map(|(entity, shown)| (*entity, values(*shown)));
    let values = shown.collect();
    world.resource_mut::<Shadow>().0 = now;
    Seen { values, told }
}

/// A frame in which something happened within a turn: what it did is checked with the next one.
fn look_only(world: &mut World) -> Seen {
    world.resource_mut::<Spoiled>().settled = true;
    let shown = living(world).map(|(_, entity)| (entity, values(shown(world, entity))));
    Seen {
        values: shown.collect(),
        told: world.resource::<Told>().0.clone(),
    }
}

/// # Panics
///
/// If a tick doesn't tell the truth.
fn check_ticks(
    entity: Entity,
    before: &[Shown; DERIVED],
    now: &[Shown; DERIVED],
    spoiled: &Spoiled,
) {
    for (derived, name) in NAMES.iter().enumerate() {
        let (Some((old, then)), Some((new, tick))) = (before[derived], now[derived]) else {
            continue;
        };
        let is_meddled = spoiled.meddled.contains(&(entity, derived));
        if old != new {
            assert_ne!(
                then, tick,
                "{name} of {entity} moved {old} -> {new}, its tick didn't"
            );
        } else if !spoiled.settled && !is_meddled {
            assert_eq!(
                then, tick,
                "{name} of {entity} is still {new}, its tick moved"
            );
        }
    }
}

/// # Panics
///
/// If the moves that were told don't lead from `before` to `now`.
fn check_told(entity: Entity, before: Option<i32>, now: Option<i32>, told: &[Step]) {
    let mut at = before;
    for (_, old, new) in told.iter().filter(|(who, ..)| *who == entity) {
        assert_eq!(*old, at, "the value of {entity} before the move to {new:?}");
        assert_ne!(old, new, "{entity} was told of, but did not move");
        at = *new;
    }
    assert_eq!(
        at, now,
        "the last that was told of {entity}, and what it shows"
    );
}

/// # Panics
///
/// If the going of an entity that was despawned within a turn was not told last. What came before it may be missing:
/// whoever is gone when a reaction would run is skipped.
fn check_gone(entity: Entity, before: Option<i32>, told: &[Step]) {
    let mut mine = told.iter().rev().filter(|(who, ..)| *who == entity);
    let last = mine.next().map_or(before, |(_, _, new)| *new);
    assert_eq!(last, None, "{entity} went, and this was told last");
}

fn values(shown: [Shown; DERIVED]) -> [Option<i32>; DERIVED] {
    shown.map(|shown| Some(shown?.0))
}

/// Who lives, with their number.
fn living(world: &World) -> impl Iterator<Item = (usize, Entity)> {
    let all = world.resource::<Cast>().0.iter().copied().enumerate();
    all.filter(|(_, entity)| world.get_entity(*entity).is_ok())
}
