//! What can be wrong with a trace.

use super::{Compression, REQUESTS_MAX};
use std::io;
use thiserror::Error;

/// Why a trace cannot be used. In every case the file has to be corrected or read another way.
#[derive(Debug, Error)]
pub enum TraceError {
    /// There is not even a header.
    #[error("the trace is empty: expected a first line `time_s,key,size,op`")]
    Empty,
    /// The first line is not the header.
    #[error("line 1 is `{found}`: expected the header `time_s,key,size,op` and nothing else")]
    Header {
        /// The first line, shortened.
        found: String,
    },
    /// There is a header and nothing else.
    #[error("the trace has a header and no requests: expected at least one line after the header")]
    NoRequests,
    /// A row has too few or too many columns.
    #[error("line {line} has {found} columns: expected 4, as in `time_s,key,size,op`")]
    Columns {
        /// Line number, from 1.
        line: u64,
        /// Columns on that line.
        found: usize,
    },
    /// A value cannot be read.
    #[error("line {line}: {column} is `{found}`: expected {expected}")]
    Value {
        /// Line number, from 1.
        line: u64,
        /// Name of the column.
        column: &'static str,
        /// The value, shortened.
        found: String,
        /// What the column may hold.
        expected: &'static str,
    },
    /// A row is earlier than the one before.
    #[error("line {line}: time_s is {found}, after {before} on the row before: sort the rows by time")]
    Order {
        /// Line number, from 1.
        line: u64,
        /// The time on that line.
        found: f64,
        /// The time on the row before.
        before: f64,
    },
    /// There are more requests than memory is set aside for.
    #[error("line {line}: the trace has more than {REQUESTS_MAX} requests: cut it into parts")]
    TooLong {
        /// Line number, from 1.
        line: u64,
    },
    /// The bytes cannot be had or not be unpacked.
    #[error("the trace breaks off after line {line}: {source} (read as {compression}): is the file whole?")]
    Unreadable {
        /// The last line that was read, from 1; 0 if there was none.
        line: u64,
        /// How the file was being read.
        compression: Compression,
        /// What the reader or the decompressor said.
        source: io::Error,
    },
}

/// Text for a message: bytes that are not text are escaped, and a long value is cut.
pub(super) fn shorten(bytes: &[u8]) -> String {
    const CHARS_MAX: usize = 60;
    let text = String::from_utf8_lossy(bytes.get(..4 * CHARS_MAX).unwrap_or(bytes)).into_owned();
    let mut short: String = text.chars().take(CHARS_MAX).flat_map(char::escape_debug).collect();
    if text.chars().nth(CHARS_MAX).is_some() {
        short.push('…');
    }
    short
}
