//! Empties draining nodes, before any balancing: an operator asked for it.

use crate::advice;
use crate::board::Board;
use crate::draft::Draft;

/// Moves every replica off the draining nodes, heaviest first, each to where it leaves the fullest dimension
/// lowest.
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
                None => {
                    let blocked = draft.board.region_of(peer).blocked;
                    draft.refuse(peer, None, || match blocked {
                        Some(_) => advice::blocked(blocked),
                        None => advice::nowhere_to_drain(),
                    });
                }
            }
        }
    }
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
