//! The commands, one file each.
//!
//! A new command is a file here with its `Args` (what was typed) and a `run`, one variant below, and one arm in
//! [`run`].

pub mod plan;

use clap::Subcommand;

use crate::error::Error;
use crate::output;

/// What was asked for.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Explains which operations would balance a cluster; never acts.
    Plan(plan::Args),
    /// Help or version: text that was asked for.
    #[command(skip)]
    Show(String),
}

/// Carries a command out.
pub fn run(command: Command) -> Result<(), Error> {
    match command {
        Command::Plan(args) => plan::run(args),
        Command::Show(text) => output::print(&format!("{}\n", text.trim_end())),
    }
}
