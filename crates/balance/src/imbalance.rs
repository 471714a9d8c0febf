//! How far a cluster is from even: Max/Mean per dimension, the deviation of a node, the critical dimension.

use serde::{Deserialize, Serialize};

use crate::board::Board;
use crate::load::{Dimension, Load};

/// Max/Mean over the nodes, per dimension. 1.0 is even; an idle cluster counts as even.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MaxMean {
    /// In processor time.
    pub cpu: f64,
    /// In disk bytes.
    pub io: f64,
}

impl MaxMean {
    /// Perfectly even.
    pub const EVEN: MaxMean = MaxMean { cpu: 1.0, io: 1.0 };

    /// The worse of the dimensions.
    pub fn worst(self) -> f64 {
        self.cpu.max(self.io)
    }

    /// The ratio in one dimension.
    pub fn get(self, dimension: Dimension) -> f64 {
        match dimension {
            Dimension::Cpu => self.cpu,
            Dimension::Io => self.io,
        }
    }

    /// Whether no node carries more than `lambda` above the mean.
    pub fn within(self, lambda: f64) -> bool {
        self.worst() <= 1.0 + lambda + TOLERANCE
    }

    /// Max/Mean of loads that are already divided by their nodes' capacities.
    pub fn of(utilisations: impl Iterator<Item = Load>) -> MaxMean {
        let (mut sum, mut max, mut count) = (Load::ZERO, Load::ZERO, 0.0);
        for load in utilisations {
            sum += load;
            max = max.zip(load, f64::max);
            count += 1.0;
        }
        MaxMean::ratio(max, sum * (1.0 / f64::max(count, 1.0)))
    }

    fn ratio(max: Load, mean: Load) -> MaxMean {
        let ratio = max.zip(mean, |max, mean| if mean > 0.0 { max / mean } else { 1.0 });
        MaxMean { cpu: ratio.get(Dimension::Cpu), io: ratio.get(Dimension::Io) }
    }
}

impl std::fmt::Display for MaxMean {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cpu {:.2} io {:.2}", self.cpu, self.io)
    }
}

/// Slack for sums taken in different orders; far below anything a cluster could measure.
pub(crate) const TOLERANCE: f64 = 1e-9;

impl Board {
    /// Max/Mean over the nodes that keep load. What still sits on draining nodes counts in the mean, because
    /// the others will have to carry it.
    pub fn max_mean(&self) -> MaxMean {
        self.max_mean_of(|node| self.seats[node].load)
    }

    /// Max/Mean if the nodes carried these loads. Where no node keeps load there is nothing to compare.
    pub fn max_mean_of(&self, load: impl Fn(usize) -> Load) -> MaxMean {
        let (mut sum, mut max, mut count, mut stranded) = (Load::ZERO, Load::ZERO, 0.0, Load::ZERO);
        for (node, seat) in self.seats.iter().enumerate() {
            if seat.draining {
                stranded += load(node);
            } else {
                let level = self.level_of(load(node), node);
                sum += level;
                max = max.zip(level, f64::max);
                count += 1.0;
            }
        }
        if count == 0.0 {
            return MaxMean::EVEN;
        }
        MaxMean::ratio(max, (sum + stranded) * (1.0 / count))
    }
}
