//! Every insert lands behind the last one: the classic way to keep one region hot at a time.

use crate::Rng;
use crate::random::below;
use crate::sizes::Sizes;
use crate::synthetic::KeyLaw;

/// Keys that grow by one. At the end of the key space the writer starts over and overwrites.
pub(crate) struct Sequential {
    key_space: u64,
    /// Where the next insert goes.
    next: u64,
    /// Keys written so far, counted from 0; the whole key space after the first round.
    filled: u64,
}

impl Sequential {
    pub(crate) fn new(key_space: u64) -> Self {
        Self { key_space, next: 0, filled: 0 }
    }
}

impl KeyLaw for Sequential {
    /// Reads go to any key that was written; to key 0 as long as there is none.
    fn draw(&mut self, _now_s: f64, rng: &mut Rng) -> u64 {
        below(self.filled, rng)
    }

    fn insert(&mut self, _now_s: f64, _rng: &mut Rng) -> u64 {
        let key = self.next;
        self.filled = self.filled.max(key + 1);
        self.next = if key + 1 == self.key_space { 0 } else { key + 1 };
        key
    }

    fn key_space(&self) -> u64 {
        self.key_space
    }

    fn bytes_between(&self, sizes: &Sizes, a: u64, b: u64) -> u64 {
        sizes.between(a.min(self.filled), b.min(self.filled))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SizeLaw;

    #[test]
    fn keys_grow_by_one_and_wrap() {
        let mut keys = Sequential::new(3);
        let mut rng = crate::rng(1, 0);
        let found: Vec<u64> = (0..7).map(|_| keys.insert(0.0, &mut rng)).collect();
        assert_eq!(found, [0, 1, 2, 0, 1, 2, 0]);
    }

    #[test]
    fn only_what_was_written_counts_as_data() {
        let mut keys = Sequential::new(100);
        let sizes = Sizes::new(SizeLaw::Fixed(10), 100, 1, 1);
        let mut rng = crate::rng(1, 0);
        assert_eq!(keys.bytes_between(&sizes, 0, 100), 0);
        for _ in 0..40 {
            keys.insert(0.0, &mut rng);
        }
        assert_eq!(keys.bytes_between(&sizes, 30, 100), 100);
        assert!((0..1000).all(|_| keys.draw(0.0, &mut rng) < 40));
        for _ in 0..70 {
            keys.insert(0.0, &mut rng);
        }
        assert_eq!(keys.bytes_between(&sizes, 0, 100), 1000, "after the wrap all keys hold data");
    }
}
