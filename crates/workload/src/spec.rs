//! The options of a synthetic load, and building the load from them.

mod catalog; // the loads that have a name

use crate::keys::hotspot::{HotKeys, Motion};
use crate::keys::mixgraph::{MixgraphKeys, keys_per_range};
use crate::keys::records::Records;
use crate::keys::sequential::Sequential;
use crate::mix::MixTable;
use crate::sizes::Sizes;
use crate::synthetic::{KeyLaw, Synthetic};
use crate::{Hotspot, Keys, Mix, Mixgraph, ScanLaw, SizeLaw, Workload};
use std::fmt::Display;
use thiserror::Error;

/// The most records a load may have: 2^40, beyond any cluster that is simulated here.
const RECORDS_MAX: u64 = 1 << 40;

/// The most ranges a load may have: tables grow with it.
const RANGES_MAX: u32 = 10_000_000;

/// All options of a synthetic load. Start from a name and change what you need.
///
/// ```
/// let mut spec = workload::Spec::named("mixgraph-write")?;
/// spec.mixgraph.a = 14.18;
/// spec.seed = 7;
/// let mut load = spec.build()?;
/// let mut rng = workload::rng(spec.seed, 0);
/// let request = load.next(0.0, &mut rng);
/// assert!(request.key < load.key_space());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// What to call it in results.
    pub name: String,
    /// Records at the start, and positions in the key space.
    pub records: u64,
    /// Share of each kind of request.
    pub mix: Mix,
    /// Which law the keys follow.
    pub keys: Keys,
    /// Exponent of Zipf's law, for [`Keys::Zipfian`] and [`Keys::Latest`]; above 0 and below 1.
    pub zipf_theta: f64,
    /// How many rows a scan asks for.
    pub scan: ScanLaw,
    /// How large the records are.
    pub value_bytes: SizeLaw,
    /// Equal ranges of the key space that share one mean value size and, in Mixgraph, one hotness.
    pub ranges: u32,
    /// Options of [`Keys::Mixgraph`].
    pub mixgraph: Mixgraph,
    /// Options of [`Keys::HotspotPeriodic`] and [`Keys::HotspotShift`].
    pub hotspot: Hotspot,
    /// Fixes everything that is drawn while building: value sizes and places of hot ranges.
    pub seed: u64,
}

impl Default for Spec {
    /// Uniform reads of 1 KiB records.
    fn default() -> Self {
        Self {
            name: "custom".into(),
            records: 3_000_000,
            mix: Mix::READ,
            keys: Keys::Uniform,
            zipf_theta: 0.99,
            scan: ScanLaw::YCSB,
            value_bytes: SizeLaw::Fixed(1024),
            ranges: 3000,
            mixgraph: Mixgraph::default(),
            hotspot: Hotspot::default(),
            seed: 1,
        }
    }
}

impl Spec {
    /// The load of a name out of [`Spec::names`], with its default options.
    pub fn named(name: &str) -> Result<Self, UnknownWorkload> {
        catalog::named(name).ok_or_else(|| UnknownWorkload { found: name.into() })
    }

    /// All names, each with one line on what it is.
    pub fn names() -> &'static [(&'static str, &'static str)] {
        catalog::NAMES
    }

    /// Checks every option that this load uses.
    pub fn validate(&self) -> Result<(), InvalidSpec> {
        let records_fit = (1..=RECORDS_MAX).contains(&self.records);
        check(records_fit, || "records".into(), self.records, "1 to 2^40")?;
        self.mix.validate()?;
        self.scan.validate()?;
        self.value_bytes.validate()?;
        if self.keys == Keys::Mixgraph || matches!(self.value_bytes, SizeLaw::ParetoPerRange { .. }) {
            let most = u64::from(RANGES_MAX).min(self.records);
            let fits = (1..=most).contains(&u64::from(self.ranges));
            check(fits, || "ranges".into(), self.ranges, &format!("1 to {most}, and no more than records"))?;
        }
        match self.keys {
            Keys::Zipfian | Keys::Latest => {
                let theta = self.zipf_theta;
                check(theta > 0.0 && theta < 1.0, || "zipf_theta".into(), theta, "above 0 and below 1")
            }
            Keys::Mixgraph => self.mixgraph.validate(self.ranges),
            Keys::HotspotPeriodic | Keys::HotspotShift => self.hotspot.validate(),
            Keys::Uniform | Keys::Sequential => Ok(()),
        }
    }

    /// Checks the options and builds the load.
    pub fn build(&self) -> Result<Box<dyn Workload>, InvalidSpec> {
        self.validate()?;
        let (records, seed) = (self.records, self.seed);
        Ok(match self.keys {
            Keys::Uniform => self.with(Records::uniform(records)),
            Keys::Zipfian => self.with(Records::zipfian(records, self.zipf_theta)),
            Keys::Latest => self.with(Records::latest(records, self.zipf_theta)),
            Keys::Sequential => self.with(Sequential::new(records)),
            Keys::HotspotPeriodic => self.with(HotKeys::new(self.hotspot, Motion::Periodic, records, seed)),
            Keys::HotspotShift => self.with(HotKeys::new(self.hotspot, Motion::Shift, records, seed)),
            Keys::Mixgraph => {
                let key_space = keys_per_range(records, self.ranges) * u64::from(self.ranges);
                let sizes = self.sizes(key_space);
                let keys = MixgraphKeys::new(self.mixgraph, records, self.ranges, &sizes, seed);
                self.assemble(keys, sizes)
            }
        })
    }

    fn with(&self, keys: impl KeyLaw + 'static) -> Box<dyn Workload> {
        let sizes = self.sizes(keys.key_space());
        self.assemble(keys, sizes)
    }

    fn assemble(&self, keys: impl KeyLaw + 'static, sizes: Sizes) -> Box<dyn Workload> {
        Box::new(Synthetic { keys, mix: MixTable::new(&self.mix), scan: self.scan, sizes })
    }

    fn sizes(&self, key_space: u64) -> Sizes {
        Sizes::new(self.value_bytes, key_space, self.ranges, self.seed)
    }
}

/// A name that no workload has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no workload `{found}`: expected one of {}", catalog::list())]
pub struct UnknownWorkload {
    /// The name that was asked for.
    pub found: String,
}

/// An option with a value that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{option} is {found}: expected {expected}")]
pub struct InvalidSpec {
    /// Which option, in words.
    pub option: String,
    /// The value that was given.
    pub found: String,
    /// What it should be.
    pub expected: String,
}

/// Turns a broken condition into an error that names the option, what was found and what was expected.
pub(crate) fn check(
    holds: bool,
    option: impl FnOnce() -> String,
    found: impl Display,
    expected: &str,
) -> Result<(), InvalidSpec> {
    if holds {
        return Ok(());
    }
    Err(InvalidSpec { option: option(), found: found.to_string(), expected: expected.into() })
}

#[cfg(test)]
mod tests;
