//! Random games: after each frame every derived value is what a naive recomputation from the world
//! says, a change tick moved only if its value did, and reactions were told just that.
//!
//! Takes: `RANDOM_SEED`, which games, and `PROPTEST_CASES`, how many. Leaves: nothing, or the smallest
//! game that fails, with the seed. Never: looks into the plugin.

mod game;

use std::panic::{AssertUnwindSafe, catch_unwind};

use game::acts::{Frame, game};
use game::play::{Executor, play};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

/// Which games are played if nobody says otherwise.
const SEED: u64 = 20;

/// Plays random games of up to `frames` frames.
///
/// # Panics
///
/// If one fails: with the smallest such game, and the seed.
fn games(frames: usize, test: impl Fn(&[Frame])) {
    let seed = std::env::var("RANDOM_SEED").map_or(SEED, |seed| seed.parse().expect("a number"));
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let outcome = TestRunner::new_with_rng(config, rng).run(&game(frames), |frames| {
        let played = catch_unwind(AssertUnwindSafe(|| test(&frames)));
        played.map_err(|panic| TestCaseError::fail(message(&*panic)))
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(why, frames)) => {
            panic!("RANDOM_SEED={seed}: {why}\nin the game {frames:#?}")
        }
        Err(TestError::Abort(why)) => panic!("RANDOM_SEED={seed}: {why}"),
    }
}

/// The message of a panic.
fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_default()
}

#[test]
fn after_each_random_frame_everything_is_what_the_world_says() {
    games(12, |frames| drop(play(frames, Executor::Single, false)));
}

#[test]
fn the_same_holds_with_a_reaction_that_writes_a_source() {
    games(8, |frames| drop(play(frames, Executor::Single, true)));
}

#[test]
fn both_executors_show_the_same() {
    games(8, |frames| {
        let [single, multi] = [Executor::Single, Executor::Multi].map(|e| play(frames, e, true));
        assert_eq!(single, multi);
    });
}
