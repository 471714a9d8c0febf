//! For every node its replicas in descending order of load, kept in order while a plan is made.

use crate::board::{Board, Gauge};

pub(crate) struct Queues {
    gauge: Gauge,
    /// Lighter replicas are left out: they would be looked at last and then passed over.
    floor: f64,
    /// Built on first use: most nodes never become a source.
    by_node: Vec<Option<Vec<u32>>>,
}

impl Queues {
    pub fn new(gauge: Gauge, floor: f64, nodes: usize) -> Queues {
        Queues { gauge, floor, by_node: vec![None; nodes] }
    }

    /// A node's replicas, heaviest first; equal ones by region number.
    pub fn of(&mut self, board: &Board, node: usize) -> &[u32] {
        let (gauge, floor) = (self.gauge, self.floor);
        let worth = |peer: &u32| gauge.read(board.level_of(board.peers[*peer as usize].load, node)) > floor;
        self.by_node[node].get_or_insert_with(|| {
            let mut peers: Vec<u32> = board.seats[node].peers.iter().copied().filter(worth).collect();
            peers.sort_unstable_by(|a, b| order(board, gauge, *a, *b));
            peers
        })
    }

    /// Tells that a replica is about to leave a node.
    pub fn leaves(&mut self, board: &Board, peer: u32, node: usize) {
        if let Some(queue) = &mut self.by_node[node] {
            match queue.binary_search_by(|other| order(board, self.gauge, *other, peer)) {
                Ok(at) => drop(queue.remove(at)),
                Err(_) => queue.retain(|other| *other != peer),
            }
        }
    }

    /// Tells that a replica has come to a node.
    pub fn arrives(&mut self, board: &Board, peer: u32, node: usize) {
        if self.gauge.read(board.level_of(board.peers[peer as usize].load, node)) <= self.floor {
            return;
        }
        if let Some(queue) = &mut self.by_node[node] {
            let at = queue.binary_search_by(|other| order(board, self.gauge, *other, peer));
            queue.insert(at.unwrap_or_else(|at| at), peer);
        }
    }

    /// Tells that loads on a node changed in place.
    pub fn forget(&mut self, node: usize) {
        self.by_node[node] = None;
    }
}

fn order(board: &Board, gauge: Gauge, a: u32, b: u32) -> std::cmp::Ordering {
    let load = |peer: u32| gauge.read(board.peers[peer as usize].load);
    load(b)
        .total_cmp(&load(a))
        .then_with(|| board.region_of(a).id.cmp(&board.region_of(b).id))
        .then(a.cmp(&b))
}
