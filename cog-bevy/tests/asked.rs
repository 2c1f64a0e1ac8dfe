//! That whoever asks for a turn gets one: in the middle of a frame, by a command, or from inside a pass.

mod common;

use bevy_app::{PostUpdate, Update};
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::Commands;
use bevy_ecs::world::World;
use cog_bevy::{CogFrame, CogSystems, CogWorldExt};

use common::{Health, Log, Threat, app_with_threat, take_log};

#[test]
fn settling_in_the_middle_of_a_frame_answers_on_the_next_line_reactions_included() {
    let mut app = app_with_threat();
    app.add_systems(Update, |world: &mut World| {
        let orc = world.spawn(Health(5)).id();
        world.settle_cogs();
        assert_eq!(world.get::<Threat>(orc), Some(&Threat(10)));
        assert_eq!(world.resource::<Log>().0, ["t - -> 10"]);
        world.entity_mut(orc).insert(Health(6));
    });
    app.update();
    assert_eq!(take_log(&mut app), ["t - -> 10", "t 10 -> 12"]);
}

#[test]
fn commands_may_ask_for_a_turn() {
    let mut app = app_with_threat();
    app.add_systems(PostUpdate, |mut commands: Commands| {
        commands.spawn(Health(1));
        commands.queue(|world: &mut World| world.settle_cogs());
    });
    app.update();
    assert_eq!(take_log(&mut app), ["t - -> 2"]);
}

#[test]
fn a_system_in_a_set_that_asks_for_a_turn_gets_it_even_where_the_pass_found_nothing() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    take_log(&mut app);
    let mut runs = 0;
    let writer = move |world: &mut World| {
        runs += 1;
        // The last run of a frame that is otherwise idle: the plugin has just looked, and found nothing.
        if runs == 2 {
            world.entity_mut(orc).insert(Health(9));
        }
        world.settle_cogs(); // always: a frame must come to an end all the same
    };
    app.add_systems(CogFrame, writer.in_set(CogSystems::Collect));
    app.update();
    assert_eq!(take_log(&mut app), ["t 2 -> 18"]);
    app.update();
    assert!(take_log(&mut app).is_empty());
}
