//! The commands, one file each.
//!
//! A new command is a file here with its `Args` (what was typed) and a `run`, one variant below, and one arm in
//! [`run`].

pub mod parallel;
pub mod plan;
pub mod repro;
pub mod sim;
mod values;

use clap::Subcommand;

use crate::error::Error;
use crate::output;

/// What was asked for.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Explains which operations would balance a cluster; never acts.
    Plan(plan::Args),
    /// Plays clusters of any size in memory: policies side by side, in seconds.
    #[command(subcommand)]
    Sim(sim::Command),
    /// Makes a paper's figures and tables again, beside the paper's own numbers.
    #[command(subcommand)]
    Repro(repro::Command),
    /// Help or version: text that was asked for.
    #[command(skip)]
    Show(String),
}

/// Carries a command out.
pub fn run(command: Command) -> Result<(), Error> {
    match command {
        Command::Plan(args) => plan::run(args),
        Command::Sim(command) => sim::run(command),
        Command::Repro(command) => repro::run(command),
        Command::Show(text) => output::print(&format!("{}\n", text.trim_end())),
    }
}
