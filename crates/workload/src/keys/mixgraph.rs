//! Hot ranges as in production: the Mixgraph benchmark with the range model of the Libra prototype.
//!
//! The key space is cut into equal ranges. How often a range is asked for falls with its rank by the sum of
//! two exponentials; inside a range keys follow a power law, scattered by a hash. With the default numbers
//! one range in 3000 takes a third of all requests, and 2596 are never asked for.
//!
//! Two things differ from the prototype on purpose. Weights are real numbers instead of integers rounded to
//! the coldest range, and the draws for range, key and size are independent instead of three uses of
//! one number, which with few keys per range would leave most of them untouched.

mod layout; // where the ranges of each rank lie

use crate::Rng;
use crate::alias::Alias;
use crate::fnv::{hash_number_big_endian, without_sign};
use crate::random::{Purpose, below, internal_rng, shuffle, unit_above_zero};
use crate::sizes::Sizes;
use crate::spec::{InvalidSpec, check};
use crate::synthetic::{KeyLaw, interval_of};

/// Options of the Mixgraph loads: range hotness `a·e^(b·x) + c·e^(d·x)` for rank `x` = 1, 2, …, and the law
/// inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mixgraph {
    /// Weight of the steep term. 1.418 is what the prototype's run file uses; the paper prints 14.18.
    pub a: f64,
    /// Slope of the steep term.
    pub b: f64,
    /// Weight of the flat term.
    pub c: f64,
    /// Slope of the flat term.
    pub d: f64,
    /// Scale of the power law inside a range; 0 makes keys inside a range uniform.
    pub key_a: f64,
    /// Exponent of the power law inside a range; 0 makes keys inside a range uniform.
    pub key_b: f64,
    /// Puts the hottest ranges where values are small and the next hottest where they are large, so that CPU
    /// and disk load peak in different places. Has no effect with moving hot spots or a fixed size.
    pub misaligned: bool,
    /// Permutes all ranges after every so many seconds; `None` keeps them in place.
    pub moving_s: Option<f64>,
}

impl Default for Mixgraph {
    fn default() -> Self {
        Self {
            a: 1.418,
            b: -2.917,
            c: 0.0164,
            d: -0.08082,
            key_a: 0.002312,
            key_b: 0.3467,
            misaligned: true,
            moving_s: None,
        }
    }
}

/// A hotness below this counts as 0: the range is never asked for.
const HOTNESS_MIN: f64 = 1e-16;

impl Mixgraph {
    pub(crate) fn validate(&self, ranges: u32) -> Result<(), InvalidSpec> {
        let name = |field: &'static str| move || format!("mixgraph: {field}");
        for (field, found) in [("a", self.a), ("c", self.c), ("key_a", self.key_a), ("key_b", self.key_b)] {
            check(found >= 0.0 && found.is_finite(), name(field), found, "0 or more")?;
        }
        for (field, found) in [("b", self.b), ("d", self.d)] {
            check(found <= 0.0 && found.is_finite(), name(field), found, "0 or less, so that hotness falls")?;
        }
        if let Some(interval) = self.moving_s {
            let fits = interval > 0.0 && interval.is_finite();
            check(fits, name("moving_s"), interval, "a positive number of seconds")?;
        }
        let sum: f64 = self.hotness(ranges).iter().sum();
        let fits = sum > 0.0 && sum.is_finite();
        check(fits, name("sum of the hotness of all ranges"), sum, "a positive number")
    }

    /// The hotness of each rank, hottest first; ranks that are never asked for are left off.
    fn hotness(&self, ranges: u32) -> Vec<f64> {
        (1..=ranges)
            .map(|rank| {
                let x = f64::from(rank);
                self.a * (self.b * x).exp() + self.c * (self.d * x).exp()
            })
            .take_while(|&hotness| hotness >= HOTNESS_MIN)
            .collect()
    }
}

/// Keys by range and rank.
pub(crate) struct MixgraphKeys {
    options: Mixgraph,
    seed: u64,
    ranks: Alias,
    /// The range of each rank, for the epoch below.
    places: Vec<u32>,
    /// The ranges before any move; epoch 0.
    home: Vec<u32>,
    epoch: u64,
    keys_per_range: u64,
    /// 1 / `key_b`.
    exponent: f64,
}

impl MixgraphKeys {
    /// `sizes` must be made for the same number of ranges.
    pub(crate) fn new(options: Mixgraph, records: u64, ranges: u32, sizes: &Sizes, seed: u64) -> Self {
        let hotness = options.hotness(ranges);
        let mut rng = internal_rng(seed, Purpose::Layout);
        let hot = layout::hot_ranks(&hotness);
        let mut home = layout::spread(ranges, hot, &mut rng);
        if options.misaligned && options.moving_s.is_none() {
            layout::misalign(&mut home, hot, sizes, &mut rng);
        }
        Self {
            options,
            seed,
            ranks: Alias::new(&hotness),
            places: home.clone(),
            home,
            epoch: 0,
            keys_per_range: keys_per_range(records, ranges),
            exponent: 1.0 / options.key_b,
        }
    }

    /// Brings the places up to an epoch. Each is made from the first one, so epochs may come in any order.
    fn move_to(&mut self, epoch: u64) {
        self.epoch = epoch;
        self.places.copy_from_slice(&self.home);
        if epoch > 0 {
            shuffle(&mut self.places, &mut internal_rng(self.seed, Purpose::Moving { epoch }));
        }
    }

    /// A key inside a range, counted from its start.
    fn offset(&self, rng: &mut Rng) -> u64 {
        if self.options.key_a == 0.0 || self.options.key_b == 0.0 {
            return below(self.keys_per_range, rng);
        }
        let rank = self.inner_rank(unit_above_zero(rng));
        without_sign(hash_number_big_endian(rank)) % self.keys_per_range
    }

    /// The rank inside a range, from 1, below which a share `u` of the range's requests lies. With the default
    /// numbers there are 40 million; the hash folds them onto the keys of the range.
    fn inner_rank(&self, u: f64) -> u64 {
        (u / self.options.key_a).powf(self.exponent).ceil() as u64
    }
}

/// Keys in each range. Those left over by the division are not used, so that all ranges are alike.
pub(crate) fn keys_per_range(records: u64, ranges: u32) -> u64 {
    records / u64::from(ranges)
}

impl KeyLaw for MixgraphKeys {
    fn draw(&mut self, now_s: f64, rng: &mut Rng) -> u64 {
        let epoch = self.epoch(now_s);
        if epoch != self.epoch {
            self.move_to(epoch);
        }
        let range = self.places[self.ranks.draw(rng)];
        u64::from(range) * self.keys_per_range + self.offset(rng)
    }

    fn key_space(&self) -> u64 {
        self.keys_per_range * self.home.len() as u64
    }

    fn epoch(&self, now_s: f64) -> u64 {
        self.options.moving_s.map_or(0, |interval| interval_of(now_s, interval))
    }
}

#[cfg(test)]
mod tests;
