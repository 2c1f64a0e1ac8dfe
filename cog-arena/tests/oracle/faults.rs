//! What failed, and whom that concerns.
//!
//! Takes: the model's memory of runs. Leaves: answers. Never: decides what is right; a row that failed is tried again
//! when it is read, or when an input moves, and the model can't always tell whether the arena did.

use crate::net::model::{Model, Row};
use crate::net::spec::Place;

impl Model {
    /// Whether the last run of the row failed, or of one that it needs.
    pub(crate) fn is_tainted(&self, place: Place) -> bool {
        self.any_needed(place, |row| row.failed)
    }

    /// Whether the row, or one that it needs, failed since the row's last run.
    pub(crate) fn has_failed_since(&self, place: Place) -> bool {
        let since = self.row(place).ran_at;
        self.any_needed(place, |row| since < row.failed_at)
    }

    /// Whether the row, or one that it needs, ever failed.
    pub(crate) fn has_ever_failed(&self, place: Place) -> bool {
        self.any_needed(place, |row| 0 < row.failed_at)
    }

    /// Whether `found` holds for the row, or one that it needs.
    pub(crate) fn any_needed(&self, place: Place, found: impl Fn(&Row) -> bool) -> bool {
        let mut waiting = vec![place];
        let mut met = Vec::new();
        while let Some(place) = waiting.pop() {
            let row = self.row(place);
            if found(row) {
                return true;
            }
            if !met.contains(&place) {
                met.push(place);
                let declared = self.specs[place.cog].declared(place.key);
                waiting.extend(declared.map(|(input, _)| input));
                waiting.extend(&row.reads);
            }
        }
        false
    }

    /// Whether the last run of anything failed.
    pub(crate) fn has_failures(&self) -> bool {
        let rows = self.rows.iter().flatten().any(|row| row.failed);
        rows || self.watchers.list.iter().any(|watcher| watcher.failed)
    }
}
