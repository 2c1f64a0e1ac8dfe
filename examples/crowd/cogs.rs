//! The crowd with cogs: what follows from what is said once, and nothing else.

use bevy_app::App;
use bevy_ecs::component::{Component, Mutable};
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::World;
use cog_bevy::arena::Over;
use cog_bevy::{CogAppExt, CogLoop, CogPlugin, Cogs, Input, InputRes, Lookup};

use crate::measure::{Counts, Crowd};

/// The source. Its scan is one look at each change tick.
#[derive(Component, Clone, Copy, PartialEq)]
pub(crate) struct Health(pub(crate) u32);

/// The same with a tick per table: the scan costs nothing while nobody is hurt.
#[derive(Component, Clone, Copy, PartialEq)]
#[component(summary_tick)]
pub(crate) struct WatchedHealth(pub(crate) u32);

/// What both kinds of health have in common.
pub(crate) trait Source: Component<Mutability = Mutable> + Clone + PartialEq {
    fn new(value: u32) -> Self;
    fn value(&self) -> u32;
}

impl Source for Health {
    fn new(value: u32) -> Self {
        Self(value)
    }

    fn value(&self) -> u32 {
        self.0
    }
}

impl Source for WatchedHealth {
    fn new(value: u32) -> Self {
        Self(value)
    }

    fn value(&self) -> u32 {
        self.0
    }
}

#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Fitness(pub(crate) u32);
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Courage(pub(crate) u32);
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Threat(pub(crate) u32);
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Reach(pub(crate) u32);
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rank(pub(crate) u32);

/// The five steps, shared with the versions by hand and with the naive recomputation.
pub(crate) fn fitness(health: u32) -> u32 {
    health.wrapping_mul(2).wrapping_add(1)
}
pub(crate) fn courage(fitness: u32) -> u32 {
    fitness.wrapping_sub(3)
}
pub(crate) fn threat(courage: u32) -> u32 {
    courage.wrapping_mul(3)
}
pub(crate) fn reach(threat: u32) -> u32 {
    threat.wrapping_add(7)
}
pub(crate) fn rank(reach: u32) -> u32 {
    reach ^ 0x55
}

/// Five derived components in a chain.
pub(crate) struct Chain<S> {
    app: App,
    all: Vec<Entity>,
    source: std::marker::PhantomData<S>,
}

impl<S: Source> Chain<S> {
    pub(crate) fn new(entities: usize) -> Self {
        let mut app = App::new();
        app.add_plugins(CogPlugin::default())
            .add_derived(|health: Input<S>| Fitness(fitness(health.value())))
            .add_derived(|fitness: Input<Fitness>| Courage(courage(fitness.0)))
            .add_derived(|courage: Input<Courage>| Threat(threat(courage.0)))
            .add_derived(|threat: Input<Threat>| Reach(reach(threat.0)))
            .add_derived(|reach: Input<Reach>| Rank(rank(reach.0)));
        let all = spawn(app.world_mut(), entities, S::new);
        Self {
            app,
            all,
            source: std::marker::PhantomData,
        }
    }
}

impl<S: Source> Crowd for Chain<S> {
    fn hurt(&mut self, whom: usize, health: u32) {
        let mut source = self
            .app
            .world_mut()
            .get_mut::<S>(self.all[whom])
            .expect("it lives");
        *source = S::new(health);
    }

    fn frame(&mut self) {
        self.app.world_mut().run_schedule(CogLoop);
    }

    fn counts(&self) -> Option<Counts> {
        Some(counts(&self.app))
    }

    fn is_right(&mut self) -> bool {
        let world = self.app.world_mut();
        let mut all = world.query::<(&S, &Fitness, &Courage, &Threat, &Reach, &Rank)>();
        let mut count = 0;
        let right = all.iter(world).all(|(health, f, c, t, r, k)| {
            count += 1;
            [f.0, c.0, t.0, r.0, k.0] == naive(health.value())
        });
        right && count == self.all.len()
    }
}

/// All five values, from nothing but the source.
pub(crate) fn naive(health: u32) -> [u32; 5] {
    let f = fitness(health);
    let (c, t) = (courage(f), threat(courage(f)));
    [f, c, t, reach(t), rank(reach(t))]
}

/// Whom an entity measures itself with.
#[derive(Component, Clone, Copy, PartialEq)]
pub(crate) struct Target(pub(crate) Entity);
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Advantage(pub(crate) u32);

/// One derived component that reads another entity.
pub(crate) struct Looked {
    app: App,
    all: Vec<Entity>,
}

impl Looked {
    pub(crate) fn new(entities: usize) -> Self {
        let mut app = App::new();
        app.add_plugins(CogPlugin::default()).add_derived(
            |health: Input<Health>, target: Input<Target>, healths: Lookup<Health>| {
                let other = healths.get(target.0).map_or(0, |other| other.0);
                Advantage(health.0.wrapping_sub(other))
            },
        );
        let all = spawn(app.world_mut(), entities, Health);
        aim(app.world_mut(), &all);
        Self { app, all }
    }
}

/// Gives each entity the one after it as its target.
pub(crate) fn aim(world: &mut World, all: &[Entity]) {
    let targets = all.iter().cycle().skip(1);
    world.insert_batch(
        all.iter()
            .zip(targets)
            .map(|(entity, target)| (*entity, Target(*target))),
    );
}

/// Writes in place, as a system does.
fn set(app: &mut App, whom: Entity, health: u32) {
    let mut there = app.world_mut().get_mut::<Health>(whom).expect("it lives");
    there.0 = health;
}

/// Whether every advantage is what the two healths say.
pub(crate) fn advantages_are_right(world: &mut World) -> bool {
    let mut all = world.query::<(&Health, &Target, &Advantage)>();
    all.iter(world).all(|(health, target, advantage)| {
        let other = world.get::<Health>(target.0).map_or(0, |other| other.0);
        advantage.0 == health.0.wrapping_sub(other)
    })
}

impl Crowd for Looked {
    fn hurt(&mut self, whom: usize, health: u32) {
        set(&mut self.app, self.all[whom], health);
    }

    fn frame(&mut self) {
        self.app.world_mut().run_schedule(CogLoop);
    }

    fn counts(&self) -> Option<Counts> {
        Some(counts(&self.app))
    }

    fn is_right(&mut self) -> bool {
        advantages_are_right(self.app.world_mut())
    }
}

/// What all rows read.
#[derive(Resource, Clone, Copy, PartialEq)]
pub(crate) struct Difficulty(pub(crate) u32);
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Danger(pub(crate) u32);

/// One derived component that reads a resource, which moves in every frame that has a change.
pub(crate) struct Scaled {
    app: App,
    all: Vec<Entity>,
}

impl Scaled {
    pub(crate) fn new(entities: usize) -> Self {
        let mut app = App::new();
        app.add_plugins(CogPlugin::default())
            .insert_resource(Difficulty(1))
            .add_derived(|health: Input<Health>, difficulty: InputRes<Difficulty>| {
                Danger(health.0.wrapping_mul(difficulty.0))
            });
        let all = spawn(app.world_mut(), entities, Health);
        Self { app, all }
    }
}

/// Whether every danger is what its health and the difficulty say.
pub(crate) fn dangers_are_right(world: &mut World) -> bool {
    let difficulty = world.resource::<Difficulty>().0;
    let mut all = world.query::<(&Health, &Danger)>();
    all.iter(world)
        .all(|(health, danger)| danger.0 == health.0.wrapping_mul(difficulty))
}

impl Crowd for Scaled {
    fn hurt(&mut self, whom: usize, health: u32) {
        set(&mut self.app, self.all[whom], health);
        self.app.world_mut().resource_mut::<Difficulty>().0 = health | 1;
    }

    fn frame(&mut self) {
        self.app.world_mut().run_schedule(CogLoop);
    }

    fn counts(&self) -> Option<Counts> {
        Some(counts(&self.app))
    }

    fn is_right(&mut self) -> bool {
        dangers_are_right(self.app.world_mut())
    }
}

/// The sum of all healths.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Total(pub(crate) u64);

/// One resource that follows from all entities.
pub(crate) struct Totalled {
    app: App,
    all: Vec<Entity>,
}

impl Totalled {
    pub(crate) fn new(entities: usize) -> Self {
        let mut app = App::new();
        app.add_plugins(CogPlugin::default()).add_fold(
            |healths: Over<'_, Entity, Health>| healths.sum_by(|_, health| u64::from(health.0)),
            |sum| Total(*sum),
        );
        let all = spawn(app.world_mut(), entities, Health);
        Self { app, all }
    }
}

/// Whether the total is what all healths come to.
pub(crate) fn total_is_right(world: &mut World) -> bool {
    let mut all = world.query::<&Health>();
    let sum = all.iter(world).map(|health| u64::from(health.0)).sum();
    world.resource::<Total>().0 == sum
}

impl Crowd for Totalled {
    fn hurt(&mut self, whom: usize, health: u32) {
        set(&mut self.app, self.all[whom], health);
    }

    fn frame(&mut self) {
        self.app.world_mut().run_schedule(CogLoop);
    }

    fn counts(&self) -> Option<Counts> {
        Some(counts(&self.app))
    }

    fn is_right(&mut self) -> bool {
        total_is_right(self.app.world_mut())
    }
}

fn counts(app: &App) -> Counts {
    let counts = app.world().resource::<Cogs>().counts();
    Counts {
        reached: counts.reached,
        run: counts.run,
        published: counts.published,
    }
}

/// Entities with a health of their own.
pub(crate) fn spawn<S: Component>(
    world: &mut World,
    entities: usize,
    make: fn(u32) -> S,
) -> Vec<Entity> {
    let healths = (0..).map(make).take(entities);
    world.spawn_batch(healths).collect()
}
