//! Figure 17: no splits, size splits, load splits.

use balance::Policy;
use sim::{Minute, SplitBy};

use super::super::compare::Comparison;
use super::super::figure::{Data, Figure};
use super::super::lab::{Lab, Outcome};
use super::super::paper;
use crate::error::Error;
use crate::output::plot::{Chart, Grid, Series};
use crate::output::table::Table;

const NAMES: [&str; 3] = ["no split", "size split", "load split"];

fn worst(minute: &Minute) -> f64 {
    minute.cpu_max_mean.max(minute.io_max_mean)
}

/// Latency and Max/Mean over time for three ways to cut.
pub fn fig17(lab: &mut Lab) -> Result<Figure, Error> {
    let mut load = lab.setting("mixgraph-write")?;
    load.minutes = lab.pick(40.0, 4.0);
    let mut size = load.clone();
    size.split_by = SplitBy::Size;
    let mut none = load.clone();
    none.options.splitting = false;
    let active_min = load.minutes - load.start_min;
    let runs = [none, size, load].map(|config| (config, Policy::Cooperative));
    let outcomes = lab.outcomes(&runs, 1)?;
    let series =
        |outcome: &'_ Outcome| outcome.runs.first().map(|run| run.series.clone()).unwrap_or_default();
    let panel = |title: &str, unit: &str, read: fn(&Minute) -> f64| {
        let mut chart = Chart::lines(title).axes("minute", unit);
        for (name, outcome) in NAMES.iter().zip(&outcomes) {
            let points = series(outcome).into_iter().map(|minute| (f64::from(minute.minute), read(&minute)));
            chart = chart.with(Series::line(*name, points));
        }
        chart
    };
    let panels = vec![
        panel("(a) mean latency", "ms", |minute| minute.latency.mean_ms),
        panel("(b) Max/Mean, worse dimension", "Max/Mean", worst).from(1.0).rule(1.05, "1.05"),
    ];
    let mut table =
        Table::new(["cut", "balanced after min", "Max/Mean at the end", "mean ms", "splits", "moves"]);
    let mut data = Data::new(["cut", "minute", "mean_ms", "p99_ms", "max_mean", "regions"]);
    for (name, outcome) in NAMES.iter().zip(&outcomes) {
        let Some(run) = outcome.runs.first() else { continue };
        table.row([
            (*name).to_string(),
            run.minutes_to_balance.map_or("–".into(), |minutes| format!("{minutes:.1}")),
            format!("{:.2}", run.cpu_max_mean.max(run.io_max_mean)),
            format!("{:.1}", run.latency.mean_ms),
            run.splits.to_string(),
            run.moves.to_string(),
        ]);
        for minute in &run.series {
            let latency = minute.latency;
            data.row(
                &[name, &minute.minute.to_string()],
                &[latency.mean_ms, latency.p99_ms, worst(minute), minute.regions as f64],
            );
        }
    }
    Ok(Figure {
        name: "fig17",
        title: "ways to cut regions",
        setting: "`cooperative` on Mixgraph writes, forty minutes: without splits, with splits in halves of the data, and with splits \
                  by load."
            .into(),
        table,
        svg: Grid { title: "Ways to cut regions, under cooperative scheduling".into(), columns: 2, panels }.svg(),
        comparisons: comparisons(&outcomes, active_min),
        remarks: "A region that is cut in halves by size mostly stays hot on one side, so it has to be cut again, a sampling and a \
                  heartbeat later each time. How much longer that takes depends on how long one round of cutting takes, which is \
                  a few minutes on the testbed and about half a minute here.",
        data,
    })
}

fn comparisons(outcomes: &[Outcome], active_min: f64) -> Vec<Comparison> {
    let run = |index: usize| outcomes.get(index).and_then(|outcome| outcome.runs.first());
    let [none, size, load] = [0, 1, 2].map(|index| run(index).and_then(|run| run.minutes_to_balance));
    let never = || format!("never in {active_min:.0} min");
    let written =
        |minutes: Option<f64>| minutes.map_or_else(never, |minutes| format!("after {minutes:.1} min"));
    let later = match (size, load) {
        (Some(size), Some(load)) => Comparison::value(
            "size split, later than load split by",
            " min",
            paper::SIZE_SPLIT_LATER_MIN,
            size - load,
        ),
        (size, load) => Comparison::words(
            "size split against load split",
            "balanced 20 min later",
            format!("{} against {}", written(size), written(load)),
            load.is_some(),
        ),
    };
    vec![
        later,
        Comparison::words(
            "load split",
            "balanced first",
            written(load),
            load.is_some() && size.is_none_or(|size| load <= Some(size)),
        ),
        Comparison::words("no split", "never balanced", written(none), none.is_none()),
    ]
}
