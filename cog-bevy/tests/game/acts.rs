//! What can happen to the world in a frame.
//!
//! Takes: random numbers, from proptest. Leaves: acts, and the world after them. Never: an act that
//! can fail; one that finds nobody to act on does nothing.

use bevy_ecs::component::Mutable;
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::World;
use cog_bevy::{CogRow, CogSystems, CogWorldExt};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};

use super::cast::{
    Armor, Badge, Blood, Danger, Difficulty, Health, Level, Mood, Number, Parent, Part, Source,
    Target, Threat,
};
use super::check::{DANGER, THREAT, check, met};

/// When in a frame something happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum When {
    /// Between two frames.
    Before,
    /// In a system of `Update` that has the whole world.
    Update,
    /// In systems of `Update` that may run beside one another.
    Beside,
    /// In `PostUpdate`, after the cogs: the next frame sees it.
    Late,
    /// In a set of the turn, right after the plugin's own work there.
    Within(CogSystems),
}

/// One thing that happens. `usize` says to whom; it is taken modulo the number of those who were ever spawned.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// So many with the same parts.
    Spawn(usize, Vec<(Part, i32)>),
    Despawn(usize),
    /// Despawns one and spawns another, which gets the index of the first.
    Respawn(usize, Vec<(Part, i32)>),
    Clone(usize),
    Insert(usize, Part, i32),
    Remove(usize, Part),
    /// Away and back, with the same value.
    Reinsert(usize, Part),
    /// Written in place.
    Mutate(usize, Part, i32),
    /// Written in place, for everybody.
    MutateAll(Part, i32),
    /// Accessed in place, and left as it was.
    Touch(usize, Part),
    Aim(usize, usize),
    NoAim(usize),
    Adopt(usize, usize),
    Orphan(usize),
    Disable(usize),
    Enable(usize),
    SetDifficulty(i32),
    NoDifficulty,
    SetLevel(i32),
    NoLevel,
    /// The plugin's own component is taken off.
    LoseRow(usize),
    /// Somebody writes what only the plugin may.
    Meddle(usize, i32),
    MeddleAway(usize),
    /// A turn in the middle of the frame.
    Settle,
}

/// Everybody who was ever spawned, in order.
#[derive(Resource, Default)]
pub(crate) struct Cast(pub(crate) Vec<Entity>);

impl Cast {
    /// Whom a number means.
    pub(crate) fn pick(&self, whom: usize) -> Option<Entity> {
        let at = whom.checked_rem(self.0.len())?;
        Some(self.0[at])
    }
}

/// What the acts did to whom: what then can't be expected of change ticks.
#[derive(Resource, Default)]
pub(crate) struct Spoiled {
    /// A turn ran in the middle of the frame, so a value may have moved and come back.
    pub(crate) settled: bool,
    /// Somebody wrote to this one's derived component.
    pub(crate) meddled: Vec<(Entity, usize)>,
    /// Brought derived components along.
    pub(crate) cloned: Vec<Entity>,
    /// Something happened within a turn: this frame shows some of it, the next one shows it all.
    pub(crate) midway: bool,
    /// Despawned within a turn, perhaps before a reaction was told what was published last.
    pub(crate) gone: Vec<Entity>,
}

/// One frame's acts.
pub(crate) type Frame = Vec<(When, Act)>;

/// A game of random frames.
pub(crate) fn game(frames: usize) -> impl Strategy<Value = Vec<Frame>> {
    let when = prop_oneof![
        4 => Just(When::Before),
        4 => Just(When::Update),
        1 => Just(When::Late),
    ];
    let own = (when, act());
    let beside = (Just(When::Beside), beside());
    let within = (within(), lives_and_writes());
    vec(
        vec(prop_oneof![8 => own, 2 => beside, 1 => within], 0..8),
        1..frames,
    )
}

fn within() -> impl Strategy<Value = When> {
    (0..STEPS.len()).prop_map(|at| When::Within(STEPS[at]))
}

/// The sets of a turn.
pub(crate) const STEPS: [CogSystems; 6] = [
    CogSystems::Receive,
    CogSystems::Collect,
    CogSystems::Settle,
    CogSystems::Publish,
    CogSystems::React,
    CogSystems::Release,
];

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        3 => Just(Part::Health),
        2 => Just(Part::Armor),
        1 => Just(Part::Badge),
        2 => Just(Part::Mood),
        1 => Just(Part::Blood),
    ]
}

/// Few numbers, so that equal ones are frequent.
fn number() -> impl Strategy<Value = i32> {
    -1..5_i32
}

/// Small numbers often: few entities to whom much happens.
fn whom() -> impl Strategy<Value = usize> {
    prop_oneof![3 => 0..6_usize, 1 => 0..200_usize]
}

fn parts() -> impl Strategy<Value = Vec<(Part, i32)>> {
    vec((part(), number()), 0..4)
}

/// What systems that run beside one another can do.
fn beside() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => (whom(), part(), number()).prop_map(|(e, p, n)| Act::Mutate(e, p, n)),
        1 => (whom(), part(), number()).prop_map(|(e, p, n)| Act::Insert(e, p, n)),
        1 => (whom(), part()).prop_map(|(e, p)| Act::Remove(e, p)),
    ]
}

/// What may happen within a turn.
fn lives_and_writes() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => whom().prop_map(Act::Despawn),
        1 => (whom(), parts()).prop_map(|(e, parts)| Act::Respawn(e, parts)),
        1 => whom().prop_map(Act::Clone),
        2 => whom().prop_map(Act::LoseRow),
        1 => (whom(), part(), number()).prop_map(|(e, p, n)| Act::Insert(e, p, n)),
        1 => (whom(), part()).prop_map(|(e, p)| Act::Remove(e, p)),
    ]
}

fn act() -> impl Strategy<Value = Act> {
    let many = prop_oneof![4 => 1..3_usize, 1 => 10..90_usize];
    let lives = prop_oneof![
        3 => (many, parts()).prop_map(|(n, parts)| Act::Spawn(n, parts)),
        2 => whom().prop_map(Act::Despawn),
        2 => (whom(), parts()).prop_map(|(e, parts)| Act::Respawn(e, parts)),
        1 => whom().prop_map(Act::Clone),
        1 => whom().prop_map(Act::Disable),
        1 => whom().prop_map(Act::Enable),
        1 => whom().prop_map(Act::LoseRow),
    ];
    let writes = prop_oneof![
        3 => (whom(), part(), number()).prop_map(|(e, p, n)| Act::Insert(e, p, n)),
        3 => (whom(), part()).prop_map(|(e, p)| Act::Remove(e, p)),
        1 => (whom(), part()).prop_map(|(e, p)| Act::Reinsert(e, p)),
        4 => (whom(), part(), number()).prop_map(|(e, p, n)| Act::Mutate(e, p, n)),
        1 => (part(), number()).prop_map(|(p, n)| Act::MutateAll(p, n)),
        1 => (whom(), part()).prop_map(|(e, p)| Act::Touch(e, p)),
    ];
    let links = prop_oneof![
        3 => (whom(), whom()).prop_map(|(e, other)| Act::Aim(e, other)),
        1 => whom().prop_map(Act::NoAim),
        3 => (whom(), whom()).prop_map(|(e, other)| Act::Adopt(e, other)),
        1 => whom().prop_map(Act::Orphan),
    ];
    let shared = prop_oneof![
        2 => number().prop_map(Act::SetDifficulty),
        1 => Just(Act::NoDifficulty),
        2 => number().prop_map(Act::SetLevel),
        1 => Just(Act::NoLevel),
        1 => Just(Act::Settle),
    ];
    let meddling = prop_oneof![
        (whom(), number()).prop_map(|(e, n)| Act::Meddle(e, n)),
        whom().prop_map(Act::MeddleAway),
    ];
    prop_oneof![4 => lives, 6 => writes, 3 => links, 2 => shared, 1 => meddling]
}

/// Does `$do` with the component type that a part is.
macro_rules! with_part {
    ($part:expr, $C:ident => $do:expr) => {
        match $part {
            Part::Health => {
                type $C = Health;
                $do
            }
            Part::Armor => {
                type $C = Armor;
                $do
            }
            Part::Badge => {
                type $C = Badge;
                $do
            }
            Part::Mood => {
                type $C = Mood;
                $do
            }
            Part::Blood => {
                type $C = Blood;
                $do
            }
        }
    };
}

/// Lets it happen.
pub(crate) fn perform(world: &mut World, act: &Act) {
    match act {
        Act::SetDifficulty(n) => set_resource::<Difficulty>(world, *n),
        Act::NoDifficulty => drop(world.remove_resource::<Difficulty>()),
        Act::SetLevel(n) => set_resource::<Level>(world, *n),
        Act::NoLevel => drop(world.remove_resource::<Level>()),
        Act::Spawn(count, parts) => (0..*count).for_each(|_| spawn(world, parts)),
        Act::MutateAll(part, n) => {
            for at in 0..world.resource::<Cast>().0.len() {
                perform(world, &Act::Mutate(at, *part, *n));
            }
        }
        Act::Settle => {
            world.resource_mut::<Spoiled>().settled = true;
            world.settle_cogs();
            if !world.resource::<Spoiled>().midway {
                check(world);
            }
        }
        Act::Despawn(whom)
        | Act::Respawn(whom, _)
        | Act::Clone(whom)
        | Act::LoseRow(whom)
        | Act::Disable(whom)
        | Act::Enable(whom)
        | Act::Meddle(whom, _)
        | Act::MeddleAway(whom) => with_life(world, *whom, act),
        Act::Aim(whom, _) | Act::NoAim(whom) | Act::Adopt(whom, _) | Act::Orphan(whom) => {
            with_link(world, *whom, act);
        }
        Act::Insert(whom, part, _)
        | Act::Remove(whom, part)
        | Act::Reinsert(whom, part)
        | Act::Mutate(whom, part, _)
        | Act::Touch(whom, part) => {
            if let Some(entity) = living(world, *whom) {
                with_part!(part, C => write::<C>(world, entity, act));
            }
        }
    }
}

/// Whom a number means, if it lives.
fn living(world: &World, whom: usize) -> Option<Entity> {
    let entity = world.resource::<Cast>().pick(whom)?;
    world.get_entity(entity).ok().map(|entity| entity.id())
}

fn spawn(world: &mut World, parts: &[(Part, i32)]) {
    let entity = world.spawn_empty().id();
    for (part, n) in parts {
        with_part!(part, C => {
            world.entity_mut(entity).insert(C::new(*n));
        });
    }
    world.resource_mut::<Cast>().0.push(entity);
}

fn set_resource<R: Resource<Mutability = Mutable> + Number>(world: &mut World, n: i32) {
    match world.get_resource_mut::<R>() {
        Some(mut there) => *there = R::new(n),
        None => world.insert_resource(R::new(n)),
    }
}

/// Acts on an entity as a whole.
fn with_life(world: &mut World, whom: usize, act: &Act) {
    let Some(entity) = living(world, whom) else {
        return;
    };
    match act {
        Act::Despawn(_) => drop(world.despawn(entity)),
        Act::Respawn(_, parts) => {
            world.despawn(entity);
            spawn(world, parts);
        }
        Act::Clone(_) => {
            let clone = world.entity_mut(entity).clone_and_spawn();
            world.resource_mut::<Cast>().0.push(clone);
            world.resource_mut::<Spoiled>().cloned.push(clone);
            met(world, clone);
        }
        Act::LoseRow(_) => drop(world.entity_mut(entity).remove::<CogRow>()),
        Act::Disable(_) => drop(world.entity_mut(entity).insert(Disabled)),
        Act::Enable(_) => drop(world.entity_mut(entity).remove::<Disabled>()),
        Act::Meddle(_, n) if cfg!(debug_assertions) => {
            world.entity_mut(entity).insert((Danger(*n), Threat(*n)));
            note_meddling(world, entity);
        }
        Act::MeddleAway(_) if cfg!(debug_assertions) => {
            world.entity_mut(entity).remove::<(Danger, Threat)>();
            note_meddling(world, entity);
        }
        _ => {}
    }
}

fn note_meddling(world: &mut World, entity: Entity) {
    let meddled = &mut world.resource_mut::<Spoiled>().meddled;
    meddled.extend([DANGER, THREAT].map(|derived| (entity, derived)));
}

/// Writes the components that name another entity.
fn with_link(world: &mut World, whom: usize, act: &Act) {
    let Some(entity) = living(world, whom) else {
        return;
    };
    let cast = world.resource::<Cast>();
    match act {
        Act::Aim(_, other) => {
            let target = cast.pick(*other).expect("somebody was ever spawned");
            world.entity_mut(entity).insert(Target(target));
        }
        Act::Adopt(_, other) => {
            let at = cast
                .0
                .iter()
                .position(|other| *other == entity)
                .expect("it was spawned");
            if 0 < at {
                let parent = cast.0[other % at];
                world.entity_mut(entity).insert(Parent(parent));
            }
        }
        Act::NoAim(_) => drop(world.entity_mut(entity).remove::<Target>()),
        Act::Orphan(_) => drop(world.entity_mut(entity).remove::<Parent>()),
        _ => {}
    }
}

/// Writes one source component.
fn write<C: Source>(world: &mut World, entity: Entity, act: &Act) {
    let mut entity = world.entity_mut(entity);
    match act {
        Act::Insert(_, _, n) => drop(entity.insert(C::new(*n))),
        Act::Remove(..) => drop(entity.remove::<C>()),
        Act::Reinsert(..) => {
            if let Some(value) = entity.take::<C>() {
                entity.insert(value);
            }
        }
        Act::Mutate(_, _, n) => C::mutate(&mut entity, Some(*n)),
        Act::Touch(..) => C::mutate(&mut entity, None),
        _ => {}
    }
}
