//! Loads: one number per dimension.

use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

use serde::{Deserialize, Serialize};

/// A resource in which nodes can be overloaded.
///
/// A further resource is one more variant here, one more entry in [`Dimension::ALL`], and one more field
/// wherever a format names dimensions; nothing else counts to two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dimension {
    /// Processor time.
    Cpu,
    /// Disk bytes.
    Io,
}

/// How many dimensions there are.
pub const DIMENSIONS: usize = Dimension::ALL.len();

impl Dimension {
    /// Every dimension, in the order in which ties are broken.
    pub const ALL: [Dimension; 2] = [Dimension::Cpu, Dimension::Io];

    /// The name used in files, tables and reasons.
    pub fn name(self) -> &'static str {
        match self {
            Dimension::Cpu => "cpu",
            Dimension::Io => "io",
        }
    }
}

impl std::fmt::Display for Dimension {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// An amount of load in every dimension. Units are the caller's own.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Load(pub [f64; DIMENSIONS]);

impl Load {
    /// No load at all.
    pub const ZERO: Load = Load([0.0; DIMENSIONS]);
    /// One unit in every dimension.
    pub const ONE: Load = Load([1.0; DIMENSIONS]);

    /// A load from its two parts.
    pub const fn new(cpu: f64, io: f64) -> Load {
        Load([cpu, io])
    }

    /// The load in one dimension.
    #[inline]
    pub fn get(self, dimension: Dimension) -> f64 {
        self.0[dimension as usize]
    }

    /// Applies a function to each dimension.
    #[inline]
    pub fn map(self, f: impl Fn(f64) -> f64) -> Load {
        Load(self.0.map(f))
    }

    /// Combines two loads dimension by dimension.
    #[inline]
    pub fn zip(self, other: Load, f: impl Fn(f64, f64) -> f64) -> Load {
        let mut out = self.0;
        for (a, b) in out.iter_mut().zip(other.0) {
            *a = f(*a, b);
        }
        Load(out)
    }

    /// Division per dimension; a dimension whose divisor is zero comes out as zero.
    #[inline]
    pub fn per(self, divisor: Load) -> Load {
        self.zip(divisor, |a, b| if b > 0.0 { a / b } else { 0.0 })
    }

    /// The largest dimension's value.
    #[inline]
    pub fn max(self) -> f64 {
        self.0.into_iter().fold(f64::NEG_INFINITY, f64::max)
    }

    /// The sum over dimensions. Meaningful for normalised loads only.
    #[inline]
    pub fn sum(self) -> f64 {
        self.0.into_iter().sum()
    }

    /// The dimension with the largest value; the first one when equal.
    pub fn largest(self) -> Dimension {
        let mut best = Dimension::ALL[0];
        for dimension in Dimension::ALL {
            if self.get(dimension) > self.get(best) {
                best = dimension;
            }
        }
        best
    }

    /// Whether every part is a number and not below zero.
    pub fn is_valid(self) -> bool {
        self.0.into_iter().all(|x| x.is_finite() && x >= 0.0)
    }
}

impl Add for Load {
    type Output = Load;
    #[inline]
    fn add(self, other: Load) -> Load {
        self.zip(other, |a, b| a + b)
    }
}

impl AddAssign for Load {
    #[inline]
    fn add_assign(&mut self, other: Load) {
        *self = *self + other;
    }
}

impl Sub for Load {
    type Output = Load;
    #[inline]
    fn sub(self, other: Load) -> Load {
        self.zip(other, |a, b| a - b)
    }
}

impl SubAssign for Load {
    #[inline]
    fn sub_assign(&mut self, other: Load) {
        *self = *self - other;
    }
}

impl Mul<f64> for Load {
    type Output = Load;
    #[inline]
    fn mul(self, factor: f64) -> Load {
        self.map(|a| a * factor)
    }
}
