//! How many rows a scan reads.

use crate::Rng;
use crate::pareto::Pareto;
use crate::random::below;
use crate::spec::{InvalidSpec, check};

/// How many rows a scan asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScanLaw {
    /// Always the same number.
    Fixed(u32),
    /// Uniform from 1 to `max`, as in YCSB.
    Uniform {
        /// The longest scan.
        max: u32,
    },
    /// Generalised Pareto, as in Mixgraph: lengths of [`ScanLaw::PARETO_MODULUS`] and above wrap around.
    Pareto {
        /// Scale in rows.
        sigma: f64,
        /// Shape.
        k: f64,
    },
}

impl ScanLaw {
    /// The law of Mixgraph with the parameters fitted to production.
    pub const MIXGRAPH: Self = Self::Pareto { sigma: 14.236, k: 2.517 };
    /// The law of YCSB workload E.
    pub const YCSB: Self = Self::Uniform { max: 100 };
    /// Pareto lengths are taken modulo this; the law alone would ask for millions of rows now and then.
    pub const PARETO_MODULUS: u32 = 1000;

    pub(crate) fn validate(&self) -> Result<(), InvalidSpec> {
        match *self {
            Self::Fixed(rows) | Self::Uniform { max: rows } => {
                check(rows >= 1, || "scan: number of rows".into(), rows, "at least 1")
            }
            Self::Pareto { sigma, k } => {
                check(sigma > 0.0 && sigma.is_finite(), || "scan: sigma".into(), sigma, "a positive number")?;
                check(k > 0.0 && k.is_finite(), || "scan: k".into(), k, "a positive number")
            }
        }
    }

    pub(crate) fn draw(&self, rng: &mut Rng) -> u32 {
        match *self {
            Self::Fixed(rows) => rows,
            Self::Uniform { max } => below(u64::from(max), rng) as u32 + 1,
            Self::Pareto { sigma, k } => {
                let rows = Pareto { sigma, k }.draw(rng) % f64::from(Self::PARETO_MODULUS);
                (rows as u32).max(1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(law: ScanLaw) -> Vec<u32> {
        let mut rng = crate::rng(1, 0);
        (0..400_000).map(|_| law.draw(&mut rng)).collect()
    }

    fn mean(draws: &[u32]) -> f64 {
        draws.iter().map(|&rows| f64::from(rows)).sum::<f64>() / draws.len() as f64
    }

    #[test]
    fn uniform_lengths_reach_both_ends_and_average_in_the_middle() {
        let found = draws(ScanLaw::YCSB);
        assert_eq!((found.iter().min(), found.iter().max()), (Some(&1), Some(&100)));
        assert!((mean(&found) - 50.5).abs() < 0.2, "mean {}", mean(&found));
    }

    #[test]
    fn pareto_lengths_have_the_median_and_the_wrapped_mean_of_the_law() {
        let found = draws(ScanLaw::MIXGRAPH);
        assert!(found.iter().all(|rows| (1..1000).contains(rows)));
        // Median: 14.236 (2^2.517 - 1) / 2.517 = 26.7, and a little more since long scans wrap to short ones.
        let short = found.iter().filter(|&&rows| rows <= 27).count() as f64 / found.len() as f64;
        assert!((0.49..0.53).contains(&short), "{short} of the scans have at most 27 rows");
        let law = Pareto { sigma: 14.236, k: 2.517 };
        let steps = 1_000_000;
        let by_integral = (0..steps)
            .map(|i| (law.exceeded_with((f64::from(i) + 0.5) / f64::from(steps)).ceil() % 1000.0).max(1.0))
            .sum::<f64>()
            / f64::from(steps);
        assert!((mean(&found) / by_integral - 1.0).abs() < 0.02, "{} against {by_integral}", mean(&found));
    }

    #[test]
    fn impossible_lengths_are_refused() {
        assert!(ScanLaw::Fixed(0).validate().is_err());
        assert!(ScanLaw::Pareto { sigma: f64::NAN, k: 1.0 }.validate().is_err());
        assert!(ScanLaw::Pareto { sigma: 1.0, k: 0.0 }.validate().is_err());
        assert_eq!(draws(ScanLaw::Fixed(7))[0], 7);
    }
}
