//! Joins small cold neighbours, so that splitting does not leave more regions behind with every hot spot.
//!
//! Each region costs its nodes something even when nobody asks for it. Merging is background work: a few
//! neighbours per plan, and only such that a merge cannot become a hot spot.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::Board;
use crate::draft::Draft;
use crate::imbalance::{MaxMean, TOLERANCE};
use crate::load::Load;
use crate::op::Op;
use crate::plan::Options;
use crate::view::{KeyRange, Region, RegionId, View};

/// Merges asked for in one plan.
const MERGES_PER_PLAN: usize = 4;
/// Replicas that may have to be moved first so that two neighbours lie together.
const MOVES_PER_MERGE: usize = 3;

/// Plans merges of cold neighbours that no other step of the draft touches.
pub(crate) fn cold_neighbours(view: &View, draft: &mut Draft, options: &Options) {
    let busy: BTreeSet<RegionId> = draft.steps.iter().flat_map(|step| step.op.regions()).collect();
    let mut by_start: BTreeMap<&[u8], (usize, &Region)> = BTreeMap::new();
    for (index, region) in view.regions().iter().enumerate() {
        if let Some(range) =
            cold_range(&draft.board, index, region, options).filter(|_| !busy.contains(&region.id))
        {
            by_start.insert(&range.start, (index, region));
        }
    }
    let mut used = BTreeSet::new();
    let mut merges = 0;
    for (left_index, left) in by_start.values() {
        let end = left.range.as_ref().map(|range| range.end.as_slice()).filter(|end| !end.is_empty());
        let Some((right_index, right)) = end.and_then(|end| by_start.get(end)) else { continue };
        let taken = used.contains(&left.id) || used.contains(&right.id) || left.id == right.id;
        if merges == MERGES_PER_PLAN || taken {
            continue;
        }
        if small_together(left, right, options) && align(draft, *left_index as u32, *right_index as u32) {
            used.extend([left.id, right.id]);
            merges += 1;
            let why = "both are cold and small, and a region costs its nodes something even when idle";
            draft.merge(vec![left.id, right.id], left.id, why.to_string());
        }
    }
}

/// The keys of a region that may be merged: no replica carries half of what is worth a move, none is lost.
fn cold_range<'v>(
    board: &Board,
    index: usize,
    region: &'v Region,
    options: &Options,
) -> Option<&'v KeyRange> {
    let cold = board
        .peers_of(index as u32)
        .all(|peer| board.peers[peer as usize].load.max() < options.min_benefit / 2.0);
    let whole = board.regions[index].peer_count as usize == region.nodes().count();
    (cold && whole && board.regions[index].blocked.is_none() && region.size_bytes.is_some())
        .then_some(region.range.as_ref())
        .flatten()
}

fn small_together(left: &Region, right: &Region, options: &Options) -> bool {
    let size = |region: &Region| region.size_bytes.unwrap_or(u64::MAX / 2);
    size(left).saturating_add(size(right)) <= options.merge_bytes_max
}

/// Brings the right region's replicas to the left one's nodes, if that takes few moves and disturbs nothing.
fn align(draft: &mut Draft, left: u32, right: u32) -> bool {
    let Some(way) = Way::find(&draft.board, left, right) else { return false };
    if way.max_mean(&draft.board).worst() > draft.now.worst() + TOLERANCE {
        return false;
    }
    for (peer, to) in way.moves {
        draft.move_peer(peer, to, "brings it to its neighbour, to be merged".to_string());
    }
    if let Some((leader, follower)) = way.transfer {
        let why = "its neighbour leads here, and both are to be merged";
        draft.transfer(leader, follower, why.to_string());
    }
    true
}

/// How a region gets to where its neighbour lies.
struct Way {
    /// Replicas, and the nodes they have to move to.
    moves: Vec<(u32, usize)>,
    /// The leader and the follower that must lead instead.
    transfer: Option<(u32, u32)>,
}

impl Way {
    fn find(board: &Board, left: u32, right: u32) -> Option<Way> {
        let node = |peer: u32| board.peers[peer as usize].node as usize;
        let wanted: BTreeSet<usize> = board.peers_of(left).map(node).collect();
        let found: BTreeSet<usize> = board.peers_of(right).map(node).collect();
        let spare = board.peers_of(right).filter(|peer| !wanted.contains(&node(*peer)));
        let moves: Vec<(u32, usize)> = spare.zip(wanted.difference(&found).copied()).collect();
        let reachable = wanted.iter().all(|node| !board.seats[*node].draining);
        if wanted.len() != found.len() || moves.len() > MOVES_PER_MERGE || !reachable {
            return None;
        }
        let after = |peer: u32| moves.iter().find(|(moved, _)| *moved == peer).map_or(node(peer), |to| to.1);
        let leader = |region: u32| board.peers_of(region).find(|peer| board.peers[*peer as usize].leads);
        let (goal, leads) = (node(leader(left)?), leader(right)?);
        let heir = board.peers_of(right).find(|peer| after(*peer) == goal)?;
        let transfer = (heir != leads).then_some((leads, heir));
        Some(Way { moves, transfer })
    }

    /// Max/Mean once it is there.
    fn max_mean(&self, board: &Board) -> MaxMean {
        let mut changes: Vec<(usize, Load)> = Vec::new();
        let mut shift = |from: usize, to: usize, load: Load| {
            changes.extend([(from, Load::ZERO - load), (to, load)]);
        };
        let peer = |peer: u32| &board.peers[peer as usize];
        for (moved, to) in &self.moves {
            shift(peer(*moved).node as usize, *to, peer(*moved).load);
        }
        if let Some((leader, heir)) = self.transfer {
            let place = |wanted: u32| {
                let moved = self.moves.iter().find(|(moved, _)| *moved == wanted);
                moved.map_or(peer(wanted).node as usize, |(_, to)| *to)
            };
            shift(place(leader), place(heir), peer(leader).load - peer(heir).load);
        }
        board.max_mean_of(|node| {
            let own = changes.iter().filter(|(changed, _)| *changed == node);
            own.fold(board.seats[node].load, |sum, (_, load)| sum + *load)
        })
    }
}

impl Op {
    /// The regions an operation touches, new ones included.
    pub fn regions(&self) -> Vec<RegionId> {
        match self {
            Op::Split { region, parts } => {
                std::iter::once(*region).chain(parts.iter().map(|part| part.region)).collect()
            }
            Op::Move { region, .. } | Op::TransferLeader { region, .. } => vec![*region],
            Op::Merge { regions, .. } => regions.clone(),
        }
    }
}
