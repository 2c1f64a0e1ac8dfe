//! The arena behind the components: cogs of its own, and turns that systems queue.

mod common;

use std::sync::{Arc, Mutex};

use bevy_app::Update;
use cog_bevy::{CogWriter, Cogs};

use common::app;

#[test]
fn turns_queued_by_a_writer_are_turns_of_their_own_first_in_first_out() {
    let mut app = app();
    let source = app.world_mut().resource_mut::<Cogs>().arena_mut().source(0);
    let heard = Arc::new(Mutex::new(Vec::new()));
    let list = heard.clone();
    app.world_mut()
        .resource_mut::<Cogs>()
        .arena_mut()
        .react(move |r, _| {
            list.lock().expect("nobody panics").push(*r.get(source));
        });
    app.add_systems(Update, move |mut writer: CogWriter| {
        writer.turn(move |w| w.set(source, 1));
        writer.turn(move |w| w.set(source, 2));
    });
    app.update();
    assert_eq!(*heard.lock().expect("nobody panics"), [0, 1, 2]);
    assert_eq!(app.world().resource::<Cogs>().arena().queued(), 0);
}
