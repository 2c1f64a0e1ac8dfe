//! Derived values are the plugin's: what others write to them is put right, and they are told.

mod common;

use bevy_app::App;
use bevy_ecs::component::Component;
use bevy_ecs::resource::Resource;
#[cfg(all(debug_assertions, feature = "track_location"))]
use bevy_ecs::system::{Commands, RunSystemOnce};
use cog_bevy::{CogAppExt, Input, InputRes};

use common::{Health, Level, app, app_that_sees, listen, seen, set, value, warnings};

#[test]
fn a_component_that_its_entity_already_brought_is_overwritten_in_place_without_a_word() {
    #[derive(Component, Clone, PartialEq, Debug, Default)]
    struct Brought(i32);
    #[derive(Component, Clone, PartialEq)]
    #[require(Brought)]
    struct Bringer(i32);

    listen();
    let mut app = app_that_sees::<Brought>();
    app.add_derived(|bringer: Input<Bringer>| Brought(bringer.0));
    let archetypes = |app: &App| app.world().archetypes().len();
    let orc = app.world_mut().spawn(Bringer(5)).id();
    app.update();
    assert_eq!(value(&app, orc), Some(Brought(5)));
    let before = archetypes(&app);
    app.world_mut().spawn(Bringer(0));
    app.update();
    assert_eq!(archetypes(&app), before, "no move to another table");
    app.update();
    assert_eq!(seen(&app), []);
    assert_eq!(warnings("Brought"), Vec::<String>::new());
}

#[cfg(debug_assertions)]
#[test]
fn a_foreign_write_is_put_right_and_warned_about() {
    #[derive(Component, Clone, PartialEq, Debug)]
    struct Guarded(i32);

    listen();
    let mut app = app();
    app.add_derived(|health: Input<Health>| Guarded(health.0));
    let [orc, elf, stone] = [1, 2, 3].map(|i| app.world_mut().spawn(Health(i)).id());
    app.world_mut().entity_mut(stone).remove::<Health>();
    app.update();
    assert_eq!(warnings("Guarded").len(), 0);

    app.world_mut()
        .get_mut::<Guarded>(orc)
        .expect("it is published")
        .0 = 77; // a write
    app.world_mut().entity_mut(elf).remove::<Guarded>(); // a removal
    app.world_mut().entity_mut(stone).insert(Guarded(9)); // where there is no value
    app.update();
    assert_eq!(value(&app, orc), Some(Guarded(1)));
    assert_eq!(value(&app, elf), Some(Guarded(2)));
    assert_eq!(value::<Guarded>(&app, stone), None);
    let warned = warnings("Guarded");
    assert_eq!(warned.len(), 3, "{warned:?}");
    assert!(
        warned.iter().all(|warning| warning.contains("is derived")),
        "{warned:?}"
    );

    // A write in the frame in which the value moves anyway.
    app.world_mut()
        .get_mut::<Guarded>(orc)
        .expect("it is published")
        .0 = 78;
    set(&mut app, orc, 5);
    app.update();
    assert_eq!(
        (value(&app, orc), warnings("Guarded").len()),
        (Some(Guarded(5)), 1)
    );
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(warnings("Guarded").len(), 0, "our own writes are nobody's");
}

#[cfg(debug_assertions)]
#[test]
fn a_foreign_write_to_a_derived_resource_is_put_right_and_warned_about() {
    #[derive(Resource, Clone, PartialEq, Debug)]
    struct Sealed(i32);

    listen();
    let mut app = app();
    app.insert_resource(Level(3))
        .add_derived_resource(|level: InputRes<Level>| Sealed(level.0));
    app.update();
    app.world_mut().resource_mut::<Sealed>().0 = 8;
    app.update();
    assert_eq!(
        (app.world().resource::<Sealed>(), warnings("Sealed").len()),
        (&Sealed(3), 1)
    );
    app.world_mut().remove_resource::<Sealed>();
    app.update();
    assert_eq!(
        (app.world().resource::<Sealed>(), warnings("Sealed").len()),
        (&Sealed(3), 1)
    );
    app.update();
    assert_eq!(warnings("Sealed").len(), 0);
}

/// Where something is done, as a warning would name it.
#[cfg(all(debug_assertions, feature = "track_location"))]
fn place(line: u32) -> String {
    format!(" at {}:{line}:", file!())
}

#[cfg(all(debug_assertions, feature = "track_location"))]
#[test]
fn the_warning_names_the_place_of_a_foreign_write() {
    #[derive(Component, Clone, PartialEq, Debug)]
    struct Placed(i32);
    #[derive(Resource, Clone, PartialEq, Debug)]
    struct Settled(i32);

    listen();
    let mut app = app();
    app.insert_resource(Level(3))
        .add_derived(|health: Input<Health>| Placed(health.0))
        .add_derived_resource(|level: InputRes<Level>| Settled(level.0));
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    let told = |app: &mut App, name: &str, line: u32| {
        app.update();
        let warned = warnings(name);
        assert!(
            warned.len() == 1 && warned[0].contains(&place(line)),
            "{warned:?} should name {}",
            place(line)
        );
    };

    let mut there = app.world_mut().get_mut::<Placed>(orc).expect("it is shown");
    let written = line!() + 1;
    *there = Placed(77);
    told(&mut app, "Placed", written);

    let inserted = line!() + 1;
    app.world_mut().entity_mut(orc).insert(Placed(78));
    told(&mut app, "Placed", inserted);

    let removed = line!() + 1;
    app.world_mut().entity_mut(orc).remove::<Placed>();
    told(&mut app, "Placed", removed);

    let commanded = line!() + 2;
    let meddle = move |mut commands: Commands| {
        commands.entity(orc).insert(Placed(79));
    };
    app.world_mut().run_system_once(meddle).expect("it runs");
    told(&mut app, "Placed", commanded);

    let mut there = app.world_mut().resource_mut::<Settled>();
    let written = line!() + 1;
    *there = Settled(8);
    told(&mut app, "Settled", written);

    app.update();
    assert_eq!(value(&app, orc), Some(Placed(1)));
    assert_eq!(app.world().resource::<Settled>(), &Settled(3));
}
