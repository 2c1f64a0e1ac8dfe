//! Depth and width: chains of a hundred thousand links on a stack of two megabytes, wide fans, long lists.

mod common;

use std::sync::{Arc, Mutex};

use cog_arena::{Arena, Derived, Reaction, Reader, Source};
use common::Log;

/// As long as the longest chain here, and five times what would do for plain recursion.
const LINKS: u64 = 100_000;

/// Runs a test on a thread whose stack is as small as a thread's usually is.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    const BYTES: usize = 2 << 20;
    let thread = std::thread::Builder::new()
        .stack_size(BYTES)
        .spawn(test)
        .expect("a thread can be started");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// What a link of a chain reads, and in which order.
#[derive(Clone, Copy, Debug)]
enum Link {
    /// Only the link below.
    Below,
    /// The link below, and then the source.
    BelowFirst,
    /// The source, and then the link below: the order in which a warm chain nests.
    SourceFirst,
    /// The link below, as a declared input.
    Declared,
}

/// A chain of links. Each adds one; the highest bit of the source, where it is read, is never set.
fn chain(arena: &mut Arena, link: Link, links: u64) -> (Source<u64>, Derived<u64>) {
    let source = arena.source(0_u64);
    let mut last = arena.derived_from(source.shared(), |s: &u64| s + 1);
    for _ in 1..links {
        last = match link {
            Link::Below => arena.derived(move |r| r.get(last) + 1),
            Link::BelowFirst => arena.derived(move |r| r.get(last) + 1 + (r.get(source) >> 63)),
            Link::SourceFirst => arena.derived(move |r| (r.get(source) >> 63) + 1 + r.get(last)),
            Link::Declared => arena.derived_from(last.shared(), |below: &u64| below + 1),
        };
    }
    (source, last)
}

/// Cold, warm, and dropped, all on a small stack.
fn cold_and_warm(link: Link) {
    on_a_small_stack(move || {
        let mut arena = Arena::new();
        let (source, last) = chain(&mut arena, link, LINKS);
        assert_eq!(*arena.read(last), LINKS, "{link:?}, cold");
        assert_eq!(arena.totals().run, LINKS);

        arena.turn(|w| w.set(source, 5));
        assert_eq!(*arena.read(last), LINKS + 5, "{link:?}, warm");
        assert_eq!(arena.totals().run, 2 * LINKS);
        arena.check();
        drop(arena);
    });
}

#[test]
fn graph_03_a_deep_warm_chain_settles_without_growing_the_stack() {
    cold_and_warm(Link::Below);
}

#[test]
fn a_deep_chain_that_reads_its_predecessor_before_the_source() {
    cold_and_warm(Link::BelowFirst);
}

#[test]
fn fault_01_a_deep_chain_that_reads_the_source_before_its_predecessor() {
    cold_and_warm(Link::SourceFirst);
}

#[test]
fn a_deep_declared_chain() {
    cold_and_warm(Link::Declared);
}

#[test]
fn a_deep_chain_that_is_held_settles_in_the_turn() {
    for link in [
        Link::Below,
        Link::BelowFirst,
        Link::SourceFirst,
        Link::Declared,
    ] {
        on_a_small_stack(move || {
            let mut arena = Arena::new();
            let (source, last) = chain(&mut arena, link, LINKS);
            let hold = arena.hold(last);
            for next in 1..4 {
                arena.turn(|w| w.set(source, next));
                assert_eq!(arena.settled(last), Some(&(LINKS + next)), "{link:?}");
            }
            arena.let_go(hold);
            arena.turn(|w| w.set(source, 9));
            assert_eq!(*arena.read(last), LINKS + 9, "{link:?}, let go");
        });
    }
}

#[test]
fn g01_a_chain_of_ten_thousand_cold_warm_and_with_a_reaction() {
    on_a_small_stack(|| {
        let log = Log::default();
        let mut arena = Arena::new();
        let (source, last) = chain(&mut arena, Link::Below, 10_000);
        assert_eq!(*arena.read(last), 10_000);
        arena.turn(|w| w.set(source, 1));
        assert_eq!(*arena.read(last), 10_001);
        let noted = log.clone();
        let reaction = arena.react(move |r, _| noted.note(r.get(last).to_string()));

        arena.turn(|w| w.set(source, 2));

        assert_eq!(log.take(), ["10001", "10002"]);
        arena.check();
        assert!(arena.end(reaction));
    });
}

#[test]
fn g03_a_gate_at_the_first_link_is_one_run_however_long_the_chain() {
    for link in [Link::Below, Link::Declared] {
        on_a_small_stack(move || {
            let mut arena = Arena::new();
            let source = arena.source(1_u64);
            let mut last = arena.derived(move |r| r.get(source) % 2);
            for _ in 1..LINKS {
                last = match link {
                    Link::Declared => arena.derived_from(last.shared(), |below: &u64| below + 1),
                    _ => arena.derived(move |r| r.get(last) + 1),
                };
            }
            assert_eq!(*arena.read(last), LINKS);
            let before = arena.totals().run;

            arena.turn(|w| w.set(source, 3));
            assert_eq!(*arena.read(last), LINKS);

            assert_eq!(arena.totals().run, before + 1, "{link:?}");
        });
    }
}

#[test]
fn g05_one_cog_that_reads_a_hundred_thousand_sources_and_then_ten() {
    const SOURCES: u32 = 100_000;
    let log = Log::default();
    let mut arena = Arena::new();
    let space = arena.key_space_indexed::<u32>(|key| *key);
    let number = arena.source_family(space, |_| 1_u64);
    let wide = arena.source(SOURCES);
    let sum = arena.derived(log.named("sum", move |r| {
        (0..*r.get(wide))
            .map(|key| r.get(number.at(key)))
            .sum::<u64>()
    }));
    assert_eq!(*arena.read(sum), u64::from(SOURCES));

    arena.turn(|w| w.set(number.at(77_777), 2));
    assert_eq!(*arena.read(sum), u64::from(SOURCES) + 1);
    arena.turn(|w| w.set(wide, 10));
    assert_eq!(*arena.read(sum), 10);
    arena.turn(|w| w.set(number.at(77_777), 3));
    assert_eq!(*arena.read(sum), 10);

    assert_eq!(log.runs("sum"), 3);
    assert_eq!(arena.consumer_count(number.at(77_777)), 0);
    assert_eq!(arena.consumer_count(number.at(9)), 1);
    arena.check();
}

#[test]
fn g07_a_ladder_of_sixty_runs_sixty() {
    let mut arena = Arena::new();
    let source = arena.source(0_u64);
    let first = arena.derived(move |r| *r.get(source));
    let second = arena.derived(move |r| r.get(first) + r.get(source));
    let mut rungs = vec![first, second];
    while rungs.len() < 60 {
        let [.., below, last] = rungs[..] else {
            unreachable!("the ladder has two rungs")
        };
        rungs.push(arena.derived(move |r| r.get(last) + r.get(below)));
    }
    let top = rungs[59];
    assert_eq!(*arena.read(top), 0);
    assert_eq!(arena.totals().run, 60);

    arena.turn(|w| w.set(source, 1));

    assert_eq!(
        *arena.read(top),
        2_504_730_781_961,
        "the sixty-first number of Fibonacci"
    );
    assert_eq!(arena.totals().run, 120);
}

/// Registers the next one at its first run, at the tail of the flush that it runs in.
fn nest(
    depth: u32,
    source: Source<u32>,
    log: Log,
    reactions: Arc<Mutex<Vec<Reaction>>>,
) -> impl FnMut(&Reader<'_>, &mut cog_arena::Later<'_>) + Send + Sync + 'static {
    let mut is_first = true;
    move |r, later| {
        log.note(format!("{depth}: {}", r.get(source)));
        if std::mem::replace(&mut is_first, false) && 0 < depth {
            let next = nest(depth - 1, source, log.clone(), Arc::clone(&reactions));
            let next = later.react(next);
            reactions.lock().expect("no test panicked").push(next);
        }
    }
}

#[test]
fn g08_reactions_that_register_reactions_ten_thousand_deep() {
    const DEPTH: u32 = 10_000;
    on_a_small_stack(|| {
        let log = Log::default();
        let reactions = Arc::default();
        let mut arena = Arena::new();
        let source = arena.source(0);
        let outermost = arena.react(nest(DEPTH, source, log.clone(), Arc::clone(&reactions)));
        let each = |value| -> Vec<String> {
            (0..=DEPTH)
                .rev()
                .map(|depth| format!("{depth}: {value}"))
                .collect()
        };
        assert_eq!(log.take(), each(0), "from the outermost in");

        arena.turn(|w| w.set(source, 1));
        assert_eq!(log.take(), each(1), "each once, none a second time");
        assert_eq!(arena.consumer_count(source), DEPTH as usize + 1);

        assert!(arena.end(outermost));
        for reaction in reactions.lock().expect("no test panicked").drain(..) {
            assert!(arena.end(reaction), "nobody ended it along with another");
        }
        arena.turn(|w| w.set(source, 2));
        assert_eq!((log.len(), arena.consumer_count(source)), (0, 0));
        arena.check();
    });
}

#[test]
fn g09_ten_thousand_reactions_that_each_write_the_next_source() {
    const SOURCES: usize = 10_000;
    on_a_small_stack(|| {
        let mut arena = Arena::new();
        let sources: Vec<Source<u32>> = (0..=SOURCES).map(|_| arena.source(0)).collect();
        for pair in sources.windows(2) {
            let [own, next] = *pair else {
                unreachable!("windows of two")
            };
            arena.react(move |r, later| {
                let value = *r.get(own);
                if 0 < value {
                    later.turn(move |w| w.set(next, value));
                }
            });
        }

        arena.turn(|w| w.set(sources[0], 7));

        assert_eq!(*arena.read(sources[SOURCES]), 7);
        assert_eq!(arena.queued(), 0);
    });
}

#[test]
fn g10_wide_and_narrow_again() {
    for declared in [false, true] {
        let mut arena = Arena::new();
        let source = arena.source(1_u64);
        let space = arena.key_space_indexed::<u32>(|key| *key);
        let weight = arena.source_family(space, |key| u64::from(*key));
        arena.turn(|w| {
            for key in 0..10_000 {
                w.insert_key(space, key);
            }
        });
        let middle = if declared {
            let inputs = (source.shared(), weight.aligned());
            arena.derived_family_from(space, inputs, |(s, w): (&u64, &u64)| s * w)
        } else {
            arena.derived_family(space, move |r, &key| r.get(source) * r.get(weight.at(key)))
        };
        let join =
            arena.derived(move |r| (0..10_000).map(|key| r.get(middle.at(key))).sum::<u64>());
        assert_eq!(*arena.read(join), 49_995_000);

        arena.turn(|w| w.set(source, 3));

        assert_eq!(*arena.read(join), 3 * 49_995_000);
        assert_eq!(arena.totals().run, 2 * 10_001, "declared: {declared}");
        arena.check();
    }
}

#[test]
fn g11_an_edge_that_deepens_ten_thousand_cogs_behind_it() {
    on_a_small_stack(|| {
        let mut arena = Arena::new();
        let (flag, short) = (arena.source(false), arena.source(1_u64));
        let (_, deep) = chain(&mut arena, Link::Below, 10_000);
        let chosen = arena.derived(move |r| {
            if *r.get(flag) {
                *r.get(deep)
            } else {
                *r.get(short)
            }
        });
        let mut last = arena.derived(move |r| r.get(chosen) + 1);
        for _ in 1..10_000 {
            last = arena.derived(move |r| r.get(last) + 1);
        }
        let hold = arena.hold(last);
        assert_eq!(*arena.read(last), 10_001);
        let before = arena.totals().run;

        arena.turn(|w| w.set(flag, true));

        assert_eq!(*arena.read(last), 20_000);
        assert_eq!(arena.totals().run - before, 1 + 10_000 + 10_000);
        arena.check();
        arena.let_go(hold);
    });
}

#[test]
fn g12_a_comb_runs_each_reaction_once_in_the_order_of_the_chain() {
    const TEETH: usize = 10_000;
    on_a_small_stack(|| {
        let log = Log::default();
        let mut arena = Arena::new();
        let source = arena.source(0_usize);
        let mut last = arena.derived(move |r| r.get(source) + 1);
        for _ in 0..TEETH {
            let (noted, tooth) = (log.clone(), last);
            arena.react(move |r, _| noted.note(r.get(tooth).to_string()));
            last = arena.derived(move |r| r.get(tooth) + 1);
        }
        assert_eq!(log.take().len(), TEETH);

        arena.turn(|w| w.set(source, 100));

        let expected: Vec<String> = (0..TEETH).map(|tooth| (tooth + 101).to_string()).collect();
        assert_eq!(log.take(), expected);
        arena.check();
    });
}
