//! How the cluster, plans and rounds are told. Two decimals: enough for a decision, few enough to read.

use std::fmt::Write as _;

use balance::{
    Dimension, Load, MaxMean, Node, NodeState, Op, Options, Part, Plan, Refusal, Round, Step, Verdict, View,
};

/// Every node with its level, then Max/Mean.
pub fn levels(view: &View, options: &Options) -> String {
    let mut out = String::new();
    let mean = mean(view);
    for node in view.nodes() {
        let held = view.regions().iter().filter(|region| region.nodes().any(|on| on == node.id)).count();
        let level = utilisation(view, node).per(mean);
        let state = match node.state {
            NodeState::Up => "",
            NodeState::Draining => "   draining",
            NodeState::Down => "   down",
        };
        let [cpu, io] = level.0;
        let replicas = if held == 1 { "replica" } else { "replicas" };
        let _ = writeln!(out, "{:4} cpu {cpu:.2} io {io:.2}   {held} {replicas}{state}", node.id.to_string());
    }
    let now = view.max_mean();
    let verdict = if now.within(options.lambda) { "within" } else { "above" };
    let _ = writeln!(out, "max/mean {now}   {verdict} {:.2}", 1.0 + options.lambda);
    out
}

/// A node's load over its capacity, with what a saturated node is asked for and does not serve.
fn utilisation(view: &View, node: &Node) -> Load {
    if node.state == NodeState::Down {
        return Load::ZERO;
    }
    let load = view.regions().iter().fold(Load::ZERO, |sum, region| {
        match region.nodes().position(|on| on == node.id) {
            None => sum,
            Some(0) => sum + region.leader_load,
            Some(_) => sum + region.follower_load,
        }
    });
    (load * node.pressure).per(node.capacity)
}

/// The mean that levels refer to: over the nodes that are up, with what lies on draining nodes spread over them.
fn mean(view: &View) -> Load {
    let up: Vec<&Node> = view.nodes().iter().filter(|node| node.state == NodeState::Up).collect();
    let count = up.len().max(1) as f64;
    let capacity = up.iter().fold(Load::ZERO, |sum, node| sum + node.capacity) * (1.0 / count);
    let draining = view.nodes().iter().filter(|node| node.state == NodeState::Draining);
    let stranded = draining.fold(Load::ZERO, |sum, node| {
        sum + utilisation(view, node).zip(node.capacity, |a, b| a * b).per(capacity)
    });
    up.iter().fold(stranded, |sum, node| sum + utilisation(view, node)) * (1.0 / count)
}

/// Steps with reasons, refusals with reasons, why it ends, what it comes to.
pub fn plan(plan: &Plan) -> String {
    let mut out = String::new();
    for step in &plan.steps {
        let _ = writeln!(out, "{}   {}\n     {}", op(&step.op), change(step), step.why);
    }
    for refusal in &plan.rejected {
        let _ = writeln!(out, "{}: {}", pass(refusal), refusal.why);
    }
    let _ = writeln!(out, "stop: {}", plan.stopped);
    let verdict = if plan.balanced { "balanced" } else { "not balanced" };
    let _ = writeln!(out, "max/mean {} → {}   {verdict}", plan.before, plan.after);
    out
}

fn op(op: &Op) -> String {
    match op {
        Op::Split { region, parts } => {
            let part = |part: &Part| format!("{} {:.2}", part.region, part.share);
            format!("split {region} into {}", parts.iter().map(part).collect::<Vec<_>>().join(", "))
        }
        Op::Move { region, from, to } => format!("move {region} {from}→{to}"),
        Op::TransferLeader { region, from, to } => format!("transfer-leader {region} {from}→{to}"),
        Op::Merge { regions, into } => {
            let names: Vec<String> = regions.iter().map(ToString::to_string).collect();
            format!("merge {} into {into}", names.join(", "))
        }
    }
}

/// What a step does to Max/Mean, in the dimensions it changes at all.
fn change(step: &Step) -> String {
    let (before, after) = (step.predicted.before, step.predicted.after);
    let moved = Dimension::ALL.into_iter().filter(|d| (before.get(*d) - after.get(*d)).abs() >= 0.005);
    let told: Vec<String> = moved.map(|d| format!("{d} {:.2}→{:.2}", before.get(d), after.get(d))).collect();
    if told.is_empty() { "no change".to_string() } else { told.join(" ") }
}

fn pass(refusal: &Refusal) -> String {
    match refusal.to {
        Some(to) => format!("pass {} {}→{to}", refusal.region, refusal.from),
        None => format!("pass {} on {}", refusal.region, refusal.from),
    }
}

/// What a heartbeat came to.
pub fn round(round: &Round, now_s: f64, seen: MaxMean) -> String {
    let mut out = String::new();
    for command in &round.commands {
        let _ = writeln!(out, "#{} {}   {}", command.id, op(&command.step.op), change(&command.step));
    }
    let verdict = match &round.verdict {
        Verdict::Acting => "acting".to_string(),
        Verdict::Balanced => "balanced".to_string(),
        Verdict::Waiting(why) => format!("waiting: {why}"),
        Verdict::Stuck(why) => format!("stuck: {why}"),
    };
    let _ = writeln!(out, "{now_s:.0} s   max/mean {seen}   {verdict}");
    out
}
