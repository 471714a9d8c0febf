//! The generalised Pareto law: many small numbers, a few huge ones.

use crate::Rng;
use crate::random::unit_above_zero;

/// A generalised Pareto law that starts at 0, with scale `sigma` and shape `k`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pareto {
    pub(crate) sigma: f64,
    pub(crate) k: f64,
}

impl Pareto {
    /// The value that is exceeded with probability `u`, `0 < u <= 1`.
    pub(crate) fn exceeded_with(self, u: f64) -> f64 {
        self.sigma * (u.powf(-self.k) - 1.0) / self.k
    }

    /// A random value, rounded up as the Mixgraph generator does.
    pub(crate) fn draw(self, rng: &mut Rng) -> f64 {
        self.exceeded_with(unit_above_zero(rng)).ceil()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_distribution_function() {
        // F(x) = 1 - (1 + k x / sigma)^(-1/k)
        let law = Pareto { sigma: 226.409, k: 0.923 };
        for u in [0.999, 0.5, 0.1, 0.001] {
            let x = law.exceeded_with(u);
            let exceeded = (1.0 + law.k * x / law.sigma).powf(-1.0 / law.k);
            assert!((exceeded - u).abs() < 1e-12, "{x} is exceeded with {exceeded}, not {u}");
        }
        assert_eq!(law.exceeded_with(1.0), 0.0);
    }

    #[test]
    fn samples_have_the_quantiles_of_the_law() {
        let law = Pareto { sigma: 226.409, k: 0.923 };
        let mut rng = crate::rng(1, 0);
        let mut samples: Vec<f64> = (0..200_000).map(|_| law.draw(&mut rng)).collect();
        samples.sort_by(f64::total_cmp);
        for (share_below, tolerance) in [(0.1, 0.05), (0.5, 0.02), (0.9, 0.02), (0.99, 0.06)] {
            let found = samples[(share_below * samples.len() as f64) as usize];
            let expected = law.exceeded_with(1.0 - share_below);
            let error = (found / expected - 1.0).abs();
            assert!(error < tolerance, "quantile {share_below}: {found}, expected {expected}");
        }
    }
}
