//! The shell around the planning core: flags, files, output, exit codes.
//!
//! This crate reads, prints and measures; it decides nothing about load. Decisions come from `balance`, and
//! what this crate adds to them is how they look.
//!
//! ```text
//!   argv ── cli ─▶ Command ── commands::run ─▶ one file per command ── output ─▶ stdout, files
//!                                                      │
//!                                        input: files and stdin, checked
//! ```
//!
//! # Ideas
//! * Two stages: what was typed (`commands::*::Args`, all text), then what it means (a struct of checked
//!   values). Every complaint about a value is written in the second stage, so all of them read alike.
//! * A command builds its whole output as text before the first byte is written. A reader that goes away early
//!   (`| head -1`) ends the program quietly.
//! * With `--json`, stdout holds exactly one document; everything else goes to stderr.
//!
//! # Invariants
//! * No input makes the program panic: a wrong flag, file or value ends in one sentence on stderr and exit
//!   code 2, a failing machine in one sentence and exit code 1.
//! * Colour appears on a terminal only, and never under `NO_COLOR`.
//! * Charts of equal data are equal bytes.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this is the shell: it opens files, reads the clock and the environment for the pure crates"
)]

pub mod cli; // flags, and clap's complaints in our own words
pub mod commands; // one file per command
pub mod error; // kinds by what the receiver does next
pub mod input; // snapshot files and stdin
pub mod output; // tables, bars, charts, CSV, JSON

pub use error::Error;
