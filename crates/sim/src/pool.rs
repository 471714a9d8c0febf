//! The load of an epoch: a large sample of requests with what each costs, in key order.
//!
//! Clients draw from the pool at random. So the load that a region really carries is known exactly: it is the
//! sum over its stretch of the pool. What the manager is told about it is another matter.

use workload::{Kind, Request, Rng, Workload};

use crate::config::Costs;

/// One request of the pool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Entry {
    pub key: u64,
    /// Last key touched.
    pub last: u64,
    pub writes: bool,
    pub reads: bool,
    pub data_bytes: f32,
    pub leader: Cost,
    /// What it costs each follower. Reads cost followers nothing.
    pub follower: Cost,
}

/// Processor time and disk bytes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Cost {
    pub cpu_us: f32,
    pub disk_bytes: f32,
}

/// What a stretch of the pool amounts to, per request drawn from the whole pool.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Truth {
    pub leader_cpu_us: f64,
    pub leader_disk: f64,
    pub follower_cpu_us: f64,
    pub follower_disk: f64,
    pub reads: f64,
    pub writes: f64,
    pub read_bytes: f64,
    pub write_bytes: f64,
    /// Bytes that reads took from the disk.
    pub read_disk: f64,
}

pub(crate) struct Pool {
    pub entries: Vec<Entry>,
}

impl Pool {
    /// Draws a pool from a workload at a moment of the run.
    pub fn draw(load: &mut dyn Workload, now_s: f64, size: usize, costs: &Costs, rng: &mut Rng) -> Pool {
        let mut requests: Vec<Request> = (0..size).map(|_| load.next(now_s, rng)).collect();
        requests.sort_unstable_by_key(|request| (request.key, request.rows, request.value_bytes));
        let misses = miss_ratios(&requests, load, costs);
        let entries =
            requests.iter().zip(misses).map(|(request, miss)| entry(request, miss, costs)).collect();
        Pool { entries }
    }

    /// The stretch of the pool with keys from `start` up to but without `end`.
    pub fn stretch(&self, start: u64, end: u64) -> std::ops::Range<usize> {
        let below = |key: u64| self.entries.partition_point(|entry| entry.key < key);
        below(start)..below(end)
    }

    /// What a stretch really costs.
    pub fn truth(&self, stretch: std::ops::Range<usize>) -> Truth {
        let mut truth = Truth::default();
        for entry in &self.entries[stretch] {
            truth.leader_cpu_us += f64::from(entry.leader.cpu_us);
            truth.leader_disk += f64::from(entry.leader.disk_bytes);
            truth.follower_cpu_us += f64::from(entry.follower.cpu_us);
            truth.follower_disk += f64::from(entry.follower.disk_bytes);
            truth.reads += f64::from(u8::from(entry.reads));
            truth.writes += f64::from(u8::from(entry.writes));
            truth.read_bytes += if entry.reads { f64::from(entry.data_bytes) } else { 0.0 };
            truth.read_disk += f64::from(entry.leader.disk_bytes - entry.follower.disk_bytes);
            truth.write_bytes += if entry.writes { f64::from(entry.data_bytes) } else { 0.0 };
        }
        truth.scaled(1.0 / self.entries.len().max(1) as f64)
    }
}

impl Truth {
    fn scaled(self, factor: f64) -> Truth {
        Truth {
            leader_cpu_us: self.leader_cpu_us * factor,
            leader_disk: self.leader_disk * factor,
            follower_cpu_us: self.follower_cpu_us * factor,
            follower_disk: self.follower_disk * factor,
            reads: self.reads * factor,
            writes: self.writes * factor,
            read_bytes: self.read_bytes * factor,
            write_bytes: self.write_bytes * factor,
            read_disk: self.read_disk * factor,
        }
    }
}

fn entry(request: &Request, miss: f64, costs: &Costs) -> Entry {
    let bytes = f64::from(request.value_bytes);
    let rows = f64::from(request.rows.max(1));
    let (reads, writes) = match request.kind {
        Kind::Read | Kind::Scan => (true, false),
        Kind::Write | Kind::Insert => (false, true),
        Kind::ReadModifyWrite => (true, true),
    };
    let data = bytes * if request.kind == Kind::Scan { rows } else { 1.0 };
    let size_us = costs.kib_us * data / 1024.0;
    let read_us = costs.read_us + costs.row_us * (rows - 1.0) + size_us;
    let write_us = costs.read_us * costs.write_factor + size_us;
    let read_disk = miss * (data + costs.miss_bytes);
    let write_disk = (bytes + costs.write_overhead_bytes) * costs.write_amplification;
    let part = |on: bool, amount: f64| if on { amount } else { 0.0 };
    let cost = |cpu_us: f64, disk: f64| Cost { cpu_us: cpu_us as f32, disk_bytes: disk as f32 };
    Entry {
        key: request.key,
        last: request.key + u64::from(request.rows.max(1)) - 1,
        reads,
        writes,
        data_bytes: data as f32,
        leader: cost(
            part(reads, read_us) + part(writes, write_us),
            part(reads, read_disk) + part(writes, write_disk),
        ),
        follower: cost(part(writes, write_us * costs.follower_factor), part(writes, write_disk)),
    }
}

/// Stretches of the key space that are cached, or not, as a whole.
const BLOCKS: u64 = 1 << 16;

/// How often each request misses the cache, by Che's approximation for a least-recently-used cache: a block asked
/// for `n` times in the pool is found with probability 1 - exp(-n·t), and t is such that what is found fills the
/// cache. Requests come in key order.
fn miss_ratios(requests: &[Request], load: &dyn Workload, costs: &Costs) -> Vec<f64> {
    let block_keys = (load.key_space() / BLOCKS).max(1);
    let mut blocks: Vec<(u64, f64, f64)> = Vec::new();
    let mut place = Vec::with_capacity(requests.len());
    for request in requests {
        let block = request.key / block_keys;
        if blocks.last().is_none_or(|known| known.0 != block) {
            blocks.push((block, 0.0, block_keys as f64 * f64::from(request.value_bytes)));
        }
        let last = blocks.len() - 1;
        blocks[last].1 += 1.0;
        place.push(last);
    }
    let room = load.bytes_between(0, load.key_space()) as f64 * costs.cache_share;
    let cached = |t: f64| blocks.iter().map(|(_, n, bytes)| bytes * (1.0 - (-n * t).exp())).sum::<f64>();
    let (mut low, mut high) = (0.0, 64.0);
    for _ in 0..24 {
        let middle = (low + high) / 2.0;
        if cached(middle) < room {
            low = middle;
        } else {
            high = middle;
        }
    }
    let miss = |block: usize| (-blocks[block].1 * low).exp().max(costs.miss_min);
    place.into_iter().map(miss).collect()
}
