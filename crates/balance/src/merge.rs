//! Joins small cold neighbours, so that splitting does not leave more regions behind with every hot spot.
//!
//! Each region costs its nodes something even when nobody asks for it. Merging is background work: a few
//! neighbours per plan, and only such that a merge cannot become a hot spot.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::Board;
use crate::draft::Draft;
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
        if merges == MERGES_PER_PLAN || used.contains(&left.id) {
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

/// The keys of a region that may be merged: no replica carries half of what is worth a move.
fn cold_range<'v>(
    board: &Board,
    index: usize,
    region: &'v Region,
    options: &Options,
) -> Option<&'v KeyRange> {
    let cold = board
        .peers_of(index as u32)
        .all(|peer| board.peers[peer as usize].load.max() < options.min_benefit / 2.0);
    (cold && board.regions[index].blocked.is_none() && region.size_bytes.is_some())
        .then_some(region.range.as_ref())
        .flatten()
}

fn small_together(left: &Region, right: &Region, options: &Options) -> bool {
    let size = |region: &Region| region.size_bytes.unwrap_or(u64::MAX / 2);
    size(left) + size(right) <= options.merge_bytes_max
}

/// Brings the right region's replicas to the left one's nodes, if that takes few moves and disturbs nothing.
fn align(draft: &mut Draft, left: u32, right: u32) -> bool {
    let nodes = |draft: &Draft, region: u32| -> BTreeSet<usize> {
        draft.board.peers_of(region).map(|peer| draft.board.peers[peer as usize].node as usize).collect()
    };
    let (wanted, found) = (nodes(draft, left), nodes(draft, right));
    let missing: Vec<usize> = wanted.difference(&found).copied().collect();
    let spare: Vec<usize> = found.difference(&wanted).copied().collect();
    let reachable = wanted.iter().all(|node| !draft.board.seats[*node].draining);
    if wanted.len() != found.len() || missing.len() > MOVES_PER_MERGE || !reachable {
        return false;
    }
    for (from, to) in spare.into_iter().zip(missing) {
        let peer =
            draft.board.peers_of(right).find(|peer| draft.board.peers[*peer as usize].node as usize == from);
        if let Some(peer) = peer {
            draft.move_peer(peer, to, "brings it to its neighbour, to be merged".to_string());
        }
    }
    align_leaders(draft, left, right);
    true
}

fn align_leaders(draft: &mut Draft, left: u32, right: u32) {
    let leader = |draft: &Draft, region: u32| {
        draft.board.peers_of(region).find(|peer| draft.board.peers[*peer as usize].leads)
    };
    let (Some(wanted), Some(found)) = (leader(draft, left), leader(draft, right)) else { return };
    let node = draft.board.peers[wanted as usize].node;
    if draft.board.peers[found as usize].node != node {
        let follower =
            draft.board.peers_of(right).find(|peer| draft.board.peers[*peer as usize].node == node);
        if let Some(follower) = follower {
            draft.transfer(
                found,
                follower,
                "its neighbour leads here, and both are to be merged".to_string(),
            );
        }
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
