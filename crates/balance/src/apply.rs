//! What operations do to a view: for pending operations that count as done, for predictions and for checks.
//!
//! Written apart from the planner's board on purpose: what a plan predicts can be compared with what this
//! gives.

use std::collections::BTreeMap;

use crate::load::Load;
use crate::op::{Op, Part};
use crate::view::{KeyRange, NodeId, Region, RegionId, View, ViewError};

/// Why an operation cannot be applied. Either it was made for another view, or it is no longer true.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ApplyError {
    /// The region is not there (any more).
    #[error("region {0} is not in the view: refresh the view and plan again")]
    NoRegion(u64),
    /// The node has no replica of the region, or no leading one where that is asked for.
    #[error("node {node} holds no {what} of region {region}: refresh the view and plan again")]
    NotThere {
        /// The region.
        region: u64,
        /// The node said to hold it.
        node: u64,
        /// `replica` or `leader`.
        what: &'static str,
    },
    /// The target holds a replica already.
    #[error("node {node} already holds a replica of region {region}: choose another target")]
    AlreadyThere {
        /// The region.
        region: u64,
        /// The target.
        node: u64,
    },
    /// Shares of a split do not make a whole.
    #[error("the shares of the split of region {region} sum to {sum}: expected 1")]
    Shares {
        /// The region.
        region: u64,
        /// What they sum to.
        sum: f64,
    },
    /// A part of a split has the number of another region.
    #[error("the split of region {region} makes a region {part}, which exists: choose a free id")]
    TakenId {
        /// The region.
        region: u64,
        /// The number in use.
        part: u64,
    },
    /// Regions to merge do not lie on the same nodes.
    #[error("regions {left} and {right} do not lie on the same nodes: move one of them first")]
    NotTogether {
        /// The region that remains.
        left: u64,
        /// The one to be joined with it.
        right: u64,
    },
    /// The view that would result is not valid.
    #[error(transparent)]
    View(#[from] ViewError),
}

/// The view after these operations, in order.
///
/// A leader that leaves a saturated node takes its whole demand along, of which the node served only a part. The
/// same is not done for followers: a region has one figure for all of them.
pub fn apply<'o>(view: &View, ops: impl IntoIterator<Item = &'o Op>) -> Result<View, ApplyError> {
    let mut regions: BTreeMap<RegionId, Region> =
        view.regions().iter().map(|region| (region.id, region.clone())).collect();
    let pressure: BTreeMap<NodeId, f64> = view.nodes().iter().map(|node| (node.id, node.pressure)).collect();
    let pressure = |node: NodeId| pressure.get(&node).copied().unwrap_or(1.0);
    for op in ops {
        let leader = leader_of(&regions, op);
        match op {
            Op::Split { region, parts } => split(&mut regions, *region, parts)?,
            Op::Move { region, from, to } => relocate(find(&mut regions, *region)?, *from, *to)?,
            Op::TransferLeader { region, from, to } => transfer(find(&mut regions, *region)?, *from, *to)?,
            Op::Merge { regions: joined, into } => merge(&mut regions, joined, *into)?,
        }
        if let Some((region, old)) = leader {
            let region = find(&mut regions, region)?;
            region.leader_load = region.leader_load * (pressure(old) / pressure(region.leader));
        }
    }
    Ok(View::new(view.nodes().to_vec(), regions.into_values().collect())?)
}

/// The region that an operation may give another leader, and the node it has now.
fn leader_of(regions: &BTreeMap<RegionId, Region>, op: &Op) -> Option<(RegionId, NodeId)> {
    match op {
        Op::Move { region, .. } | Op::TransferLeader { region, .. } => {
            Some((*region, regions.get(region)?.leader))
        }
        Op::Split { .. } | Op::Merge { .. } => None,
    }
}

fn find(regions: &mut BTreeMap<RegionId, Region>, id: RegionId) -> Result<&mut Region, ApplyError> {
    regions.get_mut(&id).ok_or(ApplyError::NoRegion(id.0))
}

fn split(regions: &mut BTreeMap<RegionId, Region>, id: RegionId, parts: &[Part]) -> Result<(), ApplyError> {
    let parent = find(regions, id)?.clone();
    let sum: f64 = parts.iter().map(|part| part.share).sum();
    if (sum - 1.0).abs() > 1e-6 {
        return Err(ApplyError::Shares { region: id.0, sum });
    }
    for part in parts {
        let child = Region {
            id: part.region,
            leader_load: parent.leader_load * part.share,
            follower_load: parent.follower_load * part.share,
            size_bytes: parent.size_bytes.map(|size| (size as f64 * part.share) as u64),
            // Where the cuts fall is the node's to find out.
            range: None,
            hot_key_share: if part.region == id { (parent.hot_key_share / part.share).min(1.0) } else { 0.0 },
            ..parent.clone()
        };
        let old = regions.insert(part.region, child);
        if old.is_some() && part.region != id {
            return Err(ApplyError::TakenId { region: id.0, part: part.region.0 });
        }
    }
    Ok(())
}

fn relocate(region: &mut Region, from: NodeId, to: NodeId) -> Result<(), ApplyError> {
    if region.nodes().any(|node| node == to) {
        return Err(ApplyError::AlreadyThere { region: region.id.0, node: to.0 });
    }
    let held = if region.leader == from {
        Some(&mut region.leader)
    } else {
        region.followers.iter_mut().find(|node| **node == from)
    };
    let missing = ApplyError::NotThere { region: region.id.0, node: from.0, what: "replica" };
    *held.ok_or(missing)? = to;
    Ok(())
}

fn transfer(region: &mut Region, from: NodeId, to: NodeId) -> Result<(), ApplyError> {
    let missing = |node: NodeId, what| ApplyError::NotThere { region: region.id.0, node: node.0, what };
    if region.leader != from {
        return Err(missing(from, "leader"));
    }
    let absent = missing(to, "replica");
    let follower = region.followers.iter_mut().find(|node| **node == to).ok_or(absent)?;
    *follower = from;
    region.leader = to;
    Ok(())
}

fn merge(
    regions: &mut BTreeMap<RegionId, Region>,
    joined: &[RegionId],
    into: RegionId,
) -> Result<(), ApplyError> {
    for id in joined.iter().filter(|id| **id != into) {
        let other = regions.remove(id).ok_or(ApplyError::NoRegion(id.0))?;
        let kept = find(regions, into)?;
        let together = kept.leader == other.leader && sorted(&kept.followers) == sorted(&other.followers);
        if !together {
            return Err(ApplyError::NotTogether { left: into.0, right: id.0 });
        }
        let total = kept.leader_load + other.leader_load;
        kept.hot_key_share = hot_key_share(kept, &other, total);
        kept.leader_load = total;
        kept.follower_load += other.follower_load;
        kept.size_bytes = kept.size_bytes.zip(other.size_bytes).map(|(a, b)| a.saturating_add(b));
        kept.range = kept.range.take().zip(other.range).map(|(a, b)| join(a, b));
    }
    Ok(())
}

/// The hotter of both hottest keys, as a share of the joined load.
fn hot_key_share(left: &Region, right: &Region, total: Load) -> f64 {
    let hottest = |region: &Region| region.leader_load.per(total).max() * region.hot_key_share;
    hottest(left).max(hottest(right))
}

fn sorted(nodes: &[NodeId]) -> Vec<NodeId> {
    let mut nodes = nodes.to_vec();
    nodes.sort_unstable();
    nodes
}

fn join(a: KeyRange, b: KeyRange) -> KeyRange {
    if a.start <= b.start {
        KeyRange { start: a.start, end: b.end }
    } else {
        KeyRange { start: b.start, end: a.end }
    }
}
