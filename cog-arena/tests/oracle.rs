//! The oracle: a naive model and a real arena play the same random game and must agree.
//!
//! Takes: `PROPTEST_CASES`, the number of games, and `ORACLE_SEED`, which ones; `ORACLE_CORPUS`, a folder of a fuzzer's.
//! Leaves: nothing, or the smallest game that fails, with the seed. Never: looks inside the arena; `check()` does that.

#![expect(
    clippy::missing_errors_doc,
    reason = "a row's truth is a `Result` all over the model"
)]

#[path = "common/env.rs"]
mod env;
#[path = "oracle/mod.rs"]
mod net;

use env::number;
use net::bytes::decode;
use net::drive::Table;
use net::ops::{Op, Wish, Write, game};
use net::whole::fault;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use std::panic::{set_hook, take_hook};
use std::path::{Path, PathBuf};

/// A smaller game that still fails: without moves, writes and cogs that don't matter.
fn shrink(mut wishes: Vec<Wish>, mut ops: Vec<Op>) -> (Vec<Wish>, Vec<Op>) {
    loop {
        let size = size(&wishes, &ops);
        leave_out(&mut ops, |ops| fault(&wishes, ops).is_some());
        for at in 0..ops.len() {
            let mut writes = match &ops[at] {
                Op::Turn { writes, .. } | Op::Queue { writes, .. } => writes.clone(),
                _ => continue,
            };
            let with = |writes: &[Write]| {
                let mut ops = ops.clone();
                if let Op::Turn { writes: old, .. } | Op::Queue { writes: old, .. } = &mut ops[at] {
                    *old = writes.to_vec();
                }
                ops
            };
            leave_out(&mut writes, |writes| {
                fault(&wishes, &with(writes)).is_some()
            });
            ops = with(&writes);
        }
        leave_out(&mut wishes, |wishes| fault(wishes, &ops).is_some());
        if size == self::size(&wishes, &ops) {
            return (wishes, ops);
        }
    }
}

fn size(wishes: &[Wish], ops: &[Op]) -> usize {
    wishes.len() + format!("{ops:?}").len()
}

/// Leaves out whatever can be, as long as what is left `fails`.
fn leave_out<T: Clone>(list: &mut Vec<T>, fails: impl Fn(&[T]) -> bool) {
    for at in (0..list.len()).rev() {
        let mut shorter = list.clone();
        shorter.remove(at);
        if fails(&shorter) {
            *list = shorter;
        }
    }
}

/// The tables of a game's cogs, and its moves, a line each.
fn render(wishes: &[Wish], ops: &[Op]) -> String {
    let mut table = Table::new(wishes);
    for op in ops.iter().filter(|op| matches!(op, Op::Declare(_))) {
        table.play(op);
    }
    let specs = table.model().specs.clone();
    let specs = specs
        .iter()
        .enumerate()
        .map(|(cog, spec)| format!("cog {cog}: {spec:?}\n"));
    let line = |op: &Op| match op {
        Op::Declare(wishes) => format!("Declare({} of the cogs above)\n", wishes.len()),
        op => format!("{op:?}\n"),
    };
    let ops = ops.iter().map(line);
    specs.chain(ops).collect()
}

#[test]
fn the_arena_agrees_with_the_naive_model() {
    let seed = number("ORACLE_SEED", 1);
    let config = Config {
        cases: u32::try_from(number("PROPTEST_CASES", 256))
            .expect("a number of cases fits 32 bits"),
        failure_persistence: None,
        max_shrink_iters: 300,
        ..Config::default()
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    // Games fail on purpose, all the time; what counts is said at the end.
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    let result = runner.run(&game(), |(wishes, ops)| {
        fault(&wishes, &ops).map_or(Ok(()), |fault| Err(TestCaseError::fail(fault)))
    });
    let verdict = match result {
        Ok(()) => None,
        Err(TestError::Fail(_, (wishes, ops))) => Some(verdict(wishes, ops)),
        Err(TestError::Abort(reason)) => Some(format!("gave up: {reason}")),
    };
    set_hook(hook);
    if let Some(verdict) = verdict {
        panic!("ORACLE_SEED={seed}: {verdict}");
    }
}

/// The smallest game that still fails, told in full.
fn verdict(wishes: Vec<Wish>, ops: Vec<Op>) -> String {
    let (wishes, ops) = shrink(wishes, ops);
    let fault = fault(&wishes, &ops).unwrap_or_default();
    format!("{fault}\n{}", render(&wishes, &ops))
}

/// What the fuzzer found interesting, once more, on every toolchain.
#[test]
fn the_arena_agrees_with_the_naive_model_in_the_games_of_the_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/oracle");
    let folder = std::env::var_os("ORACLE_CORPUS").map_or(corpus, PathBuf::from);
    let files = std::fs::read_dir(&folder).expect("the corpus lies in the project");
    let mut paths: Vec<_> = files
        .map(|file| file.expect("it can be listed").path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "the corpus is there");
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    let verdict = paths.iter().find_map(|path| {
        let (wishes, ops) = decode(&std::fs::read(path).expect("it can be read"));
        fault(&wishes, &ops)?;
        Some(format!("{}: {}", path.display(), verdict(wishes, ops)))
    });
    set_hook(hook);
    assert!(verdict.is_none(), "{}", verdict.unwrap_or_default());
}
