//! Random games with folds over every kind of family, against a naive recomputation.
//!
//! Takes: `FOLD_GAMES`, how many, and `FOLD_SEED`, the first one. Leaves: nothing, or the seed that fails. Never: looks
//! at run counts; `fold.rs` does.

#[path = "common/env.rs"]
mod env;
#[path = "fold_random/mod.rs"]
mod rooms;

use env::number;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};

#[test]
#[expect(clippy::print_stderr, reason = "a failing seed must be known")]
fn random_folds_agree_with_the_naive_recomputation() {
    let first = number("FOLD_SEED", 1);
    let games = number("FOLD_GAMES", 150);
    let hook = take_hook();
    if games != 1 {
        // Functions panic all the time.
        set_hook(Box::new(|_| {}));
    }
    let mut outcome = Ok(0);
    for seed in first..first + games {
        let played = catch_unwind(AssertUnwindSafe(|| rooms::play::play(seed)));
        match (played, &mut outcome) {
            (Ok(compared), Ok(sum)) => *sum += compared,
            (Err(panic), _) => {
                eprintln!("FOLD_SEED={seed} FOLD_GAMES=1 fails");
                outcome = Err(panic);
                break;
            }
            _ => {}
        }
    }
    if games != 1 {
        set_hook(hook);
    }
    match outcome {
        Ok(compared) => assert!(0 < compared, "folds were read"),
        Err(panic) => resume_unwind(panic),
    }
}
