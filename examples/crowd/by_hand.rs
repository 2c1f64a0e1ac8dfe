//! The same work written by hand: one system per component, or all in one.

use bevy_ecs::change_detection::{
    ContiguousMut, ContiguousRef, DetectChanges, DetectChangesMut, Ref, Res, ResMut,
};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::query::Changed;
use bevy_ecs::schedule::{IntoScheduleConfigs, Schedule, SingleThreadedExecutor};
use bevy_ecs::system::Query;
use bevy_ecs::world::World;

use crate::cogs::{
    Advantage, Courage, Danger, Difficulty, Fitness, Health, Rank, Reach, Source, Target, Threat,
    Total, WatchedHealth, advantages_are_right, aim, courage, dangers_are_right, fitness, naive,
    rank, reach, spawn, threat, total_is_right,
};
use crate::measure::{Counts, Crowd};

/// Five components in a chain, kept right by systems.
pub(crate) struct Chain<S> {
    world: World,
    schedule: Schedule,
    all: Vec<Entity>,
    source: std::marker::PhantomData<S>,
}

/// All five components.
type Five = (Fitness, Courage, Threat, Reach, Rank);

impl<S: Source> Chain<S> {
    fn new(entities: usize, schedule: Schedule) -> Self {
        let mut world = World::new();
        let all = spawn(&mut world, entities, S::new);
        world.insert_batch(all.iter().map(|entity| (*entity, Five::default())));
        Self {
            world,
            schedule,
            all,
            source: std::marker::PhantomData,
        }
    }
}

impl Chain<Health> {
    /// Five systems, each with its own `Changed`: what one writes without cogs.
    pub(crate) fn separate(entities: usize) -> Self {
        let mut schedule = single_threaded();
        schedule.add_systems(
            (
                |mut all: Query<(&Health, &mut Fitness), Changed<Health>>| {
                    for (health, mut derived) in &mut all {
                        derived.set_if_neq(Fitness(fitness(health.0)));
                    }
                },
                |mut all: Query<(&Fitness, &mut Courage), Changed<Fitness>>| {
                    for (fitness, mut derived) in &mut all {
                        derived.set_if_neq(Courage(courage(fitness.0)));
                    }
                },
                |mut all: Query<(&Courage, &mut Threat), Changed<Courage>>| {
                    for (courage, mut derived) in &mut all {
                        derived.set_if_neq(Threat(threat(courage.0)));
                    }
                },
                |mut all: Query<(&Threat, &mut Reach), Changed<Threat>>| {
                    for (threat, mut derived) in &mut all {
                        derived.set_if_neq(Reach(reach(threat.0)));
                    }
                },
                |mut all: Query<(&Reach, &mut Rank), Changed<Reach>>| {
                    for (reach, mut derived) in &mut all {
                        derived.set_if_neq(Rank(rank(reach.0)));
                    }
                },
            )
                .chain(),
        );
        Self::new(entities, schedule)
    }

    /// One system for all five: one scan, but no two components with owners of their own.
    pub(crate) fn fused(entities: usize) -> Self {
        let mut schedule = single_threaded();
        schedule.add_systems(|mut all: Query<AllFive<'static>, Changed<Health>>| {
            for (health, mut f, mut c, mut t, mut r, mut k) in &mut all {
                let [fitness, courage, threat, reach, rank] = naive(health.0);
                f.set_if_neq(Fitness(fitness));
                c.set_if_neq(Courage(courage));
                t.set_if_neq(Threat(threat));
                r.set_if_neq(Reach(reach));
                k.set_if_neq(Rank(rank));
            }
        });
        Self::new(entities, schedule)
    }
}

/// A row, for the version that writes all five at once.
type AllFive<'a> = (
    &'a Health,
    &'a mut Fitness,
    &'a mut Courage,
    &'a mut Threat,
    &'a mut Reach,
    &'a mut Rank,
);

/// The columns of a table, for the version with summary ticks.
type Columns<'a> = (
    Ref<'a, WatchedHealth>,
    &'a mut Fitness,
    &'a mut Courage,
    &'a mut Threat,
    &'a mut Reach,
    &'a mut Rank,
);

impl Chain<WatchedHealth> {
    /// One system over whole columns, which skips tables in which nothing changed.
    pub(crate) fn summary(entities: usize) -> Self {
        let mut schedule = single_threaded();
        schedule.add_systems(|mut all: Query<Columns<'static>>| {
            for (healths, f, c, t, r, k) in all.contiguous_iter_mut().expect("all lie in tables") {
                let (healths, ticks) = ContiguousRef::split(healths);
                if ticks.summary_tick_is_changed() == Some(false) {
                    continue;
                }
                let mut f = Column::new(f);
                let mut c = Column::new(c);
                let mut t = Column::new(t);
                let mut r = Column::new(r);
                let mut k = Column::new(k);
                let changed = ticks
                    .is_changed_iter()
                    .enumerate()
                    .filter(|(_, changed)| *changed);
                for (at, _) in changed {
                    let [fitness, courage, threat, reach, rank] = naive(healths[at].0);
                    f.set(at, Fitness(fitness));
                    c.set(at, Courage(courage));
                    t.set(at, Threat(threat));
                    r.set(at, Reach(reach));
                    k.set(at, Rank(rank));
                }
            }
        });
        Self::new(entities, schedule)
    }
}

/// One component's column, written without waking anybody about equal values.
struct Column<'a, T> {
    values: &'a mut [T],
    ticks: bevy_ecs::change_detection::ContiguousComponentTicksMut<'a>,
}

impl<'a, T: PartialEq> Column<'a, T> {
    fn new(column: ContiguousMut<'a, T>) -> Self {
        let (values, ticks) = ContiguousMut::bypass_change_detection_split(column);
        Self { values, ticks }
    }

    fn set(&mut self, at: usize, value: T) {
        if self.values[at] != value {
            self.values[at] = value;
            let now = self.ticks.this_run();
            self.ticks.changed_mut()[at] = now;
        }
    }
}

impl<S: Source> Crowd for Chain<S> {
    fn hurt(&mut self, whom: usize, health: u32) {
        *self.world.get_mut::<S>(self.all[whom]).expect("it lives") = S::new(health);
    }

    fn frame(&mut self) {
        self.schedule.run(&mut self.world);
    }

    fn counts(&self) -> Option<Counts> {
        None
    }

    fn is_right(&mut self) -> bool {
        let mut all = self
            .world
            .query::<(&S, &Fitness, &Courage, &Threat, &Reach, &Rank)>();
        all.iter(&self.world)
            .all(|(health, f, c, t, r, k)| [f.0, c.0, t.0, r.0, k.0] == naive(health.value()))
    }
}

/// One component that reads another entity: if any health moved, all are looked at again.
pub(crate) struct Looked(World, Schedule, Vec<Entity>);

impl Looked {
    pub(crate) fn new(entities: usize) -> Self {
        let mut world = World::new();
        let all = spawn(&mut world, entities, Health);
        aim(&mut world, &all);
        world.insert_batch(all.iter().map(|entity| (*entity, Advantage::default())));
        let mut schedule = single_threaded();
        schedule.add_systems(
            |changed: Query<(), Changed<Health>>,
             healths: Query<&Health>,
             mut all: Query<(&Health, &Target, &mut Advantage)>| {
                if changed.is_empty() {
                    return;
                }
                for (health, target, mut advantage) in &mut all {
                    let other = healths.get(target.0).map_or(0, |other| other.0);
                    advantage.set_if_neq(Advantage(health.0.wrapping_sub(other)));
                }
            },
        );
        Self(world, schedule, all)
    }
}

impl Crowd for Looked {
    fn hurt(&mut self, whom: usize, health: u32) {
        self.0.get_mut::<Health>(self.2[whom]).expect("it lives").0 = health;
    }

    fn frame(&mut self) {
        self.1.run(&mut self.0);
    }

    fn counts(&self) -> Option<Counts> {
        None
    }

    fn is_right(&mut self) -> bool {
        advantages_are_right(&mut self.0)
    }
}

/// One component that reads a resource.
pub(crate) struct Scaled(World, Schedule, Vec<Entity>);

impl Scaled {
    pub(crate) fn new(entities: usize) -> Self {
        let mut world = World::new();
        world.insert_resource(Difficulty(1));
        let all = spawn(&mut world, entities, Health);
        world.insert_batch(all.iter().map(|entity| (*entity, Danger::default())));
        let mut schedule = single_threaded();
        schedule.add_systems(
            |difficulty: Res<Difficulty>, mut all: Query<(Ref<Health>, &mut Danger)>| {
                let all_move = difficulty.is_changed();
                for (health, mut danger) in &mut all {
                    if all_move || health.is_changed() {
                        danger.set_if_neq(Danger(health.0.wrapping_mul(difficulty.0)));
                    }
                }
            },
        );
        Self(world, schedule, all)
    }
}

impl Crowd for Scaled {
    fn hurt(&mut self, whom: usize, health: u32) {
        self.0.get_mut::<Health>(self.2[whom]).expect("it lives").0 = health;
        self.0.resource_mut::<Difficulty>().0 = health | 1;
    }

    fn frame(&mut self) {
        self.1.run(&mut self.0);
    }

    fn counts(&self) -> Option<Counts> {
        None
    }

    fn is_right(&mut self) -> bool {
        dangers_are_right(&mut self.0)
    }
}

/// What an entity's health was when it was added to the total.
#[derive(Component, Default)]
struct Added(u32);

/// One resource that follows from all entities.
pub(crate) struct Totalled(World, Schedule, Vec<Entity>);

impl Totalled {
    fn new(entities: usize, schedule: Schedule) -> Self {
        let mut world = World::new();
        world.init_resource::<Total>();
        let all = spawn(&mut world, entities, Health);
        world.insert_batch(all.iter().map(|entity| (*entity, Added::default())));
        Self(world, schedule, all)
    }

    /// By what changed: as little as can be, but wrong once an entity goes.
    pub(crate) fn by_change(entities: usize) -> Self {
        let mut schedule = single_threaded();
        schedule.add_systems(
            |mut all: Query<(&Health, &mut Added), Changed<Health>>, mut total: ResMut<Total>| {
                let mut sum = total.0;
                for (health, mut added) in &mut all {
                    let added = &mut added.bypass_change_detection().0;
                    sum = sum - u64::from(*added) + u64::from(health.0);
                    *added = health.0;
                }
                total.set_if_neq(Total(sum));
            },
        );
        Self::new(entities, schedule)
    }

    /// By a sum of all, if any changed: what one writes.
    pub(crate) fn by_sum(entities: usize) -> Self {
        let mut schedule = single_threaded();
        schedule.add_systems(
            |changed: Query<(), Changed<Health>>, all: Query<&Health>, mut total: ResMut<Total>| {
                if !changed.is_empty() {
                    let sum = all.iter().map(|health| u64::from(health.0)).sum();
                    total.set_if_neq(Total(sum));
                }
            },
        );
        Self::new(entities, schedule)
    }
}

impl Crowd for Totalled {
    fn hurt(&mut self, whom: usize, health: u32) {
        self.0.get_mut::<Health>(self.2[whom]).expect("it lives").0 = health;
    }

    fn frame(&mut self) {
        self.1.run(&mut self.0);
    }

    fn counts(&self) -> Option<Counts> {
        None
    }

    fn is_right(&mut self) -> bool {
        total_is_right(&mut self.0)
    }
}

fn single_threaded() -> Schedule {
    let mut schedule = Schedule::default();
    schedule.set_executor(SingleThreadedExecutor::new());
    schedule
}
