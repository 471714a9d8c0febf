//! Every policy on every snapshot given, as a Markdown table: what it reaches, what it takes.
//!
//! `cargo run --release -p evenkeel --example policies -- scenarios/snapshots/*.json`

use std::path::Path;

use balance::{MaxMean, Options, Policy};
use evenkeel::commands::plan::Planned;
use evenkeel::error::Error;
use evenkeel::output::machine::Machine;
use evenkeel::output::table::Table;
use evenkeel::{input, output};

/// Plans are timed this often; the fastest counts, being the one least disturbed.
const RUNS: usize = 5;

fn main() -> std::process::ExitCode {
    match run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}

fn run() -> Result<(), Error> {
    let mut table = Table::new([
        "snapshot",
        "policy",
        "after cpu / io",
        "balanced",
        "moves",
        "new regions",
        "moved % cpu / io",
        "ms",
    ]);
    for argument in std::env::args().skip(1) {
        let path = Path::new(&argument);
        let view = input::read_view(path)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let both = |ratio: MaxMean| format!("{:.2} / {:.2}", ratio.cpu, ratio.io);
        for policy in Policy::ALL {
            let options = Options::default();
            let planned = Planned::new(&view, policy, &options)?;
            let again =
                (1..RUNS).map(|_| Planned::new(&view, policy, &options).map(|planned| planned.planning_ms));
            let times = again.collect::<Result<Vec<f64>, Error>>()?;
            let fastest = times.into_iter().fold(planned.planning_ms, f64::min);
            let tally = &planned.tally;
            table.row([
                name.to_string(),
                policy.to_string(),
                both(planned.plan.after),
                if planned.plan.balanced { "yes" } else { "no" }.to_string(),
                tally.moves.to_string(),
                tally.new_regions.to_string(),
                format!("{:.1} / {:.1}", tally.moved_cpu * 100.0, tally.moved_io * 100.0),
                format!("{fastest:.1}"),
            ]);
        }
    }
    output::note(&format!("measured with {}", Machine::here()));
    output::print(&table.markdown())
}
