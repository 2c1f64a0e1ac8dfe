//! Sorted and filtered views of a family, keyed by identity.
//!
//! Takes: what a row is sorted by, or that it is left out. Leaves: the keys in order, and what changed last. Never: moves
//! a key that is sorted by the same as before.

use std::collections::BTreeSet;

use crate::recipes::fold::Fold;

/// The keys of a family in order, each with what it is sorted by: what a view made by
/// [`Over::sorted_by`](crate::Over::sorted_by) and its kin holds.
///
/// Keys that are sorted by the same are in the order of the keys. Two are equal if they hold the same, whatever changed
/// last.
///
/// # Examples
///
/// ```
/// use cog_arena::{Arena, SortedChange};
/// use std::cmp::Reverse;
///
/// let mut arena = Arena::new();
/// let players = arena.key_space::<&str>();
/// let score = arena.member_family::<&str, u32>(players);
/// let ranking = arena.over(score.aligned()).sorted_by(|_, score| Reverse(*score));
/// arena.turn(|w| {
///     w.set(score.at("ann"), 3);
///     w.set(score.at("bob"), 5);
/// });
/// assert_eq!(arena.read(ranking).keys().collect::<Vec<_>>(), [&"bob", &"ann"]);
///
/// arena.turn(|w| w.set(score.at("ann"), 9));
/// let ranking = arena.read(ranking);
/// assert_eq!(ranking.first(), Some((&"ann", &Reverse(9))));
/// assert_eq!(ranking.changes(), [SortedChange::Moved("ann")]);
/// ```
#[derive(Clone, Debug)]
pub struct Sorted<K, S> {
    entries: BTreeSet<(S, K)>,
    changes: Vec<SortedChange<K>>,
    revision: u64,
}

/// How a key of a [`Sorted`] view changed.
///
/// # Examples
///
/// See [`Sorted`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SortedChange<K> {
    /// It left the view.
    Removed(K),
    /// It is sorted by something else now. Its place may be the same.
    Moved(K),
    /// It came into the view.
    Inserted(K),
}

impl<K, S> Default for Sorted<K, S> {
    fn default() -> Self {
        Self {
            entries: BTreeSet::new(),
            changes: Vec::new(),
            revision: 0,
        }
    }
}

impl<K: PartialEq, S: PartialEq> PartialEq for Sorted<K, S> {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl<K, S> Sorted<K, S> {
    /// The keys in order, each with what it is sorted by.
    ///
    /// # Cost
    ///
    /// O(1) a key; nothing is cloned or allocated.
    ///
    /// # Examples
    ///
    /// See [`Sorted`].
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &S)> + ExactSizeIterator {
        self.entries.iter().map(|(sort, key)| (key, sort))
    }

    /// The keys in order.
    ///
    /// # Examples
    ///
    /// See [`Sorted`].
    #[must_use]
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator {
        self.entries.iter().map(|(_, key)| key)
    }

    /// How many keys it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What changed when the view changed last, the removed first. Of a key that was removed and whose place in the key
    /// space is another key's now, both are told.
    ///
    /// Complete for whoever looks at every change, such as a reaction; [`revision`](Self::revision) tells whether one was
    /// missed. A view that lost track, since a function of its own panicked, tells of every key it had and has.
    ///
    /// # Examples
    ///
    /// See [`Sorted`].
    #[must_use]
    pub fn changes(&self) -> &[SortedChange<K>] {
        &self.changes
    }

    /// How often the view changed. Whoever saw the one before has missed nothing.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }
}

impl<K: Ord, S: Ord> Sorted<K, S> {
    /// The first key, with what it is sorted by.
    ///
    /// # Examples
    ///
    /// See [`Sorted`].
    #[must_use]
    pub fn first(&self) -> Option<(&K, &S)> {
        self.entries.first().map(|(sort, key)| (key, sort))
    }

    /// The last key, with what it is sorted by.
    #[must_use]
    pub fn last(&self) -> Option<(&K, &S)> {
        self.entries.last().map(|(sort, key)| (key, sort))
    }
}

/// The keys for which a function gives something, sorted by that.
pub(crate) struct SortedBy<F>(pub(crate) F);

/// Rows that changed since the view was brought up to date, each with what was there before and what is there now.
#[derive(Debug)]
pub(crate) struct Waiting<K, S> {
    rows: Vec<Before<K, S>>,
    /// The view isn't known to hold what was added so far: it is made anew.
    anew: bool,
}

#[derive(Debug)]
struct Before<K, S> {
    old: Option<(S, K)>,
    new: Option<(S, K)>,
}

impl<K, V, S, F> Fold<K, V> for SortedBy<F>
where
    K: Ord + Clone + Send + Sync + 'static,
    S: Ord + Clone + Send + Sync + 'static,
    F: Fn(&K, &V) -> Option<S> + Send + Sync + 'static,
{
    type Kept = (S, K);
    type State = Waiting<K, S>;
    type Value = Sorted<K, S>;

    fn start(&self) -> Self::State {
        Waiting {
            rows: Vec::new(),
            anew: true,
        }
    }

    fn change(
        &self,
        waiting: &mut Self::State,
        kept: Option<(S, K)>,
        row: Option<(&K, &V)>,
    ) -> Option<(S, K)> {
        let new = row.and_then(|(key, value)| Some(((self.0)(key, value)?, key.clone())));
        if kept != new {
            waiting.rows.push(Before {
                old: kept,
                new: new.clone(),
            });
        }
        new
    }

    fn value(&self, waiting: &mut Self::State) -> Sorted<K, S> {
        let mut value = Sorted::default();
        self.refresh(waiting, &mut value);
        value
    }

    fn refresh(&self, waiting: &mut Self::State, value: &mut Sorted<K, S>) -> bool {
        let Sorted {
            entries, changes, ..
        } = value;
        if waiting.rows.is_empty() && !waiting.anew {
            return false;
        }
        changes.clear();
        if std::mem::take(&mut waiting.anew) {
            let old = std::mem::take(entries).into_iter();
            changes.extend(old.map(|(_, key)| SortedChange::Removed(key)));
        }
        // All that goes before all that comes: a key that moved to another row is in both.
        for Before { old, new } in &waiting.rows {
            let Some(old) = old else { continue };
            entries.remove(old);
            if new.as_ref().is_none_or(|new| new.1 != old.1) {
                changes.push(SortedChange::Removed(old.1.clone()));
            }
        }
        for Before { old, new } in waiting.rows.drain(..) {
            let Some(new) = new else { continue };
            let key = new.1.clone();
            let stayed = old.is_some_and(|old| old.1 == key);
            entries.insert(new);
            changes.push(if stayed {
                SortedChange::Moved(key)
            } else {
                SortedChange::Inserted(key)
            });
        }
        value.revision += 1;
        true
    }
}
