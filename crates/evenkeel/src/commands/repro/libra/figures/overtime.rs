//! Figures 9 and 10: the fullest node and the mean over time.
//!
//! A node's load is written as the requests (or user bytes) that the cluster could serve per node if all nodes were as
//! loaded as this one: mean × Max/Mean. So followers count by what they cost, as they do on the testbed.

use sim::Minute;

use super::super::compare::Comparison;
use super::super::figure::{Data, Figure};
use super::super::lab::Lab;
use super::SHOWN;
use crate::error::Error;
use crate::output::plot::{Chart, Grid, Series};
use crate::output::table::Table;

struct Measure {
    name: &'static str,
    title: &'static str,
    heading: &'static str,
    unit: &'static str,
    /// The one-dimensional policy that looks at this dimension.
    own: &'static str,
    /// Mean over the nodes.
    mean: fn(&Minute) -> f64,
    /// Load of the fullest node over the mean.
    ratio: fn(&Minute) -> f64,
    /// What the busiest leaders' node serves.
    leaders: fn(&Minute) -> f64,
}

impl Measure {
    /// Fullest node and mean.
    fn read(&self, minute: &Minute) -> (f64, f64) {
        let mean = (self.mean)(minute);
        (mean * (self.ratio)(minute), mean)
    }
}

/// Operations per second.
pub fn fig9(lab: &mut Lab) -> Result<Figure, Error> {
    made(
        lab,
        &Measure {
            name: "fig9",
            title: "processor load in requests, fullest node and mean",
            heading: "Processor load as requests per second: fullest node and mean",
            unit: "requests/s",
            own: "1d-cpu",
            mean: |minute| minute.served.ops_mean,
            ratio: |minute| minute.cpu_max_mean,
            leaders: |minute| minute.served.ops_max,
        },
    )
}

/// User bytes per second.
pub fn fig10(lab: &mut Lab) -> Result<Figure, Error> {
    made(
        lab,
        &Measure {
            name: "fig10",
            title: "disk load in user bytes, fullest node and mean",
            heading: "Disk load as user bytes per second: fullest node and mean",
            unit: "MB/s",
            own: "1d-io",
            mean: |minute| minute.served.bytes_mean / 1e6,
            ratio: |minute| minute.io_max_mean,
            leaders: |minute| minute.served.bytes_max / 1e6,
        },
    )
}

fn made(lab: &mut Lab, measure: &Measure) -> Result<Figure, Error> {
    let setting = lab.setting("mixgraph-write")?;
    let outcomes = lab.policies(&setting, &SHOWN, 1)?;
    let start = setting.start_min;
    let mut panels = Vec::new();
    let mut table = Table::new(["policy", "gap before %", "gap at the end %", "of leaders alone %"]);
    let mut data = Data::new(["policy", "minute", "max", "mean", "leaders_max"]);
    let series =
        |index: usize| outcomes[index].runs.first().map(|run| run.series.as_slice()).unwrap_or_default();
    let all = (0..outcomes.len()).flat_map(series);
    let reach = all.map(|minute| measure.read(minute).0).fold(0.0, f64::max);
    let mut gaps = Vec::new();
    for (index, outcome) in outcomes.iter().enumerate() {
        let points = |pick: fn((f64, f64)) -> f64| {
            series(index).iter().map(move |minute| (f64::from(minute.minute), pick(measure.read(minute))))
        };
        panels.push(
            Chart::lines(outcome.name())
                .axes("minute", measure.unit)
                .with(Series::line("max", points(|pair| pair.0)))
                .with(Series::line("mean", points(|pair| pair.1)))
                .reaching(reach)
                .from(0.0),
        );
        let gap = |minute: &Minute| {
            let (max, mean) = measure.read(minute);
            (max / mean - 1.0) * 100.0
        };
        let before =
            series(index).iter().rfind(|minute| f64::from(minute.minute) <= start).map_or(f64::NAN, gap);
        let after = series(index).last().map_or(f64::NAN, gap);
        gaps.push((outcome.name(), after));
        let leaders = series(index)
            .last()
            .map_or(f64::NAN, |last| ((measure.leaders)(last) / (measure.mean)(last) - 1.0) * 100.0);
        table.row([
            outcome.name().to_string(),
            format!("{before:.1}"),
            format!("{after:.1}"),
            format!("{leaders:.1}"),
        ]);
        for minute in series(index) {
            let (max, mean) = measure.read(minute);
            data.row(&[outcome.name(), &minute.minute.to_string()], &[max, mean, (measure.leaders)(minute)]);
        }
    }
    Ok(Figure {
        name: measure.name,
        title: measure.title,
        setting: format!(
            "Mixgraph writes, {} nodes, clients that keep them busy; scheduling from minute {start} on. The mean is what a node serves; the \
             maximum is the same times the true Max/Mean. The gap is (max − mean) / mean.",
            setting.nodes
        ),
        table,
        svg: Grid { title: measure.heading.into(), columns: 3, panels }.svg(),
        comparisons: comparisons(&gaps, measure.own),
        remarks: "What leaders alone serve, without the work of their followers, stands in the last column: it need not be even when \
                  processors and disks are, since a node with fewer leaders carries more followers. The paper's figure shows rates \
                  per node without saying whether writes to followers count; its prototype balances both.",
        data,
    })
}

fn comparisons(gaps: &[(&'static str, f64)], own: &str) -> Vec<Comparison> {
    let gap = |name: &str| gaps.iter().find(|(known, _)| *known == name).map_or(f64::NAN, |(_, gap)| *gap);
    let written = |name: &str| format!("{name} {:.1} %", gap(name));
    let other = if own == "1d-cpu" { "1d-io" } else { "1d-cpu" };
    let two = gap("2d-iso").min(gap("2d-wtd"));
    vec![
        Comparison::words(
            "gap at the end, one dimension",
            if own == "1d-cpu" { "1D-CPU even, 1D-IO not" } else { "1D-IO even, 1D-CPU not" },
            [own, other].map(written).join(", "),
            gap(own) < gap(other),
        ),
        Comparison::words(
            "gap at the end, two dimensions",
            "2D-ISO and 2D-WTD better but notable, Libra smallest",
            ["2d-iso", "2d-wtd", "cooperative"].map(written).join(", "),
            gap("cooperative") < two && two > 5.0,
        ),
    ]
}
