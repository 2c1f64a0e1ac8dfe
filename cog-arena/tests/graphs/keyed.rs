//! Keyed graphs: a diamond for each of a hundred keys, and a window that slides over keys.

use cog_arena::{Arena, Derived, DerivedFamily, KeySpace, SourceFamily};

use super::{Style, Tally};

/// Five arms and their sum, for each key.
pub(crate) struct Diamonds {
    pub(crate) space: KeySpace<u32>,
    pub(crate) source: SourceFamily<u32, i64>,
    pub(crate) sum: DerivedFamily<u32, i64>,
}

/// Builds the families and makes `keys` keys members.
pub(crate) fn diamonds<T: Tally>(arena: &mut Arena, style: Style, runs: &T, keys: u32) -> Diamonds {
    let space = arena.key_space();
    let source = arena.source_family(space, |_| 0_i64);
    let arms: [DerivedFamily<u32, i64>; 5] = std::array::from_fn(|_| {
        let runs = runs.clone();
        match style {
            Style::Tracked => arena.derived_family(space, move |r, &key| {
                runs.hit();
                r.get(source.at(key)) + 1
            }),
            Style::Declared => {
                arena.derived_family_from(space, source.aligned(), move |s: &i64| {
                    runs.hit();
                    s + 1
                })
            }
        }
    });
    let runs = runs.clone();
    let sum = match style {
        Style::Tracked => arena.derived_family(space, move |r, &key| {
            runs.hit();
            arms.iter().map(|arm| r.get(arm.at(key))).sum()
        }),
        Style::Declared => arena.derived_family_from(
            space,
            <(_, _, _, _, _)>::from(arms.map(DerivedFamily::aligned)),
            move |(p, q, s, t, u): (&i64, &i64, &i64, &i64, &i64)| {
                runs.hit();
                p + q + s + t + u
            },
        ),
    };
    arena.turn(|w| {
        for key in 0..keys {
            w.insert_key(space, key);
        }
    });
    Diamonds { space, source, sum }
}

/// A roster that sums ten entries from a start on; each entry reads an epoch.
pub(crate) struct Churn {
    pub(crate) epoch: cog_arena::Source<i64>,
    pub(crate) start: cog_arena::Source<u32>,
    pub(crate) entry: DerivedFamily<u32, i64>,
    pub(crate) roster: Derived<i64>,
}

/// How many entries the roster reads.
pub(crate) const WINDOW: u32 = 10;

/// Builds the families and the roster.
pub(crate) fn churn<T: Tally>(arena: &mut Arena, runs: &T) -> Churn {
    let space = arena.key_space::<u32>();
    let (epoch, start) = (arena.source(0_i64), arena.source(0_u32));
    let tally = runs.clone();
    let entry = arena.derived_family(space, move |r, &key| {
        tally.hit();
        r.get(epoch) + i64::from(key)
    });
    let tally = runs.clone();
    let roster = arena.derived(move |r| {
        tally.hit();
        let start = *r.get(start);
        (start..start + WINDOW)
            .map(|key| r.get(entry.at(key)))
            .sum()
    });
    Churn {
        epoch,
        start,
        entry,
        roster,
    }
}
