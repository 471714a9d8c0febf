//! Made-up clusters of the three kinds the reference snapshots have, at any size and seed.

use balance::{Load, Node, Region, View};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The kinds of clusters.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(dead_code, reason = "not every test looks at every kind")]
pub enum Shape {
    /// Hot ranges by Mixgraph's two-term exponential over a lognormal background, with small or large values.
    Mix,
    /// No region above a quarter of a node; processor-heavy and disk-heavy regions on different nodes.
    Pareto,
    /// One region of about two node averages, and an uneven number of regions per node.
    Giant,
}

/// A cluster of one shape. Processor load in percent of a core, 400 per node; disk in MB/s, 150 per node.
pub fn cluster(shape: Shape, nodes: usize, regions_per_node: usize, seed: u64) -> View {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let count = nodes * regions_per_node;
    let mut loads: Vec<[f64; 2]> = (0..count)
        .map(|index| match shape {
            Shape::Mix => mix(&mut rng, index, count, nodes),
            Shape::Pareto => pareto(&mut rng),
            Shape::Giant => mix(&mut rng, index + 40, count, nodes),
        })
        .collect();
    scale(&mut loads, nodes);
    match shape {
        Shape::Pareto => cap(&mut loads, nodes, 0.25),
        Shape::Mix => cap(&mut loads, nodes, 1.0),
        Shape::Giant => {
            cap(&mut loads, nodes, 0.6);
            let size = 1.8 + 0.4 * rng.random::<f64>();
            loads[0] = [size, size * (0.5 + 0.5 * rng.random::<f64>())];
        }
    }
    scale(&mut loads, nodes);
    let weights: Vec<[f64; 2]> =
        (0..nodes).map(|_| [0.4 + rng.random::<f64>(), 0.4 + rng.random::<f64>()]).collect();
    let regions = loads
        .iter()
        .enumerate()
        .map(|(index, load)| {
            let heavy = usize::from(load[1] > load[0]);
            let node = pick(&mut rng, weights.iter().map(|weight| weight[heavy]));
            Region::new(index as u64 + 1, node as u64 + 1, Load::new(load[0] * 400.0, load[1] * 150.0))
        })
        .collect();
    View::new((1..=nodes as u64).map(Node::new).collect(), regions).expect("a valid cluster")
}

fn normal(rng: &mut Pcg64Mcg) -> f64 {
    let (u, v): (f64, f64) = (rng.random(), rng.random());
    (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

fn mix(rng: &mut Pcg64Mcg, rank: usize, count: usize, nodes: usize) -> [f64; 2] {
    let rank = rank as f64 + 1.0;
    let hot = 1.418 * (-2.917 * rank).exp() + 0.0164 * (-0.08082 * rank).exp();
    let background = 0.15 / count as f64 * (normal(rng) * 1.2).exp();
    let ops = hot * nodes as f64 / 8.0 + background;
    let bytes = if rng.random::<f64>() < 0.5 {
        0.05 + 0.2 * rng.random::<f64>()
    } else {
        2.0 + 6.0 * rng.random::<f64>()
    };
    [ops, ops * bytes]
}

fn pareto(rng: &mut Pcg64Mcg) -> [f64; 2] {
    let mut draw = || (1.0 - rng.random::<f64>()).powf(-0.7) - 0.9;
    let (heavy, light) = (draw(), draw() * 0.2);
    if rng.random::<f64>() < 0.5 { [heavy, light] } else { [light, heavy] }
}

/// Scales both dimensions so that the mean node carries 1.
fn scale(loads: &mut [[f64; 2]], nodes: usize) {
    for dimension in 0..2 {
        let total: f64 = loads.iter().map(|load| load[dimension]).sum();
        loads.iter_mut().for_each(|load| load[dimension] *= nodes as f64 / total);
    }
}

fn cap(loads: &mut [[f64; 2]], nodes: usize, most: f64) {
    for _ in 0..20 {
        loads.iter_mut().for_each(|load| *load = load.map(|x| x.min(most)));
        scale(loads, nodes);
    }
    loads.iter_mut().for_each(|load| *load = load.map(|x| x.min(most)));
}

fn pick(rng: &mut Pcg64Mcg, weights: impl Iterator<Item = f64> + Clone) -> usize {
    let mut left = rng.random::<f64>() * weights.clone().sum::<f64>();
    let mut last = 0;
    for (index, weight) in weights.enumerate() {
        last = index;
        left -= weight;
        if left <= 0.0 {
            break;
        }
    }
    last
}
