//! Learns what a write costs relative to a read, and says how sure it is.
//!
//! Every heartbeat of every node is one equation, `cpu ≈ base + kr·reads + kw·writes`, and `c = kw / kr`. They are
//! solved together by recursive least squares with exponential forgetting, kept in *information form*: the
//! sums `Σ xxᵀ` and `Σ xy`, old ones fading. That needs no initial guess, so nothing pulls the result, and data
//! that does not determine `c` shows up as a matrix that cannot be inverted instead of a confident number.
//!
//! * **Scale.** CPU noise grows with load, so each equation is divided by the work it is about (reads plus
//!   1.63 writes, plus a quarter of the usual work so that a nearly idle node does not shout).
//! * **Outliers.** An equation that the current solution misses by more than two standard deviations counts
//!   less, in proportion (Huber's rule). A saturated node is skipped: its CPU cannot show what it would need.
//! * **Sureness.** The standard error of `c` follows from the covariance of `kr` and `kw` by the delta method.
//!   The covariance leaves out that faded equations are also less noisy in sum, which overstates the error by
//!   up to `√2`: to the safe side.
//!
//! # Left out
//! * Nodes of different speed: feed one estimator per kind of hardware.

use serde::{Deserialize, Serialize};

use super::PAPER_C;

/// What one node reported for one heartbeat interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// CPU use.
    pub cpu: f64,
    /// Reads per second.
    pub read_ops: f64,
    /// Writes per second, those applied as follower converted to leader's writes.
    pub write_ops: f64,
    /// Whether the CPU was at its limit, so that `cpu` says less than the work needed.
    pub saturated: bool,
}

/// Why the estimate is not trusted, by what would help.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doubt {
    /// Wait for more heartbeats.
    TooFew {
        /// Usable observations so far.
        found: u64,
        /// Observations wanted.
        needed: u64,
    },
    /// All nodes mix reads and writes alike, so their costs cannot be told apart.
    SameMix {
        /// Standard deviation of the share of reads in the work.
        spread: f64,
        /// The least that would do.
        needed: f64,
    },
    /// All nodes are equally loaded, so the cost of requests cannot be told from the base cost.
    SameLoad {
        /// Standard deviation of the work relative to its mean.
        spread: f64,
        /// The least that would do.
        needed: f64,
    },
    /// Mix and load vary but (almost) only together, for instance because reads never change: quite different
    /// costs explain the observations equally well.
    Undetermined,
    /// CPU follows the requests too loosely.
    Noisy {
        /// Standard error of the measured `c`, relative to it.
        relative_stderr: f64,
        /// The most that would be accepted.
        accepted: f64,
    },
    /// The best fit makes no sense: a cost below zero, or a ratio out of all proportion.
    Implausible,
}

/// What the observations say about `c`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CEstimate {
    /// The value to use: the measured one when `confident`, else the last one that was, else
    /// [`PAPER_C`]. Falling back to the last sure value matters in a well balanced cluster, where all nodes
    /// come to look alike and the data stops being informative.
    pub c: f64,
    /// What the data says now, sure or not; none when it says nothing.
    pub measured: Option<f64>,
    /// Standard error of `measured`; infinite without one.
    pub stderr: f64,
    /// CPU use that requests do not explain; 0 unless `confident`.
    pub base_cpu: f64,
    /// Whether `c` is the measured value.
    pub confident: bool,
    /// Why not.
    pub doubt: Option<Doubt>,
    /// Usable observations so far.
    pub observations: u64,
}

/// Weight that an equation keeps with each later one: the last 200 count. With eight nodes and a heartbeat
/// every 10 s a change of `c` is followed within about ten minutes; the paper saw it drift by 10 % at most.
const FORGETTING: f64 = 0.995;
/// Fewer observations than this prove nothing about a three-parameter fit with 10 % noise.
const OBSERVATIONS_MIN: u64 = 50;
/// Least standard deviation of the share of reads in the work.
const MIX_SPREAD_MIN: f64 = 0.03;
/// Least standard deviation of the work, relative to its mean.
const LOAD_SPREAD_MIN: f64 = 0.05;
/// Largest accepted standard error relative to `c`.
const RELATIVE_STDERR_MAX: f64 = 0.1;
/// Largest accepted standard error of the cost of a read or a write, relative to it. The delta method takes `c`
/// to be a straight line within that error. Beyond, it can be badly wrong: an unknown base that shifts both
/// costs upwards alike draws their ratio to 1 and makes it look certain. At 0.2, one random cluster in some
/// thousands was confident and more than 30 % wrong; at 0.1 none in 40,000.
const COST_STDERR_MAX: f64 = 0.1;
/// Values of `c` outside are a sign of broken counters, not of hardware.
const C_PLAUSIBLE: std::ops::RangeInclusive<f64> = 0.1..=20.0;
/// Residuals beyond this many standard deviations count less.
const HUBER: f64 = 2.0;
/// No CPU measurement is better than this, relative to its value. Keeps a fluke of perfect fits from looking
/// like certainty, and gives noiseless but uninformative data the large error it deserves.
const NOISE_MIN: f64 = 0.01;

/// Learns `c` from the heartbeats of many nodes of the same kind.
#[derive(Clone, Debug)]
pub struct CEstimator {
    sums: Sums,
    observations: u64,
    last_sure: f64,
}

impl Default for CEstimator {
    fn default() -> Self {
        CEstimator::new()
    }
}

impl CEstimator {
    /// An estimator that has seen nothing and answers [`PAPER_C`].
    pub fn new() -> Self {
        CEstimator { sums: Sums::default(), observations: 0, last_sure: PAPER_C }
    }

    /// Takes in one heartbeat. Says whether it could be used: broken, idle and saturated ones are not.
    pub fn observe(&mut self, observation: Observation) -> bool {
        let Observation { cpu, read_ops, write_ops, saturated } = observation;
        let work = read_ops + PAPER_C * write_ops;
        // Written so that NaN fails them.
        let sound = cpu > 0.0 && read_ops >= 0.0 && write_ops >= 0.0 && work > 0.0;
        if saturated || !sound || !(cpu * work).is_finite() {
            return false;
        }
        let equation = self.sums.equation(cpu, read_ops, write_ops, work);
        let trust = self.trust(&equation);
        self.sums.add(&equation, trust);
        self.observations += 1;
        let estimate = self.estimate();
        if estimate.confident {
            self.last_sure = estimate.c;
        }
        true
    }

    /// What the observations so far say.
    pub fn estimate(&self) -> CEstimate {
        let fit = self.sums.fit();
        let ratio = fit.as_ref().and_then(Fit::ratio);
        let doubt = self.doubt(fit.as_ref(), ratio);
        let (measured, stderr) = ratio.map_or((None, f64::INFINITY), |(c, error)| (Some(c), error));
        let confident = doubt.is_none();
        CEstimate {
            c: measured.filter(|_| confident).unwrap_or(self.last_sure),
            measured,
            stderr,
            base_cpu: fit.filter(|_| confident).map_or(0.0, |fit| fit.costs[0].max(0.0)),
            confident,
            doubt,
            observations: self.observations,
        }
    }

    fn doubt(&self, fit: Option<&Fit>, ratio: Option<(f64, f64)>) -> Option<Doubt> {
        if self.observations < OBSERVATIONS_MIN {
            return Some(Doubt::TooFew { found: self.observations, needed: OBSERVATIONS_MIN });
        }
        let (mix, load) = (self.sums.mix.deviation(), self.sums.work.relative_deviation());
        if mix < MIX_SPREAD_MIN {
            return Some(Doubt::SameMix { spread: mix, needed: MIX_SPREAD_MIN });
        }
        if load < LOAD_SPREAD_MIN {
            return Some(Doubt::SameLoad { spread: load, needed: LOAD_SPREAD_MIN });
        }
        if !fit.is_some_and(|fit| fit.cost_stderr() < COST_STDERR_MAX) {
            return Some(Doubt::Undetermined);
        }
        let Some((c, stderr)) = ratio.filter(|(c, _)| C_PLAUSIBLE.contains(c)) else {
            return Some(Doubt::Implausible);
        };
        let relative_stderr = stderr / c;
        let noisy = Doubt::Noisy { relative_stderr, accepted: RELATIVE_STDERR_MAX };
        (relative_stderr >= RELATIVE_STDERR_MAX).then_some(noisy)
    }

    /// Huber's weight: 1 within the usual scatter, falling with the distance beyond it.
    fn trust(&self, equation: &Equation) -> f64 {
        // Judged too early, the scatter of a poor first fit would shut out the equations that could mend it.
        let Some(fit) = self.sums.fit().filter(|_| self.observations >= 30) else {
            return 1.0;
        };
        let usual = HUBER * fit.variance.sqrt();
        let miss = (equation.y - dot(&equation.x, &fit.costs)).abs();
        if miss > usual { usual / miss } else { 1.0 }
    }
}

/// One heartbeat, divided by its scale: `y ≈ x · (base, kr, kw)`.
struct Equation {
    x: [f64; 3],
    y: f64,
    /// The share of reads in the work, for the spread of the mix.
    mix: f64,
    work: f64,
}

/// Faded sums over the equations: everything that is remembered.
#[derive(Clone, Debug, Default)]
struct Sums {
    weight: f64,
    xx: [[f64; 3]; 3],
    xy: [f64; 3],
    yy: f64,
    mix: Moments,
    work: Moments,
}

/// A solution of the sums.
struct Fit {
    /// Base, cost of a read, cost of a write.
    costs: [f64; 3],
    covariance: [[f64; 3]; 3],
    /// Of the residuals.
    variance: f64,
}

impl Sums {
    fn equation(&self, cpu: f64, reads: f64, writes: f64, work: f64) -> Equation {
        let usual_work = if self.weight > 0.0 { self.work.mean } else { work };
        let scale = work + usual_work / 4.0;
        Equation { x: [1.0 / scale, reads / scale, writes / scale], y: cpu / scale, mix: reads / work, work }
    }

    fn add(&mut self, equation: &Equation, trust: f64) {
        let fade = |sum: &mut f64, term: f64| *sum = *sum * FORGETTING + trust * term;
        fade(&mut self.weight, 1.0);
        fade(&mut self.yy, equation.y * equation.y);
        for row in 0..3 {
            fade(&mut self.xy[row], equation.x[row] * equation.y);
            for column in 0..3 {
                fade(&mut self.xx[row][column], equation.x[row] * equation.x[column]);
            }
        }
        self.mix.add(equation.mix, trust, self.weight);
        self.work.add(equation.work, trust, self.weight);
    }

    /// Least squares; none while the equations leave a parameter open.
    fn fit(&self) -> Option<Fit> {
        let inverse = invert(&self.xx)?;
        let costs = inverse.map(|row| dot(&row, &self.xy));
        let explained = dot(&costs, &self.xy);
        let freedom = self.weight - 3.0;
        if freedom <= 0.0 {
            return None;
        }
        let floor = NOISE_MIN * NOISE_MIN * self.yy / self.weight;
        let variance = ((self.yy - explained) / freedom).max(floor);
        Some(Fit { costs, covariance: inverse.map(|row| row.map(|cell| cell * variance)), variance })
    }
}

impl Fit {
    /// The cost of a write in reads and its standard error, by the delta method; none for costs below zero.
    fn ratio(&self) -> Option<(f64, f64)> {
        let [_, read, write] = self.costs;
        if !(read > 0.0 && write > 0.0) {
            return None;
        }
        let c = write / read;
        let slope = [0.0, -c / read, 1.0 / read];
        let variance = dot(&slope, &self.covariance.map(|row| dot(&row, &slope)));
        let stderr = variance.max(0.0).sqrt();
        (c.is_finite() && stderr.is_finite()).then_some((c, stderr))
    }

    /// The larger relative standard error of the two costs.
    fn cost_stderr(&self) -> f64 {
        let relative = |i: usize| self.covariance[i][i].max(0.0).sqrt() / self.costs[i].abs();
        relative(1).max(relative(2))
    }
}

/// A faded mean and variance, updated around the mean so that nothing cancels.
#[derive(Clone, Debug, Default)]
struct Moments {
    mean: f64,
    variance: f64,
}

impl Moments {
    /// Adds a value of weight `trust`, with which the sum of weights became `weight`.
    fn add(&mut self, value: f64, trust: f64, weight: f64) {
        let share = trust / weight;
        let distance = value - self.mean;
        self.mean += share * distance;
        self.variance = (1.0 - share) * (self.variance + share * distance * distance);
    }

    fn deviation(&self) -> f64 {
        self.variance.max(0.0).sqrt()
    }

    fn relative_deviation(&self) -> f64 {
        if self.mean > 0.0 { self.deviation() / self.mean } else { 0.0 }
    }
}

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Inverts a symmetric, positive matrix; none if it is singular to working precision.
fn invert(matrix: &[[f64; 3]; 3]) -> Option<[[f64; 3]; 3]> {
    // The unknowns differ by the unit of a request rate, so the diagonal is brought to 1 first; only then does
    // a small determinant mean what it should.
    let scale = [0, 1, 2].map(|i| matrix[i][i].sqrt());
    if !scale.iter().all(|s| s.is_normal()) {
        return None;
    }
    let m = [0, 1, 2].map(|i| [0, 1, 2].map(|j| matrix[i][j] / (scale[i] * scale[j])));
    let cofactor = |i: usize, j: usize| {
        let (a, b, c, d) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        m[a][c] * m[b][d] - m[a][d] * m[b][c]
    };
    let determinant = m[0][0] * cofactor(0, 0) + m[0][1] * cofactor(0, 1) + m[0][2] * cofactor(0, 2);
    if determinant < 1e-12 {
        return None;
    }
    Some([0, 1, 2].map(|i| [0, 1, 2].map(|j| cofactor(j, i) / determinant / (scale[i] * scale[j]))))
}
