//! Turns shifts into steps with reasons, and explains what was left alone.

use std::collections::{BTreeMap, BTreeSet};

use super::table::{Shift, Table, Via};
use crate::advice;
use crate::board::Peer;
use crate::draft::{Draft, REFUSALS_MAX};
use crate::load::Load;
use crate::op::Refusal;
use crate::plan::Options;
use crate::policy::Horizon;

/// A region counts as cut when less than this share of it is shifted at once.
const WHOLE: f64 = 1.0 - 1e-6;

/// Writes the steps: all splits first, then the shifts in the order they were found.
pub(crate) fn steps(draft: &mut Draft, shifts: &[Shift], horizon: Horizon, options: &Options) {
    let mut movers: Vec<u32> = shifts.iter().map(|shift| shift.peer).collect();
    let mut cut: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, shift) in shifts.iter().enumerate() {
        // A piece that the next round would find too light to move is not cut off in this one: round after round
        // would cut another.
        let worth = horizon == Horizon::Rest || shift.load.max() > options.min_benefit;
        if shift.share < WHOLE && worth {
            cut.entry(draft.board.peers[shift.peer as usize].region).or_default().push(index);
        }
    }
    for (region, pieces) in &cut {
        split(draft, *region, pieces, shifts, &mut movers);
    }
    for (index, shift) in shifts.iter().enumerate() {
        // In a live cluster a cut never hits its share exactly: the pieces are planned again once measured.
        if horizon == Horizon::Rest || shift.share >= WHOLE {
            carry_out(draft, movers[index], *shift);
        }
    }
}

/// Cuts a region into what stays, if anything does, and one piece per shift.
fn split(draft: &mut Draft, region: u32, pieces: &[usize], shifts: &[Shift], movers: &mut [u32]) {
    let parts = parts(draft.board.regions[region as usize].hot_key_share, pieces, shifts);
    let goals = pieces.iter().map(|index| draft.board.seats[shifts[*index].to].id.to_string());
    let goals: Vec<String> = goals.collect();
    let why =
        format!("as a whole it fits nowhere it is needed; cut so that {} can take a piece", goals.join(", "));
    let shares: Vec<f64> = parts.iter().map(|part| part.share).collect();
    let first_peer = draft.board.regions[region as usize].first_peer;
    let created = draft.split(region, &shares, why);
    // The first part keeps the region's own replicas, so its mover is the one it was.
    for (part, new) in parts[1..].iter().zip(created) {
        if let Some(index) = part.shift {
            let offset = shifts[index].peer - first_peer;
            movers[index] = draft.board.regions[new as usize].first_peer + offset;
        }
    }
}

/// A part of a cut region.
struct Part {
    /// The shift that takes it away, unless it stays.
    shift: Option<usize>,
    share: f64,
}

/// The parts of a region with these pieces. The first one, which keeps the region's number, has its hottest key:
/// what stays, as a rule; when too little stays, the largest piece.
fn parts(hot_key_share: f64, pieces: &[usize], shifts: &[Shift]) -> Vec<Part> {
    let taken: f64 = pieces.iter().map(|index| shifts[*index].share).sum();
    let stays = 1.0 - taken;
    let piece = |index: &usize| Part { shift: Some(*index), share: shifts[*index].share };
    let mut parts: Vec<Part> = pieces.iter().map(piece).collect();
    if stays > 1.0 - WHOLE {
        parts.insert(0, Part { shift: None, share: stays });
    } else {
        parts.iter_mut().for_each(|part| part.share /= taken);
    }
    if parts[0].share < hot_key_share {
        let largest =
            (0..parts.len()).max_by(|a, b| parts[*a].share.total_cmp(&parts[*b].share).then(b.cmp(a)));
        parts.swap(0, largest.unwrap_or(0));
    }
    parts
}

fn carry_out(draft: &mut Draft, peer: u32, shift: Shift) {
    let Peer { node, region, load, .. } = draft.board.peers[peer as usize];
    let source = node as usize;
    let dimension = draft.board.level(source).largest();
    let sentence = |draft: &Draft, load: Load| {
        let (from, to) = (&draft.board.seats[source], &draft.board.seats[shift.to]);
        format!(
            "{} is at {:.2} of its share in {dimension}, {} at {:.2}; {:.3} cpu and {:.3} io go across",
            from.id,
            draft.board.level(source).get(dimension),
            to.id,
            draft.board.level(shift.to).get(dimension),
            load.0[0],
            load.0[1],
        )
    };
    match shift.via {
        Via::Copy => {
            let why = sentence(draft, load);
            draft.move_peer(peer, shift.to, why);
        }
        Via::Lead(_) => {
            let follower = draft
                .board
                .peers_of(region)
                .find(|peer| draft.board.peers[*peer as usize].node as usize == shift.to);
            if let Some(follower) = follower {
                let why = sentence(draft, load - draft.board.peers[follower as usize].load);
                draft.transfer(
                    peer,
                    follower,
                    format!("{why}; a follower is there already, so no data moves"),
                );
            }
        }
    }
}

/// For every node that was too full: why its heaviest region stays.
pub(crate) fn refusals(table: &Table, options: &Options) -> Vec<Refusal> {
    let shifted: BTreeSet<u32> = table.shifts.iter().map(|shift| shift.peer).collect();
    let full = (0..table.loads.len()).filter(|node| table.board.level(*node).max() > options.ceiling());
    let heaviest = full.filter_map(|node| Some((node, heaviest(table, node)?)));
    let left = heaviest.filter(|(_, peer)| !shifted.contains(peer));
    left.take(REFUSALS_MAX).map(|(node, peer)| refusal(table, node, peer, options)).collect()
}

fn heaviest(table: &Table, node: usize) -> Option<u32> {
    let dimension = table.board.level(node).largest();
    let load = |peer: u32| table.board.peers[peer as usize].load.get(dimension);
    let peers = table.board.seats[node].peers.iter().copied();
    peers.max_by(|a, b| load(*a).total_cmp(&load(*b)).then(b.cmp(a)))
}

fn refusal(table: &Table, source: usize, peer: u32, options: &Options) -> Refusal {
    let Peer { load, region, .. } = table.board.peers[peer as usize];
    let piece = &table.board.regions[region as usize];
    let free = table.board.takers().map(|(node, _)| node).filter(|node| !table.board.holds(region, *node));
    let after = |node: usize| (table.board.level(node) + table.board.level_of(load, node)).max();
    let lightest = free.min_by(|a, b| after(*a).total_cmp(&after(*b)).then(a.cmp(b)));
    let why = match lightest {
        _ if piece.blocked.is_some() => advice::blocked(piece.blocked),
        _ if table.excess(source) > 0.0 && piece.hot_key_share > 0.0 => advice::hot_key(piece.hot_key_share),
        None => "every other node already holds a replica of it".to_string(),
        Some(to) if table.excess(source) <= 0.0 => {
            format!(
                "not needed: other regions relieve its node for less (it would lift the target to {:.2})",
                after(to)
            )
        }
        Some(to) if after(to) <= options.ceiling() => {
            format!("there is room for it (at {:.2}), but no way to use it that brings a gain", after(to))
        }
        Some(to) if !options.splitting => {
            format!("even the emptiest target would stand at {:.2}, and splitting is switched off", after(to))
        }
        Some(to) => format!(
            "even the emptiest target would stand at {:.2}, and no cut of it brings a gain",
            after(to)
        ),
    };
    let seat = |node: usize| table.board.seats[node].id;
    Refusal { region: piece.id, from: seat(source), to: lightest.map(seat), why }
}
