//! How many bytes: the size of a record, and the data in an interval of keys.

use crate::Rng;
use crate::pareto::Pareto;
use crate::random::{Purpose, internal_rng, unit};
use crate::spec::{InvalidSpec, check};

/// How large the records are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SizeLaw {
    /// All records have this many bytes.
    Fixed(u32),
    /// The key space is cut into equal ranges; each draws one mean from a generalised Pareto law, and every
    /// request then varies by a quarter up or down around the mean of its range.
    ParetoPerRange {
        /// Scale in bytes.
        sigma: f64,
        /// Shape.
        k: f64,
    },
}

impl SizeLaw {
    /// The value sizes that Mixgraph fitted to production.
    pub const MIXGRAPH: Self = Self::ParetoPerRange { sigma: 226.409, k: 0.923 };
    /// Drawn sizes above this many bytes are taken modulo it.
    pub const DRAWN_BYTES_MAX: u32 = 10_240;
    /// No drawn size is below this many bytes.
    pub const DRAWN_BYTES_MIN: u32 = 10;

    pub(crate) fn validate(&self) -> Result<(), InvalidSpec> {
        match *self {
            Self::Fixed(bytes) => check(bytes >= 1, || "value_bytes".into(), bytes, "at least 1"),
            Self::ParetoPerRange { sigma, k } => {
                let fits = |x: f64| x > 0.0 && x.is_finite();
                check(fits(sigma), || "value_bytes: sigma".into(), sigma, "a positive number")?;
                check(fits(k), || "value_bytes: k".into(), k, "a positive number")
            }
        }
    }
}

/// A size law made ready for one key space.
pub(crate) enum Sizes {
    Fixed { bytes: u32, key_space: u64 },
    PerRange(RangeSizes),
}

/// One mean per range of keys.
pub(crate) struct RangeSizes {
    key_space: u64,
    keys_per_range: u64,
    ranges: Vec<RangeSize>,
    /// Bytes in all ranges before each one.
    bytes_before: Vec<u64>,
}

#[derive(Clone, Copy)]
struct RangeSize {
    /// The mean as drawn. It may exceed the maximum: the modulo applies to each request's size.
    drawn: f64,
    /// What the requests' sizes really average to, after the modulo.
    mean_bytes: u32,
}

impl Sizes {
    /// Sizes for `key_space` keys, cut into `ranges` ranges where the law needs them. The last range also
    /// takes the keys that are left over by the division.
    pub(crate) fn new(law: SizeLaw, key_space: u64, ranges: u32, seed: u64) -> Self {
        let (sigma, k) = match law {
            SizeLaw::Fixed(bytes) => return Self::Fixed { bytes, key_space },
            SizeLaw::ParetoPerRange { sigma, k } => (sigma, k),
        };
        let mut rng = internal_rng(seed, Purpose::Sizes);
        let ranges: Vec<RangeSize> = (0..ranges)
            .map(|_| Pareto { sigma, k }.draw(&mut rng).max(f64::from(SizeLaw::DRAWN_BYTES_MIN)))
            .map(|drawn| RangeSize { drawn, mean_bytes: mean_of_requests(drawn) })
            .collect();
        let keys_per_range = (key_space / ranges.len() as u64).max(1);
        let mut sum = 0u64;
        let bytes_before = ranges
            .iter()
            .map(|range| {
                let before = sum;
                sum = sum.saturating_add(keys_per_range.saturating_mul(u64::from(range.mean_bytes)));
                before
            })
            .collect();
        Self::PerRange(RangeSizes { key_space, keys_per_range, ranges, bytes_before })
    }

    /// The size of the record in one request.
    pub(crate) fn draw(&self, key: u64, rng: &mut Rng) -> u32 {
        match self {
            Self::Fixed { bytes, .. } => *bytes,
            Self::PerRange(sizes) => request_bytes(sizes.ranges[sizes.range_of(key)].drawn, unit(rng)),
        }
    }

    /// Mean size of the record at a key.
    pub(crate) fn mean_bytes(&self, key: u64) -> u32 {
        match self {
            Self::Fixed { bytes, .. } => *bytes,
            Self::PerRange(sizes) => sizes.ranges[sizes.range_of(key)].mean_bytes,
        }
    }

    /// Bytes in the keys `[a, b)` if each position holds one record.
    pub(crate) fn between(&self, a: u64, b: u64) -> u64 {
        self.up_to(b).saturating_sub(self.up_to(a))
    }

    /// Ranges whose drawn mean lies within the bounds, ascending; none if all records have one size.
    pub(crate) fn ranges_with_mean(&self, bounds: std::ops::RangeInclusive<f64>) -> Vec<u32> {
        match self {
            Self::Fixed { .. } => Vec::new(),
            Self::PerRange(sizes) => (0u32..)
                .zip(&sizes.ranges)
                .filter(|(_, range)| bounds.contains(&range.drawn))
                .map(|(index, _)| index)
                .collect(),
        }
    }

    fn up_to(&self, key: u64) -> u64 {
        match self {
            Self::Fixed { bytes, key_space } => key.min(*key_space).saturating_mul(u64::from(*bytes)),
            Self::PerRange(sizes) => {
                let key = key.min(sizes.key_space);
                let range = sizes.range_of(key);
                let inside = key - range as u64 * sizes.keys_per_range;
                let inside_bytes = inside.saturating_mul(u64::from(sizes.ranges[range].mean_bytes));
                sizes.bytes_before[range].saturating_add(inside_bytes)
            }
        }
    }
}

impl RangeSizes {
    fn range_of(&self, key: u64) -> usize {
        ((key / self.keys_per_range) as usize).min(self.ranges.len() - 1)
    }
}

/// The size of one request: three to five quarters of the mean, the place between them given by `u`.
fn request_bytes(drawn: f64, u: f64) -> u32 {
    let bytes = (drawn * (0.75 + 0.5 * u)) as u64;
    let max = u64::from(SizeLaw::DRAWN_BYTES_MAX);
    let wrapped = if bytes > max { bytes % max } else { bytes };
    (wrapped as u32).max(SizeLaw::DRAWN_BYTES_MIN)
}

/// What [`request_bytes`] averages to. The modulo leaves no simple formula, so sum it at midpoints.
fn mean_of_requests(drawn: f64) -> u32 {
    const STEPS: u32 = 256;
    let at = |step: u32| u64::from(request_bytes(drawn, (f64::from(step) + 0.5) / f64::from(STEPS)));
    ((0..STEPS).map(at).sum::<u64>() / u64::from(STEPS)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pareto(key_space: u64, ranges: u32) -> Sizes {
        Sizes::new(SizeLaw::MIXGRAPH, key_space, ranges, 1)
    }

    #[test]
    fn range_means_are_spread_as_the_law_says() {
        let ranges = 30_000;
        let sizes = pareto(30_000_000, ranges);
        let share = |low, high| sizes.ranges_with_mean(low..=high).len() as f64 / f64::from(ranges);
        assert!((share(10.0, 220.0) - 0.5).abs() < 0.02, "median: {}", share(10.0, 220.0));
        assert!((share(10.0, 100.0) - 0.27).abs() < 0.05, "small: {}", share(10.0, 100.0));
        assert!((share(3072.0, 10_240.0) - 0.04).abs() < 0.006, "large: {}", share(3072.0, 10_240.0));
        assert!((share(10_241.0, f64::MAX) - 0.017).abs() < 0.004, "huge: {}", share(10_241.0, f64::MAX));
    }

    #[test]
    fn requests_stay_within_a_quarter_of_the_mean_and_wrap_at_the_maximum() {
        assert_eq!(request_bytes(400.0, 0.0), 300);
        assert_eq!(request_bytes(400.0, 1.0), 500);
        assert_eq!(request_bytes(10.0, 0.0), 10);
        assert_eq!(request_bytes(10_240.0, 0.5), 10_240);
        assert_eq!(request_bytes(10_241.0, 0.5), 10);
        assert_eq!(request_bytes(10_240.0, 1.0), 2560);
    }

    #[test]
    fn the_mean_of_a_key_is_what_its_requests_average_to() {
        let sizes = pareto(30_000, 300);
        let mut rng = crate::rng(1, 0);
        for key in (50..30_000).step_by(1000) {
            let sum: u64 = (0..20_000).map(|_| u64::from(sizes.draw(key, &mut rng))).sum();
            let (found, expected) = (sum as f64 / 20_000.0, f64::from(sizes.mean_bytes(key)));
            assert!((found - expected).abs() < 1.0 + 0.03 * expected, "key {key}: {found}, mean {expected}");
        }
    }

    #[test]
    fn prefix_sums_agree_with_adding_key_by_key() {
        // 1003 keys in 10 ranges: the last range is longer than the others.
        for sizes in [pareto(1003, 10), Sizes::new(SizeLaw::Fixed(7), 1003, 10, 1)] {
            for (a, b) in [(0, 1003), (0, 0), (99, 101), (250, 777), (990, 1003), (1003, 1003)] {
                let plain: u64 = (a..b).map(|key| u64::from(sizes.mean_bytes(key))).sum();
                assert_eq!(sizes.between(a, b), plain, "[{a}, {b})");
            }
            assert_eq!(sizes.between(0, u64::MAX), sizes.between(0, 1003));
            assert_eq!(sizes.between(500, 400), 0);
        }
    }
}
