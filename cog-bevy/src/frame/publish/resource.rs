//! Publishes a derived resource.
//!
//! Takes: its cog's value, if it moved. Leaves: the resource assigned in place, inserted or
//! removed. Never: touches it otherwise; in debug builds a foreign write is put right and warned of.

use bevy_ecs::change_detection::{CheckChangeTicks, DetectChanges, Ref, Tick};
use bevy_ecs::component::Mutable;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::World;
use cog_arena::{Derived, Hold};

use crate::binding::lists::{Bindings, Publication};
use crate::binding::moves::ResourceMoves;
use crate::cogs::Cogs;
use crate::frame::publish::place::Place;

/// Writes the value of one keyless cog to its resource.
pub(crate) struct PublishedResource<R: Resource<Mutability = Mutable>> {
    cog: Derived<R>,
    _hold: Hold,
    /// The tick of our own last write; `None` if there should be no resource.
    written: Option<Tick>,
    /// Nothing was published yet, or a panic came in between: compare, whether it moved or not.
    starts_over: bool,
    /// The resource comes or goes, and waits until all values are in place.
    change: Option<Option<R>>,
}

impl<R: Resource<Mutability = Mutable> + Clone + PartialEq> PublishedResource<R> {
    /// Holds `cog`, which settles with the open turn, and adds its publication to the frame.
    pub(crate) fn install(world: &mut World, cog: Derived<R>) {
        let hold = world
            .resource_mut::<Cogs>()
            .into_inner()
            .arena_mut()
            .hold(cog);
        let publication = Self {
            cog,
            _hold: hold,
            written: None,
            starts_over: true,
            change: None,
        };
        world
            .resource_mut::<Bindings>()
            .publications
            .push(Box::new(publication));
    }

    /// Whether somebody else wrote to the resource since we did. What was there before our first value is welcome.
    fn is_foreign(&self, there: Option<&Ref<'_, R>>) -> bool {
        let tick = there.map(|there| there.last_changed());
        cfg!(debug_assertions) && !self.starts_over && tick != self.written
    }
}

/// Tells of a foreign write, and where it was made; or of a removal, which has no place.
fn warn<R>(written: Option<Place>) {
    let done = written.map_or("removed".to_owned(), |place| format!("written {place}"));
    log::warn!(
        "the resource `{name}` was {done}, but it is derived: the value is put right. Write to \
         what it is derived from",
        name = std::any::type_name::<R>(),
    );
}

impl<R: Resource<Mutability = Mutable> + Clone + PartialEq> Publication for PublishedResource<R> {
    fn notice(&mut self, _: &mut World) {}

    fn assign(&mut self, world: &mut World) {
        if let Some(mut moves) = world.get_resource_mut::<ResourceMoves<R>>() {
            moves.moved = None;
        }
        let cogs = world.resource::<Cogs>();
        let moved = cogs.arena().moved_value(self.cog);
        let there = world.get_resource_ref::<R>();
        let is_foreign = self.is_foreign(there.as_ref());
        if is_foreign {
            warn::<R>(there.as_ref().map(|there| Place(there.changed_by())));
        }
        let right = match moved {
            Some(value) => value,
            None if is_foreign || self.starts_over => cogs.arena().settled(self.cog),
            None => return,
        };
        let told = world
            .contains_resource::<ResourceMoves<R>>()
            .then(|| right.cloned());
        self.starts_over = false;
        self.written = None;
        match (right, there) {
            (Some(right), Some(there)) if *there == *right => {
                self.written = Some(there.last_changed());
            }
            (Some(right), Some(_)) => {
                let right = right.clone();
                let mut there = world.resource_mut::<R>();
                *there = right;
                self.written = Some(there.last_changed());
            }
            (Some(right), None) => self.change = Some(Some(right.clone())),
            (None, Some(_)) => self.change = Some(None),
            (None, None) => {}
        }
        if let Some(told) = told {
            world.resource_mut::<ResourceMoves<R>>().tell(told);
        }
    }

    fn restructure(&mut self, world: &mut World) {
        let Some(change) = self.change.take() else {
            return;
        };
        // Hooks and observers may write to sources.
        world.resource_mut::<Cogs>().into_inner().turn.again = true;
        let Some(value) = change else {
            world.remove_resource::<R>();
            return;
        };
        world.insert_resource(value.clone());
        // An observer may have written to it already: then the next turn finds a write that isn't ours.
        let there = world.get_resource_ref::<R>();
        self.written = there
            .filter(|there| **there == value)
            .map(|there| there.last_changed());
    }

    fn start_over(&mut self) {
        self.starts_over = true;
    }

    fn clamp_ticks(&mut self, check: CheckChangeTicks) {
        if let Some(written) = &mut self.written {
            written.check_tick(check);
        }
    }
}
