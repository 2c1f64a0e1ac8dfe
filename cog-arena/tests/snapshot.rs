//! Snapshots: what saved sources hold is written down, and taken back by name, in one turn or not at all.

mod common;

use std::collections::BTreeMap;

use cog_arena::{Arena, First, LoadedSnapshot, RestoreError, Step};
use common::{Checked, Log, arena, assert_says, panic_of};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Quest {
    Open { steps: Vec<u8> },
    Done(String),
}

fn json(arena: &Arena) -> String {
    serde_json::to_string(&arena.snapshot()).expect("everything saved can be written as JSON")
}

/// Restores JSON, and checks the arena.
#[track_caller]
fn restore(arena: &mut Checked, text: &str) -> Result<(), RestoreError> {
    let result = arena.restore(&mut serde_json::Deserializer::from_str(text));
    arena.check();
    result
}

fn read(arena: &Arena, text: &str) -> Result<LoadedSnapshot, RestoreError> {
    arena.read_snapshot(&mut serde_json::Deserializer::from_str(text))
}

#[test]
fn saved_sources_are_found_by_name_whatever_the_order_of_declaration() {
    let mut game = arena();
    let gold = game.cog().name("gold").saved().source(10_u32);
    let quest = game
        .cog()
        .saved()
        .name("quest")
        .source(Quest::Done("rats".to_owned()));
    let steps = vec![1, 2];
    game.turn(|w| {
        w.set(gold, 99);
        w.set(quest, Quest::Open { steps });
    });
    let text = json(&game);
    let bytes = postcard::to_allocvec(&game.snapshot()).expect("and as bytes");

    let mut later = arena();
    let quest = later
        .cog()
        .name("quest")
        .saved()
        .source(Quest::Done(String::new()));
    let gold = later.cog().name("gold").saved().source(0_u32);
    restore(&mut later, &text).expect("it fits");
    assert_eq!(*later.read(gold), 99);
    assert_eq!(*later.read(quest), Quest::Open { steps: vec![1, 2] });

    later.turn(|w| w.set(gold, 0));
    let mut bytes = postcard::Deserializer::from_bytes(&bytes);
    later
        .restore(&mut bytes)
        .expect("bytes that don't describe themselves fit as well");
    assert_eq!(*later.read(gold), 99);
}

#[test]
fn entries_stand_in_the_order_of_declaration_and_rows_in_the_order_of_their_numbers() {
    let mut game = arena();
    let units = game.cog().name("units").saved().key_space::<String>();
    let health = game
        .cog()
        .name("health")
        .saved()
        .member_family::<String, u8>(units);
    let _zeal = game.cog().name("a zeal").saved().source(true);
    for unit in ["orc", "elf", "ant"] {
        game.turn(|w| w.set(health.at(unit.to_owned()), 7));
    }
    game.turn(|w| w.remove(health.at("elf".to_owned())));

    let text = r#"{"units":["orc","elf","ant"],"health":[["orc",7],["ant",7]],"a zeal":true}"#;
    assert_eq!(json(&game), text);
    assert_eq!(json(&game), text, "and again");
}

#[test]
fn a_snapshot_is_restored_in_one_turn_and_what_follows_runs_once() {
    let mut game = arena();
    let gold = game.cog().name("gold").saved().source(1);
    let gems = game.cog().name("gems").saved().source(1);
    let wealth = game.derived(move |r| r.get(gold) + 10 * r.get(gems));
    let seen = Log::default();
    let note = seen.clone();
    game.watch(wealth, First::Skip, move |old, new, _| {
        note.note(format!("{old:?} {new}"));
    });
    let turns = game.counts().revision;

    restore(&mut game, r#"{ "gems": 5, "gold": 3 }"#).expect("it fits");
    assert_eq!(seen.take(), ["Some(11) 53"]);
    assert_eq!(game.counts().revision, turns + 1);
    assert_eq!(game.counts().written, 2);
}

#[test]
fn restoring_what_is_there_already_moves_nothing() {
    let mut game = arena();
    let units = game.cog().name("units").saved().key_space::<u8>();
    let health = game
        .cog()
        .name("health")
        .saved()
        .source_family(units, |_| 5);
    let armor = game
        .cog()
        .name("armor")
        .saved()
        .member_family::<u8, i32>(units);
    let gold = game.cog().name("gold").saved().source(1);
    game.turn(|w| {
        w.set(health.at(1), 4);
        w.set(armor.at(2), 4);
    });
    let slot = game.slot(units, &1).expect("it is a member");
    let sum = game.derived(move |r| r.get(health.at(1)) + r.get(armor.at(2)) + r.get(gold));
    game.react(move |r, _| {
        r.get(sum);
    });

    let text = json(&game);
    restore(&mut game, &text).expect("it fits");
    assert_eq!((game.counts().written, game.counts().run), (0, 0));
    assert_eq!(game.key(slot), Some(&1), "a key that stays keeps its slot");
}

#[test]
fn what_is_not_saved_keeps_what_it_holds() {
    let mut game = arena();
    let gold = game.cog().name("gold").saved().source(1);
    let volume = game.cog().name("volume").source(7);
    let poor = game.derived(move |r| *r.get(gold) < 5);
    let text = json(&game);
    assert_eq!(text, r#"{"gold":1}"#);

    game.turn(|w| {
        w.set(gold, 50);
        w.set(volume, 2);
    });
    restore(&mut game, &text).expect("it fits");
    assert_eq!(
        (*game.read(gold), *game.read(volume), *game.read(poor)),
        (1, 2, true)
    );
}

#[test]
fn a_source_that_holds_nothing_holds_nothing_again_whatever_its_type() {
    let mut game = arena();
    let target = game
        .cog()
        .name("target")
        .saved()
        .absent_source::<Option<u8>>();
    let alarm = game.cog().name("alarm").saved().absent_source::<()>();
    assert_eq!(json(&game), r#"{"target":[],"alarm":[]}"#);
    let nothing = json(&game);
    game.turn(|w| {
        w.set(target, None);
        w.set(alarm, ());
    });
    let something = json(&game);
    assert_eq!(something, r#"{"target":[null],"alarm":[null]}"#);

    restore(&mut game, &nothing).expect("it fits");
    assert_eq!(game.lookup(target), None);
    assert_eq!(game.lookup(alarm), None);
    restore(&mut game, &something).expect("it fits");
    assert_eq!(game.lookup(target), Some(&None));
    assert_eq!(game.lookup(alarm), Some(&()));

    let twice = restore(&mut game, r#"{"target":[],"alarm":[null,null]}"#);
    assert_says(
        &twice.unwrap_err().to_string(),
        &["\"alarm\"", "2", "at most one value"],
    );
}

#[test]
fn floats_come_back_bit_by_bit_where_the_format_can_say_them() {
    let mut game = arena();
    let values = [
        0.1_f64,
        -0.0,
        f64::MIN_POSITIVE / 2.0,
        f64::NAN,
        f64::INFINITY,
    ];
    let heat = game
        .cog()
        .name("heat")
        .equality(cog_arena::bitwise::<[f64; 5]>)
        .saved();
    let heat = heat.source(values);
    let bytes = postcard::to_allocvec(&game.snapshot()).expect("bytes");
    game.turn(|w| w.set(heat, [0.0; 5]));
    game.restore(&mut postcard::Deserializer::from_bytes(&bytes))
        .expect("it fits");
    assert_eq!(game.read(heat).map(f64::to_bits), values.map(f64::to_bits));
}

#[test]
fn what_is_equal_by_the_source_s_own_equality_stays() {
    let mut game = arena();
    let near = |one: &f32, other: &f32| (one - other).abs() < 0.1;
    let volume = game.cog().name("volume").equality(near).saved().source(0.5);
    restore(&mut game, r#"{ "volume": 0.55 }"#).expect("it fits");
    assert_eq!(*game.read(volume), 0.5);
    restore(&mut game, r#"{ "volume": 0.75 }"#).expect("it fits");
    assert_eq!(*game.read(volume), 0.75);
}

#[test]
fn what_an_open_turn_has_staged_is_not_in_a_snapshot() {
    let mut game = arena();
    let gold = game.cog().name("gold").saved().source(1);
    game.begin();
    game.writer().set(gold, 2);
    assert_eq!(json(&game), r#"{"gold":1}"#);
    let refused = panic_of(|| restore(&mut game, r#"{ "gold": 3 }"#));
    assert_says(&refused, &["Idle", "Writing"]);
    game.release();
    assert_eq!(game.step(), Step::Idle);
    assert_eq!(json(&game), r#"{"gold":2}"#);
}

#[test]
fn a_snapshot_that_was_read_can_be_staged_beside_other_writes_or_in_a_queued_turn() {
    let mut game = arena();
    let gold = game.cog().name("gold").saved().source(1);
    let gems = game.cog().name("gems").saved().source(1);
    let text = r#"{ "gold": 3, "gems": 4 }"#;
    let loaded = read(&game, text).expect("it fits");
    game.turn(|w| {
        w.set(gold, 50);
        w.restore(loaded);
        w.set(gems, 60);
    });
    assert_eq!(
        (*game.read(gold), *game.read(gems)),
        (3, 60),
        "the last one wins"
    );

    let loaded = read(&game, text).expect("it fits");
    game.queue(move |w| w.restore(loaded));
    game.turn(|_| {});
    assert_eq!(*game.read(gems), 4);
}

#[test]
fn a_panic_of_an_equality_leaves_everything_as_it_was() {
    let mut game = arena();
    let gold = game.cog().name("gold").saved().source(1);
    let cursed = game.cog().name("cursed");
    let cursed = cursed
        .equality(|_: &i32, new| *new == 13 && panic!("unlucky"))
        .saved();
    let cursed = cursed.source(1);
    let text = panic_of(|| restore(&mut game, r#"{ "gold": 3, "cursed": 13 }"#));
    assert_eq!(text, "unlucky");
    game.check();
    assert_eq!((*game.read(gold), *game.read(cursed)), (1, 1));
}

#[test]
fn a_snapshot_is_restored_by_the_arena_that_read_it() {
    let (mut one, mut other) = (arena(), arena());
    let gold = one.cog().name("gold").saved().source(1);
    let _ = other.cog().name("gold").saved().source(1);
    let loaded = read(&other, r#"{ "gold": 3 }"#).expect("it fits");
    let refused = panic_of(|| one.turn(|w| w.restore(loaded)));
    assert_says(&refused, &["another arena"]);
    assert_eq!(*one.read(gold), 1);
}

#[test]
fn a_saved_cog_needs_a_name_of_its_own() {
    let mut game = arena();
    let nameless = panic_of(|| game.cog().saved().source(1));
    assert_says(&nameless, &["tests/snapshot.rs:", "no name", ".name("]);

    let _ = game.cog().name("gold").saved().source(1);
    let _ = game.cog().name("gold").source(1);
    let again = panic_of(|| game.cog().name("gold").saved().key_space::<u8>());
    assert_says(
        &again,
        &["\"gold\"", "tests/snapshot.rs:", "tests/snapshot.rs:"],
    );
    assert_eq!(
        json(&game),
        r#"{"gold":1}"#,
        "what was refused is not saved"
    );
}

#[test]
fn a_snapshot_can_be_changed_in_a_value_of_its_format() {
    let mut game = arena();
    let gold = game.cog().name("gold").saved().source(10_u64);
    let _new = game.cog().name("added since").saved().source(4_u8);
    let mut old: BTreeMap<String, serde_json::Value> =
        serde_json::from_str(r#"{ "gold": 7 }"#).expect("JSON");
    old.entry("added since".to_owned()).or_insert(5.into());
    let old = serde_json::to_value(old).expect("JSON");
    game.restore(old).expect("a value is a deserializer");
    assert_eq!(*game.read(gold), 7);
}
