//! Catalogue A.14, wide: a hundred thousand reactions, reads and families, and chains of turns.
//! Counts say that the work is linear.

mod cases_common {
    pub(crate) mod log;
    pub(crate) mod stack;
    pub(crate) mod tally;
    pub(crate) mod turns;
}

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cases_common::log::{Log, follow};
use cases_common::stack::on_a_small_stack;
use cases_common::tally::Tally;
use cases_common::turns::set;
use cog_arena::{Arena, Source, Warning};

#[test]
fn case_g04_a_hundred_thousand_reactions_of_one_source_run_once_a_write() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let runs = Arc::new(AtomicUsize::new(0));
    let reactions: Vec<_> = (0..100_000)
        .map(|_| {
            let runs = Arc::clone(&runs);
            arena.react(move |r, _| {
                r.get(s);
                runs.fetch_add(1, Ordering::Relaxed);
            })
        })
        .collect();
    assert_eq!(arena.consumer_count(s), 100_000);

    set(&mut arena, s, 1);
    assert_eq!(runs.load(Ordering::Relaxed), 200_000);

    for reaction in reactions {
        assert!(arena.end(reaction));
    }
    assert_eq!(arena.consumer_count(s), 0);
    set(&mut arena, s, 2);
    assert_eq!(runs.load(Ordering::Relaxed), 200_000);
}

#[test]
fn case_g05_a_reader_of_a_hundred_thousand_sources_shrinks_to_ten() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let sources: Arc<[Source<u64>]> = (0..100_000).map(|_| arena.source(1)).collect();
    let width = arena.source(100_000);
    let read = Arc::clone(&sources);
    let sum = arena.derived(tally.count("sum", move |r| {
        read[..*r.get(width)].iter().map(|s| r.get(*s)).sum::<u64>()
    }));
    let (log, _) = follow(&mut arena, move |r| *r.get(sum));

    set(&mut arena, sources[50_000], 2);
    assert_eq!(tally.of(["sum"]), [2]);
    set(&mut arena, width, 10);
    assert_eq!(tally.of(["sum"]), [3]);
    set(&mut arena, sources[50_000], 3);

    assert_eq!(log.entries(), [100_000, 100_001, 10]);
    assert_eq!(tally.of(["sum"]), [3]);
    let readers: usize = sources.iter().map(|s| arena.consumer_count(*s)).sum();
    assert_eq!(readers, 10);
}

#[test]
fn case_g06_a_million_sources_are_made_and_dropped() {
    let witness = Arc::new(());
    let mut arena = Arena::new();
    let sources: Vec<_> = (0..1_000_000)
        .map(|i| {
            arena
                .cog()
                .always_changes()
                .source((i, Arc::clone(&witness)))
        })
        .collect();
    assert_eq!(Arc::strong_count(&witness), 1_000_001);
    assert_eq!(arena.read(sources[999_999]).0, 999_999);

    drop(arena);

    assert_eq!(Arc::strong_count(&witness), 1);
}

#[test]
fn case_g09_ten_thousand_reactions_that_each_write_the_next_source_settle() {
    on_a_small_stack(|| {
        let mut arena = Arena::new();
        let warnings = Log::default();
        let warned = warnings.clone();
        arena.on_warning(move |warning: &Warning| warned.push(format!("{warning:?}")));
        let sources: Vec<_> = (0..=10_000).map(|_| arena.source(0)).collect();
        for pair in sources.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            arena.react(move |r, later| {
                let value = *r.get(from);
                later.turn(move |w| w.set(to, value));
            });
        }
        let before = warnings.entries().len();

        set(&mut arena, sources[0], 7);

        assert_eq!(*arena.read(sources[10_000]), 7);
        assert_eq!(
            warnings.entries().len(),
            before + 1,
            "a long chain is warned of once"
        );
    });
}

#[test]
fn case_g10_a_fan_of_ten_thousand_joins_once_a_change() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0_u64);
    let arms: Vec<_> = (0..10_000_u64)
        .map(|i| arena.derived(tally.count("arm", move |r| r.get(s) + i)))
        .collect();
    let join = arena.derived(tally.count("join", move |r| {
        arms.iter().map(|arm| r.get(*arm)).sum::<u64>()
    }));
    let (log, _) = follow(&mut arena, move |r| *r.get(join));

    set(&mut arena, s, 1);

    assert_eq!(log.entries(), [49_995_000, 50_005_000]);
    assert_eq!(tally.of(["arm", "join"]), [20_000, 2]);
}

#[test]
fn case_g12_a_comb_runs_each_reaction_once_and_in_order() {
    on_a_small_stack(|| {
        let mut arena = Arena::new();
        let s = arena.source(0_usize);
        let log = Log::default();
        let mut last = arena.derived(move |r| *r.get(s));
        for at in 0..10_000 {
            let (tooth, seen) = (last, log.clone());
            arena.react(move |r, _| seen.push((at, *r.get(tooth))));
            last = arena.derived(move |r| r.get(tooth) + 1);
        }
        assert_eq!(log.entries().len(), 10_000);

        set(&mut arena, s, 5);

        let expected: Vec<_> = (0..10_000).map(|at| (at, at + 5)).collect();
        assert_eq!(log.entries()[10_000..], expected);
    });
}

#[test]
fn case_g13_ten_thousand_families_of_ten_members_change_by_key() {
    let mut arena = Arena::new();
    let runs = Arc::new(AtomicUsize::new(0));
    let space = arena.key_space::<u32>();
    let s = arena.source_family(space, |key| *key);
    let families: Vec<_> = (0..10_000_u32)
        .map(|i| {
            let runs = Arc::clone(&runs);
            arena.derived_family(space, move |r, key| {
                runs.fetch_add(1, Ordering::Relaxed);
                r.get(s.at(*key)) + i
            })
        })
        .collect();
    let sum = |arena: &mut Arena, key: u32| {
        families
            .iter()
            .map(|family| u64::from(*arena.read(family.at(key))))
            .sum::<u64>()
    };
    for key in 0..10 {
        assert_eq!(sum(&mut arena, key), 49_995_000 + 10_000 * u64::from(key));
    }
    assert_eq!(runs.load(Ordering::Relaxed), 100_000);

    arena.turn(|w| w.set(s.at(3), 100));

    for key in 0..10 {
        let value = if key == 3 { 100 } else { u64::from(key) };
        assert_eq!(sum(&mut arena, key), 49_995_000 + 10_000 * value);
    }
    assert_eq!(runs.load(Ordering::Relaxed), 110_000);
}
