//! The names of a frame's steps: two schedules, six sets, and the rule that orders a set.
//!
//! Takes: nothing. Leaves: labels to order against. Never: runs anything.

use bevy_ecs::schedule::graph::DiGraph;
use bevy_ecs::schedule::{
    FlattenedDependencies, InternedSystemSet, IntoScheduleConfigs, NodeId, ScheduleBuildError,
    ScheduleBuildPass, ScheduleConfigs, ScheduleGraph, ScheduleLabel, SystemKey, SystemSet,
    SystemSetKey,
};
use bevy_ecs::world::World;
use bevy_platform::hash::FixedHasher;
use indexmap::IndexSet;

/// The place of the cogs in the frame: it runs [`CogFrame`] until no turn is queued.
///
/// By default it is a schedule of its own, before `PostUpdate`. Where the plugin was told to use
/// another schedule, it is the system set of the one system that does the same there, so that
/// others can order against it.
///
/// # Examples
///
/// ```
/// use bevy_app::{App, MainScheduleOrder, Update};
/// use bevy_ecs::schedule::ScheduleLabel;
/// use cog_bevy::{CogLoop, CogPlugin};
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default());
/// let order = app.world().resource::<MainScheduleOrder>();
/// let at = |label: &dyn ScheduleLabel| order.labels.iter().position(|l| (**l).eq(label));
/// assert!(at(&Update) < at(&CogLoop));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ScheduleLabel, SystemSet)]
pub struct CogLoop;

/// The schedule of one turn. It holds the six sets of [`CogSystems`], chained.
///
/// It runs on one thread (waking others costs more than most turns), and an ambiguity in it is an
/// error. It runs at least once a frame, and again for every turn that a reaction caused.
///
/// # Examples
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use cog_bevy::{CogFrame, CogPlugin, CogSystems};
///
/// #[derive(Resource, Default)]
/// struct Turns(u32);
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default()).init_resource::<Turns>();
/// let count = |mut turns: ResMut<Turns>| turns.0 += 1;
/// app.add_systems(CogFrame, count.in_set(CogSystems::React));
/// app.update();
/// assert_eq!(app.world().resource::<Turns>().0, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ScheduleLabel)]
pub struct CogFrame;

/// The steps of a turn, in this order, as sets of [`CogFrame`].
///
/// The plugin's own work comes first in each set; systems placed in a set run right after it, once
/// per turn, and their commands are applied before the next set. What they write to sources after `Collect` is settled
/// by one more turn of the same frame; what they write in that one, by the next frame's. `Receive` and `Collect` also
/// run in a last pass that finds nothing to do, after reactions have run, components came or went, or systems of yours
/// are in the sets; the other four don't.
///
/// A run condition on a set holds back the systems that you put there, never the plugin's own work.
///
/// # Examples
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use cog_bevy::{CogAppExt, CogFrame, CogPlugin, CogSystems, Input};
///
/// #[derive(Component, Clone, PartialEq)]
/// struct Health(f32);
/// #[derive(Component, Clone, PartialEq)]
/// struct Threat(f32);
/// #[derive(Resource, Default)]
/// struct Loudest(f32);
///
/// fn loudest(threats: Query<&Threat>, mut loudest: ResMut<Loudest>) {
///     loudest.0 = threats.iter().map(|t| t.0).fold(0.0, f32::max);
/// }
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default())
///     .init_resource::<Loudest>()
///     .add_derived(|health: Input<Health>| Threat(health.0 * 2.0))
///     .add_systems(CogFrame, loudest.in_set(CogSystems::Publish));
/// app.world_mut().spawn(Health(3.0));
/// app.update();
/// assert_eq!(app.world().resource::<Loudest>().0, 6.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, SystemSet)]
pub enum CogSystems {
    /// Opens the turn; lets go of rows whose entity is gone.
    Receive,
    /// Finds the sources that were written, and stages their values.
    Collect,
    /// Recomputes what the staged values really change.
    Settle,
    /// Writes moved values to components and resources.
    Publish,
    /// Runs reactions, in registration order.
    React,
    /// Ends the turn.
    Release,
}

impl CogSystems {
    /// All six, in the order in which they run.
    pub(crate) const ORDER: [Self; 6] = [
        Self::Receive,
        Self::Collect,
        Self::Settle,
        Self::Publish,
        Self::React,
        Self::Release,
    ];
}

/// The plugin's own system of a step, inside that step's set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, SystemSet)]
pub(crate) struct OwnStep(pub(crate) CogSystems);

/// The six sets as one chain.
pub(crate) fn chained() -> ScheduleConfigs<InternedSystemSet> {
    let [receive, collect, settle, publish, react, release] = CogSystems::ORDER;
    (receive, collect, settle, publish, react, release).chain()
}

/// Puts the plugin's own system before every other system of its set.
///
/// An exclusive system conflicts with everything, so without this order each system that a user
/// places in a set would be an ambiguity, and each user would have to know the name of ours.
#[derive(Debug, Default)]
pub(crate) struct OwnStepsFirst {
    members: Vec<(SystemSetKey, Vec<SystemKey>)>,
}

impl OwnStepsFirst {
    fn members(&self, graph: &ScheduleGraph, set: impl SystemSet) -> Vec<SystemKey> {
        let key = graph.system_sets.get_key(set.intern());
        let group = self.members.iter().find(|(set, _)| Some(*set) == key);
        group.map_or_else(Vec::new, |(_, systems)| systems.clone())
    }
}

impl ScheduleBuildPass for OwnStepsFirst {
    type EdgeOptions = ();

    fn add_dependency(&mut self, _: NodeId, _: NodeId, _: Option<&()>) {}

    fn collapse_set(
        &mut self,
        set: SystemSetKey,
        systems: &IndexSet<SystemKey, FixedHasher>,
        _: &DiGraph<NodeId>,
    ) -> impl Iterator<Item = (NodeId, NodeId)> {
        self.members.retain(|(known, _)| *known != set);
        self.members.push((set, systems.iter().copied().collect()));
        std::iter::empty()
    }

    fn build(
        &mut self,
        _: &mut World,
        graph: &mut ScheduleGraph,
        mut order: FlattenedDependencies<'_>,
    ) -> Result<(), ScheduleBuildError> {
        for step in CogSystems::ORDER {
            let own = self.members(graph, OwnStep(step));
            for system in self.members(graph, step) {
                for first in own.iter().filter(|first| **first != system) {
                    order.add_edge(*first, system);
                }
            }
        }
        self.members.clear();
        Ok(())
    }
}
