//! Random clusters for property tests: small and odd rather than large and likely.

use balance::{KeyRange, Load, Node, NodeState, Options, Region, Snapshot, View};
use proptest::prelude::*;
use proptest::sample::Index;

/// What a random cluster may hold besides nodes and regions.
#[derive(Debug, Clone, Copy)]
pub struct Oddities {
    /// Nodes that drain or are down.
    pub states: bool,
    /// Nodes of different capacity.
    pub capacities: bool,
    /// Saturated nodes that understate their load.
    pub pressure: bool,
    /// Regions that something is under way with.
    pub busy: bool,
    /// Regions with up to two followers.
    pub followers: bool,
    /// Regions with a hottest key that cannot be split.
    pub hot_keys: bool,
}

impl Oddities {
    /// Everything at once.
    pub const ALL: Oddities = Oddities::of(true);
    /// Equal nodes that are up, regions with one replica that can be moved and split at will.
    pub const NONE: Oddities = Oddities::of(false);

    const fn of(all: bool) -> Oddities {
        Oddities { states: all, capacities: all, pressure: all, busy: all, followers: all, hot_keys: all }
    }
}

/// A cluster that shows itself as a snapshot file, ready to be kept and planned on by hand.
#[derive(Clone)]
pub struct Cluster {
    pub view: View,
    pub options: Options,
}

impl std::fmt::Debug for Cluster {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let snapshot = serde_json::to_string(&Snapshot::from(&self.view)).map_err(|_| std::fmt::Error)?;
        write!(f, "lambda {} {snapshot}", self.options.lambda)
    }
}

#[derive(Debug, Clone)]
struct RegionDraw {
    places: [Index; 3],
    replicas: usize,
    load: Load,
    follower_share: f64,
    hot_key_share: f64,
    busy: bool,
    size_bytes: u64,
}

/// A valid cluster of 1 to 24 nodes and up to 200 regions.
pub fn cluster(odd: Oddities) -> impl Strategy<Value = Cluster> {
    let regions = prop_oneof![
        2 => prop::collection::vec(region(), 0..4usize),
        12 => prop::collection::vec(region(), 4..20usize),
        1 => prop::collection::vec(region(), 20..=200usize),
    ];
    let uneven = if odd.capacities { any::<bool>().boxed() } else { Just(false).boxed() };
    // The usual λ cuts giants into hundreds of pieces; a wider one finds the same faults sooner.
    let lambda = prop_oneof![1 => Just(0.05), 7 => Just(0.2)];
    (nodes(odd), regions, uneven, any::<bool>(), any::<bool>(), lambda).prop_map(
        move |(mut nodes, draws, uneven, sized, ranged, lambda)| {
            if !uneven {
                nodes.iter_mut().for_each(|node| node.capacity = Load::new(400.0, 150.0));
            }
            let numbered = draws.iter().zip(1..);
            let regions = numbered.map(|(draw, id)| build(draw, id, &nodes, odd, sized, ranged)).collect();
            let view = View::new(nodes, regions).expect("the generator makes valid clusters only");
            Cluster { view, options: Options { lambda, ..Options::default() } }
        },
    )
}

fn nodes(odd: Oddities) -> impl Strategy<Value = Vec<Node>> {
    let state =
        prop_oneof![8 => Just(NodeState::Up), 1 => Just(NodeState::Draining), 1 => Just(NodeState::Down)];
    let capacity = (50.0..1000.0f64, 20.0..400.0f64);
    let pressure = prop_oneof![6 => Just(1.0), 1 => 1.0..2.5f64];
    let node = (state, capacity, pressure);
    (prop::collection::vec(node, 1..=24), any::<bool>()).prop_map(move |(drawn, calm)| {
        let number = |at: usize| at as u64 * 3 + 1;
        let node = |(at, (state, (cpu, io), pressure)): (usize, (NodeState, (f64, f64), f64))| Node {
            id: balance::NodeId(number(at)),
            capacity: Load::new(cpu, io),
            state: if odd.states && !calm { state } else { NodeState::Up },
            pressure: if odd.pressure && !calm { pressure } else { 1.0 },
        };
        drawn.into_iter().enumerate().map(node).collect()
    })
}

fn region() -> impl Strategy<Value = RegionDraw> {
    let part = || prop_oneof![1 => Just(0.0), 6 => 0.0..10.0f64, 2 => 10.0..80.0f64, 1 => 80.0..600.0f64];
    let hot = prop_oneof![8 => Just(0.0), 1 => 0.0..=1.0f64, 1 => Just(1.0)];
    let size = prop_oneof![1 => Just(0u64), 3 => 0..(12u64 << 20), 1 => 0..(1u64 << 30)];
    (any::<[Index; 3]>(), 1..=3usize, (part(), part()), 0.0..=1.0f64, hot, 0..12u8, size).prop_map(
        |(places, replicas, (cpu, io), follower_share, hot_key_share, busy, size_bytes)| RegionDraw {
            places,
            replicas,
            load: Load::new(cpu, io * 0.4),
            follower_share,
            hot_key_share,
            busy: busy == 0,
            size_bytes,
        },
    )
}

fn build(draw: &RegionDraw, id: u64, nodes: &[Node], odd: Oddities, sized: bool, ranged: bool) -> Region {
    let mut places: Vec<_> = draw.places.iter().take(draw.replicas).map(|at| at.get(nodes).id).collect();
    let leader = places.remove(0);
    places.sort_unstable();
    places.dedup();
    places.retain(|node| odd.followers && *node != leader);
    let key = |number: u64| number.to_be_bytes()[4..].to_vec();
    Region {
        followers: places,
        follower_load: draw.load * draw.follower_share,
        size_bytes: sized.then_some(draw.size_bytes),
        range: ranged.then(|| KeyRange { start: key(id), end: key(id + 1) }),
        hot_key_share: if odd.hot_keys { draw.hot_key_share } else { 0.0 },
        busy: odd.busy && draw.busy,
        ..Region::new(id, leader.0, draw.load)
    }
}
