//! Split points by hand: golden cases, obstacles, and the reservoir.

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::*;

type Failure = CannotSplit<u64>;

fn point(key: u64) -> Sample<u64> {
    Sample { start: key, end: key, bytes: 1 }
}

fn scan(start: u64, end: u64) -> Sample<u64> {
    Sample { start, end, bytes: 1 }
}

fn points(keys: impl IntoIterator<Item = u64>) -> Vec<Sample<u64>> {
    keys.into_iter().map(point).collect()
}

fn keys(cuts: &[SplitPoint<u64>]) -> Vec<u64> {
    cuts.iter().map(|cut| cut.key).collect()
}

#[test]
fn the_worked_example_of_the_module_page() {
    let samples = [point(10), point(40), scan(20, 35), scan(30, 50)];
    let cut = split_point(&samples, 0.5, Weigh::Requests).unwrap();
    assert!((cut.left_share - 7.0 / 12.0).abs() < 1e-9);
    assert_eq!((cut.key, cut.straddling, cut.lower, cut.upper), (40, 0.25, 30, 40));
}

#[test]
fn distinct_points_are_cut_exactly() {
    let samples = points([4, 2, 8, 6]);
    let cut = split_point(&samples, 0.5, Weigh::Requests).unwrap();
    assert_eq!(cut, SplitPoint { key: 6, left_share: 0.5, straddling: 0.0, lower: 6, upper: 6 });
    // Inside a request the bounds are its two sides, and the nearer one is taken.
    let cut = split_point(&samples, 0.6, Weigh::Requests).unwrap();
    assert_eq!(cut, SplitPoint { key: 6, left_share: 0.5, straddling: 0.0, lower: 6, upper: 8 });
    let cut = split_point(&samples, 0.7, Weigh::Requests).unwrap();
    assert_eq!(cut, SplitPoint { key: 8, left_share: 0.75, straddling: 0.0, lower: 6, upper: 8 });
}

#[test]
fn a_gap_between_disjoint_scans_is_found() {
    // The midpoint of the paper's bounds 6 and 9 would cut through the second scan.
    let cut = split_point(&[scan(1, 5), scan(6, 9)], 0.5, Weigh::Requests).unwrap();
    assert_eq!((cut.key, cut.left_share, cut.straddling), (6, 0.5, 0.0));
}

#[test]
fn bytes_and_requests_cut_elsewhere() {
    let mut samples = points(1..=10);
    samples[0].bytes = 5;
    samples[1].bytes = 4;
    // 17 bytes in all: 9 lie on the first two keys.
    assert_eq!(split_point(&samples, 0.5, Weigh::Requests).unwrap().key, 6);
    let cut = split_point(&samples, 0.5, Weigh::Bytes).unwrap();
    assert_eq!((cut.key, cut.left_share), (3, 9.0 / 17.0));
}

#[test]
fn requests_without_bytes_drop_out_of_bytes_only() {
    let mut samples = points(1..=4);
    samples[0].bytes = 0;
    samples[1].bytes = 0;
    assert_eq!(split_point(&samples, 0.5, Weigh::Bytes).unwrap().key, 4);
    samples.iter_mut().for_each(|sample| sample.bytes = 0);
    assert_eq!(split_point(&samples, 0.5, Weigh::Bytes), Err(Failure::NoSamples));
    assert_eq!(split_point(&samples, 0.5, Weigh::Requests).unwrap().key, 3);
}

#[test]
fn the_order_of_samples_does_not_matter() {
    let forth = [point(10), point(40), scan(20, 35), scan(30, 50)];
    let back = [scan(30, 50), point(40), scan(20, 35), point(10)];
    assert_eq!(split_point(&forth, 0.4, Weigh::Requests), split_point(&back, 0.4, Weigh::Requests));
}

#[test]
fn backward_scans_are_the_mirror_of_forward_ones() {
    // All start at the same popular key and run one to nine keys from there.
    let up: Vec<_> = (1..10).map(|length| scan(100, 100 + length)).collect();
    let down: Vec<_> = (1..10).map(|length| scan(100, 100 - length)).collect();
    // A key belongs to the right part, hence the shift by one.
    let shares = [left_share(&up, &104, Weigh::Requests), left_share(&down, &97, Weigh::Requests)];
    assert!((shares[0] + shares[1] - 1.0).abs() < 1e-9, "{shares:?}");
}

#[test]
fn the_left_part_is_never_empty() {
    // 0.05 is nearest to nothing at all on the left; the first real cut is taken instead.
    let samples = points((0..40).map(|key| key / 4));
    let cut = split_point(&samples, 0.07, Weigh::Requests).unwrap();
    assert_eq!((cut.key, cut.left_share, cut.lower, cut.upper), (1, 0.1, 0, 1));
}

#[test]
fn two_keys_are_cut_between() {
    let mut samples = points([7; 50]);
    samples.extend(points([9; 50]));
    let cut = split_point(&samples, 0.5, Weigh::Requests).unwrap();
    assert_eq!((cut.key, cut.left_share), (9, 0.5));
    let refused = split_point(&samples, 0.2, Weigh::Requests);
    assert_eq!(refused, Err(Failure::SingleHotKey { key: 7, share: 0.5 }));
    let refused = split_point(&samples, 0.8, Weigh::Requests);
    assert_eq!(refused, Err(Failure::SingleHotKey { key: 9, share: 0.5 }));
}

#[test]
fn multiples_of_a_piece() {
    let samples = points(0..10);
    let cuts = split_points(&samples, 0.3, Weigh::Requests).unwrap();
    assert_eq!(keys(&cuts), [3, 6, 9]);
    assert!(cuts.iter().all(|cut| cut.lower == cut.key && cut.upper == cut.key), "{cuts:?}");
    assert_eq!(keys(&split_points(&samples, 0.1, Weigh::Requests).unwrap()), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(keys(&split_points(&points(0..49), 1.0 / 49.0, Weigh::Requests).unwrap()).len(), 48);
    assert_eq!(keys(&split_points(&samples, 0.7, Weigh::Requests).unwrap()), [7]);
}

#[test]
fn a_hot_key_costs_only_the_cuts_inside_it() {
    // Key 50 carries 30 % from 0.35 to 0.65. It ends up alone, and the rest is cut as wanted.
    let mut samples = points((0..70).map(|key| if key < 35 { key } else { key + 20 }));
    samples.extend(points([50; 30]));
    let cuts = split_points(&samples, 0.1, Weigh::Requests).unwrap();
    assert_eq!(keys(&cuts), [10, 20, 30, 50, 55, 60, 70, 80]);
}

#[test]
fn one_key_cannot_be_split() {
    let samples = points([5; 100]);
    let expected = Failure::SingleHotKey { key: 5, share: 1.0 };
    assert_eq!(split_point(&samples, 0.5, Weigh::Requests), Err(expected.clone()));
    assert_eq!(split_points(&samples, 0.1, Weigh::Requests), Err(expected.clone()));
    assert_eq!(
        expected.to_string(),
        "key 5 alone carries 100 % of the sampled load, so no boundary comes near the wanted ratio: cache it, \
         spread it over several keys in the application, or serve its reads from followers"
    );
}

#[test]
fn a_hot_key_in_the_middle_blocks_a_single_cut() {
    let mut samples = points((0..20).chain(80..100));
    samples.extend(points([50; 60]));
    let refused = split_point(&samples, 0.5, Weigh::Requests);
    assert_eq!(refused, Err(Failure::SingleHotKey { key: 50, share: 0.6 }));
}

#[test]
fn scans_over_everything_cannot_be_split() {
    let samples = vec![scan(1, 9); 100];
    let refused = split_point(&samples, 0.5, Weigh::Requests);
    assert_eq!(refused, Err(Failure::Overlap { key: 9, share: 1.0 }));
    let refused = split_point(&samples, 0.2, Weigh::Requests);
    assert_eq!(refused, Err(Failure::Overlap { key: 9, share: 1.0 }));
}

#[test]
fn too_little_to_go_by() {
    assert_eq!(split_point::<u64>(&[], 0.5, Weigh::Requests), Err(Failure::NoSamples));
    let refused = split_point(&[point(1)], 0.5, Weigh::Requests);
    assert_eq!(refused, Err(Failure::TooFew { found: 1, needed: 2 }));
    // Also bounds the work for an absurdly small piece.
    let refused = split_points(&points(0..10), 1e-9, Weigh::Requests);
    assert_eq!(refused, Err(Failure::TooFew { found: 10, needed: 1_000_000_000 }));
}

#[test]
fn ratios_must_make_sense() {
    let samples = points(0..100);
    for ratio in [f64::NAN, 0.0, 1.0, -0.5, 1.5, f64::INFINITY] {
        for refused in [
            split_point(&samples, ratio, Weigh::Requests).map(|cut| vec![cut]),
            split_points(&samples, ratio, Weigh::Requests),
            split_at_ratios(&samples, &[0.001, ratio], Weigh::Requests),
        ] {
            assert!(matches!(refused, Err(Failure::BadRatio(_))), "{ratio}: {refused:?}");
        }
    }
    let unsorted = split_at_ratios(&samples, &[0.6, 0.4], Weigh::Requests);
    assert_eq!(unsorted, Err(Failure::BadRatio(0.4)));
    assert_eq!(split_at_ratios(&samples, &[], Weigh::Requests), Ok(vec![]));
    assert_eq!(keys(&split_at_ratios(&samples, &[0.1, 0.4, 0.95], Weigh::Requests).unwrap()), [10, 40, 95]);
}

#[test]
fn weights_beyond_64_bits_do_not_overflow() {
    let samples: Vec<_> = (0..10).map(|key| Sample { start: key, end: key, bytes: u64::MAX }).collect();
    assert_eq!(split_point(&samples, 0.5, Weigh::Bytes).unwrap().key, 5);
}

#[test]
fn a_reservoir_counts_all_and_keeps_a_bounded_uniform_sample() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut times_kept = [0u32; 100];
    for _ in 0..2000 {
        let mut reservoir = Reservoir::new(10);
        for item in 0..100usize {
            reservoir.offer(item, rng.next_u64());
        }
        assert_eq!((reservoir.offered(), reservoir.kept()), (100, 10));
        reservoir.into_items().into_iter().for_each(|item| times_kept[item] += 1);
    }
    // Each is kept 200 times on average, with a standard deviation of 13.
    assert!(times_kept.iter().all(|times| (135..=265).contains(times)), "{times_kept:?}");
}

#[test]
fn a_reservoir_that_is_not_full_keeps_everything() {
    let mut reservoir = Reservoir::new(3);
    assert!(reservoir.offer('a', u64::MAX) && reservoir.offer('b', 0));
    assert_eq!(reservoir.items(), ['a', 'b']);
    assert!(reservoir.offer('c', 0));
    assert!(!reservoir.offer_with(u64::MAX, || unreachable!("made only when kept")));
    assert!(reservoir.offer('d', 0));
    assert_eq!((reservoir.items(), reservoir.offered()), (&['d', 'b', 'c'][..], 5));
    let mut none = Reservoir::new(0);
    assert!(!none.offer('a', 0));
    assert_eq!((none.offered(), none.kept()), (1, 0));
}

#[test]
fn merged_reservoirs_weigh_threads_by_what_they_saw() {
    // One thread saw 1,000 requests, the other 10; joining the two samples of 20 and 10 would give a third.
    let mut rng = Pcg64Mcg::seed_from_u64(2);
    let mut from_small = 0;
    for _ in 0..2000 {
        let (mut large, mut small) = (Reservoir::new(20), Reservoir::new(20));
        (0..1000).for_each(|_| _ = large.offer(false, rng.next_u64()));
        (0..10).for_each(|_| _ = small.offer(true, rng.next_u64()));
        large.merge(small, || rng.next_u64());
        assert_eq!((large.offered(), large.kept()), (1010, 20));
        from_small += large.items().iter().filter(|small| **small).count();
    }
    // 2,000 × 20 × 10 / 1,010 = 396 expected, standard deviation 20.
    assert!((300..=490).contains(&from_small), "{from_small}");
}

#[test]
fn merging_small_or_unequal_reservoirs() {
    let fill = |capacity, count: u64| {
        let mut reservoir = Reservoir::new(capacity);
        (0..count).for_each(|item| _ = reservoir.offer(item, u64::MAX));
        reservoir
    };
    let mut random = Pcg64Mcg::seed_from_u64(3);
    for (a, b, kept) in [((5, 2), (5, 2), 4), ((5, 2), (5, 9), 5), ((9, 50), (4, 50), 4), ((5, 0), (5, 0), 0)]
    {
        let mut merged = fill(a.0, a.1);
        merged.merge(fill(b.0, b.1), || random.next_u64());
        assert_eq!((merged.kept(), merged.offered()), (kept, a.1 + b.1));
    }
}
