//! `evenkeel sim`: what policies would do, on clusters in memory.

pub mod cluster;

use crate::error::Error;

/// What to simulate.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Runs policies side by side on a simulated cluster under load.
    Cluster(Box<cluster::Args>),
}

/// Carries the command out.
pub fn run(command: Command) -> Result<(), Error> {
    match command {
        Command::Cluster(args) => cluster::run(&args),
    }
}
