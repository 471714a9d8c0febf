//! Which operation: the share of each kind of request.

use crate::random::unit;
use crate::spec::{InvalidSpec, check};
use crate::{Kind, Rng};

/// The share of each kind of request. Shares sum to 1; the default has none yet, to set some on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mix {
    /// Share of reads.
    pub read: f64,
    /// Share of overwrites.
    pub write: f64,
    /// Share of scans.
    pub scan: f64,
    /// Share of inserts.
    pub insert: f64,
    /// Share of reads followed by a write of the same record.
    pub read_modify_write: f64,
}

/// How far from 1 the shares may sum: room for decimal fractions, none for a forgotten share.
const SUM_TOLERANCE: f64 = 1e-9;

impl Mix {
    /// Reads only.
    pub const READ: Self = Self { read: 1.0, ..Self::NONE };
    /// Overwrites only.
    pub const WRITE: Self = Self { write: 1.0, ..Self::NONE };
    /// Scans only.
    pub const SCAN: Self = Self { scan: 1.0, ..Self::NONE };
    /// Inserts only.
    pub const INSERT: Self = Self { insert: 1.0, ..Self::NONE };

    /// Nothing yet; a base to set shares on.
    pub(crate) const NONE: Self =
        Self { read: 0.0, write: 0.0, scan: 0.0, insert: 0.0, read_modify_write: 0.0 };

    fn shares(&self) -> [(Kind, f64); 5] {
        [
            (Kind::Read, self.read),
            (Kind::Write, self.write),
            (Kind::Scan, self.scan),
            (Kind::Insert, self.insert),
            (Kind::ReadModifyWrite, self.read_modify_write),
        ]
    }

    pub(crate) fn validate(&self) -> Result<(), InvalidSpec> {
        for (kind, share) in self.shares() {
            check((0.0..=1.0).contains(&share), || format!("mix: share of {kind:?}"), share, "0 to 1")?;
        }
        let sum: f64 = self.shares().iter().map(|(_, share)| share).sum();
        check((sum - 1.0).abs() <= SUM_TOLERANCE, || "mix: sum of the shares".into(), sum, "1")
    }
}

/// A mix made ready to draw from.
pub(crate) struct MixTable {
    /// Each kind with the running sum of shares up to and including it.
    bounds: [(Kind, f64); 5],
}

impl MixTable {
    pub(crate) fn new(mix: &Mix) -> Self {
        let mut sum = 0.0;
        let mut bounds = mix.shares().map(|(kind, share)| {
            sum += share;
            (kind, sum)
        });
        // Shares may sum to a hair less than 1; the gap goes to the last kind that has a share at all.
        if let Some(last) = mix.shares().iter().rposition(|&(_, share)| share > 0.0) {
            bounds[last].1 = f64::INFINITY;
        }
        Self { bounds }
    }

    pub(crate) fn draw(&self, rng: &mut Rng) -> Kind {
        self.at(unit(rng))
    }

    /// The kind at a place between 0 and 1.
    fn at(&self, u: f64) -> Kind {
        self.bounds.iter().find(|(_, bound)| u < *bound).map_or(Kind::Read, |&(kind, _)| kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_come_as_often_as_their_shares_say() {
        let mix = Mix { read: 0.83, write: 0.14, scan: 0.03, ..Mix::NONE };
        let table = MixTable::new(&mix);
        let mut rng = crate::rng(1, 0);
        let draws: Vec<Kind> = (0..200_000).map(|_| table.draw(&mut rng)).collect();
        for (kind, share) in mix.shares() {
            let found = draws.iter().filter(|&&drawn| drawn == kind).count() as f64 / draws.len() as f64;
            let deviation = (share * (1.0 - share) / draws.len() as f64).sqrt();
            assert!((found - share).abs() <= 4.0 * deviation, "{kind:?}: {found}, expected {share}");
        }
    }

    #[test]
    fn a_pure_mix_gives_its_kind_only() {
        let mut rng = crate::rng(1, 0);
        for (mix, kind) in [(Mix::READ, Kind::Read), (Mix::WRITE, Kind::Write), (Mix::INSERT, Kind::Insert)] {
            let table = MixTable::new(&mix);
            assert!((0..1000).all(|_| table.draw(&mut rng) == kind), "{kind:?}");
        }
    }

    #[test]
    fn a_gap_left_by_rounding_goes_to_the_last_kind_that_has_a_share() {
        let table = MixTable::new(&Mix { write: 0.5, scan: 0.5 - 1e-10, ..Mix::NONE });
        assert_eq!(table.at(0.0), Kind::Write);
        assert_eq!(table.at(1.0 - 1e-12), Kind::Scan);
    }

    #[test]
    fn shares_that_do_not_sum_to_one_are_refused_with_their_sum() {
        let error = Mix { read: 0.9, ..Mix::NONE }.validate().unwrap_err();
        assert_eq!(error.to_string(), "mix: sum of the shares is 0.9: expected 1");
        let error = Mix { read: 1.5, write: -0.5, ..Mix::NONE }.validate().unwrap_err();
        assert_eq!(error.to_string(), "mix: share of Read is 1.5: expected 0 to 1");
        assert!(Mix { read: f64::NAN, ..Mix::NONE }.validate().is_err());
        assert!(Mix { read: 0.1, write: 0.2, scan: 0.7, ..Mix::NONE }.validate().is_ok());
    }
}
