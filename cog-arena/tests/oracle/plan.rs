//! From wishes in raw numbers to tables that make sense.
//!
//! Takes: wishes and the cogs there are. Leaves: tables whose references exist and whose keys
//! fit. Never: looks at values or at the arena.

use crate::net::model::is_partial;
use crate::net::ops::Wish;
use crate::net::planner::{Draft, Part, Planner, blank};
use crate::net::spec::{Equality, Kind, Role, Spec};
use std::sync::Arc;

/// The cogs that every game begins with, so that every role can be filled.
pub(crate) fn foundations() -> Vec<Spec> {
    let source = |kind, space, seed| Spec {
        kind,
        space,
        seed,
        ..blank()
    };
    vec![
        source(Kind::Source, None, 2),
        source(if plain() { Kind::Member } else { Kind::Total }, Some(0), 0),
        source(Kind::Member, Some(0), 0),
        source(if plain() { Kind::Member } else { Kind::Total }, Some(1), 1),
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
    for draft in drafts {
        let mut spec = Planner {
            specs,
            spaces: &spaces[..end],
            wish: draft.wish,
        }
        .finish(draft);
        if is_partial_spec(specs, &spec) {
            // Whether such a row lost its value between two reads is not always seen, so nothing
            // may depend on the value before.
            forget_the_past(&mut spec);
        }
        specs.push(Arc::new(spec));
    }
}

/// Makes the value depend on nothing but what is read.
fn forget_the_past(spec: &mut Spec) {
    spec.previous = false;
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

fn is_partial_spec(specs: &[Arc<Spec>], spec: &Spec) -> bool {
    let mut all = specs.to_vec();
    all.push(Arc::new(spec.clone()));
    is_partial(&all, specs.len())
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
        (0, _) => one(if plain() { Kind::Member } else { Kind::Total }, space),
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

fn plain() -> bool {
    std::env::var("ORACLE_PLAIN").is_ok()
}
