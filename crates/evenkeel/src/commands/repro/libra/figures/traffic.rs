//! Figure 20: latency against the request rate.

use balance::Policy;
use sim::{Clients, PolicyResult};

use super::super::compare::{Comparison, change};
use super::super::figure::{Data, Figure};
use super::super::lab::{Lab, Outcome, Run};
use super::super::paper;
use super::{TWO_DIMENSIONAL, by_name};
use crate::error::Error;
use crate::output::plot::{Chart, Grid, Series};
use crate::output::table::Table;

const RATIOS: [f64; 5] = [0.5, 0.75, 1.0, 1.25, 1.5];

/// Mean and tail latency at rates around what the unscheduled cluster serves.
pub fn fig20(lab: &mut Lab) -> Result<Figure, Error> {
    let setting = lab.setting("mixgraph-write")?;
    let unscheduled = lab.policies(&setting, &[Policy::None], 1)?;
    let served = unscheduled.first().map_or(1.0, |outcome| outcome.mean(|run| run.throughput_ops)).max(1.0);
    let mut runs: Vec<Run> = Vec::new();
    for ratio in RATIOS {
        let mut config = setting.clone();
        config.clients = Clients::Open { rate_ops: (served * ratio).round() };
        runs.extend(TWO_DIMENSIONAL.map(|policy| (config.clone(), policy)));
    }
    let outcomes = lab.outcomes(&runs, 1)?;
    let steps: Vec<&[Outcome]> = outcomes.chunks(TWO_DIMENSIONAL.len()).collect();
    let panel = |title: &str, read: fn(&PolicyResult) -> f64| {
        let mut chart = Chart::lines(title)
            .axes("requests, relative to what an unscheduled cluster serves", "ms")
            .by_factors();
        for policy in TWO_DIMENSIONAL {
            let at =
                |(ratio, step): (&f64, &&[Outcome])| Some((*ratio, by_name(step, policy.name())?.mean(read)));
            chart = chart.with(Series::line(policy.name(), RATIOS.iter().zip(&steps).filter_map(at)));
        }
        chart
    };
    let panels = vec![
        panel("(a) mean latency", |run| run.latency.mean_ms),
        panel("(b) 99th percentile", |run| run.latency.p99_ms),
    ];
    let mut table = Table::new(["requests", "policy", "mean ms", "p99 ms", "turned away %"]);
    let mut data = Data::new(["ratio", "policy", "mean_ms", "p99_ms", "rejected_share"]);
    for (ratio, step) in RATIOS.iter().zip(&steps) {
        for outcome in step.iter() {
            let numbers = [
                outcome.mean(|run| run.latency.mean_ms),
                outcome.mean(|run| run.latency.p99_ms),
                outcome.mean(|run| run.rejected),
            ];
            data.row(&[&ratio.to_string(), outcome.name()], &numbers);
            table.row([
                ratio.to_string(),
                outcome.name().to_string(),
                format!("{:.1}", numbers[0]),
                format!("{:.1}", numbers[1]),
                format!("{:.1}", numbers[2] * 100.0),
            ]);
        }
    }
    Ok(Figure {
        name: "fig20",
        title: "more or fewer requests",
        setting: format!(
            "Mixgraph writes that come at a fixed rate, whatever becomes of them. Ratio 1 is the {served:.0} requests per second \
             that waiting clients get out of the unscheduled cluster. One seed."
        ),
        table,
        svg: Grid { title: "Latency against the request rate, Mixgraph writes".into(), columns: 2, panels }
            .svg(),
        comparisons: comparisons(&steps),
        remarks: "Requests that would wait for more than half a second for a core are turned away, and the shares turned away \
                  stand beside the latencies; queues of disks have no such bound, so an overloaded disk shows as seconds. Where no node is full all policies \
                  are alike. A testbed whose clients wait for \
                  their answers even at a fixed rate, as load generators usually do, bounds its latencies that way.",
        data,
    })
}

fn comparisons(steps: &[&[Outcome]]) -> Vec<Comparison> {
    let p99 = |run: &PolicyResult| run.latency.p99_ms;
    let gains: Vec<f64> = RATIOS
        .iter()
        .zip(steps)
        .filter(|(ratio, _)| **ratio >= 1.0)
        .flat_map(|(_, step)| {
            ["2d-iso", "2d-wtd"].map(|rival| (by_name(step, "cooperative"), by_name(step, rival)))
        })
        .filter_map(|(own, rival)| Some(change(own?.mean(p99), rival?.mean(p99))))
        .collect();
    let least = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let most = gains.iter().copied().fold(f64::INFINITY, f64::min);
    let what = "99th percentile against 2d-iso and 2d-wtd, ratio 1 and above";
    vec![Comparison::change_range(what, paper::TRAFFIC_P99, (least, most))]
}
