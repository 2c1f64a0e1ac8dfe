//! Inputs: what a declared function is handed.
//!
//! Takes: descriptors. Leaves: the items of one row after the other, in a loop
//! that knows their types. Never: hands out a value that isn't settled.

use crate::reader::Reader;
use crate::recipes::descriptors::{
    Aligned, Lookups, Optional, OwnKey, Previous, Reads, Shared, SharedOptional,
};
use crate::recipes::fetch::{Column, Declaration, Fetch};
use crate::recipes::lookup::Lookup;
use crate::values::keys::Key;

/// What a declared function is handed: one descriptor, or a tuple of up to twelve, nested as you like.
///
/// | descriptor | made by | the function gets |
/// |---|---|---|
/// | [`Shared`] | `cog.shared()` | `&T`; no row without it |
/// | [`SharedOptional`] | `cog.shared_optional()` | `Option<&T>` |
/// | [`Aligned`] | `family.aligned()` | `&T` of the same key; no row without it |
/// | [`Optional`] | `family.optional()` | `Option<&T>` of the same key |
/// | [`Lookups`] | `family.lookup()` | a [`Lookup`], tracked: any key, absence too |
/// | [`Reads`] | `Reads` | a [`Reader`], tracked: anything |
/// | [`Previous`] | `Previous::new()` | `Option<&T>`, its own last value |
/// | [`OwnKey`] | `OwnKey::new()` | `&K` |
///
/// # Safety
///
/// Not to be implemented outside this crate: `declare` must name all that `chunk` and `item` touch.
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let units = arena.key_space::<u32>();
/// let (health, armor) = (arena.member_family::<_, f32>(units), arena.member_family::<_, f32>(units));
/// let difficulty = arena.source(2.0_f32);
/// let threat = arena.derived_family_from(
///     units,
///     (health.aligned(), armor.optional(), difficulty.shared()),
///     |(health, armor, difficulty)| health * difficulty - armor.copied().unwrap_or(0.0),
/// );
/// arena.turn(|w| w.set(health.at(4), 10.0));
/// assert_eq!(*arena.read(threat.at(4)), 20.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be an input of a declared function",
    label = "not an input",
    note = "use `.shared()` of a keyless cog; `.aligned()`, `.optional()` or `.lookup()` of a family; `Reads`, `Previous`, `OwnKey`; or a tuple of these"
)]
pub unsafe trait Inputs: Copy + Send + Sync + 'static {
    /// What the function gets for one row.
    type Items<'a>;

    /// The addresses for 64 rows.
    #[doc(hidden)]
    type Chunk: Copy;

    /// Whether reads are tracked.
    #[doc(hidden)]
    const TRACKED: bool;

    /// Names the inputs.
    #[doc(hidden)]
    fn declare(self, declaration: &mut Declaration<'_>);

    /// Finds the addresses.
    #[doc(hidden)]
    fn chunk(self, fetch: &Fetch<'_>) -> Self::Chunk;

    /// The items of one row.
    ///
    /// # Safety
    ///
    /// - The chunk was fetched for this `fetch`.
    /// - All required inputs have values at `offset`, and these stay for `'a`.
    #[doc(hidden)]
    unsafe fn item<'a>(chunk: Self::Chunk, fetch: &'a Fetch<'a>, offset: u32) -> Self::Items<'a>;
}

// SAFETY: what is fetched is the row that is declared.
unsafe impl<T: Send + Sync + 'static> Inputs for Shared<T> {
    type Items<'a> = &'a T;
    type Chunk = *const T;
    const TRACKED: bool = false;

    fn declare(self, declaration: &mut Declaration<'_>) {
        declaration.add_keyless(self.arena, self.row, true);
    }

    fn chunk(self, fetch: &Fetch<'_>) -> Self::Chunk {
        let local = fetch.engine().graph.rows[self.row.chunk()].local;
        fetch
            .engine()
            .values
            .store::<T>(self.store)
            .chunk(local)
            .0
            .at(self.row.offset())
    }

    #[inline]
    unsafe fn item<'a>(chunk: Self::Chunk, _: &'a Fetch<'a>, _: u32) -> &'a T {
        // SAFETY: a required input has a value, the caller promises.
        unsafe { &*chunk }
    }
}

// SAFETY: what is fetched is the row that is declared.
unsafe impl<T: Send + Sync + 'static> Inputs for SharedOptional<T> {
    type Items<'a> = Option<&'a T>;
    type Chunk = *const T;
    const TRACKED: bool = false;

    fn declare(self, declaration: &mut Declaration<'_>) {
        declaration.add_keyless(self.0.arena, self.0.row, false);
    }

    fn chunk(self, fetch: &Fetch<'_>) -> Self::Chunk {
        if fetch.engine().graph.rows.is_present(self.0.row) {
            self.0.chunk(fetch)
        } else {
            std::ptr::null()
        }
    }

    #[inline]
    unsafe fn item<'a>(chunk: Self::Chunk, _: &'a Fetch<'a>, _: u32) -> Option<&'a T> {
        // SAFETY: the address is null, or that of a value.
        unsafe { chunk.as_ref() }
    }
}

// SAFETY: what is fetched is the column that is declared.
unsafe impl<K: Key, T: Send + Sync + 'static> Inputs for Aligned<K, T> {
    type Items<'a> = &'a T;
    type Chunk = Column<T>;
    const TRACKED: bool = false;

    fn declare(self, declaration: &mut Declaration<'_>) {
        declaration.add_family(self.arena, self.column, self.space, true);
    }

    fn chunk(self, fetch: &Fetch<'_>) -> Self::Chunk {
        fetch.column(self.store)
    }

    #[inline]
    unsafe fn item<'a>(chunk: Self::Chunk, _: &'a Fetch<'a>, offset: u32) -> &'a T {
        // SAFETY: a required input has a value, the caller promises.
        unsafe { chunk.get(offset) }
    }
}

// SAFETY: what is fetched is the column that is declared.
unsafe impl<K: Key, T: Send + Sync + 'static> Inputs for Optional<K, T> {
    type Items<'a> = Option<&'a T>;
    type Chunk = Column<T>;
    const TRACKED: bool = false;

    fn declare(self, declaration: &mut Declaration<'_>) {
        declaration.add_family(self.0.arena, self.0.column, self.0.space, false);
    }

    fn chunk(self, fetch: &Fetch<'_>) -> Self::Chunk {
        fetch.column(self.0.store)
    }

    #[inline]
    unsafe fn item<'a>(chunk: Self::Chunk, _: &'a Fetch<'a>, offset: u32) -> Option<&'a T> {
        // SAFETY: the value, if there, stays, the caller promises.
        unsafe { chunk.find(offset) }
    }
}

// SAFETY: what is read is recorded as it is read.
unsafe impl<K: Key, T: Send + Sync + 'static> Inputs for Lookups<K, T> {
    type Items<'a> = Lookup<'a, K, T>;
    type Chunk = Self;
    const TRACKED: bool = true;

    fn declare(self, declaration: &mut Declaration<'_>) {
        declaration.engine.own(self.0.arena);
    }

    fn chunk(self, _: &Fetch<'_>) -> Self::Chunk {
        self
    }

    #[inline]
    unsafe fn item<'a>(chunk: Self::Chunk, fetch: &'a Fetch<'a>, _: u32) -> Lookup<'a, K, T> {
        Lookup::new(fetch.reader.expect("a tracked row has a reader"), chunk.0)
    }
}

// SAFETY: what is read is recorded as it is read.
unsafe impl Inputs for Reads {
    type Items<'a> = &'a Reader<'a>;
    type Chunk = ();
    const TRACKED: bool = true;

    fn declare(self, _: &mut Declaration<'_>) {}

    fn chunk(self, _: &Fetch<'_>) -> Self::Chunk {}

    #[inline]
    unsafe fn item<'a>((): Self::Chunk, fetch: &'a Fetch<'a>, _: u32) -> &'a Reader<'a> {
        fetch.reader.expect("a tracked row has a reader")
    }
}

// SAFETY: a row's own value needs no declaration: it is replaced after the run.
unsafe impl<T: Send + Sync + 'static> Inputs for Previous<T> {
    type Items<'a> = Option<&'a T>;
    type Chunk = Column<T>;
    const TRACKED: bool = false;

    #[track_caller]
    fn declare(self, declaration: &mut Declaration<'_>) {
        declaration.add_previous::<T>();
    }

    fn chunk(self, fetch: &Fetch<'_>) -> Self::Chunk {
        fetch.column(fetch.store)
    }

    #[inline]
    unsafe fn item<'a>(chunk: Self::Chunk, _: &'a Fetch<'a>, offset: u32) -> Option<&'a T> {
        // SAFETY: the value, if there, stays until the row's run is over, the caller promises.
        unsafe { chunk.find(offset) }
    }
}

// SAFETY: a key lives as long as its rows.
unsafe impl<K: Key> Inputs for OwnKey<K> {
    type Items<'a> = &'a K;
    type Chunk = Column<K>;
    const TRACKED: bool = false;

    fn declare(self, declaration: &mut Declaration<'_>) {
        declaration.add_key::<K>();
    }

    fn chunk(self, fetch: &Fetch<'_>) -> Self::Chunk {
        let (slots, filled) = fetch
            .engine()
            .values
            .space::<K>(fetch.space)
            .keys
            .chunk(fetch.local);
        Column {
            slots: slots.at(0),
            filled,
        }
    }

    #[inline]
    unsafe fn item<'a>(chunk: Self::Chunk, _: &'a Fetch<'a>, offset: u32) -> &'a K {
        // SAFETY: a row's key is there for as long as the row.
        unsafe { chunk.get(offset) }
    }
}
