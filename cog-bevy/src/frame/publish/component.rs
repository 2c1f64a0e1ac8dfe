//! Publishes a derived component.
//!
//! Takes: the moved rows of its family. Leaves: the component assigned in place where it was,
//! inserted in one batch where it was not, removed where there is no value any more.
//! Never: touches a row that did not move.
//!
//! Few rows are written one by one, in row order (14 ns each, at random). When an eighth or more
//! moved, the tables are walked instead, and each of their rows asks whether it moved (2 ns a row, in sequence).

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use bevy_ecs::change_detection::{CheckChangeTicks, ContiguousMut, MaybeLocation, Res, ResMut};
use bevy_ecs::component::{Component, Mutable};
use bevy_ecs::entity::Entity;
use bevy_ecs::query::{QueryState, With, Without};
use bevy_ecs::system::{Query, SystemState};
use bevy_ecs::world::World;
use cog_arena::{DerivedFamily, Hold, KeySlot, MovedRows};

use crate::binding::lists::{Bindings, Publication};
use crate::binding::moves::Moves;
use crate::binding::rows::{CogRow, unfiltered};
use crate::cogs::Cogs;
#[cfg(debug_assertions)]
use crate::frame::publish::guard::Guard;
use crate::frame::publish::table::{write_table, written};

/// From one moved row in this many, the tables are walked.
const DENSE_FROM: usize = 8;

/// Writes the values of one family to its component.
pub(crate) struct Published<C: Component<Mutability = Mutable>> {
    family: DerivedFamily<Entity, C>,
    /// A published component is held as a whole, for as long as the app lives.
    _hold: Hold,
    state: SystemState<Columns<C>>,
    strangers: QueryState<Entity, Stranger<C>>,
    /// Entities that had the component before they had a row; not every one has a value to show.
    brought: Vec<Entity>,
    changes: Changes<C>,
    /// A panic came in between: compare every row, whether it moved or not.
    starts_over: bool,
    #[cfg(debug_assertions)]
    guard: Guard<C>,
}

/// What one publication borrows.
type Columns<C> = (
    Res<'static, Cogs>,
    ResMut<'static, Moves<C>>,
    Values<'static, 'static, C>,
    Everyone<'static, 'static>,
);

/// Has the component, and no row yet: it was brought along, by a clone as a rule.
type Stranger<C> = (With<C>, Without<CogRow>);

type Values<'w, 's, C> = Query<'w, 's, (Entity, &'static CogRow, &'static mut C)>;

/// Whoever is there, with the row it has now.
type Everyone<'w, 's> = Query<'w, 's, (Entity, Option<&'static CogRow>)>;

/// Changes of structure that wait until all values are in place.
struct Changes<C> {
    arrivals: Vec<(Entity, C)>,
    departures: Vec<Entity>,
}

impl<C: Component<Mutability = Mutable> + Clone + PartialEq> Published<C> {
    /// Holds `family`, which settles with the open turn, and adds its publication to the frame.
    pub(crate) fn install(world: &mut World, family: DerivedFamily<Entity, C>) {
        world.init_resource::<Moves<C>>();
        let hold = world
            .resource_mut::<Cogs>()
            .into_inner()
            .arena_mut()
            .hold(family);
        let (strangers, state) = unfiltered(world, |world| {
            (QueryState::new(world), SystemState::new(world))
        });
        let publication = Self {
            family,
            _hold: hold,
            state,
            strangers,
            brought: Vec::new(),
            changes: Changes {
                arrivals: Vec::new(),
                departures: Vec::new(),
            },
            starts_over: false,
            #[cfg(debug_assertions)]
            guard: Guard::new(world),
        };
        world
            .resource_mut::<Bindings>()
            .publications
            .push(Box::new(publication));
    }
}

impl<C: Component<Mutability = Mutable> + Clone + PartialEq> Publication for Published<C> {
    fn notice(&mut self, world: &mut World) {
        self.brought.extend(self.strangers.iter(world));
    }

    fn assign(&mut self, world: &mut World) {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.write(world)));
        #[cfg(debug_assertions)]
        {
            let arrivals = self.changes.arrivals.iter().map(|(entity, _)| *entity);
            self.guard.trust(world, arrivals);
        }
        if let Err(panic) = outcome {
            resume_unwind(panic);
        }
    }

    fn restructure(&mut self, world: &mut World) {
        let Changes {
            arrivals,
            departures,
        } = &mut self.changes;
        if !(arrivals.is_empty() && departures.is_empty()) {
            // Hooks, observers and required components may write to sources.
            world.resource_mut::<Cogs>().into_inner().turn.again = true;
        }
        if !arrivals.is_empty() {
            // An entity may have been despawned since it was collected; it simply misses its value.
            drop(world.try_insert_batch(arrivals.drain(..)));
        }
        let mut first = Ok(());
        for entity in departures.drain(..) {
            if let Ok(mut entity) = world.get_entity_mut(entity) {
                let outcome = catch_unwind(AssertUnwindSafe(|| {
                    entity.remove::<C>();
                }));
                first = first.and(outcome);
            }
        }
        if let Err(panic) = first {
            resume_unwind(panic);
        }
    }

    fn start_over(&mut self) {
        self.starts_over = true;
    }

    fn clamp_ticks(&mut self, _: CheckChangeTicks) {}
}

impl<C: Component<Mutability = Mutable> + Clone + PartialEq> Published<C> {
    /// Writes what moved, and notes what must come or go.
    ///
    /// # Panics
    ///
    /// If the plugin's own resources are gone; with what the value panics with.
    fn write(&mut self, world: &mut World) {
        // What a panic left here may be wrong by now.
        self.changes.arrivals.clear();
        self.changes.departures.clear();
        #[cfg(debug_assertions)]
        {
            let repair = self.guard.restore(world, self.family);
            self.changes.arrivals.extend(repair.arrivals);
            self.changes.departures.extend(repair.departures);
        }
        let (cogs, mut moves, mut values, everyone) = self
            .state
            .get_mut(world)
            .expect("the plugin's resources are there");
        moves.list.clear();
        let is_shown = |entity: &Entity| {
            let row = everyone.get(*entity).ok().and_then(|(_, row)| row);
            row.is_some_and(|row| {
                cogs.arena()
                    .settled(self.family.at_slot(row.slot()))
                    .is_some()
            })
        };
        let departures = self.brought.drain(..).filter(|entity| !is_shown(entity));
        self.changes.departures.extend(departures);
        let mut writing = Writing {
            values: &mut values,
            everyone,
            moves: &mut moves,
            changes: &mut self.changes,
        };
        if self.starts_over {
            self.starts_over = false;
            // If it panics, it starts over once more.
            return writing.everything(&cogs, self.family);
        }
        let moved = cogs.arena().moved(self.family);
        if moved.is_empty() {
            return;
        }
        // Those who react want the moves in row order, and pay more than the walk saves.
        if writing.moves.told.is_none() && is_dense(writing.values, moved.len()) {
            writing.by_table(&moved);
        } else {
            writing.by_row(&moved);
        }
    }
}

/// Whether so many moved rows are worth a walk over the tables that hold the component.
fn is_dense<C: Component<Mutability = Mutable>>(values: &Values<'_, '_, C>, moved: usize) -> bool {
    if MaybeLocation::caller().into_option().is_some() {
        // Bevy wants to know for each row where it was written, which the walk doesn't say.
        return false;
    }
    let Ok(tables) = values.contiguous_iter() else {
        return false;
    };
    let there: usize = tables.map(|(entities, ..)| entities.len()).sum();
    0 < there && there <= moved * DENSE_FROM
}

/// What is written to, while values are put in place.
struct Writing<'a, 'w, 's, C: Component<Mutability = Mutable>> {
    values: &'a mut Values<'w, 's, C>,
    everyone: Everyone<'w, 's>,
    moves: &'a mut Moves<C>,
    changes: &'a mut Changes<C>,
}

impl<C: Component<Mutability = Mutable> + Clone + PartialEq> Writing<'_, '_, '_, C> {
    /// Writes row by row.
    fn by_row(&mut self, moved: &MovedRows<'_, Entity, C>) {
        for row in moved.iter() {
            self.row(*row.key, row.slot, row.value);
        }
    }

    /// Writes table by table, then the rows that are in none.
    ///
    /// # Panics
    ///
    /// If the component lies in no table: then nobody walks it.
    fn by_table(&mut self, moved: &MovedRows<'_, Entity, C>) {
        let mut met = 0;
        let tables = self
            .values
            .contiguous_iter_mut()
            .expect("a dense component lies in tables");
        for (entities, rows, column) in tables {
            let (values, mut ticks) = ContiguousMut::bypass_change_detection_split(column);
            let departures = &mut self.changes.departures;
            let depart = |at: usize| departures.push(entities[at]);
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                write_table(rows, values, &mut ticks, moved, depart)
            }));
            let last = outcome
                .as_ref()
                .map_or_else(|_| written(&mut ticks), |(_, last)| *last);
            if let Some(at) = last {
                // One tick set in Bevy's own way also moves the table's summary tick, if it has one.
                let at = u32::try_from(at).expect("a table's rows have 32-bit numbers");
                ticks.slice(at..at + 1).mark_all_as_changed();
            }
            match outcome {
                Ok((count, _)) => met += count,
                Err(panic) => resume_unwind(panic),
            }
        }
        if met < moved.len() {
            for row in moved.iter() {
                if !self.values.contains(*row.key) {
                    self.row(*row.key, row.slot, row.value);
                }
            }
        }
    }

    /// Writes one row, or notes that the component must come or go.
    fn row(&mut self, entity: Entity, slot: KeySlot<Entity>, value: Option<&C>) {
        let Some(value) = value else {
            return self.gone(entity, slot);
        };
        match self.values.get_mut(entity) {
            Ok((_, _, there)) if *there == *value => {}
            Ok((_, _, mut there)) => {
                let value = value.clone();
                *there = value;
            }
            Err(_) if self.everyone.contains(entity) => {
                self.changes.arrivals.push((entity, value.clone()));
            }
            // It was despawned since it was collected; the next turn lets its row go.
            Err(_) => return,
        }
        self.moves.tell(entity, Some(value));
    }

    /// Notes that `entity` has no value any more, if the row is still its own.
    fn gone(&mut self, entity: Entity, slot: KeySlot<Entity>) {
        match self.everyone.get(entity) {
            // It lost its row by hand and got another, which tells of its value.
            Ok((_, Some(row))) if row.slot() != slot => return,
            Ok((_, Some(_))) if !self.values.contains(entity) => {}
            Ok(_) => self.changes.departures.push(entity),
            Err(_) => {}
        }
        self.moves.tell(entity, None);
    }

    /// Compares every row that there is. A panic of one keeps none of the others from being written.
    fn everything(&mut self, cogs: &Cogs, family: DerivedFamily<Entity, C>) {
        let rows: Vec<_> = self
            .everyone
            .iter()
            .filter_map(|(e, row)| Some((e, row?.slot())))
            .collect();
        let mut first = Ok(());
        for (entity, slot) in rows {
            let value = cogs.arena().settled(family.at_slot(slot));
            let outcome = catch_unwind(AssertUnwindSafe(|| self.row(entity, slot, value)));
            first = first.and(outcome);
        }
        let has_row = |entity| matches!(self.everyone.get(entity), Ok((_, Some(_))));
        self.moves.tell_gone(|entity| !has_row(entity));
        if let Err(panic) = first {
            resume_unwind(panic);
        }
    }
}
