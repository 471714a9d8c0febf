//! What a simulated run is told.

use balance::{Limits, Options};
use workload::{Keys, Spec};

/// How the requests come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Clients {
    /// So many clients, each of which waits for its answer before it asks again.
    Closed {
        /// How many.
        count: u32,
    },
    /// Requests arrive at this rate whatever becomes of them.
    Open {
        /// Requests per second over the whole cluster.
        rate_ops: f64,
    },
}

/// What a node is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hardware {
    /// Processor cores of a node.
    pub cores: u32,
    /// Disk bandwidth of a node, reads and writes together, in MB/s.
    pub disk_mb_s: f64,
    /// One way through the network, in milliseconds.
    pub network_ms: f64,
}

impl Default for Hardware {
    /// The paper's data nodes: eight cores and a SATA disk of about 300 MB/s each.
    fn default() -> Hardware {
        Hardware { cores: 8, disk_mb_s: 300.0, network_ms: 0.1 }
    }
}

/// What a request costs the nodes that work on it.
///
/// The defaults are chosen so that a balanced cluster of the default nodes serves about as many requests as the
/// paper's testbed, and so that a write-only Mixgraph load is short of processor and of disk at about the
/// same rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Costs {
    /// Processor time of a read, in microseconds.
    pub read_us: f64,
    /// Processor time of a write at its leader, over that of a read: the paper's c.
    pub write_factor: f64,
    /// Processor time of a write at a follower, over that at its leader.
    pub follower_factor: f64,
    /// Processor time per KiB of data, in microseconds.
    pub kib_us: f64,
    /// Processor time per further row of a scan, in microseconds.
    pub row_us: f64,
    /// Processor time when a scan goes on in the next region, in microseconds.
    pub hop_us: f64,
    /// Disk bytes per written byte, at each replica: logs, flushes and compaction.
    pub write_amplification: f64,
    /// Bytes of log and index that every write adds to its data.
    pub write_overhead_bytes: f64,
    /// Disk bytes of a read that misses the cache, besides its data: the block around it.
    pub miss_bytes: f64,
    /// Share of the data that fits into the nodes' caches.
    pub cache_share: f64,
    /// Least share of reads that miss: compaction keeps replacing what was cached.
    pub miss_min: f64,
    /// Processor time that every replica costs its node just by being there, in microseconds per second.
    pub region_us_per_s: f64,
}

impl Default for Costs {
    fn default() -> Costs {
        Costs {
            read_us: 380.0,
            write_factor: 1.63,
            follower_factor: 0.5,
            kib_us: 8.0,
            row_us: 12.0,
            hop_us: 300.0,
            write_amplification: 16.0,
            write_overhead_bytes: 60.0,
            miss_bytes: 16_384.0,
            cache_share: 0.1,
            miss_min: 0.1,
            region_us_per_s: 300.0,
        }
    }
}

/// What the manager gets to know, and how well.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Heartbeats {
    /// Seconds between heartbeats.
    pub interval_s: f64,
    /// Standard deviation of a node's totals, as a share.
    pub node_noise: f64,
    /// Standard deviation of a region's counters, as a share.
    pub region_noise: f64,
}

impl Default for Heartbeats {
    fn default() -> Heartbeats {
        Heartbeats { interval_s: 10.0, node_noise: 0.01, region_noise: 0.03 }
    }
}

/// How a node finds the key at which it splits a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitBy {
    /// By sampled load, at the wanted shares.
    Load,
    /// By data size, in equal halves whatever shares were wanted.
    Size,
}

/// Something that happens to a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// Minutes after the start.
    pub at_min: f64,
    /// What happens.
    pub kind: EventKind,
}

/// The kinds of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// A new, empty node joins.
    Add,
    /// This node (counted from 1) shall be emptied.
    Drain(u32),
    /// This node (counted from 1) is gone; followers take over.
    Lose(u32),
}

/// A run, but for the policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// How many nodes.
    pub nodes: u32,
    /// How many regions, in the whole cluster.
    pub regions: u32,
    /// Replicas of each region.
    pub replicas: u32,
    /// Who asks for what.
    pub workload: Spec,
    /// How the requests come.
    pub clients: Clients,
    /// How long, in minutes.
    pub minutes: f64,
    /// When scheduling starts, in minutes.
    pub start_min: f64,
    /// The nodes.
    pub hardware: Hardware,
    /// The requests.
    pub costs: Costs,
    /// The manager's eyes.
    pub heartbeats: Heartbeats,
    /// Seconds that a node samples a region before it splits it.
    pub sampling_s: f64,
    /// How the split key is found.
    pub split_by: SplitBy,
    /// Mean size of a region's replica, in MB.
    pub region_mb: f64,
    /// Speed of copying one replica, in MB/s.
    pub copy_mb_s: f64,
    /// What happens on the way.
    pub events: Vec<Event>,
    /// Options of the policies.
    pub options: Options,
    /// Limits of the scheduler.
    pub limits: Limits,
    /// Fixes everything that is drawn.
    pub seed: u64,
}

impl Config {
    /// The default run of a workload: eight nodes of a hundred regions, scheduling from a quarter on.
    pub fn new(mut workload: Spec) -> Config {
        if workload.keys == Keys::Mixgraph {
            // As many keys per range as in the paper's setting, or scans would cross a border at every step.
            workload.records = 500_000_000;
        }
        Config {
            nodes: 8,
            regions: 800,
            replicas: 3,
            workload,
            clients: Clients::Closed { count: 256 },
            minutes: 16.0,
            start_min: 4.0,
            hardware: Hardware::default(),
            costs: Costs::default(),
            heartbeats: Heartbeats::default(),
            sampling_s: 10.0,
            split_by: SplitBy::Load,
            region_mb: 96.0,
            copy_mb_s: 40.0,
            events: Vec::new(),
            options: Options::default(),
            limits: Limits::default(),
            seed: 1,
        }
    }

    /// Checks every relation between the options.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let bad = |option, found: f64, expected| Err(ConfigError::Option { option, found, expected });
        let positive = |x: f64| x.is_finite() && x > 0.0;
        let within = |x: u32, most: u32| (1..=most).contains(&x);
        if !within(self.nodes, 10_000) {
            return bad("the number of nodes", self.nodes.into(), "1 to 10,000");
        }
        if !within(self.regions, 5_000_000) {
            return bad("the number of regions", self.regions.into(), "1 to 5,000,000");
        }
        if !within(self.replicas, self.nodes.min(7)) {
            return bad(
                "the number of replicas",
                self.replicas.into(),
                "1 to the number of nodes, and at most 7",
            );
        }
        if !(positive(self.minutes) && self.minutes <= 1440.0) {
            return bad("the length in minutes", self.minutes, "above 0 and at most 1440");
        }
        if !(0.0..=self.minutes).contains(&self.start_min) {
            return bad(
                "the start of scheduling in minutes",
                self.start_min,
                "from 0 to the length of the run",
            );
        }
        if !within(self.hardware.cores, 1024) {
            return bad("the number of cores", self.hardware.cores.into(), "1 to 1024");
        }
        for (option, found) in self.rates() {
            if !positive(found) {
                return bad(option, found, "a finite number above 0");
            }
        }
        let loses = self.events.iter().any(|event| matches!(event.kind, EventKind::Lose(_)));
        if loses && self.replicas < 2 {
            return bad("the number of replicas", self.replicas.into(), "at least 2 where a node is lost");
        }
        self.options.validate()?;
        self.workload.validate()?;
        Ok(())
    }

    fn rates(&self) -> [(&'static str, f64); 6] {
        let clients = match self.clients {
            Clients::Closed { count } => ("the number of clients", count.into()),
            Clients::Open { rate_ops } => ("the request rate", rate_ops),
        };
        [
            clients,
            ("the disk bandwidth in MB/s", self.hardware.disk_mb_s),
            ("the heartbeat interval in seconds", self.heartbeats.interval_s),
            ("the copying speed in MB/s", self.copy_mb_s),
            ("the size of a region in MB", self.region_mb),
            ("the sampling time in seconds", self.sampling_s),
        ]
    }
}

/// Options that cannot be simulated. The receiver corrects them.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// One option is out of bounds.
    #[error("{option} is {found}: expected {expected}")]
    Option {
        /// Which one.
        option: &'static str,
        /// What was given.
        found: f64,
        /// The bounds in words.
        expected: &'static str,
    },
    /// The policies' options are wrong.
    #[error(transparent)]
    Policy(#[from] balance::OptionsError),
    /// The workload's options are wrong.
    #[error(transparent)]
    Workload(#[from] workload::InvalidSpec),
}
