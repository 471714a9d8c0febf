//! The planner's working copy of a view: loads made comparable, operations tried out on it.
//!
//! All loads on the board are *normalised*: divided by the mean share of a node, so that a node that carries
//! exactly its share of a cluster of equal nodes stands at 1.0 in every dimension. Nodes of unequal capacity
//! have unequal shares, and [`Board::level`] gives a node's load relative to its own share.

use crate::load::{Dimension, Load};
use crate::view::{NodeId, NodeState, Region, RegionId, View};

/// A total below this is idle: dividing by it would leave the range of numbers.
const LOAD_MIN: f64 = 1e-200;

/// One replica of one region on one node.
#[derive(Debug, Clone)]
pub(crate) struct Peer {
    pub region: u32,
    pub node: u32,
    /// The node it was on when the plan began; for a piece, the node its region was on.
    pub home: u32,
    pub leads: bool,
    /// Whether this plan has moved it already. A plan moves nothing twice.
    pub moved: bool,
    pub load: Load,
}

/// A region, with the slice of [`Board::peers`] that belongs to it.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub id: RegionId,
    pub first_peer: u32,
    pub peer_count: u32,
    pub size_bytes: u64,
    /// Share of the load on its hottest key, relative to this piece.
    pub hot_key_share: f64,
    /// Why it can be neither split nor moved, if so.
    pub blocked: Option<Blocked>,
}

/// Why a region has to stay as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blocked {
    /// Its leader is on a node that is down.
    NoLeader,
    /// Something is under way with it.
    Busy,
}

/// A node that is not down.
#[derive(Debug, Clone)]
pub(crate) struct Seat {
    pub id: NodeId,
    pub draining: bool,
    /// Its share of the cluster's load; 1.0 for every node when all are equal.
    pub share: Load,
    pub load: Load,
    pub peers: Vec<u32>,
}

/// How a load vector is read as one number when regions are put in order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Gauge {
    One(Dimension),
    Weighted(Load),
}

impl Gauge {
    #[inline]
    pub fn read(self, load: Load) -> f64 {
        match self {
            Gauge::One(dimension) => load.get(dimension),
            Gauge::Weighted(weights) => load.zip(weights, |a, w| a * w).sum(),
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Board {
    pub seats: Vec<Seat>,
    pub regions: Vec<Piece>,
    pub peers: Vec<Peer>,
    next_region_id: u64,
}

impl Board {
    pub fn new(view: &View) -> Board {
        let (seats, seat_of) = seats(view);
        let mut board = Board {
            seats,
            regions: Vec::with_capacity(view.regions().len()),
            peers: Vec::with_capacity(view.regions().len()),
            next_region_id: view
                .regions()
                .iter()
                .map(|region| region.id.0.saturating_add(1))
                .max()
                .unwrap_or(1),
        };
        let pressure: Vec<f64> = view
            .nodes()
            .iter()
            .filter(|node| node.state != NodeState::Down)
            .map(|node| node.pressure)
            .collect();
        for region in view.regions() {
            board.place(region, |node| seat_of.find(node), &pressure);
        }
        board.normalise();
        board.fill_seats();
        board
    }

    fn place(&mut self, region: &Region, seat_of: impl Fn(NodeId) -> Option<u32>, pressure: &[f64]) {
        let first_peer = self.peers.len() as u32;
        let leader_seat = seat_of(region.leader);
        let index = self.regions.len() as u32;
        let mut add = |seat: Option<u32>, leads: bool, load: Load| {
            if let Some(node) = seat {
                let load = load * pressure[node as usize];
                self.peers.push(Peer { region: index, node, home: node, leads, moved: false, load });
            }
        };
        add(leader_seat, true, region.leader_load);
        for follower in &region.followers {
            add(seat_of(*follower), false, region.follower_load);
        }
        self.regions.push(Piece {
            id: region.id,
            first_peer,
            peer_count: self.peers.len() as u32 - first_peer,
            size_bytes: region.size_bytes.unwrap_or(0),
            hot_key_share: region.hot_key_share,
            blocked: match leader_seat {
                None => Some(Blocked::NoLeader),
                Some(_) => region.busy.then_some(Blocked::Busy),
            },
        });
    }

    /// Divides all loads by the mean share, so that dimensions can be compared.
    fn normalise(&mut self) {
        let total = self.peers.iter().fold(Load::ZERO, |sum, peer| sum + peer.load);
        let takers = self.takers().count().max(1) as f64;
        let factor = total.map(|sum| if sum > LOAD_MIN { takers / sum } else { 0.0 });
        for peer in &mut self.peers {
            peer.load = peer.load.zip(factor, |a, f| a * f);
        }
    }

    fn fill_seats(&mut self) {
        for (index, peer) in self.peers.iter().enumerate() {
            let seat = &mut self.seats[peer.node as usize];
            seat.load += peer.load;
            seat.peers.push(index as u32);
        }
    }

    /// The nodes that keep and take load: all but the draining ones.
    pub fn takers(&self) -> impl Iterator<Item = (usize, &Seat)> {
        self.seats.iter().enumerate().filter(|(_, seat)| !seat.draining)
    }

    /// A node's load relative to its share: 1.0 means it carries exactly what it should.
    #[inline]
    pub fn level(&self, node: usize) -> Load {
        let seat = &self.seats[node];
        seat.load.zip(seat.share, |load, share| load / share)
    }

    /// What a load would add to a node's level.
    #[inline]
    pub fn level_of(&self, load: Load, node: usize) -> Load {
        load.zip(self.seats[node].share, |load, share| load / share)
    }

    /// Load that ends on another node than it began on.
    pub fn moved(&self) -> Load {
        let away = self.peers.iter().filter(|peer| peer.node != peer.home);
        away.fold(Load::ZERO, |sum, peer| sum + peer.load)
    }

    /// The region a replica belongs to.
    #[inline]
    pub fn region_of(&self, peer: u32) -> &Piece {
        &self.regions[self.peers[peer as usize].region as usize]
    }

    /// The replicas of a region.
    pub fn peers_of(&self, region: u32) -> std::ops::Range<u32> {
        let piece = &self.regions[region as usize];
        piece.first_peer..piece.first_peer + piece.peer_count
    }

    /// Whether a node holds a replica of a region.
    #[inline]
    pub fn holds(&self, region: u32, node: usize) -> bool {
        self.peers_of(region).any(|peer| self.peers[peer as usize].node as usize == node)
    }

    /// Moves a replica to another node.
    pub fn move_peer(&mut self, peer: u32, to: usize) {
        let Peer { node, region, load, .. } = self.peers[peer as usize];
        assert!(node as usize != to, "move of {} to its own node", self.regions[region as usize].id);
        assert!(!self.holds(region, to), "two replicas of {} on one node", self.regions[region as usize].id);
        let from = &mut self.seats[node as usize];
        from.peers.retain(|other| *other != peer);
        // An empty node carries nothing, whatever rounding says.
        from.load = if from.peers.is_empty() { Load::ZERO } else { from.load - load };
        self.seats[to].load += load;
        self.seats[to].peers.push(peer);
        self.peers[peer as usize].node = to as u32;
        self.peers[peer as usize].moved = true;
    }

    /// Hands leadership from one replica to another of the same region; their loads change places.
    pub fn transfer(&mut self, leader: u32, follower: u32) {
        let (old, new) = (self.peers[leader as usize].clone(), self.peers[follower as usize].clone());
        assert!(old.leads && !new.leads && old.region == new.region, "transfer between unrelated replicas");
        self.seats[old.node as usize].load += new.load - old.load;
        self.seats[new.node as usize].load += old.load - new.load;
        for (index, load, leads) in [(leader, new.load, false), (follower, old.load, true)] {
            let peer = &mut self.peers[index as usize];
            (peer.load, peer.leads, peer.moved) = (load, leads, true);
        }
    }

    /// Cuts a region into parts with these shares of its load. The first part keeps the region's number; the
    /// numbers of the others are returned. Every part has its replicas where the region had them.
    pub fn split(&mut self, region: u32, shares: &[f64]) -> Vec<u32> {
        let sum: f64 = shares.iter().sum();
        assert!((sum - 1.0).abs() < 1e-9, "shares of a split sum to {sum}, not 1");
        let old = self.regions[region as usize].clone();
        let originals: Vec<Peer> =
            self.peers_of(region).map(|peer| self.peers[peer as usize].clone()).collect();
        for peer in self.peers_of(region) {
            let peer = &mut self.peers[peer as usize];
            peer.load = peer.load * shares[0];
        }
        let piece = |share: f64| Piece {
            size_bytes: (old.size_bytes as f64 * share) as u64,
            hot_key_share: 0.0,
            ..old.clone()
        };
        // The hottest key stays with the part that keeps the region's number.
        let hot_key_share = (old.hot_key_share / shares[0]).min(1.0);
        self.regions[region as usize] = Piece { hot_key_share, ..piece(shares[0]) };
        shares[1..].iter().map(|share| self.add_part(&originals, piece(*share), *share)).collect()
    }

    fn add_part(&mut self, originals: &[Peer], piece: Piece, share: f64) -> u32 {
        let index = self.regions.len() as u32;
        let first_peer = self.peers.len() as u32;
        self.regions.push(Piece { id: RegionId(self.next_region_id), first_peer, ..piece });
        self.next_region_id += 1;
        for original in originals {
            self.seats[original.node as usize].peers.push(self.peers.len() as u32);
            self.peers.push(Peer { region: index, load: original.load * share, ..original.clone() });
        }
        index
    }
}

/// Looks up a node's place on the board by its number.
struct SeatIndex(Vec<(NodeId, u32)>);

impl SeatIndex {
    fn find(&self, node: NodeId) -> Option<u32> {
        self.0.binary_search_by_key(&node, |entry| entry.0).ok().map(|at| self.0[at].1)
    }
}

fn seats(view: &View) -> (Vec<Seat>, SeatIndex) {
    let alive = view.nodes().iter().filter(|node| node.state != NodeState::Down);
    let takers = || view.nodes().iter().filter(|node| node.state == NodeState::Up);
    let capacity = takers().fold(Load::ZERO, |sum, node| sum + node.capacity);
    let mean_capacity = capacity * (1.0 / takers().count().max(1) as f64);
    let seats: Vec<Seat> = alive
        .map(|node| Seat {
            id: node.id,
            draining: node.state == NodeState::Draining,
            share: node.capacity.zip(mean_capacity, |own, mean| if mean > 0.0 { own / mean } else { 1.0 }),
            load: Load::ZERO,
            peers: Vec::new(),
        })
        .collect();
    let mut index: Vec<(NodeId, u32)> =
        seats.iter().enumerate().map(|(at, seat)| (seat.id, at as u32)).collect();
    index.sort_unstable();
    (seats, SeatIndex(index))
}
