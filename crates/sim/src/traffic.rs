//! The event loop: requests go to leaders, writes on to followers, answers back to clients.
//!
//! Requests live in *dilated* time: each takes `dilation` times as long as it would, and there are that many
//! times fewer of them. Queues do not notice, since waiting scales with service; latencies are divided by the
//! dilation when they are recorded, and counts multiplied. Heartbeats, copies and sampling run in true time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use workload::Rng;

use crate::cluster::{Cluster, below, unit};
use crate::config::{Clients, Config};
use crate::latency::Latencies;
use crate::queues::{Nanos, Station};

/// Longest true time a request of an open load waits for a core before it is turned away.
const WAIT_MAX_S: f64 = 0.5;
const SECOND: f64 = 1e9;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A closed client asks.
    Ask(u32),
    /// A request of an open load comes.
    Arrive,
    /// A request leaves its core at the leader.
    OffCore(u32),
    /// A write reaches its followers.
    Replicate(u32),
    /// A write leaves its core at a follower.
    Applied(u32, u32),
}

/// A request under way.
#[derive(Debug, Clone, Copy)]
struct Job {
    client: Option<u32>,
    entry: u32,
    slot: u32,
    /// Region borders that a scan crosses.
    hops: u32,
    asked: Nanos,
    leader: u32,
    leader_done: Nanos,
    /// Followers that have yet to finish, and that have yet to finish for the write to count.
    running: u32,
    needed: u32,
}

pub(crate) struct Traffic {
    pub stations: Vec<Station>,
    pub dilation: f64,
    pub latencies: Latencies,
    pub completed: u64,
    pub rejected: u64,
    /// Requests per second and clients at work, relative to normal.
    pub intensity: f64,
    clients: Clients,
    hop_us: f64,
    network: Nanos,
    events: BinaryHeap<Reverse<(Nanos, u64, Event)>>,
    sequence: u64,
    jobs: Vec<Job>,
    free_jobs: Vec<u32>,
    rng: Rng,
}

impl Traffic {
    pub fn new(config: &Config, dilation: f64, rng: Rng) -> Traffic {
        let mut traffic = Traffic {
            stations: vec![Station::new(config.hardware.cores); config.nodes as usize],
            dilation,
            latencies: Latencies::new(),
            completed: 0,
            rejected: 0,
            intensity: 1.0,
            clients: config.clients,
            hop_us: config.costs.hop_us,
            network: (config.hardware.network_ms * 1e6 * dilation) as Nanos,
            events: BinaryHeap::new(),
            sequence: 0,
            jobs: Vec::new(),
            free_jobs: Vec::new(),
            rng,
        };
        match config.clients {
            Clients::Closed { count } => {
                // Clients start spread over a second, or they would come in waves for a while.
                for client in 0..count {
                    let at = (u64::from(client) * SECOND as u64) / u64::from(count);
                    traffic.push(at, Event::Ask(client));
                }
            }
            Clients::Open { .. } => traffic.push(0, Event::Arrive),
        }
        traffic
    }

    fn push(&mut self, at: Nanos, event: Event) {
        self.sequence += 1;
        self.events.push(Reverse((at, self.sequence, event)));
    }

    /// Lets all events up to a moment happen.
    pub fn run_until(&mut self, end: Nanos, cluster: &Cluster) {
        while let Some(Reverse((now, _, event))) = self.events.peek().copied() {
            if now >= end {
                return;
            }
            self.events.pop();
            match event {
                Event::Ask(client) => self.ask(now, client, cluster),
                Event::Arrive => self.arrive(now, cluster),
                Event::OffCore(job) => self.off_core(now, job, cluster),
                Event::Replicate(job) => self.replicate(now, job, cluster),
                Event::Applied(job, node) => self.applied(now, job, node, cluster),
            }
        }
    }

    fn ask(&mut self, now: Nanos, client: u32, cluster: &Cluster) {
        if let Clients::Closed { count } = self.clients
            && f64::from(client) >= f64::from(count) * self.intensity
        {
            return self.push(now + SECOND as Nanos, Event::Ask(client));
        }
        self.request(now, Some(client), cluster);
    }

    fn arrive(&mut self, now: Nanos, cluster: &Cluster) {
        self.request(now, None, cluster);
        if let Clients::Open { rate_ops } = self.clients {
            let mean = self.dilation / (rate_ops * self.intensity.max(1e-6)) * SECOND;
            let gap = -unit(&mut self.rng).ln() * mean;
            self.push(now + gap as Nanos + 1, Event::Arrive);
        }
    }

    /// Draws a request and lets its leader work on it.
    fn request(&mut self, now: Nanos, client: Option<u32>, cluster: &Cluster) {
        let index = below(&mut self.rng, cluster.pool.entries.len() as u64) as u32;
        let entry = cluster.pool.entries[index as usize];
        let slot = cluster.owner[index as usize];
        let Some(region) = cluster.region(slot) else { return };
        let leader = region.nodes[0] as usize;
        let arrival = now + self.network;
        if client.is_none()
            && self.stations[leader].wait(arrival) as f64 > WAIT_MAX_S * SECOND * self.dilation
        {
            self.rejected += 1;
            return;
        }
        let hops = if entry.last >= region.end { cluster.borders_between(entry.key, entry.last) } else { 0 };
        let cpu_us = f64::from(entry.leader.cpu_us) + f64::from(hops) * self.hop_us;
        let off_core = self.stations[leader].compute(arrival, cpu_us);
        let job = self.store(Job {
            client,
            entry: index,
            slot,
            hops,
            asked: now,
            leader: leader as u32,
            leader_done: 0,
            running: 0,
            needed: 0,
        });
        self.push(off_core, Event::OffCore(job));
    }

    /// The leader turns to its disk; a write goes on to the followers at the same time.
    fn off_core(&mut self, now: Nanos, number: u32, cluster: &Cluster) {
        let job = self.jobs[number as usize];
        let entry = cluster.pool.entries[job.entry as usize];
        let done = self.stations[job.leader as usize].transfer(now, f64::from(entry.leader.disk_bytes));
        self.jobs[number as usize].leader_done = done;
        if entry.writes && cluster.region(job.slot).is_some_and(|region| region.nodes.len() > 1) {
            self.push(now + self.network, Event::Replicate(number));
        } else {
            self.free_jobs.push(number);
            // Each further region of a scan is one more exchange over the network.
            self.answer(job, done + self.network + u64::from(job.hops) * 2 * self.network);
        }
    }

    /// Followers work on a write.
    fn replicate(&mut self, now: Nanos, number: u32, cluster: &Cluster) {
        let job = self.jobs[number as usize];
        let cpu_us = f64::from(cluster.pool.entries[job.entry as usize].follower.cpu_us);
        // A region that has been merged meanwhile has no followers left to wait for.
        let nodes = cluster.region(job.slot).map_or(&[][..], |region| &region.nodes[1..]);
        for node in nodes {
            let off_core = self.stations[*node as usize].compute(now, cpu_us);
            self.push(off_core, Event::Applied(number, *node));
        }
        let followers = nodes.len() as u32;
        let known = &mut self.jobs[number as usize];
        (known.running, known.needed) = (followers, followers.div_ceil(2));
        if followers == 0 {
            self.free_jobs.push(number);
            self.answer(job, job.leader_done.max(now) + self.network);
        }
    }

    /// A follower writes to its disk. With the leader and enough followers a majority has the write.
    fn applied(&mut self, now: Nanos, number: u32, node: u32, cluster: &Cluster) {
        let entry = self.jobs[number as usize].entry;
        let bytes = f64::from(cluster.pool.entries[entry as usize].follower.disk_bytes);
        let done = self.stations[node as usize].transfer(now, bytes) + self.network;
        let job = &mut self.jobs[number as usize];
        job.running -= 1;
        if job.needed > 0 {
            job.needed -= 1;
            job.leader_done = job.leader_done.max(done);
        }
        let (decided, finished, job) = (job.needed == 0, job.running == 0, *job);
        if decided && job.asked != Nanos::MAX {
            self.jobs[number as usize].asked = Nanos::MAX;
            self.answer(job, job.leader_done + self.network);
        }
        if finished {
            self.free_jobs.push(number);
        }
    }

    fn answer(&mut self, job: Job, answered: Nanos) {
        self.completed += 1;
        self.latencies.record((answered - job.asked) as f64 / self.dilation / 1000.0);
        if let Some(client) = job.client {
            self.push(answered, Event::Ask(client));
        }
    }

    fn store(&mut self, job: Job) -> u32 {
        match self.free_jobs.pop() {
            Some(number) => {
                self.jobs[number as usize] = job;
                number
            }
            None => {
                self.jobs.push(job);
                self.jobs.len() as u32 - 1
            }
        }
    }
}
