//! The `evenkeel` command: parses, hands over, maps the outcome to an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    match evenkeel::cli::parse(std::env::args_os()).and_then(evenkeel::commands::run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}
