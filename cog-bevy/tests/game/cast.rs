//! Who plays: source components and resources, what is derived from them, and the same values from
//! nothing but the world, recomputed without a cog.
//!
//! Takes: a world. Leaves: what it should show. Never: remembers anything.

use bevy_app::App;
use bevy_ecs::change_detection::{DetectChanges, Tick};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::{EntityWorldMut, World};
use cog_bevy::arena::{Over, Sorted};
use cog_bevy::{CogAppExt, Input, InputRes, Lookup, Own};

/// A component that is one small number.
pub(crate) trait Number {
    fn new(number: i32) -> Self;
    fn number(&self) -> i32;
}

macro_rules! numbers {
    ($kind:ident: $($(#[$attribute:meta])* $name:ident),*) => {
        $(
            #[derive($kind, Clone, PartialEq, Debug)]
            $(#[$attribute])*
            pub(crate) struct $name(pub(crate) i32);

            impl Number for $name {
                fn new(number: i32) -> Self {
                    Self(number)
                }

                fn number(&self) -> i32 {
                    self.0
                }
            }
        )*
    };
}

// Sources, in every kind of storage.
numbers!(Component:
    Health,
    Armor,
    #[component(storage = "SparseSet")] Badge,
    #[component(summary_tick)] Mood,
    #[component(immutable)] Blood
);
numbers!(Resource: Level, Difficulty, Budget);

/// A source component of numbers.
pub(crate) trait Source: Component + Number + Clone {
    /// Which it is.
    const PART: Part;

    /// Writes in place, the same number again if none is given.
    fn mutate(entity: &mut EntityWorldMut, number: Option<i32>);
}

/// Which source component of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Part {
    Health,
    Armor,
    Badge,
    Mood,
    Blood,
}

macro_rules! mutable_sources {
    ($($name:ident),*) => {
        $(
            impl Source for $name {
                const PART: Part = Part::$name;

                fn mutate(entity: &mut EntityWorldMut, number: Option<i32>) {
                    if let Some(mut there) = entity.get_mut::<Self>() {
                        *there = Self(number.unwrap_or(there.0));
                    }
                }
            }
        )*
    };
}

mutable_sources!(Health, Armor, Badge, Mood);

impl Source for Blood {
    const PART: Part = Part::Blood;

    fn mutate(entity: &mut EntityWorldMut, number: Option<i32>) {
        entity.modify_component(|there: &mut Self| *there = Self(number.unwrap_or(there.0)));
    }
}

/// Another entity, alive or not, or itself.
#[derive(Component, Clone, PartialEq, Debug)]
pub(crate) struct Target(pub(crate) Entity);

/// An entity that was spawned earlier, alive or not: no circle can close.
#[derive(Component, Clone, PartialEq, Debug)]
pub(crate) struct Parent(pub(crate) Entity);

// What is derived. Two of them lie in no table.
numbers!(Component:
    Threat,
    Danger,
    Alarm,
    Advantage,
    Aim,
    Rank,
    Purse,
    #[component(storage = "SparseSet")] Glow,
    Tag,
    #[component(storage = "SparseSet")] Vigor
);

/// What follows from everybody: the sum of a declared component, the greatest of a tracked one, which may be nobody's, and
/// a view of a source.
#[derive(Resource, Clone, PartialEq, Debug)]
pub(crate) struct Army(pub(crate) i32);
/// See [`Army`].
#[derive(Resource, Clone, PartialEq, Debug)]
pub(crate) struct Best(pub(crate) i32);
/// See [`Army`].
#[derive(Resource, Clone, PartialEq, Debug)]
pub(crate) struct Even(pub(crate) Vec<Entity>);

/// How many components are derived.
pub(crate) const DERIVED: usize = 10;

/// Their names, for messages.
pub(crate) const NAMES: [&str; DERIVED] = [
    "Threat",
    "Danger",
    "Alarm",
    "Advantage",
    "Aim",
    "Rank",
    "Purse",
    "Glow",
    "Tag",
    "Vigor",
];

/// Declares everything that is derived.
pub(crate) fn declare(app: &mut App) {
    app
        // A chain of three, the first with an optional input, the last partial.
        .add_derived(|health: Input<Health>, armor: Option<Input<Armor>>| {
            Threat(health.0 * 2 - armor.map_or(0, |armor| armor.0))
        })
        .add_derived(|threat: Input<Threat>, difficulty: InputRes<Difficulty>| {
            Danger(threat.0 * difficulty.0)
        })
        .add_derived(|danger: Input<Danger>| (danger.0 > 0).then(|| Alarm(danger.0 / 4)))
        // Other entities: a source, a derived value read only sometimes, the family itself.
        .add_derived(
            |health: Input<Health>, target: Input<Target>, healths: Lookup<Health>| {
                Advantage(health.0 - healths.get(target.0).map_or(0, |other| other.0))
            },
        )
        .add_derived(
            |target: Input<Target>, mood: Option<Input<Mood>>, threats: Lookup<Threat>| {
                let looks = mood.is_none_or(|mood| mood.0 % 2 == 0);
                Aim(if looks {
                    threats.get(target.0).map_or(-1, |other| other.0)
                } else {
                    -2
                })
            },
        )
        .add_derived(|parent: Input<Parent>, ranks: Lookup<Rank>| {
            Rank(1 + ranks.get(parent.0).map_or(0, |above| above.0))
        })
        // Resources, one of them derived.
        .add_derived_resource(
            |level: InputRes<Level>, difficulty: Option<InputRes<Difficulty>>| {
                Budget(level.0 * 3 + difficulty.map_or(0, |difficulty| difficulty.0))
            },
        )
        .add_derived(|badge: Input<Badge>, budget: InputRes<Budget>| Purse(badge.0 + budget.0))
        // Equal more often than not.
        .add_derived(|mood: Input<Mood>| Glow(mood.0 / 3))
        .add_derived(|badge: Input<Badge>, own: Own| Tag(badge.0 ^ i32::from(is_odd(*own))))
        // An immutable source, which is written by insertion only, with another beside it.
        .add_derived(|blood: Input<Blood>, glow: Option<Input<Glow>>| {
            Vigor(blood.0 + glow.map_or(0, |glow| glow.0))
        })
        // Everybody, taken together.
        .add_fold(
            |all: Over<'_, Entity, Threat>| all.sum_by(|_, threat| threat.0),
            |sum| Army(*sum),
        )
        .add_fold(
            |all: Over<'_, Entity, Aim>| all.max_by(|_, aim| aim.0),
            |best| best.map(Best),
        )
        .add_fold(
            |all: Over<'_, Entity, Health>| all.filtered(|_, health| health.0 % 2 == 0),
            |even: &Sorted<Entity, ()>| Even(even.keys().copied().collect()),
        );
}

fn is_odd(entity: Entity) -> bool {
    entity.index_u32() % 2 == 1
}

/// What `entity` should show.
pub(crate) fn naive(world: &World, entity: Entity) -> [Option<i32>; DERIVED] {
    let difficulty = world.get_resource::<Difficulty>().map(|d| d.0);
    let target = world.get::<Target>(entity).map(|target| target.0);
    let (mood, badge) = (
        number::<Mood>(world, entity),
        number::<Badge>(world, entity),
    );
    let health = number::<Health>(world, entity);
    let danger = threat(world, entity).and_then(|threat| Some(threat * difficulty?));
    let advantage = |target| Some(health? - number::<Health>(world, target).unwrap_or(0));
    let aim = |target| match mood {
        Some(mood) if mood % 2 != 0 => -2,
        _ => threat(world, target).unwrap_or(-1),
    };
    let glow = mood.map(|mood| mood / 3);
    [
        threat(world, entity),
        danger,
        danger.filter(|danger| *danger > 0).map(|danger| danger / 4),
        target.and_then(advantage),
        target.map(aim),
        rank(world, entity),
        badge.and_then(|badge| Some(badge + budget(world)?)),
        glow,
        badge.map(|badge| badge ^ i32::from(is_odd(entity))),
        number::<Blood>(world, entity).map(|blood| blood + glow.unwrap_or(0)),
    ]
}

/// What the derived resource should be.
pub(crate) fn budget(world: &World) -> Option<i32> {
    let difficulty = world.get_resource::<Difficulty>().map_or(0, |d| d.0);
    Some(world.get_resource::<Level>()?.0 * 3 + difficulty)
}

fn threat(world: &World, entity: Entity) -> Option<i32> {
    let armor = number::<Armor>(world, entity).unwrap_or(0);
    number::<Health>(world, entity).map(|health| health * 2 - armor)
}

fn rank(world: &World, entity: Entity) -> Option<i32> {
    let parent = world.get::<Parent>(entity)?.0;
    Some(1 + rank(world, parent).unwrap_or(0))
}

fn number<C: Component + Number>(world: &World, entity: Entity) -> Option<i32> {
    world.get::<C>(entity).map(Number::number)
}

/// A value as a system sees it, and when Bevy says that it changed.
pub(crate) type Shown = Option<(i32, Tick)>;

/// What `entity` shows.
pub(crate) fn shown(world: &World, entity: Entity) -> [Shown; DERIVED] {
    fn one<C: Component + Number>(world: &World, entity: Entity) -> Shown {
        let there = world.get_entity(entity).ok()?.get_ref::<C>()?;
        Some((there.number(), there.last_changed()))
    }
    [
        one::<Threat>(world, entity),
        one::<Danger>(world, entity),
        one::<Alarm>(world, entity),
        one::<Advantage>(world, entity),
        one::<Aim>(world, entity),
        one::<Rank>(world, entity),
        one::<Purse>(world, entity),
        one::<Glow>(world, entity),
        one::<Tag>(world, entity),
        one::<Vigor>(world, entity),
    ]
}
