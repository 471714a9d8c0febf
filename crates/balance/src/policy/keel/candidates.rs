//! Which replicas of a node are worth looking at.

use crate::board::Board;
use crate::load::{DIMENSIONS, Dimension};

/// Heaviest replicas looked at per node and dimension. The tail behind them is too light to matter.
const PER_DIMENSION: usize = 96;

/// Per node, the replicas that may leave it. Found on first use and shared by all searches on a board.
pub(crate) struct Candidates {
    by_node: Vec<Option<Vec<u32>>>,
    /// Smallest normalised load worth a move.
    pub floor: f64,
}

impl Candidates {
    pub fn new(board: &Board, floor: f64) -> Candidates {
        Candidates { by_node: vec![None; board.seats.len()], floor }
    }

    /// Makes sure that the candidates of a node are known.
    pub fn find(&mut self, board: &Board, node: usize) {
        if self.by_node[node].is_none() {
            self.by_node[node] = Some(heaviest(board, node, self.floor));
        }
    }

    /// The candidates of a node, as far as they were found.
    pub fn of(&self, node: usize) -> &[u32] {
        self.by_node[node].as_deref().unwrap_or_default()
    }
}

/// The heaviest replicas of a node in each dimension, without those that this plan has moved already.
fn heaviest(board: &Board, node: usize, floor: f64) -> Vec<u32> {
    let worth = |peer: &u32| {
        let known = &board.peers[*peer as usize];
        known.load.max() > floor && !known.moved && board.region_of(*peer).blocked.is_none()
    };
    let all: Vec<u32> = board.seats[node].peers.iter().copied().filter(worth).collect();
    if all.len() <= PER_DIMENSION {
        return all;
    }
    let mut kept = Vec::with_capacity(DIMENSIONS * PER_DIMENSION);
    for dimension in Dimension::ALL {
        let mut order = all.clone();
        let load = |peer: &u32| board.peers[*peer as usize].load.get(dimension);
        order.select_nth_unstable_by(PER_DIMENSION, |a, b| load(b).total_cmp(&load(a)).then(a.cmp(b)));
        kept.extend_from_slice(&order[..PER_DIMENSION]);
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}
