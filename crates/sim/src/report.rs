//! What a run comes to: per minute, and in total.

use balance::{MaxMean, Policy};
use serde::Serialize;

use crate::latency::LatencySummary;

/// A move undone within this time was for nothing.
const UNDONE_WITHIN_S: f64 = 300.0;

/// Counts what the operators did.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    pub leader_transfers: u64,
    pub splits: u64,
    pub new_regions: u64,
    pub merges: u64,
    pub bytes_moved: f64,
    moves: Vec<Moved>,
    undone: u64,
}

#[derive(Debug, Clone, Copy)]
struct Moved {
    at_s: f64,
    region: u64,
    from: u32,
    to: u32,
    undone: bool,
}

impl Tally {
    pub fn moved(&mut self, at_s: f64, region: u64, from: u32, to: u32, bytes: f64) {
        self.bytes_moved += bytes;
        let recent = |known: &&mut Moved| at_s - known.at_s <= UNDONE_WITHIN_S && !known.undone;
        let undone = self
            .moves
            .iter_mut()
            .rev()
            .take_while(|known| at_s - known.at_s <= UNDONE_WITHIN_S)
            .filter(recent)
            .find(|known| known.region == region && known.from == to && known.to == from);
        if let Some(known) = undone {
            known.undone = true;
            self.undone += 1;
        }
        self.moves.push(Moved { at_s, region, from, to, undone: false });
    }

    pub fn moves(&self) -> u64 {
        self.moves.len() as u64
    }

    /// Share of moves that were undone soon after.
    pub fn thrash(&self) -> f64 {
        if self.moves.is_empty() { 0.0 } else { self.undone as f64 / self.moves.len() as f64 }
    }
}

/// One minute of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Minute {
    /// Counted from 1.
    pub minute: u32,
    /// Max/Mean of what the nodes really carry, mean over the minute.
    pub cpu_max_mean: f64,
    /// The same for the disk.
    pub io_max_mean: f64,
    /// Max/Mean as the manager sees it.
    pub cpu_max_mean_estimated: f64,
    /// The same for the disk.
    pub io_max_mean_estimated: f64,
    /// Requests answered per second.
    pub throughput_ops: f64,
    /// Latencies of these requests.
    #[serde(flatten)]
    pub latency: LatencySummary,
    /// Moves so far.
    pub moves: u64,
    /// Regions at the end of the minute.
    pub regions: u64,
    /// Load of every node, relative to the mean: (processor, disk).
    #[serde(skip)]
    pub nodes: Vec<(f64, f64)>,
    /// Processor share that regions cost by being there.
    #[serde(skip)]
    pub region_overhead: f64,
    /// Largest and mean node rates: operations served as leader per second, and user bytes per second.
    #[serde(skip)]
    pub served: Served,
}

/// What the nodes' leaders serve, largest and mean over the nodes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Served {
    /// Most operations per second on a node.
    pub ops_max: f64,
    /// Mean operations per second.
    pub ops_mean: f64,
    /// Most user bytes per second on a node.
    pub bytes_max: f64,
    /// Mean user bytes per second.
    pub bytes_mean: f64,
}

/// A whole run of one policy.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PolicyResult {
    /// Which policy.
    pub policy: Policy,
    /// Max/Mean of what the nodes really carry, mean over the measured part: the last three
    /// eighths of the run.
    pub cpu_max_mean: f64,
    /// The same for the disk.
    pub io_max_mean: f64,
    /// As the manager sees it.
    pub cpu_max_mean_estimated: f64,
    /// The same for the disk.
    pub io_max_mean_estimated: f64,
    /// Requests answered per second in the measured part.
    pub throughput_ops: f64,
    /// Latencies in the measured part.
    #[serde(flatten)]
    pub latency: LatencySummary,
    /// Replicas copied.
    pub moves: u64,
    /// Leaderships handed over.
    pub leader_transfers: u64,
    /// Regions cut.
    pub splits: u64,
    /// Regions that cutting added.
    pub new_regions: u64,
    /// Regions joined.
    pub merges: u64,
    /// Bytes copied.
    pub bytes_moved: u64,
    /// Regions at the end.
    pub regions: u64,
    /// Minutes from the start of scheduling until both dimensions came to rest within λ; none if never.
    pub minutes_to_balance: Option<f64>,
    /// Share of moves undone within five minutes.
    pub thrash: f64,
    /// Requests turned away, as a share; only an open load has any.
    pub rejected: f64,
    /// Minute by minute. Left out of documents when emptied.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<Minute>,
}

/// When both dimensions came within the goal for good: from then on no sample is above twice the goal.
pub(crate) fn time_to_balance(samples: &[(f64, MaxMean)], start_s: f64, lambda: f64) -> Option<f64> {
    let active: Vec<&(f64, MaxMean)> = samples.iter().filter(|(at, _)| *at > start_s).collect();
    let last_bad = active.iter().rposition(|(_, seen)| !seen.within(2.0 * lambda));
    let rest = &active[last_bad.map_or(0, |index| index + 1)..];
    // True loads are compared with a little more than λ: the manager only sees them through noise.
    rest.iter().find(|(_, seen)| seen.within(lambda + 0.01)).map(|(at, _)| (at - start_s) / 60.0)
}
