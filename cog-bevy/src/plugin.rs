//! Puts the rooms together.
//!
//! Takes: an `App`. Leaves: its cogs, and the place in the frame where they turn.
//! Never: a system of its own.

use bevy_app::{App, MainScheduleOrder, Plugin, PostUpdate};
use bevy_ecs::schedule::{
    InternedScheduleLabel, IntoScheduleConfigs, Schedule, ScheduleLabel, SingleThreadedExecutor,
};

use crate::cogs::Cogs;
use crate::frame::{install, run_turns};
use crate::sets::CogLoop;

/// Adds cogs to an app.
///
/// By default derived values are settled before `PostUpdate`, so that layout, transforms and
/// rendering see them in the same frame.
///
/// # Panics
///
/// If it is added twice.
///
/// # Examples
///
/// ```
/// use bevy_app::{App, FixedPostUpdate};
/// use cog_bevy::CogPlugin;
///
/// App::new().add_plugins(CogPlugin::default());
/// App::new().add_plugins(CogPlugin { turns_max: 100, ..CogPlugin::in_schedule(FixedPostUpdate) });
/// ```
#[derive(Clone, Debug)]
pub struct CogPlugin {
    /// The schedule in which the cogs turn; `None` is a schedule of their own before `PostUpdate`.
    ///
    /// In a given schedule, order your systems against [`CogLoop`].
    pub schedule: Option<InternedScheduleLabel>,
    /// The most turns of one frame. A chain of reactions that is longer ends with a panic instead
    /// of a frozen frame.
    pub turns_max: u32,
}

impl CogPlugin {
    /// Cogs that turn in the schedule `label`, such as `FixedPostUpdate`.
    ///
    /// # Examples
    ///
    /// See [`CogPlugin`].
    #[must_use]
    pub fn in_schedule(label: impl ScheduleLabel) -> Self {
        Self {
            schedule: Some(label.intern()),
            ..Self::default()
        }
    }
}

impl Default for CogPlugin {
    fn default() -> Self {
        Self {
            schedule: None,
            turns_max: 100_000,
        }
    }
}

impl Plugin for CogPlugin {
    fn build(&self, app: &mut App) {
        assert!(
            !app.world().contains_resource::<Cogs>(),
            "CogPlugin was added twice: one app has one set of cogs. A plugin that needs them can \
             ask `app.is_plugin_added::<CogPlugin>()` first",
        );
        install(app.world_mut(), self.turns_max);
        if let Some(label) = self.schedule {
            app.add_systems(label, run_turns.in_set(CogLoop));
        } else {
            let mut schedule = Schedule::new(CogLoop);
            schedule.set_executor(SingleThreadedExecutor::new());
            schedule.add_systems(run_turns);
            app.add_schedule(schedule);
            let mut order = app.world_mut().get_resource_or_init::<MainScheduleOrder>();
            order.insert_before(PostUpdate, CogLoop);
        }
    }

    // Bevy's own check would come first, and its message says less.
    fn is_unique(&self) -> bool {
        false
    }
}
