//! Figures 12 to 14: writes, reads and scans.

use balance::Policy;
use sim::PolicyResult;

use super::super::compare::{Comparison, change};
use super::super::figure::{Data, Figure};
use super::super::lab::{Lab, Outcome};
use super::super::paper::{self, Micro};
use super::{SEEDS, by_name};
use crate::error::Error;
use crate::output::plot::{Chart, Grid, Series};
use crate::output::table::Table;

type Measure = (&'static str, &'static str, fn(&PolicyResult) -> f64);

const MEASURES: [Measure; 3] = [
    ("mean latency", "ms", |run| run.latency.mean_ms),
    ("99th percentile", "ms", |run| run.latency.p99_ms),
    ("throughput", "requests/s", |run| run.throughput_ops),
];

/// Writes.
pub fn fig12(lab: &mut Lab) -> Result<Figure, Error> {
    let remarks = "Clients wait for their answers, so the node that is shortest of processor or disk holds all of them up: latency and \
                   throughput say the same here. A one-dimensional rival evens its own \
                   dimension and leaves the other as it was, 2d-wtd is content when highs and lows cancel out, and 2d-iso goes on moving. Milliseconds \
                   are shorter than on the testbed: 256 clients ask here, 1,024 threads in the files of the paper's prototype.";
    made(lab, ("fig12", "writes", "mixgraph-write"), &paper::WRITE, remarks)
}

/// Reads.
pub fn fig13(lab: &mut Lab) -> Result<Figure, Error> {
    let remarks = "A read costs its leader alone, and one that misses the cache costs processor and disk alike, so both dimensions go together and \
                   looking at one of them is nearly enough: the one-dimensional rivals and 2d-wtd come out much better than in the paper. 2d-iso schedules \
                   both dimensions at once and moves the same regions to and fro; the copies take disk bandwidth from the reads.";
    made(lab, ("fig13", "reads", "mixgraph-read"), &paper::READ, remarks)
}

/// Scans.
pub fn fig14(lab: &mut Lab) -> Result<Figure, Error> {
    let remarks = "Scans are bound by the processor here (a row costs processor time whether or not its block is cached), so a policy that looks \
                   at the processor alone does as well as one that looks at both; on the testbed scans seem to be bound by both. A scan that crosses into the next \
                   region costs another exchange, so every cut through a hot range has its price.";
    made(lab, ("fig14", "scans", "mixgraph-scan"), &paper::SCAN, remarks)
}

fn made(
    lab: &mut Lab,
    (name, title, workload): (&'static str, &'static str, &'static str),
    claims: &Micro,
    remarks: &'static str,
) -> Result<Figure, Error> {
    let setting = lab.setting(workload)?;
    let outcomes = lab.policies(&setting, &Policy::ALL, SEEDS)?;
    let mut table =
        Table::new(["policy", "mean ms", "± mean", "p99 ms", "± p99", "requests/s", "± requests/s"]);
    let mut data = Data::new([
        "policy",
        "mean_ms",
        "mean_deviation",
        "p99_ms",
        "p99_deviation",
        "throughput_ops",
        "throughput_deviation",
    ]);
    for outcome in &outcomes {
        let numbers: Vec<f64> = MEASURES
            .iter()
            .map(|(_, _, read)| outcome.spread(read))
            .flat_map(|(mean, _, high)| [mean, high - mean])
            .collect();
        let written = numbers.iter().enumerate().map(|(column, number)| match column {
            0..4 => format!("{number:.1}"),
            _ => format!("{number:.0}"),
        });
        table.row(std::iter::once(outcome.name().to_string()).chain(written));
        data.row(&[outcome.name()], &numbers);
    }
    let panels = MEASURES.iter().map(|measure| panel(measure, &outcomes)).collect();
    Ok(Figure {
        name,
        title,
        setting: format!(
            "Workload `{workload}`, {:?} nodes, clients that wait for their answers; measured in the last six of sixteen \
             minutes. Means over {SEEDS} seeds, with standard deviations.",
            setting.nodes
        ),
        table,
        svg: Grid { title: format!("Mixgraph {title}, by policy"), columns: 3, panels }.svg(),
        comparisons: comparisons(title, &outcomes, claims),
        remarks,
        data,
    })
}

fn panel((title, unit, read): &Measure, outcomes: &[Outcome]) -> Chart {
    let mut chart = Chart::bars(*title, [""]).axes("", *unit);
    for outcome in outcomes {
        chart = chart.with(Series::bars_with_spread(outcome.name(), [outcome.spread(read)]));
    }
    chart
}

fn comparisons(what: &str, outcomes: &[Outcome], claims: &Micro) -> Vec<Comparison> {
    let Some(own) = by_name(outcomes, "cooperative") else { return Vec::new() };
    let against = |read: fn(&PolicyResult) -> f64| {
        paper::RIVALS.map(|rival| {
            by_name(outcomes, rival).map_or(f64::NAN, |other| change(own.mean(read), other.mean(read)))
        })
    };
    let mut found = Vec::new();
    for ((measure, _, read), claims) in MEASURES.iter().zip([&claims.mean, &claims.p99]) {
        for ((rival, claim), ours) in paper::RIVALS.iter().zip(claims).zip(against(*read)) {
            found.push(Comparison::change(format!("{what}, {measure} against {rival}"), *claim, ours));
        }
    }
    let gains = against(MEASURES[2].2);
    let ends = gains
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |ends, gain| (ends.0.min(*gain), ends.1.max(*gain)));
    found.push(Comparison::change_range(
        format!("{what}, throughput against all rivals"),
        claims.throughput,
        ends,
    ));
    found
}
