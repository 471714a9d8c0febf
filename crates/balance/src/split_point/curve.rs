//! How the sampled load lies over the sampled keys: sorted once, asked for any number of ratios.

use super::{Sample, Weigh};

/// Cumulative load over the distinct sampled keys in ascending order.
///
/// Sums are integers, so they are exact, never fall from one key to the next, and do not depend on the order
/// of the samples.
pub(super) struct Curve<'a, K> {
    knots: Vec<Knot<'a, K>>,
    /// Load of all samples; positive.
    total: u128,
}

/// One sampled key, with what lies strictly left of it and exactly on it.
struct Knot<'a, K> {
    key: &'a K,
    /// Load of the requests that start left of this key.
    starts_before: u128,
    /// Load of the requests that end left of this key.
    ends_before: u128,
    /// Load left of this key, scans spread over the keys they cover; in fractions of [`ONE`].
    left: u128,
    /// Load of the requests that touch this key and no other.
    alone: u128,
}

/// A weight of 1 in the fixed-point sums. Leaves 24 bits for the number of samples besides 64 for a weight,
/// and an error below a millionth when a scan covers a million keys.
const ONE: u128 = 1 << 40;

impl<'a, K: Ord> Curve<'a, K> {
    /// Sorts the samples, `O(n log n)`. At least one must weigh something.
    pub(super) fn new(samples: &'a [Sample<K>], weigh: Weigh) -> Self {
        let requests: Vec<_> = samples.iter().filter(|sample| weigh.weight(sample) > 0).collect();
        let mut keys: Vec<&K> = requests.iter().flat_map(|sample| [&sample.start, &sample.end]).collect();
        keys.sort_unstable();
        keys.dedup();
        let at = |key: &K| keys.partition_point(|other| *other < key);
        let places: Vec<_> = requests.iter().map(|sample| (at(&sample.start), at(&sample.end))).collect();

        let mut deltas: Vec<_> = keys.iter().map(|_| Delta::default()).collect();
        places.iter().for_each(|&(_, end)| deltas[end].is_tick = true);
        let ticks_before = ticks_before(&deltas);
        for (sample, (start, end)) in requests.into_iter().zip(places) {
            let (first, last) = (start.min(end), start.max(end));
            let ticks = ticks_before[last + 1] - ticks_before[first];
            spread(&mut deltas, first, last, ticks, u128::from(weigh.weight(sample)));
        }
        Curve::sum_up(keys, &deltas)
    }

    fn sum_up(keys: Vec<&'a K>, deltas: &[Delta]) -> Self {
        let (mut starts, mut ends, mut left, mut per_tick) = (0, 0, 0, 0);
        let mut knots = Vec::with_capacity(keys.len());
        for (key, delta) in keys.into_iter().zip(deltas) {
            knots.push(Knot { key, starts_before: starts, ends_before: ends, left, alone: delta.alone });
            starts += delta.starts;
            ends += delta.ends;
            per_tick += delta.per_tick_from_here;
            left += delta.rest + if delta.is_tick { per_tick } else { 0 };
            per_tick -= delta.per_tick_to_here;
        }
        assert!(starts > 0, "a load curve needs load; the caller checks for it");
        assert!(starts == ends, "every request starts and ends once: {starts} starts, {ends} ends");
        assert!(left == starts * ONE, "spreading must keep the load: {left} of {starts} × {ONE}");
        Curve { knots, total: starts }
    }

    /// The key at an index; indices come from the search methods below.
    pub(super) fn key(&self, index: usize) -> &'a K {
        self.knots[index].key
    }

    /// Share of load on the left of a cut at this key.
    pub(super) fn left(&self, index: usize) -> f64 {
        self.left_of(&self.knots[index])
    }

    /// Share of load that touches both sides of a cut at this key.
    pub(super) fn straddling(&self, index: usize) -> f64 {
        let knot = &self.knots[index];
        self.share(knot.starts_before - knot.ends_before)
    }

    /// Share of load that touches this key and no other.
    pub(super) fn on_key_alone(&self, index: usize) -> f64 {
        self.share(self.knots[index].alone)
    }

    /// Share of load that touches this key and others too.
    pub(super) fn scans_over(&self, index: usize) -> f64 {
        let knot = &self.knots[index];
        let touching = self.knots.get(index + 1).map_or(self.total, |next| next.starts_before);
        self.share(touching - knot.ends_before - knot.alone)
    }

    /// The paper's lower bound: the last key that at most `ratio` of the load starts left of.
    pub(super) fn last_touching_at_most(&self, ratio: f64) -> usize {
        // Nothing starts left of the first key, so the partition point is at least 1.
        self.knots.partition_point(|knot| self.share(knot.starts_before) <= ratio) - 1
    }

    /// The paper's upper bound: the first key that at least `ratio` of the load ends left of, or the last key.
    pub(super) fn first_inside_at_least(&self, ratio: f64) -> usize {
        let first = self.knots.partition_point(|knot| self.share(knot.ends_before) < ratio);
        first.min(self.knots.len() - 1)
    }

    /// The last key with `left` at most `ratio`: the load that passes the ratio lies on this key.
    pub(super) fn last_left_at_most(&self, ratio: f64) -> usize {
        // Nothing lies left of the first key, so the partition point is at least 1.
        self.knots.partition_point(|knot| self.left_of(knot) <= ratio) - 1
    }

    /// Of the keys from index `from` to index `to`, the one whose `left` is nearest to `ratio`; the smallest of
    /// equally near ones, which fewest scans straddle. None when there are no such keys.
    pub(super) fn nearest(&self, ratio: f64, from: usize, to: usize) -> Option<usize> {
        let window = self.knots.get(from..=to)?;
        let first_at_least = |share: f64| from + window.partition_point(|knot| self.left_of(knot) < share);
        // `left` never falls, so only the two keys on either side of the ratio can be nearest.
        let above = first_at_least(ratio);
        let distance = |index: usize| (self.left(index) - ratio).abs();
        let nearest = (above.saturating_sub(1).max(from)..=above.min(to))
            .min_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)))?;
        Some(first_at_least(self.left(nearest)))
    }

    fn left_of(&self, knot: &Knot<'a, K>) -> f64 {
        knot.left as f64 / (self.total * ONE) as f64
    }

    fn share(&self, load: u128) -> f64 {
        load as f64 / self.total as f64
    }
}

/// What changes at a key as the sums run over the keys from left to right.
#[derive(Default)]
struct Delta {
    starts: u128,
    ends: u128,
    alone: u128,
    /// Whether some request gave this key as its end: scans are spread over such keys.
    is_tick: bool,
    /// Load that lies on this tick and each later one, until it is taken back; in fractions of [`ONE`].
    per_tick_from_here: u128,
    /// Load that lies on this tick for the last time.
    per_tick_to_here: u128,
    /// What was lost by dividing in whole numbers.
    rest: u128,
}

/// How many ticks lie left of each index, and in all.
fn ticks_before(deltas: &[Delta]) -> Vec<u128> {
    let mut ticks = 0;
    let mut before = vec![0];
    before.extend(deltas.iter().map(|delta| {
        ticks += u128::from(delta.is_tick);
        ticks
    }));
    before
}

/// Enters a request that covers `ticks` ticks between two indices. Its own end is one, so there is one at least.
fn spread(deltas: &mut [Delta], first: usize, last: usize, ticks: u128, weight: u128) {
    let each = weight * ONE / ticks;
    deltas[first].starts += weight;
    deltas[first].per_tick_from_here += each;
    deltas[last].ends += weight;
    deltas[last].per_tick_to_here += each;
    deltas[last].rest += weight * ONE - each * ticks;
    if first == last {
        deltas[first].alone += weight;
    }
}
