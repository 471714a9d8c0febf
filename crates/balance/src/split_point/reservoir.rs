//! A uniform sample of a stream whose length is not known beforehand, in bounded memory.

/// Keeps a uniform random sample of at most `capacity` of the items offered.
///
/// Chance is handed in as random `u64`s, so the same numbers give the same sample.
///
/// Worker threads keep one each and [merge](Reservoir::merge) them at the end. Joining the items by hand would
/// be wrong: a thread that saw ten requests would weigh as much as one that saw ten thousand.
#[derive(Clone, Debug)]
pub struct Reservoir<T> {
    kept: Vec<T>,
    capacity: usize,
    offered: u64,
}

impl<T> Reservoir<T> {
    /// An empty reservoir. It takes memory as it fills; a capacity of 0 counts and keeps nothing.
    pub fn new(capacity: usize) -> Self {
        Reservoir { kept: Vec::new(), capacity, offered: 0 }
    }

    /// Offers an item; says whether it was kept, at least for now.
    pub fn offer(&mut self, item: T, random: u64) -> bool {
        self.offer_with(random, || item)
    }

    /// Offers an item that is only made when it is kept, which spares the hot path the copy of its keys.
    pub fn offer_with(&mut self, random: u64, make: impl FnOnce() -> T) -> bool {
        self.offered += 1;
        if self.kept.len() < self.capacity {
            self.kept.push(make());
            return true;
        }
        // The n-th item stays with probability capacity / n, in the place of a random earlier one.
        let place = below(random, self.offered) as usize;
        match self.kept.get_mut(place) {
            Some(slot) => {
                *slot = make();
                true
            }
            None => false,
        }
    }

    /// Takes over another reservoir, as if all its items had been offered here: every item offered to either
    /// has the same chance to be in the result. Holds the smaller of both capacities from then on, because
    /// the smaller sample may not have more to give.
    pub fn merge(&mut self, other: Reservoir<T>, mut random: impl FnMut() -> u64) {
        self.capacity = self.capacity.min(other.capacity);
        let (mut mine, mut theirs) = (std::mem::take(&mut self.kept), other.kept);
        // Draws without replacement from the two streams, each represented by its sample: how many come from
        // which side follows the number offered, which of them follows chance.
        let (mut mine_left, mut theirs_left) = (self.offered, other.offered);
        while self.kept.len() < self.capacity && mine_left + theirs_left > 0 {
            let from_mine = below(random(), mine_left + theirs_left) < mine_left;
            let (side, left) =
                if from_mine { (&mut mine, &mut mine_left) } else { (&mut theirs, &mut theirs_left) };
            *left -= 1;
            let place = below(random(), side.len() as u64) as usize;
            self.kept.push(side.swap_remove(place));
        }
        self.offered += other.offered;
    }

    /// How many items were offered: the true count, of which [`items`](Reservoir::items) is the sample.
    pub fn offered(&self) -> u64 {
        self.offered
    }

    /// How many items are kept.
    pub fn kept(&self) -> usize {
        self.kept.len()
    }

    /// The sample, in no meaningful order.
    pub fn items(&self) -> &[T] {
        &self.kept
    }

    /// The sample, giving up the reservoir.
    pub fn into_items(self) -> Vec<T> {
        self.kept
    }
}

/// Maps a random number to `0..bound` by its upper bits; the bias is below `bound / 2^64`.
fn below(random: u64, bound: u64) -> u64 {
    ((u128::from(random) * u128::from(bound)) >> 64) as u64
}
