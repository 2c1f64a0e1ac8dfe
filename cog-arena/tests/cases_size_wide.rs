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
use cog_arena::{Arena, DerivedFamily, Reader, Source, SourceFamily, Warning};

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

/// Ten thousand families, each with a source family of its own beside one that all of them read.
struct Families {
    arena: Arena,
    shared: SourceFamily<u32, u64>,
    own: Vec<SourceFamily<u32, u64>>,
    derived: Vec<DerivedFamily<u32, u64>>,
    runs: Arc<[AtomicUsize]>,
}

impl Families {
    fn new() -> Self {
        let mut arena = Arena::new();
        let runs: Arc<[AtomicUsize]> = (0..10_000).map(|_| AtomicUsize::new(0)).collect();
        let space = arena.key_space::<u32>();
        let shared = arena.source_family(space, |key| u64::from(*key));
        let mut own = Vec::new();
        let mut derived = Vec::new();
        for i in 0..10_000 {
            let mine = arena.source_family(space, move |_| i as u64);
            let runs = Arc::clone(&runs);
            let sum = move |shared: &u64, mine: &u64| {
                runs[i].fetch_add(1, Ordering::Relaxed);
                shared + mine
            };
            own.push(mine);
            derived.push(if i % 2 == 0 {
                let read = move |r: &Reader<'_>, key: &u32| {
                    sum(r.get(shared.at(*key)), r.get(mine.at(*key)))
                };
                arena.derived_family(space, read)
            } else {
                let inputs = (shared.aligned(), mine.aligned());
                arena.derived_family_from(space, inputs, move |(s, m): (&u64, &u64)| sum(s, m))
            });
        }
        Self {
            arena,
            shared,
            own,
            derived,
            runs,
        }
    }

    /// Reads all that there is; the sum of each key's values.
    fn sums(&mut self) -> [u64; 10] {
        std::array::from_fn(|key| {
            let key = u32::try_from(key).expect("a key is small");
            let values = self.derived.iter().map(|d| *self.arena.read(d.at(key)));
            values.sum()
        })
    }

    /// The families that ran since this was asked last, with how often.
    fn ran(&mut self) -> Vec<(usize, usize)> {
        let runs = self.runs.iter().map(|runs| runs.swap(0, Ordering::Relaxed));
        runs.enumerate().filter(|(_, runs)| 0 < *runs).collect()
    }
}

#[test]
fn case_g13_of_ten_thousand_families_of_ten_members_only_those_that_a_change_reaches_run() {
    for held in [false, true] {
        let mut all = Families::new();
        let every = |times| (0..10_000).map(|i| (i, times)).collect::<Vec<_>>();
        let mut sums: [u64; 10] = std::array::from_fn(|key| 49_995_000 + 10_000 * key as u64);
        assert_eq!(all.sums(), sums);
        assert_eq!(all.ran(), every(10), "each member once");
        if held {
            for family in &all.derived {
                // Held for as long as the arena lives.
                let _hold = all.arena.hold(*family);
            }
        }

        all.arena.turn(|w| w.set(all.shared.at(3), 100));
        sums[3] += 10_000 * 97;
        assert_eq!(all.sums(), sums);
        assert_eq!(all.ran(), every(1), "all families, one member of each");

        for family in [4_320, 4_321] {
            let (own, first) = (all.own[family], family as u64);
            all.arena.turn(|w| w.set(own.at(7), first + 5));
            assert!(all.arena.counts().reached <= 1, "nothing else is looked at");
            sums[7] += 5;
            assert_eq!(all.sums(), sums);
            assert_eq!(all.ran(), [(family, 1)], "one member of one family");

            all.arena.turn(|w| {
                w.set(own.at(0), first + 1);
                w.set(own.at(9), first + 1);
                w.set(own.at(5), first);
            });
            (sums[0], sums[9]) = (sums[0] + 1, sums[9] + 1);
            assert_eq!(all.sums(), sums);
            assert_eq!(all.ran(), [(family, 2)], "two moved, one was equal");
        }
    }
}
