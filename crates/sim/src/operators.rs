//! Carries out what the scheduler asks for. Everything takes its time.

use balance::split_point::{CannotSplit, Sample, Weigh, split_at_ratios};
use balance::{Command, NodeId, Op, Outcome, Part, Scheduler};
use workload::Rng;

use crate::cluster::{Cluster, SimRegion, below};
use crate::config::{Config, SplitBy};
use crate::report::Tally;

/// Seconds that handing over leadership or merging takes.
const QUICK_S: f64 = 1.0;
/// Seconds that a move takes besides copying: adding a learner, promoting it, handing over, removing the old.
const MEMBERSHIP_S: f64 = 5.0;

/// Most requests a node keeps of a region that it samples.
const SAMPLES: usize = 4000;

struct Operator {
    id: u64,
    op: Op,
    /// What is left to do: seconds, or bytes for a copy.
    left: f64,
    weigh: Weigh,
}

pub(crate) struct Operators {
    running: Vec<Operator>,
    config: Config,
    rng: Rng,
}

impl Operators {
    pub fn new(config: &Config, rng: Rng) -> Operators {
        Operators { running: Vec::new(), config: config.clone(), rng }
    }

    pub fn start(&mut self, command: Command, cluster: &Cluster, weigh: Weigh) {
        let op = command.step.op;
        let left = match &op {
            Op::Split { .. } => self.config.sampling_s,
            Op::Move { region, .. } => {
                let slot = cluster.slot_of.get(&region.0);
                let bytes =
                    slot.and_then(|slot| cluster.region(*slot)).map_or(0.0, |region| region.size_bytes);
                bytes + MEMBERSHIP_S * self.config.copy_mb_s * 1e6
            }
            Op::TransferLeader { .. } | Op::Merge { .. } => QUICK_S,
        };
        self.running.push(Operator { id: command.id, op, left, weigh });
    }

    /// Lets time pass; reports what ended.
    pub fn advance(
        &mut self,
        seconds: f64,
        now_s: f64,
        rate_ops: f64,
        cluster: &mut Cluster,
        scheduler: &mut Scheduler,
        tally: &mut Tally,
    ) {
        let copied = self.config.copy_mb_s * 1e6 * seconds;
        for operator in &mut self.running {
            operator.left -= if matches!(operator.op, Op::Move { .. }) { copied } else { seconds };
        }
        let (ended, running) =
            std::mem::take(&mut self.running).into_iter().partition(|operator| operator.left <= 0.0);
        self.running = running;
        let ended: Vec<Operator> = ended;
        for operator in ended {
            let outcome = match operator.op {
                Op::Split { region, ref parts } => {
                    match self.split_keys(region.0, parts, operator.weigh, rate_ops, cluster) {
                        Ok(keys) => split(cluster, region.0, &keys, tally),
                        Err(why) => {
                            if let CannotSplit::SingleHotKey { share, .. } = why {
                                scheduler.hot_key(region, share);
                            }
                            Outcome::Failed
                        }
                    }
                }
                Op::Move { region, from, to } => relocate(cluster, region.0, from, to, now_s, tally),
                Op::TransferLeader { region, from, to } => hand_over(cluster, region.0, from, to, tally),
                Op::Merge { ref regions, .. } => merge(cluster, regions, tally),
            };
            scheduler.finished(now_s, operator.id, outcome);
        }
    }

    /// MB/s that copying takes from each node's disk.
    pub fn disk_in_use(&self, nodes: usize) -> Vec<f64> {
        let mut used = vec![0.0; nodes];
        for operator in &self.running {
            if let Op::Move { from, to, .. } = operator.op {
                for node in [from, to] {
                    used[node.0 as usize - 1] += self.config.copy_mb_s;
                }
            }
        }
        used
    }

    /// The keys at which a node would cut a region into parts of these shares.
    fn split_keys(
        &mut self,
        id: u64,
        parts: &[Part],
        weigh: Weigh,
        rate_ops: f64,
        cluster: &Cluster,
    ) -> Result<Vec<u64>, CannotSplit<u64>> {
        let Some(region) = cluster.slot_of.get(&id).and_then(|slot| cluster.region(*slot)) else {
            return Ok(Vec::new());
        };
        match self.config.split_by {
            SplitBy::Size => Ok(vec![region.start.midpoint(region.end)]),
            SplitBy::Load => {
                let samples = self.sample(region, rate_ops, cluster);
                let points = split_at_ratios(&samples, &cumulative(parts), weigh)?;
                Ok(points.into_iter().map(|point| point.key).collect())
            }
        }
    }

    /// What a node sees of a region while it samples: as many requests as come in that time, up to a bound. Clients
    /// draw from the pool at random, so drawing from the region's stretch of it is the same.
    fn sample(&mut self, region: &SimRegion, rate_ops: f64, cluster: &Cluster) -> Vec<Sample<u64>> {
        let stretch = cluster.pool.stretch(region.start, region.end);
        let share = stretch.len() as f64 / cluster.pool.entries.len().max(1) as f64;
        let seen = ((rate_ops * share * self.config.sampling_s) as usize).min(SAMPLES);
        let draw = |_| {
            let entry =
                &cluster.pool.entries[stretch.start + below(&mut self.rng, stretch.len() as u64) as usize];
            let bytes = entry.leader.disk_bytes.max(1.0) as u64;
            Sample { start: entry.key, end: entry.last, bytes }
        };
        if stretch.is_empty() { Vec::new() } else { (0..seen).map(draw).collect() }
    }
}

fn split(cluster: &mut Cluster, id: u64, keys: &[u64], tally: &mut Tally) -> Outcome {
    match cluster.split(id, keys) {
        0 => Outcome::Failed,
        added => {
            tally.splits += 1;
            tally.new_regions += added as u64;
            Outcome::Done
        }
    }
}

/// Shares of all parts but the last, added up: where the cuts should fall.
fn cumulative(parts: &[Part]) -> Vec<f64> {
    let shares = parts[..parts.len().saturating_sub(1)].iter();
    shares
        .scan(0.0, |sum, part| {
            *sum += part.share;
            Some(*sum)
        })
        .collect()
}

fn relocate(
    cluster: &mut Cluster,
    id: u64,
    from: NodeId,
    to: NodeId,
    now_s: f64,
    tally: &mut Tally,
) -> Outcome {
    let (from, to) = (from.0 as u32 - 1, to.0 as u32 - 1);
    let Some(region) = cluster.region_mut(id).filter(|region| !region.nodes.contains(&to)) else {
        return Outcome::Failed;
    };
    let Some(place) = region.nodes.iter_mut().find(|node| **node == from) else { return Outcome::Failed };
    *place = to;
    tally.moved(now_s, id, from, to, region.size_bytes);
    Outcome::Done
}

fn hand_over(cluster: &mut Cluster, id: u64, from: NodeId, to: NodeId, tally: &mut Tally) -> Outcome {
    let (from, to) = (from.0 as u32 - 1, to.0 as u32 - 1);
    let Some(region) = cluster.region_mut(id) else { return Outcome::Failed };
    let heir = region.nodes.iter().position(|node| *node == to).filter(|_| region.nodes[0] == from);
    let Some(heir) = heir else { return Outcome::Failed };
    region.nodes.swap(0, heir);
    tally.leader_transfers += 1;
    Outcome::Done
}

fn merge(cluster: &mut Cluster, regions: &[balance::RegionId], tally: &mut Tally) -> Outcome {
    match regions {
        [left, right] if cluster.merge(left.0, right.0) => {
            tally.merges += 1;
            Outcome::Done
        }
        _ => Outcome::Failed,
    }
}
