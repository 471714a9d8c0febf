//! The document: every figure with its chart, our numbers, and the paper's beside them.

use super::figure::Figure;
use super::lab::Lab;
use crate::output::machine::Machine;
use crate::output::table::Table;

/// The page in Markdown.
pub fn render(command: &str, lab: &Lab, figures: &[Figure]) -> String {
    let mut out = String::from("# Libra's evaluation, made again\n\n");
    out += &format!(
        "Made by `evenkeel {command}`; do not edit, run it again. Machine: {}. Nothing here depends on its speed but the \
         planning times of figure 19.\n\n",
        Machine::here()
    );
    out += INTRODUCTION;
    if lab.quick() {
        out += "\n**This is a `--quick` run: short runs of a small cluster. Its numbers say nothing.**\n";
    }
    out += &overview(figures);
    figures.iter().for_each(|figure| out += &section(figure));
    out
}

const INTRODUCTION: &str = "\
The paper is *Mitigating Dual Load Imbalance via Dynamic Cooperative Scheduling in Distributed Key-Value Stores*. \
Its Libra is our `cooperative`: the rules as printed. `keel`, our own policy, is shown beside it. Percentages are changes of \
`cooperative` against a rival, so −50 % of a latency means half of it.

## What differs from the testbed

- **A simulator, not TiKV.** Nodes are queues for eight cores and one disk of 300 MB/s; requests cost what \
`sim::Costs` says. Clients draw from a fixed pool of requests, so the true load of every region is known, \
and Max/Mean is that of true loads, not of what the manager believes.
- **Dilated time.** Requests are simulated more slowly than they come, and there are fewer of them by the same factor. Queues do \
not notice; heartbeats, copies and sampling run in true time.
- **Hardware is assumed.** Costs are set so that processor and disk run short at about the same rate under Mixgraph \
writes, as on the testbed. Latencies in milliseconds are therefore only of the right order; compare ratios.
- **Placement at random.** Leaders and followers start on random nodes; the testbed spread regions evenly by TiKV's rules.
- **The load.** Mixgraph with a = 1.418, as in the run file of the paper's prototype; the text prints 14.18, with \
which one range would take 78 % of all requests.
- **Rivals as described.** 2d-iso and the others are written from the paper's sentences. All but 2d-iso may \
split regions by load, and all use the same metric mapping.
- **No compaction bursts.** Write amplification is spread evenly over writes, so tails are shorter than a real LSM tree's.
";

fn overview(figures: &[Figure]) -> String {
    let all = || figures.iter().flat_map(|figure| &figure.comparisons);
    let count = |verdict: &str| all().filter(|found| found.verdict == verdict).count();
    let total = all().count();
    if total == 0 {
        return String::new();
    }
    format!(
        "\n## How often they agree\n\nOf {total} comparisons with a number or statement in the paper's text, {} agree \
         (same direction, within ten points or a third), {} go further in the same direction, {} less far, {} spread wider around the \
         paper's range, and {} differ.\n",
        count("agrees"),
        count("stronger"),
        count("weaker"),
        count("wider"),
        total - ["agrees", "stronger", "weaker", "wider"].map(count).iter().sum::<usize>(),
    )
}

fn section(figure: &Figure) -> String {
    let mut out = format!("\n## {}\n\n{}\n\n", heading(figure), figure.setting);
    out += &format!("![{}]({}.svg)\n\n", figure.title, figure.name);
    out += &figure.table.markdown();
    if figure.comparisons.is_empty() {
        out += "\nThe figure's values are not in the paper's text.\n";
    } else {
        out += &format!("\n{}", comparison_table(figure).markdown());
    }
    format!("{out}\n{}\n", figure.remarks)
}

fn heading(figure: &Figure) -> String {
    let number = figure.name.replace("fig", "Figure ").replace("table2", "Table II");
    format!("{number}: {}", figure.title)
}

fn comparison_table(figure: &Figure) -> Table {
    let mut table = Table::new(["compared", "paper", "ours", "verdict"]);
    for found in &figure.comparisons {
        table.row([found.what.as_str(), &found.paper, &found.ours, found.verdict]);
    }
    table
}

/// All comparisons for a terminal.
pub fn comparisons_text(figures: &[Figure]) -> String {
    let blocks = figures.iter().map(|figure| match figure.comparisons.is_empty() {
        true => format!("{}\nthe figure's values are not in the paper's text\n", heading(figure)),
        false => format!("{}\n{}", heading(figure), comparison_table(figure).text()),
    });
    blocks.collect::<Vec<_>>().join("\n")
}
