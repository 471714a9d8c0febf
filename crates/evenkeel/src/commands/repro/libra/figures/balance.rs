//! Figure 11: how even loads are at a fixed request rate.

use balance::Policy;
use sim::Clients;

use super::super::compare::{Comparison, change};
use super::super::figure::{Data, Figure};
use super::super::lab::{Lab, Outcome, Read};
use super::super::paper;
use super::{SEEDS, by_name};
use crate::error::Error;
use crate::output::plot::{Chart, Series};
use crate::output::table::Table;

/// Part of what an unscheduled cluster serves that all policies are asked for.
const RATE_PART: f64 = 0.8;

/// Max/Mean in both dimensions.
pub fn fig11(lab: &mut Lab) -> Result<Figure, Error> {
    let mut setting = lab.setting("mixgraph-write")?;
    let unscheduled = lab.policies(&setting, &[Policy::None], 1)?;
    let served = unscheduled.first().map_or(1.0, |outcome| outcome.mean(|run| run.throughput_ops));
    let rate_ops = (served * RATE_PART / 100.0).round().max(1.0) * 100.0;
    setting.clients = Clients::Open { rate_ops };
    let outcomes = lab.policies(&setting, &Policy::ALL, SEEDS)?;
    let mut chart = Chart::bars("Max/Mean at a fixed request rate, Mixgraph writes", ["cpu", "io"])
        .axes("", "Max/Mean")
        .rule(1.05, "1.05");
    let mut table = Table::new(["policy", "cpu", "± cpu", "io", "± io"]);
    let mut data = Data::new(["policy", "cpu_max_mean", "cpu_deviation", "io_max_mean", "io_deviation"]);
    for outcome in &outcomes {
        let (cpu, io) = (outcome.spread(|run| run.cpu_max_mean), outcome.spread(|run| run.io_max_mean));
        chart = chart.with(Series::bars_with_spread(outcome.name(), [cpu, io]));
        let numbers = [cpu.0, cpu.2 - cpu.0, io.0, io.2 - io.0];
        table.row(
            std::iter::once(outcome.name().to_string()).chain(numbers.map(|number| format!("{number:.2}"))),
        );
        data.row(&[outcome.name()], &numbers);
    }
    Ok(Figure {
        name: "fig11",
        title: "how even loads are",
        setting: format!(
            "Mixgraph writes at {rate_ops:.0} requests per second for every policy: four fifths of what the unscheduled cluster \
             serves, so that all can serve it. Means over {SEEDS} seeds, with standard deviations."
        ),
        table,
        svg: chart.svg(),
        comparisons: comparisons(&outcomes),
        remarks: "`cooperative` is the only one of the paper's policies that is near the goal in both dimensions. How far the rivals \
                  stay above depends on where regions lie at first and on how many splits they make: the paper \
                  lets rivals cut regions too, but does not say how, so ours use the same cutting as `cooperative`.",
        data,
    })
}

fn comparisons(outcomes: &[Outcome]) -> Vec<Comparison> {
    let own = by_name(outcomes, "cooperative");
    let mut found = Vec::new();
    let dimensions: [(&str, &paper::Against, Read); 2] = [
        ("cpu", &paper::BALANCE_CPU, |run| run.cpu_max_mean),
        ("io", &paper::BALANCE_IO, |run| run.io_max_mean),
    ];
    for (dimension, claims, read) in dimensions {
        for (rival, claim) in paper::RIVALS.iter().zip(claims) {
            if let (Some(own), Some(other)) = (own, by_name(outcomes, rival)) {
                let what = format!("{dimension} Max/Mean against {rival}");
                found.push(Comparison::change(what, *claim, change(own.mean(read), other.mean(read))));
            }
        }
    }
    found
}
