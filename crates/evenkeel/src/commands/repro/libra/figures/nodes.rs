//! Figure 19: more nodes.

use std::time::Instant;

use balance::{Horizon, Options, Policy};
use sim::{Clients, PolicyResult};

use super::super::compare::{Comparison, change};
use super::super::figure::{Data, Figure};
use super::super::lab::{Lab, Outcome, Read, Run};
use super::by_name;
use crate::error::Error;
use crate::output::plot::{Chart, Grid, Series};
use crate::output::table::Table;

const NODES: [u32; 3] = [8, 12, 16];
const POLICIES: [Policy; 3] = [Policy::None, Policy::Cooperative, Policy::Keel];
/// Plans are timed this often; the fastest counts.
const TIMES: usize = 5;

struct Step<'a> {
    nodes: u32,
    outcomes: &'a [Outcome],
    /// Region and node reports that reach the manager per second.
    reports_per_s: f64,
    /// Planning a whole cluster once: cooperative, keel.
    planning_ms: [f64; 2],
}

/// Throughput, latency and the manager's work.
pub fn fig19(lab: &mut Lab) -> Result<Figure, Error> {
    let mut runs: Vec<Run> = Vec::new();
    let base = lab.setting("mixgraph-write")?;
    let Clients::Closed { count } = base.clients else {
        return Err(Error::failed("the setting has no clients"));
    };
    for nodes in NODES {
        let mut config = base.clone();
        config.regions = base.regions / base.nodes * nodes;
        config.clients = Clients::Closed { count: count / base.nodes * nodes };
        config.nodes = nodes;
        runs.extend(POLICIES.map(|policy| (config.clone(), policy)));
    }
    let outcomes = lab.outcomes(&runs, 1)?;
    let mut steps = Vec::new();
    for (nodes, outcomes) in NODES.iter().zip(outcomes.chunks(POLICIES.len())) {
        let regions =
            by_name(outcomes, "cooperative").map_or(0.0, |outcome| outcome.mean(|run| run.regions as f64));
        let reports_per_s = (regions + f64::from(*nodes)) / base.heartbeats.interval_s;
        let view =
            super::accuracy::view(&base.workload, *nodes, base.regions / base.nodes * nodes, lab.seed)?;
        let planning_ms = [Policy::Cooperative, Policy::Keel].map(|policy| timed(&view, policy));
        steps.push(Step { nodes: *nodes, outcomes, reports_per_s, planning_ms });
    }
    let mut table =
        Table::new(["nodes", "policy", "requests/s", "mean ms", "p99 ms", "reports/s", "planning ms"]);
    let mut data =
        Data::new(["nodes", "policy", "throughput_ops", "mean_ms", "p99_ms", "reports_per_s", "planning_ms"]);
    for step in &steps {
        for outcome in step.outcomes {
            let planning = match outcome.name() {
                "cooperative" => step.planning_ms[0],
                "keel" => step.planning_ms[1],
                _ => 0.0,
            };
            let numbers = [
                outcome.mean(|run| run.throughput_ops),
                outcome.mean(|run| run.latency.mean_ms),
                outcome.mean(|run| run.latency.p99_ms),
                step.reports_per_s,
                planning,
            ];
            data.row(&[&step.nodes.to_string(), outcome.name()], &numbers);
            let mut row =
                vec![step.nodes.to_string(), outcome.name().to_string(), format!("{:.0}", numbers[0])];
            row.extend(numbers[1..4].iter().map(|number| format!("{number:.1}")));
            row.push(format!("{planning:.2}"));
            table.row(row);
        }
    }
    Ok(Figure {
        name: "fig19",
        title: "more nodes",
        setting: "Mixgraph writes; regions and clients grow with the nodes. The manager's work: reports that reach it per second, and the time of \
                  one whole plan for an unbalanced cluster of that size (the fastest of five; it depends on this machine)."
            .into(),
        table,
        svg: chart(&steps),
        comparisons: comparisons(&steps),
        remarks: "In the paper, the manager's processor time for requests grows with throughput and that for scheduling only slightly. \
                  Clients here do not ask the manager, so only reports and planning are its work: reports grow with the regions, plans a little faster than \
                  that, and both stay small.",
        data,
    })
}

fn timed(view: &balance::View, policy: Policy) -> f64 {
    let options = Options::default();
    let once = || {
        let start = Instant::now();
        let plan = balance::plan(view, policy, Horizon::Rest, &options);
        std::hint::black_box(&plan);
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..TIMES).map(|_| once()).fold(f64::INFINITY, f64::min)
}

fn chart(steps: &[Step]) -> String {
    let panel = |title: &str, unit: &str, read: fn(&PolicyResult) -> f64| {
        let mut chart = Chart::lines(title).axes("nodes", unit);
        for policy in POLICIES {
            let at = |step: &Step| {
                Some((f64::from(step.nodes), by_name(step.outcomes, policy.name())?.mean(read)))
            };
            chart = chart.with(Series::line(policy.name(), steps.iter().filter_map(at)));
        }
        chart.from(0.0)
    };
    let mut planning = Chart::lines("(b) planning the whole cluster once").axes("nodes", "ms").from(0.0);
    for (index, name) in ["cooperative", "keel"].into_iter().enumerate() {
        let points = steps.iter().map(|step| (f64::from(step.nodes), step.planning_ms[index]));
        planning = planning.with(Series::line(name, points));
    }
    let panels = vec![
        panel("(a) throughput", "requests/s", |run| run.throughput_ops),
        panel("(a) mean latency", "ms", |run| run.latency.mean_ms),
        panel("(a) 99th percentile", "ms", |run| run.latency.p99_ms),
        planning,
    ];
    Grid { title: "More nodes, Mixgraph writes".into(), columns: 2, panels }.svg()
}

fn comparisons(steps: &[Step]) -> Vec<Comparison> {
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return Vec::new() };
    let read = |step: &Step, read: fn(&PolicyResult) -> f64| {
        by_name(step.outcomes, "cooperative").map_or(f64::NAN, |outcome| outcome.mean(read))
    };
    let (ops, mean): (Read, Read) = (|run| run.throughput_ops, |run| run.latency.mean_ms);
    let growth = read(last, ops) / read(first, ops);
    let slower = change(read(last, mean), read(first, mean));
    vec![
        Comparison::words(
            "throughput from 8 to 16 nodes",
            "linear (2×)",
            format!("{growth:.2}×"),
            (1.8..2.2).contains(&growth),
        ),
        Comparison::words(
            "mean latency from 8 to 16 nodes",
            "stable",
            format!("{slower:+.1} %"),
            slower.abs() < 15.0,
        ),
        Comparison::words(
            "scheduling work from 8 to 16 nodes",
            "grows only slightly",
            format!(
                "{:.0} to {:.0} reports/s, {:.2} to {:.2} ms per plan",
                first.reports_per_s, last.reports_per_s, first.planning_ms[0], last.planning_ms[0]
            ),
            last.reports_per_s < 1.5 * first.reports_per_s,
        ),
    ]
}
