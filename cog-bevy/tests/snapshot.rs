//! Snapshots of the arena's own cogs in an app: entities in keys and values are mapped, or nothing changes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy_app::{App, Update};
use bevy_ecs::component::Component;
use bevy_ecs::entity::{Entity, EntityHashMap, EntityMapper, MapEntities};
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::{Res, ResMut};
use cog_bevy::arena::{First, KeySpace, LoadedSnapshot, RestoreError, Source, SourceFamily};
use cog_bevy::{CogAppExt, CogFrame, CogPlugin, CogSystems, CogWriter, Cogs, Input};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, MapEntities, Serialize, Deserialize)]
struct Duel {
    #[entities]
    first: Entity,
    #[entities]
    second: Entity,
    rounds: u8,
}

/// Saved cogs with entities wherever there can be some.
#[derive(Resource, Clone, Copy)]
struct Saved {
    actors: KeySpace<Entity>,
    grudge: SourceFamily<Entity, u32>,
    target: SourceFamily<Entity, Option<Entity>>,
    leader: Source<Entity>,
    party: Source<Vec<Entity>>,
    duel: Source<Duel>,
    gold: Source<u32>,
}

fn declare(app: &mut App) -> Saved {
    let mut cogs = app.world_mut().resource_mut::<Cogs>();
    cogs.map_entities_in::<Duel>();
    let arena = cogs.arena_mut();
    let actors = arena.cog().name("actors").saved();
    let actors = actors.key_space_indexed(|actor: &Entity| actor.index_u32());
    let saved = Saved {
        actors,
        grudge: arena.cog().name("grudge").saved().member_family(actors),
        target: arena
            .cog()
            .name("target")
            .saved()
            .source_family(actors, |_| None),
        leader: arena.cog().name("leader").saved().absent_source(),
        party: arena.cog().name("party").saved().source(Vec::new()),
        duel: arena.cog().name("duel").saved().absent_source(),
        gold: arena.cog().name("gold").saved().source(0),
    };
    app.insert_resource(saved);
    saved
}

fn app() -> (App, Saved) {
    let mut app = App::new();
    app.add_plugins(CogPlugin::default());
    let saved = declare(&mut app);
    (app, saved)
}

/// An app in which something was saved of two entities, and what.
fn saved_app() -> (App, Saved, [Entity; 2], String) {
    let (mut app, saved) = app();
    let actors = [(); 2].map(|()| app.world_mut().spawn_empty().id());
    let [orc, elf] = actors;
    let mut cogs = app.world_mut().resource_mut::<Cogs>();
    cogs.arena_mut().turn(|w| {
        w.set(saved.grudge.at(orc), 7);
        w.set(saved.target.at(elf), Some(orc));
        w.set(saved.leader, elf);
        w.set(saved.party, vec![orc, elf, orc]);
        w.set(
            saved.duel,
            Duel {
                first: orc,
                second: elf,
                rounds: 3,
            },
        );
        w.set(saved.gold, 50);
    });
    let text = serde_json::to_string(&cogs.snapshot()).expect("it can be written as JSON");
    (app, saved, actors, text)
}

fn restore(app: &mut App, text: &str, mapper: &mut dyn EntityMapper) -> Result<(), RestoreError> {
    let mut cogs = app.world_mut().resource_mut::<Cogs>();
    cogs.restore(&mut serde_json::Deserializer::from_str(text), mapper)
}

#[test]
fn entities_in_keys_and_values_are_mapped_to_those_of_the_world_that_was_loaded() {
    let (_, _, [orc, elf], text) = saved_app();
    let (mut app, saved) = app();
    // Other entities were there before, so that those that were loaded are other ones.
    let stranger = app.world_mut().spawn_empty().id();
    app.world_mut().spawn_batch([(), (), ()]);
    let new = [(); 2].map(|()| app.world_mut().spawn_empty().id());
    assert!(new.iter().all(|entity| ![orc, elf].contains(entity)));
    let mut cogs = app.world_mut().resource_mut::<Cogs>();
    cogs.arena_mut()
        .turn(|w| w.set(saved.grudge.at(stranger), 1));

    let mut mapper = EntityHashMap::from_iter([(orc, new[0]), (elf, new[1])]);
    restore(&mut app, &text, &mut mapper).expect("it fits");
    let [orc, elf] = new;
    let mut cogs = app.world_mut().resource_mut::<Cogs>();
    let arena = cogs.arena_mut();
    assert_eq!(arena.keys(saved.actors).collect::<Vec<_>>(), [&orc, &elf]);
    assert_eq!(arena.lookup(saved.grudge.at(orc)), Some(&7));
    assert_eq!(arena.lookup(saved.grudge.at(stranger)), None);
    assert_eq!(*arena.read(saved.target.at(elf)), Some(orc));
    assert_eq!(*arena.read(saved.leader), elf);
    assert_eq!(*arena.read(saved.party), [orc, elf, orc]);
    let duel = Duel {
        first: orc,
        second: elf,
        rounds: 3,
    };
    assert_eq!(*arena.read(saved.duel), duel);
}

#[test]
fn where_entities_are_the_same_ones_nothing_moves() {
    let (mut app, saved, _, text) = saved_app();
    let mut cogs = app.world_mut().resource_mut::<Cogs>();
    cogs.arena_mut().watch(saved.gold, First::Skip, |_, _, _| {
        unreachable!("it is equal")
    });
    restore(&mut app, &text, &mut ()).expect("it fits");
    assert_eq!(app.world().resource::<Cogs>().arena().counts().written, 0);
}

#[test]
fn a_snapshot_that_does_not_fit_is_named_and_changes_nothing() {
    let (mut app, _, [orc, elf], text) = saved_app();
    let mistyped = text.replace("50", "\"much\"");
    let unknown = text.replace("gold", "silver");
    let both = restore(&mut app, &text, &mut EntityHashMap::from_iter([(elf, orc)]));
    assert!(matches!(both, Err(RestoreError::KeyTwice { cog, .. }) if cog == "actors"));
    let error = restore(&mut app, &mistyped, &mut ()).unwrap_err();
    assert!(matches!(error, RestoreError::Mistyped { cog, .. } if cog == "gold"));
    let error = restore(&mut app, &unknown, &mut ()).unwrap_err();
    assert_eq!(
        error,
        RestoreError::Unknown {
            cog: "silver".to_owned()
        }
    );

    let cogs = app.world().resource::<Cogs>();
    assert_eq!(serde_json::to_string(&cogs.snapshot()).expect("JSON"), text);
}

#[derive(Resource)]
struct Loading(Option<LoadedSnapshot>);

#[test]
fn a_system_restores_in_a_queued_turn() {
    let (mut app, saved, _, text) = saved_app();
    let mut cogs = app.world_mut().resource_mut::<Cogs>();
    cogs.arena_mut().turn(|w| w.set(saved.gold, 1));
    let mut text = serde_json::Deserializer::from_str(&text);
    let loaded = cogs.read_snapshot(&mut text, &mut ()).expect("it fits");
    app.insert_resource(Loading(Some(loaded)));
    app.add_systems(
        Update,
        |mut writer: CogWriter, mut loading: ResMut<Loading>| {
            if let Some(loaded) = loading.0.take() {
                writer.turn(|w| w.restore(loaded));
            }
        },
    );
    app.update();
    let mut cogs = app.world_mut().resource_mut::<Cogs>();
    assert_eq!(*cogs.arena_mut().read(saved.gold), 50);
}

#[test]
fn inside_a_frame_s_turn_it_is_refused() {
    let (mut app, _, _, text) = saved_app();
    app.insert_resource(Text(text));
    #[derive(Resource)]
    struct Text(String);
    let restores = |mut cogs: ResMut<Cogs>, text: Res<Text>| {
        let mut text = serde_json::Deserializer::from_str(&text.0);
        cogs.restore(&mut text, &mut ()).expect("it would fit");
    };
    app.add_systems(CogFrame, restores.in_set(CogSystems::React));
    let refused = catch_unwind(AssertUnwindSafe(|| app.update())).unwrap_err();
    let text = refused.downcast_ref::<String>().expect("a text");
    assert!(text.contains("Idle"), "{text}");
}

#[derive(Component, Clone, PartialEq)]
struct Health(u32);

#[derive(Component, Clone, Debug, PartialEq)]
struct Threat(u32);

#[test]
fn components_are_not_in_it_and_what_is_derived_from_them_stays() {
    let (mut app, saved, _, text) = saved_app();
    app.add_derived(|health: Input<Health>| Threat(health.0 * 2));
    let orc = app.world_mut().spawn(Health(4)).id();
    app.update();
    let cogs = app.world().resource::<Cogs>();
    assert_eq!(serde_json::to_string(&cogs.snapshot()).expect("JSON"), text);

    restore(&mut app, &text, &mut ()).expect("it fits");
    app.update();
    assert_eq!(app.world().get::<Threat>(orc), Some(&Threat(8)));
    let mut cogs = app.world_mut().resource_mut::<Cogs>();
    assert_eq!(*cogs.arena_mut().read(saved.gold), 50);
}
