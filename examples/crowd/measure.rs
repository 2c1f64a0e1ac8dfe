//! Writes to some of a crowd, runs a frame, and times it.

use std::time::Instant;

use crate::Options;

/// Frames that are run before any is timed.
const WARM_UP: usize = 10;

/// A crowd of either kind.
pub(crate) trait Crowd {
    /// Writes one source, as a system would. It is not timed.
    fn hurt(&mut self, whom: usize, health: u32);
    /// Brings everything up to date. It is timed.
    fn frame(&mut self);
    /// What the last frame did, where somebody counts.
    fn counts(&self) -> Option<Counts>;
    /// Compares every value with a naive recomputation.
    fn is_right(&mut self) -> bool;
}

/// What a frame did, in rows.
#[derive(Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) reached: u64,
    pub(crate) run: u64,
    pub(crate) published: u64,
}

/// How many sources are written each frame, and how they lie.
#[derive(Clone, Copy)]
pub(crate) struct Rate {
    pub(crate) changed: usize,
    pub(crate) scattered: bool,
}

impl Rate {
    /// The rates that are measured.
    pub(crate) fn all(entities: usize) -> Vec<Self> {
        let scattered = |changed| Self {
            changed,
            scattered: true,
        };
        let contiguous = |changed| Self {
            changed,
            scattered: false,
        };
        vec![
            scattered(0),
            scattered(1),
            scattered(entities.div_ceil(1000)),
            scattered(entities.div_ceil(100)),
            contiguous(entities.div_ceil(100)),
            contiguous(entities),
        ]
    }

    /// Whom frame number `frame` hurts.
    fn whom(self, entities: usize, frame: usize) -> impl Iterator<Item = usize> {
        // A step that is prime and larger than most crowds comes by everybody before anybody twice.
        let step = if self.scattered { 1_000_003 } else { 1 };
        let start = frame * 7_919;
        (0..self.changed).map(move |n| (start + n * step) % entities)
    }
}

/// One line of the report.
pub(crate) struct Row {
    pub(crate) entities: usize,
    pub(crate) rate: Rate,
    pub(crate) variant: &'static str,
    pub(crate) median_us: f64,
    pub(crate) counts: Option<Counts>,
    pub(crate) ok: bool,
}

/// Runs `crowd` at `rate` and takes the median of its frames.
pub(crate) fn measure(
    mut crowd: Box<dyn Crowd>,
    variant: &'static str,
    rate: Rate,
    options: &Options,
) -> Row {
    crowd.frame();
    let mut ok = crowd.is_right();
    let mut times = Vec::with_capacity(options.frames);
    for frame in 0..WARM_UP + options.frames {
        for whom in rate.whom(options.entities, frame) {
            // Never the value that is there: a write that changes nothing would cost nothing.
            let health = u32::try_from(whom + frame * 31 + 1_000_000).expect("it fits");
            crowd.hurt(whom, health);
        }
        let time = timed(|| crowd.frame());
        if WARM_UP <= frame {
            times.push(time);
        }
    }
    ok &= crowd.is_right();
    times.sort_by(f64::total_cmp);
    let (entities, median_us) = (options.entities, times[times.len() / 2]);
    Row {
        entities,
        rate,
        variant,
        median_us,
        counts: crowd.counts(),
        ok,
    }
}

/// How long `work` takes, in microseconds.
#[expect(
    clippy::disallowed_methods,
    reason = "this is what the example measures"
)]
fn timed(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e6
}
