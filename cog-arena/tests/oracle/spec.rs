//! Cogs as plain tables, and the one interpreter that plays them on both sides.
//!
//! Takes: a table and a way to read. Leaves: a value, or why there is none. Never: knows whether
//! it plays for the arena or for the model; that is what makes the two comparable.

/// Keys of either key space: 0 to `KEYS - 1`.
pub(crate) const KEYS: u32 = 6;

/// One value of one cog: a row, whether it is there or not. Keyless cogs have key 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Position in the list of cogs.
    pub(crate) cog: usize,
    /// The key's number.
    pub(crate) key: u32,
}

/// What a cog is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A keyless source.
    Source,
    /// A keyless source that may hold nothing.
    Absent,
    /// A source family in which every key has a value.
    Total,
    /// A source family in which a key has a value from its set to its removal.
    Member,
    /// A function that reads through a reader only.
    Tracked,
    /// A function of declared inputs, of which some may be ways to read.
    Declared,
}

/// When two values of a cog are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Equality {
    /// `PartialEq`, which may be made to fail.
    Exact,
    /// By thirds: the stored value stays.
    Coarse,
    /// Never.
    Always,
}

/// A declared input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The same key in another family, required.
    Aligned(usize),
    /// The same key in another family, if it is there.
    Optional(usize),
    /// A keyless cog, required.
    Shared(usize),
    /// A keyless cog, if it holds something.
    SharedOptional(usize),
    /// Any key of a family, tracked.
    Lookup(usize),
    /// Anything, tracked.
    Reads,
    /// The own last value.
    Previous,
    /// The own key.
    OwnKey,
}

/// How a step reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// Tracked; nothing there is an answer.
    Lookup,
    /// Tracked; nothing there is a failure.
    Get,
    /// Not tracked; nothing there is an answer.
    Peek,
}

/// Which key a step reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    /// The reader's own.
    Own,
    /// Always this one.
    Fixed(u32),
    /// So far below the reader's own.
    Below(u32),
    /// Whichever the values read so far say.
    ByValue,
}

/// When a step is the last one: the reads after it are guarded by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Goes on whatever was read.
    Never,
    /// Stops at values with this remainder by three.
    Third(i64),
    /// Stops at odd values.
    Odd,
    /// Stops where nothing is.
    Nothing,
}

/// One tracked read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Which cog.
    pub(crate) cog: usize,
    /// Whether the cog has keys.
    pub(crate) keyed: bool,
    /// Which of its keys.
    pub(crate) pick: Pick,
    /// Through which verb.
    pub(crate) how: How,
    /// Whether more is read after it.
    pub(crate) stop: Stop,
}

/// What must hold whenever a guarded function runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    /// The guard, at the guarded row's own key.
    pub(crate) cog: usize,
    /// Whether it is enough that the guard is there; else it must be even.
    pub(crate) presence: bool,
}

/// A cog, completely.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    /// What it is.
    pub(crate) kind: Kind,
    /// Its key space, if it is a family.
    pub(crate) space: Option<usize>,
    /// When its values are the same.
    pub(crate) equality: Equality,
    /// The number of the input tuple's type.
    pub(crate) shape: usize,
    /// The declared inputs, in the order of the tuple.
    pub(crate) inputs: Vec<Role>,
    /// The tracked reads.
    pub(crate) steps: Vec<Step>,
    /// What the sum starts from; a source's first value.
    pub(crate) seed: i64,
    /// Values lie below it.
    pub(crate) cut: i64,
    /// The remainder by seven at which the function fails.
    pub(crate) boom: Option<i64>,
    /// The remainder by three at which the function gives nothing.
    pub(crate) nothing: Option<i64>,
    /// Whether the function reads its own last value through its reader.
    pub(crate) previous: bool,
    /// What must hold when the function runs.
    pub(crate) guard: Option<Guard>,
    /// Read by its guard's reader only.
    pub(crate) hidden: bool,
    /// Its handle is given out before its function.
    pub(crate) reserved: bool,
}

/// Why a row has no value and is not merely absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The function failed.
    Boom,
    /// The comparison failed.
    Bomb,
    /// The function read what isn't there.
    Missing,
    /// The row needs itself.
    Cycle,
}

/// What a row holds: a value, nothing, or a failure.
pub(crate) type Truth = Result<Option<i64>, Fault>;

impl Spec {
    /// Whether the cog is written from outside.
    pub(crate) fn is_source(&self) -> bool {
        matches!(
            self.kind,
            Kind::Source | Kind::Absent | Kind::Total | Kind::Member
        )
    }

    /// Whether the function gets a reader or a lookup.
    pub(crate) fn is_mixed(&self) -> bool {
        self.inputs
            .iter()
            .any(|role| matches!(role, Role::Reads | Role::Lookup(_)))
    }

    /// Whether a run's result depends on more than what it read: the model must know when it ran.
    pub(crate) fn is_sticky(&self) -> bool {
        self.previous
            || self.inputs.contains(&Role::Previous)
            || self.steps.iter().any(|step| step.how == How::Peek)
    }

    /// The rows that a declared row depends on, with whether each is required.
    pub(crate) fn declared(&self, key: u32) -> impl Iterator<Item = (Place, bool)> {
        self.inputs.iter().filter_map(move |role| match *role {
            Role::Aligned(cog) => Some((Place { cog, key }, true)),
            Role::Optional(cog) => Some((Place { cog, key }, false)),
            Role::Shared(cog) => Some((Place { cog, key: 0 }, true)),
            Role::SharedOptional(cog) => Some((Place { cog, key: 0 }, false)),
            Role::Lookup(_) | Role::Reads | Role::Previous | Role::OwnKey => None,
        })
    }
}

impl Step {
    /// The row that this step reads for `me`, or none if the step is to be skipped.
    ///
    /// A cog may read itself and cogs declared after it at smaller keys only, so that most graphs
    /// have no cycle.
    pub(crate) fn target(&self, me: Place, sum: i64) -> Option<Place> {
        let key = match self.pick {
            _ if !self.keyed => {
                return (self.cog < me.cog).then_some(Place {
                    cog: self.cog,
                    key: 0,
                });
            }
            Pick::Own => Some(me.key),
            Pick::Fixed(key) => Some(key),
            Pick::Below(distance) => me.key.checked_sub(distance),
            Pick::ByValue => Some(
                u32::try_from(sum.rem_euclid(i64::from(KEYS))).expect("a remainder by a few keys"),
            ),
        }?;
        let forward = me.cog <= self.cog;
        (!forward || key < me.key).then_some(Place { cog: self.cog, key })
    }

    fn stops_at(&self, read: Option<i64>) -> bool {
        match self.stop {
            Stop::Never => false,
            Stop::Third(remainder) => read.is_some_and(|value| value.rem_euclid(3) == remainder),
            Stop::Odd => read.is_none_or(|value| value.rem_euclid(2) == 1),
            Stop::Nothing => read.is_none(),
        }
    }
}

/// Plays the tracked reads of `steps`; the sum of what was read on top of `sum`.
pub(crate) fn play_steps(
    steps: &[Step],
    me: Place,
    mut sum: i64,
    read: &mut dyn FnMut(Place, How) -> Truth,
) -> Result<i64, Fault> {
    let is_plain = steps.iter().all(|step| step.cog < SOURCES);
    let mut peeked = 0;
    for (at, step) in (1..).zip(steps) {
        let Some(place) = step.target(me, sum) else {
            continue;
        };
        let value = read(place, step.how)?;
        if step.how == How::Peek && !is_plain {
            // As with the own last value: what is read next must not depend on what nobody tells of.
            if step.cog < SOURCES {
                peeked += at * value.unwrap_or(-2);
            }
            continue;
        }
        sum += at * value.unwrap_or(-2);
        if step.stops_at(value) {
            break;
        }
    }
    Ok(sum + peeked)
}

/// The cogs that every game begins with are sources.
pub(crate) const SOURCES: usize = 5;

/// Plays the function of `spec` for `me`: the value before equality has had its say.
pub(crate) fn play(
    spec: &Spec,
    me: Place,
    inputs: &[Option<i64>],
    previous: Option<i64>,
    read: &mut dyn FnMut(Place, How) -> Truth,
) -> Truth {
    let mut sum = spec.seed;
    for (at, input) in (1..).zip(inputs) {
        sum += at * input.unwrap_or(-3);
    }
    if spec.inputs.contains(&Role::OwnKey) {
        sum += i64::from(me.key);
    }
    let before = if spec.previous || spec.inputs.contains(&Role::Previous) {
        previous.unwrap_or(7)
    } else {
        0
    };
    // What a row reads may depend on its own last value where it reads sources only. Elsewhere it might not read again
    // what it read, though nothing moved; so another row may be run for nothing, and close a cycle that isn't one.
    let is_plain = spec.steps.iter().all(|step| step.cog < SOURCES);
    let sum_before = if is_plain { before } else { 0 };
    sum = play_steps(&spec.steps, me, sum + sum_before, read)? + before - sum_before;
    if spec.boom == Some(sum.rem_euclid(7)) {
        return Err(Fault::Boom);
    }
    if spec.nothing == Some(sum.rem_euclid(3)) {
        return Ok(None);
    }
    Ok(Some(sum.rem_euclid(spec.cut)))
}
