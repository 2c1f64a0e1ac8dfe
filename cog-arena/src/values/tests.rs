//! The unsafe room seen from inside: every value is dropped once, and none moves.
//!
//! Takes: stores of values that count themselves. Leaves: nothing. Never: goes
//! through the engine; a naive map beside each store says what is right.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::ids::{KeyRow, Moved, StoreId, bits_of};
use crate::values::keys::{ErasedSpace, Space};
use crate::values::store::{Staged, Store};

/// A value that knows how many of its kind are alive.
#[derive(Debug)]
struct Counted {
    value: u32,
    alive: Arc<AtomicI32>,
}

impl Counted {
    fn new(value: u32, alive: &Arc<AtomicI32>) -> Self {
        alive.fetch_add(1, Ordering::Relaxed);
        Self {
            value,
            alive: alive.clone(),
        }
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        Self::new(self.value, &self.alive)
    }
}

impl PartialEq for Counted {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::Relaxed);
    }
}

fn commit(store: &mut Store<Counted>) -> Vec<(u32, u64)> {
    let mut moved: Vec<Moved> = Vec::new();
    store.compare(StoreId::new(0), &mut moved);
    for Moved { item, .. } in &moved {
        store.apply(item.chunk, item.mask);
        assert_eq!(store.chunk(item.chunk).1, item.present);
    }
    moved
        .iter()
        .map(|moved| (moved.item.chunk, moved.item.mask))
        .collect()
}

#[test]
fn a_store_agrees_with_a_map_through_random_turns_and_drops_everything_once() {
    let alive = Arc::new(AtomicI32::new(0));
    let mut store = Store::new(|a: &Counted, b: &Counted| a == b);
    let mut model: BTreeMap<u32, u32> = BTreeMap::new();
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = move |bound: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        u32::try_from((seed >> 11) % bound).expect("a small bound")
    };
    for turn in 0..400 {
        let mut staged = model.clone();
        for _ in 0..next(12) {
            let key = next(150);
            let (chunk, offset) = (key >> 6, key & 63);
            match next(4) {
                0 => {
                    store.stage_clear(chunk, offset);
                    staged.remove(&key);
                }
                1 => {
                    store.unstage(chunk, offset);
                    match model.get(&key) {
                        Some(value) => staged.insert(key, *value),
                        None => staged.remove(&key),
                    };
                }
                2 => {
                    let value = next(5);
                    store.stage(chunk, offset, Counted::new(value, &alive));
                    staged.insert(key, value);
                }
                _ => {
                    let value = next(5);
                    store.stage_ref(chunk, offset, &Counted::new(value, &alive));
                    staged.insert(key, value);
                }
            }
        }
        if turn % 7 != 0 {
            let moved = commit(&mut store);
            for (chunk, mask) in moved {
                for offset in bits_of(mask) {
                    let key = chunk << 6 | offset;
                    assert_ne!(model.get(&key), staged.get(&key), "only what differs moves");
                }
            }
            model = staged;
        }
        assert!(store.clean().is_none());
        for key in 0..150 {
            let value = store.get(key >> 6, key & 63).map(|counted| counted.value);
            assert_eq!(value, model.get(&key).copied());
            assert!(matches!(store.staged(key >> 6, key & 63), Staged::None));
        }
        let count = i32::try_from(model.len()).expect("few values");
        assert_eq!(
            alive.load(Ordering::Relaxed),
            count,
            "nothing leaks, nothing is dropped twice"
        );
    }
    drop(store);
    assert_eq!(alive.load(Ordering::Relaxed), 0);
}

#[test]
fn a_value_stays_where_it_is_while_others_come() {
    let mut store = Store::new(|a: &u64, b: &u64| a == b);
    store.put(0, 3, 7);
    let before = std::ptr::from_ref(store.get(0, 3).expect("just put"));
    for chunk in 0..500 {
        store.put(chunk, 9, u64::from(chunk));
    }
    let after = std::ptr::from_ref(store.get(0, 3).expect("still there"));
    assert_eq!(before, after);
    assert_eq!(store.put(0, 3, 8), Some(7));
    assert_eq!(store.take(0, 3), Some(8));
    assert_eq!(store.take(0, 3), None);
}

#[test]
fn zero_sized_values_need_no_room() {
    let mut store = Store::new(|(): &(), (): &()| true);
    store.stage(2, 5, ());
    let mut moved = Vec::new();
    store.compare(StoreId::new(0), &mut moved);
    store.apply(2, moved[0].item.mask);
    assert!(store.clean().is_none());
    assert_eq!(store.get(2, 5), Some(&()));
    assert_eq!(store.get(2, 6), None);
}

#[test]
fn two_keys_with_one_index_are_told_apart() {
    let mut space = Space::<(u32, u32)>::indexed(|key| key.0);
    let old = space.ensure(&(4, 0));
    let new = space.ensure(&(4, 1));
    assert_ne!(old, new);
    assert_eq!(space.find(&(4, 0)), Some(old));
    assert_eq!(space.find(&(4, 1)), Some(new));

    let generation = space.generation(old);
    space.free(old);

    assert_eq!(space.find(&(4, 0)), None);
    assert_eq!(space.find(&(4, 1)), Some(new));
    assert_eq!(space.ensure(&(9, 0)), old, "the number is given out again");
    assert_ne!(space.generation(old), generation, "to another life");
    assert!(!space.is_member(KeyRow::new(0)));
}
