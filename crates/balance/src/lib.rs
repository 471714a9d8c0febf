//! Decides which regions to split, move and merge so that no node stays hot.
//!
//! This crate decides; it does not act. It holds no clock, thread, socket or file: the same code plans in the
//! simulator, on a live store, on a snapshot file, and on an engine somebody else runs.
//!
//! ```text
//!   Snapshot ─▶ View ── plan() ─▶ Plan ─▶ (a node, a simulator) ─▶ results, new loads ─▶ View
//!                 ▲                 └─ steps with reasons and predictions, refusals with reasons
//!                 └── mapping: from operations and node totals to the load of each region
//!   Sample ─▶ split_point ─▶ the key at which a region is cut
//! ```
//!
//! # Ideas
//! A node's *level* is its load over its share of the cluster's load, per dimension; 1.0 is exactly its share.
//! A cluster is balanced when no level in any dimension is above 1 + λ. The *critical dimension* is the one in
//! which the fullest node is fullest. A *piece* is part of a split region.
//!
//! # Invariants
//! * A plan to rest of `keel` or `cooperative` never raises the largest deviation. A round may, for a while.
//! * Two replicas of a region never share a node, in any prefix of a plan.
//! * No plan names a node that is down.
//! * Load is neither lost nor made: a split's shares sum to one.
//! * Same view, same options: same plan, byte for byte.
//!
//! # Left out
//! * Placement constraints such as racks: they would enter where targets are chosen.
//! * Replica repair: a plan leaves regions alone whose leader is down.

mod advice;
mod apply; // what operations do to a view
mod board; // the planner's working copy, loads normalised
mod draft; // a plan in the making
mod evacuate; // empties draining nodes
mod gate; // no scheduling while loads jump
mod imbalance; // Max/Mean, levels
mod load; // dimensions and load vectors
pub mod mapping; // region loads from operations and node totals
mod merge; // joins cold neighbours
mod op; // operations, steps, refusals
mod plan; // options and plans
mod policy; // the paper's scheduler, its rivals, and keel
mod queues; // a node's regions in order of load
mod scheduler; // the loop: heartbeats in, operations out
mod snapshot; // the file format
pub mod split_point; // where to cut a region
mod view; // what the planner is told

pub use apply::{ApplyError, apply};
pub use gate::{Gate, Shut};
pub use imbalance::MaxMean;
pub use load::{DIMENSIONS, Dimension, Load};
pub use op::{Op, Part, Prediction, Refusal, Step};
pub use plan::{Options, OptionsError, Plan};
pub use policy::{Horizon, Policy, UnknownPolicy, plan};
pub use scheduler::{Command, Limits, Outcome, Round, Scheduler, Verdict};
pub use snapshot::{Snapshot, SnapshotNode, SnapshotNodeFull, SnapshotRegion};
pub use view::{KeyRange, Node, NodeId, NodeState, Region, RegionId, View, ViewError};
