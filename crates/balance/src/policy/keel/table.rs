//! The scratch table of a search: node loads against their limits, and the shifts decided so far.

use crate::board::Board;
use crate::load::Load;

/// How a shift reaches its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Via {
    /// A replica is copied.
    Copy,
    /// This follower takes over leadership.
    Lead(u32),
}

/// A replica, or a share of it, that goes from its node to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shift {
    pub peer: u32,
    pub to: usize,
    pub via: Via,
    /// Share of the region as the view has it.
    pub share: f64,
    /// What leaves the source and arrives at the target.
    pub load: Load,
}

#[derive(Clone)]
pub(crate) struct Table<'a> {
    pub board: &'a Board,
    pub loads: Vec<Load>,
    /// What the search aims at.
    pub limits: Vec<Load>,
    /// What is good enough, a little above the limits.
    accepted: Vec<Load>,
    /// Share of each region that has not been shifted away.
    pub left: Vec<f64>,
    pub shifts: Vec<Shift>,
}

impl<'a> Table<'a> {
    pub fn new(board: &'a Board, aim: f64, ceiling: f64) -> Table<'a> {
        Table {
            board,
            loads: board.seats.iter().map(|seat| seat.load).collect(),
            limits: (0..board.seats.len()).map(|node| limit(board, node, aim, ceiling)).collect(),
            accepted: (0..board.seats.len()).map(|node| bound(board, node, ceiling)).collect(),
            left: vec![1.0; board.regions.len()],
            shifts: Vec::new(),
        }
    }

    /// How far a node is above its limit, summed over dimensions.
    #[inline]
    pub fn excess(&self, node: usize) -> f64 {
        over(self.loads[node], self.limits[node])
    }

    /// Whether no node is above what is acceptable.
    pub fn balanced(&self) -> bool {
        self.fullest().is_none()
    }

    /// What is left of a replica's load on its node.
    #[inline]
    pub fn remaining(&self, peer: u32) -> Load {
        let peer = &self.board.peers[peer as usize];
        peer.load * self.left[peer.region as usize]
    }

    pub fn apply(&mut self, shift: Shift) {
        let peer = &self.board.peers[shift.peer as usize];
        let (from, region) = (peer.node as usize, peer.region as usize);
        self.loads[from] -= shift.load;
        self.loads[shift.to] += shift.load;
        self.left[region] = (self.left[region] - shift.share).max(0.0);
        self.add(shift);
    }

    /// Joins a shift with one of the same replica to the same node, if there is one.
    fn add(&mut self, shift: Shift) {
        let same =
            |known: &&mut Shift| known.peer == shift.peer && known.to == shift.to && known.via == shift.via;
        match self.shifts.iter_mut().find(same) {
            Some(known) => {
                known.share += shift.share;
                known.load += shift.load;
            }
            None => self.shifts.push(shift),
        }
    }

    /// Takes a part of an earlier shift to another node; to where it came from means taking it back.
    pub fn redirect(&mut self, index: usize, part: Shift) {
        let old = self.shifts[index];
        let origin = self.board.peers[old.peer as usize].node as usize;
        self.loads[old.to] -= part.load;
        self.loads[part.to] += part.load;
        self.shifts[index].share -= part.share;
        self.shifts[index].load -= part.load;
        if part.to == origin {
            self.left[self.board.peers[old.peer as usize].region as usize] += part.share;
        } else {
            self.add(part);
        }
        if self.shifts[index].share <= 1e-9 {
            self.shifts.remove(index);
        }
    }

    /// The node furthest above what is acceptable, if any is.
    pub fn fullest(&self) -> Option<usize> {
        let excess = |node: &usize| over(self.loads[*node], self.accepted[*node]);
        let full = (0..self.loads.len()).filter(|node| excess(node) > 0.0);
        full.max_by(|a, b| excess(a).total_cmp(&excess(b)).then(b.cmp(a)))
    }

    /// What is above the acceptable, over all nodes.
    pub fn excess_total(&self) -> f64 {
        self.loads.iter().zip(&self.accepted).map(|(load, most)| over(*load, *most)).sum()
    }

    /// What was above the acceptable before anything was shifted.
    pub fn excess_before(&self) -> f64 {
        self.board.seats.iter().zip(&self.accepted).map(|(seat, most)| over(seat.load, *most)).sum()
    }

    /// What would be above the acceptable if only whole regions were shifted.
    pub fn excess_of_whole(&self) -> f64 {
        let mut loads: Vec<Load> = self.board.seats.iter().map(|seat| seat.load).collect();
        for shift in self.shifts.iter().filter(|shift| shift.share >= 1.0) {
            loads[self.board.peers[shift.peer as usize].node as usize] -= shift.load;
            loads[shift.to] += shift.load;
        }
        loads.iter().zip(&self.accepted).map(|(load, most)| over(*load, *most)).sum()
    }

    /// How many pieces of regions are shifted.
    pub fn cuts(&self) -> usize {
        self.shifts.iter().filter(|shift| shift.share < 1.0).count()
    }

    /// Drops shifts, oldest first, that later ones have made needless: their source can keep the load. Then lets
    /// sources keep as much of what is cut as they may.
    pub fn settle(&mut self) {
        let mut index = 0;
        while index < self.shifts.len() {
            let shift = self.shifts[index];
            let from = self.board.peers[shift.peer as usize].node as usize;
            let part = self.part_kept(shift, from);
            if shift.via == Via::Copy && part >= 1.0 {
                self.redirect(index, Shift { to: from, ..shift });
                continue;
            }
            // Which piece holds the hottest key is not tracked, so such a region is not cut once more.
            let divisible = self.board.region_of(shift.peer).hot_key_share == 0.0;
            // What is kept joins what stayed; where nothing stayed it would become a sliver of its own.
            let stayed = self.left[self.board.peers[shift.peer as usize].region as usize] > SLIVER;
            if divisible && stayed && part > 0.0 && part < 1.0 {
                let kept = Shift { to: from, share: shift.share * part, load: shift.load * part, ..shift };
                self.redirect(index, kept);
            }
            index += 1;
        }
    }

    /// The part of a shift that its source has room for after all.
    fn part_kept(&self, shift: Shift, from: usize) -> f64 {
        let room = self.accepted[from] * (1.0 - ROUNDING) - self.loads[from];
        let parts = shift.load.zip(room, |load, room| if load > 0.0 { room / load } else { f64::INFINITY });
        let over = room.zip(shift.load, |room, load| if load <= 0.0 && room < 0.0 { -1.0 } else { 0.0 });
        parts
            .0
            .into_iter()
            .fold(over.0.into_iter().fold(f64::INFINITY, |a, b| if b < 0.0 { -1.0 } else { a }), f64::min)
    }
}

/// A share of a region below this is not worth a region.
const SLIVER: f64 = 0.01;
/// Kept below every limit, because shares are rounded when they are written down.
const ROUNDING: f64 = 1e-7;

/// What a node may carry at a level.
fn bound(board: &Board, node: usize, level: f64) -> Load {
    let seat = &board.seats[node];
    if seat.draining { Load::ZERO } else { seat.share * level }
}

/// What a node is brought down to, or filled up to. One that stands between aim and ceiling may stay there.
fn limit(board: &Board, node: usize, aim: f64, ceiling: f64) -> Load {
    let (aim, ceiling) = (bound(board, node, aim), bound(board, node, ceiling));
    let load = board.seats[node].load;
    let fine = load.zip(ceiling, |load, ceiling| if load <= ceiling { load } else { 0.0 });
    aim.zip(fine, f64::max)
}

/// How far a load is above a limit, summed over dimensions.
#[inline]
pub(crate) fn over(load: Load, limit: Load) -> f64 {
    load.zip(limit, |load, limit| (load - limit).max(0.0)).sum()
}
