//! The estimator on synthetic clusters whose true `c` is known.

use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::*;

/// What a synthetic cluster is made of.
#[derive(Clone, Copy)]
struct Truth {
    c: f64,
    /// CPU use without requests, in cores.
    base: f64,
    /// Standard deviation of the CPU measurement, relative to it.
    noise: f64,
}

const READ_COST: f64 = 30e-6;

fn uniform(rng: &mut Pcg64Mcg) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Near enough to the normal distribution, by the sum of twelve.
fn normal(rng: &mut Pcg64Mcg) -> f64 {
    (0..12).map(|_| uniform(rng)).sum::<f64>() - 6.0
}

impl Truth {
    fn observe(&self, rng: &mut Pcg64Mcg, read_ops: f64, write_ops: f64) -> Observation {
        let exact = self.base + READ_COST * (read_ops + self.c * write_ops);
        let cpu = exact * (1.0 + self.noise * normal(rng));
        Observation { cpu, read_ops, write_ops, saturated: false }
    }

    /// Loads from 2,000 to 50,000 requests per second, at any mix.
    fn varied(&self, rng: &mut Pcg64Mcg) -> Observation {
        let (ops, mix) = (2e3 + 48e3 * uniform(rng), uniform(rng));
        self.observe(rng, ops * mix, ops * (1.0 - mix))
    }
}

fn after(truth: Truth, count: usize, seed: u64) -> CEstimate {
    let (mut rng, mut estimator) = (Pcg64Mcg::seed_from_u64(seed), CEstimator::new());
    for _ in 0..count {
        assert!(estimator.observe(truth.varied(&mut rng)));
    }
    estimator.estimate()
}

#[test]
fn finds_the_truth_within_a_hundred_observations() {
    for c in [0.8, 1.63, 3.0] {
        for noise in [0.05, 0.10] {
            let truth = Truth { c, base: 0.1, noise };
            let runs: Vec<_> = (0..200).map(|seed| after(truth, 100, seed)).collect();
            let off = |run: &CEstimate| (run.measured.unwrap() - c).abs() / c;
            let within = runs.iter().filter(|run| off(run) < 0.1).count();
            assert!(within >= 190, "c {c}, noise {noise}: only {within} of 200 runs within 10 %");
            let confident = runs.iter().filter(|run| run.confident).count();
            assert!(confident >= 190, "c {c}, noise {noise}: only {confident} of 200 runs confident");
            let base = runs.iter().map(|run| run.base_cpu).sum::<f64>() / 200.0;
            assert!((base - 0.1).abs() < 0.05, "c {c}, noise {noise}: mean base {base}");
        }
    }
}

#[test]
fn the_standard_error_is_honest() {
    // Standardised errors should have a spread of about 1; it may be stated too large, hardly too small.
    for count in [100, 1000] {
        let truth = Truth { c: 2.0, base: 0.1, noise: 0.08 };
        let scores = (0..300).map(|seed| {
            let run = after(truth, count, seed);
            ((run.measured.unwrap() - truth.c) / run.stderr).powi(2)
        });
        let spread = (scores.sum::<f64>() / 300.0).sqrt();
        assert!((0.5..1.2).contains(&spread), "after {count}: standardised errors spread by {spread}");
    }
}

#[test]
fn follows_a_change_of_hardware() {
    let mut rng = Pcg64Mcg::seed_from_u64(7);
    let mut estimator = CEstimator::new();
    let truth = Truth { c: 1.63, base: 0.1, noise: 0.07 };
    for _ in 0..1000 {
        estimator.observe(truth.varied(&mut rng));
    }
    assert!((estimator.estimate().c - 1.63).abs() < 0.16, "{:?}", estimator.estimate());
    // Three memories of 200 later the old value has faded to 5 % of the weight.
    for _ in 0..600 {
        estimator.observe(Truth { c: 3.0, ..truth }.varied(&mut rng));
    }
    let estimate = estimator.estimate();
    assert!(estimate.confident && (estimate.c - 3.0).abs() < 0.3, "{estimate:?}");
}

#[test]
fn starts_from_the_paper_and_says_why() {
    let estimate = CEstimator::new().estimate();
    assert_eq!((estimate.c, estimate.confident, estimate.measured), (PAPER_C, false, None));
    assert_eq!(estimate.doubt, Some(Doubt::TooFew { found: 0, needed: 50 }));
}

#[test]
fn one_mix_everywhere_is_not_enough() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut estimator = CEstimator::new();
    let truth = Truth { c: 3.0, base: 0.1, noise: 0.05 };
    for _ in 0..500 {
        let ops = 2e3 + 48e3 * uniform(&mut rng);
        estimator.observe(truth.observe(&mut rng, 0.8 * ops, 0.2 * ops));
    }
    let estimate = estimator.estimate();
    assert!(matches!(estimate.doubt, Some(Doubt::SameMix { .. })), "{estimate:?}");
    assert_eq!((estimate.c, estimate.confident), (PAPER_C, false));
}

#[test]
fn one_load_everywhere_is_not_enough() {
    // The work (reads + 1.63 writes) is the same at every mix, so a base cost could hide in either.
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut estimator = CEstimator::new();
    let truth = Truth { c: 3.0, base: 0.5, noise: 0.0 };
    for _ in 0..500 {
        let reads = 1e4 * uniform(&mut rng);
        estimator.observe(truth.observe(&mut rng, reads, (1e4 - reads) / PAPER_C));
    }
    assert!(matches!(estimator.estimate().doubt, Some(Doubt::SameLoad { .. })), "{:?}", estimator.estimate());
}

#[test]
fn constant_reads_are_not_enough() {
    // Mix and load both vary, but the cost of the reads cannot be told from the base.
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut estimator = CEstimator::new();
    let truth = Truth { c: 3.0, base: 0.5, noise: 0.0 };
    for _ in 0..500 {
        let writes = 1e4 * uniform(&mut rng);
        estimator.observe(truth.observe(&mut rng, 5e3, writes));
    }
    assert_eq!(estimator.estimate().doubt, Some(Doubt::Undetermined));
}

#[test]
fn keeps_the_last_sure_value_when_the_nodes_become_alike() {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    let mut estimator = CEstimator::new();
    let truth = Truth { c: 3.0, base: 0.1, noise: 0.05 };
    for _ in 0..400 {
        estimator.observe(truth.varied(&mut rng));
    }
    for _ in 0..3000 {
        estimator.observe(truth.observe(&mut rng, 8e3, 2e3));
    }
    let estimate = estimator.estimate();
    assert!(!estimate.confident && (estimate.c - 3.0).abs() < 0.3, "{estimate:?}");
}

#[test]
fn ignores_what_says_nothing() {
    let good = Observation { cpu: 1.0, read_ops: 10.0, write_ops: 10.0, saturated: false };
    let bad = [
        Observation { cpu: f64::NAN, ..good },
        Observation { cpu: 0.0, ..good },
        Observation { cpu: -1.0, ..good },
        Observation { cpu: f64::INFINITY, ..good },
        Observation { read_ops: f64::NAN, ..good },
        Observation { write_ops: -1.0, ..good },
        Observation { write_ops: f64::INFINITY, ..good },
        Observation { read_ops: 0.0, write_ops: 0.0, ..good },
        Observation { saturated: true, ..good },
    ];
    let mut estimator = CEstimator::new();
    for observation in bad {
        assert!(!estimator.observe(observation), "{observation:?}");
    }
    assert_eq!(estimator.estimate().observations, 0);
    assert!(estimator.observe(good));
}

#[test]
fn outliers_move_it_little() {
    // One heartbeat in twenty is off by a factor of five, for instance because a backup ran.
    let truth = Truth { c: 1.63, base: 0.1, noise: 0.05 };
    let mut off = Vec::new();
    for seed in 0..50 {
        let (mut rng, mut estimator) = (Pcg64Mcg::seed_from_u64(seed), CEstimator::new());
        for count in 0..400 {
            let mut observation = truth.varied(&mut rng);
            observation.cpu *= if count % 20 == 19 { 5.0 } else { 1.0 };
            estimator.observe(observation);
        }
        off.push((estimator.estimate().measured.unwrap() - 1.63).abs() / 1.63);
    }
    let mean = off.iter().sum::<f64>() / off.len() as f64;
    assert!(mean < 0.1, "outliers shift c by {:.0} % on average", mean * 100.0);
}

#[test]
fn saturated_nodes_must_be_flagged_and_then_do_no_harm() {
    let truth = Truth { c: 3.0, base: 0.1, noise: 0.05 };
    let (mut rng, mut estimator) = (Pcg64Mcg::seed_from_u64(5), CEstimator::new());
    for _ in 0..400 {
        let mut observation = truth.varied(&mut rng);
        observation.saturated = observation.cpu > 2.0;
        observation.cpu = observation.cpu.min(2.0);
        estimator.observe(observation);
    }
    let estimate = estimator.estimate();
    assert!(estimate.confident && (estimate.c - 3.0).abs() < 0.3, "{estimate:?}");
}

#[test]
fn units_do_not_matter() {
    let run = |cpu_unit: f64, ops_unit: f64| {
        let (mut rng, mut estimator) = (Pcg64Mcg::seed_from_u64(9), CEstimator::new());
        for _ in 0..200 {
            let seen = Truth { c: 2.0, base: 0.1, noise: 0.05 }.varied(&mut rng);
            estimator.observe(Observation {
                cpu: seen.cpu * cpu_unit,
                read_ops: seen.read_ops * ops_unit,
                write_ops: seen.write_ops * ops_unit,
                saturated: false,
            });
        }
        estimator.estimate()
    };
    let (cores, percent) = (run(1.0, 1.0), run(100.0, 1e-6));
    assert!((cores.c - percent.c).abs() < 1e-9, "{cores:?} {percent:?}");
    assert!((cores.stderr - percent.stderr).abs() < 1e-9);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// Mix and load vary as little or as much as chance will have it, down to not at all. Confidence
    /// means a standard error below 10 %, so four of them off would be a lie.
    #[test]
    fn never_wrong_and_confident(
        seed: u64,
        c in 0.3..8.0,
        base in 0.0..1.0,
        noise in 0.0..0.15,
        mix in 0.1..0.9,
        mix_width in prop_oneof![Just(0.0), 0.0..0.2, 0.0..1.0],
        load_width in prop_oneof![Just(0.0), 0.0..0.2, 0.0..1.0],
    ) {
        let (truth, mut rng) = (Truth { c, base, noise }, Pcg64Mcg::seed_from_u64(seed));
        let mut estimator = CEstimator::new();
        for _ in 0..400 {
            let mix = f64::clamp(mix + mix_width * (uniform(&mut rng) - 0.5), 0.0, 1.0);
            let ops = 1e4 * (1.0 + load_width * (uniform(&mut rng) - 0.5));
            estimator.observe(truth.observe(&mut rng, ops * mix, ops * (1.0 - mix)));
            let estimate = estimator.estimate();
            prop_assert!((0.1..=20.0).contains(&estimate.c));
            if estimate.confident {
                prop_assert!((estimate.c - c).abs() < 0.4 * c, "true c {c}: {estimate:?}");
            }
        }
    }
}
