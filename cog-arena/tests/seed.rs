//! Seeding: the state that a test begins with, without a turn and without a reaction.

mod common;

use std::fs;
use std::path::Path;

use cog_arena::First;
use common::{Log, arena, arena_with_log, assert_says, panic_of};
use proptest::prelude::{Strategy, any, prop, proptest};
use proptest::{prop_assert_eq, prop_oneof};

#[test]
fn seed_01_what_was_seeded_is_read_back() {
    let mut arena = arena();
    let stock = arena.source(100);
    let target = arena.absent_source::<&str>();
    let units = arena.key_space::<u8>();
    let health = arena.source_family(units, |_| 10);
    let armor = arena.member_family::<u8, u8>(units);
    arena.seed(stock, 3);
    arena.seed(target, "orc");
    arena.seed(health.at(1), 7);
    arena.seed(armor.at(2), 4);
    arena.seed(stock, 5);
    arena.check();

    assert_eq!(*arena.read(stock), 5);
    assert_eq!(*arena.read(target), "orc");
    assert_eq!(
        (*arena.read(health.at(1)), *arena.read(armor.at(2))),
        (7, 4)
    );
    assert_eq!(arena.keys(units).collect::<Vec<_>>(), [&1, &2]);
}

#[test]
fn seed_02_it_is_no_turn_and_no_reaction_runs() {
    let (mut arena, log) = arena_with_log();
    let (stock, lamps) = (arena.source(100), arena.source(0));
    let note = log.clone();
    arena.react(move |r, _| note.note(format!("stock {}", r.get(stock))));
    arena.turn(|w| w.set(stock, 50));
    let turns = arena.counts().revision;
    log.take();

    arena.seed(stock, 3);
    arena.check();
    assert_eq!(arena.queued(), 0);
    assert_eq!(log.take(), Vec::<String>::new());
    assert_eq!(
        (arena.counts().revision, arena.totals().revision),
        (turns, turns)
    );
    arena.turn(|w| w.set(lamps, 1));
    assert_eq!(arena.counts().revision, turns + 1);
    assert_eq!(log.take(), ["stock 3"], "the next turn tells of it");
}

#[test]
fn seed_03_what_depends_on_it_is_computed_anew_unless_it_is_equal() {
    let (mut arena, log) = arena_with_log();
    let stock = arena.source(100);
    let is_low = arena.derived(log.named("is_low", move |r| *r.get(stock) < 10));
    let text = arena.derived(log.named("text", move |r| format!("low: {}", r.get(is_low))));
    assert_eq!(arena.read(text), "low: false");
    log.take();

    arena.seed(stock, 100);
    assert_eq!(arena.read(text), "low: false");
    assert_eq!(log.take(), Vec::<String>::new(), "an equal value is none");
    arena.seed(stock, 50);
    assert_eq!(
        log.take(),
        Vec::<String>::new(),
        "nothing runs before it is read"
    );
    assert_eq!(arena.read(text), "low: false");
    assert_eq!(log.take(), ["is_low"]);
    arena.seed(stock, 5);
    assert_eq!(arena.read(text), "low: true");
    assert_eq!(log.take(), ["is_low", "text"]);
}

#[test]
fn seed_03_what_is_held_is_settled_and_published_with_the_next_turn() {
    let mut arena = arena();
    let units = arena.key_space::<u8>();
    let health = arena.member_family::<u8, i32>(units);
    let threat = arena.derived_family_from(units, health.aligned(), |health| health * 2);
    let total = arena.derived(move |r| r.get(threat.at(1)) + r.get(threat.at(2)));
    let held = arena.hold(threat);
    arena.seed(health.at(1), 4);
    arena.check();
    arena.seed(health.at(2), 5);
    arena.check();
    let (_also, one) = (arena.hold(total), threat.at(1));
    assert_eq!(arena.settled(one), Some(&8));
    assert_eq!(arena.settled(total), Some(&18));

    arena.begin();
    arena.settle();
    let moved: Vec<_> = arena
        .moved(threat)
        .iter()
        .map(|row| (*row.key, row.value.copied()))
        .collect();
    assert_eq!(moved, [(1, Some(8)), (2, Some(10))]);
    arena.release();
    arena.let_go(held);
}

#[test]
fn seed_04_an_alert_stays_quiet_for_what_was_seeded_and_tells_of_a_real_turn_once() {
    let mut arena = arena();
    let log = Log::default();
    let stock = arena.source(100);
    let is_low = arena.derived(move |r| *r.get(stock) < 10);
    let note = log.clone();
    arena.watch(is_low, First::Skip, move |_, low, _| {
        note.note(format!("low: {low}"));
    });

    arena.seed(stock, 12);
    arena.turn(|_| {});
    assert_eq!(log.take(), Vec::<String>::new());
    arena.turn(|w| w.update(stock, |stock| *stock -= 5));
    arena.turn(|w| w.update(stock, |stock| *stock -= 1));
    assert_eq!(log.take(), ["low: true"]);
}

#[test]
fn seed_05_nothing_of_it_is_there_without_the_feature() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for room in ["arena/mod.rs", "engine/mod.rs"] {
        let text = fs::read_to_string(src.join(room)).expect("the room is there");
        assert_says(
            &text,
            &["#[cfg(any(test, feature = \"testing\"))]\nmod seeding;"],
        );
    }
}

#[test]
fn seed_08_seeding_while_a_turn_is_open_fails_clearly() {
    let mut arena = arena();
    let stock = arena.source(100);
    arena.begin();
    let refused = panic_of(|| arena.seed(stock, 3));
    assert_says(&refused, &["seeded between turns", "Writing"]);
    arena.settle();
    let refused = panic_of(|| arena.seed(stock, 3));
    assert_says(&refused, &["seeded between turns", "Settled"]);
    arena.release();
    arena.seed(stock, 3);
    assert_eq!(*arena.read(stock), 3);
}

#[test]
fn a_seed_that_panics_changes_nothing() {
    let mut arena = arena();
    let cog = arena
        .cog()
        .equality(|_: &i32, new| *new == 13 && panic!("unlucky"));
    let cursed = cog.source(1);
    let double = arena.derived(move |r| r.get(cursed) * 2);
    let _held = arena.hold(double);
    assert_eq!(panic_of(|| arena.seed(cursed, 13)), "unlucky");
    arena.check();
    assert_eq!((*arena.read(cursed), *arena.read(double)), (1, 2));

    let picky = arena.derived(move |r| assert!(*r.get(cursed) < 5, "too much"));
    let _held = arena.hold(picky);
    assert_says(&panic_of(|| arena.seed(cursed, 6)), &["too much"]);
    arena.check();
    assert_eq!(
        *arena.read(double),
        12,
        "the function failed, and the source was seeded"
    );
    arena.turn(|w| w.set(cursed, 2));
    assert_eq!(*arena.read(double), 4);
}

#[test]
fn mech_12_what_was_seeded_before_a_reaction_is_registered_is_what_it_begins_with() {
    let (mut arena, log) = arena_with_log();
    let stock = arena.source(100);
    arena.seed(stock, 50);
    arena.seed(stock, 3);
    let note = log.clone();
    arena.react(move |r, _| note.note(format!("stock {}", r.get(stock))));
    arena.turn(|_| {});
    assert_eq!(log.take(), ["stock 3"]);
}

#[derive(Clone, Debug)]
enum Move {
    Seed(usize, i32),
    SeedRow(u8, i32),
    Turn(usize, i32),
    Read,
    Hold,
    LetGo,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let (source, value) = (|| 0_usize..3, || 0..4_i32);
    let one = prop_oneof![
        (source(), value()).prop_map(|(source, value)| Move::Seed(source, value)),
        (0_u8..3, value()).prop_map(|(key, value)| Move::SeedRow(key, value)),
        (source(), value()).prop_map(|(source, value)| Move::Turn(source, value)),
        any::<bool>().prop_map(|reads| if reads { Move::Read } else { Move::Hold }),
        any::<bool>().prop_map(|reads| if reads { Move::Read } else { Move::LetGo }),
    ];
    prop::collection::vec(one, 1..40)
}

proptest! {
    #[test]
    fn seeds_between_turns_and_reads_never_leave_anything_stale(moves in moves()) {
        let (mut arena, log) = arena_with_log();
        let sources = [0, 1, 2].map(|_| arena.source(0));
        let keys = arena.key_space::<u8>();
        let rows = arena.source_family(keys, |_| 0);
        let doubled = arena.derived_family_from(keys, rows.aligned(), |row| row * 2);
        let total = arena.derived_family(keys, move |r, &key| r.get(doubled.at(key)) + r.get(sources[0]));
        let chosen = arena.derived(move |r| {
            if *r.get(sources[1]) % 2 == 0 { *r.get(sources[2]) } else { *r.get(total.at(1)) }
        });
        let note = log.clone();
        arena.react(move |r, _| note.note(r.get(chosen).to_string()));
        let (mut values, mut row_values) = ([0; 3], [0; 3]);
        let (mut told, mut holds) = (0, Vec::new());
        log.take();

        for one in moves {
            let model = |values: [i32; 3], rows: [i32; 3]| {
                if values[1] % 2 == 0 { values[2] } else { rows[1] * 2 + values[0] }
            };
            match one {
                Move::Seed(source, value) => {
                    arena.seed(sources[source], value);
                    values[source] = value;
                    prop_assert_eq!(log.len(), 0);
                }
                Move::SeedRow(key, value) => {
                    arena.seed(rows.at(key), value);
                    row_values[usize::from(key)] = value;
                    prop_assert_eq!(log.len(), 0);
                }
                Move::Turn(source, value) => {
                    arena.turn(|w| w.set(sources[source], value));
                    values[source] = value;
                    let now = model(values, row_values);
                    let lines = log.take();
                    // A read in between may have seen another value, and this one is back.
                    if now != told || !lines.is_empty() {
                        prop_assert_eq!(lines, [now.to_string()]);
                    }
                    told = now;
                }
                Move::Read => {
                    prop_assert_eq!(*arena.read(chosen), model(values, row_values));
                    for (key, row) in (0_u8..).zip(row_values) {
                        prop_assert_eq!(*arena.read(total.at(key)), row * 2 + values[0]);
                    }
                }
                Move::Hold => {
                    holds.push(arena.hold(doubled));
                    holds.push(arena.hold(total.at(2)));
                }
                Move::LetGo => holds.drain(..).for_each(|hold| arena.let_go(hold)),
            }
            arena.check();
        }
    }
}
