//! Virtual clusters of any size, run by the very policies that run real ones.
//!
//! Only clock, network, disk and load are models here; views, plans, split points, metric mapping and the
//! scheduling loop are those of `balance`. A run is fixed by its configuration and seed.
//!
//! ```text
//!   workload ─▶ pool ─▶ traffic: clients, cores, disks, followers ─▶ latencies, throughput
//!                 │                     ▲ placement
//!                 └─▶ true loads ─▶ heartbeats (noise, metric mapping) ─▶ Scheduler ─▶ operators
//! ```
//!
//! # Ideas
//! What a region *really* costs is known exactly, because clients draw from a fixed pool of requests; what the
//! manager *believes* comes from noisy counters. Both are reported. Requests run in dilated time (see
//! `traffic`), so a run of any length and size costs a bounded number of events.
//!
//! # Left out
//! * Compaction as bursts: its bytes are spread evenly over the writes that cause them.
//! * Replica repair: a lost node's replicas are gone, their followers lead.
//! * Follower reads.

mod cluster; // regions, replicas, true loads
mod config; // what a run is told
mod heartbeat; // what the manager is told
mod latency; // histograms
mod operators; // splits, moves, merges take their time
mod pool; // the requests of an epoch and what they cost
mod queues; // cores and disk of a node
mod report; // what a run comes to
mod run; // the loop
mod traffic; // requests as events

pub use config::{Clients, Config, ConfigError, Costs, Event, EventKind, Hardware, Heartbeats, SplitBy};
pub use latency::LatencySummary;
pub use report::{Minute, PolicyResult, Served};
pub use run::{run, run_on};
