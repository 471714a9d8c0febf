//! How long planning takes, on one thread: `cargo bench -p balance --bench planning`.
//!
//! Bounds: 2 ms for 8 nodes of 1,000 regions, 20 ms for 64 of 200, 2 s for 1,000 of 1,000.

#[path = "../tests/clusters/mod.rs"]
mod clusters;

use balance::{Horizon, Options, Policy, View, plan};
use clusters::{Shape, cluster};
use divan::Bencher;

fn main() {
    divan::main();
}

const SHAPES: [Shape; 3] = [Shape::Mix, Shape::Pareto, Shape::Giant];
const POLICIES: [Policy; 2] = [Policy::Keel, Policy::Cooperative];
const SEED: u64 = 1;

fn run(bencher: Bencher, policy: Policy, view: View) {
    let options = Options::default();
    bencher.bench_local(|| plan(divan::black_box(&view), policy, Horizon::Rest, &options));
}

/// Every shape with every policy.
fn cases() -> impl Iterator<Item = (Policy, Shape)> {
    POLICIES.into_iter().flat_map(|policy| SHAPES.into_iter().map(move |shape| (policy, shape)))
}

/// A case that prints as its policy and shape.
#[derive(Clone, Copy)]
struct Case(Policy, Shape);

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?}", self.0, self.1)
    }
}

fn named() -> impl Iterator<Item = Case> {
    cases().map(|(policy, shape)| Case(policy, shape))
}

#[divan::bench(args = named())]
fn nodes_8_regions_1000(bencher: Bencher, Case(policy, shape): Case) {
    run(bencher, policy, cluster(shape, 8, 1000, SEED));
}

#[divan::bench(args = named())]
fn nodes_64_regions_200(bencher: Bencher, Case(policy, shape): Case) {
    run(bencher, policy, cluster(shape, 64, 200, SEED));
}

#[divan::bench(args = named(), sample_count = 3, sample_size = 1)]
fn nodes_1000_regions_1000(bencher: Bencher, Case(policy, shape): Case) {
    run(bencher, policy, cluster(shape, 1000, 1000, SEED));
}

/// The same 16 nodes with ever more regions: time per region must stay nearly the same.
#[divan::bench(args = [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000])]
fn keel_by_regions(bencher: Bencher, regions: usize) {
    run(bencher, Policy::Keel, cluster(Shape::Pareto, 16, regions / 16, SEED));
}

#[divan::bench(args = [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000])]
fn cooperative_by_regions(bencher: Bencher, regions: usize) {
    run(bencher, Policy::Cooperative, cluster(Shape::Pareto, 16, regions / 16, SEED));
}
