//! CSV: a header and rows, quoted where needed.

use serde::Serialize;

use crate::error::Error;

/// One line per record, headed by the names of its fields. Records must be flat structs.
pub fn from_records<T: Serialize>(records: &[T]) -> Result<String, Error> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    for record in records {
        writer.serialize(record).map_err(|cause| broken(&cause))?;
    }
    finish(writer)
}

/// One line per row under a header. All rows must be as long as the header.
pub fn from_rows<S: AsRef<str>>(header: &[&str], rows: &[Vec<S>]) -> Result<String, Error> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(header).map_err(|cause| broken(&cause))?;
    for row in rows {
        writer.write_record(row.iter().map(AsRef::as_ref)).map_err(|cause| broken(&cause))?;
    }
    finish(writer)
}

fn finish(writer: ::csv::Writer<Vec<u8>>) -> Result<String, Error> {
    let bytes = writer.into_inner().map_err(|cause| broken(cause.error()))?;
    String::from_utf8(bytes).map_err(|cause| broken(&cause))
}

fn broken(cause: &dyn std::error::Error) -> Error {
    Error::failed(format!(
        "a result does not fit into CSV ({cause}): this is a bug in evenkeel, please report it"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Row {
        policy: &'static str,
        moves: u32,
        p99_ms: Option<f64>,
    }

    #[test]
    fn records_bring_their_header() {
        let rows = [
            Row { policy: "keel", moves: 3, p99_ms: Some(1.5) },
            Row { policy: "a,b", moves: 0, p99_ms: None },
        ];
        assert_eq!(from_records(&rows).expect("csv"), "policy,moves,p99_ms\nkeel,3,1.5\n\"a,b\",0,\n");
    }

    #[test]
    fn rows_must_be_as_long_as_the_header() {
        assert_eq!(from_rows(&["a", "b"], &[vec!["1", "2"]]).expect("csv"), "a,b\n1,2\n");
        assert!(matches!(from_rows(&["a", "b"], &[vec!["1"]]), Err(Error::Failed(_))));
        assert_eq!(from_rows::<&str>(&["a"], &[]).expect("csv"), "a\n");
    }
}
