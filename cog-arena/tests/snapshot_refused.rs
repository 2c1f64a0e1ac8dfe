//! A snapshot that doesn't fit is refused with an error that names what is wrong, and nothing changes. And random
//! ones: what is saved comes back, whatever it is and wherever it is restored.

mod common;

use cog_arena::{Arena, KeySpace, RestoreError, Source, SourceFamily};
use common::{Checked, arena, panic_of};
use proptest::prelude::{Strategy, any, prop, proptest};
use proptest::prop_assert_eq;

#[test]
fn an_entry_that_does_not_fit_is_named_and_nothing_changes() {
    let mut game = arena();
    let gold = game.cog().name("gold").saved().source(10_u32);
    let title = game
        .cog()
        .name("title")
        .saved()
        .source(String::from("squire"));
    game.react(move |r, _| {
        assert_eq!((*r.get(gold), r.get(title).as_str()), (10, "squire"));
    });
    let turns = game.counts().revision;
    let cog = |name: &str| name.to_owned();
    let mut refuse = |text: &str| {
        let error = game.restore(&mut serde_json::Deserializer::from_str(text));
        game.check();
        assert_eq!(game.counts().revision, turns, "no turn was taken");
        error.expect_err(text)
    };

    let error = refuse(r#"{ "gold": 1, "silver": 2, "title": "knight" }"#);
    assert_eq!(error, RestoreError::Unknown { cog: cog("silver") });
    let error = refuse(r#"{ "gold": 1, "title": "knight", "gold": 2 }"#);
    assert_eq!(error, RestoreError::Twice { cog: cog("gold") });
    let error = refuse("{}");
    let cogs = vec![cog("gold"), cog("title")];
    assert_eq!(error, RestoreError::Missing { cogs });
    for text in [
        r#"{ "title": "knight", "gold": "much" }"#,
        r#"{ "title": "knight", "gold": -1 }"#,
        r#"{ "title": "knight", "gold": 1.5 }"#,
        r#"{ "title": "knight", "gold": [1] }"#,
        r#"{ "title": "knight", "gold": null }"#,
        r#"{ "title": "knight", "gold": "#,
    ] {
        let error = refuse(text);
        assert!(
            matches!(&error, RestoreError::Mistyped { cog, .. } if cog == "gold"),
            "{text}: {error}"
        );
    }
    for text in ["", "[]", "7", r#"{ "gold": 1, "title": "knight" "#] {
        let error = refuse(text);
        assert!(
            matches!(&error, RestoreError::Unreadable { .. }),
            "{text}: {error}"
        );
    }
}

#[test]
fn a_type_that_panics_as_it_is_read_changes_nothing() {
    #[derive(Debug, PartialEq, serde::Serialize)]
    struct Fragile(u8);

    impl<'de> serde::Deserialize<'de> for Fragile {
        fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
            panic!("it broke")
        }
    }

    let mut game = arena();
    let gold = game.cog().name("gold").saved().source(10);
    let vase = game.cog().name("vase").saved().source(Fragile(1));
    let text = r#"{ "gold": 3, "vase": 2 }"#;
    let panic = panic_of(|| game.restore(&mut serde_json::Deserializer::from_str(text)));
    assert_eq!(panic, "it broke");
    game.check();
    assert_eq!((*game.read(gold), game.read(vase)), (10, &Fragile(1)));
}

/// One keyless source, one that may be absent, a total and a member family, and perhaps their key space.
struct Game {
    arena: Checked,
    units: KeySpace<u8>,
    gold: Source<i64>,
    target: Source<String>,
    health: SourceFamily<u8, f32>,
    armor: SourceFamily<u8, Vec<bool>>,
}

/// Declares it all, in one of two orders.
fn declare(is_reversed: bool) -> Game {
    let mut arena = arena();
    let mut units = None;
    let (mut gold, mut target) = (None, None);
    let (mut health, mut armor) = (None, None);
    let order = if is_reversed {
        [3, 1, 2, 4, 0]
    } else {
        [0, 1, 2, 3, 4]
    };
    for which in order {
        let space = *units.get_or_insert_with(|| arena.cog().name("units").saved().key_space());
        match which {
            0 => gold = Some(arena.cog().name("gold").saved().source(0)),
            1 => target = Some(arena.cog().name("target").saved().absent_source()),
            2 => {
                let declare = arena.cog().name("health").saved();
                health = Some(declare.source_family(space, |&unit| f32::from(unit)));
            }
            3 => armor = Some(arena.cog().name("armor").saved().member_family(space)),
            _ => {}
        }
    }
    Game {
        arena,
        units: units.expect("declared"),
        gold: gold.expect("declared"),
        target: target.expect("declared"),
        health: health.expect("declared"),
        armor: armor.expect("declared"),
    }
}

#[derive(Clone, Debug)]
enum Write {
    Gold(i64),
    Target(Option<String>),
    Health(u8, f32),
    Armor(u8, Option<Vec<bool>>),
    Join(u8),
    Leave(u8),
}

fn writes() -> impl Strategy<Value = Vec<Write>> {
    let unit = || 0_u8..12;
    let write = proptest::prop_oneof![
        any::<i64>().prop_map(Write::Gold),
        prop::option::of(any::<String>()).prop_map(Write::Target),
        (unit(), -1e3_f32..1e3).prop_map(|(unit, health)| Write::Health(unit, health)),
        (
            unit(),
            prop::option::of(prop::collection::vec(any::<bool>(), 0..4))
        )
            .prop_map(|(unit, armor)| Write::Armor(unit, armor)),
        unit().prop_map(Write::Join),
        unit().prop_map(Write::Leave),
    ];
    prop::collection::vec(write, 0..24)
}

fn play(game: &mut Game, writes: &[Write]) {
    for write in writes {
        game.arena.turn(|w| match write.clone() {
            Write::Gold(gold) => w.set(game.gold, gold),
            Write::Target(Some(target)) => w.set(game.target, target),
            Write::Target(None) => w.clear(game.target),
            Write::Health(unit, health) => w.set(game.health.at(unit), health),
            Write::Armor(unit, Some(armor)) => w.set(game.armor.at(unit), armor),
            Write::Armor(unit, None) => w.remove(game.armor.at(unit)),
            Write::Join(unit) => drop(w.insert_key(game.units, unit)),
            Write::Leave(unit) => drop(w.remove_key(game.units, &unit)),
        });
    }
}

/// Everything that is saved, read cog by cog.
type All = (
    i64,
    Option<String>,
    Vec<u8>,
    Vec<f32>,
    Vec<Option<Vec<bool>>>,
);

fn all(game: &mut Game) -> All {
    let mut members: Vec<u8> = game.arena.keys(game.units).copied().collect();
    members.sort_unstable();
    let gold = *game.arena.read(game.gold);
    let target = game.arena.lookup(game.target).cloned();
    let health = (0..12).map(|unit| *game.arena.read(game.health.at(unit)));
    let health = health.collect();
    let armor = (0..12).map(|unit| game.arena.lookup(game.armor.at(unit)).cloned());
    let armor = armor.collect();
    (gold, target, members, health, armor)
}

fn bytes(arena: &Arena) -> Vec<u8> {
    postcard::to_allocvec(&arena.snapshot()).expect("bytes")
}

proptest! {
    #[test]
    fn what_was_saved_comes_back_wherever_it_is_restored(
        first in writes(),
        other in writes(),
        is_reversed in any::<bool>(),
        is_text in any::<bool>(),
    ) {
        let mut old = declare(false);
        play(&mut old, &first);
        let mut new = declare(is_reversed);
        play(&mut new, &other);
        if is_text {
            let text = serde_json::to_string(&old.arena.snapshot()).expect("JSON");
            new.arena.restore(&mut serde_json::Deserializer::from_str(&text)).expect("it fits");
        } else {
            let bytes = bytes(&old.arena);
            new.arena.restore(&mut postcard::Deserializer::from_bytes(&bytes)).expect("it fits");
        }
        new.arena.check();
        prop_assert_eq!(all(&mut new), all(&mut old));
    }

    #[test]
    fn bytes_that_were_spoilt_restore_wholly_or_change_nothing(
        first in writes(),
        other in writes(),
        spoilt in (any::<prop::sample::Index>(), any::<u8>(), any::<bool>()),
        is_text in any::<bool>(),
    ) {
        let mut old = declare(false);
        play(&mut old, &first);
        let mut new = declare(true);
        play(&mut new, &other);
        let mut saved = if is_text {
            serde_json::to_vec(&old.arena.snapshot()).expect("JSON")
        } else {
            bytes(&old.arena)
        };
        let (at, byte, cuts) = spoilt;
        let at = at.index(saved.len());
        if cuts { saved.truncate(at) } else { saved[at] = byte }

        let before = (all(&mut new), bytes(&new.arena));
        let result = if is_text {
            new.arena.restore(&mut serde_json::Deserializer::from_slice(&saved))
        } else {
            new.arena.restore(&mut postcard::Deserializer::from_bytes(&saved))
        };
        new.arena.check();
        if result.is_err() {
            prop_assert_eq!((all(&mut new), bytes(&new.arena)), before);
        } else {
            // Still a snapshot: then it is there as a whole.
            let mut third = declare(false);
            let again = bytes(&new.arena);
            third.arena.restore(&mut postcard::Deserializer::from_bytes(&again)).expect("it fits");
            prop_assert_eq!(all(&mut third), all(&mut new));
        }
    }
}
