//! The policies: the paper's scheduler, its rivals, and our own.

mod isolated;
mod keel;
mod walk;

use serde::{Deserialize, Serialize};

use crate::board::{Board, Gauge};
use crate::draft::Draft;
use crate::evacuate::evacuate;
use crate::imbalance::MaxMean;
use crate::load::Dimension;
use crate::merge;
use crate::plan::{Options, Plan};
use crate::view::View;
use walk::{Fits, Reading, Rules, Splits, Walk};

/// A policy by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Policy {
    /// Never acts.
    #[serde(rename = "none")]
    None,
    /// Looks at processor time only.
    #[serde(rename = "1d-cpu")]
    OneCpu,
    /// Looks at disk bytes only.
    #[serde(rename = "1d-io")]
    OneIo,
    /// Balances each dimension for itself, both at once.
    #[serde(rename = "2d-iso")]
    Isolated,
    /// Balances a weighted sum of both.
    #[serde(rename = "2d-wtd")]
    Weighted,
    /// The paper's cooperative scheduling.
    #[serde(rename = "cooperative")]
    Cooperative,
    /// Our own: both dimensions within λ with the fewest and cheapest operations we can find.
    #[serde(rename = "keel")]
    Keel,
}

/// A name that is no policy's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no policy {0:?}: expected one of none, 1d-cpu, 1d-io, 2d-iso, 2d-wtd, cooperative, keel")]
pub struct UnknownPolicy(String);

impl Policy {
    /// Every policy, rivals first.
    pub const ALL: [Policy; 7] = [
        Policy::None,
        Policy::OneCpu,
        Policy::OneIo,
        Policy::Isolated,
        Policy::Weighted,
        Policy::Cooperative,
        Policy::Keel,
    ];

    /// The name used in commands and files.
    pub fn name(self) -> &'static str {
        match self {
            Policy::None => "none",
            Policy::OneCpu => "1d-cpu",
            Policy::OneIo => "1d-io",
            Policy::Isolated => "2d-iso",
            Policy::Weighted => "2d-wtd",
            Policy::Cooperative => "cooperative",
            Policy::Keel => "keel",
        }
    }

    /// Whether the policy answers for every dimension, so that no plan of it may make the worst one worse.
    pub(crate) fn guards_all(self) -> bool {
        matches!(self, Policy::Cooperative | Policy::Keel)
    }

    fn rules(self, options: &Options) -> Option<Rules> {
        let rival = |gauge| Rules {
            reading: Reading::Fixed(gauge),
            splits: Splits::Lazy,
            fits: Fits::BelowSource,
            spare_others: false,
        };
        match self {
            Policy::OneCpu => Some(rival(Gauge::One(Dimension::Cpu))),
            Policy::OneIo => Some(rival(Gauge::One(Dimension::Io))),
            Policy::Weighted => Some(rival(Gauge::Weighted(options.weights))),
            Policy::Cooperative => Some(Rules {
                reading: Reading::Critical,
                splits: if options.lazy { Splits::Lazy } else { Splits::Eager },
                fits: Fits::BelowGoal,
                spare_others: true,
            }),
            Policy::None | Policy::Isolated | Policy::Keel => None,
        }
    }
}

impl std::str::FromStr for Policy {
    type Err = UnknownPolicy;
    fn from_str(text: &str) -> Result<Policy, UnknownPolicy> {
        let known = Policy::ALL.into_iter().find(|policy| policy.name() == text);
        known.ok_or_else(|| UnknownPolicy(text.to_string()))
    }
}

impl std::fmt::Display for Policy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// Why a plan ends when all is well.
pub(crate) const AT_REST: &str = "no node is above its share by more than lambda";

/// Why a round ends with splits.
pub(crate) const SPLITS_FIRST: &str = "splits come first; what follows is planned once they are measured";

/// What one iteration of a scheduler came to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Progress {
    /// Replicas were moved.
    Moved,
    /// Regions were split; their pieces are looked at in the next iteration.
    Split,
    /// Nothing is above the ceiling.
    Balanced,
    /// Something is, but the rules allow nothing.
    Stuck(String),
}

/// How far to plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Horizon {
    /// Until nothing is left to do, every step assumed to succeed as predicted.
    Rest,
    /// Only what can be done now: moves up to the first split, or the splits that must come first. What
    /// follows is planned again once their result has been measured.
    Round,
}

/// Plans on a view. Same view, same options: same plan, byte for byte.
pub fn plan(view: &View, policy: Policy, horizon: Horizon, options: &Options) -> Plan {
    let first = plan_once(view, policy, horizon, options, options.lambda);
    if first.balanced || !policy.guards_all() || !view.is_uneven() {
        return first;
    }
    // Policies hold every node to λ above its share. On unequal nodes Max/Mean asks a little more: the mean is
    // over nodes, whatever their size. A tighter λ gets there where it can be had.
    let tighter = [0.7, 0.45, 0.2].into_iter().map(|factor| options.lambda * factor);
    let tried = tighter.map(|lambda| plan_once(view, policy, horizon, options, lambda));
    tried.into_iter().find(|plan| plan.balanced).unwrap_or(first)
}

fn plan_once(view: &View, policy: Policy, horizon: Horizon, options: &Options, lambda: f64) -> Plan {
    let mut draft = Draft::new(Board::new(view));
    let before = draft.now;
    let aim = Options { lambda, ..options.clone() };
    if policy != Policy::None {
        evacuate(&mut draft);
    }
    let evacuated = draft.steps.len();
    let mut stopped = match (policy, policy.rules(options)) {
        // Unequal nodes can be within λ in Max/Mean while one of them is a little further above its own share.
        _ if policy.guards_all() && draft.now.within(options.good_enough() - 1.0) && emptied(&draft) => {
            AT_REST.to_string()
        }
        (_, Some(rules)) => run_walk(&mut draft, rules, horizon, &aim),
        (Policy::Isolated, _) => isolated::run(&mut draft, horizon, &aim),
        (Policy::Keel, _) => keel::run(&mut draft, horizon, &aim),
        (_, None) => "this policy never acts".to_string(),
    };
    // A round may lift one node for a while until a later round, with pieces that are yet to be cut, brings it down
    // again. If nothing of a round would lower the worst dimension, all of it is done rather than nothing for ever.
    let lowers = draft.steps[evacuated..].iter().any(|step| step.predicted.after.worst() < before.worst());
    let answers = horizon == Horizon::Rest || lowers;
    let cut = policy.guards_all() && answers && draft.cut_back(evacuated);
    if cut && horizon == Horizon::Rest {
        draft.drop_idle_splits();
    }
    if cut {
        stopped = "what could be done next would not bring the fullest node down".to_string();
    }
    if policy != Policy::None && !cut && (horizon == Horizon::Rest || draft.steps.is_empty()) {
        merge::cold_neighbours(view, &mut draft, options);
    }
    finish(draft, policy, before, stopped, options)
}

fn run_walk(draft: &mut Draft, rules: Rules, horizon: Horizon, options: &Options) -> String {
    let mut walk = Walk::new(rules, options, horizon, draft.board.seats.len());
    while draft.steps.len() < options.max_steps {
        let steps = draft.steps.len();
        match walk.step(draft) {
            Progress::Balanced => return AT_REST.to_string(),
            Progress::Stuck(why) => return why,
            Progress::Split if horizon == Horizon::Round => {
                // Moves that were found before are done first; the splits will be found again after them.
                if steps > 0 {
                    draft.steps.truncate(steps);
                }
                return SPLITS_FIRST.to_string();
            }
            Progress::Split | Progress::Moved => {}
        }
    }
    format!("the plan has reached its limit of {} steps", options.max_steps)
}

/// Whether nothing lies on draining nodes.
fn emptied(draft: &Draft) -> bool {
    draft.board.seats.iter().all(|seat| !seat.draining || seat.peers.is_empty())
}

fn finish(draft: Draft, policy: Policy, before: MaxMean, stopped: String, options: &Options) -> Plan {
    let emptied = emptied(&draft);
    Plan {
        policy,
        lambda: options.lambda,
        seed: options.seed,
        before,
        after: draft.now,
        balanced: emptied && draft.now.within(options.lambda),
        steps: draft.steps,
        rejected: draft.refusals,
        stopped,
    }
}
