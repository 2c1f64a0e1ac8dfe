//! Games from a fuzzer's bytes: a byte is a number, a few say what comes next, and the game ends with them.
//!
//! Takes: bytes. Leaves: wishes and moves, the same for the same bytes, and any bytes are some game. Never: more moves
//! than a game should have.

use crate::net::ops::{Form, Look, Op, StepWish, Wish, Write};
use crate::net::watchers::Effect;

/// The most moves of a game.
const OPS_MAX: usize = 60;

/// Bytes not yet used; zeros follow them.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    fn below(&mut self, end: u8) -> u8 {
        self.next() % end
    }

    fn many<T>(&mut self, end: u8, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(end)).map(|_| one(self)).collect()
    }
}

/// The game that bytes stand for.
pub(crate) fn decode(bytes: &[u8]) -> (Vec<Wish>, Vec<Op>) {
    let mut bytes = Bytes(bytes);
    let wishes = bytes.many(10, wish);
    let mut ops = Vec::new();
    while !bytes.0.is_empty() && ops.len() < OPS_MAX {
        ops.push(op(&mut bytes));
    }
    (wishes, ops)
}

fn wish(bytes: &mut Bytes<'_>) -> Wish {
    let (kind, space, shape) = (bytes.next(), bytes.next(), bytes.next());
    let mut inputs = [0; 6];
    inputs.fill_with(|| bytes.next());
    let step_count = bytes.below(5);
    let mut steps = [StepWish::default(); 4];
    for wish in steps.iter_mut().take(step_count.into()) {
        *wish = step(bytes);
    }
    Wish {
        kind,
        space,
        shape,
        inputs,
        step_count,
        steps,
        equality: bytes.next(),
        cut: bytes.next(),
        mood: bytes.next(),
    }
}

fn step(bytes: &mut Bytes<'_>) -> StepWish {
    StepWish {
        cog: bytes.next(),
        pick: bytes.next(),
        how: bytes.next(),
        stop: bytes.next(),
    }
}

fn write(bytes: &mut Bytes<'_>) -> Write {
    let kind = bytes.below(14);
    if kind == 13 {
        return Write::Nested(bytes.many(4, |bytes| flat(bytes, 0)));
    }
    flat(bytes, kind)
}

/// A write that holds no others.
fn flat(bytes: &mut Bytes<'_>, kind: u8) -> Write {
    let (cog, key, value) = (bytes.next(), bytes.below(8), bytes.below(8));
    let space = cog;
    match kind {
        1 => Write::SetRow { cog, key, value },
        2 => Write::SetRef { cog, key, value },
        3 => Write::Update { cog, key, value },
        4 => Write::Equal { cog, key },
        5 => Write::Revert { cog, key, value },
        6 => Write::Clear { cog, key },
        7 => Write::Insert { space, key, value },
        8 => Write::Remove { space, key },
        9 => Write::RemoveSlot { space, key },
        10 => Write::Replace { space, key },
        11 => Write::Read { cog, key },
        12 => Write::Get { cog, key },
        _ => Write::Set { cog, key, value },
    }
}

fn form(bytes: &mut Bytes<'_>) -> Form {
    match bytes.below(6) {
        0 => Form::Plain,
        1 => Form::Named,
        2 => Form::Try,
        3 => Form::Steps,
        4 => Form::StepsWithReads,
        _ => Form::StepsWithHold {
            cog: bytes.next(),
            key: bytes.below(8),
            whole: bytes.below(2) == 0,
        },
    }
}

fn effect(bytes: &mut Bytes<'_>) -> Effect {
    let kind = bytes.below(8);
    let (cog, key, value) = (bytes.next(), bytes.below(8), bytes.below(8));
    match kind {
        0 => Effect::Write { cog, key, value },
        1 => Effect::WriteTwice { cog, key, value },
        2 => Effect::End(cog),
        3 => Effect::Register,
        4 => Effect::Boom,
        _ => Effect::Nothing,
    }
}

fn op(bytes: &mut Bytes<'_>) -> Op {
    let kind = bytes.below(32);
    match kind {
        0..=15 => Op::Turn {
            form: form(bytes),
            writes: bytes.many(7, write),
            fails: bytes.below(20) == 19,
        },
        16 => Op::Declare(bytes.many(3, wish)),
        17 => Op::Queue {
            writes: bytes.many(7, write),
            fails: bytes.below(10) == 9,
        },
        18..=21 => Op::Look {
            look: [Look::Read, Look::TryRead, Look::Lookup, Look::Settled][usize::from(kind - 18)],
            cog: bytes.next(),
            key: bytes.below(8),
        },
        22 => Op::LookAtAll,
        23 => Op::Hold {
            cog: bytes.next(),
            key: bytes.below(8),
        },
        24 => Op::HoldFamily { cog: bytes.next() },
        25 => Op::LetGo(bytes.next()),
        26 => Op::React {
            steps: bytes.many(4, step),
            effect: effect(bytes),
        },
        27 => Op::Watch {
            cog: bytes.next(),
            key: bytes.below(8),
            runs_first: bytes.below(2) == 0,
            effect: effect(bytes),
        },
        28 => Op::End(bytes.next()),
        29 => Op::Arm(bytes.below(4) == 0),
        _ => Op::Stale {
            cog: bytes.next(),
            slot: bytes.next(),
        },
    }
}
