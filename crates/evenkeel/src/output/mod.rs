//! How results look: text, tables, bars, charts, CSV and JSON.
//!
//! Everything here turns values into text; only [`print()`], [`note`] and [`write_file`] reach the outside.

pub mod bars; // a level as a bar of block characters
pub mod csv; // header and rows
pub mod json; // one document; the envelope of results
pub mod machine; // what this was measured on
pub mod plot; // SVG charts in the house style
pub mod screen; // width, colour
pub mod table; // aligned columns
pub mod text; // wrapping, numbers with units

use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::error::Error;

/// Writes text to stdout. A reader that has gone away is told apart from a failure.
pub fn print(text: &str) -> Result<(), Error> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(|cause| match cause.kind() {
        ErrorKind::BrokenPipe => Error::ReaderGone,
        _ => Error::failed(format!("writing to standard output failed: {cause}; make room or redirect it")),
    })
}

/// Writes a line to stderr: progress, remarks, names of written files.
pub fn note(text: &str) {
    // A remark that nobody can read is no reason to stop.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Writes a result file. `flag` is the option that named it.
pub fn write_file(path: &Path, flag: &str, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|cause| Error::writing(path, flag, &cause))
}
