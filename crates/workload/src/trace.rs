//! Recorded requests instead of drawn ones: reading a trace and replaying it.
//!
//! A trace is a CSV with the header `time_s,key,size,op`, rows in time order, plain or compressed. Its keys
//! are opaque text. Each distinct key becomes a position in key order, so that ranges exist as in any other
//! load: numbers first, by value, then all other keys, byte by byte.

mod decode; // gzip, zstd, and a guard against endless lines
mod error; // what can be wrong with a trace
mod keys; // from key text to position
mod parse; // from rows to requests
mod replay; // a trace as a workload

pub use decode::Compression;
pub use error::TraceError;
pub use replay::{InvalidPace, Pace, Replay, Timed};

use crate::{Kind, Request};
use std::io::Read;
use std::sync::Arc;

/// The most requests that one trace may hold; 24 bytes are kept for each.
pub(crate) const REQUESTS_MAX: usize = 100_000_000;

/// A recorded load. Cloning is cheap: copies share the rows.
#[derive(Clone, Debug)]
pub struct Trace {
    rows: Arc<[Row]>,
    /// For each key, the bytes of all keys before it; one entry more than there are keys.
    bytes_before: Arc<[u64]>,
}

/// One request as it is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    time_s: f64,
    key: u32,
    bytes: u32,
    kind: Kind,
}

impl Row {
    fn request(&self) -> Request {
        Request { kind: self.kind, key: u64::from(self.key), value_bytes: self.bytes, rows: 1 }
    }
}

impl Trace {
    /// Reads a whole trace.
    ///
    /// Errors name the line, what was found and what was expected. Memory is bounded by a hundred million
    /// requests and 4 KiB per line, whatever comes in.
    pub fn read(reader: impl Read, compression: Compression) -> Result<Self, TraceError> {
        let rows = parse::rows(decode::open(reader, compression), compression)?;
        let bytes_before = bytes_before(&rows).into();
        Ok(Self { rows: rows.into(), bytes_before })
    }

    /// Number of requests; at least 1.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Always false: a trace without requests is refused when it is read.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Number of distinct keys; positions run from 0 to one less.
    pub fn distinct_keys(&self) -> u64 {
        self.bytes_before.len() as u64 - 1
    }

    /// Seconds from the first request to the last.
    pub fn duration_s(&self) -> f64 {
        match (self.rows.first(), self.rows.last()) {
            (Some(first), Some(last)) => last.time_s - first.time_s,
            _ => 0.0,
        }
    }

    /// The requests of one pass with the times at which they are due, for open-loop replay.
    pub fn timed(&self, pace: Pace) -> Result<impl Iterator<Item = Timed> + '_, InvalidPace> {
        replay::timed(self, pace)
    }

    /// The trace as a workload that starts over at the end.
    pub fn workload(&self, pace: Pace) -> Result<Replay, InvalidPace> {
        Replay::new(self.clone(), pace)
    }
}

/// Running sums over the keys of the mean size that each was requested with.
fn bytes_before(rows: &[Row]) -> Vec<u64> {
    let keys = rows.iter().map(|row| row.key as usize + 1).max().unwrap_or(0);
    let mut totals = vec![(0u64, 0u64); keys];
    for row in rows {
        let (bytes, count) = &mut totals[row.key as usize];
        *bytes += u64::from(row.bytes);
        *count += 1;
    }
    let mut sums = vec![0];
    let mut sum = 0;
    for (bytes, count) in totals {
        sum += bytes / count.max(1);
        sums.push(sum);
    }
    sums
}

#[cfg(test)]
mod tests;
