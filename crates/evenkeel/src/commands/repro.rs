//! `evenkeel repro`: figures and tables of papers, made again beside the paper's own numbers.

pub mod libra;

use crate::error::Error;

/// Which paper.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Figures 2, 3, 9 to 22 and Table II of the paper on cooperative scheduling, on a simulated cluster.
    Libra(libra::Args),
}

/// Carries the command out.
pub fn run(command: Command) -> Result<(), Error> {
    match command {
        Command::Libra(args) => libra::run(&args),
    }
}
