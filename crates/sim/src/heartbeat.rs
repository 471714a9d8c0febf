//! What the manager is told: counters and node totals with noise, turned into region loads by metric mapping.

use balance::mapping::{CEstimator, Counters, Mapping, NodeUse, Observation};
use balance::{KeyRange, Load, MaxMean, Node, NodeState, Region, View, ViewError};
use workload::Rng;

use crate::cluster::{Cluster, Role, SimRegion, normal};
use crate::config::{Clients, Config, Costs};

/// Turns the state of the cluster into a view, as heartbeats would show it.
pub(crate) struct Manager {
    rng: Rng,
    /// Learns the price of a write over that of a read.
    learner: CEstimator,
    /// Whether to use what was learned; the paper's policies use the profiled constant.
    learns: bool,
    mapping: Mapping,
}

/// The true rates of a node.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct NodeTruth {
    /// Processor time, in microseconds per second.
    pub cpu_us: f64,
    /// Disk bytes per second.
    pub disk: f64,
}

impl Manager {
    pub fn new(config: &Config, learns: bool, rng: Rng) -> Manager {
        let mapping = Mapping {
            // Nodes count what a region's reads took from the disk; what caches absorb never shows.
            read_io: 1.0,
            write_io: config.costs.write_amplification,
            follower_write: config.costs.follower_factor,
            ..Mapping::default()
        };
        Manager { rng, learner: CEstimator::new(), learns, mapping }
    }

    /// The view at the end of a heartbeat interval in which the cluster served `rate_ops` requests per second.
    pub fn view(&mut self, config: &Config, cluster: &Cluster, rate_ops: f64) -> Result<View, ViewError> {
        let truth = node_truth(cluster, &config.costs, rate_ops);
        let nodes = cluster.roles.len();
        let mut counters: Vec<Vec<Counters>> = vec![Vec::new(); nodes];
        let mut places: Vec<Vec<(usize, bool)>> = vec![Vec::new(); nodes];
        let live: Vec<&SimRegion> = cluster.live().map(|(_, region)| region).collect();
        for (index, region) in live.iter().enumerate() {
            for (order, node) in region.nodes.iter().enumerate() {
                let seen = self.count(region, order == 0, rate_ops, config.heartbeats.region_noise);
                counters[*node as usize].push(seen);
                places[*node as usize].push((index, order == 0));
            }
        }
        let mut leader = vec![Load::ZERO; live.len()];
        let mut follower = vec![Load::ZERO; live.len()];
        let mut seats = Vec::with_capacity(nodes);
        for node in 0..nodes {
            let (seen, pressure) = self.totals(config, truth[node]);
            self.learn(config, &counters[node], seen, pressure);
            let loads = self.mapping.attribute(seen, &counters[node]);
            for ((index, leads), load) in places[node].iter().zip(loads) {
                let target = if *leads { &mut leader } else { &mut follower };
                target[*index] += Load(load);
            }
            let state = match cluster.roles[node] {
                Role::Up => NodeState::Up,
                Role::Draining => NodeState::Draining,
                Role::Lost => NodeState::Down,
            };
            seats.push(Node { state, pressure, ..Node::new(node as u64 + 1) });
        }
        let regions = live.iter().zip(leader.iter().zip(&follower));
        View::new(
            seats,
            regions.map(|(region, (leader, follower))| seen(region, *leader, *follower)).collect(),
        )
    }

    fn count(&mut self, region: &SimRegion, leads: bool, rate_ops: f64, noise: f64) -> Counters {
        let scale = (1.0 + noise * normal(&mut self.rng)).max(0.0) * rate_ops;
        let truth = &region.truth;
        if leads {
            Counters {
                read_ops: truth.reads * scale,
                write_ops: truth.writes * scale,
                read_bytes: truth.read_disk * scale,
                write_bytes: truth.write_bytes * scale,
                ..Counters::default()
            }
        } else {
            Counters {
                applied_ops: truth.writes * scale,
                applied_bytes: truth.write_bytes * scale,
                ..Counters::default()
            }
        }
    }

    /// A node's totals as it reports them. A node that is asked for more than it can do reports what it did,
    /// and by how much it fell short.
    fn totals(&mut self, config: &Config, truth: NodeTruth) -> (NodeUse, f64) {
        let busiest = (truth.cpu_us / (f64::from(config.hardware.cores) * 1e6))
            .max(truth.disk / (config.hardware.disk_mb_s * 1e6));
        // A closed load never asks for more than is served.
        let pressure = match config.clients {
            Clients::Closed { .. } => 1.0,
            Clients::Open { .. } => busiest.clamp(1.0, 8.0),
        };
        let mut noisy = |amount: f64| {
            (amount / pressure * (1.0 + config.heartbeats.node_noise * normal(&mut self.rng))).max(0.0)
        };
        (NodeUse { cpu: noisy(truth.cpu_us), io: noisy(truth.disk) }, pressure)
    }

    fn learn(&mut self, config: &Config, counters: &[Counters], seen: NodeUse, pressure: f64) {
        if !self.learns {
            return;
        }
        let overhead = counters.len() as f64 * config.costs.region_us_per_s;
        self.learner.observe(Observation {
            cpu: seen.cpu - overhead,
            read_ops: counters.iter().map(|counter| counter.read_ops).sum(),
            write_ops: counters.iter().map(|counter| self.mapping.leader_writes(counter)).sum(),
            saturated: pressure > 1.0,
        });
        self.mapping.c = self.learner.estimate().c;
    }
}

fn seen(region: &SimRegion, leader: Load, follower: Load) -> Region {
    let followers = region.nodes.len() - 1;
    let key = |key: u64| key.to_be_bytes().to_vec();
    Region {
        followers: region.nodes[1..].iter().map(|node| balance::NodeId(u64::from(*node) + 1)).collect(),
        follower_load: if followers > 0 { follower * (1.0 / followers as f64) } else { Load::ZERO },
        size_bytes: Some(region.size_bytes as u64),
        range: Some(KeyRange { start: key(region.start), end: key(region.end) }),
        ..Region::new(region.id, u64::from(region.nodes[0]) + 1, leader)
    }
}

/// What every node really carries when the cluster is asked for `rate_ops` requests per second.
pub(crate) fn node_truth(cluster: &Cluster, costs: &Costs, rate_ops: f64) -> Vec<NodeTruth> {
    let mut nodes = vec![NodeTruth::default(); cluster.roles.len()];
    for (_, region) in cluster.live() {
        for (order, node) in region.nodes.iter().enumerate() {
            let truth = &region.truth;
            let (cpu_us, disk) = match order {
                0 => (truth.leader_cpu_us, truth.leader_disk),
                _ => (truth.follower_cpu_us, truth.follower_disk),
            };
            let node = &mut nodes[*node as usize];
            node.cpu_us += cpu_us * rate_ops + costs.region_us_per_s;
            node.disk += disk * rate_ops;
        }
    }
    nodes
}

/// Max/Mean of what nodes really carry, over the nodes that are up.
pub(crate) fn true_max_mean(cluster: &Cluster, costs: &Costs, rate_ops: f64) -> MaxMean {
    let truth = node_truth(cluster, costs, rate_ops);
    let up = truth.iter().zip(&cluster.roles).filter(|(_, role)| **role == Role::Up);
    MaxMean::of(up.map(|(truth, _)| Load::new(truth.cpu_us, truth.disk)))
}
