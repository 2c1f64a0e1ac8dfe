//! What every fold must be, from nothing but what was written.
//!
//! Takes: writes. Leaves: values, or that there is none since something failed. Never: keeps anything in between.

use std::collections::{BTreeMap, BTreeSet};

/// A row of the declared family fails at this value of its source, one of the tracked family at the other.
pub(crate) const DECLARED_FAILS: i64 = -1;
/// As [`DECLARED_FAILS`].
pub(crate) const TRACKED_FAILS: i64 = -2;
/// What one of the folds' own functions fails at.
pub(crate) const FOLD_FAILS: i64 = -3;

/// What was written.
#[derive(Clone, Default)]
pub(crate) struct Model {
    pub(crate) members: BTreeSet<u32>,
    pub(crate) some: BTreeMap<u32, i64>,
    pub(crate) every: BTreeMap<u32, i64>,
    pub(crate) shared: i64,
}

/// A value, or a failure.
pub(crate) type Outcome<T> = Result<T, ()>;

impl Model {
    fn every(&self, key: u32) -> i64 {
        self.every.get(&key).copied().unwrap_or(i64::from(key % 5))
    }

    fn rows(&self) -> impl Iterator<Item = (u32, i64)> {
        self.some.iter().map(|(&key, &value)| (key, value))
    }

    pub(crate) fn sum_some(&self) -> i64 {
        self.rows().map(|(_, value)| value).sum()
    }

    pub(crate) fn sum_every(&self) -> i64 {
        self.members.iter().map(|&key| self.every(key)).sum()
    }

    pub(crate) fn declared(&self) -> Outcome<Vec<(u32, i64)>> {
        let rows = self.rows().map(|(key, value)| {
            let fails = value == DECLARED_FAILS;
            let sum = (key, value + self.every(key) + self.shared);
            if fails { Err(()) } else { Ok(sum) }
        });
        rows.collect()
    }

    pub(crate) fn sum_declared(&self) -> Outcome<i64> {
        Ok(self.declared()?.iter().map(|row| row.1).sum())
    }

    pub(crate) fn min_partial(&self) -> Option<i64> {
        self.rows()
            .map(|(_, value)| value)
            .filter(|value| value % 3 != 0)
            .min()
    }

    pub(crate) fn tracked(&self, keys: u32) -> Outcome<Vec<(u32, i64)>> {
        let value = |key| self.some.get(&key).copied();
        let rows = self.members.iter().map(|&key| {
            let own = value(key).unwrap_or(100);
            if own == TRACKED_FAILS {
                return Err(());
            }
            let next = if own % 2 == 0 {
                value((key + 1) % keys)
            } else {
                None
            };
            Ok((key, own + next.unwrap_or(0)))
        });
        rows.collect()
    }

    pub(crate) fn sorted_tracked(&self, keys: u32) -> Outcome<Vec<(u32, i64)>> {
        let mut rows = self.tracked(keys)?;
        rows.sort_by_key(|&(key, value)| (value, key));
        Ok(rows)
    }

    pub(crate) fn sum_tracked(&self, keys: u32) -> Outcome<i64> {
        Ok(self.tracked(keys)?.iter().map(|row| row.1).sum())
    }

    pub(crate) fn sum_below(&self, keys: u32) -> Outcome<i64> {
        let above = self.sum_tracked(keys)?;
        Ok(self.rows().map(|(_, value)| value + above).sum())
    }

    pub(crate) fn filtered_mixed(&self) -> Vec<u32> {
        let sum = self.sum_some();
        let rows = self.rows().filter(|(_, value)| (value - sum) % 2 == 0);
        rows.map(|(key, _)| key).collect()
    }

    pub(crate) fn picky(&self) -> Outcome<i64> {
        if self.rows().any(|(_, value)| value == FOLD_FAILS) {
            return Err(());
        }
        Ok(self.sum_some())
    }

    pub(crate) fn top(&self) -> Outcome<i64> {
        Ok(self.sum_declared()? * 2 + self.sum_every())
    }
}
