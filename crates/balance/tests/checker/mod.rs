//! An independent reader of snapshots and plans, written from the file formats alone.
//!
//! It shares no code and no type with the planner: it reads both files as plain JSON, carries the operations
//! out one by one, and says what they come to or which of them cannot be carried out.

mod cluster;
mod ops;

use cluster::{Cluster, Pair};
use serde_json::Value;

/// Sums taken in another order than the planner's differ by rounding, and by no more.
const TOLERANCE: f64 = 1e-6;

/// What a plan comes to when somebody else carries it out.
#[derive(Debug, Clone)]
#[allow(dead_code, reason = "every test looks at its own part of the report")]
pub struct Report {
    /// Max/Mean before the first operation: cpu, io.
    pub before: Pair,
    /// Max/Mean after the last one: cpu, io.
    pub after: Pair,
    /// Replicas copied.
    pub moves: usize,
    /// Leaderships handed over.
    pub transfers: usize,
    /// Regions added by splits.
    pub new_regions: usize,
    /// Regions that merging took away.
    pub merged: usize,
    /// Load moved by copies, as a share of the cluster's load: cpu, io.
    pub moved: Pair,
    /// Load that ends elsewhere than it began, likewise: a region moved twice counts once.
    pub displaced: Pair,
}

impl Report {
    fn new(before: Pair) -> Report {
        let (none, zero) = ([0.0; 2], 0);
        Report {
            before,
            after: before,
            moves: zero,
            transfers: zero,
            new_regions: zero,
            merged: zero,
            moved: none,
            displaced: none,
        }
    }
}

/// Carries a plan out on a snapshot. The error names the operation that is wrong, and why.
pub fn check(snapshot: &Value, plan: &Value) -> Result<Report, String> {
    let mut cluster = Cluster::read(snapshot)?;
    let total = cluster.total();
    let before = cluster.max_mean();
    agree("before", before, pair(&plan["before"])?)?;
    let mut report = Report::new(before);
    let ops = plan["ops"].as_array().ok_or("the plan has no `ops`")?;
    for (index, op) in ops.iter().enumerate() {
        let context = |error: String| format!("op {index} {op}: {error}");
        predicted(op, "before", report.after).map_err(context)?;
        cluster.carry_out(op, &mut report).map_err(context)?;
        report.after = cluster.max_mean();
        predicted(op, "after", report.after).map_err(context)?;
        if op["why"].as_str().is_none_or(str::is_empty) {
            return Err(context("it gives no reason".to_string()));
        }
    }
    cluster.carried = cluster.recount();
    report.after = cluster.max_mean();
    agree("after", report.after, pair(&plan["after"])?)?;
    agree(
        "total load",
        cluster.total().map(|load| load / scale(total)),
        total.map(|load| load / scale(total)),
    )?;
    let share = |load: Pair| [0, 1].map(|at| if total[at] > 0.0 { load[at] / total[at] } else { 0.0 });
    report.moved = share(report.moved);
    report.displaced = share(cluster.displaced());
    verdict(plan, &cluster, report.after)?;
    Ok(report)
}

fn scale(total: Pair) -> f64 {
    total[0].max(total[1]).max(1e-300)
}

/// The plan's own verdict must be the one its figures give.
fn verdict(plan: &Value, cluster: &Cluster, after: Pair) -> Result<(), String> {
    let lambda = plan["lambda"].as_f64().ok_or("the plan has no `lambda`")?;
    let worst = after[0].max(after[1]) - 1.0 - lambda;
    let balanced = cluster.drained() && worst <= 0.0;
    let close = worst.abs() < TOLERANCE;
    if plan["balanced"].as_bool() != Some(balanced) && !close {
        return Err(format!("the plan says balanced={}, but it comes to {after:?}", plan["balanced"]));
    }
    Ok(())
}

fn predicted(op: &Value, when: &str, found: Pair) -> Result<(), String> {
    match op.get("predicted") {
        None => Ok(()),
        Some(prediction) => agree(when, found, pair(&prediction[when])?),
    }
}

fn pair(value: &Value) -> Result<Pair, String> {
    let read = |name: &str| value[name].as_f64().ok_or_else(|| format!("{value} has no number `{name}`"));
    Ok([read("cpu")?, read("io")?])
}

fn agree(what: &str, found: Pair, said: Pair) -> Result<(), String> {
    let close = |a: f64, b: f64| (a - b).abs() <= TOLERANCE * a.abs().max(1.0);
    match close(found[0], said[0]) && close(found[1], said[1]) {
        true => Ok(()),
        false => Err(format!("{what} comes to {found:?}, the plan says {said:?}")),
    }
}
