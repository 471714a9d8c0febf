//! What one request costs to draw. The simulator draws tens of millions, so a load should stay below 100 ns.

use divan::Bencher;
use divan::counter::ItemsCount;
use workload::{Spec, rng};

/// Requests per measured sample: long enough to hide the timer.
const BATCH: u64 = 10_000;

fn main() {
    divan::main();
}

#[divan::bench(args = Spec::names().iter().map(|(name, _)| *name))]
fn next(bencher: Bencher, name: &str) {
    let mut load = Spec::named(name).expect("a listed name").build().expect("valid defaults");
    let mut rng = rng(1, 0);
    bencher
        .counter(ItemsCount::new(BATCH))
        .bench_local(|| (0..BATCH).fold(0u64, |sum, _| sum.wrapping_add(load.next(0.0, &mut rng).key)));
}
