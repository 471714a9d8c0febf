//! One run: the loop that lets requests, operators, heartbeats and the scheduler take turns.

use balance::split_point::Weigh;
use balance::{Command, Dimension, Limits, MaxMean, Op, Policy, Scheduler, View};
use workload::{Workload, rng};

use crate::cluster::{Cluster, Role};
use crate::config::{Clients, Config, ConfigError, Event, EventKind};
use crate::heartbeat::{Manager, node_truth, true_max_mean};
use crate::operators::Operators;
use crate::pool::Pool;
use crate::queues::{Nanos, Station};
use crate::report::{Minute, PolicyResult, Served, Tally, time_to_balance};
use crate::traffic::Traffic;

/// Requests simulated per node and second, where the whole run stays within [`REQUESTS_MAX`].
const REQUESTS_PER_NODE_S: f64 = 400.0;
/// Requests simulated in one run.
const REQUESTS_MAX: f64 = 40e6;
/// Least share of a disk that is left to requests while replicas are copied.
const DISK_LEFT_MIN: f64 = 0.2;
/// Streams of the run's seed.
const STREAM_POOL: u64 = 1;
const STREAM_PLACEMENT: u64 = 2;
const STREAM_TRAFFIC: u64 = 3;
const STREAM_HEARTBEAT: u64 = 4;
const STREAM_SAMPLING: u64 = 5;

/// Simulates one policy. Same configuration and seed: same result, to the last bit.
pub fn run(config: &Config, policy: Policy) -> Result<PolicyResult, ConfigError> {
    config.validate()?;
    let load = config.workload.build()?;
    Ok(Simulation::new(config, policy, load).run())
}

/// Simulates one policy on a load that has no specification, such as a trace.
pub fn run_on(config: &Config, policy: Policy, load: Box<dyn Workload>) -> Result<PolicyResult, ConfigError> {
    config.validate()?;
    Ok(Simulation::new(config, policy, load).run())
}

struct Simulation<'c> {
    config: &'c Config,
    policy: Policy,
    load: Box<dyn Workload>,
    epoch: u64,
    cluster: Cluster,
    traffic: Traffic,
    manager: Manager,
    scheduler: Scheduler,
    operators: Operators,
    events: Vec<Event>,
    tally: Tally,
    /// True Max/Mean at every heartbeat.
    samples: Vec<(f64, MaxMean)>,
    /// Max/Mean as the manager saw it at every heartbeat.
    estimates: Vec<(f64, MaxMean)>,
    series: Vec<Minute>,
    /// Requests answered up to the last heartbeat, the last minute, and the start of the measured part.
    counted: [u64; 3],
    rate_ops: f64,
}

impl<'c> Simulation<'c> {
    fn new(config: &'c Config, policy: Policy, mut load: Box<dyn Workload>) -> Simulation<'c> {
        let size = (config.regions as usize * 60).clamp(200_000, 4_000_000);
        let mut draws = rng(config.seed, STREAM_POOL);
        let pool = Pool::draw(load.as_mut(), 0.0, size, &config.costs, &mut draws);
        let mut placement = rng(config.seed, STREAM_PLACEMENT);
        let key_space = load.key_space();
        let mut cluster =
            Cluster::new(config.nodes, config.regions, config.replicas, pool, key_space, &mut placement);
        cluster.set_sizes(load.as_ref(), config.region_mb * 1e6);
        let traffic = Traffic::new(config, dilation(config, &cluster), rng(config.seed, STREAM_TRAFFIC));
        let manager = Manager::new(config, policy == Policy::Keel, rng(config.seed, STREAM_HEARTBEAT));
        let mut events = config.events.clone();
        events.sort_by(|a, b| b.at_min.total_cmp(&a.at_min));
        Simulation {
            config,
            policy,
            epoch: load.epoch(0.0),
            load,
            cluster,
            traffic,
            manager,
            scheduler: Scheduler::new(policy, config.options.clone(), limits(config)),
            operators: Operators::new(config, rng(config.seed, STREAM_SAMPLING)),
            events,
            tally: Tally::default(),
            samples: Vec::new(),
            estimates: Vec::new(),
            series: Vec::new(),
            counted: [0; 3],
            rate_ops: 0.0,
        }
    }

    fn run(mut self) -> PolicyResult {
        let seconds = (self.config.minutes * 60.0).ceil() as u64;
        let measured_from = seconds - seconds * 3 / 8;
        let beat = self.config.heartbeats.interval_s.ceil().max(1.0) as u64;
        for second in 0..seconds {
            if second == measured_from {
                self.traffic.latencies.measure();
                self.counted[2] = self.traffic.completed;
            }
            self.follow_load(second as f64);
            self.happen(second as f64);
            self.set_speeds();
            self.traffic.run_until((second + 1) * 1_000_000_000 as Nanos, &self.cluster);
            let now_s = (second + 1) as f64;
            let Simulation { cluster, scheduler, operators, tally, rate_ops, .. } = &mut self;
            operators.advance(1.0, now_s, *rate_ops, cluster, scheduler, tally);
            if (second + 1) % beat == 0 {
                self.heartbeat(now_s, beat as f64);
            }
            if (second + 1) % 60 == 0 || second + 1 == seconds {
                self.end_minute(second);
            }
        }
        self.finish(measured_from as f64, seconds as f64)
    }

    /// Draws a new pool when the load has changed.
    fn follow_load(&mut self, now_s: f64) {
        self.traffic.intensity = self.load.intensity(now_s);
        let epoch = self.load.epoch(now_s);
        if epoch != self.epoch {
            self.epoch = epoch;
            let size = self.cluster.pool.entries.len();
            let mut draws = rng(self.config.seed, STREAM_POOL + (epoch << 8));
            let pool = Pool::draw(self.load.as_mut(), now_s, size, &self.config.costs, &mut draws);
            self.cluster.set_pool(pool);
        }
    }

    /// Lets due events happen.
    fn happen(&mut self, now_s: f64) {
        while self.events.last().is_some_and(|event| event.at_min * 60.0 <= now_s) {
            let Some(event) = self.events.pop() else { return };
            match event.kind {
                EventKind::Add => {
                    self.cluster.roles.push(Role::Up);
                    self.traffic.stations.push(Station::new(self.config.hardware.cores));
                }
                EventKind::Drain(node) => self.set_role(node, Role::Draining),
                EventKind::Lose(node) => {
                    self.set_role(node, Role::Lost);
                    for region in
                        self.cluster.slots.iter_mut().flatten().filter(|region| region.nodes.len() > 1)
                    {
                        region.nodes.retain(|held| *held != node.saturating_sub(1));
                    }
                }
            }
        }
    }

    fn set_role(&mut self, node: u32, role: Role) {
        if let Some(known) = self.cluster.roles.get_mut(node.saturating_sub(1) as usize) {
            *known = role;
        }
    }

    /// How fast nodes are while replicas are copied and regions cost them time.
    fn set_speeds(&mut self) {
        let nodes = self.cluster.roles.len();
        let copying = self.operators.disk_in_use(nodes);
        let mut replicas = vec![0.0; nodes];
        for (_, region) in self.cluster.live() {
            region.nodes.iter().for_each(|node| replicas[*node as usize] += 1.0);
        }
        let Config { hardware, costs, .. } = self.config;
        for (node, station) in self.traffic.stations.iter_mut().enumerate() {
            let overhead = replicas[node] * costs.region_us_per_s / (f64::from(hardware.cores) * 1e6);
            station.ns_per_us = 1000.0 * self.traffic.dilation / (1.0 - overhead.min(0.9));
            let left = (hardware.disk_mb_s - copying[node]).max(hardware.disk_mb_s * DISK_LEFT_MIN);
            station.ns_per_byte = 1e9 * self.traffic.dilation / (left * 1e6);
        }
    }

    fn heartbeat(&mut self, now_s: f64, interval_s: f64) {
        self.rate_ops = self.offered(self.traffic.completed - self.counted[0], interval_s);
        self.counted[0] = self.traffic.completed;
        self.samples.push((now_s, true_max_mean(&self.cluster, &self.config.costs, self.rate_ops)));
        let Ok(view) = self.manager.view(self.config, &self.cluster, self.rate_ops) else { return };
        self.estimates.push((now_s, view.max_mean()));
        if now_s >= self.config.start_min * 60.0 {
            let round = self.scheduler.tick(now_s, &view);
            for command in round.commands {
                let weigh = weigh(&view, &command);
                self.operators.start(command, &self.cluster, weigh);
            }
        }
    }

    /// Requests per second that the nodes are asked for.
    fn offered(&self, answered: u64, interval_s: f64) -> f64 {
        match self.config.clients {
            Clients::Closed { .. } => answered as f64 * self.traffic.dilation / interval_s,
            Clients::Open { rate_ops } => rate_ops * self.traffic.intensity,
        }
    }

    fn end_minute(&mut self, second: u64) {
        let minute = (second / 60 + 1) as u32;
        let since = f64::from(minute - 1) * 60.0;
        let answered = self.traffic.completed - self.counted[1];
        self.counted[1] = self.traffic.completed;
        let length_s = second as f64 + 1.0 - since;
        let (truth, seen) = (mean_since(&self.samples, since), mean_since(&self.estimates, since));
        let nodes = node_truth(&self.cluster, &self.config.costs, self.rate_ops);
        let count = nodes.len() as f64;
        let (cpu, disk) = nodes.iter().fold((0.0, 0.0), |sum, node| (sum.0 + node.cpu_us, sum.1 + node.disk));
        let replicas: usize = self.cluster.live().map(|(_, region)| region.nodes.len()).sum();
        let share = |part: f64, sum: f64| if sum > 0.0 { part * count / sum } else { 1.0 };
        self.series.push(Minute {
            minute,
            cpu_max_mean: truth.cpu,
            io_max_mean: truth.io,
            cpu_max_mean_estimated: seen.cpu,
            io_max_mean_estimated: seen.io,
            throughput_ops: answered as f64 * self.traffic.dilation / length_s,
            latency: self.traffic.latencies.end_minute(),
            moves: self.tally.moves(),
            regions: self.cluster.slot_of.len() as u64,
            nodes: nodes.iter().map(|node| (share(node.cpu_us, cpu), share(node.disk, disk))).collect(),
            region_overhead: if cpu > 0.0 {
                replicas as f64 * self.config.costs.region_us_per_s / cpu
            } else {
                0.0
            },
            served: self.served(),
        });
    }

    fn served(&self) -> Served {
        let mut nodes = vec![(0.0, 0.0); self.cluster.roles.len()];
        for (_, region) in self.cluster.live() {
            let node = &mut nodes[region.nodes[0] as usize];
            node.0 += (region.truth.reads.max(region.truth.writes)) * self.rate_ops;
            node.1 += (region.truth.read_bytes + region.truth.write_bytes) * self.rate_ops;
        }
        let count = nodes.len().max(1) as f64;
        let most = |read: fn(&(f64, f64)) -> f64| nodes.iter().map(read).fold(0.0, f64::max);
        let mean = |read: fn(&(f64, f64)) -> f64| nodes.iter().map(read).sum::<f64>() / count;
        Served {
            ops_max: most(|node| node.0),
            ops_mean: mean(|node| node.0),
            bytes_max: most(|node| node.1),
            bytes_mean: mean(|node| node.1),
        }
    }

    fn finish(self, measured_from: f64, end_s: f64) -> PolicyResult {
        let (truth, seen) =
            (mean_since(&self.samples, measured_from), mean_since(&self.estimates, measured_from));
        let answered = self.traffic.completed - self.counted[2];
        let asked = self.traffic.completed + self.traffic.rejected;
        PolicyResult {
            policy: self.policy,
            cpu_max_mean: truth.cpu,
            io_max_mean: truth.io,
            cpu_max_mean_estimated: seen.cpu,
            io_max_mean_estimated: seen.io,
            throughput_ops: answered as f64 * self.traffic.dilation / (end_s - measured_from),
            latency: self.traffic.latencies.measured(),
            moves: self.tally.moves(),
            leader_transfers: self.tally.leader_transfers,
            splits: self.tally.splits,
            new_regions: self.tally.new_regions,
            merges: self.tally.merges,
            bytes_moved: self.tally.bytes_moved as u64,
            regions: self.cluster.slot_of.len() as u64,
            minutes_to_balance: time_to_balance(
                &self.samples,
                self.config.start_min * 60.0,
                self.config.options.lambda,
            ),
            thrash: self.tally.thrash(),
            rejected: self.traffic.rejected as f64 / asked.max(1) as f64,
            series: self.series,
        }
    }
}

/// The scheduler's limits, with at least one operation under way per node: a large cluster could otherwise not be
/// balanced in any time. What one node takes part in stays bounded.
fn limits(config: &Config) -> Limits {
    let in_flight = config.limits.in_flight.max(config.nodes as usize);
    Limits { in_flight, ..config.limits.clone() }
}

/// The dimension by which a region is cut: the one in which it is heavier.
fn weigh(view: &View, command: &Command) -> Weigh {
    let Op::Split { region, .. } = command.step.op else { return Weigh::Requests };
    let total = view.regions().iter().fold(balance::Load::ZERO, |sum, region| sum + region.leader_load);
    let region = view.regions().iter().find(|known| known.id == region);
    match region.map(|region| region.leader_load.per(total).largest()) {
        Some(Dimension::Io) => Weigh::Bytes,
        Some(Dimension::Cpu) | None => Weigh::Requests,
    }
}

fn mean_since(samples: &[(f64, MaxMean)], since_s: f64) -> MaxMean {
    let recent: Vec<MaxMean> =
        samples.iter().filter(|(at, _)| *at > since_s).map(|(_, seen)| *seen).collect();
    let mean = |read: fn(&MaxMean) -> f64| recent.iter().map(read).sum::<f64>() / recent.len().max(1) as f64;
    if recent.is_empty() {
        MaxMean::EVEN
    } else {
        MaxMean { cpu: mean(|seen| seen.cpu), io: mean(|seen| seen.io) }
    }
}

/// How much slower requests are simulated than they come, so that a run stays affordable.
fn dilation(config: &Config, cluster: &Cluster) -> f64 {
    let cost = node_truth(cluster, &config.costs, 1.0);
    let overhead: f64 =
        cluster.live().map(|(_, region)| region.nodes.len() as f64 * config.costs.region_us_per_s).sum();
    let cpu_us = cost.iter().map(|node| node.cpu_us).sum::<f64>() - overhead;
    let disk: f64 = cost.iter().map(|node| node.disk).sum();
    let nodes = f64::from(config.nodes);
    let by_cpu = nodes * f64::from(config.hardware.cores) * 1e6 / cpu_us.max(1e-9);
    let by_disk = nodes * config.hardware.disk_mb_s * 1e6 / disk.max(1e-9);
    let rate_ops = match config.clients {
        Clients::Closed { .. } => by_cpu.min(by_disk),
        Clients::Open { rate_ops } => rate_ops,
    };
    let seconds = config.minutes * 60.0;
    let affordable = (REQUESTS_PER_NODE_S * nodes * seconds).min(REQUESTS_MAX);
    (rate_ops * seconds / affordable).max(1.0)
}
