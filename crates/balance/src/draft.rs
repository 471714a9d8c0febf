//! A plan in the making: the board, and the steps that led to it.

use std::collections::BTreeSet;

use crate::board::{Board, Peer};
use crate::imbalance::{MaxMean, TOLERANCE};
use crate::op::{Op, Part, Prediction, Refusal, Step};
use crate::view::{NodeId, RegionId};

/// Refusals kept in a plan. More would bury the ones that tell something.
pub(crate) const REFUSALS_MAX: usize = 64;

pub(crate) struct Draft {
    pub board: Board,
    pub steps: Vec<Step>,
    pub refusals: Vec<Refusal>,
    pub now: MaxMean,
}

impl Draft {
    pub fn new(board: Board) -> Draft {
        let now = board.max_mean();
        Draft { board, steps: Vec::new(), refusals: Vec::new(), now }
    }

    fn record(&mut self, op: Op, why: String) {
        let after = self.board.max_mean();
        self.steps.push(Step { op, why, predicted: Prediction { before: self.now, after } });
        self.now = after;
    }

    pub fn move_peer(&mut self, peer: u32, to: usize, why: String) {
        let Peer { node, region, .. } = self.board.peers[peer as usize];
        let region = self.board.regions[region as usize].id;
        let (from, target) = (self.board.seats[node as usize].id, self.board.seats[to].id);
        self.board.move_peer(peer, to);
        self.record(Op::Move { region, from, to: target }, why);
    }

    pub fn transfer(&mut self, leader: u32, follower: u32, why: String) {
        let node = |peer: u32| self.board.seats[self.board.peers[peer as usize].node as usize].id;
        let region = self.board.region_of(leader).id;
        let (from, to) = (node(leader), node(follower));
        self.board.transfer(leader, follower);
        self.record(Op::TransferLeader { region, from, to }, why);
    }

    pub fn split(&mut self, region: u32, shares: &[f64], why: String) -> Vec<u32> {
        let id = self.board.regions[region as usize].id;
        let created = self.board.split(region, shares);
        let ids = std::iter::once(id).chain(created.iter().map(|new| self.board.regions[*new as usize].id));
        let parts = ids.zip(shares).map(|(region, share)| Part { region, share: *share }).collect();
        self.record(Op::Split { region: id, parts }, why);
        created
    }

    /// Asks for a merge. Neighbours that lie together carry the same load apart and joined.
    pub fn merge(&mut self, regions: Vec<RegionId>, into: RegionId, why: String) {
        self.record(Op::Merge { regions, into }, why);
    }

    /// Drops the tail of the plan, from `keep` on, that makes the worst dimension no better than it was. Says
    /// whether it dropped anything: if so, the board is ahead of the steps, and nothing may be added to them.
    pub fn cut_back(&mut self, keep: usize) -> bool {
        let start = match keep {
            0 => self.steps.first().map_or(self.now, |step| step.predicted.before),
            _ => self.steps[keep - 1].predicted.after,
        };
        let (mut best, mut lowest) = (keep, start.worst());
        for (index, step) in self.steps.iter().enumerate().skip(keep) {
            let worst = step.predicted.after.worst();
            if worst < lowest - TOLERANCE || (worst <= lowest && index + 1 == self.steps.len()) {
                (best, lowest) = (index + 1, worst);
            }
        }
        let cut = best < self.steps.len() && !self.now.within(0.0) && lowest < self.now.worst() - TOLERANCE;
        if cut {
            self.steps.truncate(best);
            self.now = self.steps.last().map_or(start, |step| step.predicted.after);
        }
        cut
    }

    /// Drops splits none of whose parts is used by a later step. Splitting changes no node's load, so what the
    /// other steps predict stays true.
    pub fn drop_idle_splits(&mut self) {
        let mut used = BTreeSet::new();
        let mut keep = vec![true; self.steps.len()];
        for (step, keep) in self.steps.iter().zip(&mut keep).rev() {
            let regions = step.op.regions();
            *keep = !matches!(step.op, Op::Split { .. }) || regions.iter().any(|id| used.contains(id));
            if *keep {
                used.extend(regions);
            }
        }
        let mut keep = keep.into_iter();
        self.steps.retain(|_| keep.next().unwrap_or(true));
    }

    pub fn refuse(&mut self, peer: u32, to: Option<usize>, why: impl FnOnce() -> String) {
        if self.refusals.len() >= REFUSALS_MAX {
            return;
        }
        let region = self.board.region_of(peer).id;
        let from = self.board.seats[self.board.peers[peer as usize].node as usize].id;
        let refusal = Refusal { region, from, to: to.map(|node| self.board.seats[node].id), why: why() };
        if !self.refusals.iter().any(|known| known.region == region && known.why == refusal.why) {
            self.refusals.push(refusal);
        }
    }
}

/// Carrying out operations that were found on another board, as far as they still apply.
impl Draft {
    pub fn find_region(&self, id: RegionId) -> Option<u32> {
        // Regions of the view come first and new ones are appended, both in no particular order of ids.
        self.board.regions.iter().position(|piece| piece.id == id).map(|index| index as u32)
    }

    fn find_seat(&self, id: NodeId) -> Option<usize> {
        self.board.seats.iter().position(|seat| seat.id == id)
    }

    fn find_peer(&self, region: u32, node: usize) -> Option<u32> {
        self.board.peers_of(region).find(|peer| self.board.peers[*peer as usize].node as usize == node)
    }

    /// Moves a replica if it is where it is said to be and the target has none.
    pub fn replay_move(&mut self, region: RegionId, from: NodeId, to: NodeId, why: String) {
        let found = self.find_region(region).zip(self.find_seat(from)).zip(self.find_seat(to));
        let Some(((region, from), to)) = found else { return };
        if let Some(peer) = self.find_peer(region, from).filter(|_| !self.board.holds(region, to)) {
            self.move_peer(peer, to, why);
        }
    }

    /// Hands leadership over if it is where it is said to be.
    pub fn replay_transfer(&mut self, region: RegionId, from: NodeId, to: NodeId, why: String) {
        let found = self.find_region(region).zip(self.find_seat(from)).zip(self.find_seat(to));
        let Some(((region, from), to)) = found else { return };
        let peers = self.find_peer(region, from).zip(self.find_peer(region, to));
        if let Some((leader, follower)) = peers.filter(|(leader, _)| self.board.peers[*leader as usize].leads)
        {
            self.transfer(leader, follower, why);
        }
    }
}
