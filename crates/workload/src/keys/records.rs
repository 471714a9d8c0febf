//! The record table of YCSB: records are numbered as they are inserted, and hashed over the key space.
//!
//! YCSB stores record `n` under the text `user` + hash(n), so neighbours in the table are strangers in key
//! order. Here the 64-bit hash itself is the key, and its position is the hash scaled down to the key
//! space: the order of positions is the order of hashes. Two records may share a position, as about two thirds
//! of them do when there are as many records as positions; a position is a place in the order, not an
//! identity, and it is regions of many positions that matter.
//!
//! Inserts make the table longer and the key space denser; its end stays where it is.

use crate::Rng;
use crate::fnv::{hash_number, without_sign};
use crate::random::{below, scale};
use crate::sizes::Sizes;
use crate::synthetic::KeyLaw;
use crate::zipf::Zipf;

/// Which record of the table a request is for.
pub(crate) enum Choice {
    /// Any record.
    Uniform,
    /// Zipf's law over the records that were there at the start. The rank is hashed to a record number, so
    /// that hot records are not simply the oldest. Records inserted later are not chosen: letting the
    /// modulus grow would move all hot records at every insert.
    Scrambled(Zipf),
    /// Zipf's law counted back from the newest record.
    Latest(Zipf),
}

/// A choice over the record table.
pub(crate) struct Records {
    /// Records at the start; also the number of positions.
    initial: u64,
    /// Records now.
    count: u64,
    choice: Choice,
}

impl Records {
    pub(crate) fn uniform(records: u64) -> Self {
        Self { initial: records, count: records, choice: Choice::Uniform }
    }

    pub(crate) fn zipfian(records: u64, theta: f64) -> Self {
        Self { initial: records, count: records, choice: Choice::Scrambled(Zipf::new(records, theta)) }
    }

    pub(crate) fn latest(records: u64, theta: f64) -> Self {
        Self { initial: records, count: records, choice: Choice::Latest(Zipf::new(records, theta)) }
    }

    /// Where a record lies in the key space.
    fn position(&self, record: u64) -> u64 {
        scale(hash_number(record), self.initial)
    }
}

impl KeyLaw for Records {
    fn draw(&mut self, _now_s: f64, rng: &mut Rng) -> u64 {
        match &self.choice {
            // Hashing a uniform record number would only leave gaps in the uniform positions.
            Choice::Uniform => below(self.initial, rng),
            Choice::Scrambled(zipf) => {
                let record = without_sign(hash_number(zipf.draw(rng))) % self.initial;
                self.position(record)
            }
            Choice::Latest(zipf) => self.position(self.count - 1 - zipf.draw(rng)),
        }
    }

    fn insert(&mut self, _now_s: f64, _rng: &mut Rng) -> u64 {
        let record = self.count;
        self.count += 1;
        if let Choice::Latest(zipf) = &mut self.choice {
            zipf.grow();
        }
        self.position(record)
    }

    fn key_space(&self) -> u64 {
        self.initial
    }

    /// Inserts are spread by the hash, so every interval has grown by the same factor.
    fn bytes_between(&self, sizes: &Sizes, a: u64, b: u64) -> u64 {
        let at_start = u128::from(sizes.between(a, b));
        let now = at_start * u128::from(self.count) / u128::from(self.initial);
        u64::try_from(now).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SizeLaw;
    use std::collections::BTreeMap;

    const RECORDS: u64 = 1_000_000;

    fn counts(keys: &mut Records, draws: u32) -> BTreeMap<u64, u32> {
        let mut rng = crate::rng(1, 0);
        let mut counts = BTreeMap::new();
        for _ in 0..draws {
            *counts.entry(keys.draw(0.0, &mut rng)).or_default() += 1;
        }
        counts
    }

    fn chi_square(bins: &[u32]) -> f64 {
        let expected = f64::from(bins.iter().sum::<u32>()) / bins.len() as f64;
        bins.iter().map(|&found| (f64::from(found) - expected).powi(2) / expected).sum()
    }

    #[test]
    fn records_are_hashed_evenly_over_the_key_space() {
        let table = Records::uniform(RECORDS);
        // Old records and new ones, each over 100 bins of 10,000 expected.
        for first in [0, RECORDS] {
            let mut bins = [0u32; 100];
            for record in first..first + RECORDS {
                bins[(table.position(record) * 100 / RECORDS) as usize] += 1;
            }
            assert!(chi_square(&bins) < 149.0, "{}", chi_square(&bins)); // 99 degrees of freedom, p = 0.001
        }
    }

    #[test]
    fn uniform_keys_are_uniform() {
        let mut bins = [0u32; 100];
        for (key, count) in counts(&mut Records::uniform(RECORDS), 1_000_000) {
            bins[(key * 100 / RECORDS) as usize] += count;
        }
        assert!(chi_square(&bins) < 149.0, "{}", chi_square(&bins));
    }

    #[test]
    fn the_hottest_zipfian_keys_have_their_shares_and_are_scattered() {
        let draws = 2_000_000;
        let counts = counts(&mut Records::zipfian(RECORDS, 0.99), draws);
        let mut by_count: Vec<(u32, u64)> = counts.iter().map(|(&key, &count)| (count, key)).collect();
        by_count.sort_unstable_by(|left, right| right.cmp(left));
        let zeta: f64 = (1..=RECORDS).map(|i| (i as f64).powf(-0.99)).sum();
        for rank in [1u32, 2] {
            let expected = f64::from(rank).powf(-0.99) / zeta;
            let found = f64::from(by_count[rank as usize - 1].0) / f64::from(draws);
            assert!((found / expected - 1.0).abs() < 0.02, "rank {rank}: {found}, expected {expected}");
        }
        let tenths: std::collections::BTreeSet<u64> =
            by_count[..50].iter().map(|(_, key)| key * 10 / RECORDS).collect();
        assert_eq!(tenths.len(), 10, "the 50 hottest keys lie in {tenths:?} tenths of the key space");
    }

    #[test]
    fn latest_follows_the_newest_record_as_it_is_inserted() {
        let mut keys = Records::latest(RECORDS, 0.99);
        let mut rng = crate::rng(1, 0);
        for _ in 0..3 {
            let newest = keys.insert(0.0, &mut rng);
            let before = keys.position(keys.count - 2);
            let counts = counts(&mut keys, 200_000);
            let hottest = counts.iter().max_by_key(|(_, count)| **count).map(|(&key, _)| key);
            assert_eq!(hottest, Some(newest));
            let (first, second) = (f64::from(counts[&newest]), f64::from(counts[&before]));
            assert!((first / second - 2f64.powf(0.99)).abs() < 0.12, "first {first}, second {second}");
        }
    }

    #[test]
    fn inserts_make_every_interval_denser_and_the_key_space_no_longer() {
        let mut keys = Records::uniform(1000);
        let sizes = Sizes::new(SizeLaw::Fixed(10), 1000, 1, 1);
        let mut rng = crate::rng(1, 0);
        assert_eq!(keys.bytes_between(&sizes, 100, 200), 1000);
        for _ in 0..500 {
            assert!(keys.insert(0.0, &mut rng) < 1000);
        }
        assert_eq!(keys.bytes_between(&sizes, 100, 200), 1500);
        assert_eq!(keys.key_space(), 1000);
    }
}
