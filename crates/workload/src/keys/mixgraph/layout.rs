//! Where the ranges of each rank lie: cold ones anywhere, hot ones by the size of their values.
//!
//! A layout is a list of ranges by rank: `places[0]` is the range of the hottest rank. It is always a
//! permutation of all ranges, those included that are never asked for.

use crate::Rng;
use crate::random::shuffle;
use crate::sizes::Sizes;
use std::ops::RangeInclusive;

/// A rank with at least this share of the requests is hot.
const HOT_SHARE: f64 = 0.01;

/// Mean value sizes in bytes that count as small.
const SMALL_BYTES: RangeInclusive<f64> = 10.0..=100.0;

/// Mean value sizes in bytes that count as large.
const LARGE_BYTES: RangeInclusive<f64> = 3072.0..=10_240.0;

/// How many ranks are hot, for a hotness that falls with rank.
pub(super) fn hot_ranks(hotness: &[f64]) -> usize {
    let total: f64 = hotness.iter().sum();
    hotness.iter().take_while(|&&hotness| hotness >= HOT_SHARE * total).count()
}

/// The hottest rank at the end of the key space and cooler ones before it; ranks that are not hot are
/// shuffled among themselves.
pub(super) fn spread(ranges: u32, hot: usize, rng: &mut Rng) -> Vec<u32> {
    let mut places: Vec<u32> = (0..ranges).rev().collect();
    shuffle(&mut places[hot..], rng);
    places
}

/// Swaps the hotter half of the hot ranks to ranges with small values and the cooler half to ranges with
/// large ones. Many requests then meet in one place and many bytes in another, which is the imbalance that
/// one dimension alone cannot see. A rank for which no such range is left stays where it is.
pub(super) fn misalign(places: &mut [u32], hot: usize, sizes: &Sizes, rng: &mut Rng) {
    let mut pool = |bounds| {
        let mut ranges = sizes.ranges_with_mean(bounds);
        shuffle(&mut ranges, rng);
        ranges
    };
    let (mut small, mut large) = (pool(SMALL_BYTES), pool(LARGE_BYTES));
    for rank in 0..hot {
        let pool = if rank < hot.div_ceil(2) { &mut small } else { &mut large };
        let Some(range) = pool.pop() else { continue };
        if let Some(holder) = places.iter().position(|&place| place == range) {
            places.swap(rank, holder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SizeLaw;

    fn is_permutation(places: &[u32]) -> bool {
        let mut sorted = places.to_vec();
        sorted.sort_unstable();
        sorted.iter().copied().eq(0..places.len() as u32)
    }

    #[test]
    fn hot_ranks_keep_the_end_and_cold_ones_are_shuffled() {
        let places = spread(1000, 5, &mut crate::rng(1, 0));
        assert!(is_permutation(&places));
        assert_eq!(places[..5], [999, 998, 997, 996, 995]);
        let in_place = (5..1000).filter(|&rank| places[rank] == 999 - rank as u32).count();
        assert!(in_place < 10, "{in_place} cold ranks were not moved");
    }

    #[test]
    fn hot_halves_move_to_small_and_large_values() {
        let sizes = Sizes::new(SizeLaw::MIXGRAPH, 3_000_000, 3000, 1);
        let mut rng = crate::rng(1, 0);
        let mut places = spread(3000, 21, &mut rng);
        misalign(&mut places, 21, &sizes, &mut rng);
        assert!(is_permutation(&places));
        let (small, large) = (sizes.ranges_with_mean(SMALL_BYTES), sizes.ranges_with_mean(LARGE_BYTES));
        assert!(places[..11].iter().all(|range| small.contains(range)), "{places:?}");
        assert!(places[11..21].iter().all(|range| large.contains(range)), "{places:?}");
    }

    #[test]
    fn too_few_ranges_of_a_size_leave_the_rest_in_place() {
        let mut rng = crate::rng(1, 0);
        let fixed = Sizes::new(SizeLaw::Fixed(1024), 100, 10, 1);
        let mut places = spread(10, 4, &mut rng);
        let before = places.clone();
        misalign(&mut places, 4, &fixed, &mut rng);
        assert_eq!(places, before);
        for seed in 0..50 {
            let few = Sizes::new(SizeLaw::MIXGRAPH, 100, 10, seed);
            let mut places = spread(10, 10, &mut rng);
            misalign(&mut places, 10, &few, &mut rng);
            assert!(is_permutation(&places), "seed {seed}: {places:?}");
        }
    }

    #[test]
    fn a_share_of_exactly_one_percent_is_hot() {
        assert_eq!(hot_ranks(&[99.0, 1.0]), 2);
        assert_eq!(hot_ranks(&[99.5, 0.5]), 1);
    }
}
