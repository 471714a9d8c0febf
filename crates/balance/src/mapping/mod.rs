//! Says what each region costs its node, when only the node's own use can be measured.
//!
//! The kernel counts CPU time and disk bytes per process, never per region; the store counts requests per
//! region. Metric mapping divides the first by the second:
//!
//! ```text
//!   cpu_i = (A − base) · (r_i + c·(w_i + f·a_i)) / Σ …       r reads, w writes, a writes applied as follower
//!   io_i  =      B     · (ρ·R_i + ω·(W_i + A_i)) / Σ …       the same in bytes
//! ```
//!
//! `A` and `B` are the node's measured CPU and disk use, `c` is how many reads a write costs, `f` how much of
//! a leader's write a follower's is, `ρ` the share of read bytes that miss the cache, `ω` how many bytes
//! reach the disk for each byte written. Only their proportions matter.
//!
//! The paper profiles `c` once, offline. [`CEstimator`] learns it from the heartbeats while the cluster runs.
//!
//! # Invariants
//! * What is attributed adds up to what was measured less the base, up to rounding, as soon as any region
//!   shows activity. An idle node attributes nothing: its use belongs to nobody and must not look movable.
//! * No region is charged a negative or undefined cost, whatever the counters say.

mod estimate;
#[cfg(test)]
mod estimate_tests;
#[cfg(test)]
mod tests;

pub use estimate::{CEstimate, CEstimator, Doubt, Observation};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How many reads a write costs in CPU, as the paper measured it on TiKV at 32,000 requests per second.
pub const PAPER_C: f64 = 1.63;

/// What one replica was asked to do, as rates per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counters {
    /// Reads served.
    pub read_ops: f64,
    /// Writes proposed as leader.
    pub write_ops: f64,
    /// Writes applied as follower.
    pub applied_ops: f64,
    /// Bytes returned by reads.
    pub read_bytes: f64,
    /// Bytes written as leader.
    pub write_bytes: f64,
    /// Bytes written as follower.
    pub applied_bytes: f64,
}

/// What a node was measured to use, in any unit: regions are charged in the same one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NodeUse {
    /// CPU use, for instance in cores.
    pub cpu: f64,
    /// Disk bytes per second, read and written.
    pub io: f64,
}

/// The proportions by which a node's use is divided among its regions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mapping {
    /// CPU cost of a write, in reads. Default [`PAPER_C`].
    pub c: f64,
    /// CPU cost of applying a write as follower, in writes as leader. Default 0.5, an assumption until
    /// measured: a follower appends and applies like the leader, but has no client to answer and no followers
    /// to send to.
    pub follower_write: f64,
    /// Disk bytes per byte read: the share of reads that miss the cache. Default 1, which together with
    /// `write_io = 1` lets user bytes count as they are, as the paper's prototype does.
    pub read_io: f64,
    /// Disk bytes per byte written: log, flush and compaction. The same for leader and follower, since each
    /// keeps its own log and tree. Default 1.
    pub write_io: f64,
    /// CPU that the node uses without any request, in the unit of [`NodeUse::cpu`]. It stays with the node, as
    /// no move can take it away. Default 0: like the paper, all CPU is charged to regions.
    pub base_cpu: f64,
}

impl Default for Mapping {
    fn default() -> Self {
        Mapping { c: PAPER_C, follower_write: 0.5, read_io: 1.0, write_io: 1.0, base_cpu: 0.0 }
    }
}

/// A proportion that cannot be meant.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("mapping has {field} = {found}, expected a finite number of at least 0: correct the configuration")]
pub struct BadMapping {
    /// The option.
    pub field: &'static str,
    /// Its value.
    pub found: f64,
}

impl Mapping {
    /// Checks that every proportion is finite and not negative.
    pub fn validate(&self) -> Result<(), BadMapping> {
        let fields = [
            ("c", self.c),
            ("follower_write", self.follower_write),
            ("read_io", self.read_io),
            ("write_io", self.write_io),
            ("base_cpu", self.base_cpu),
        ];
        match fields.into_iter().find(|(_, found)| !(found.is_finite() && *found >= 0.0)) {
            Some((field, found)) => Err(BadMapping { field, found }),
            None => Ok(()),
        }
    }

    /// Divides a node's use among the replicas it holds: `[cpu, io]` for each, in the order given.
    pub fn attribute(&self, node: NodeUse, regions: &[Counters]) -> Vec<[f64; 2]> {
        let cpu = divide(node.cpu - self.base_cpu, regions, |region| self.cpu_weight(region));
        let io = divide(node.io, regions, |region| self.io_weight(region));
        cpu.into_iter().zip(io).map(|(cpu, io)| [cpu, io]).collect()
    }

    /// The writes of a replica in leader's writes; what [`Observation::write_ops`] wants, summed over a node.
    pub fn leader_writes(&self, region: &Counters) -> f64 {
        sound(region.write_ops) + sound(self.follower_write * region.applied_ops)
    }

    fn cpu_weight(&self, region: &Counters) -> f64 {
        sound(region.read_ops) + sound(self.c * self.leader_writes(region))
    }

    fn io_weight(&self, region: &Counters) -> f64 {
        sound(self.read_io * region.read_bytes)
            + sound(self.write_io * region.write_bytes)
            + sound(self.write_io * region.applied_bytes)
    }
}

fn divide(amount: f64, regions: &[Counters], weight: impl Fn(&Counters) -> f64) -> Vec<f64> {
    let amount = sound(amount);
    let weights: Vec<f64> = regions.iter().map(weight).collect();
    let total: f64 = weights.iter().sum();
    // The share is taken first: the product of a large amount and a large weight could overflow.
    weights.iter().map(|weight| if total > 0.0 { amount * (weight / total) } else { 0.0 }).collect()
}

/// A broken counter counts as 0: the region loses its share for one heartbeat, the others keep theirs.
fn sound(value: f64) -> f64 {
    if value.is_finite() && value > 0.0 { value } else { 0.0 }
}
