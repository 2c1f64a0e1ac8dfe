//! The intake of a source component: one scan over change ticks per frame.
//!
//! Takes: a component's column, table by table. Leaves: the values that may have changed, staged;
//! equal ones fall away in the arena. Never: hashes, boxes, or looks an entity up on the warm path.
//!
//! A table's ticks lie side by side, so the scan compares thirty-two of them at a time, without a branch per
//! row; that makes an idle type several times cheaper than a query with `Changed`. A type with
//! Bevy's `#[component(summary_tick)]` says by one tick per table that nothing happened.

use bevy_ecs::change_detection::{ContiguousRef, DetectChanges, MAX_CHANGE_AGE, Ref, ResMut, Tick};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::Remove;
use bevy_ecs::observer::On;
use bevy_ecs::query::{Has, QueryState, With, Without};
use bevy_ecs::resource::IsResource;
use bevy_ecs::system::{Query, SystemState};
use bevy_ecs::world::World;
use cog_arena::{Rows, SourceFamily};

use crate::binding::lists::{Bindings, Intake};
use crate::binding::rows::{CogRow, RowEvents, unfiltered};
use crate::cogs::Cogs;

/// How many ticks are compared at a time.
const TICKS_AT_ONCE: usize = 32;

/// Watches a component by its change ticks.
pub(crate) struct Polled<C: Component> {
    /// Which list of [`RowEvents::left`] is ours.
    place: usize,
    family: SourceFamily<Entity, C>,
    newcomers: QueryState<Entity, Newcomer<C>>,
    state: SystemState<Columns<C>>,
    /// What was seen is forgotten: stage every value, whatever its tick says.
    starts_over: bool,
}

/// Has the component, and no row yet.
type Newcomer<C> = (With<C>, Without<CogRow>, Without<IsResource>);

/// What one scan borrows.
type Columns<C> = (
    ResMut<'static, Cogs>,
    ResMut<'static, RowEvents>,
    Query<'static, 'static, (&'static CogRow, Ref<'static, C>)>,
    Query<'static, 'static, (&'static CogRow, Has<C>)>,
);

impl<C: Component + Clone> Polled<C> {
    /// Adds the intake of `family` to the frame.
    pub(crate) fn install(world: &mut World, family: SourceFamily<Entity, C>) {
        let mut events = world.resource_mut::<RowEvents>();
        let place = events.left.len();
        events.left.push(Vec::new());
        // An observer, not a hook: a type may have hooks of its own. It runs in whatever schedule
        // the removal happens, and the queue keeps it until the next turn.
        world.add_observer(
            move |removed: On<Remove<C>>, events: Option<ResMut<RowEvents>>| {
                // In a world that is being cleared the resource may be gone before the entity.
                if let Some(mut events) = events {
                    events.left[place].push(removed.entity);
                }
            },
        );
        let (newcomers, state) = unfiltered(world, |world| {
            (QueryState::new(world), SystemState::new(world))
        });
        let intake = Self {
            place,
            family,
            newcomers,
            state,
            starts_over: false,
        };
        world
            .resource_mut::<Bindings>()
            .intakes
            .push(Box::new(intake));
    }
}

impl<C: Component + Clone> Intake for Polled<C> {
    fn adopt(&mut self, world: &mut World, fresh: &mut Vec<Entity>) {
        let start = fresh.len();
        fresh.extend(self.newcomers.iter(world));
        if fresh.len() == start {
            return;
        }
        let cogs = world.resource_mut::<Cogs>().into_inner();
        let space = cogs.space();
        let mut writer = cogs.arena_mut().writer();
        let insert = |entity: &Entity| (*entity, CogRow::new(writer.insert_key(space, *entity)));
        let rows: Vec<_> = fresh[start..].iter().map(insert).collect();
        world.insert_batch(rows);
    }

    fn collect(&mut self, world: &mut World, fresh: &[Entity]) {
        let (cogs, mut events, columns, presence) = self
            .state
            .get_mut(world)
            .expect("the plugin's resources are there");
        let mut writer = cogs.into_inner().arena_mut().writer();
        let mut staging = writer.rows(self.family);
        for entity in events.left[self.place].drain(..) {
            // It may have got the component back since, or be gone: then its slot is gone too.
            if let Ok((row, false)) = presence.get(entity) {
                staging.remove(row.slot());
            }
        }
        if self.starts_over {
            everything(&columns, &presence, &mut staging);
            self.starts_over = false;
            return;
        }
        match columns.contiguous_iter() {
            Ok(tables) => tables.for_each(|(rows, values)| scan(rows, values, &mut staging)),
            Err(_) => sparse(&columns, &mut staging),
        }
        for (row, value) in columns.iter_many(fresh).flatten() {
            // The row is new, but the value may be older than the last scan: a row that was taken
            // off by hand comes back so.
            if !value.is_changed() {
                staging.set_ref(row.slot(), &value);
            }
        }
    }

    fn start_over(&mut self) {
        self.starts_over = true;
    }
}

/// Stages the changed values of one table.
fn scan<C: Component + Clone>(
    rows: &[CogRow],
    values: ContiguousRef<'_, C>,
    staging: &mut Rows<'_, Entity, C>,
) {
    let (values, ticks) = ContiguousRef::split(values);
    if ticks.summary_tick_is_changed() == Some(false) {
        return;
    }
    let newer = Newer::new(ticks.last_run(), ticks.this_run());
    let blocks = ticks.changed().chunks(TICKS_AT_ONCE);
    for (block, start) in blocks.zip((0..).step_by(TICKS_AT_ONCE)) {
        if newer.any(block) {
            let end = start + block.len();
            stage_block(
                &rows[start..end],
                &values[start..end],
                block,
                newer,
                staging,
            );
        }
    }
}

/// Stages the changed values of one block.
///
/// Apart from its caller, so that what the loop needs stays in registers.
#[inline(never)]
fn stage_block<C: Component + Clone>(
    rows: &[CogRow],
    values: &[C],
    ticks: &[Tick],
    newer: Newer,
    staging: &mut Rows<'_, Entity, C>,
) {
    for ((row, value), tick) in rows.iter().zip(values).zip(ticks) {
        if newer.is(*tick) {
            staging.set_ref(row.slot(), value);
        }
    }
}

/// Stages the changed values of a component that lies in no table.
fn sparse<C: Component + Clone>(
    columns: &Query<'_, '_, (&CogRow, Ref<'_, C>)>,
    staging: &mut Rows<'_, Entity, C>,
) {
    for (row, value) in columns {
        if value.is_changed() {
            staging.set_ref(row.slot(), &value);
        }
    }
}

/// Stages what there is, and the absence of what there is not.
fn everything<C: Component + Clone>(
    columns: &Query<'_, '_, (&CogRow, Ref<'_, C>)>,
    presence: &Query<'_, '_, (&CogRow, Has<C>)>,
    staging: &mut Rows<'_, Entity, C>,
) {
    for (row, value) in columns {
        staging.set_ref(row.slot(), &value);
    }
    for (row, _) in presence.iter().filter(|(_, has)| !has) {
        staging.remove(row.slot());
    }
}

/// Tells ticks that are newer than the last scan, as [`Tick::is_newer_than`] does, but with the
/// part that is the same for all rows taken out.
#[derive(Clone, Copy)]
struct Newer {
    this_run: u32,
    since: u32,
}

impl Newer {
    fn new(last_run: Tick, this_run: Tick) -> Self {
        let this_run = this_run.get();
        Self {
            this_run,
            since: this_run.wrapping_sub(last_run.get()).min(MAX_CHANGE_AGE),
        }
    }

    #[inline]
    fn is(self, tick: Tick) -> bool {
        self.this_run.wrapping_sub(tick.get()) < self.since
    }

    /// Without a branch per tick, so that the compiler may compare several at once.
    #[inline]
    fn any(self, ticks: &[Tick]) -> bool {
        ticks.iter().fold(false, |any, tick| any | self.is(*tick))
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_CHANGE_AGE, Newer, Tick};

    #[test]
    fn newer_agrees_with_bevy_at_every_edge() {
        let edges = [
            0,
            1,
            2,
            31,
            MAX_CHANGE_AGE - 1,
            MAX_CHANGE_AGE,
            MAX_CHANGE_AGE + 1,
            u32::MAX,
        ];
        for (this, last) in edges.into_iter().flat_map(|a| edges.map(|b| (a, b))) {
            for tick in edges
                .into_iter()
                .flat_map(|e| [e, this.wrapping_sub(e), last.wrapping_add(e)])
            {
                let (tick, last, this) = (Tick::new(tick), Tick::new(last), Tick::new(this));
                let expected = tick.is_newer_than(last, this);
                assert_eq!(
                    Newer::new(last, this).is(tick),
                    expected,
                    "{tick:?} {last:?} {this:?}"
                );
            }
        }
    }
}
