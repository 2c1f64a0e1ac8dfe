//! Derived values are the plugin's: what others write to them is put right, and they are told.

mod common;

use bevy_app::App;
use bevy_ecs::component::Component;
#[cfg(debug_assertions)]
use bevy_ecs::component::Mutable;
use bevy_ecs::resource::Resource;
#[cfg(debug_assertions)]
use bevy_ecs::system::ResMut;
#[cfg(all(debug_assertions, feature = "track_location"))]
use bevy_ecs::system::{Commands, RunSystemOnce};
use cog_bevy::{CogAppExt, Input, InputRes};
#[cfg(debug_assertions)]
use cog_bevy::{CogWorldExt, Moved};

#[cfg(debug_assertions)]
use common::{Alarm, Armor, Log, take_log};
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

/// An app that derives a `C` of each health and logs its moves.
#[cfg(debug_assertions)]
fn told_app<C>(make: fn(i32) -> C, show: fn(&C) -> i32) -> App
where
    C: Component<Mutability = Mutable> + Clone + PartialEq,
{
    listen();
    let mut app = app();
    app.add_derived(move |health: Input<Health>| make(health.0))
        .add_reaction(move |moved: Moved<C>, mut log: ResMut<Log>| {
            let (old, new) = (moved.old.map(show), moved.new.map(show));
            log.0.push(format!("{old:?} -> {new:?}"));
        });
    app
}

#[cfg(debug_assertions)]
#[test]
fn what_is_put_right_is_no_news_however_often_it_was_written_in_a_frame() {
    #[derive(Component, Clone, Copy, PartialEq, Debug)]
    struct Restored(i32);

    let mut app = told_app(Restored, |restored| restored.0);
    let [orc, elf] = [1, 2].map(|health| app.world_mut().spawn(Health(health)).id());
    app.update();
    assert_eq!(take_log(&mut app).len(), 2);
    for frames in 1..=3 {
        let world = app.world_mut();
        for foreign in [77, 78] {
            world.entity_mut(orc).insert(Restored(foreign));
            world.entity_mut(elf).remove::<Restored>();
            world.entity_mut(elf).insert(Restored(foreign));
        }
        world.entity_mut(elf).remove::<Restored>();
        app.update();
        assert_eq!(value(&app, orc), Some(Restored(1)), "{frames}");
        assert_eq!(value(&app, elf), Some(Restored(2)), "{frames}");
        let warned = warnings("Restored");
        let count = |what: &str| warned.iter().filter(|said| said.contains(what)).count();
        assert_eq!(count(&format!("{orc} was written")), 1, "{warned:?}");
        assert!(1 <= count(&format!("{elf} was removed")), "{warned:?}");
        assert_eq!(take_log(&mut app), Vec::<String>::new(), "{frames}");
    }
    app.update();
    assert_eq!(
        (warnings("Restored").len(), take_log(&mut app).len()),
        (0, 0)
    );
}

#[cfg(debug_assertions)]
#[test]
fn a_foreign_insert_on_an_entity_without_inputs_is_taken_off_in_every_turn_and_nobody_is_told() {
    #[derive(Component, Clone, Copy, PartialEq, Debug)]
    struct Planted(i32);

    let mut app = told_app(Planted, |planted| planted.0);
    app.add_derived(|armor: Input<Armor>| Alarm(armor.0 > 0));
    app.world_mut().spawn(Health(1));
    app.update();
    assert_eq!(take_log(&mut app), ["None -> Some(1)"]);
    // One without inputs of any function, and one with those of another.
    let stone = app.world_mut().spawn_empty().id();
    let rock = app.world_mut().spawn(Armor(1)).id();
    app.update();
    for turns in 1..=2 {
        for entity in [stone, rock] {
            // Twice in one frame, and in two turns of a frame.
            app.world_mut().entity_mut(entity).insert(Planted(9));
            app.world_mut().entity_mut(entity).insert(Planted(10));
            app.world_mut().settle_cogs();
            assert_eq!(value::<Planted>(&app, entity), None, "{turns}");
            let warned = warnings("Planted");
            assert_eq!(warned.len(), 1, "{warned:?}");
        }
    }
    assert_eq!(value(&app, rock), Some(Alarm(true)));
    // One that its entity brought along goes without a word.
    let brought = app.world_mut().spawn(Planted(11)).id();
    app.update();
    assert_eq!(value::<Planted>(&app, brought), None);
    assert_eq!(warnings("Planted").len(), 0);
    assert_eq!(take_log(&mut app), Vec::<String>::new());

    // From now on it has a value of its own, as any other entity.
    app.world_mut()
        .entity_mut(stone)
        .insert((Health(4), Planted(12)));
    app.update();
    assert_eq!(value(&app, stone), Some(Planted(4)));
    assert_eq!(take_log(&mut app), ["None -> Some(4)"]);
}

#[cfg(debug_assertions)]
#[test]
fn a_foreign_write_in_the_frame_of_the_despawn_is_not_what_went() {
    #[derive(Component, Clone, Copy, PartialEq, Debug)]
    struct Doomed(i32);

    let mut app = told_app(Doomed, |doomed| doomed.0);
    let all = [1, 2, 3].map(|health| app.world_mut().spawn(Health(health)).id());
    app.update();
    take_log(&mut app);
    let world = app.world_mut();
    world.get_mut::<Doomed>(all[0]).expect("it is shown").0 = 77;
    world.entity_mut(all[1]).remove::<Doomed>();
    world
        .entity_mut(all[2])
        .insert(Doomed(79))
        .insert(Health(9));
    for entity in all {
        world.despawn(entity);
    }
    app.update();
    let mut said = take_log(&mut app);
    said.sort();
    assert_eq!(
        said,
        ["Some(1) -> None", "Some(2) -> None", "Some(3) -> None"]
    );
    app.update();
    assert_eq!(take_log(&mut app), Vec::<String>::new());
    assert_eq!(
        warnings("Doomed"),
        Vec::<String>::new(),
        "nothing is left to put right"
    );
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
