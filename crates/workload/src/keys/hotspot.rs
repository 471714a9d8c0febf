//! A contiguous hot set that comes and goes, or moves from place to place.

use crate::Rng;
use crate::random::{Purpose, below, internal_rng, unit};
use crate::spec::{InvalidSpec, check};
use crate::synthetic::{KeyLaw, interval_of};

/// Options of the two hot-spot loads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hotspot {
    /// Share of the key space that is hot.
    pub key_share: f64,
    /// Share of the requests that go to it while it is on.
    pub request_share: f64,
    /// `hotspot-periodic`: seconds from one start of the hot half to the next.
    pub period_s: f64,
    /// `hotspot-periodic`: intensity of the load in the cold half; 1.0 in the hot half.
    pub intensity_off: f64,
    /// `hotspot-shift`: seconds that the hot set stays in one place.
    pub shift_s: f64,
}

impl Default for Hotspot {
    fn default() -> Self {
        Self { key_share: 0.01, request_share: 0.5, period_s: 60.0, intensity_off: 0.5, shift_s: 120.0 }
    }
}

impl Hotspot {
    pub(crate) fn validate(&self) -> Result<(), InvalidSpec> {
        let name = |field: &'static str| move || format!("hotspot: {field}");
        let share = |x: f64| x > 0.0 && x < 1.0;
        let seconds = |x: f64| x > 0.0 && x.is_finite();
        check(share(self.key_share), name("key_share"), self.key_share, "above 0 and below 1")?;
        check(share(self.request_share), name("request_share"), self.request_share, "above 0 and below 1")?;
        check(seconds(self.period_s), name("period_s"), self.period_s, "a positive number of seconds")?;
        check(seconds(self.shift_s), name("shift_s"), self.shift_s, "a positive number of seconds")?;
        let off = self.intensity_off;
        check(off >= 0.0 && off.is_finite(), name("intensity_off"), off, "0 or more")
    }
}

/// What the hot set does over time.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Motion {
    /// On in even half periods, off in odd ones, always in the same place.
    Periodic,
    /// Always on, in a new place after every interval.
    Shift,
}

/// Keys of which a hot set takes a fixed share.
pub(crate) struct HotKeys {
    options: Hotspot,
    motion: Motion,
    key_space: u64,
    hot_keys: u64,
    /// Places where the hot set can be, side by side.
    slots: u64,
    first_slot: u64,
    /// Slots from one place to the next; has no divisor in common with `slots`, so all get their turn.
    stride: u64,
}

impl HotKeys {
    pub(crate) fn new(options: Hotspot, motion: Motion, key_space: u64, seed: u64) -> Self {
        let hot_keys = ((key_space as f64 * options.key_share) as u64).clamp(1, key_space);
        let slots = key_space / hot_keys;
        let first_slot = below(slots, &mut internal_rng(seed, Purpose::Hotspot));
        // Steps of the golden section land far from all recent places, so a move is always a real one.
        let golden = ((slots as f64 * 0.618) as u64).max(1);
        let stride = (golden..).find(|&step| gcd(step, slots) == 1).unwrap_or(1);
        Self { options, motion, key_space, hot_keys, slots, first_slot, stride }
    }

    /// The first hot key in an epoch, if the hot set is on.
    fn hot_start(&self, epoch: u64) -> Option<u64> {
        let steps = match self.motion {
            Motion::Periodic if epoch % 2 == 1 => return None,
            Motion::Periodic => 0,
            Motion::Shift => u128::from(epoch) * u128::from(self.stride),
        };
        let slot = (u128::from(self.first_slot) + steps) % u128::from(self.slots);
        Some(slot as u64 * self.hot_keys)
    }
}

impl KeyLaw for HotKeys {
    fn draw(&mut self, now_s: f64, rng: &mut Rng) -> u64 {
        let Some(start) = self.hot_start(self.epoch(now_s)) else {
            return below(self.key_space, rng);
        };
        let cold_keys = self.key_space - self.hot_keys;
        if unit(rng) < self.options.request_share || cold_keys == 0 {
            return start + below(self.hot_keys, rng);
        }
        // The rest goes around the hot set, so that its share is exactly the one asked for.
        let key = below(cold_keys, rng);
        if key < start { key } else { key + self.hot_keys }
    }

    fn key_space(&self) -> u64 {
        self.key_space
    }

    fn epoch(&self, now_s: f64) -> u64 {
        match self.motion {
            Motion::Periodic => interval_of(now_s, self.options.period_s / 2.0),
            Motion::Shift => interval_of(now_s, self.options.shift_s),
        }
    }

    fn intensity(&self, now_s: f64) -> f64 {
        let on = self.motion == Motion::Shift || self.epoch(now_s).is_multiple_of(2);
        if on { 1.0 } else { self.options.intensity_off }
    }
}

/// The greatest common divisor.
fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACE: u64 = 100_000;

    fn keys(motion: Motion) -> HotKeys {
        HotKeys::new(Hotspot::default(), motion, SPACE, 1)
    }

    /// Share of 50,000 requests at `now_s` that fall into the 1 % of keys from `start` on.
    fn share_of(keys: &mut HotKeys, start: u64, now_s: f64) -> f64 {
        let mut rng = crate::rng(1, 0);
        let hot = start..start + SPACE / 100;
        let hits = (0..50_000).filter(|_| hot.contains(&keys.draw(now_s, &mut rng))).count();
        hits as f64 / 50_000.0
    }

    #[test]
    fn the_periodic_hot_set_is_on_in_even_halves_and_off_in_odd_ones() {
        let mut keys = keys(Motion::Periodic);
        let start = keys.hot_start(0).unwrap();
        for (now_s, epoch, share, intensity) in [
            (0.0, 0, 0.5, 1.0),
            (29.0, 0, 0.5, 1.0),
            (30.0, 1, 0.01, 0.5),
            (59.0, 1, 0.01, 0.5),
            (60.0, 2, 0.5, 1.0),
        ] {
            assert_eq!(keys.epoch(now_s), epoch, "at {now_s} s");
            assert_eq!(keys.intensity(now_s), intensity, "at {now_s} s");
            let found = share_of(&mut keys, start, now_s);
            assert!((found - share).abs() < 0.01, "at {now_s} s the hot set gets {found}, expected {share}");
        }
    }

    #[test]
    fn the_shifting_hot_set_visits_every_place_before_it_returns() {
        let mut keys = keys(Motion::Shift);
        let starts: Vec<u64> = (0..100).map(|epoch| keys.hot_start(epoch).unwrap()).collect();
        let distinct: std::collections::BTreeSet<&u64> = starts.iter().collect();
        assert_eq!(distinct.len(), 100);
        for epoch in [0, 1, 2] {
            let now_s = 120.0 * epoch as f64 + 1.0;
            assert_eq!(keys.epoch(now_s), epoch);
            assert_eq!(keys.intensity(now_s), 1.0);
            let found = share_of(&mut keys, starts[epoch as usize], now_s);
            assert!((found - 0.5).abs() < 0.01, "epoch {epoch}: {found}");
            assert!(share_of(&mut keys, starts[epoch as usize + 1], now_s) < 0.01);
        }
    }

    #[test]
    fn what_is_not_hot_is_uniform_around_the_hot_set() {
        let mut keys = keys(Motion::Shift);
        let hot_bin = (keys.hot_start(0).unwrap() / 1000) as usize;
        let mut rng = crate::rng(3, 0);
        let mut bins = [0u32; 100];
        for _ in 0..198_000 {
            bins[(keys.draw(0.0, &mut rng) / 1000) as usize] += 1;
        }
        // Half of the draws, 99,000, over 99 bins of 1000 each; five standard deviations are 158.
        for (bin, &count) in bins.iter().enumerate().filter(|(bin, _)| *bin != hot_bin) {
            assert!((842..=1158).contains(&count), "bin {bin}, hot bin {hot_bin}: {count}");
        }
    }

    #[test]
    fn tiny_key_spaces_work() {
        let mut rng = crate::rng(1, 0);
        for key_space in 1..20 {
            for motion in [Motion::Periodic, Motion::Shift] {
                let mut keys = HotKeys::new(Hotspot::default(), motion, key_space, 1);
                assert!((0..1000).all(|i| keys.draw(f64::from(i), &mut rng) < key_space));
            }
        }
    }

    #[test]
    fn the_place_depends_on_the_seed() {
        let starts: std::collections::BTreeSet<_> = (0..50)
            .map(|seed| HotKeys::new(Hotspot::default(), Motion::Periodic, SPACE, seed).hot_start(0))
            .collect();
        assert!(starts.len() > 25, "{} places for 50 seeds", starts.len());
    }
}
