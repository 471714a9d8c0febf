//! What comes out of a workload, and the trait that synthetic loads and traces share.

use crate::Rng;

/// What a request does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Reads one record.
    Read,
    /// Overwrites one record.
    Write,
    /// Reads `rows` records in key order, from `key` upwards.
    Scan,
    /// Writes a record that was not there before.
    Insert,
    /// Reads one record, then overwrites it.
    ReadModifyWrite,
}

/// One request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    /// What it does.
    pub kind: Kind,
    /// Position in the ordered key space `[0, key_space)`; for a scan, where it starts.
    pub key: u64,
    /// Size of one record in bytes. A scan moves about `rows` times as much.
    pub value_bytes: u32,
    /// Records touched: 1, or the length of the scan.
    pub rows: u32,
}

/// A stream of requests over an ordered key space.
pub trait Workload: Send {
    /// The next request, for a client that asks at `now_s` seconds after the start of the run.
    fn next(&mut self, now_s: f64, rng: &mut Rng) -> Request;

    /// One more than the highest key that can come.
    fn key_space(&self) -> u64;

    /// A number that changes whenever the distribution of the keys changes, and stays the same otherwise.
    fn epoch(&self, now_s: f64) -> u64;

    /// The arrival rate at a time, relative to the run's nominal rate; 1.0 for a steady load.
    fn intensity(&self, now_s: f64) -> f64;

    /// Mean size in bytes of the record at a key.
    fn value_bytes(&self, key: u64) -> u32;

    /// Bytes of data in the keys `[a, b)` as written so far; 0 if the interval is empty.
    fn bytes_between(&self, a: u64, b: u64) -> u64;
}
