//! The smallest app, headless: a counter, and a component that always says whether it is even.
//!
//! You will see the answer of sixty frames checked, and how often the function ran for them. There
//! are no keys to press.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use bevy_app::{App, Update};
use bevy_ecs::component::Component;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, ResMut};
use cog_bevy::{CogAppExt, CogPlugin, Input, Moved};

fn main() {
    let mut app = App::new();
    app.add_plugins(CogPlugin::default())
        .init_resource::<Moves>()
        .add_derived(parity)
        .add_reaction(count_moves)
        .add_systems(Update, count_to_ten);
    let counter = app.world_mut().spawn(Count(0)).id();

    for _ in 0..60 {
        app.update();
    }

    assert_eq!(app.world().get::<Count>(counter), Some(&Count(10)));
    assert_eq!(app.world().get::<IsEven>(counter), Some(&IsEven(true)));
    // The first value, and one for each number up to ten. Then nothing moved any more.
    assert_eq!(app.world().resource::<Moves>().0, 10);
    println!(
        "ten is even; {} moves in 60 frames",
        app.world().resource::<Moves>().0
    );
}

/// A source: whatever a function reads and no function derives.
#[derive(Component, Clone, PartialEq, Debug)]
struct Count(u32);

/// Derived: every entity with a `Count` has one, right after the `Update` schedule.
#[derive(Component, Clone, PartialEq, Debug)]
struct IsEven(bool);

#[derive(Resource, Default)]
struct Moves(u32);

fn parity(count: Input<Count>) -> IsEven {
    IsEven(count.0.is_multiple_of(2))
}

fn count_moves(_: Moved<IsEven>, mut moves: ResMut<Moves>) {
    moves.0 += 1;
}

/// Writes every frame, though after ten frames it is always the same number.
fn count_to_ten(mut counts: Query<&mut Count>) {
    for mut count in &mut counts {
        count.0 = (count.0 + 1).min(10);
    }
}
