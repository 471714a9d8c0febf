//! Writes one chart of each kind to a folder, to look at the house style: `--example house_style -- out`.
#![allow(clippy::disallowed_methods, reason = "an example for the eye: it writes files")]

use evenkeel::output::plot::{Chart, Grid, Kind, Series};

const POLICIES: [&str; 7] = ["none", "1d-cpu", "1d-io", "2d-iso", "2d-wtd", "cooperative", "keel"];

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "out".to_string());
    std::fs::create_dir_all(&folder)?;
    let charts = [
        ("bars.svg", bars("Throughput by workload", &["YCSB-A", "YCSB-B", "YCSB-E", "Mixgraph"]).svg()),
        ("lines.svg", lines("Planning time by cluster size").svg()),
        ("nodes.svg", nodes().svg()),
        ("grid.svg", grid().svg()),
    ];
    for (name, svg) in charts {
        std::fs::write(format!("{folder}/{name}"), svg)?;
    }
    Ok(())
}

fn bars(title: &str, categories: &[&str]) -> Chart {
    let mut chart =
        Chart::bars(title, categories.iter().copied()).axes("workload", "throughput (thousand ops/s)");
    for (index, name) in POLICIES.into_iter().enumerate() {
        let value = |group: usize| 40.0 + 11.0 * index as f64 + 7.3 * ((group * 5 + index) % 4) as f64;
        let values =
            (0..categories.len()).map(|group| (value(group), value(group) - 4.0, value(group) + 5.0));
        chart = chart.with(Series::bars_with_spread(name, values));
    }
    chart
}

fn lines(title: &str) -> Chart {
    let mut chart = Chart::lines(title).axes("nodes", "Max/Mean").rule(1.05, "1 + λ");
    chart.kind = Kind::Lines { log_x: true };
    for (index, name) in POLICIES.into_iter().enumerate() {
        let y = |x: f64| 1.04 + (6 - index) as f64 * 0.13 * x.ln() / 4.0;
        chart = chart.with(Series::line(name, [8.0, 16.0, 64.0, 256.0, 1000.0].map(|x| (x, y(x)))));
    }
    chart
}

fn nodes() -> Chart {
    let levels = [
        (1.37, 0.98),
        (0.41, 0.25),
        (1.39, 0.89),
        (0.53, 0.75),
        (1.28, 1.06),
        (0.75, 0.73),
        (1.68, 2.18),
        (0.6, 1.18),
    ];
    let nodes: Vec<_> =
        levels.iter().enumerate().map(|(i, (cpu, io))| (format!("N{}", i + 1), *cpu, *io)).collect();
    Chart::by_node("Load by node before balancing", &nodes)
        .axes("node", "load over share")
        .rule(1.05, "1 + λ")
}

fn grid() -> Grid {
    let panels = vec![
        bars("mix", &["moves", "new regions"]).axes("", "count"),
        lines("pareto"),
        lines("giant").axes("nodes", "Max/Mean"),
        bars("8 nodes", &["cpu", "io"]).axes("dimension", "Max/Mean"),
    ];
    Grid { title: "Four views of one run".into(), columns: 2, panels }
}
