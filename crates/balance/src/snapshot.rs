//! The snapshot format: a cluster at one moment, as a file.
//!
//! The field names are a contract with other programs; [`View`] is what the planner works on.

use serde::{Deserialize, Serialize};

use crate::load::{Dimension, Load};
use crate::view::{KeyRange, Node, NodeId, NodeState, Region, RegionId, View, ViewError};

/// A whole snapshot file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Snapshot {
    /// The nodes: numbers, or objects with capacities.
    pub nodes: Vec<SnapshotNode>,
    /// The regions.
    pub regions: Vec<SnapshotRegion>,
}

/// A node in a snapshot file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SnapshotNode {
    /// Just its number.
    Id(u64),
    /// Its number and what else is known.
    Full(SnapshotNodeFull),
}

/// A node in a snapshot file, with everything that may be said of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SnapshotNodeFull {
    /// The node's number.
    pub id: u64,
    /// Processor capacity, in the unit of the regions' `cpu`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_capacity: Option<f64>,
    /// Disk capacity, in the unit of the regions' `io`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_capacity: Option<f64>,
    /// `up`, `draining` or `down`.
    #[serde(default)]
    pub state: NodeState,
    /// Offered over served load of a saturated node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure: Option<f64>,
}

/// A region in a snapshot file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SnapshotRegion {
    /// The region's number.
    pub id: u64,
    /// The node of its leader.
    pub node: u64,
    /// Processor load of the leader.
    pub cpu: f64,
    /// Disk load of the leader.
    pub io: f64,
    /// Bytes of one replica.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// First key, in hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// First key no longer inside, in hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// The nodes of the followers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replicas: Vec<u64>,
    /// Processor load of each follower.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub replica_cpu: f64,
    /// Disk load of each follower.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub replica_io: f64,
    /// Share of the load on the single hottest key.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hot_key_share: f64,
    /// Whether an operation on it is under way.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub busy: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

impl Snapshot {
    /// The planner's view of this snapshot, or what is wrong with it.
    pub fn to_view(&self) -> Result<View, ViewError> {
        let nodes = self.nodes.iter().map(SnapshotNode::to_full).collect::<Vec<_>>();
        for dimension in Dimension::ALL {
            check_all_or_none(&nodes, dimension)?;
        }
        let nodes = nodes.iter().map(SnapshotNodeFull::to_node).collect();
        let regions = self.regions.iter().map(SnapshotRegion::to_region).collect::<Result<_, _>>()?;
        View::new(nodes, regions)
    }
}

fn check_all_or_none(nodes: &[SnapshotNodeFull], dimension: Dimension) -> Result<(), ViewError> {
    let with = nodes.iter().find(|node| node.capacity(dimension).is_some());
    let without = nodes.iter().find(|node| node.capacity(dimension).is_none());
    match (with, without) {
        (Some(with), Some(without)) => {
            Err(ViewError::PartialCapacity { with: with.id, without: without.id, dimension })
        }
        _ => Ok(()),
    }
}

impl SnapshotNode {
    fn to_full(&self) -> SnapshotNodeFull {
        match self {
            SnapshotNode::Full(full) => full.clone(),
            SnapshotNode::Id(id) => SnapshotNodeFull {
                id: *id,
                cpu_capacity: None,
                io_capacity: None,
                state: NodeState::Up,
                pressure: None,
            },
        }
    }
}

impl SnapshotNodeFull {
    fn capacity(&self, dimension: Dimension) -> Option<f64> {
        match dimension {
            Dimension::Cpu => self.cpu_capacity,
            Dimension::Io => self.io_capacity,
        }
    }

    fn to_node(&self) -> Node {
        let capacity = Load(Dimension::ALL.map(|dimension| self.capacity(dimension).unwrap_or(1.0)));
        Node { id: NodeId(self.id), capacity, state: self.state, pressure: self.pressure.unwrap_or(1.0) }
    }
}

impl SnapshotRegion {
    fn to_region(&self) -> Result<Region, ViewError> {
        Ok(Region {
            id: RegionId(self.id),
            leader: NodeId(self.node),
            leader_load: Load::new(self.cpu, self.io),
            followers: self.replicas.iter().copied().map(NodeId).collect(),
            follower_load: Load::new(self.replica_cpu, self.replica_io),
            size_bytes: self.size,
            range: self.range()?,
            hot_key_share: self.hot_key_share,
            busy: self.busy,
        })
    }

    fn range(&self) -> Result<Option<KeyRange>, ViewError> {
        let (Some(start), Some(end)) = (&self.start, &self.end) else { return Ok(None) };
        let parse = |what, text: &str| {
            from_hex(text).ok_or_else(|| ViewError::BadKey { region: self.id, what, found: text.to_string() })
        };
        Ok(Some(KeyRange { start: parse("start", start)?, end: parse("end", end)? }))
    }
}

impl From<&View> for Snapshot {
    fn from(view: &View) -> Snapshot {
        Snapshot {
            nodes: view.nodes().iter().map(snapshot_node).collect(),
            regions: view.regions().iter().map(snapshot_region).collect(),
        }
    }
}

fn snapshot_node(node: &Node) -> SnapshotNode {
    SnapshotNode::Full(SnapshotNodeFull {
        id: node.id.0,
        cpu_capacity: Some(node.capacity.get(Dimension::Cpu)),
        io_capacity: Some(node.capacity.get(Dimension::Io)),
        state: node.state,
        pressure: (node.pressure > 1.0).then_some(node.pressure),
    })
}

fn snapshot_region(region: &Region) -> SnapshotRegion {
    SnapshotRegion {
        id: region.id.0,
        node: region.leader.0,
        cpu: region.leader_load.get(Dimension::Cpu),
        io: region.leader_load.get(Dimension::Io),
        size: region.size_bytes,
        start: region.range.as_ref().map(|range| to_hex(&range.start)),
        end: region.range.as_ref().map(|range| to_hex(&range.end)),
        replicas: region.followers.iter().map(|node| node.0).collect(),
        replica_cpu: region.follower_load.get(Dimension::Cpu),
        replica_io: region.follower_load.get(Dimension::Io),
        hot_key_share: region.hot_key_share,
        busy: region.busy,
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks_exact(2);
    if !digits.remainder().is_empty() {
        return None;
    }
    digits.map(|pair| Some((hex_digit(pair[0])? << 4) | hex_digit(pair[1])?)).collect()
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

fn to_hex(key: &[u8]) -> String {
    key.iter().map(|byte| format!("{byte:02x}")).collect()
}
