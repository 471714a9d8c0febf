//! Finds the key that cuts a region at a wanted share of its *load*.
//!
//! A region's load rarely follows its size, so cutting in the middle of the data leaves one part hot. The
//! owner of a region therefore records its requests for about ten seconds (in a [`Reservoir`], so memory
//! stays bounded) and asks here for the key that leaves a share `τ` of the sampled load on the left.
//!
//! # How the key is found
//! Three curves over the sampled keys, each a share of the load that never falls:
//!
//! ```text
//!   touches(k)   of the requests that start left of k: at most this much is served by the left part
//!   inside(k)    of the requests that end left of k: at least this much is
//!   left(k)      between the two: a scan is spread evenly over the sampled end keys that it covers
//! ```
//!
//! The *lower bound* is the last key with `touches ≤ τ`, the *upper bound* the first with `inside ≥ τ`. However
//! the cost of straddling scans really falls, the exact cut lies between them. The split key is the middle of
//! both, measured in load: the sampled key between the bounds whose `left` is nearest to `τ`, the smallest
//! when several are equally near.
//!
//! Worked example, four requests of weight 1, `τ = 0.5`: the points 10 and 40, the scans 20–35 and 30–50.
//! The end keys are 10, 35, 40 and 50; the first scan covers one of them, the second three.
//!
//! ```text
//!   key       10    20    30    35    40    50
//!   touches  0.00  0.25  0.50  0.75  0.75  1.00     lower = 30
//!   inside   0.00  0.25  0.25  0.25  0.50  0.75     upper = 40
//!   left     0.00  0.25  0.25  0.25  0.58  0.92     split at 40
//! ```
//!
//! Why end keys: requests start where keys are popular, but end after a length of their own, so ends lie more
//! like the data that a scan walks over.
//!
//! # Where this departs from the letter of the paper
//! The paper takes the start key *after* the request that reaches `τ` and the end key *of* the request that
//! reaches `1 − τ`. For point requests these two cross whenever `τ` falls inside a request, and for disjoint
//! scans their midpoint may cut through a scan although a gap was free. Demanding what the paper says the
//! bounds are for (left load at most `τ`, at least `τ`) removes both cases and keeps its promise that the
//! result is exact without overlap: off by no more than half of one request.
//!
//! The paper's midpoint needs arithmetic on keys. Spreading the scans needs none and comes nearer, on skewed
//! regions with scans, than the midpoint by arithmetic or the middle by count (`properties.rs` compares them).
//! Simply counting straddling scans half to each part was tried too, and missed up to three times as far.
//!
//! # Invariants
//! * `lower ≤ key ≤ upper`, and both parts hold at least one sampled key.
//! * A larger ratio never gives a smaller key.
//! * The order of the samples does not matter; same samples, same key.
//!
//! # Left out
//! * How many samples are enough. From `n` requests the left share is known to about `√(τ(1−τ)/n)`, so 1,000
//!   give ±1.6 points at a half. [`CannotSplit::TooFew`] only rejects what cannot work at all.
//! * Cutting at a key that nobody touched: keys are only ordered here, there is no arithmetic on them.

mod curve;
mod error;
#[cfg(test)]
mod properties;
mod reservoir;
#[cfg(test)]
mod tests;

use curve::Curve;
pub use error::CannotSplit;
pub use reservoir::Reservoir;
use serde::{Deserialize, Serialize};

/// One sampled request: the keys it touched and the bytes it moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample<K> {
    /// The first key touched.
    pub start: K,
    /// The last key touched, inclusive; equal to `start` for a point request. A backward scan may put the
    /// larger key in `start`: it is where requests end, in their own direction, that tells how the data lies.
    pub end: K,
    /// Bytes read or written.
    pub bytes: u64,
}

/// What a sampled request weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weigh {
    /// Each request weighs 1: the cut divides the CPU load.
    Requests,
    /// A request weighs its bytes: the cut divides the disk load. Requests of zero bytes drop out.
    Bytes,
}

impl Weigh {
    fn weight<K>(self, sample: &Sample<K>) -> u64 {
        match self {
            Weigh::Requests => 1,
            Weigh::Bytes => sample.bytes,
        }
    }
}

/// A key to split at, and what the sample says about the outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SplitPoint<K> {
    /// First key of the right part.
    pub key: K,
    /// Share of the sampled load on the left, straddling scans divided by the sampled end keys on either side.
    pub left_share: f64,
    /// Share of the sampled load that touches both parts. However a straddling scan's cost is really divided,
    /// `left_share` is not further off than this.
    pub straddling: f64,
    /// The exact cut is not left of this key.
    pub lower: K,
    /// The exact cut is not right of this key. The largest sampled key when no sampled key lies behind it.
    pub upper: K,
}

/// A cut that is wanted, and how far off it may be.
#[derive(Clone, Copy)]
struct Target {
    ratio: f64,
    /// Largest accepted distance between the ratio and the share reached. Half of the smaller neighbouring
    /// piece: within it a piece comes out between half and one and a half times what was asked for, and two
    /// targets can meet in the same key only when it lies exactly midway between them.
    tolerance: f64,
}

/// More than this share of the load on both sides of a cut, and the cut is refused: the parts would share
/// most of their requests, and `left_share` would say little. TiKV's own splitter draws the same line
/// (`split-contained-score`).
const STRADDLING_MAX: f64 = 0.5;

/// Finds the key that leaves `ratio` of the sampled load on its left.
///
/// The result may miss the ratio by half of the smaller part; a larger miss is an error that names the
/// obstacle.
pub fn split_point<K: Ord + Clone>(
    samples: &[Sample<K>],
    ratio: f64,
    weigh: Weigh,
) -> Result<SplitPoint<K>, CannotSplit<K>> {
    let curve = prepare(samples, &[Target::alone(ratio)?], weigh)?;
    cut(&curve, Target::alone(ratio)?)
}

/// Cuts a region into pieces of load `piece`: a cut at every multiple of `piece` below 1, ascending.
///
/// Cuts that an obstacle makes impossible are left out; when none is left, the obstacle is the error. The last
/// piece holds the remainder and may be small.
pub fn split_points<K: Ord + Clone>(
    samples: &[Sample<K>],
    piece: f64,
    weigh: Weigh,
) -> Result<Vec<SplitPoint<K>>, CannotSplit<K>> {
    // Judged before the list of multiples is made, which bounds that list by the number of samples.
    let first = Target { ratio: open_unit(piece)?, tolerance: piece / 2.0 };
    let curve = prepare(samples, &[first], weigh)?;
    let targets: Vec<_> = (1..=samples.len())
        // Rounding takes away the noise of the product, so that 3 × 0.1 meets 3 requests of 10 exactly.
        .map(|multiple| (multiple as f64 * piece * 1e12).round() / 1e12)
        .take_while(|ratio| *ratio < 1.0 - piece * 1e-6)
        .map(|ratio| Target { ratio, ..first })
        .collect();
    cut_all(&curve, &targets)
}

/// Cuts at each of several cumulative ratios, which must ascend strictly. No ratios, no cuts.
///
/// Cuts that an obstacle makes impossible are left out; when none is left, the obstacle is the error.
pub fn split_at_ratios<K: Ord + Clone>(
    samples: &[Sample<K>],
    ratios: &[f64],
    weigh: Weigh,
) -> Result<Vec<SplitPoint<K>>, CannotSplit<K>> {
    let targets = Target::list(ratios)?;
    if targets.is_empty() {
        return Ok(Vec::new());
    }
    cut_all(&prepare(samples, &targets, weigh)?, &targets)
}

/// The share of the sampled load left of `key`, straddling scans divided as above; 0 when there is no load.
///
/// A plain pass over the samples that shares no code with the search, so that each can check the other.
pub fn left_share<K: Ord>(samples: &[Sample<K>], key: &K, weigh: Weigh) -> f64 {
    let mut ends: Vec<&K> =
        samples.iter().filter(|sample| weigh.weight(sample) > 0).map(|sample| &sample.end).collect();
    ends.sort_unstable();
    ends.dedup();
    let ends_before = |key: &K| ends.partition_point(|end| *end < key);
    let (mut left, mut total) = (0.0, 0.0);
    for sample in samples {
        let (first, last) = ((&sample.start).min(&sample.end), (&sample.start).max(&sample.end));
        let covered = ends.partition_point(|end| *end <= last) - ends_before(first);
        let covered_left = ends_before(key.min(last)).saturating_sub(ends_before(first));
        let share = if last < key { 1.0 } else { covered_left as f64 / covered.max(1) as f64 };
        left += weigh.weight(sample) as f64 * share;
        total += weigh.weight(sample) as f64;
    }
    if total > 0.0 { left / total } else { 0.0 }
}

impl Target {
    fn alone<K>(ratio: f64) -> Result<Target, CannotSplit<K>> {
        open_unit(ratio)?;
        Ok(Target { ratio, tolerance: ratio.min(1.0 - ratio) / 2.0 })
    }

    fn list<K>(ratios: &[f64]) -> Result<Vec<Target>, CannotSplit<K>> {
        let mut targets = Vec::with_capacity(ratios.len());
        let mut previous = 0.0;
        for (index, &ratio) in ratios.iter().enumerate() {
            let next = ratios.get(index + 1).copied().unwrap_or(1.0);
            if open_unit(ratio)? <= previous {
                return Err(CannotSplit::BadRatio(ratio));
            }
            targets.push(Target { ratio, tolerance: (ratio - previous).min(next - ratio) / 2.0 });
            previous = ratio;
        }
        Ok(targets)
    }
}

fn open_unit<K>(ratio: f64) -> Result<f64, CannotSplit<K>> {
    // Written so that NaN fails it.
    if ratio > 0.0 && ratio < 1.0 { Ok(ratio) } else { Err(CannotSplit::BadRatio(ratio)) }
}

/// Builds the curve, after checking that there are samples enough to resolve the finest target.
fn prepare<'a, K: Ord>(
    samples: &'a [Sample<K>],
    targets: &[Target],
    weigh: Weigh,
) -> Result<Curve<'a, K>, CannotSplit<K>> {
    let found = samples.iter().filter(|sample| weigh.weight(sample) > 0).count();
    if found == 0 {
        return Err(CannotSplit::NoSamples);
    }
    let finest = targets.iter().map(|target| target.tolerance).fold(f64::INFINITY, f64::min);
    // The smallest piece must be able to hold one average request. The slack absorbs the rounding of 1 / 0.1.
    let needed = (0.5 / finest - 1e-9).ceil() as usize;
    if found < needed {
        return Err(CannotSplit::TooFew { found, needed });
    }
    Ok(Curve::new(samples, weigh))
}

fn cut_all<K: Ord + Clone>(
    curve: &Curve<'_, K>,
    targets: &[Target],
) -> Result<Vec<SplitPoint<K>>, CannotSplit<K>> {
    let mut cuts: Vec<SplitPoint<K>> = Vec::new();
    let mut obstacle = None;
    for &target in targets {
        match cut(curve, target) {
            // The same key, or a piece that would hold no load.
            Ok(next) if cuts.last().is_some_and(|last| last.left_share >= next.left_share) => {}
            Ok(next) => cuts.push(next),
            // The first obstacle is as good as any: it stands alone in the way of all cuts, or it is the
            // leftmost of several that do.
            Err(error) => obstacle = obstacle.or(Some(error)),
        }
    }
    match obstacle {
        Some(error) if cuts.is_empty() => Err(error),
        _ => Ok(cuts),
    }
}

fn cut<K: Ord + Clone>(curve: &Curve<'_, K>, target: Target) -> Result<SplitPoint<K>, CannotSplit<K>> {
    let lower = curve.last_touching_at_most(target.ratio);
    let upper = curve.first_inside_at_least(target.ratio).max(lower);
    // A cut at the smallest sampled key would leave nothing on the left.
    let Some(at) = curve.nearest(target.ratio, lower.max(1), upper) else {
        return Err(CannotSplit::SingleHotKey { key: curve.key(lower).clone(), share: 1.0 });
    };
    // The slack is for rounding: 0.4 − 0.35 must not be more than 0.05.
    if (curve.left(at) - target.ratio).abs() > target.tolerance + 1e-9 {
        return Err(obstacle_at(curve, target.ratio));
    }
    if curve.straddling(at) > STRADDLING_MAX {
        return Err(CannotSplit::Overlap { key: curve.key(at).clone(), share: curve.straddling(at) });
    }
    Ok(SplitPoint {
        key: curve.key(at).clone(),
        left_share: curve.left(at),
        straddling: curve.straddling(at),
        lower: curve.key(lower).clone(),
        upper: curve.key(upper).clone(),
    })
}

/// Names what keeps the curve from coming near `ratio`. Between two neighbouring sampled keys it rises only by the
/// load on the first of them, so it is always one key: hot itself, or covered by scans.
fn obstacle_at<K: Ord + Clone>(curve: &Curve<'_, K>, ratio: f64) -> CannotSplit<K> {
    let at = curve.last_left_at_most(ratio);
    let key = curve.key(at).clone();
    if curve.on_key_alone(at) >= curve.scans_over(at) {
        CannotSplit::SingleHotKey { key, share: curve.on_key_alone(at) }
    } else {
        CannotSplit::Overlap { key, share: curve.scans_over(at) }
    }
}
