//! Results for people: what was simulated, a table per policy, ratios to 2d-iso; and the same as CSV.

use balance::Policy;
use sim::{Clients, Config, PolicyResult};

use super::Request;
use crate::error::Error;
use crate::output::screen::{Screen, Tone};
use crate::output::table::Table;
use crate::output::text::{bytes, hang};
use crate::output::{self, csv};

/// The whole report.
pub fn render(request: &Request, results: &[PolicyResult], screen: Screen) -> String {
    let config = &request.config;
    let heading = screen.paint(Tone::Strong, &format!("{} · seed {}", what(request), config.seed));
    let mut out = hang("", &heading, screen.width.max(60)) + "\n";
    out += &balance(results).text();
    out += &format!(
        "\nMax/Mean of the last three eighths of the run; 1.00 is even, {:.2} the goal.\n\n",
        1.0 + config.options.lambda
    );
    out += &service(results).text();
    if results.len() > 1 && results.iter().any(|result| result.policy == Policy::Isolated) {
        out += "\nvs 2d-iso: throughput, mean latency and 99th percentile over those of 2d-iso.\n";
    }
    out
}

fn what(request: &Request) -> String {
    let Config { nodes, regions, replicas, hardware, minutes, start_min, .. } = &request.config;
    let clients = match request.config.clients {
        Clients::Closed { count } => format!("{count} waiting clients"),
        Clients::Open { rate_ops } => format!("{rate_ops} requests/s"),
    };
    format!(
        "{} with {} cores and {} MB/s of disk each, {} in {}, {clients}, {}; \
         {minutes} simulated minutes, scheduling from minute {start_min} on",
        output::text::count(*nodes as usize, "node"),
        hardware.cores,
        hardware.disk_mb_s,
        output::text::count(*regions as usize, "region"),
        output::text::count(*replicas as usize, "replica"),
        request.load.words(&request.config),
    )
}

fn balance(results: &[PolicyResult]) -> Table {
    let mut table = Table::new([
        "policy",
        "cpu",
        "io",
        "balanced after",
        "moves",
        "leads",
        "splits",
        "merges",
        "regions",
        "copied",
        "undone %",
    ]);
    for result in results {
        table.row([
            result.policy.to_string(),
            format!("{:.2}", result.cpu_max_mean),
            format!("{:.2}", result.io_max_mean),
            result.minutes_to_balance.map_or("never".into(), |minutes| format!("{minutes:.1} min")),
            result.moves.to_string(),
            result.leader_transfers.to_string(),
            result.splits.to_string(),
            result.merges.to_string(),
            result.regions.to_string(),
            bytes(result.bytes_moved),
            format!("{:.1}", result.thrash * 100.0),
        ]);
    }
    table
}

fn service(results: &[PolicyResult]) -> Table {
    let rival = results.iter().find(|result| result.policy == Policy::Isolated).filter(|_| results.len() > 1);
    let mut header = vec!["policy", "ops/s", "mean ms", "p50 ms", "p99 ms", "p99.9 ms"];
    let turned_away = results.iter().any(|result| result.rejected > 0.0);
    if turned_away {
        header.push("turned away %");
    }
    if rival.is_some() {
        header.extend(["vs 2d-iso: ops", "mean", "p99"]);
    }
    let mut table = Table::new(header);
    for result in results {
        let latency = result.latency;
        let mut row = vec![result.policy.to_string(), format!("{:.0}", result.throughput_ops)];
        row.extend(
            [latency.mean_ms, latency.p50_ms, latency.p99_ms, latency.p999_ms].map(|ms| format!("{ms:.1}")),
        );
        if turned_away {
            row.push(format!("{:.1}", result.rejected * 100.0));
        }
        if let Some(rival) = rival {
            let ratios = [
                result.throughput_ops / rival.throughput_ops,
                latency.mean_ms / rival.latency.mean_ms,
                latency.p99_ms / rival.latency.p99_ms,
            ];
            row.extend(ratios.map(|ratio| format!("{ratio:.2}×")));
        }
        table.row(row);
    }
    table
}

/// One line per policy and minute.
pub fn csv(results: &[PolicyResult]) -> Result<String, Error> {
    let header = [
        "policy",
        "minute",
        "cpu_max_mean",
        "io_max_mean",
        "cpu_max_mean_estimated",
        "io_max_mean_estimated",
        "throughput_ops",
        "mean_ms",
        "p50_ms",
        "p99_ms",
        "p999_ms",
        "moves",
        "regions",
    ];
    let mut rows = Vec::new();
    for result in results {
        for minute in &result.series {
            let latency = minute.latency;
            let mut row = vec![result.policy.to_string(), minute.minute.to_string()];
            let numbers = [
                minute.cpu_max_mean,
                minute.io_max_mean,
                minute.cpu_max_mean_estimated,
                minute.io_max_mean_estimated,
                minute.throughput_ops,
                latency.mean_ms,
                latency.p50_ms,
                latency.p99_ms,
                latency.p999_ms,
            ];
            row.extend(numbers.map(|number| format!("{number:.4}")));
            row.extend([minute.moves.to_string(), minute.regions.to_string()]);
            rows.push(row);
        }
    }
    csv::from_rows(&header, &rows)
}
