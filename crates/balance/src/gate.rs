//! The stability gate: no scheduling while loads jump from one heartbeat to the next.
//!
//! A plan made on a load that is gone a moment later moves data for nothing, twice. While any node's level
//! differs from what it was expected to be by more than the threshold, the gate is shut. What the scheduler's
//! own finished operations have shifted is expected, and does not shut it.

use std::collections::BTreeMap;

use crate::board::Board;
use crate::load::Load;
use crate::view::{NodeId, View};

/// Compares levels with those of the heartbeat before.
#[derive(Debug, Clone)]
pub struct Gate {
    /// Largest change of a level that counts as steady. The paper's choice is 0.2.
    threshold: f64,
    expected: BTreeMap<NodeId, Load>,
}

/// A node whose load jumped.
#[derive(Debug, Clone, PartialEq)]
pub struct Jump {
    /// The node.
    pub node: NodeId,
    /// The largest change of its level over all dimensions.
    pub by: f64,
}

impl Gate {
    /// A gate that has seen nothing yet, and is open.
    pub fn new(threshold: f64) -> Gate {
        Gate { threshold, expected: BTreeMap::new() }
    }

    /// Tells that an operation has shifted this much, as levels, from one node to another.
    pub fn shifted(&mut self, from: NodeId, to: NodeId, from_level: Load, to_level: Load) {
        if let Some(level) = self.expected.get_mut(&from) {
            *level -= from_level;
        }
        if let Some(level) = self.expected.get_mut(&to) {
            *level += to_level;
        }
    }

    /// Compares a view with what was expected of it, and expects the same of the next one. Returns the node
    /// that jumped most, if one jumped too far.
    pub fn observe(&mut self, view: &View) -> Option<Jump> {
        let board = Board::new(view);
        let mut worst: Option<Jump> = None;
        let mut next = BTreeMap::new();
        for (index, seat) in board.seats.iter().enumerate() {
            let level = board.level(index);
            if let Some(expected) = self.expected.get(&seat.id) {
                let by = level.zip(*expected, |now, then| (now - then).abs()).max();
                if by > self.threshold && worst.as_ref().is_none_or(|jump| by > jump.by) {
                    worst = Some(Jump { node: seat.id, by });
                }
            }
            next.insert(seat.id, level);
        }
        self.expected = next;
        worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::{Node, Region};

    fn view(loads: &[f64]) -> View {
        let nodes = (1..=loads.len() as u64).map(Node::new).collect();
        let region = |(index, load): (usize, &f64)| {
            Region::new(index as u64 + 1, index as u64 + 1, Load::new(*load, *load))
        };
        View::new(nodes, loads.iter().enumerate().map(region).collect()).unwrap()
    }

    #[test]
    fn steady_load_keeps_the_gate_open() {
        let mut gate = Gate::new(0.2);
        assert_eq!(gate.observe(&view(&[1.0, 1.0])), None);
        assert_eq!(gate.observe(&view(&[1.1, 0.9])), None);
    }

    #[test]
    fn a_jump_shuts_it_until_the_load_stays() {
        let mut gate = Gate::new(0.2);
        gate.observe(&view(&[1.0, 1.0]));
        let jump = gate.observe(&view(&[3.0, 1.0])).unwrap();
        assert_eq!(jump.node, NodeId(1));
        assert!((jump.by - 0.5).abs() < 1e-9, "{jump:?}");
        assert_eq!(gate.observe(&view(&[3.0, 1.0])), None);
    }

    #[test]
    fn what_the_scheduler_moved_is_no_jump() {
        let mut gate = Gate::new(0.2);
        gate.observe(&view(&[3.0, 1.0]));
        gate.shifted(NodeId(1), NodeId(2), Load::new(0.5, 0.5), Load::new(0.5, 0.5));
        assert_eq!(gate.observe(&view(&[2.0, 2.0])), None);
    }

    #[test]
    fn a_cluster_that_doubles_evenly_is_steady() {
        let mut gate = Gate::new(0.2);
        gate.observe(&view(&[1.0, 1.0]));
        assert_eq!(gate.observe(&view(&[2.0, 2.0])), None);
    }
}
