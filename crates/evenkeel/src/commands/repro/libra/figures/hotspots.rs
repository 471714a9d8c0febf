//! Figure 21: hot spots that stay for a while and move on.

use sim::{Minute, PolicyResult};

use super::super::compare::Comparison;
use super::super::figure::{Data, Figure};
use super::super::lab::{Lab, Outcome, Run};
use super::{TWO_DIMENSIONAL, by_name};
use crate::error::Error;
use crate::output::plot::{Chart, Grid, Kind, Series};
use crate::output::table::Table;

/// Least length of a run in minutes, so that short hot spots come several times.
const LENGTH_MIN: f64 = 12.0;

/// Mean over the minutes after the first hot spot.
fn later(run: &PolicyResult, stay_min: f64, read: fn(&Minute) -> f64) -> f64 {
    let minutes = run.series.iter().filter(|minute| f64::from(minute.minute) > stay_min);
    let (sum, count) = minutes.fold((0.0, 0.0), |(sum, count), minute| (sum + read(minute), count + 1.0));
    sum / count
}

fn worst(minute: &Minute) -> f64 {
    minute.cpu_max_mean.max(minute.io_max_mean)
}

/// Tail latency and Max/Mean by how long a hot spot stays.
pub fn fig21(lab: &mut Lab) -> Result<Figure, Error> {
    let stays: Vec<f64> = lab.pick(vec![1.0, 3.0, 5.0, 10.0, 20.0, 30.0], vec![1.0, 2.0]);
    let setting = lab.setting("mixgraph-write")?;
    let mut runs: Vec<Run> = Vec::new();
    for stay in &stays {
        let mut config = setting.clone();
        config.workload.mixgraph.moving_s = Some(stay * 60.0);
        config.minutes = (2.0 * stay).max(lab.pick(LENGTH_MIN, 4.0));
        config.start_min = 0.0;
        runs.extend(TWO_DIMENSIONAL.map(|policy| (config.clone(), policy)));
    }
    let outcomes = lab.outcomes(&runs, 1)?;
    let steps: Vec<(f64, &[Outcome])> =
        stays.iter().copied().zip(outcomes.chunks(TWO_DIMENSIONAL.len())).collect();
    let panel = |title: &str, unit: &str, read: fn(&Minute) -> f64| {
        let mut chart = Chart::lines(title).axes("minutes that a hot spot stays", unit);
        chart.kind = Kind::Lines { log_x: true };
        for policy in TWO_DIMENSIONAL {
            let at = |(stay, step): &(f64, &[Outcome])| {
                Some((*stay, by_name(step, policy.name())?.mean(|run| later(run, *stay, read))))
            };
            chart = chart.with(Series::line(policy.name(), steps.iter().filter_map(at)));
        }
        chart
    };
    let panels = vec![
        panel("(a) 99th percentile", "ms", |minute| minute.latency.p99_ms),
        panel("(b) Max/Mean, worse dimension", "Max/Mean", worst).from(1.0).rule(1.05, "1.05"),
    ];
    let mut table = Table::new(["stay min", "policy", "p99 ms", "Max/Mean", "Max/Mean at the end"]);
    let mut data = Data::new(["stay_min", "policy", "p99_ms", "max_mean", "max_mean_at_end"]);
    for (stay, step) in &steps {
        for outcome in step.iter() {
            let numbers = [
                outcome.mean(|run| later(run, *stay, |minute| minute.latency.p99_ms)),
                outcome.mean(|run| later(run, *stay, worst)),
                outcome.mean(|run| run.series.last().map_or(f64::NAN, worst)),
            ];
            data.row(&[&stay.to_string(), outcome.name()], &numbers);
            let mut row = vec![stay.to_string(), outcome.name().to_string(), format!("{:.1}", numbers[0])];
            row.extend(numbers[1..].iter().map(|number| format!("{number:.2}")));
            table.row(row);
        }
    }
    Ok(Figure {
        name: "fig21",
        title: "hot spots that move on",
        setting: "Mixgraph writes whose hot ranges move after so many minutes. Means over all minutes but those of the first hot spot; \
                  scheduling is on throughout. One seed."
            .into(),
        table,
        svg: Grid { title: "How long a hot spot stays, Mixgraph writes".into(), columns: 2, panels }.svg(),
        comparisons: comparisons(&steps),
        remarks: "With moving hot spots all ranges are permuted, and the deliberate misalignment of hot ranges and value sizes is gone \
                  (the paper's generator does the same), so rivals have it easier than in figures 9 to 12.",
        data,
    })
}

fn comparisons(steps: &[(f64, &[Outcome])]) -> Vec<Comparison> {
    let end = |step: &[Outcome], name: &str| {
        by_name(step, name)
            .map_or(f64::NAN, |outcome| outcome.mean(|run| run.series.last().map_or(f64::NAN, worst)))
    };
    let mean = |(stay, step): &(f64, &[Outcome]), name: &str| {
        by_name(step, name).map_or(f64::NAN, |outcome| outcome.mean(|run| later(run, *stay, worst)))
    };
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return Vec::new() };
    vec![
        Comparison::words(
            format!("at the end of {} minutes", last.0),
            "Libra balanced, 2d-iso and 2d-wtd still at it",
            ["cooperative", "2d-iso", "2d-wtd"]
                .map(|name| format!("{name} {:.2}", end(last.1, name)))
                .join(", "),
            end(last.1, "cooperative") <= 1.1 && end(last.1, "2d-iso").max(end(last.1, "2d-wtd")) > 1.1,
        ),
        Comparison::words(
            "Libra's Max/Mean, the longer the hot spot stays",
            "unchanged below 5 minutes, then steadily better",
            format!(
                "{:.2} at {} min, {:.2} at {} min",
                mean(first, "cooperative"),
                first.0,
                mean(last, "cooperative"),
                last.0
            ),
            mean(last, "cooperative") < mean(first, "cooperative"),
        ),
    ]
}
