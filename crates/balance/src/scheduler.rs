//! The scheduling loop, as a state machine: told loads and results, asked for operations.
//!
//! ```text
//!   tick(now, view) ─▶ smooth ─▶ gate ─▶ fold in what is under way ─▶ plan a round ─▶ Round { commands }
//!   finished(now, id, outcome) ◀───────────────────────────────────── whoever carries them out
//! ```
//!
//! What has been asked for and not been answered counts as done. Regions with an operation under way, and for
//! a while after it, are left alone. While a split is under way nothing else is planned: its pieces are what
//! the next plan is about.

use std::collections::BTreeMap;

use crate::apply::apply;
use crate::gate::Gate;
use crate::imbalance::MaxMean;
use crate::load::Load;
use crate::op::{Op, Step};
use crate::plan::{GOOD_ENOUGH, Options, Plan};
use crate::policy::{Horizon, Policy, plan};
use crate::view::{Node, NodeId, Region, RegionId, View};

/// Bounds on what a scheduler may have under way, and its patience.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Operations under way at once.
    pub in_flight: usize,
    /// Operations under way at once that one node takes part in.
    pub per_node: usize,
    /// How long a region is left alone after an operation on it, in seconds.
    pub cool_down_s: f64,
    /// When an operation without an answer counts as failed, in seconds.
    pub time_out_s: f64,
    /// Largest change of a node's level between heartbeats that counts as steady.
    pub steady: f64,
    /// Weight of the newest heartbeat in the running mean of a region's load.
    pub newest: f64,
    /// Part of λ that nodes are brought down to once one is above λ. Measurements are noisy: stopping at λ would
    /// start again at the next heartbeat. Only for policies that answer for all dimensions at once.
    pub aim: f64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            in_flight: 8,
            per_node: 3,
            cool_down_s: 60.0,
            time_out_s: 600.0,
            steady: 0.2,
            newest: 0.4,
            aim: 0.2,
        }
    }
}

/// How many times longer a region rests after `keel` had it copied.
const COPIED_REST: f64 = 5.0;
/// Least part of λ that the paper's rules are asked for.
const PAPER_AIM: f64 = 0.35;
/// Heartbeats in a row at which the goal must be seen before the loop rests.
const CALM_TICKS: u32 = 3;

/// An operation to carry out.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    /// Names the operation when its outcome is reported.
    pub id: u64,
    /// What to do, why, and what is expected of it.
    pub step: Step,
}

/// What became of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It was carried out.
    Done,
    /// It was not; the region is as it was.
    Failed,
}

/// What a tick came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Commands were given.
    Acting,
    /// Nothing is above its share by more than λ.
    Balanced,
    /// Something is, but now is not the time.
    Waiting(String),
    /// Something is, and nothing can be done about it.
    Stuck(String),
}

/// The answer to a tick.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    /// What to do now.
    pub commands: Vec<Command>,
    /// Why this, or why nothing.
    pub verdict: Verdict,
}

struct Pending {
    op: Op,
    since_s: f64,
    /// What moves, as levels of the node it leaves and the node it reaches.
    shift: Option<(NodeId, NodeId, Load, Load)>,
}

/// Smoothed load of a region: of its leader and of each follower.
#[derive(Clone, Copy)]
struct Smooth {
    leader: Load,
    follower: Load,
}

/// Turns heartbeats into operations, a round at a time.
pub struct Scheduler {
    policy: Policy,
    options: Options,
    limits: Limits,
    gate: Gate,
    /// Whether a node was above λ and the goal has not been reached for good since.
    engaged: bool,
    /// Heartbeats in a row at which the goal was reached with nothing under way.
    calm_ticks: u32,
    pending: BTreeMap<u64, Pending>,
    next_id: u64,
    smooth: BTreeMap<RegionId, Smooth>,
    /// Until when regions are left alone.
    cooling: BTreeMap<RegionId, f64>,
    /// Regions that turned out to be carried by one key, with its share.
    hot_keys: BTreeMap<RegionId, f64>,
}

impl Scheduler {
    /// A scheduler that has seen nothing yet.
    pub fn new(policy: Policy, options: Options, limits: Limits) -> Scheduler {
        Scheduler {
            policy,
            gate: Gate::new(limits.steady),
            engaged: false,
            calm_ticks: 0,
            options,
            limits,
            pending: BTreeMap::new(),
            next_id: 1,
            smooth: BTreeMap::new(),
            cooling: BTreeMap::new(),
            hot_keys: BTreeMap::new(),
        }
    }

    /// Takes a set of heartbeats and says what to do. Call it once per heartbeat interval.
    pub fn tick(&mut self, now_s: f64, view: &View) -> Round {
        self.expire(now_s);
        let view = self.prepare(now_s, view);
        let shut = self.gate.observe(&view);
        if self.policy == Policy::None {
            return waiting("this policy never acts".to_string());
        }
        if let Some(shut) = shut {
            return waiting(shut.to_string());
        }
        if self.pending.values().any(|pending| matches!(pending.op, Op::Split { .. })) {
            return waiting("a split is under way; its pieces will be measured first".to_string());
        }
        let folded = self.fold(view);
        self.act(now_s, &folded)
    }

    /// The view with everything under way counted as done.
    fn fold(&self, view: View) -> View {
        if self.pending.is_empty() {
            return view;
        }
        let ops = || self.pending.values().map(|pending| &pending.op);
        apply(&view, ops()).unwrap_or_else(|_| {
            // An operation that no longer fits the view is about to fail or has just ended: plan without it.
            ops().fold(view, |view, op| apply(&view, [op]).unwrap_or(view))
        })
    }

    /// Tells what became of an operation. Unknown numbers are ignored: the operation has timed out before.
    pub fn finished(&mut self, now_s: f64, id: u64, outcome: Outcome) {
        let Some(Pending { op, shift, .. }) = self.pending.remove(&id) else { return };
        self.gate.disturb();
        if let (Outcome::Done, Some((from, to, from_level, to_level))) = (outcome, shift) {
            self.gate.shifted(from, to, from_level, to_level);
        }
        // The pieces of a split are what the next plan is about: they do not cool down.
        if outcome == Outcome::Failed || !matches!(op, Op::Split { .. }) {
            for region in op.regions() {
                self.cooling.insert(region, now_s + self.cool_down_s(&op));
            }
        }
    }

    /// How long a region rests. What `keel` has copied stays for long, so that a load that comes and goes cannot
    /// make it carry data back and forth.
    fn cool_down_s(&self, op: &Op) -> f64 {
        let copied = matches!(op, Op::Move { .. }) && self.policy == Policy::Keel;
        self.limits.cool_down_s * if copied { COPIED_REST } else { 1.0 }
    }

    /// Tells that a region could not be split because one key carries this share of its load.
    pub fn hot_key(&mut self, region: RegionId, share: f64) {
        self.hot_keys.insert(region, share.clamp(0.0, 1.0));
    }

    /// Operations asked for and not answered.
    pub fn in_flight(&self) -> usize {
        self.pending.len()
    }

    fn expire(&mut self, now_s: f64) {
        let late = |pending: &Pending| now_s - pending.since_s > self.limits.time_out_s;
        let late: Vec<u64> =
            self.pending.iter().filter(|(_, pending)| late(pending)).map(|(id, _)| *id).collect();
        for id in late {
            self.finished(now_s, id, Outcome::Failed);
        }
        self.cooling.retain(|_, until| *until > now_s);
    }

    /// The view with smoothed loads, and with what is to be left alone marked as busy. Pressure is folded into
    /// the loads before they are smoothed: what a saturated node serves and how far it falls short vary together.
    fn prepare(&mut self, now_s: f64, view: &View) -> View {
        let mut smooth = BTreeMap::new();
        let mut regions = view.regions().to_vec();
        let busy: std::collections::BTreeSet<RegionId> =
            self.pending.values().flat_map(|pending| pending.op.regions()).collect();
        let pressure: BTreeMap<NodeId, f64> =
            view.nodes().iter().map(|node| (node.id, node.pressure)).collect();
        let on = |node: &NodeId| pressure.get(node).copied().unwrap_or(1.0);
        for region in &mut regions {
            region.leader_load = region.leader_load * on(&region.leader);
            let followers =
                region.followers.iter().map(on).sum::<f64>() / region.followers.len().max(1) as f64;
            region.follower_load = region.follower_load * followers;
            let mean = self.smoothed(region);
            smooth.insert(region.id, mean);
            (region.leader_load, region.follower_load) = (mean.leader, mean.follower);
            let cooling = self.cooling.get(&region.id).is_some_and(|until| *until > now_s);
            region.busy |= cooling || busy.contains(&region.id);
            if let Some(share) = self.hot_keys.get(&region.id) {
                region.hot_key_share = *share;
            }
        }
        self.smooth = smooth;
        let nodes = view.nodes().iter().map(|node| Node { pressure: 1.0, ..node.clone() }).collect();
        View::new(nodes, regions).unwrap_or_else(|_| view.clone())
    }

    fn smoothed(&self, region: &Region) -> Smooth {
        let now = Smooth { leader: region.leader_load, follower: region.follower_load };
        let Some(then) = self.smooth.get(&region.id) else { return now };
        let newest = self.limits.newest;
        let blend = |now: Load, then: Load| now * newest + then * (1.0 - newest);
        Smooth { leader: blend(now.leader, then.leader), follower: blend(now.follower, then.follower) }
    }

    /// Starts when a node is above λ; ends when the goal has been seen for a while with nothing under way, because
    /// what is under way counts as done and may turn out otherwise.
    fn engage(&mut self, seen: MaxMean, enough: f64) {
        let good = seen.within(self.options.lambda * enough) && self.pending.is_empty();
        self.calm_ticks = if good { self.calm_ticks + 1 } else { 0 };
        if !seen.within(self.options.lambda) {
            self.engaged = true;
        } else if self.calm_ticks >= CALM_TICKS {
            self.engaged = false;
        }
    }

    /// The part of λ that this policy is asked for. The paper's rules stop at λ by themselves and get stuck when
    /// asked for much less; those of a single number would pay for a margin in it with imbalance elsewhere.
    fn margin(&self) -> f64 {
        match self.policy {
            Policy::Keel => self.limits.aim,
            Policy::Cooperative => self.limits.aim.max(PAPER_AIM),
            _ => 1.0,
        }
    }

    fn act(&mut self, now_s: f64, view: &View) -> Round {
        let draining = view.nodes().iter().any(|node| node.state == crate::view::NodeState::Draining);
        let seen = view.max_mean();
        // Once above λ, go on until the aim is reached.
        let margin = self.margin();
        self.engage(seen, (margin + GOOD_ENOUGH).min(1.0));
        let aim = if self.engaged { margin } else { 1.0 };
        // Only what fits into the limits will be started, so there is no use in planning much further.
        let max_steps = self.options.max_steps.min(8 * self.limits.in_flight);
        let options = Options { aim, max_steps, ..self.options.clone() };
        let plan = plan(view, self.policy, Horizon::Round, &options);
        let commands = self.admit(now_s, view, &plan);
        let rest = seen.within(self.options.lambda) && !draining;
        let verdict = match (commands.is_empty(), plan.steps.is_empty(), self.pending.is_empty()) {
            (false, ..) => Verdict::Acting,
            (true, true, true) if rest => Verdict::Balanced,
            (true, true, true) => Verdict::Stuck(plan.stopped),
            (true, true, false) => Verdict::Waiting("what is under way will do".to_string()),
            (true, false, _) => Verdict::Waiting("as much is under way as the limits allow".to_string()),
        };
        Round { commands, verdict }
    }

    /// The steps of a plan that may start now, in order, within the limits.
    fn admit(&mut self, now_s: f64, view: &View, plan: &Plan) -> Vec<Command> {
        let mut commands = Vec::new();
        for step in &plan.steps {
            if self.pending.len() >= self.limits.in_flight {
                break;
            }
            if self.is_free(&step.op) {
                let id = self.next_id;
                self.next_id += 1;
                let shift = shift(view, &step.op);
                self.pending.insert(id, Pending { op: step.op.clone(), since_s: now_s, shift });
                commands.push(Command { id, step: step.clone() });
            }
        }
        commands
    }

    /// Whether an operation's regions have none under way and its nodes take part in few enough.
    fn is_free(&self, op: &Op) -> bool {
        let regions = op.regions();
        let untouched =
            |pending: &Pending| pending.op.regions().iter().all(|region| !regions.contains(region));
        let load =
            |node: NodeId| self.pending.values().filter(|pending| pending.op.nodes().contains(&node)).count();
        self.pending.values().all(untouched)
            && op.nodes().into_iter().all(|node| load(node) < self.limits.per_node)
    }
}

fn waiting(why: String) -> Round {
    Round { commands: Vec::new(), verdict: Verdict::Waiting(why) }
}

/// What an operation shifts, as levels of the nodes concerned.
fn shift(view: &View, op: &Op) -> Option<(NodeId, NodeId, Load, Load)> {
    let (region, from, to, hand_over) = match op {
        Op::Move { region, from, to } => (region, *from, *to, false),
        Op::TransferLeader { region, from, to } => (region, *from, *to, true),
        Op::Split { .. } | Op::Merge { .. } => return None,
    };
    let region = view.regions().iter().find(|known| known.id == *region)?;
    let load = match (hand_over, region.leader == from) {
        (true, _) => region.leader_load - region.follower_load,
        (false, true) => region.leader_load,
        (false, false) => region.follower_load,
    };
    Some((from, to, view.level_of(load, from)?, view.level_of(load, to)?))
}

impl Op {
    /// The nodes an operation is named to take part in.
    pub fn nodes(&self) -> Vec<NodeId> {
        match self {
            Op::Move { from, to, .. } | Op::TransferLeader { from, to, .. } => vec![*from, *to],
            Op::Split { .. } | Op::Merge { .. } => Vec::new(),
        }
    }
}
