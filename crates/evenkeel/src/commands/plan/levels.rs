//! How full each node is: its load over its share of the cluster's load, per dimension. 1.0 is its share.

use std::collections::BTreeMap;

use balance::{Load, Node, NodeId, NodeState, Region, View, ViewError};

/// The levels of all nodes, in the view's order. Down nodes stand at zero: what is recorded there is not served.
pub fn of(view: &View) -> Vec<Load> {
    let mut loads: BTreeMap<NodeId, Load> = BTreeMap::new();
    for region in view.regions() {
        *loads.entry(region.leader).or_default() += region.leader_load;
        for follower in &region.followers {
            *loads.entry(*follower).or_default() += region.follower_load;
        }
    }
    let alive = |node: &&Node| node.state != NodeState::Down;
    let load = |node: &Node| loads.get(&node.id).copied().unwrap_or_default() * node.pressure;
    let total = view.nodes().iter().filter(alive).fold(Load::ZERO, |sum, node| sum + load(node));
    let takers = view.nodes().iter().filter(|node| node.state == NodeState::Up);
    let capacity = takers.fold(Load::ZERO, |sum, node| sum + node.capacity);
    let even = total.per(capacity);
    let level = |node: &Node| match node.state {
        NodeState::Down => Load::ZERO,
        NodeState::Up | NodeState::Draining => load(node).per(node.capacity).per(even),
    };
    view.nodes().iter().map(level).collect()
}

/// The same cluster with the load that is asked for instead of the load that is served: what a saturated node
/// holds counts as much as it will once it lies elsewhere.
///
/// Followers of a region share one load in a view, so theirs is the mean over their nodes; totals are exact.
pub fn offered(view: &View) -> Result<View, ViewError> {
    if view.nodes().iter().all(|node| node.pressure == 1.0) {
        return Ok(view.clone());
    }
    let pressures: BTreeMap<NodeId, f64> = view.nodes().iter().map(|node| (node.id, node.pressure)).collect();
    let pressure = |node: &NodeId| pressures.get(node).copied().unwrap_or(1.0);
    let regions = view.regions().iter().map(|region| {
        let sum: f64 = region.followers.iter().map(pressure).sum();
        let mean = sum / region.followers.len().max(1) as f64;
        Region {
            leader_load: region.leader_load * pressure(&region.leader),
            follower_load: region.follower_load * mean,
            ..region.clone()
        }
    });
    let nodes = view.nodes().iter().map(|node| Node { pressure: 1.0, ..node.clone() });
    View::new(nodes.collect(), regions.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(nodes: Vec<Node>, loads: &[(u64, f64, f64)]) -> View {
        let regions = loads
            .iter()
            .enumerate()
            .map(|(index, (node, cpu, io))| Region::new(index as u64 + 1, *node, Load::new(*cpu, *io)));
        View::new(nodes, regions.collect()).expect("a view")
    }

    #[test]
    fn the_highest_level_of_equal_nodes_is_max_mean() {
        let view = view((1..=3).map(Node::new).collect(), &[(1, 6.0, 1.0), (2, 2.0, 4.0), (3, 1.0, 1.0)]);
        let levels = of(&view);
        assert_eq!(levels[0], Load::new(2.0, 0.5));
        let highest = levels.into_iter().fold(Load::ZERO, |most, level| most.zip(level, f64::max));
        assert_eq!(highest, Load::new(view.max_mean().cpu, view.max_mean().io));
    }

    #[test]
    fn capacity_sets_the_share() {
        let large = Node { capacity: Load::new(3.0, 3.0), ..Node::new(1) };
        let levels = of(&view(vec![large, Node::new(2)], &[(1, 3.0, 2.0), (2, 1.0, 2.0)]));
        assert_eq!(levels[0].0[0], 1.0);
        assert_eq!(levels[1].0[1], 2.0);
    }

    #[test]
    fn down_nodes_count_for_nothing_and_draining_ones_for_no_share() {
        let down = Node { state: NodeState::Down, ..Node::new(2) };
        let draining = Node { state: NodeState::Draining, ..Node::new(3) };
        let nodes = vec![Node::new(1), down, draining];
        let levels = of(&view(nodes, &[(1, 1.0, 1.0), (2, 9.0, 9.0), (3, 1.0, 1.0)]));
        assert_eq!(levels, [Load::new(0.5, 0.5), Load::ZERO, Load::new(0.5, 0.5)]);
    }

    #[test]
    fn an_idle_cluster_is_at_zero() {
        assert_eq!(of(&view(vec![Node::new(1)], &[])), [Load::ZERO]);
    }

    #[test]
    fn pressure_moves_into_the_loads() {
        let saturated = Node { pressure: 2.0, ..Node::new(1) };
        let served = view(vec![saturated, Node::new(2)], &[(1, 1.0, 1.0), (2, 2.0, 2.0)]);
        let offered = offered(&served).expect("a view");
        assert_eq!(offered.max_mean(), served.max_mean());
        assert_eq!(of(&offered), of(&served));
        assert_eq!(offered.nodes()[0].pressure, 1.0);
    }
}
