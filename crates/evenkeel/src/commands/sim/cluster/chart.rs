//! Balance, throughput and latency over time, one line per policy.

use sim::{Minute, PolicyResult};

use super::Request;
use crate::output::plot::{Chart, Grid, Series};

/// Four panels over the same minutes.
pub fn svg(request: &Request, results: &[PolicyResult]) -> String {
    let goal = 1.0 + request.config.options.lambda;
    let panel = |title: &str, unit: &str, read: fn(&Minute) -> f64| {
        let mut chart = Chart::lines(title).axes("minute", unit);
        for result in results {
            let points = result.series.iter().map(|minute| (f64::from(minute.minute), read(minute)));
            chart = chart.with(Series::line(result.policy.name(), points));
        }
        chart
    };
    let panels = vec![
        panel("cpu: load of the fullest node", "Max/Mean", |minute| minute.cpu_max_mean)
            .from(1.0)
            .rule(goal, format!("{goal:.2}")),
        panel("io: load of the fullest node", "Max/Mean", |minute| minute.io_max_mean)
            .from(1.0)
            .rule(goal, format!("{goal:.2}")),
        panel("throughput", "requests/s", |minute| minute.throughput_ops),
        panel("99th percentile of the latency", "ms", |minute| minute.latency.p99_ms),
    ];
    let title = format!(
        "{} nodes, {} regions, {}; scheduling from minute {} on",
        request.config.nodes,
        request.config.regions,
        request.load.words(&request.config),
        request.config.start_min
    );
    Grid { title, columns: 2, panels }.svg()
}
