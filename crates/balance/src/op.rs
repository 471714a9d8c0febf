//! Operations: what a plan asks for.

use serde::{Deserialize, Serialize};

use crate::imbalance::MaxMean;
use crate::view::{NodeId, RegionId};

/// One step of a plan, without its reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case")]
pub enum Op {
    /// Cut a region by load. The first part keeps the region's number.
    Split {
        /// The region to cut.
        region: RegionId,
        /// What it becomes, in key order.
        parts: Vec<Part>,
    },
    /// Copy a replica to another node and drop it at the old one. A leader stays a leader.
    Move {
        /// The region.
        region: RegionId,
        /// The node that gives its replica up.
        from: NodeId,
        /// The node that gets it.
        to: NodeId,
    },
    /// Let another replica lead. No data moves.
    TransferLeader {
        /// The region.
        region: RegionId,
        /// The node that leads now.
        from: NodeId,
        /// The node that shall lead.
        to: NodeId,
    },
    /// Join neighbours whose replicas lie on the same nodes.
    Merge {
        /// The regions to join, in key order.
        regions: Vec<RegionId>,
        /// Which of them remains.
        into: RegionId,
    },
}

/// One part of a split region.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The number the part will have.
    pub region: RegionId,
    /// Its share of the parent's load, in every dimension.
    pub share: f64,
}

/// What an operation is expected to do to the cluster's Max/Mean.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// Before the operation, all earlier ones of the plan done.
    pub before: MaxMean,
    /// After it.
    pub after: MaxMean,
}

/// An operation with its reason and what it is expected to bring.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What to do.
    #[serde(flatten)]
    pub op: Op,
    /// Why, in a sentence for an operator.
    pub why: String,
    /// What should come of it.
    pub predicted: Prediction,
}

/// A candidate that was looked at and not taken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// The region in question.
    pub region: RegionId,
    /// The node it would have left.
    pub from: NodeId,
    /// The node it would have gone to, where one was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<NodeId>,
    /// Why not, in a sentence for an operator.
    pub why: String,
}
