//! Snapshots of families and key spaces: who is a member afterwards, and who has which row.

mod common;

use cog_arena::{Arena, KeySpace, RestoreError, SourceFamily};
use common::{Checked, arena, assert_says};

struct Game {
    arena: Checked,
    units: KeySpace<u32>,
    /// A member family.
    armor: SourceFamily<u32, i32>,
    /// A total family: ten for each.
    health: SourceFamily<u32, i32>,
    /// A member family that isn't saved.
    glow: SourceFamily<u32, i32>,
}

fn game(are_units_saved: bool) -> Game {
    let mut arena = arena();
    let units = if are_units_saved {
        arena.cog().name("units").saved().key_space()
    } else {
        arena.key_space()
    };
    let armor = arena.cog().name("armor").saved().member_family(units);
    let health = arena.cog().name("health").saved();
    let health = health.source_family(units, |_| 10);
    let glow = arena.member_family(units);
    Game {
        arena,
        units,
        armor,
        health,
        glow,
    }
}

fn json(arena: &Arena) -> String {
    serde_json::to_string(&arena.snapshot()).expect("everything saved can be written as JSON")
}

#[track_caller]
fn restore(arena: &mut Checked, text: &str) -> Result<(), RestoreError> {
    let result = arena.restore(&mut serde_json::Deserializer::from_str(text));
    arena.check();
    result
}

fn members(game: &Game) -> Vec<u32> {
    let mut keys: Vec<u32> = game.arena.keys(game.units).copied().collect();
    keys.sort_unstable();
    keys
}

#[test]
fn a_saved_key_space_has_exactly_the_members_that_were_saved() {
    let mut game = game(true);
    game.arena.turn(|w| {
        w.set(game.armor.at(1), 4);
        w.set(game.health.at(2), 8);
        w.insert_key(game.units, 3);
    });
    let text = json(&game.arena);
    game.arena.turn(|w| {
        w.remove_key(game.units, &1);
        w.set(game.glow.at(2), 1);
        w.set(game.armor.at(9), 1);
        w.set(game.glow.at(9), 1);
    });
    let (two, nine) = (
        game.arena.slot(game.units, &2),
        game.arena.slot(game.units, &9),
    );

    restore(&mut game.arena, &text).expect("it fits");
    assert_eq!(members(&game), [1, 2, 3]);
    assert_eq!(game.arena.lookup(game.armor.at(1)), Some(&4));
    assert_eq!(game.arena.lookup(game.armor.at(9)), None);
    assert_eq!(*game.arena.read(game.health.at(2)), 8);
    assert_eq!(
        game.arena.lookup(game.glow.at(2)),
        Some(&1),
        "it isn't saved"
    );
    assert_eq!(game.arena.lookup(game.glow.at(9)), None, "its key is gone");
    assert_eq!(game.arena.key(two.expect("a member")), Some(&2));
    assert_eq!(game.arena.key(nine.expect("a member")), None);
}

#[test]
fn keys_come_back_in_their_order_in_a_fresh_arena() {
    let mut old = game(true);
    for unit in [5, 3, 8, 1] {
        old.arena.turn(|w| w.insert_key(old.units, unit));
    }
    let mut new = game(true);
    restore(&mut new.arena, &json(&old.arena)).expect("it fits");
    let keys: Vec<_> = new.arena.keys(new.units).collect();
    assert_eq!(keys, [&5, &3, &8, &1]);
}

#[test]
fn without_a_saved_key_space_rows_come_and_go_and_members_stay() {
    let mut game = game(false);
    game.arena.turn(|w| {
        w.set(game.armor.at(1), 4);
        w.set(game.health.at(2), 8);
        w.insert_key(game.units, 3);
    });
    let text = json(&game.arena);
    assert_eq!(text, r#"{"armor":[[1,4]],"health":[[2,8]]}"#);
    game.arena.turn(|w| {
        w.remove_key(game.units, &1);
        w.set(game.armor.at(2), 5);
        w.set(game.health.at(3), 5);
        w.set(game.armor.at(9), 5);
    });

    restore(&mut game.arena, &text).expect("it fits");
    assert_eq!(members(&game), [1, 2, 3, 9]);
    let armor = [1, 2, 9].map(|unit| game.arena.lookup(game.armor.at(unit)).copied());
    assert_eq!(armor, [Some(4), None, None]);
    let health = [2, 3, 9].map(|unit| *game.arena.read(game.health.at(unit)));
    assert_eq!(
        health,
        [8, 10, 10],
        "a total family starts anew where nothing was saved"
    );
}

#[test]
fn rows_that_were_only_read_are_not_saved() {
    let mut game = game(true);
    assert_eq!(*game.arena.read(game.health.at(7)), 10);
    let hold = game.arena.hold(game.health.at(7));
    let double = game
        .arena
        .derived_family(game.units, move |r, &unit| r.get(game.health.at(unit)) * 2);
    let held = game.arena.hold(double.at(7));
    assert_eq!(json(&game.arena), r#"{"units":[],"armor":[],"health":[]}"#);
    game.arena.let_go(hold);
    game.arena.let_go(held);
}

#[test]
fn a_restored_snapshot_overrules_what_the_turn_staged_before_it() {
    let mut game = game(true);
    game.arena.turn(|w| w.set(game.armor.at(1), 4));
    let text = json(&game.arena);
    let loaded = game
        .arena
        .read_snapshot(&mut serde_json::Deserializer::from_str(&text));
    let loaded = loaded.expect("it fits");
    game.arena.turn(|w| {
        w.remove_key(game.units, &1);
        w.set(game.armor.at(2), 5);
        w.set(game.health.at(1), 5);
        w.restore(loaded);
    });
    assert_eq!(members(&game), [1]);
    assert_eq!(game.arena.lookup(game.armor.at(1)), Some(&4));
    assert_eq!(*game.arena.read(game.health.at(1)), 10);
    assert_eq!(
        json(&game.arena),
        r#"{"units":[1],"armor":[[1,4]],"health":[[1,10]]}"#
    );
}

#[test]
fn keys_that_do_not_fit_are_named() {
    let mut game = game(true);
    game.arena.turn(|w| w.set(game.armor.at(1), 4));
    let before = json(&game.arena);
    let cases = [
        (
            r#"{"units":[1,2,1],"armor":[],"health":[]}"#,
            "\"units\" has the key 1 twice",
        ),
        (
            r#"{"units":[1],"armor":[[1,1],[1,1]],"health":[]}"#,
            "\"armor\" has the key 1 twice",
        ),
        (
            r#"{"units":[1],"armor":[],"health":[[1,4],[2,4]]}"#,
            "\"health\" has the key 2",
        ),
    ];
    for (text, says) in cases {
        let error = restore(&mut game.arena, text).expect_err(text);
        assert_says(&error.to_string(), &[says]);
        assert_eq!(json(&game.arena), before);
    }
}

#[test]
fn keys_and_values_can_be_mapped_before_they_are_staged() {
    let mut game = game(true);
    let text = r#"{"units":[1,2],"armor":[[1,4]],"health":[[2,6]]}"#;
    let read = |game: &Game| {
        let mut text = serde_json::Deserializer::from_str(text);
        game.arena.read_snapshot(&mut text).expect("it fits")
    };
    let mapped = read(&game).map(|part| {
        if let Some(key) = part.downcast_mut::<u32>() {
            *key += 100;
        } else if let Some(value) = part.downcast_mut::<i32>() {
            *value *= -1;
        }
        Ok::<_, String>(())
    });
    let mapped = mapped.expect("the keys differ still");
    game.arena.turn(|w| w.restore(mapped));
    let after = r#"{"units":[101,102],"armor":[[101,-4]],"health":[[102,-6]]}"#;
    assert_eq!(json(&game.arena), after);

    let same = read(&game).map(|part| {
        part.downcast_mut::<u32>()
            .into_iter()
            .for_each(|key| *key = 7);
        Ok::<_, String>(())
    });
    let key = "7".to_owned();
    let cog = "units".to_owned();
    assert_eq!(same.unwrap_err(), RestoreError::KeyTwice { cog, key });

    let refused = read(&game).map(|part| part.downcast_ref::<i32>().map_or(Ok(()), |_| Err("no")));
    let (cog, reason) = ("armor".to_owned(), "no".to_owned());
    assert_eq!(refused.unwrap_err(), RestoreError::Unmapped { cog, reason });
    assert_eq!(json(&game.arena), after);
}
