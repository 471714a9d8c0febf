//! Planning time must not grow much faster than the number of regions.

#![expect(clippy::disallowed_methods, reason = "measures time")]

mod clusters;

use std::time::{Duration, Instant};

use balance::{Horizon, Options, Policy, View, plan};
use clusters::{Shape, cluster};

/// Each doubling of the regions.
const DOUBLINGS: u32 = 4;
/// Sixteen times the regions may take this many times as long. n log n would be 22, n² would be 256; the rest is
/// for caches and for machines with other things to do.
const RATIO_MAX: f64 = 80.0;
/// Below this a measurement says more about the machine than about the planner.
const SHORTEST: Duration = Duration::from_micros(300);

/// The best of a few runs: what disturbs a run only ever makes it slower.
fn time(view: &View, policy: Policy) -> Duration {
    let run = || {
        let start = Instant::now();
        let made = plan(view, policy, Horizon::Rest, &Options::default());
        assert!(made.after.worst() <= made.before.worst(), "{policy} made it worse");
        start.elapsed()
    };
    (0..5).map(|_| run()).min().unwrap_or_default()
}

#[test]
fn time_grows_with_regions_not_with_their_square() {
    for policy in [Policy::Keel, Policy::Cooperative] {
        let at = |regions: usize| time(&cluster(Shape::Pareto, 16, regions / 16, 1), policy);
        let (small, large) = (at(2000).max(SHORTEST), at(2000 << DOUBLINGS));
        let ratio = large.as_secs_f64() / small.as_secs_f64();
        println!(
            "{policy}: {small:?} for 2,000 regions, {large:?} for {}: {ratio:.1} times",
            2000 << DOUBLINGS
        );
        assert!(ratio < RATIO_MAX, "{policy}: {ratio:.1} times as long for 16 times the regions");
    }
}
