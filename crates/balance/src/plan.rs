//! Plans as values: what to do, why, what it should bring, and what was refused.

use serde::{Deserialize, Serialize};

use crate::imbalance::MaxMean;
use crate::load::Load;
use crate::op::{Refusal, Step};
use crate::policy::Policy;

/// What a planner may be told besides the view.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// How far above its share a node may stand. 0.05 is the paper's choice.
    pub lambda: f64,
    /// Part of λ that overloaded nodes are brought down to. A live loop wants some room below λ, because
    /// measurements are noisy and what stops at λ starts again at the next heartbeat.
    pub aim: f64,
    /// Weights of the dimensions in `2d-wtd`.
    pub weights: Load,
    /// Smallest normalised load worth a move: below it the move costs more than it brings.
    pub min_benefit: f64,
    /// Whether `cooperative` gathers candidates first and drops the losing queue.
    pub lazy: bool,
    /// Whether regions may be split.
    pub splitting: bool,
    /// Two cold neighbours are merged if they are no larger than this together.
    pub merge_bytes_max: u64,
    /// Largest number of steps in one plan.
    pub max_steps: usize,
    /// Recorded with the plan. Every policy here is deterministic without it.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            lambda: 0.05,
            aim: 1.0,
            weights: Load::new(0.5, 0.5),
            min_benefit: 1.0 / 500.0,
            lazy: true,
            splitting: true,
            merge_bytes_max: 20 << 20,
            max_steps: 1_000_000,
            seed: 1,
        }
    }
}

/// Part of λ by which a node may miss the goal, but never λ itself.
pub(crate) const GOOD_ENOUGH: f64 = 0.2;

/// Options that contradict themselves or the planner.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OptionsError {
    /// λ must leave room above the mean without being meaningless.
    #[error("lambda is {0}: expected a number above 0 and at most 10, such as 0.05 for 5 %")]
    Lambda(f64),
    /// The aim is a part of λ.
    #[error("the aim is {0}: expected a part of lambda, above 0 and at most 1")]
    Aim(f64),
    /// Weights must be shares.
    #[error("the weights are {0} and {1}: expected two numbers of at least 0 that sum to 1")]
    Weights(f64, f64),
    /// The smallest benefit is a share of a node.
    #[error("the smallest benefit is {0}: expected a number from 0 up to, but below, 1")]
    MinBenefit(f64),
}

impl Options {
    /// Checks every relation between the options.
    pub fn validate(&self) -> Result<(), OptionsError> {
        if !(self.lambda > 0.0 && self.lambda <= 10.0) {
            return Err(OptionsError::Lambda(self.lambda));
        }
        if !(self.aim > 0.0 && self.aim <= 1.0) {
            return Err(OptionsError::Aim(self.aim));
        }
        let [cpu, io] = self.weights.0;
        if !self.weights.is_valid() || (cpu + io - 1.0).abs() > 1e-6 {
            return Err(OptionsError::Weights(cpu, io));
        }
        if !(0.0..1.0).contains(&self.min_benefit) {
            return Err(OptionsError::MinBenefit(self.min_benefit));
        }
        Ok(())
    }

    /// The largest level a node may have.
    pub(crate) fn ceiling(&self) -> f64 {
        1.0 + self.lambda
    }

    /// The level that overloaded nodes are brought down to.
    pub(crate) fn goal(&self) -> f64 {
        1.0 + self.lambda * self.aim
    }

    /// The level, at or a little above the goal, below which a node is left alone. Without this gap the last
    /// steps would chase noise.
    pub(crate) fn good_enough(&self) -> f64 {
        1.0 + self.lambda * (self.aim + GOOD_ENOUGH).min(1.0)
    }

    /// The largest load a region may have so that any cluster can be balanced (the paper's Theorem 1).
    pub(crate) fn piece(&self) -> f64 {
        self.lambda / 2.0
    }
}

/// What to do, in order; or nothing, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The policy that made it.
    pub policy: Policy,
    /// The λ it aimed at.
    pub lambda: f64,
    /// The seed it was made with.
    pub seed: u64,
    /// Max/Mean of the view.
    pub before: MaxMean,
    /// Max/Mean when all steps are done.
    pub after: MaxMean,
    /// Whether that is within λ, with no load left on draining nodes.
    pub balanced: bool,
    /// The steps.
    #[serde(rename = "ops")]
    pub steps: Vec<Step>,
    /// Candidates that were looked at and not taken; the most telling ones, not all.
    pub rejected: Vec<Refusal>,
    /// Why the plan ends where it ends.
    pub stopped: String,
}
