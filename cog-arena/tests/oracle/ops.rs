//! The moves of a game, and how they are drawn.
//!
//! Takes: proptest's randomness. Leaves: moves whose numbers mean something in any state (they
//! are taken modulo what there is), so that every part of a failing game can be left out.
//! Never: looks at a state.

use crate::net::watchers::Effect;
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::{Just, Strategy, any, prop_oneof};

/// How a cog is declared, in raw numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wish {
    /// Which kind.
    pub(crate) kind: u8,
    /// Which key space, or none.
    pub(crate) space: u8,
    /// Which shape of inputs.
    pub(crate) shape: u8,
    /// Which cogs are the inputs.
    pub(crate) inputs: [u8; 6],
    /// How many tracked reads.
    pub(crate) step_count: u8,
    /// The tracked reads.
    pub(crate) steps: [StepWish; 4],
    /// Equality, and whether the function looks at its last value.
    pub(crate) equality: u8,
    /// How many values there are.
    pub(crate) cut: u8,
    /// When the function fails or gives nothing.
    pub(crate) mood: u8,
}

/// A tracked read, in raw numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StepWish {
    /// Which cog.
    pub(crate) cog: u8,
    /// Which key.
    pub(crate) pick: u8,
    /// Which verb.
    pub(crate) how: u8,
    /// When to stop.
    pub(crate) stop: u8,
}

/// One move inside a turn's body.
#[derive(Clone, Debug)]
pub(crate) enum Write {
    /// Sets a source.
    Set { cog: u8, key: u8, value: u8 },
    /// Sets it by slot, through the typed rows.
    SetRow { cog: u8, key: u8, value: u8 },
    /// Sets it from a reference.
    SetRef { cog: u8, key: u8, value: u8 },
    /// Adds to what the writer sees.
    Update { cog: u8, key: u8, value: u8 },
    /// Sets what is there already.
    Equal { cog: u8, key: u8 },
    /// Sets something else and then what is there.
    Revert { cog: u8, key: u8, value: u8 },
    /// Takes the value away, where that is possible.
    Clear { cog: u8, key: u8 },
    /// Makes a key a member, and perhaps sets one of its rows.
    Insert { space: u8, key: u8, value: u8 },
    /// Removes a key.
    Remove { space: u8, key: u8 },
    /// Removes it by slot.
    RemoveSlot { space: u8, key: u8 },
    /// Removes it and makes it a member again.
    Replace { space: u8, key: u8 },
    /// Reads any cog: the committed value.
    Read { cog: u8, key: u8 },
    /// Reads a source as the writer sees it.
    Get { cog: u8, key: u8 },
    /// Several moves in a nested turn.
    Nested(Vec<Write>),
}

/// How a turn is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    /// `turn`.
    Plain,
    /// `turn_named`.
    Named,
    /// `try_turn`.
    Try,
    /// In steps.
    Steps,
    /// In steps, with reads between them.
    StepsWithReads,
    /// In steps, and while it is being written something is held: a row, or a family as a whole.
    StepsWithHold { cog: u8, key: u8, whole: bool },
}

/// How a row is read from outside.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Look {
    /// `read`.
    Read,
    /// `try_read`.
    TryRead,
    /// `lookup`.
    Lookup,
    /// `settled`.
    Settled,
}

/// One move.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    /// Declares cogs.
    Declare(Vec<Wish>),
    /// Takes a turn, whose body fails at its end perhaps.
    Turn {
        form: Form,
        writes: Vec<Write>,
        fails: bool,
    },
    /// Queues a turn.
    Queue { writes: Vec<Write>, fails: bool },
    /// Reads a row.
    Look { look: Look, cog: u8, key: u8 },
    /// Reads all rows that may be read.
    LookAtAll,
    /// Holds a row.
    Hold { cog: u8, key: u8 },
    /// Holds a family.
    HoldFamily { cog: u8 },
    /// Lets a hold go.
    LetGo(u8),
    /// Registers a reaction.
    React {
        steps: Vec<StepWish>,
        effect: Effect,
    },
    /// Registers a watch.
    Watch {
        cog: u8,
        key: u8,
        runs_first: bool,
        effect: Effect,
    },
    /// Ends a reaction.
    End(u8),
    /// Makes feeds of a row.
    Feed { cog: u8, key: u8, newest: bool },
    /// Drops them.
    DropFeed(u8),
    /// Arms or disarms the bomb in equality.
    Arm(bool),
    /// Tries a slot from the past.
    Stale { cog: u8, slot: u8 },
}

/// A whole game.
pub(crate) fn game() -> impl Strategy<Value = (Vec<Wish>, Vec<Op>)> {
    (vec(wish(), 1..10), vec(op(), 20..41))
}

fn wish() -> impl Strategy<Value = Wish> {
    let refs = (any::<[u8; 6]>(), 0..5_u8, [step(), step(), step(), step()]);
    let rest = (any::<u8>(), any::<u8>(), any::<u8>());
    ((any::<u8>(), any::<u8>(), any::<u8>()), refs, rest).prop_map(|(what, refs, rest)| Wish {
        kind: what.0,
        space: what.1,
        shape: what.2,
        inputs: refs.0,
        step_count: refs.1,
        steps: refs.2,
        equality: rest.0,
        cut: rest.1,
        mood: rest.2,
    })
}

fn step() -> impl Strategy<Value = StepWish> {
    (any::<u8>(), any::<u8>(), any::<u8>(), any::<u8>()).prop_map(|(cog, pick, how, stop)| {
        StepWish {
            cog,
            pick,
            how,
            stop,
        }
    })
}

fn simple_write() -> impl Strategy<Value = Write> {
    let at = || (any::<u8>(), 0..8_u8);
    let to = || (any::<u8>(), 0..8_u8, 0..8_u8);
    prop_oneof![
        8 => to().prop_map(|(cog, key, value)| Write::Set { cog, key, value }),
        2 => to().prop_map(|(cog, key, value)| Write::SetRow { cog, key, value }),
        2 => to().prop_map(|(cog, key, value)| Write::SetRef { cog, key, value }),
        1 => to().prop_map(|(cog, key, value)| Write::Update { cog, key, value }),
        1 => at().prop_map(|(cog, key)| Write::Equal { cog, key }),
        1 => to().prop_map(|(cog, key, value)| Write::Revert { cog, key, value }),
        3 => at().prop_map(|(cog, key)| Write::Clear { cog, key }),
        2 => to().prop_map(|(space, key, value)| Write::Insert { space, key, value }),
        2 => at().prop_map(|(space, key)| Write::Remove { space, key }),
        1 => at().prop_map(|(space, key)| Write::RemoveSlot { space, key }),
        1 => at().prop_map(|(space, key)| Write::Replace { space, key }),
        1 => at().prop_map(|(cog, key)| Write::Read { cog, key }),
        1 => at().prop_map(|(cog, key)| Write::Get { cog, key }),
    ]
}

fn writes() -> impl Strategy<Value = Vec<Write>> {
    let nested = vec(simple_write(), 0..4).prop_map(Write::Nested);
    vec(prop_oneof![12 => simple_write(), 1 => nested], 0..7)
}

fn form() -> impl Strategy<Value = Form> {
    prop_oneof![
        3 => Just(Form::Plain),
        1 => Just(Form::Named),
        1 => Just(Form::Try),
        3 => Just(Form::Steps),
        1 => Just(Form::StepsWithReads),
        1 => (any::<u8>(), 0..8_u8, any::<bool>())
            .prop_map(|(cog, key, whole)| Form::StepsWithHold { cog, key, whole }),
    ]
}

fn effect() -> impl Strategy<Value = Effect> {
    prop_oneof![
        6 => Just(Effect::Nothing),
        2 => (any::<u8>(), any::<u8>(), 0..8_u8).prop_map(|(cog, key, value)| Effect::Write { cog, key, value }),
        1 => (any::<u8>(), any::<u8>(), 0..8_u8).prop_map(|(cog, key, value)| Effect::WriteTwice { cog, key, value }),
        1 => any::<u8>().prop_map(Effect::End),
        1 => Just(Effect::Register),
        1 => Just(Effect::Boom),
    ]
}

fn look() -> impl Strategy<Value = Look> {
    prop_oneof![
        Just(Look::Read),
        Just(Look::TryRead),
        Just(Look::Lookup),
        Just(Look::Settled)
    ]
}

fn op() -> impl Strategy<Value = Op> {
    let watch = (any::<u8>(), 0..8_u8, any::<bool>(), effect());
    prop_oneof![
        1 => vec(wish(), 1..3).prop_map(Op::Declare),
        14 => (form(), writes(), weighted(0.05, Just(())))
            .prop_map(|(form, writes, fails)| Op::Turn { form, writes, fails: fails.is_some() }),
        1 => (writes(), weighted(0.1, Just(())))
            .prop_map(|(writes, fails)| Op::Queue { writes, fails: fails.is_some() }),
        6 => (look(), any::<u8>(), 0..8_u8).prop_map(|(look, cog, key)| Op::Look { look, cog, key }),
        1 => Just(Op::LookAtAll),
        2 => (any::<u8>(), 0..8_u8).prop_map(|(cog, key)| Op::Hold { cog, key }),
        2 => any::<u8>().prop_map(|cog| Op::HoldFamily { cog }),
        2 => any::<u8>().prop_map(Op::LetGo),
        2 => (vec(step(), 1..4), effect()).prop_map(|(steps, effect)| Op::React { steps, effect }),
        1 => watch.prop_map(|(cog, key, runs_first, effect)| Op::Watch { cog, key, runs_first, effect }),
        1 => any::<u8>().prop_map(Op::End),
        2 => (any::<u8>(), 0..8_u8, any::<bool>())
            .prop_map(|(cog, key, newest)| Op::Feed { cog, key, newest }),
        1 => any::<u8>().prop_map(Op::DropFeed),
        1 => weighted(0.3, Just(())).prop_map(|armed| Op::Arm(armed.is_some())),
        1 => (any::<u8>(), any::<u8>()).prop_map(|(cog, slot)| Op::Stale { cog, slot }),
    ]
}
