//! Why a region cannot be split as asked, by what the receiver does next.

use thiserror::Error;

/// Why no split key was returned.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CannotSplit<K> {
    /// Sample longer, or leave the region alone: it is idle in this dimension.
    #[error(
        "found no sampled request with any load, expected some: sample longer, or leave the region whole"
    )]
    NoSamples,

    /// Sample longer.
    #[error(
        "found {found} sampled requests, expected at least {needed} for pieces this small: sample longer, or ask \
         for larger pieces"
    )]
    TooFew {
        /// Requests that carry load in the weighed dimension.
        found: usize,
        /// The number at which an average request fits into the smallest piece.
        needed: usize,
    },

    /// Give up on splitting: one key carries the load, and a key cannot be divided.
    #[error(
        "key {key:?} alone carries {:.0} % of the sampled load, so no boundary comes near the wanted ratio: cache \
         it, spread it over several keys in the application, or serve its reads from followers",
        .share * 100.0
    )]
    SingleHotKey {
        /// The key that cannot be divided.
        key: K,
        /// Share of the sampled load that touches this key and no other.
        share: f64,
    },

    /// Give up on splitting: both parts would serve the same scans.
    #[error(
        "scans over key {key:?} carry {:.0} % of the sampled load and would run on both parts: move the region \
         whole, or shorten the scans in the application",
        .share * 100.0
    )]
    Overlap {
        /// The key that the scans pass over, start at or end at.
        key: K,
        /// Share of the sampled load of those scans.
        share: f64,
    },

    /// Correct the request.
    #[error("found ratio {0}, expected ascending ratios strictly between 0 and 1: correct the split request")]
    BadRatio(f64),
}
