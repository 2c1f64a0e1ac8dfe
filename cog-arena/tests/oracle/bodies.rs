//! Turn bodies: the same writes to the arena's writer and to the model.
//!
//! Takes: a writer and moves. Leaves: the same staged in both. Never: commits; the arena does that
//! when the body is over, and the model when it hears of it.

use crate::net::functions::{Game, Handle, with_row};
use crate::net::model::{Model, first};
use crate::net::ops::Write;
use crate::net::spec::{KEYS, Kind, Place};
use crate::net::value::{Tag, Value, boom};
use cog_arena::{KeySlot, KeySpace, Writer};
use std::sync::{Arc, Mutex, PoisonError};

/// What bodies need to know beside the model: key spaces, and the slots of live keys.
#[derive(Debug)]
pub(crate) struct Desk {
    /// Both sides.
    pub(crate) game: Arc<Game>,
    /// The key spaces.
    pub(crate) spaces: [KeySpace<Tag>; 2],
    slots: Mutex<[Slots; 2]>,
}

/// For each key its slot, with the generation it was given in.
type Slots = [Option<(u32, KeySlot<Tag>)>; KEYS as usize];

impl Desk {
    /// A desk without slots.
    pub(crate) fn new(game: &Arc<Game>, spaces: [KeySpace<Tag>; 2]) -> Arc<Self> {
        Arc::new(Self {
            game: Arc::clone(game),
            spaces,
            slots: Mutex::default(),
        })
    }

    /// The slot of a key that is a member, committed and staged.
    fn slot(&self, model: &Model, space: usize, key: u32) -> Option<KeySlot<Tag>> {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let (generation, slot) = slots[space][key as usize]?;
        let is_current = generation == model.generations[space][key as usize];
        (is_current && model.is_member_in_place(space, key)).then_some(slot)
    }

    /// Notes the slot of a live key; the one before it, if it is another.
    pub(crate) fn note_slot(
        &self,
        space: usize,
        key: u32,
        slot: Option<KeySlot<Tag>>,
    ) -> Option<KeySlot<Tag>> {
        let generation = self.game.model().generations[space][key as usize];
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let old = std::mem::replace(
            &mut slots[space][key as usize],
            slot.map(|slot| (generation, slot)),
        );
        old.map(|(_, slot)| slot).filter(|old| Some(*old) != slot)
    }
}

/// The body of a turn that the arena commits by itself.
pub(crate) fn body(desk: &Desk, writer: &mut Writer<'_>, writes: &[Write], fails: bool) {
    {
        let mut model = desk.game.model();
        model.commit_if_due();
        model.open();
    }
    for write in writes {
        play(desk, writer, write);
    }
    let mut model = desk.game.model();
    if fails {
        model.discard();
        model.booms += 1;
        drop(model);
        boom();
    }
    model.commit_due = !model.in_steps;
}

/// The body of a queued turn: turns leave the queue in the order they came.
pub(crate) fn queued_body(
    desk: &Desk,
    writer: &mut Writer<'_>,
    writes: &[Write],
    fails: bool,
    ticket: u64,
) {
    {
        let mut model = desk.game.model();
        let first = model.watchers.queue.pop_front();
        if first != Some(ticket) {
            model.complain(format!(
                "queued turn {ticket} ran where {first:?} was the oldest"
            ));
        }
    }
    body(desk, writer, writes, fails);
}

/// What a move needs of a source.
struct Target {
    place: Place,
    kind: Kind,
    handle: Handle,
    seen: Option<i64>,
    space: Option<usize>,
}

fn target(desk: &Desk, cog: u8, key: u8) -> Target {
    let model = desk.game.model();
    let sources: Vec<_> = (0..model.specs.len())
        .filter(|&cog| model.specs[cog].is_source())
        .collect();
    let cog = sources[usize::from(cog) % sources.len()];
    let space = model.specs[cog].space;
    let key = if space.is_some() {
        u32::from(key) % KEYS
    } else {
        0
    };
    let place = Place { cog, key };
    Target {
        place,
        kind: model.specs[cog].kind,
        handle: desk.game.handle(cog),
        seen: model.seen_by_writer(place),
        space,
    }
}

fn play(desk: &Desk, writer: &mut Writer<'_>, write: &Write) {
    match *write {
        Write::Set { cog, key, value } => {
            set(desk, writer, &target(desk, cog, key), i64::from(value));
        }
        Write::SetRow { cog, key, value } => {
            set_row(desk, writer, &target(desk, cog, key), i64::from(value));
        }
        Write::SetRef { cog, key, value } => {
            set_ref(desk, writer, &target(desk, cog, key), i64::from(value));
        }
        Write::Update { cog, key, value } => {
            update(desk, writer, &target(desk, cog, key), i64::from(value));
        }
        Write::Equal { cog, key } => {
            let target = target(desk, cog, key);
            if let Some(seen) = target.seen {
                set(desk, writer, &target, seen);
            }
        }
        Write::Revert { cog, key, value } => {
            let target = target(desk, cog, key);
            if let Some(seen) = target.seen {
                set(desk, writer, &target, i64::from(value));
                set(desk, writer, &target, seen);
            }
        }
        Write::Clear { cog, key } => clear(desk, writer, &target(desk, cog, key)),
        Write::Insert { space, key, value } => {
            insert(desk, writer, usize::from(space % 2), key_of(key), value);
        }
        Write::Remove { space, key } => remove(desk, writer, usize::from(space % 2), key_of(key)),
        Write::RemoveSlot { space, key } => {
            remove_slot(desk, writer, usize::from(space % 2), key_of(key));
        }
        Write::Replace { space, key } => {
            remove(desk, writer, usize::from(space % 2), key_of(key));
            insert(desk, writer, usize::from(space % 2), key_of(key), 9);
        }
        Write::Read { cog, key } => read(desk, writer, cog, key),
        Write::Get { cog, key } => get(desk, writer, &target(desk, cog, key)),
        Write::Nested(ref writes) => writer.turn(|writer| {
            for write in writes {
                play(desk, writer, write);
            }
        }),
    }
}

fn key_of(key: u8) -> u32 {
    u32::from(key) % KEYS
}

fn value_of(desk: &Desk, place: Place, value: i64) -> Value {
    Value::new(&desk.game.model().fuse, place, value)
}

fn set(desk: &Desk, writer: &mut Writer<'_>, target: &Target, value: i64) {
    let new = value_of(desk, target.place, value);
    match target.handle {
        Handle::Source(source) => writer.set(source, new),
        Handle::SourceFamily(family) => writer.set(family.at(Tag::new(target.place.key)), new),
        other => unreachable!("{other:?} is a source"),
    }
    desk.game.model().stage(target.place, value);
}

fn set_row(desk: &Desk, writer: &mut Writer<'_>, target: &Target, value: i64) {
    let (Handle::SourceFamily(family), Some(space)) = (target.handle, target.space) else {
        return;
    };
    let slot = desk.slot(&desk.game.model(), space, target.place.key);
    let Some(slot) = slot else { return };
    let new = value_of(desk, target.place, value);
    if value % 2 == 0 {
        writer.rows(family).set(slot, new);
    } else {
        writer.set(family.at_slot(slot), new);
    }
    desk.game.model().stage(target.place, value);
}

/// Not while the bomb is armed: this verb compares at once.
fn set_ref(desk: &Desk, writer: &mut Writer<'_>, target: &Target, value: i64) {
    let fuse = Arc::clone(&desk.game.model().fuse);
    if fuse.is_armed() {
        return;
    }
    let new = value_of(desk, target.place, value);
    match target.handle {
        Handle::Source(source) => writer.set_ref(source, &new),
        Handle::SourceFamily(family) => writer.set_ref(family.at(Tag::new(target.place.key)), &new),
        other => unreachable!("{other:?} is a source"),
    }
    desk.game.model().stage_if_different(target.place, value);
}

fn update(desk: &Desk, writer: &mut Writer<'_>, target: &Target, value: i64) {
    let Some(seen) = target.seen else { return };
    let next = (seen + value) % 8;
    let new = value_of(desk, target.place, next);
    let change = move |old: &mut Value| *old = new;
    match target.handle {
        Handle::Source(source) => writer.update(source, change),
        Handle::SourceFamily(family) => {
            writer.update(&family.at(Tag::new(target.place.key)), change);
        }
        other => unreachable!("{other:?} is a source"),
    }
    desk.game.model().stage(target.place, next);
}

/// Empties a source that may be empty; a row of a total family starts anew. A member's row by its slot, too.
fn clear(desk: &Desk, writer: &mut Writer<'_>, target: &Target) {
    let Place { cog, key } = target.place;
    let slot = target
        .space
        .and_then(|space| desk.slot(&desk.game.model(), space, key));
    match (target.kind, target.handle, slot) {
        (Kind::Absent, Handle::Source(source), _) => writer.clear(source),
        (Kind::Member | Kind::Total, Handle::SourceFamily(family), Some(slot)) => {
            if key.is_multiple_of(2) {
                writer.rows(family).remove(slot);
            } else {
                writer.remove(family.at_slot(slot));
            }
        }
        (Kind::Member, Handle::SourceFamily(family), None) => {
            writer.remove(family.at(Tag::new(key)));
        }
        _ => return,
    }
    let mut model = desk.game.model();
    if target.kind == Kind::Total {
        let first = first(&model.specs[cog], key);
        model.stage(target.place, first);
    } else {
        model.stage_nothing(target.place);
    }
}

/// Inserts a key and, for small values, sets a row of it by the slot that came back.
fn insert(desk: &Desk, writer: &mut Writer<'_>, space: usize, key: u32, value: u8) {
    let known = desk.slot(&desk.game.model(), space, key);
    let slot = writer.insert_key(desk.spaces[space], Tag::new(key));
    let family = {
        let mut model = desk.game.model();
        model.stage_member(space, key);
        if known.is_some_and(|known| known != slot) {
            model.complain(format!(
                "inserting member {key} of space {space} gave it another slot"
            ));
        }
        let fits =
            |cog: &usize| model.specs[*cog].is_source() && model.specs[*cog].space == Some(space);
        (0..model.specs.len()).filter(fits).nth(usize::from(value))
    };
    let Some(cog) = family else { return };
    let place = Place { cog, key };
    let new = value_of(desk, place, i64::from(value));
    if let Handle::SourceFamily(family) = desk.game.handle(cog) {
        writer.rows(family).set(slot, new);
        desk.game.model().stage(place, i64::from(value));
    }
}

fn remove(desk: &Desk, writer: &mut Writer<'_>, space: usize, key: u32) {
    let removed = writer.remove_key(desk.spaces[space], &Tag::new(key));
    check_removal(desk, space, key, removed);
}

fn remove_slot(desk: &Desk, writer: &mut Writer<'_>, space: usize, key: u32) {
    let slot = desk.slot(&desk.game.model(), space, key);
    if let Some(slot) = slot {
        let removed = writer.remove_slot(slot);
        check_removal(desk, space, key, removed);
    }
}

fn check_removal(desk: &Desk, space: usize, key: u32, removed: bool) {
    let mut model = desk.game.model();
    if model.stage_removal(space, key) != removed {
        model.complain(format!(
            "removing key {key} of space {space} said {removed}"
        ));
    }
}

/// Reads a committed value in the middle of the body.
fn read(desk: &Desk, writer: &mut Writer<'_>, cog: u8, key: u8) {
    let (place, foreseen) = {
        let mut model = desk.game.model();
        let place = model.readable(cog, key);
        model.attempt += 1;
        (place, model.truth(place))
    };
    let Ok(Some(_)) = foreseen else { return };
    let found = with_row!(desk.game.handle(place.cog), place.key, row => writer.read(row)).number();
    // The model may have learned only from the run that there was one to come.
    let truth = desk.game.model().truth(place);
    if truth != Ok(Some(found)) {
        desk.game.model().complain(format!(
            "a body read {found} from {place:?}, where {truth:?} is committed"
        ));
    }
}

fn get(desk: &Desk, writer: &mut Writer<'_>, target: &Target) {
    let found = match target.handle {
        Handle::Source(source) => writer.try_get(source).map(Value::number),
        Handle::SourceFamily(family) => writer
            .try_get(family.at(Tag::new(target.place.key)))
            .map(Value::number),
        other => unreachable!("{other:?} is a source"),
    };
    if found != target.seen {
        let complaint = format!(
            "the writer saw {found:?} in {:?}, where {:?} is staged",
            target.place, target.seen
        );
        desk.game.model().complain(complaint);
    }
}
