//! Feeds: values that leave the arena, for whoever takes them when there is time.
//!
//! Takes: a cog. Leaves: a handle for any thread, and a queue behind it that turns fill. Never: lets a turn wait, runs
//! user code while the queue is locked, or tells of a value that came out equal.

use std::collections::VecDeque;
use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use crate::access::{Place, Readable};
use crate::engine::Engine;
use crate::engine::reactions::{Body, Command};
use crate::engine::reading::Mode;
use crate::error::{ReadError, TryNextError, raise};
use crate::ids::{NodeIndex, Row};
use crate::sync::{Bell, Shared};

/// How many values a feed keeps for a reader that is late, and which of them it does without.
///
/// # Examples
///
/// ```
/// use cog_arena::{Arena, Depth};
///
/// let mut arena = Arena::new();
/// let gold = arena.source(1);
/// let (newest, oldest) = (arena.feed(gold, Depth::Newest(2)), arena.feed(gold, Depth::Oldest(2)));
/// for coins in 2..5 {
///     arena.turn(|w| w.set(gold, coins));
/// }
/// assert_eq!(newest.drain().collect::<Vec<_>>(), [Some(3), Some(4)]);
/// assert_eq!(oldest.drain().collect::<Vec<_>>(), [Some(1), Some(2)]);
/// assert_eq!((newest.lost(), oldest.lost()), (2, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// So many; when one more comes, the one that waited longest is lost. `Newest(1)` is what is now.
    Newest(usize),
    /// So many; one that comes when they all wait is lost.
    Oldest(usize),
    /// All of them, however many.
    Unbounded,
}

/// A cog's values, one after the other: the one that was there when the feed was made, then each that differs from the
/// one before it, as turns leave it. Made by [`Arena::feed`](crate::Arena::feed).
///
/// `None` stands for a cog that has no value. What a turn went through before it settled is not told of, and neither is
/// a failure: while the cog's function fails the feed is silent, and it goes on when there is a value that differs.
///
/// It is read on any thread, through `&self`; a turn and a reader never wait for each other longer than it takes to move
/// a value into the queue or out of it. Nothing is signalled: ask when it suits you. Two feeds of one cog know nothing
/// of each other.
///
/// A feed holds its cog: it settles in every turn that may have changed it. Dropping the feed ends that. The arena
/// notices when its next turn begins, or the next feed is made; what waited is dropped with the feed, at once.
///
/// # Examples
///
/// ```
/// use cog_arena::{Arena, Depth, TryNextError};
///
/// let mut arena = Arena::new();
/// let health = arena.source(7);
/// let is_low = arena.derived(move |r| *r.get(health) < 5);
/// let feed = arena.feed(is_low, Depth::Unbounded);
/// for now in [6, 4, 3] {
///     arena.turn(|w| w.set(health, now));
/// }
/// let reader = std::thread::spawn(move || feed.drain().flatten().collect::<Vec<bool>>());
/// assert_eq!(reader.join().unwrap(), [false, true]); // neither 6 nor 3 made a difference
/// ```
pub struct Feed<T> {
    line: Arc<Shared<Line<T>>>,
    bell: Arc<Bell>,
    number: u64,
}

/// What waits for the reader.
struct Line<T> {
    waiting: VecDeque<Option<T>>,
    depth: Depth,
    lost: u64,
    ended: bool,
}

impl<T> Line<T> {
    /// Adds an item; gives back the one that there is no room for.
    fn push(&mut self, item: Option<T>) -> Option<Option<T>> {
        let full = match self.depth {
            Depth::Newest(most) | Depth::Oldest(most) => self.waiting.len() == most,
            Depth::Unbounded => false,
        };
        self.lost += u64::from(full);
        if full && matches!(self.depth, Depth::Oldest(_)) {
            return Some(item);
        }
        let over = if full { self.waiting.pop_front() } else { None };
        self.waiting.push_back(item);
        over
    }

    /// Whether the next item would be lost. It is, then: it need not be made first.
    fn refuses(&mut self) -> bool {
        let refuses = matches!(self.depth, Depth::Oldest(most) if self.waiting.len() == most);
        self.lost += u64::from(refuses);
        refuses
    }
}

impl<T> Feed<T> {
    /// The value that waited longest. `Ok(None)` says that the cog has none any more, or had none.
    ///
    /// # Cost
    ///
    /// O(1); a lock that nobody holds for longer.
    ///
    /// # Errors
    ///
    /// [`TryNextError::Empty`] if nothing waits, and [`TryNextError::Ended`] if nothing will: the arena was dropped, or
    /// the feed is of a [`KeySlot`](crate::KeySlot) that is over.
    pub fn try_next(&self) -> Result<Option<T>, TryNextError> {
        self.line.with(|line| {
            let next = line.waiting.pop_front();
            next.ok_or(if line.ended {
                TryNextError::Ended
            } else {
                TryNextError::Empty
            })
        })
    }

    /// Takes value after value until none waits; those too that come meanwhile.
    ///
    /// # Cost
    ///
    /// As [`try_next`](Self::try_next) for each. Takes nothing that it isn't asked for.
    pub fn drain(&self) -> impl Iterator<Item = Option<T>> {
        std::iter::from_fn(|| self.try_next().ok())
    }

    /// How many values wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.line.with(|line| line.waiting.len())
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many values nobody will get: for lack of room, or because their `Clone` panicked.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.line.with(|line| line.lost)
    }

    /// Whether no value comes any more. Some may still wait.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.line.with(|line| line.ended)
    }
}

impl<T> fmt::Debug for Feed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feed")
            .field("waiting", &self.len())
            .field("lost", &self.lost())
            .finish_non_exhaustive()
    }
}

impl<T> Drop for Feed<T> {
    fn drop(&mut self) {
        self.bell.ring(self.number);
        let waiting = self.line.with(|line| std::mem::take(&mut line.waiting));
        drop(waiting);
    }
}

/// The arena's end of a feed.
struct Tap<C: Readable> {
    cog: C,
    line: Arc<Shared<Line<C::Value>>>,
    number: u64,
    told: Told,
    /// The cog failed when it was read last.
    failing: bool,
    /// What was told before the cog failed. It is no news if it comes back.
    before: Option<C::Value>,
}

/// What was put on the line last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Nothing,
    Absence,
    Value,
}

/// Counts a value as lost if it can't be compared or cloned.
struct Losing<'a, T>(&'a Shared<Line<T>>);

impl<T> Losing<'_, T> {
    /// Does what may unwind.
    fn unless<R>(self, action: impl FnOnce() -> R) -> R {
        let result = action();
        std::mem::forget(self);
        result
    }
}

impl<T> Drop for Losing<'_, T> {
    fn drop(&mut self) {
        self.0.with(|line| line.lost += 1);
    }
}

impl<C: Readable> Drop for Tap<C> {
    fn drop(&mut self) {
        self.line.with(|line| line.ended = true);
    }
}

impl<C: Readable> Tap<C>
where
    C::Value: Clone,
{
    /// The cog moved, perhaps: what is now goes on the line, if it isn't what was told.
    ///
    /// # Panics
    ///
    /// With what user code panics with.
    fn run(&mut self, engine: &mut Engine) {
        if Arc::strong_count(&self.line) == 1 {
            // Dropped since the turn began.
            return;
        }
        let Ok(Place(row)) = self.cog.locate(engine) else {
            let end = Command::End(self.number);
            engine.reactions.commands.push(end);
            return;
        };
        match engine.read(row, Mode::Track) {
            Ok(true) => self.tell_value(engine, row),
            Ok(false) => self.tell_absence(),
            Err(panic) => {
                self.note_failure(engine, row);
                engine.note_raised(&panic);
                raise(panic);
            }
        }
    }

    /// # Panics
    ///
    /// With what `Clone`, equality or `Drop` panics with.
    fn tell_value(&mut self, engine: &Engine, row: Row) {
        let value = engine.value::<C::Value>(row);
        let value = value.expect("a present row holds a value");
        let before = self.before.take();
        self.failing = false;
        self.told = Told::Value;
        let is_known = Losing(&self.line).unless(|| {
            before.is_some_and(|before| {
                let (store, _) = engine.local(row);
                (engine.values.store::<C::Value>(store).equal)(&before, value)
            })
        });
        if is_known || self.line.with(Line::refuses) {
            return;
        }
        let item = Losing(&self.line).unless(|| value.clone());
        self.push(Some(item));
    }

    fn tell_absence(&mut self) {
        self.failing = false;
        drop(self.before.take());
        if self.told != Told::Absence {
            self.told = Told::Absence;
            self.push(None);
        }
    }

    fn push(&self, item: Option<C::Value>) {
        let over = self.line.with(|line| line.push(item));
        drop(over);
    }

    /// A row that fails keeps its last value, though nobody can read it: the one that was told.
    fn note_failure(&mut self, engine: &Engine, row: Row) {
        let is_first = !std::mem::replace(&mut self.failing, true);
        if is_first && self.told == Told::Value {
            self.before = engine.value::<C::Value>(row).cloned();
        }
    }
}

impl Engine {
    /// Adds a feed. It first runs with the reactions that are due.
    ///
    /// # Errors
    ///
    /// If the handle leads nowhere.
    pub(crate) fn add_feed<C>(
        &mut self,
        cog: C,
        depth: Depth,
        location: &'static Location<'static>,
    ) -> Result<Feed<C::Value>, ReadError>
    where
        C: Readable + Send + Sync + 'static,
        C::Value: Clone,
    {
        self.end_dropped();
        cog.locate(self)?;
        let number = self.reactions.next_feed;
        self.reactions.next_feed += 1;
        let bell = self.bell.get_or_insert_with(|| Arc::new(Bell::new()));
        let feed = Feed {
            line: Arc::new(Shared::new(Line {
                waiting: VecDeque::new(),
                depth,
                lost: 0,
                ended: false,
            })),
            bell: Arc::clone(bell),
            number,
        };
        let mut tap = Tap {
            cog,
            line: Arc::clone(&feed.line),
            number,
            told: Told::Nothing,
            failing: false,
            before: None,
        };
        let body: Body<Self> = Box::new(move |engine, _: NodeIndex| tap.run(engine));
        self.add_reaction(number, body, location);
        Ok(feed)
    }
}
