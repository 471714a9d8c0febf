//! A trace as a workload: the same requests in the same order, at the recorded pace or an even one.

use super::{Row, Trace};
use crate::{Request, Rng, Workload};
use thiserror::Error;

/// How fast a trace is replayed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// At the recorded times, this many times as fast.
    Recorded {
        /// 1.0 is the recorded speed, 10.0 ten times as fast.
        speedup: f64,
    },
    /// Evenly, for traces that keep no useful times.
    Even {
        /// Requests per second.
        rate_per_s: f64,
    },
}

impl Pace {
    fn validate(self) -> Result<(), InvalidPace> {
        let (option, found) = match self {
            Self::Recorded { speedup } => ("speedup", speedup),
            Self::Even { rate_per_s } => ("rate_per_s", rate_per_s),
        };
        let fits = found > 0.0 && found.is_finite();
        if fits { Ok(()) } else { Err(InvalidPace { option, found }) }
    }
}

/// A pace at which nothing would ever be sent.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{option} is {found}: expected a positive number")]
pub struct InvalidPace {
    /// Which number.
    pub option: &'static str,
    /// Its value.
    pub found: f64,
}

/// A request and when it is due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timed {
    /// Seconds after the start of the replay.
    pub due_s: f64,
    /// What is asked for.
    pub request: Request,
}

/// One pass over a trace.
pub(super) fn timed(trace: &Trace, pace: Pace) -> Result<impl Iterator<Item = Timed> + '_, InvalidPace> {
    pace.validate()?;
    let first_s = trace.rows.first().map_or(0.0, |row| row.time_s);
    Ok(trace.rows.iter().enumerate().map(move |(index, row)| Timed {
        due_s: match pace {
            Pace::Recorded { speedup } => (row.time_s - first_s) / speedup,
            Pace::Even { rate_per_s } => index as f64 / rate_per_s,
        },
        request: row.request(),
    }))
}

/// A trace as a workload. It cycles: after the last request comes the first one.
#[derive(Clone, Debug)]
pub struct Replay {
    trace: Trace,
    next: usize,
    ebb: Option<Ebb>,
}

impl Replay {
    pub(super) fn new(trace: Trace, pace: Pace) -> Result<Self, InvalidPace> {
        pace.validate()?;
        let ebb = match pace {
            Pace::Recorded { speedup } => Ebb::new(&trace.rows, trace.duration_s(), speedup),
            Pace::Even { .. } => None,
        };
        Ok(Self { trace, next: 0, ebb })
    }
}

impl Workload for Replay {
    fn next(&mut self, _now_s: f64, _rng: &mut Rng) -> Request {
        let request = self.trace.rows[self.next].request();
        self.next = if self.next + 1 == self.trace.len() { 0 } else { self.next + 1 };
        request
    }

    fn key_space(&self) -> u64 {
        self.trace.distinct_keys()
    }

    /// Always 0: a recording does not say when its distribution changes.
    fn epoch(&self, _now_s: f64) -> u64 {
        0
    }

    /// Requests per second around this moment of the recording, relative to the mean of the whole.
    fn intensity(&self, now_s: f64) -> f64 {
        self.ebb.as_ref().map_or(1.0, |ebb| ebb.at(now_s))
    }

    fn value_bytes(&self, key: u64) -> u32 {
        let bytes = self.bytes_between(key, key.saturating_add(1));
        u32::try_from(bytes).unwrap_or(u32::MAX)
    }

    fn bytes_between(&self, a: u64, b: u64) -> u64 {
        let up_to = |key: u64| {
            let key = key.min(self.trace.distinct_keys());
            self.trace.bytes_before.get(key as usize).copied().unwrap_or(0)
        };
        up_to(b).saturating_sub(up_to(a))
    }
}

/// The rise and fall of a recorded load, in equal slices of time.
#[derive(Clone, Debug)]
struct Ebb {
    slice_s: f64,
    /// Requests in each slice, relative to the mean.
    slices: Vec<f32>,
    speedup: f64,
}

/// Slices are a second of the recording, or longer so that there are no more than this many.
const SLICES_MAX: f64 = 10_000.0;

impl Ebb {
    /// None if the recording has no duration to speak of.
    fn new(rows: &[Row], duration_s: f64, speedup: f64) -> Option<Self> {
        let first_s = rows.first()?.time_s;
        let slice_s = (duration_s / SLICES_MAX).max(1.0);
        let whole = (duration_s / slice_s) as usize;
        if whole == 0 {
            return None;
        }
        // What lies behind the last whole slice counts to it, so that a short rest does not look like a lull.
        let slice_of = |row: &Row| (((row.time_s - first_s) / slice_s) as usize).min(whole - 1);
        let mut counts = vec![0u32; whole];
        for row in rows {
            counts[slice_of(row)] += 1;
        }
        let mean = rows.len() as f64 / whole as f64;
        let slices = counts.into_iter().map(|count| (f64::from(count) / mean) as f32).collect();
        Some(Self { slice_s, slices, speedup })
    }

    fn at(&self, now_s: f64) -> f64 {
        let recorded_s = now_s.max(0.0) * self.speedup;
        let slice = (recorded_s / self.slice_s) as usize % self.slices.len();
        self.slices.get(slice).map_or(1.0, |&intensity| f64::from(intensity))
    }
}
