//! Which key: one file per law.

pub(crate) mod hotspot; // a contiguous hot set that comes and goes, or moves
pub(crate) mod mixgraph; // ranges by a two-term exponential, a power law inside
pub(crate) mod records; // the hashed record table of YCSB, and the laws over it
pub(crate) mod sequential; // every insert behind the last one

pub use hotspot::Hotspot;
pub use mixgraph::Mixgraph;

/// Which law the keys follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// All keys alike.
    Uniform,
    /// Zipf's law over the records, scattered over the key space by a hash.
    Zipfian,
    /// Zipf's law over the age of the records: the newest is the hottest.
    Latest,
    /// Hot ranges as in the Mixgraph benchmark, with the options in [`Mixgraph`].
    Mixgraph,
    /// One key after the other.
    Sequential,
    /// A hot set that is on half of the time, with the options in [`Hotspot`].
    HotspotPeriodic,
    /// A hot set that moves, with the options in [`Hotspot`].
    HotspotShift,
}
