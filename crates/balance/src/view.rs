//! What the planner is told: nodes, regions, and the load each replica puts on its node.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::imbalance::MaxMean;
use crate::load::{Dimension, Load};

/// A node's number, as the cluster gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(pub u64);

/// A region's number, as the cluster gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RegionId(pub u64);

impl std::fmt::Display for NodeId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "n{}", self.0)
    }
}

impl std::fmt::Display for RegionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "r{}", self.0)
    }
}

/// Whether a node may take and keep load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeState {
    /// Serves and may receive replicas. A new, empty node is simply up.
    #[default]
    Up,
    /// Still serves, receives nothing, and is to be emptied.
    Draining,
    /// Gone. What is recorded on it counts for nothing and no plan names it.
    Down,
}

/// A node as the planner sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The node's number.
    pub id: NodeId,
    /// How much it can carry in each dimension, in any unit shared by all nodes.
    pub capacity: Load,
    /// Whether it takes part.
    pub state: NodeState,
    /// Offered load over served load, at least 1. A saturated node serves less than it is asked for, so what
    /// it reports understates its demand; its replicas count this many times over.
    pub pressure: f64,
}

impl Node {
    /// A node with unit capacity that is up.
    pub fn new(id: u64) -> Node {
        Node { id: NodeId(id), capacity: Load::ONE, state: NodeState::Up, pressure: 1.0 }
    }
}

/// The keys a region holds: from `start` up to but without `end`; an empty `end` means "to the last key".
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyRange {
    /// The first key.
    pub start: Vec<u8>,
    /// The first key no longer in the range.
    pub end: Vec<u8>,
}

/// A region as the planner sees it: one leader, any number of followers.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// The region's number.
    pub id: RegionId,
    /// The node that holds the leading replica.
    pub leader: NodeId,
    /// What the leading replica costs its node.
    pub leader_load: Load,
    /// The nodes of the other replicas.
    pub followers: Vec<NodeId>,
    /// What each other replica costs its node.
    pub follower_load: Load,
    /// Bytes of one replica, where known.
    pub size_bytes: Option<u64>,
    /// The keys held, where known. Needed for merging only.
    pub range: Option<KeyRange>,
    /// Share of the region's load that falls on its single hottest key, 0 when unknown. No split can make
    /// a piece smaller than this.
    pub hot_key_share: f64,
    /// Whether something is under way with it, or was a moment ago: its load counts, but no plan touches it.
    pub busy: bool,
}

impl Region {
    /// A region with one replica.
    pub fn new(id: u64, leader: u64, leader_load: Load) -> Region {
        Region {
            id: RegionId(id),
            leader: NodeId(leader),
            leader_load,
            followers: Vec::new(),
            follower_load: Load::ZERO,
            size_bytes: None,
            range: None,
            hot_key_share: 0.0,
            busy: false,
        }
    }

    /// Every node that holds a replica, the leader's first.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::once(self.leader).chain(self.followers.iter().copied())
    }
}

/// A cluster as the planner sees it. Checked when built: see [`View::new`].
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    nodes: Vec<Node>,
    regions: Vec<Region>,
}

/// Why a description of a cluster cannot be planned on. The receiver corrects the input.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ViewError {
    /// There is nothing to place regions on.
    #[error("the cluster has no nodes: expected at least one in `nodes`")]
    NoNodes,
    /// Two nodes carry one number.
    #[error("node {0} appears twice: every node needs an id of its own")]
    DuplicateNode(u64),
    /// Two regions carry one number.
    #[error("region {0} appears twice: every region needs an id of its own")]
    DuplicateRegion(u64),
    /// A region's number leaves no room above it.
    #[error(
        "region {0} has too large a number: expected one below 2^63, so that new regions can be numbered"
    )]
    RegionIdTooLarge(u64),
    /// A region lies on a node nobody described.
    #[error("region {region} is on node {node}, which is not in `nodes`: add the node or correct the region")]
    UnknownNode {
        /// The region that names the node.
        region: u64,
        /// The node it names.
        node: u64,
    },
    /// A load is no number, or below zero.
    #[error("region {region} has a {what} of {found}: expected a finite number of at least 0")]
    BadLoad {
        /// The region.
        region: u64,
        /// Which of its loads.
        what: String,
        /// The value found.
        found: f64,
    },
    /// A capacity is no number, or not above zero.
    #[error("node {node} has a {dimension} capacity of {found}: expected a finite number above 0")]
    BadCapacity {
        /// The node.
        node: u64,
        /// In which dimension.
        dimension: Dimension,
        /// The value found.
        found: f64,
    },
    /// Some nodes state a capacity and others do not, so shares cannot be computed.
    #[error(
        "node {with} states a {dimension} capacity and node {without} does not: give it for all nodes or none"
    )]
    PartialCapacity {
        /// A node that states it.
        with: u64,
        /// A node that does not.
        without: u64,
        /// In which dimension.
        dimension: Dimension,
    },
    /// Two replicas of one region share a node.
    #[error("region {region} has two replicas on node {node}: a node may hold only one replica of a region")]
    SharedNode {
        /// The region.
        region: u64,
        /// The node that holds two.
        node: u64,
    },
    /// A share or factor is out of its bounds.
    #[error("{thing} has a {what} of {found}: expected {expected}")]
    OutOfBounds {
        /// Which node or region.
        thing: String,
        /// Which of its fields.
        what: &'static str,
        /// The value found.
        found: f64,
        /// The bounds in words.
        expected: &'static str,
    },
    /// A key is not written as an even number of hex digits.
    #[error("region {region} has the {what} key {found:?}: expected an even number of hex digits")]
    BadKey {
        /// The region.
        region: u64,
        /// `start` or `end`.
        what: &'static str,
        /// The text found.
        found: String,
    },
}

impl View {
    /// Builds a view, refusing what cannot be true: duplicate ids, unknown nodes, loads that are no numbers,
    /// two replicas of a region on one node.
    pub fn new(nodes: Vec<Node>, regions: Vec<Region>) -> Result<View, ViewError> {
        if nodes.is_empty() {
            return Err(ViewError::NoNodes);
        }
        let mut known = BTreeMap::new();
        for node in &nodes {
            check_node(node)?;
            if known.insert(node.id, node.state).is_some() {
                return Err(ViewError::DuplicateNode(node.id.0));
            }
        }
        for region in &regions {
            check_region(region, |node| known.contains_key(&node))?;
        }
        check_distinct(&regions)?;
        Ok(View { nodes, regions })
    }

    /// The nodes, in the order they were given.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Whether nodes differ in capacity.
    pub fn is_uneven(&self) -> bool {
        self.nodes.iter().any(|node| node.capacity != self.nodes[0].capacity)
    }

    /// The regions, in the order they were given.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }
}

fn check_node(node: &Node) -> Result<(), ViewError> {
    for dimension in Dimension::ALL {
        let found = node.capacity.get(dimension);
        if !(found.is_finite() && found > 0.0) {
            return Err(ViewError::BadCapacity { node: node.id.0, dimension, found });
        }
    }
    if !(node.pressure.is_finite() && node.pressure >= 1.0) {
        return Err(ViewError::OutOfBounds {
            thing: format!("node {}", node.id.0),
            what: "pressure",
            found: node.pressure,
            expected: "a finite number of at least 1",
        });
    }
    Ok(())
}

/// Ids from here on are refused: new regions get numbers above the largest.
const REGION_ID_END: u64 = 1 << 63;

fn check_region(region: &Region, known: impl Fn(NodeId) -> bool) -> Result<(), ViewError> {
    let id = region.id.0;
    for (prefix, load) in [("", region.leader_load), ("replica_", region.follower_load)] {
        for dimension in Dimension::ALL {
            let found = load.get(dimension);
            if !(found.is_finite() && found >= 0.0) {
                return Err(ViewError::BadLoad { region: id, what: format!("{prefix}{dimension}"), found });
            }
        }
    }
    if id >= REGION_ID_END {
        return Err(ViewError::RegionIdTooLarge(id));
    }
    if !(0.0..=1.0).contains(&region.hot_key_share) {
        return Err(ViewError::OutOfBounds {
            thing: format!("region {id}"),
            what: "hot_key_share",
            found: region.hot_key_share,
            expected: "a number from 0 to 1",
        });
    }
    if let Some(node) = region.nodes().find(|node| !known(*node)) {
        return Err(ViewError::UnknownNode { region: id, node: node.0 });
    }
    let mut seen = region.followers.clone();
    seen.push(region.leader);
    seen.sort_unstable();
    match seen.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(ViewError::SharedNode { region: id, node: pair[0].0 }),
        None => Ok(()),
    }
}

fn check_distinct(regions: &[Region]) -> Result<(), ViewError> {
    let mut ids: Vec<RegionId> = regions.iter().map(|region| region.id).collect();
    ids.sort_unstable();
    match ids.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(ViewError::DuplicateRegion(pair[0].0)),
        None => Ok(()),
    }
}

impl View {
    /// Max/Mean over the nodes that are up, each node's load divided by its capacity. What sits on draining
    /// nodes counts in the mean, because the others will have to carry it.
    pub fn max_mean(&self) -> MaxMean {
        crate::board::Board::new(self).max_mean()
    }

    /// What a load, in the view's own unit, adds to the level of a node; nothing if the node is unknown.
    pub fn level_of(&self, load: Load, node: NodeId) -> Option<Load> {
        let up = || self.nodes.iter().filter(|node| node.state == NodeState::Up);
        let total = self.regions.iter().fold(Load::ZERO, |sum, region| {
            sum + region.leader_load + region.follower_load * region.followers.len() as f64
        });
        let capacity = up().fold(Load::ZERO, |sum, node| sum + node.capacity);
        let node = self.nodes.iter().find(|known| known.id == node)?;
        Some(load.per(total).zip(capacity.per(node.capacity), |part, nodes| part * nodes))
    }
}
