//! Declaring: what a cog holds before anything happened, what it is called, and that declaring runs nothing.

mod common;

use cog_arena::{Arena, Source};
use common::{arena, arena_with_log};

#[test]
fn one_05_many_arenas_do_not_leak_into_each_other() {
    let mut arenas: Vec<(Arena, Source<i32>)> = (0..50)
        .map(|first| {
            let mut arena = Arena::new();
            let source = arena.source(first);
            (arena, source)
        })
        .collect();

    let (seventh, source) = &mut arenas[7];
    seventh.turn(|w| w.set(*source, 700));

    for (index, (arena, source)) in (0..).zip(&mut arenas) {
        let expected = if index == 7 { 700 } else { index };
        assert_eq!(*arena.read(*source), expected);
        assert_eq!(arena.totals().written, u64::from(index == 7));
    }
}

#[test]
fn one_06_sources_outlive_everything_that_looked_at_them() {
    let mut arena = arena();
    let volume = arena.source(5);
    let label = arena.derived(move |r| format!("volume {}", r.get(volume)));
    let shown = arena.hold(label);
    let screen = arena.react(move |r, _| {
        r.get(label);
    });
    arena.turn(|w| w.set(volume, 8));

    // The screen goes, and another one is built.
    arena.end(screen);
    arena.let_go(shown);
    arena.turn(|_| {});
    assert_eq!(*arena.read(volume), 8);

    let shown = arena.hold(label);
    assert_eq!(arena.read(label), "volume 8");
    arena.let_go(shown);
}

#[test]
fn decl_01_a_source_reads_its_first_value() {
    let mut arena = arena();
    let lives = arena.source(3);
    let name = arena.source(String::from("Ada"));

    assert_eq!(*arena.read(lives), 3);
    assert_eq!(arena.read(name), "Ada");
}

#[test]
fn decl_02_every_key_starts_at_the_constant_and_goes_its_own_way() {
    let mut arena = arena();
    let shelf = arena.key_space::<u32>();
    let stock = arena.source_family(shelf, |_| 10);
    assert_eq!(
        [*arena.read(stock.at(1)), *arena.read(stock.at(2))],
        [10, 10]
    );

    arena.turn(|w| w.set(stock.at(1), 4));

    assert_eq!(
        [*arena.read(stock.at(1)), *arena.read(stock.at(2))],
        [4, 10]
    );
    assert_eq!(
        *arena.read(stock.at(3)),
        10,
        "a key that nobody named before"
    );
}

#[test]
fn decl_03_a_first_value_may_follow_from_the_key() {
    let (mut arena, log) = arena_with_log();
    let names = arena.key_space::<&'static str>();
    let started = log.clone();
    let length = arena.source_family(names, move |name: &&'static str| {
        started.note(*name);
        name.len()
    });
    assert_eq!(log.len(), 0, "declaring starts no key");

    assert_eq!(*arena.read(length.at("seven")), 5);
    assert_eq!(*arena.read(length.at("six")), 3);
    assert_eq!(*arena.read(length.at("seven")), 5);

    assert_eq!(log.take(), ["seven", "six"], "once for each key");
}

#[test]
fn decl_04_the_same_key_built_twice_is_one_state() {
    let mut arena = arena();
    let space = arena.key_space::<String>();
    let stock = arena.source_family(space, |_| 0);
    let once = stock.at(String::from("apple"));
    let twice = stock.at(["app", "le"].concat());
    let other = stock.at(String::from("pear"));

    arena.turn(|w| w.set(&once, 6));

    assert_eq!(*arena.read(&twice), 6);
    assert_eq!(*arena.read(&other), 0);
}

#[test]
fn decl_05_a_projection_always_agrees_with_its_source() {
    let mut arena = arena();
    let player = arena.source((String::from("Ada"), 3_u8));
    let level = arena.derived(move |r| r.get(player).1);
    let declared = arena.derived_from(player.shared(), |p: &(String, u8)| p.1);

    for next in [3, 4, 9, 9, 0] {
        arena.turn(|w| w.set(player, (String::from("Ada"), next)));
        assert_eq!(*arena.read(level), next);
        assert_eq!(*arena.read(declared), next);
    }
}

#[test]
fn decl_07_a_derived_returns_what_its_function_computed() {
    let mut arena = arena();
    let (a, b) = (arena.source(6), arena.source(7));
    let tracked = arena.derived(move |r| r.get(a) * r.get(b));
    let declared = arena.derived_from((a.shared(), b.shared()), |(a, b): (&i32, &i32)| a * b);

    assert_eq!(*arena.read(tracked), 42);
    assert_eq!(*arena.read(declared), 42);
}

#[test]
fn decl_08_the_function_of_a_family_gets_its_key() {
    let mut arena = arena();
    let space = arena.key_space::<u64>();
    let square = arena.derived_family(space, |_, key| key * key);
    let pair = arena.key_space::<(i32, i32)>();
    let sum = arena.derived_family(pair, |_, &(a, b)| a + b);

    assert_eq!(*arena.read(square.at(12)), 144);
    assert_eq!(*arena.read(square.at(5)), 25);
    assert_eq!(*arena.read(sum.at((3, 4))), 7);
}

#[test]
fn decl_09_declaring_runs_nothing() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u8>();
    let source = arena.source(1);
    let tracked = arena.derived(log.named("tracked", move |r| *r.get(source)));
    let noted = log.clone();
    let declared = arena.derived_from(source.shared(), move |s: &i32| {
        noted.note("declared");
        *s
    });
    let family = arena.derived_family(space, log.keyed("family", move |r, _| *r.get(source)));
    // Over a space that has members and values already.
    let number = arena.member_family::<u8, i32>(space);
    arena.turn(|w| (0..5).for_each(|key| w.set(number.at(key), 1)));
    let noted = log.clone();
    let column = arena.derived_family_from(space, number.aligned(), move |n: &i32| {
        noted.note("column");
        *n
    });
    arena.turn(|w| w.set(source, 2));
    assert_eq!(log.len(), 0);
    assert_eq!(arena.totals().run, 0);

    arena.read(tracked);
    arena.read(declared);
    arena.read(family.at(9));
    arena.read(column.at(3));

    assert_eq!(
        log.take(),
        ["tracked", "declared", "family[9]", "column"],
        "each of what is read, and nothing else"
    );
}

#[test]
fn decl_10_a_name_given_appears_in_diagnostics() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let total = arena.cog().name("total").source(1);
    let double = arena
        .cog()
        .name("double")
        .derived(move |r| r.get(total) * 2);
    let stock = arena.cog().name("stock").source_family(space, |_| 0);
    let scarce = arena
        .cog()
        .name("scarce")
        .derived_family(space, move |r, &key| *r.get(stock.at(key)) < 3);

    assert_eq!(arena.name(total), "total");
    assert_eq!(arena.name(double), "double");
    assert_eq!(arena.name(stock.at(4)), "stock[4]");
    assert_eq!(arena.name(scarce.at(4)), "scarce[4]");
    arena.log_runs(true);
    arena.read(double);
    arena.read(scarce.at(4));
    assert_eq!(arena.take_runs(), ["double", "scarce[4]"]);
}

#[test]
fn decl_11_a_cog_without_a_name_is_called_after_its_place() {
    let mut arena = arena();
    let here = line!() + 1;
    let source = arena.source(1);
    let derived = arena.derived(move |r| *r.get(source));

    let (source, derived) = (arena.name(source), arena.name(derived));

    assert!(source.ends_with(&format!("declare.rs:{here}")), "{source}");
    assert!(
        derived.ends_with(&format!("declare.rs:{}", here + 1)),
        "{derived}"
    );
}

#[test]
fn decl_12_a_function_that_may_fail_keeps_its_failure_in_the_value() {
    let mut arena = arena();
    let text = arena.source("12");
    let number = arena.derived(move |r| r.get(text).parse::<i32>().map_err(|e| e.to_string()));
    let next = arena.derived(move |r| r.get(number).as_ref().map(|n| n + 1).map_err(Clone::clone));
    assert_eq!(*arena.read(next), Ok(13));

    arena.turn(|w| w.set(text, "twelve"));
    assert!(arena.read(next).is_err());

    arena.turn(|w| w.set(text, "20"));
    assert_eq!(*arena.read(next), Ok(21));
}

#[test]
fn an_absent_source_holds_nothing_until_it_is_set_and_after_it_was_cleared() {
    let (mut arena, log) = arena_with_log();
    let target = arena.absent_source::<u32>();
    let noted = log.clone();
    let partial = arena.derived_from(target.shared(), move |t: &u32| {
        noted.note("needs it");
        t + 1
    });
    let total = arena.derived_from(target.shared_optional(), |t: Option<&u32>| {
        t.copied().unwrap_or(0)
    });
    assert_eq!(arena.lookup(target), None);
    assert_eq!(arena.lookup(partial), None);
    assert_eq!(*arena.read(total), 0);
    assert_eq!(
        log.len(),
        0,
        "a required input that holds nothing keeps the function from running"
    );

    arena.turn(|w| w.set(target, 4));
    assert_eq!(arena.lookup(partial), Some(&5));
    assert_eq!(*arena.read(total), 4);

    arena.turn(|w| w.clear(target));
    assert_eq!(arena.lookup(target), None);
    assert_eq!(arena.lookup(partial), None);
    assert_eq!(*arena.read(total), 0);
    assert_eq!(log.runs("needs it"), 1);
}

#[test]
fn a_partial_derived_holds_nothing_where_its_function_says_so() {
    let mut arena = arena();
    let number = arena.source(9_i32);
    let root = arena.partial_from(number.shared(), |n: &i32| (0 <= *n).then(|| n.isqrt()));
    let shown = arena.derived(move |r| r.lookup(root).copied());
    assert_eq!(*arena.read(shown), Some(3));

    arena.turn(|w| w.set(number, -1));
    assert_eq!(arena.lookup(root), None);
    assert_eq!(*arena.read(shown), None);

    arena.turn(|w| w.set(number, 25));
    assert_eq!(*arena.read(shown), Some(5));
}
