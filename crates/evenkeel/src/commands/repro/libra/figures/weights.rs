//! Table II: 2d-wtd with different weights.

use balance::{Load, Policy};
use sim::PolicyResult;

use super::super::compare::Comparison;
use super::super::figure::{Data, Figure};
use super::super::lab::{Lab, Outcome, Run};
use super::super::paper;
use super::SEEDS;
use crate::error::Error;
use crate::output::plot::{Chart, Grid, Series};
use crate::output::table::Table;

fn worst(run: &PolicyResult) -> f64 {
    run.cpu_max_mean.max(run.io_max_mean)
}

fn tail(run: &PolicyResult) -> f64 {
    run.latency.p99_ms
}

/// Max/Mean and tail latency by weight.
pub fn table2(lab: &mut Lab) -> Result<Figure, Error> {
    let setting = lab.setting("mixgraph-write")?;
    let run = |(cpu, _, _): (f64, f64, f64)| -> Run {
        let mut config = setting.clone();
        config.options.weights = Load::new(cpu, 1.0 - cpu);
        (config, Policy::Weighted)
    };
    let outcomes = lab.outcomes(&paper::WEIGHTS.map(run), SEEDS)?;
    let rows = || paper::WEIGHTS.iter().zip(&outcomes);
    let mut table = Table::new(["cpu : io", "Max/Mean, paper", "ours", "tail ms, paper", "ours"]);
    let mut data =
        Data::new(["cpu_weight", "io_weight", "paper_max_mean", "max_mean", "paper_p99_ms", "p99_ms"]);
    let mut comparisons = Vec::new();
    for ((cpu, ratio, tail_ms), outcome) in rows() {
        let (balance, p99) = (outcome.mean(worst), outcome.mean(tail));
        let name = format!("{cpu} : {}", 1.0 - cpu);
        let numbers = [*ratio, balance, *tail_ms, p99];
        table.row(std::iter::once(name.clone()).chain(numbers.map(|number| format!("{number:.2}"))));
        data.row(&[&cpu.to_string(), &(1.0 - cpu).to_string()], &numbers);
        comparisons.push(Comparison::value(format!("Max/Mean at {name}"), "", *ratio, balance));
    }
    comparisons.push(best(&outcomes));
    let categories: Vec<String> = rows().map(|((cpu, _, _), _)| format!("{cpu}:{}", 1.0 - cpu)).collect();
    let panel = |title: &str, unit: &str, paper: Vec<f64>, read: fn(&PolicyResult) -> f64| {
        Chart::bars(title, categories.clone())
            .axes("weights, cpu : io", unit)
            .with(Series::bars("paper", paper))
            .with(Series::bars("ours", outcomes.iter().map(|outcome| outcome.mean(read))))
    };
    let panels = vec![
        panel("Max/Mean, worse dimension", "Max/Mean", paper::WEIGHTS.map(|row| row.1).to_vec(), worst),
        panel("99th percentile", "ms", paper::WEIGHTS.map(|row| row.2).to_vec(), tail),
    ];
    Ok(Figure {
        name: "table2",
        title: "2d-wtd with different weights",
        setting: format!(
            "Mixgraph writes under 2d-wtd; Max/Mean of the worse dimension. Means over {SEEDS} seeds."
        ),
        table,
        svg: Grid { title: "2d-wtd with different weights, Mixgraph writes".into(), columns: 2, panels }
            .svg(),
        comparisons,
        remarks: "Milliseconds depend on the number of clients and on the assumed hardware; compare their shape over the weights. \
                  The ends 0 : 1 and 1 : 0 are the one-dimensional policies.",
        data,
    })
}

fn best(outcomes: &[Outcome]) -> Comparison {
    let scored =
        paper::WEIGHTS.iter().zip(outcomes).map(|((cpu, _, _), outcome)| (*cpu, outcome.mean(worst)));
    let least =
        scored.fold((f64::NAN, f64::INFINITY), |best, next| if next.1 < best.1 { next } else { best });
    let ours = format!("{} : {}", least.0, 1.0 - least.0);
    Comparison::words("best weights", "0.5 : 0.5", ours, least.0 == 0.5)
}
