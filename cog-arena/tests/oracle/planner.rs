//! Fills in one table: which cogs a wish's numbers mean, and what the function makes of them.
//!
//! Takes: a wish and the cogs before it. Leaves: a table. Never: refers to a cog that is hidden.

use crate::net::declare::{FAMILY_SHAPES, KEYLESS_SHAPES};
use crate::net::ops::{StepWish, Wish};
use crate::net::spec::{Equality, Guard, How, KEYS, Kind, Pick, Role, Spec, Step, Stop};
use std::sync::Arc;

/// A table to start from.
pub(crate) fn blank() -> Spec {
    Spec {
        kind: Kind::Tracked,
        space: None,
        equality: Equality::Exact,
        shape: 0,
        inputs: Vec::new(),
        steps: Vec::new(),
        seed: 0,
        cut: 8,
        boom: None,
        nothing: None,
        previous: false,
        guard: None,
        hidden: false,
        reserved: false,
    }
}

/// What is decided about a cog before anything can refer to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draft {
    /// Its key space.
    pub(crate) space: Option<usize>,
    /// What it is.
    pub(crate) kind: Kind,
    /// The rest.
    pub(crate) wish: Wish,
    /// Its part among the cogs of one wish.
    pub(crate) part: Part,
}

/// A wish may ask for three cogs: a guard, what it guards, and who reads both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The only one.
    Alone,
    /// Even or odd.
    Guard,
    /// Runs only while its guard is even, or there.
    Guarded { presence: bool },
    /// Reads the guard, and then perhaps what it guards.
    Reader { presence: bool },
}

/// The partial family whose rows guard others by being there.
const MEMBERS: usize = 2;

/// Fills in one table.
pub(crate) struct Planner<'a> {
    /// The cogs there are.
    pub(crate) specs: &'a [Arc<Spec>],
    /// Key space of each cog there will be, and whether it is hidden.
    pub(crate) spaces: &'a [(Option<usize>, bool)],
    /// The wish.
    pub(crate) wish: Wish,
}

impl Planner<'_> {
    /// The table.
    pub(crate) fn finish(&self, draft: Draft) -> Spec {
        let wish = draft.wish;
        let equality = match wish.equality % 12 {
            0 => Equality::Coarse,
            1 => Equality::Always,
            _ => Equality::Exact,
        };
        let cut = [2, 3, 5, 8, 8, 1000][usize::from(wish.cut % 6)];
        // Whether a first value that nobody has read is there to be compared is the arena's business.
        let is_coarse_total = draft.kind == Kind::Total && equality == Equality::Coarse;
        let equality = if is_coarse_total {
            Equality::Exact
        } else {
            equality
        };
        let base = Spec {
            kind: draft.kind,
            space: draft.space,
            equality,
            seed: i64::from(wish.cut % 3),
            cut,
            ..blank()
        };
        match (draft.part, draft.kind) {
            (Part::Alone, Kind::Declared) => self.declared(base),
            (Part::Alone, Kind::Tracked) => self.tracked(base),
            (Part::Alone, _) => base,
            (Part::Guard, _) => self.guard(base),
            (Part::Guarded { presence }, _) => self.guarded(base, presence),
            (Part::Reader { presence }, _) => self.reader(base, presence),
        }
    }

    fn moods(&self, spec: &mut Spec) {
        match self.wish.mood % 16 {
            0 => spec.boom = Some(i64::from(self.wish.mood % 7)),
            1 => spec.previous = spec.kind == Kind::Tracked,
            2..=4 if spec.kind == Kind::Declared => {
                spec.nothing = Some(i64::from(self.wish.mood % 3));
            }
            _ => {}
        }
    }

    fn tracked(&self, mut spec: Spec) -> Spec {
        spec.steps = self.steps(None);
        self.moods(&mut spec);
        spec
    }

    fn declared(&self, mut spec: Spec) -> Spec {
        let shapes = if spec.space.is_some() {
            FAMILY_SHAPES
        } else {
            KEYLESS_SHAPES
        };
        spec.shape = usize::from(self.wish.shape) % shapes.len();
        let shape = shapes[spec.shape];
        spec.reserved = self.wish.equality % 7 < 3 && shape.contains(['R', 'L']);
        spec.inputs = self.roles(shape, spec.space);
        if spec.reserved && spec.space.is_some() && self.wish.equality.is_multiple_of(2) {
            // It looks itself up, at smaller keys.
            let itself = self.specs.len();
            let lookup = spec
                .inputs
                .iter_mut()
                .find(|role| matches!(role, Role::Lookup(_)));
            lookup
                .into_iter()
                .for_each(|role| *role = Role::Lookup(itself));
        }
        let lookup = spec.inputs.iter().find_map(|role| match role {
            Role::Lookup(cog) => Some(*cog),
            _ => None,
        });
        if spec.is_mixed() {
            let only = if spec.inputs.contains(&Role::Reads) {
                None
            } else {
                lookup
            };
            spec.steps = self.steps(only);
        }
        self.moods(&mut spec);
        // There is no way to define a keyless cog that may hold nothing.
        spec.reserved &= spec.space.is_some() || spec.nothing.is_none();
        spec
    }

    fn roles(&self, shape: &str, space: Option<usize>) -> Vec<Role> {
        let mut numbers = self.wish.inputs.iter().copied().cycle();
        let mut pick = |fits: &dyn Fn(Option<usize>) -> bool| {
            let there = self.spaces.iter().take(self.specs.len()).enumerate();
            let all: Vec<_> = there
                .filter(|(_, (space, hidden))| fits(*space) && !hidden)
                .map(|(cog, _)| cog)
                .collect();
            all[usize::from(numbers.next().expect("a cycle has no end")) % all.len()]
        };
        let role = |letter| match letter {
            'A' => Role::Aligned(pick(&|other| other == space)),
            'O' => Role::Optional(pick(&|other| other == space)),
            'S' => Role::Shared(pick(&|other| other.is_none())),
            'Z' => Role::SharedOptional(pick(&|other| other.is_none())),
            'L' => Role::Lookup(pick(&|other| other.is_some())),
            'R' => Role::Reads,
            'P' => Role::Previous,
            'K' => Role::OwnKey,
            other => unreachable!("{other} is a letter of a shape"),
        };
        shape.chars().map(role).collect()
    }

    fn steps(&self, only: Option<usize>) -> Vec<Step> {
        let count = usize::from(self.wish.step_count % 5);
        let wishes = &self.wish.steps[..count.min(4)];
        wishes
            .iter()
            .filter_map(|wish| self.step(*wish, only))
            .collect()
    }

    fn step(&self, wish: StepWish, only: Option<usize>) -> Option<Step> {
        step(wish, self.spaces, only)
    }

    /// Even or odd, from whichever family of the key space.
    fn guard(&self, mut spec: Spec) -> Spec {
        spec.seed = 0;
        spec.cut = 2;
        spec.equality = Equality::Exact;
        let Role::Aligned(cog) = self.roles("A", spec.space)[0] else {
            unreachable!("the letter is an A")
        };
        if spec.kind == Kind::Declared {
            spec.inputs = vec![Role::Aligned(cog)];
        } else {
            spec.steps = vec![own(cog, How::Lookup, Stop::Never)];
        }
        spec
    }

    fn guarded(&self, mut spec: Spec, presence: bool) -> Spec {
        let guard = if presence {
            MEMBERS
        } else {
            self.specs.len() - 1
        };
        spec.hidden = true;
        spec.guard = Some(Guard {
            cog: guard,
            presence,
        });
        let mut roles = self.roles("AA", spec.space);
        if presence {
            roles[0] = Role::Aligned(MEMBERS);
        }
        if spec.kind == Kind::Declared {
            spec.shape = 2;
            spec.inputs = roles;
        } else {
            let how = if presence { How::Get } else { How::Lookup };
            let cogs = spec_cogs(&roles);
            spec.steps = cogs
                .into_iter()
                .zip([how, How::Lookup])
                .map(|(cog, how)| own(cog, how, Stop::Never))
                .collect();
        }
        spec
    }

    fn reader(&self, mut spec: Spec, presence: bool) -> Spec {
        let guarded = self.specs.len() - 1;
        let (guard, stop) = if presence {
            (MEMBERS, Stop::Nothing)
        } else {
            (guarded - 1, Stop::Odd)
        };
        let pick = match self.wish.steps[3].pick % 3 {
            0 => Pick::Own,
            1 => Pick::Fixed(u32::from(self.wish.steps[3].cog) % KEYS),
            _ => Pick::Below(1),
        };
        let first = Step {
            pick,
            ..own(guard, How::Lookup, stop)
        };
        let second = Step {
            pick,
            ..own(guarded, How::Lookup, Stop::Never)
        };
        spec.steps = vec![first, second];
        spec.steps.extend(self.steps(None));
        if spec.kind == Kind::Declared {
            spec.shape = 11;
            spec.inputs = self.roles("AR", spec.space);
        }
        spec
    }
}

fn spec_cogs(roles: &[Role]) -> Vec<usize> {
    let cog = |role: &Role| match role {
        Role::Aligned(cog) => *cog,
        other => unreachable!("{other:?} is aligned"),
    };
    roles.iter().map(cog).collect()
}

fn own(cog: usize, how: How, stop: Stop) -> Step {
    Step {
        cog,
        keyed: true,
        pick: Pick::Own,
        how,
        stop,
    }
}

/// A tracked read of one of the cogs whose key spaces are `spaces`.
pub(crate) fn step(
    wish: StepWish,
    spaces: &[(Option<usize>, bool)],
    only: Option<usize>,
) -> Option<Step> {
    let cog = only.unwrap_or(usize::from(wish.cog) % spaces.len());
    let (space, hidden) = spaces[cog];
    if hidden {
        return None;
    }
    let key = u32::from(wish.pick / 5) % KEYS;
    let pick = match wish.pick % 5 {
        0 | 1 => Pick::Own,
        2 => Pick::Fixed(key),
        3 => Pick::Below(1 + key % 2),
        _ => Pick::ByValue,
    };
    let how = match wish.how % 12 {
        _ if only.is_some() => How::Lookup,
        0 => How::Peek,
        1 => How::Get,
        _ => How::Lookup,
    };
    let stop = match wish.stop % 8 {
        0..=3 => Stop::Never,
        4 | 5 => Stop::Third(i64::from(wish.stop % 3)),
        6 => Stop::Odd,
        _ => Stop::Nothing,
    };
    Some(Step {
        cog,
        keyed: space.is_some(),
        pick,
        how,
        stop,
    })
}
