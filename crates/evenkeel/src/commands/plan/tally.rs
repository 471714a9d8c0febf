//! What a plan does in all: operations by kind, load moved, bytes copied.

use std::collections::BTreeMap;

use balance::{Dimension, Load, NodeState, Op, Region, RegionId, View};
use serde::Serialize;

/// The sum of a plan's operations.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Tally {
    /// Replicas copied to another node.
    pub moves: usize,
    /// Leaderships handed over.
    pub transfers: usize,
    /// Regions cut.
    pub splits: usize,
    /// Regions added by cutting.
    pub new_regions: usize,
    /// Groups of neighbours joined.
    pub merges: usize,
    /// Share of the cluster's processor load that changes its node.
    pub moved_cpu: f64,
    /// Share of the cluster's disk load that changes its node.
    pub moved_io: f64,
    /// Bytes copied, as far as sizes are known.
    pub copied_bytes: u64,
    /// Moves of replicas whose size is known.
    pub moves_with_size: usize,
}

impl Tally {
    /// Counts operations on a view, in order.
    pub fn of<'o>(view: &View, ops: impl Iterator<Item = &'o Op>) -> Tally {
        let mut count = Count::new(view);
        ops.for_each(|op| count.add(op));
        let share = count.moved.per(total(view));
        Tally { moved_cpu: share.get(Dimension::Cpu), moved_io: share.get(Dimension::Io), ..count.tally }
    }
}

/// The load of all replicas on nodes that are not down.
fn total(view: &View) -> Load {
    let alive: BTreeMap<_, _> =
        view.nodes().iter().map(|node| (node.id, node.state != NodeState::Down)).collect();
    let counts = |node| alive.get(node).copied().unwrap_or(false);
    view.regions().iter().fold(Load::ZERO, |sum, region| {
        let followers = region.followers.iter().filter(|node| counts(node)).count() as f64;
        let leader = if counts(&region.leader) { region.leader_load } else { Load::ZERO };
        sum + leader + region.follower_load * followers
    })
}

struct Count {
    regions: BTreeMap<RegionId, Region>,
    tally: Tally,
    moved: Load,
}

impl Count {
    fn new(view: &View) -> Count {
        let regions = view.regions().iter().map(|region| (region.id, region.clone())).collect();
        Count { regions, tally: Tally::default(), moved: Load::ZERO }
    }

    fn add(&mut self, op: &Op) {
        match op {
            Op::Split { region, parts } => {
                self.tally.splits += 1;
                self.tally.new_regions += parts.len().saturating_sub(1);
                let Some(whole) = self.regions.get(region).cloned() else { return };
                for part in parts {
                    self.regions.insert(part.region, piece(&whole, part.region, part.share));
                }
            }
            Op::Move { region, from, to } => {
                self.tally.moves += 1;
                let Some(known) = self.regions.get_mut(region) else { return };
                if let Some(size) = known.size_bytes {
                    self.tally.copied_bytes = self.tally.copied_bytes.saturating_add(size);
                    self.tally.moves_with_size += 1;
                }
                if known.leader == *from {
                    self.moved += known.leader_load;
                    known.leader = *to;
                } else {
                    self.moved += known.follower_load;
                }
            }
            Op::TransferLeader { region, to, .. } => {
                self.tally.transfers += 1;
                let Some(known) = self.regions.get_mut(region) else { return };
                self.moved += (known.leader_load - known.follower_load).map(f64::abs);
                known.leader = *to;
            }
            // A merged region is not moved again by the same plan.
            Op::Merge { .. } => self.tally.merges += 1,
        }
    }
}

fn piece(whole: &Region, id: RegionId, share: f64) -> Region {
    Region {
        id,
        leader_load: whole.leader_load * share,
        follower_load: whole.follower_load * share,
        size_bytes: whole.size_bytes.map(|size| (size as f64 * share) as u64),
        ..whole.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use balance::{Node, NodeId, Part};

    #[test]
    fn pieces_are_counted_at_their_share() {
        let mut region = Region::new(7, 1, Load::new(3.0, 1.0));
        region.size_bytes = Some(1000);
        let other = Region::new(8, 2, Load::new(1.0, 1.0));
        let view = View::new(vec![Node::new(1), Node::new(2)], vec![region, other]).expect("a view");
        let part = |region, share| Part { region: RegionId(region), share };
        let ops = [
            Op::Split { region: RegionId(7), parts: vec![part(7, 0.6), part(9, 0.4)] },
            Op::Move { region: RegionId(9), from: NodeId(1), to: NodeId(2) },
            Op::Move { region: RegionId(8), from: NodeId(2), to: NodeId(1) },
        ];
        let tally = Tally::of(&view, ops.iter());
        assert_eq!((tally.splits, tally.new_regions, tally.moves), (1, 1, 2));
        assert_eq!((tally.copied_bytes, tally.moves_with_size), (400, 1));
        assert!((tally.moved_cpu - 2.2 / 4.0).abs() < 1e-12);
        assert!((tally.moved_io - 1.4 / 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_transfer_moves_the_difference_and_no_bytes() {
        let mut region = Region::new(7, 1, Load::new(3.0, 1.0));
        region.followers = vec![NodeId(2)];
        region.follower_load = Load::new(1.0, 1.0);
        region.size_bytes = Some(1000);
        let view = View::new(vec![Node::new(1), Node::new(2)], vec![region]).expect("a view");
        let op = Op::TransferLeader { region: RegionId(7), from: NodeId(1), to: NodeId(2) };
        let tally = Tally::of(&view, std::iter::once(&op));
        assert_eq!((tally.transfers, tally.moves, tally.copied_bytes), (1, 0, 0));
        assert_eq!((tally.moved_cpu, tally.moved_io), (0.5, 0.0));
    }
}
