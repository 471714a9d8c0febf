//! The stability gate: no scheduling while loads jump from one heartbeat to the next.
//!
//! A plan made on a load that is gone a moment later moves data for nothing, twice. While any node's level
//! differs from what it was expected to be by more than the threshold, the gate is shut. What the scheduler's
//! own finished operations have shifted is expected, and does not shut it.

use std::collections::BTreeMap;

use crate::board::Board;
use crate::load::Load;
use crate::view::{NodeId, View};

/// Heartbeats in a row that must be steady after a jump.
const STEADY_TICKS: u32 = 3;
/// Most heartbeats asked for when jumps come again and again.
const STEADY_TICKS_MAX: u32 = 24;
/// Heartbeats without a jump after which the past is forgotten.
const FORGET_TICKS: u32 = 30;

/// Up to one node in so many may jump without shutting the gate.
const FEW_NODES: usize = 20;

/// Compares levels with those of the heartbeat before.
///
/// One jump means waiting for a few steady heartbeats. Each further jump before the load has been quiet for long
/// doubles the wait, so that a load that comes and goes is left alone instead of being chased.
#[derive(Debug, Clone)]
pub struct Gate {
    /// Largest change of a level that counts as steady. The paper's choice is 0.2.
    threshold: f64,
    expected: BTreeMap<NodeId, Load>,
    /// Steady heartbeats still to be seen before the gate opens.
    wait_ticks: u32,
    /// Steady heartbeats that the next jump asks for.
    next_wait_ticks: u32,
    /// Heartbeats since the last jump.
    quiet_ticks: u32,
    /// Whether operations ended since the last heartbeat. A jump then is likely their doing, more or less than was
    /// predicted, and no reason to wait for long.
    disturbed: bool,
}

/// Why the gate is shut.
#[derive(Debug, Clone, PartialEq)]
pub enum Shut {
    /// The load of a node has just jumped.
    Jumped {
        /// The node that jumped most.
        node: NodeId,
        /// The largest change of its level over all dimensions.
        by: f64,
    },
    /// It jumped a while ago, and has to be steady for some more heartbeats.
    Settling {
        /// How many.
        ticks: u32,
    },
}

impl std::fmt::Display for Shut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Shut::Jumped { node, by } => {
                write!(f, "the load of {node} jumped by {:.0} % of its share", by * 100.0)
            }
            Shut::Settling { ticks } => {
                write!(f, "the load jumped; {ticks} more steady heartbeats are awaited")
            }
        }
    }
}

impl Gate {
    /// A gate that has seen nothing yet, and is open.
    pub fn new(threshold: f64) -> Gate {
        Gate {
            threshold,
            expected: BTreeMap::new(),
            wait_ticks: 0,
            next_wait_ticks: STEADY_TICKS,
            quiet_ticks: 0,
            disturbed: false,
        }
    }

    /// Tells that an operation has ended, whatever became of it.
    pub fn disturb(&mut self) {
        self.disturbed = true;
    }

    /// Tells that an operation has shifted this much, as levels, from one node to another.
    pub fn shifted(&mut self, from: NodeId, to: NodeId, from_level: Load, to_level: Load) {
        self.disturbed = true;
        if let Some(level) = self.expected.get_mut(&from) {
            *level -= from_level;
        }
        if let Some(level) = self.expected.get_mut(&to) {
            *level += to_level;
        }
    }

    /// Compares a view with what was expected of it, and expects the same of the next one. Returns why no
    /// scheduling should be done now, if so.
    pub fn observe(&mut self, view: &View) -> Option<Shut> {
        let own = std::mem::take(&mut self.disturbed);
        if let Some(jumped) = self.jump(view) {
            if own {
                return Some(jumped);
            }
            self.wait_ticks = self.next_wait_ticks;
            self.next_wait_ticks = (self.next_wait_ticks * 2).min(STEADY_TICKS_MAX);
            self.quiet_ticks = 0;
            return Some(jumped);
        }
        self.quiet_ticks += 1;
        if self.quiet_ticks >= FORGET_TICKS {
            self.next_wait_ticks = STEADY_TICKS;
        }
        self.wait_ticks = self.wait_ticks.saturating_sub(1);
        (self.wait_ticks > 0).then_some(Shut::Settling { ticks: self.wait_ticks })
    }

    fn jump(&mut self, view: &View) -> Option<Shut> {
        let board = Board::new(view);
        let mut worst: Option<(NodeId, f64)> = None;
        let mut jumped = 0;
        let mut next = BTreeMap::new();
        for (index, seat) in board.seats.iter().enumerate() {
            let level = board.level(index);
            if let Some(expected) = self.expected.get(&seat.id) {
                let by = level.zip(*expected, |now, then| (now - then).abs()).max();
                jumped += usize::from(by > self.threshold);
                if by > self.threshold && worst.is_none_or(|(_, most)| by > most) {
                    worst = Some((seat.id, by));
                }
            }
            next.insert(seat.id, level);
        }
        self.expected = next;
        // In a large cluster some node always jumps; that is no reason to leave the others as they are.
        worst.filter(|_| jumped > board.seats.len() / FEW_NODES).map(|(node, by)| Shut::Jumped { node, by })
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
    fn a_jump_shuts_it_until_the_load_has_been_steady_for_a_while() {
        let mut gate = Gate::new(0.2);
        gate.observe(&view(&[1.0, 1.0]));
        match gate.observe(&view(&[3.0, 1.0])) {
            Some(Shut::Jumped { node, by }) => assert!(node == NodeId(1) && (by - 0.5).abs() < 1e-9),
            other => panic!("expected a jump, found {other:?}"),
        }
        assert_eq!(gate.observe(&view(&[3.0, 1.0])), Some(Shut::Settling { ticks: 2 }));
        assert_eq!(gate.observe(&view(&[3.0, 1.0])), Some(Shut::Settling { ticks: 1 }));
        assert_eq!(gate.observe(&view(&[3.0, 1.0])), None);
    }

    #[test]
    fn a_load_that_comes_and_goes_never_opens_it() {
        let mut gate = Gate::new(0.2);
        gate.observe(&view(&[1.0, 1.0]));
        for turn in 0..40 {
            let hot = if turn % 2 == 0 { 3.0 } else { 1.0 };
            for tick in 0..4 {
                assert!(gate.observe(&view(&[hot, 1.0])).is_some() || turn == 0, "turn {turn}, tick {tick}");
            }
        }
    }

    #[test]
    fn after_a_long_quiet_a_jump_is_like_the_first() {
        let mut gate = Gate::new(0.2);
        for load in [1.0, 3.0, 1.0] {
            gate.observe(&view(&[load, 1.0]));
        }
        for _ in 0..FORGET_TICKS {
            gate.observe(&view(&[1.0, 1.0]));
        }
        gate.observe(&view(&[3.0, 1.0]));
        assert_eq!(gate.observe(&view(&[3.0, 1.0])), Some(Shut::Settling { ticks: STEADY_TICKS - 1 }));
    }

    #[test]
    fn what_the_scheduler_moved_is_no_jump() {
        let mut gate = Gate::new(0.2);
        gate.observe(&view(&[3.0, 1.0]));
        gate.shifted(NodeId(1), NodeId(2), Load::new(0.5, 0.5), Load::new(0.5, 0.5));
        assert_eq!(gate.observe(&view(&[2.0, 2.0])), None);
    }

    #[test]
    fn a_move_that_brings_more_than_predicted_shuts_it_once() {
        let mut gate = Gate::new(0.2);
        gate.observe(&view(&[3.0, 1.0]));
        gate.shifted(NodeId(1), NodeId(2), Load::new(0.1, 0.1), Load::new(0.1, 0.1));
        assert!(matches!(gate.observe(&view(&[2.0, 2.0])), Some(Shut::Jumped { .. })));
        assert_eq!(gate.observe(&view(&[2.0, 2.0])), None);
    }

    #[test]
    fn a_cluster_that_doubles_evenly_is_steady() {
        let mut gate = Gate::new(0.2);
        gate.observe(&view(&[1.0, 1.0]));
        assert_eq!(gate.observe(&view(&[2.0, 2.0])), None);
    }
}
