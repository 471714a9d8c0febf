//! From CSV rows to requests, with every value checked.

use super::error::shorten;
use super::keys::KeyIds;
use super::{Compression, REQUESTS_MAX, Row, TraceError};
use crate::Kind;
use csv::{ByteRecord, ReaderBuilder};
use std::io::{self, Read};

/// The columns, in the one order that is accepted.
const COLUMNS: [&str; 4] = ["time_s", "key", "size", "op"];

/// All rows of a plain stream, with keys as positions.
pub(super) fn rows(plain: impl Read, compression: Compression) -> Result<Vec<Row>, TraceError> {
    // Quotes are plain characters: the format has none, and a stray one must not swallow the whole rest.
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).quoting(false).from_reader(plain);
    let mut record = ByteRecord::new();
    let mut line = 0;
    let mut next = |record: &mut ByteRecord| {
        let more = reader.read_byte_record(record).map_err(|error| unreadable(error, line, compression))?;
        line = record.position().map_or(line, csv::Position::line);
        Ok::<_, TraceError>(more.then_some(line))
    };

    if next(&mut record)?.is_none() {
        return Err(TraceError::Empty);
    }
    check_header(&record)?;
    let mut ids = KeyIds::default();
    let mut rows: Vec<Row> = Vec::new();
    while let Some(line) = next(&mut record)? {
        if rows.len() == REQUESTS_MAX {
            return Err(TraceError::TooLong { line });
        }
        let row = parse_row(&record, line, &mut ids)?;
        if let Some(before) = rows.last().map(|row| row.time_s).filter(|&before| before > row.time_s) {
            return Err(TraceError::Order { line, found: row.time_s, before });
        }
        rows.push(row);
    }
    if rows.is_empty() {
        return Err(TraceError::NoRequests);
    }
    let positions = ids.positions();
    for row in &mut rows {
        row.key = positions[row.key as usize];
    }
    Ok(rows)
}

fn check_header(record: &ByteRecord) -> Result<(), TraceError> {
    if record.iter().eq(COLUMNS.map(str::as_bytes)) {
        return Ok(());
    }
    Err(TraceError::Header { found: shorten(&record.iter().collect::<Vec<_>>().join(&b',')) })
}

/// One row; its key is an id for now.
fn parse_row(record: &ByteRecord, line: u64, ids: &mut KeyIds) -> Result<Row, TraceError> {
    let mut fields = record.iter();
    let (Some(time), Some(key), Some(size), Some(op), None) =
        (fields.next(), fields.next(), fields.next(), fields.next(), fields.next())
    else {
        return Err(TraceError::Columns { line, found: record.len() });
    };
    let wrong =
        |column, found: &[u8], expected| TraceError::Value { line, column, found: shorten(found), expected };
    let time_s = parse_time(time).ok_or_else(|| wrong("time_s", time, "seconds, 0 or more"))?;
    let text = std::str::from_utf8(key).ok().filter(|text| !text.is_empty());
    let key_text = text.ok_or_else(|| wrong("key", key, "a number or text in UTF-8"))?;
    let bytes = std::str::from_utf8(size).ok().and_then(|text| text.parse().ok());
    let bytes = bytes.ok_or_else(|| wrong("size", size, "whole bytes, 0 to 4294967295"))?;
    let kind = match op {
        b"get" => Kind::Read,
        b"set" => Kind::Write,
        _ => return Err(wrong("op", op, "`get` or `set`")),
    };
    Ok(Row { time_s, key: ids.id(key_text), bytes, kind })
}

fn parse_time(bytes: &[u8]) -> Option<f64> {
    let time_s: f64 = std::str::from_utf8(bytes).ok()?.parse().ok()?;
    (time_s.is_finite() && time_s >= 0.0).then_some(time_s)
}

fn unreadable(error: csv::Error, line: u64, compression: Compression) -> TraceError {
    let source = match error.into_kind() {
        csv::ErrorKind::Io(source) => source,
        // Byte records of any length raise no other kind today; pass on whatever a later version adds.
        other => io::Error::other(format!("{other:?}")),
    };
    TraceError::Unreadable { line, compression, source }
}
