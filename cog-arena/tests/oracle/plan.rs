//! From wishes in raw numbers to tables that make sense.
//!
//! Takes: wishes and the cogs there are. Leaves: tables whose references exist and whose keys
//! fit. Never: looks at values or at the arena.

use crate::net::model::is_partial;
use crate::net::ops::Wish;
use crate::net::planner::{Draft, Part, Planner, blank};
use crate::net::spec::{Equality, How, Kind, Role, SOURCES, Spec};
use std::sync::Arc;

/// The cogs that every game begins with, so that every role can be filled.
pub(crate) fn foundations() -> [Spec; SOURCES] {
    let source = |kind, space, seed| Spec {
        kind,
        space,
        seed,
        ..blank()
    };
    [
        source(Kind::Source, None, 2),
        source(Kind::Total, Some(0), 0),
        source(Kind::Member, Some(0), 0),
        source(Kind::Total, Some(1), 1),
        source(Kind::Absent, None, 0),
    ]
}

/// Tables for `wishes`, to be declared after the cogs of `specs`, at most up to `cogs_max`.
pub(crate) fn plan(wishes: &[Wish], specs: &mut Vec<Arc<Spec>>, cogs_max: usize) {
    let drafts: Vec<_> = wishes
        .iter()
        .flat_map(|wish| draft(*wish))
        .take(cogs_max - specs.len())
        .collect();
    let end = specs.len() + drafts.len();
    let spaces: Vec<_> = specs.iter().map(|spec| (spec.space, spec.hidden)).collect();
    let drafted = drafts
        .iter()
        .map(|draft| (draft.space, matches!(draft.part, Part::Guarded { .. })));
    let spaces: Vec<_> = spaces.into_iter().chain(drafted).collect();
    let first = specs.len();
    for draft in drafts {
        let spec = Planner {
            specs,
            spaces: &spaces[..end],
            wish: draft.wish,
        }
        .finish(draft);
        specs.push(Arc::new(spec));
    }
    for cog in first..specs.len() {
        if is_vague(specs, cog) {
            forget_the_past(Arc::make_mut(&mut specs[cog]));
        }
    }
}

/// Whether the cog's rows, or rows that they read, may lose their values: since that is not always seen between two
/// reads, nothing may depend on the value before, or on when a row ran.
fn is_vague(specs: &[Arc<Spec>], cog: usize) -> bool {
    let spec = &specs[cog];
    let inputs = spec.inputs.iter().filter_map(|role| match role {
        Role::Aligned(input)
        | Role::Optional(input)
        | Role::Shared(input)
        | Role::SharedOptional(input)
        | Role::Lookup(input) => Some(*input),
        _ => None,
    });
    let read = inputs.chain(spec.steps.iter().map(|step| step.cog));
    is_partial(specs, cog)
        || spec.is_sticky() && read.into_iter().any(|read| is_partial(specs, read))
}

/// Makes the value depend on nothing but what is read.
fn forget_the_past(spec: &mut Spec) {
    spec.previous = false;
    for step in &mut spec.steps {
        if step.how == How::Peek {
            step.how = How::Lookup;
        }
    }
    if spec.equality == Equality::Coarse {
        spec.equality = Equality::Exact;
    }
    if spec.inputs.contains(&Role::Previous) {
        spec.inputs.retain(|role| *role != Role::Previous);
        spec.shape = match (spec.space, spec.shape) {
            (Some(_), 8) | (None, 4) => 0,
            (Some(_), 14) => 11,
            (space, shape) => unreachable!("shape {shape} of {space:?} asks for no last value"),
        };
    }
}

fn draft(wish: Wish) -> Vec<Draft> {
    let keyed = wish.space % 5;
    let space = match keyed {
        0 => None,
        1..=3 => Some(0),
        _ => Some(1),
    };
    let one = |kind, space| {
        vec![Draft {
            space,
            kind,
            wish,
            part: Part::Alone,
        }]
    };
    match (wish.kind % 16, space) {
        (0, None) => one(Kind::Source, space),
        (1, None) => one(Kind::Absent, space),
        (0, _) => one(Kind::Total, space),
        (1, _) => one(Kind::Member, space),
        (2..=8, _) => one(Kind::Declared, space),
        (9..=12, _) => one(Kind::Tracked, space),
        (kind, _) => guarded_draft(wish, space, kind == 15),
    }
}

fn guarded_draft(wish: Wish, space: Option<usize>, presence: bool) -> Vec<Draft> {
    let space = if presence { Some(0) } else { space.or(Some(0)) };
    let kind = |bit: u8| {
        if wish.mood >> bit & 1 == 0 {
            Kind::Tracked
        } else {
            Kind::Declared
        }
    };
    let draft = |bit, part| Draft {
        space,
        kind: kind(bit),
        wish,
        part,
    };
    let mut drafts = vec![
        draft(0, Part::Guard),
        draft(1, Part::Guarded { presence }),
        draft(2, Part::Reader { presence }),
    ];
    if presence {
        drafts.remove(0);
    }
    drafts
}
