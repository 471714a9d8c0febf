//! Figures 2 and 3: loads node by node, before and after the rivals.

use balance::Policy;
use workload::SizeLaw;

use super::super::compare::Comparison;
use super::super::figure::{Data, Figure};
use super::super::lab::{Lab, Outcome};
use super::super::paper;
use crate::error::Error;
use crate::output::plot::{Chart, Grid};
use crate::output::table::Table;

/// One side of a node's pair of loads.
type Side = fn(&(f64, f64)) -> f64;

/// Loads of all nodes in the last minute, relative to the mean: (processor, disk).
fn nodes(outcome: &Outcome) -> Vec<(f64, f64)> {
    let last = outcome.runs.first().and_then(|run| run.series.last());
    last.map(|minute| minute.nodes.clone()).unwrap_or_default()
}

/// Most and least loaded node in one dimension.
fn ends(nodes: &[(f64, f64)], read: Side) -> (f64, f64) {
    let values = nodes.iter().map(read);
    values.fold((0.0, f64::INFINITY), |(high, low), value| (high.max(value), low.min(value)))
}

fn panel(title: &str, nodes: &[(f64, f64)], reach: f64) -> Chart {
    let named: Vec<(String, f64, f64)> = nodes
        .iter()
        .enumerate()
        .map(|(index, (cpu, io))| (format!("N{}", index + 1), round(*cpu), round(*io)))
        .collect();
    Chart::by_node(title, &named).axes("", "load / mean").reaching(reach)
}

/// To hundredths, so that all labels are of one form.
fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

struct Case {
    name: String,
    nodes: Vec<(f64, f64)>,
}

fn drawn(title: &str, columns: usize, cases: &[Case]) -> (String, Table, Data) {
    let reach = cases.iter().flat_map(|case| &case.nodes).map(|(cpu, io)| cpu.max(*io)).fold(1.0, f64::max);
    let panels = cases.iter().map(|case| panel(&case.name, &case.nodes, reach)).collect();
    let mut table =
        Table::new(["case", "cpu max", "cpu min", "cpu max/min", "io max", "io min", "io max/min"]);
    let mut data = Data::new(["case", "node", "cpu_over_mean", "io_over_mean"]);
    for case in cases {
        let (cpu, io) = (ends(&case.nodes, |node| node.0), ends(&case.nodes, |node| node.1));
        let numbers = [cpu.0, cpu.1, cpu.0 / cpu.1, io.0, io.1, io.0 / io.1];
        table.row(std::iter::once(case.name.clone()).chain(numbers.map(|number| format!("{number:.2}"))));
        for (index, (cpu, io)) in case.nodes.iter().enumerate() {
            data.row(&[&case.name, &format!("N{}", index + 1)], &[*cpu, *io]);
        }
    }
    (Grid { title: title.to_string(), columns, panels }.svg(), table, data)
}

/// No scheduling, values of one size and of Pareto sizes.
pub fn fig2(lab: &mut Lab) -> Result<Figure, Error> {
    let pareto = lab.setting("mixgraph-write")?;
    let mut fixed = pareto.clone();
    fixed.workload.value_bytes = SizeLaw::Fixed(1024);
    let outcomes = lab.outcomes(&[(fixed, Policy::None), (pareto, Policy::None)], 1)?;
    let names = ["(a) values of 1 KiB", "(b) values of Pareto sizes"];
    let cases: Vec<Case> = names
        .iter()
        .zip(&outcomes)
        .map(|(name, outcome)| Case { name: (*name).into(), nodes: nodes(outcome) })
        .collect();
    let (svg, table, data) = drawn("Load of the nodes without scheduling", 2, &cases);
    let comparisons = cases.get(1).map_or(Vec::new(), |case| {
        let ratio = |read: Side| {
            let (high, low) = ends(&case.nodes, read);
            high / low
        };
        vec![
            Comparison::value(
                "(b) cpu, fullest over emptiest node",
                "×",
                paper::SPREAD.0,
                ratio(|node| node.0),
            ),
            Comparison::value(
                "(b) io, fullest over emptiest node",
                "×",
                paper::SPREAD.1,
                ratio(|node| node.1),
            ),
        ]
    });
    Ok(Figure {
        name: "fig2",
        title: "load of the nodes without scheduling",
        setting: "Mixgraph writes on eight nodes, nothing scheduled. Parts (c) and (d) are Cassandra, which is not \
                  modelled here."
            .into(),
        table,
        svg,
        comparisons,
        remarks: "With values of one size both dimensions follow the requests, except that a follower does as much disk work as its \
                  leader but half of the processor work; with Pareto sizes they come apart further. The paper names single nodes (N2 \
                  against N4, N6 against N4); we compare the fullest with the emptiest. Replicas at random over eight nodes even out \
                  more than the testbed shows, and one seed is one placement: figure 11 has averages.",
        data,
    })
}

/// The same bars under each rival.
pub fn fig3(lab: &mut Lab) -> Result<Figure, Error> {
    let setting = lab.setting("mixgraph-write")?;
    let outcomes = lab.policies(&setting, &Policy::ALL, 1)?;
    let cases: Vec<Case> =
        outcomes.iter().map(|outcome| Case { name: outcome.name().into(), nodes: nodes(outcome) }).collect();
    let (svg, table, data) = drawn("Load of the nodes after scheduling, by policy", 3, &cases);
    let worst = |name: &str, read: Side| {
        cases.iter().find(|case| case.name == name).map_or(f64::NAN, |case| ends(&case.nodes, read).0)
    };
    let (cpu, io): (Side, Side) = (|node| node.0, |node| node.1);
    let both = |name: &str| format!("cpu {:.2}, io {:.2}", worst(name, cpu), worst(name, io));
    let uneven = |name: &str| worst(name, cpu).max(worst(name, io)) > 1.1;
    let comparisons = vec![
        Comparison::words(
            "1d-cpu",
            "evens cpu, leaves io uneven",
            both("1d-cpu"),
            worst("1d-cpu", cpu) < worst("1d-cpu", io),
        ),
        Comparison::words(
            "1d-io",
            "evens io, leaves cpu uneven",
            both("1d-io"),
            worst("1d-io", io) < worst("1d-io", cpu),
        ),
        Comparison::words(
            "2d-iso",
            "better in both, balanced in neither",
            both("2d-iso"),
            uneven("2d-iso")
                && worst("2d-iso", cpu) < worst("none", cpu)
                && worst("2d-iso", io) < worst("none", io),
        ),
        Comparison::words(
            "2d-wtd",
            "slightly better than 2d-iso",
            both("2d-wtd"),
            worst("2d-wtd", cpu).max(worst("2d-wtd", io)) < worst("2d-iso", cpu).max(worst("2d-iso", io)),
        ),
    ];
    Ok(Figure {
        name: "fig3",
        title: "load of the nodes under each policy",
        setting: "The load of figure 2(b), sixteen minutes, scheduling from the fourth on; loads of the last minute. \
                  `cooperative` and `keel` are added to the paper's five."
            .into(),
        table,
        svg,
        comparisons,
        remarks: "A policy that looks at one dimension evens that one only, and one that looks at a sum is content when \
                  highs and lows cancel out. These are loads of one run with one seed; figure 11 has averages.",
        data,
    })
}
