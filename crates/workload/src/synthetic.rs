//! Four laws put together: operation, key, rows, bytes.

use crate::mix::MixTable;
use crate::sizes::Sizes;
use crate::{Kind, Request, Rng, ScanLaw, Workload};

/// Which key comes next. One type per law, so that the whole draw compiles into one function.
pub(crate) trait KeyLaw: Send {
    /// The key of a request for a record that exists.
    fn draw(&mut self, now_s: f64, rng: &mut Rng) -> u64;

    /// The key of a new record. Laws whose key space is full from the start overwrite one instead.
    fn insert(&mut self, now_s: f64, rng: &mut Rng) -> u64 {
        self.draw(now_s, rng)
    }

    /// One more than the highest key.
    fn key_space(&self) -> u64;

    /// See [`Workload::epoch`].
    fn epoch(&self, _now_s: f64) -> u64 {
        0
    }

    /// See [`Workload::intensity`].
    fn intensity(&self, _now_s: f64) -> f64 {
        1.0
    }

    /// Bytes written so far in `[a, b)`; one record per position unless the law says otherwise.
    fn bytes_between(&self, sizes: &Sizes, a: u64, b: u64) -> u64 {
        sizes.between(a, b)
    }
}

/// A load drawn from laws, as opposed to one replayed from a trace.
pub(crate) struct Synthetic<K> {
    pub(crate) keys: K,
    pub(crate) mix: MixTable,
    pub(crate) scan: ScanLaw,
    pub(crate) sizes: Sizes,
}

impl<K: KeyLaw> Workload for Synthetic<K> {
    fn next(&mut self, now_s: f64, rng: &mut Rng) -> Request {
        let kind = self.mix.draw(rng);
        let key = match kind {
            Kind::Insert => self.keys.insert(now_s, rng),
            _ => self.keys.draw(now_s, rng),
        };
        let rows = match kind {
            Kind::Scan => clip(self.scan.draw(rng), self.keys.key_space() - key),
            _ => 1,
        };
        Request { kind, key, value_bytes: self.sizes.draw(key, rng), rows }
    }

    fn key_space(&self) -> u64 {
        self.keys.key_space()
    }

    fn epoch(&self, now_s: f64) -> u64 {
        self.keys.epoch(now_s)
    }

    fn intensity(&self, now_s: f64) -> f64 {
        self.keys.intensity(now_s)
    }

    fn value_bytes(&self, key: u64) -> u32 {
        self.sizes.mean_bytes(key)
    }

    fn bytes_between(&self, a: u64, b: u64) -> u64 {
        self.keys.bytes_between(&self.sizes, a, b)
    }
}

/// A scan ends with the key space.
fn clip(rows: u32, keys_left: u64) -> u32 {
    u32::try_from(keys_left).map_or(rows, |left| rows.min(left))
}

/// Which interval of `length_s` seconds a time falls into. Times before the start count as the first.
pub(crate) fn interval_of(now_s: f64, length_s: f64) -> u64 {
    // The cast turns negative numbers and NaN into 0, and saturates above.
    (now_s / length_s) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scans_end_with_the_key_space() {
        assert_eq!(clip(100, 1), 1);
        assert_eq!(clip(100, 1 << 40), 100);
        assert_eq!(clip(100, 100), 100);
    }

    #[test]
    fn intervals_start_at_zero_and_survive_odd_times() {
        assert_eq!(interval_of(0.0, 30.0), 0);
        assert_eq!(interval_of(29.999, 30.0), 0);
        assert_eq!(interval_of(30.0, 30.0), 1);
        assert_eq!(interval_of(-5.0, 30.0), 0);
        assert_eq!(interval_of(f64::NAN, 30.0), 0);
    }
}
