//! The Mixgraph load against its formulas and against what is known of the prototype's.

use super::*;
use crate::SizeLaw;

const RECORDS: u64 = 3_000_000;
const RANGES: u32 = 3000;
const KEYS_PER_RANGE: u64 = 1000;

fn keys(options: Mixgraph, seed: u64) -> (MixgraphKeys, Sizes) {
    let sizes = Sizes::new(SizeLaw::MIXGRAPH, RECORDS, RANGES, seed);
    (MixgraphKeys::new(options, RECORDS, RANGES, &sizes, seed), sizes)
}

/// Share of the requests that each range gets, hottest first, with the range.
fn drawn_shares(keys: &mut MixgraphKeys, now_s: f64, draws: u32) -> Vec<(f64, u64)> {
    let mut rng = crate::rng(9, 0);
    let mut counts = vec![0u32; RANGES as usize];
    for _ in 0..draws {
        counts[(keys.draw(now_s, &mut rng) / KEYS_PER_RANGE) as usize] += 1;
    }
    let mut shares: Vec<(f64, u64)> =
        counts.iter().zip(0..).map(|(&count, range)| (f64::from(count) / f64::from(draws), range)).collect();
    shares.sort_by(|left, right| right.0.total_cmp(&left.0));
    shares
}

#[test]
fn range_shares_are_those_of_the_published_parameters() {
    for (a, hottest, top_ten, above_one_percent) in [(1.418, 0.333, 0.685, 22), (14.18, 0.778, 0.914, 6)] {
        let options = Mixgraph { a, ..Mixgraph::default() };
        let hotness = options.hotness(RANGES);
        assert_eq!(hotness.len(), 404, "ranges that are ever asked for");
        assert_eq!(layout::hot_ranks(&hotness), above_one_percent, "ranges with 1 % or more at a = {a}");
        let total: f64 = hotness.iter().sum();
        assert!((hotness[0] / total - hottest).abs() < 0.001, "hottest range at a = {a}");

        let shares = drawn_shares(&mut keys(options, 1).0, 0.0, 500_000);
        assert!((shares[0].0 - hottest).abs() < 0.003, "hottest range drawn at a = {a}: {}", shares[0].0);
        let drawn_top_ten: f64 = shares[..10].iter().map(|(share, _)| share).sum();
        assert!((drawn_top_ten - top_ten).abs() < 0.003, "top ten drawn at a = {a}: {drawn_top_ten}");
    }
}

#[test]
fn drawn_ranges_pass_a_chi_square_test() {
    let (mut keys, _) = keys(Mixgraph::default(), 1);
    let hotness = keys.options.hotness(RANGES);
    let total: f64 = hotness.iter().sum();
    let draws = 500_000;
    let shares = drawn_shares(&mut keys, 0.0, draws);
    let mut chi_square = 0.0;
    for (hotness, &place) in hotness.iter().zip(&keys.places).take(60) {
        let expected = hotness / total;
        let range = u64::from(place);
        let found = shares.iter().find(|(_, at)| *at == range).map_or(0.0, |(share, _)| *share);
        chi_square += f64::from(draws) * (found - expected).powi(2) / expected;
    }
    assert!(chi_square < 99.6, "chi-square {chi_square}"); // 60 degrees of freedom, p = 0.001
}

#[test]
fn hot_ranges_are_small_and_cooler_ones_large() {
    for seed in 1..=5 {
        let (mut keys, sizes) = keys(Mixgraph::default(), seed);
        let shares = drawn_shares(&mut keys, 0.0, 200_000);
        let mean = |(_, range): &(f64, u64)| sizes.mean_bytes(range * KEYS_PER_RANGE);
        // Ranks 9 to 13 are close to each other, so which of them is drawn more often is chance: leave them
        // out.
        let hotter: Vec<u32> = shares[..8].iter().map(mean).collect();
        let cooler: Vec<u32> = shares[14..20].iter().map(mean).collect();
        assert!(hotter.iter().all(|&bytes| bytes <= 100), "seed {seed}, hotter half: {hotter:?}");
        assert!(cooler.iter().all(|&bytes| bytes >= 3000), "seed {seed}, cooler half: {cooler:?}");
    }
}

#[test]
fn aligned_and_moving_layouts_leave_the_hottest_range_at_the_end() {
    for options in [
        Mixgraph { misaligned: false, ..Mixgraph::default() },
        Mixgraph { moving_s: Some(240.0), ..Mixgraph::default() },
    ] {
        let (mut keys, _) = keys(options, 1);
        assert_eq!(drawn_shares(&mut keys, 0.0, 20_000)[0].1, 2999);
    }
}

#[test]
fn inner_ranks_invert_their_distribution_function() {
    let (keys, _) = keys(Mixgraph::default(), 1);
    for rank in [1u64, 2, 10, 1000, 1_000_000] {
        let up_to = keys.options.key_a * (rank as f64).powf(keys.options.key_b);
        assert_eq!(keys.inner_rank(up_to * (1.0 - 1e-9)), rank);
        assert_eq!(keys.inner_rank(up_to * (1.0 + 1e-9)), rank + 1);
    }
    assert!((39_000_000..41_000_000).contains(&keys.inner_rank(1.0)), "{}", keys.inner_rank(1.0));
}

#[test]
fn keys_inside_a_range_follow_the_power_law() {
    let (mut keys, _) = keys(Mixgraph::default(), 1);
    let (a, b) = (keys.options.key_a, keys.options.key_b);
    // The inner rank s has probability a (s^b - (s-1)^b). Enumerate the head, where single ranks stand out;
    // what remains is hashed so thinly over the 1000 offsets that each gets the same.
    let head = 1_000_000u64;
    let rest = 1.0 - a * (head as f64).powf(b);
    let mut expected = vec![rest / KEYS_PER_RANGE as f64; KEYS_PER_RANGE as usize];
    for rank in 1..=head {
        let offset = without_sign(hash_number_big_endian(rank)) % KEYS_PER_RANGE;
        expected[offset as usize] += a * ((rank as f64).powf(b) - ((rank - 1) as f64).powf(b));
    }
    let draws = 1_000_000;
    let mut found = vec![0u32; KEYS_PER_RANGE as usize];
    let mut rng = crate::rng(2, 0);
    for _ in 0..draws {
        found[(keys.draw(0.0, &mut rng) % KEYS_PER_RANGE) as usize] += 1;
    }
    let hottest = (0..found.len()).max_by(|&i, &j| expected[i].total_cmp(&expected[j])).unwrap();
    let share = f64::from(found[hottest]) / f64::from(draws);
    assert!((share / expected[hottest] - 1.0).abs() < 0.08, "{share}, expected {}", expected[hottest]);
    assert!(share > 0.0023, "the first inner rank alone has 0.23 %, its offset only {share}");
    let chi_square: f64 = found
        .iter()
        .zip(&expected)
        .map(|(&count, share)| {
            let expected = share * f64::from(draws);
            (f64::from(count) - expected).powi(2) / expected
        })
        .sum();
    assert!(chi_square < 1142.0, "chi-square {chi_square}"); // 999 degrees of freedom, p = 0.001
}

#[test]
fn without_a_power_law_keys_inside_a_range_are_uniform() {
    let (mut keys, _) = keys(Mixgraph { key_a: 0.0, ..Mixgraph::default() }, 1);
    let mut rng = crate::rng(2, 0);
    let mut bins = [0u32; 10];
    for _ in 0..100_000 {
        bins[(keys.draw(0.0, &mut rng) % KEYS_PER_RANGE / 100) as usize] += 1;
    }
    assert!(bins.iter().all(|&count| (9500..10_500).contains(&count)), "{bins:?}");
}

#[test]
fn moving_hot_spots_change_place_and_epoch_and_come_in_any_order() {
    let moving = Mixgraph { moving_s: Some(240.0), ..Mixgraph::default() };
    let (mut keys, _) = keys(moving, 1);
    let mut hottest_at = |now_s| drawn_shares(&mut keys, now_s, 20_000)[0];
    let (home, first, second) = (hottest_at(0.0), hottest_at(240.0), hottest_at(480.0));
    assert!(home.1 != first.1 && first.1 != second.1 && home.1 != second.1);
    for (share, _) in [home, first, second] {
        assert!((share - 0.333).abs() < 0.02, "the hottest range keeps its share: {share}");
    }
    assert_eq!(hottest_at(240.0), first, "an epoch looks the same when it is visited again");
    assert_eq!(hottest_at(10.0), home);
    assert_eq!((keys.epoch(239.9), keys.epoch(240.0), keys.epoch(719.0)), (0, 1, 2));
}

#[test]
fn ranges_that_do_not_divide_the_records_leave_the_remainder_unused() {
    let sizes = Sizes::new(SizeLaw::MIXGRAPH, 1000, 7, 1);
    let mut keys = MixgraphKeys::new(Mixgraph::default(), 1000, 7, &sizes, 1);
    assert_eq!(keys.key_space(), 994);
    let mut rng = crate::rng(1, 0);
    assert!((0..10_000).all(|_| keys.draw(0.0, &mut rng) < 994));
}
