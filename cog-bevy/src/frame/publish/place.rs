//! Says where a foreign write was made.
//!
//! Takes: the place, if Bevy tracked it. Leaves: words for a warning. Never: promises a place that
//! Bevy does not know.

use std::fmt;

use bevy_ecs::change_detection::MaybeLocation;

/// A place in somebody's code, or none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place(pub(super) MaybeLocation);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.into_option() {
            Some(place) => write!(f, "at {place}"),
            None => f.write_str("somewhere (Bevy's feature `track_location` tells where)"),
        }
    }
}
