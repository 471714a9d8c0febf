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
pub(crate) fn steps(draft: &mut Draft, shifts: &[Shift], horizon: Horizon) {
    let mut movers: Vec<u32> = shifts.iter().map(|shift| shift.peer).collect();
    let mut cut: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, shift) in shifts.iter().enumerate() {
        if shift.share < WHOLE {
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

/// Cuts a region into what stays and one piece per shift. When all of it leaves, nothing stays.
fn split(draft: &mut Draft, region: u32, pieces: &[usize], shifts: &[Shift], movers: &mut [u32]) {
    let taken: f64 = pieces.iter().map(|index| shifts[*index].share).sum();
    let stays = 1.0 - taken > 1.0 - WHOLE;
    let mut shares: Vec<f64> = pieces.iter().map(|index| shifts[*index].share).collect();
    if stays {
        shares.insert(0, 1.0 - taken);
    } else {
        shares.iter_mut().for_each(|share| *share /= taken);
    }
    let seat = |node: usize| draft.board.seats[node].id;
    let goals: Vec<String> = pieces.iter().map(|index| seat(shifts[*index].to).to_string()).collect();
    let why =
        format!("as a whole it fits nowhere it is needed; cut so that {} can take a piece", goals.join(", "));
    let first_peer = draft.board.regions[region as usize].first_peer;
    let mut parts = draft.split(region, &shares, why).into_iter();
    for (order, index) in pieces.iter().enumerate() {
        // The first part keeps the region's own replicas.
        let part = if order > 0 || stays { parts.next() } else { None };
        if let Some(part) = part {
            let offset = shifts[*index].peer - first_peer;
            movers[*index] = draft.board.regions[part as usize].first_peer + offset;
        }
    }
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
    left.take(REFUSALS_MAX).map(|(node, peer)| refusal(table, node, peer)).collect()
}

fn heaviest(table: &Table, node: usize) -> Option<u32> {
    let dimension = table.board.level(node).largest();
    let load = |peer: u32| table.board.peers[peer as usize].load.get(dimension);
    let peers = table.board.seats[node].peers.iter().copied();
    peers.max_by(|a, b| load(*a).total_cmp(&load(*b)).then(b.cmp(a)))
}

fn refusal(table: &Table, source: usize, peer: u32) -> Refusal {
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
        Some(to) => format!(
            "even the emptiest target would stand at {:.2}, and no cut of it brings a gain",
            after(to)
        ),
    };
    let seat = |node: usize| table.board.seats[node].id;
    Refusal { region: piece.id, from: seat(source), to: lightest.map(seat), why }
}
