//! Seeds, independent streams, and the few draws that all laws share.

use rand::Rng as _;

/// The generator of all workloads: small, fast, and the same on every platform.
pub type Rng = rand_pcg::Pcg64Mcg;

/// Streams from here on belong to this crate; callers number theirs from 0.
const INTERNAL_STREAMS: u64 = 1 << 63;

/// A generator for one of many independent streams of a run's seed.
///
/// Give every client, table or fault source a stream of its own, so that adding one leaves the others' draws
/// as they were. Streams up to 2^63 − 1 are the caller's.
pub fn rng(seed: u64, stream: u64) -> Rng {
    // Two rounds, so that (seed 1, stream 2) and (seed 2, stream 1) have nothing in common, and close
    // numbers, which is what people type, give distant states.
    let high = split_mix(split_mix(seed) ^ stream);
    let low = split_mix(high);
    Rng::new((u128::from(high) << 64) | u128::from(low))
}

/// What this crate itself draws at random while it builds a load.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    /// The mean value size of every range.
    Sizes,
    /// Where the ranges of a Mixgraph load lie.
    Layout,
    /// Where a hot spot starts.
    Hotspot,
    /// Where the ranges of a Mixgraph load lie in a later epoch.
    Moving { epoch: u64 },
}

/// A generator for one of the crate's own purposes.
pub(crate) fn internal_rng(seed: u64, purpose: Purpose) -> Rng {
    let number = match purpose {
        Purpose::Sizes => 0,
        Purpose::Layout => 1,
        Purpose::Hotspot => 2,
        Purpose::Moving { epoch } => epoch.saturating_add(3),
    };
    rng(seed, INTERNAL_STREAMS | number)
}

/// One step of the SplitMix64 generator: a bijection that turns counting numbers into noise.
fn split_mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// 2^-53: the step between two neighbouring draws of [`unit`].
const STEP: f64 = 1.0 / (1u64 << 53) as f64;

/// Uniform in `[0, 1)`.
pub(crate) fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 * STEP
}

/// Uniform in `(0, 1]`, for laws that take a logarithm or a negative power of it.
pub(crate) fn unit_above_zero(rng: &mut Rng) -> f64 {
    ((rng.next_u64() >> 11) + 1) as f64 * STEP
}

/// Uniform in `[0, bound)`; 0 if `bound` is 0.
///
/// The high half of a product instead of a remainder: no division, and the bias of at most bound / 2^64 is
/// far below what any run could see.
pub(crate) fn below(bound: u64, rng: &mut Rng) -> u64 {
    scale(rng.next_u64(), bound)
}

/// Maps a hash or a random number to `[0, bound)` and keeps its order.
pub(crate) fn scale(x: u64, bound: u64) -> u64 {
    ((u128::from(x) * u128::from(bound)) >> 64) as u64
}

/// Puts a slice in random order (Fisher and Yates).
pub(crate) fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(last as u64 + 1, rng) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_of_one_seed_have_nothing_in_common() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..20 {
            for stream in 0..20 {
                let mut rng = rng(seed, stream);
                for _ in 0..50 {
                    assert!(seen.insert(rng.next_u64()), "seed {seed}, stream {stream} repeats a number");
                }
            }
        }
    }

    #[test]
    fn first_draws_of_neighbouring_streams_are_uniform_together() {
        // A weak mixer shows here: the k-th draws of streams 0, 1, 2, … would climb or cluster.
        let mut bins = [0u32; 64];
        for stream in 0..64_000 {
            bins[below(64, &mut rng(1, stream)) as usize] += 1;
        }
        assert!(chi_square(&bins, 1000.0) < 103.0, "{bins:?}"); // 63 degrees of freedom, p = 0.001
    }

    #[test]
    fn draws_below_a_bound_are_uniform_and_in_range() {
        let mut rng = rng(2, 0);
        let mut bins = [0u32; 10];
        for _ in 0..100_000 {
            bins[below(10, &mut rng) as usize] += 1;
        }
        assert!(chi_square(&bins, 10_000.0) < 27.9, "{bins:?}"); // 9 degrees of freedom, p = 0.001
        assert_eq!(below(0, &mut rng), 0);
        assert_eq!(below(1, &mut rng), 0);
    }

    #[test]
    fn units_keep_to_their_side_of_zero_and_one() {
        let mut rng = rng(3, 0);
        let mut sum = 0.0;
        for _ in 0..100_000 {
            let (half_open, above) = (unit(&mut rng), unit_above_zero(&mut rng));
            assert!((0.0..1.0).contains(&half_open), "{half_open}");
            assert!(above > 0.0 && above <= 1.0, "{above}");
            sum += half_open;
        }
        assert!((sum / 100_000.0 - 0.5).abs() < 0.004, "mean {}", sum / 100_000.0);
    }

    #[test]
    fn shuffling_keeps_the_items_and_spreads_them_evenly() {
        let mut rng = rng(4, 0);
        let mut first = [0u32; 8];
        for _ in 0..8000 {
            let mut items: Vec<usize> = (0..8).collect();
            shuffle(&mut items, &mut rng);
            first[items[0]] += 1;
            items.sort_unstable();
            assert_eq!(items, (0..8).collect::<Vec<_>>());
        }
        assert!(chi_square(&first, 1000.0) < 24.3, "{first:?}"); // 7 degrees of freedom, p = 0.001
    }

    fn chi_square(bins: &[u32], expected: f64) -> f64 {
        bins.iter().map(|&found| (f64::from(found) - expected).powi(2) / expected).sum()
    }
}
