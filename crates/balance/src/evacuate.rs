//! Empties draining nodes, before any balancing: an operator asked for it.

use crate::advice;
use crate::board::Board;
use crate::draft::Draft;

/// Moves every replica off the draining nodes, heaviest first, each to where it leaves the fullest dimension
/// lowest. A leader that cannot be moved hands its leadership over.
pub(crate) fn evacuate(draft: &mut Draft) {
    let draining = |(_, seat): &(usize, &crate::board::Seat)| seat.draining;
    let nodes: Vec<usize> =
        draft.board.seats.iter().enumerate().filter(draining).map(|(node, _)| node).collect();
    for node in nodes {
        let mut peers = draft.board.seats[node].peers.clone();
        let load = |board: &Board, peer: u32| board.peers[peer as usize].load.max();
        peers.sort_by(|a, b| load(&draft.board, *b).total_cmp(&load(&draft.board, *a)).then(a.cmp(b)));
        for peer in peers {
            match roomiest(&draft.board, peer) {
                Some(to) => {
                    let why = format!(
                        "{} is draining; here it stands lowest afterwards",
                        draft.board.seats[node].id
                    );
                    draft.move_peer(peer, to, why);
                }
                None => stays(draft, peer),
            }
        }
    }
}

/// A replica has to stay: says why, and lets another one lead if it leads.
fn stays(draft: &mut Draft, peer: u32) {
    let blocked = draft.board.region_of(peer).blocked;
    draft.refuse(peer, None, || match blocked {
        Some(_) => advice::blocked(blocked),
        None => advice::nowhere_to_drain(),
    });
    if let Some(heir) = heir(&draft.board, peer).filter(|_| blocked.is_none()) {
        let why = "its node is draining and it cannot be moved; another replica can lead".to_string();
        draft.transfer(peer, heir, why);
    }
}

/// The follower that should lead instead of this replica: the one whose node stands lowest afterwards.
fn heir(board: &Board, peer: u32) -> Option<u32> {
    let leader = &board.peers[peer as usize];
    let place = |other: u32| board.peers[other as usize].node as usize;
    let level = |other: u32| {
        let more = leader.load - board.peers[other as usize].load;
        (board.level(place(other)) + board.level_of(more, place(other))).max()
    };
    let followers = board.peers_of(leader.region).filter(|other| *other != peer && leader.leads);
    let staying = followers.filter(|other| !board.seats[place(*other)].draining);
    staying.min_by(|a, b| level(*a).total_cmp(&level(*b)).then(a.cmp(b)))
}

fn roomiest(board: &Board, peer: u32) -> Option<usize> {
    let region = board.peers[peer as usize].region;
    if board.regions[region as usize].blocked.is_some() {
        return None;
    }
    let load = board.peers[peer as usize].load;
    let free = board.takers().map(|(node, _)| node).filter(|node| !board.holds(region, *node));
    let level = |node: usize| (board.level(node) + board.level_of(load, node)).max();
    free.min_by(|a, b| level(*a).total_cmp(&level(*b)).then(a.cmp(b)))
}
