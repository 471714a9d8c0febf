//! `evenkeel repro libra`: the evaluation of "Mitigating Dual Load Imbalance via Dynamic Cooperative Scheduling in
//! Distributed Key-Value Stores", on a simulated cluster.
//!
//! Each figure is a function from the `lab::Lab`, which runs and remembers simulations, to a
//! `figure::Figure`: numbers, a chart, and comparisons with what the paper says.

mod compare; // a number of the paper beside ours
mod figure; // what a figure comes to
mod figures; // one file per family
mod lab; // runs every setting once
mod page; // the document
mod paper; // what the paper says

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::commands::values;
use crate::error::Error;
use crate::output;
use crate::output::json::Envelope;

use compare::Comparison;
use figure::Figure;
use lab::{Effort, Lab};

/// What was typed.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Examples:\n  \
    evenkeel repro libra all --out out/libra\n  \
    evenkeel repro libra fig12 --json\n  \
    evenkeel repro libra table2 --seed 7")]
pub struct Args {
    /// all, or one of fig2, fig3, fig9 to fig22, table2
    #[arg(value_name = "FIGURE")]
    figure: String,
    /// Folder for CSV files, SVG charts and the page
    #[arg(long, value_name = "FOLDER", default_value = "out/libra")]
    out: PathBuf,
    /// Fixes everything that is drawn; averages also take the seeds that follow
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true)]
    seed: String,
    /// Short runs of a small cluster: to see that it works, not what it shows
    #[arg(long)]
    quick: bool,
    /// Print the comparisons as one JSON document
    #[arg(long)]
    json: bool,
}

/// One figure in the JSON document.
#[derive(Serialize)]
struct Summary<'a> {
    figure: &'a str,
    title: &'a str,
    comparisons: &'a [Comparison],
}

/// Carries the command out.
pub fn run(args: &Args) -> Result<(), Error> {
    let seed = values::seed(&args.seed)?;
    let makers = figures::named(&args.figure)?;
    std::fs::create_dir_all(&args.out).map_err(|cause| Error::writing(&args.out, "--out", &cause))?;
    let mut lab = Lab::new(seed, if args.quick { Effort::Quick } else { Effort::Full });
    let mut made = Vec::new();
    for (number, maker) in makers.iter().enumerate() {
        output::note(&format!("{}/{}  {}", number + 1, makers.len(), maker.name));
        let figure = (maker.make)(&mut lab)?;
        save(&args.out, &format!("{}.csv", maker.name), &figure.csv()?)?;
        save(&args.out, &format!("{}.svg", maker.name), &figure.svg)?;
        made.push(figure);
    }
    let command =
        format!("repro libra {} --seed {seed}{}", args.figure, if args.quick { " --quick" } else { "" });
    save(&args.out, "README.md", &page::render(&command, &lab, &made))?;
    output::note(&format!("{} simulations; wrote {}", lab.count(), args.out.join("README.md").display()));
    if args.json {
        return output::print(&json(&command, seed, &made)?);
    }
    output::print(&page::comparisons_text(&made))
}

fn save(folder: &Path, name: &str, text: &str) -> Result<(), Error> {
    output::write_file(&folder.join(name), "--out", text)
}

fn json(command: &str, seed: u64, made: &[Figure]) -> Result<String, Error> {
    let summaries = made
        .iter()
        .map(|figure| Summary { figure: figure.name, title: figure.title, comparisons: &figure.comparisons })
        .collect();
    output::json::document(&Envelope::new(command, seed, summaries))
}
