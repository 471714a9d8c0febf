//! Snapshots from files and stdin, with complaints that say where and what.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use balance::{Dimension, Region, Snapshot, View};

use crate::error::Error;

/// What a snapshot looks like, for complaints.
const SHAPE: &str = r#"{"nodes":[1,2],"regions":[{"id":7,"node":1,"cpu":3.2,"io":0.9}]}"#;
/// Largest snapshot read. A million regions with keys take a third of it; a device file would never end.
const SNAPSHOT_BYTES_MAX: u64 = 1 << 30;
/// Largest region number: planned splits number their pieces upwards from here, and a view takes numbers up to twice
/// as large.
const REGION_ID_MAX: u64 = 1 << 62;
/// Largest size of a region, so that sums of sizes stay numbers.
const REGION_BYTES_MAX: u64 = 1 << 50;
/// Loads that can be added up and divided by each other without leaving the numbers.
const LOADS: std::ops::RangeInclusive<f64> = 1e-30..=1e30;
/// Most by which nodes may differ in capacity. A region is cut into pieces by the share of the node it lies on,
/// so their number grows with this.
const CAPACITY_FACTOR_MAX: f64 = 1000.0;

/// Reads a snapshot from a file, or from stdin when the path is `-`, and checks it.
pub fn read_view(path: &Path) -> Result<View, Error> {
    let (name, bytes) = if path.as_os_str() == "-" {
        ("standard input".to_string(), read_all(std::io::stdin().lock(), "standard input")?)
    } else {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|cause| unreadable(&name, &cause))?;
        let bytes = read_all(file, &name)?;
        (name, bytes)
    };
    parse_view(&name, &bytes)
}

fn read_all(source: impl Read, name: &str) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    source.take(SNAPSHOT_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|cause| unreadable(name, &cause))?;
    if bytes.len() as u64 > SNAPSHOT_BYTES_MAX {
        return Err(Error::input(format!("{name} holds more than 1 GiB: expected a snapshot like {SHAPE}")));
    }
    Ok(bytes)
}

fn unreadable(name: &str, cause: &std::io::Error) -> Error {
    let next = "give --snapshot a snapshot file, or - for standard input";
    match cause.kind() {
        ErrorKind::NotFound => Error::input(format!("there is no file {name}: {next}")),
        ErrorKind::IsADirectory => Error::input(format!("{name} is a directory, not a file: {next}")),
        _ => Error::input(format!("{name} cannot be read ({cause}): {next}")),
    }
}

/// Turns the bytes of a snapshot into a view. `name` is what complaints call their source.
pub fn parse_view(name: &str, bytes: &[u8]) -> Result<View, Error> {
    // Some editors begin a file with a byte order mark, which JSON does not know.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Error::input(format!("{name} is empty: expected a snapshot like {SHAPE}")));
    }
    let snapshot: Snapshot = serde_json::from_slice(bytes).map_err(|cause| malformed(name, &cause))?;
    let too_large = snapshot.regions.iter().map(|region| region.id).find(|id| *id > REGION_ID_MAX);
    if let Some(id) = too_large {
        return Err(Error::input(format!(
            "{name}: region {id} has too large an id: expected at most {REGION_ID_MAX}, so that new regions can be numbered"
        )));
    }
    let view = snapshot.to_view().map_err(|cause| Error::input(format!("{name}: {cause}")))?;
    check_bounds(&view).map_err(|cause| Error::input(format!("{name}: {cause}")))?;
    Ok(view)
}

fn malformed(name: &str, cause: &serde_json::Error) -> Error {
    let whole = cause.to_string();
    let place = format!(" at line {} column {}", cause.line(), cause.column());
    let what = match whole.strip_suffix(&place).unwrap_or(&whole) {
        what if what.starts_with("data did not match any variant") => {
            "a node is neither a number nor an object with a whole number as `id`"
        }
        what => what,
    };
    let kind = if cause.is_data() { "is not a snapshot" } else { "is not JSON" };
    Error::input(format!(
        "{name} {kind}: {what} (line {}, column {}); expected a document like {SHAPE}",
        cause.line(),
        cause.column()
    ))
}

/// Refuses what is a number but would leave the planner's arithmetic no room.
fn check_bounds(view: &View) -> Result<(), String> {
    view.regions().iter().try_for_each(check_region)?;
    for dimension in Dimension::ALL {
        let capacities = || view.nodes().iter().map(|node| node.capacity.get(dimension));
        let (low, high) = (capacities().fold(f64::INFINITY, f64::min), capacities().fold(0.0, f64::max));
        if high > low * CAPACITY_FACTOR_MAX {
            return Err(format!(
                "the nodes have {dimension} capacities from {low} to {high}: expected them within a factor of \
                 {CAPACITY_FACTOR_MAX}, so that a small node is not asked for slivers; correct the unit, or leave that node out"
            ));
        }
    }
    Ok(())
}

fn check_region(region: &Region) -> Result<(), String> {
    let id = region.id.0;
    if let Some(size) = region.size_bytes.filter(|size| *size > REGION_BYTES_MAX) {
        return Err(format!(
            "region {id} has a size of {size} bytes: expected at most {REGION_BYTES_MAX} (1 PiB)"
        ));
    }
    for (prefix, load) in [("", region.leader_load), ("replica_", region.follower_load)] {
        for dimension in Dimension::ALL {
            let found = load.get(dimension);
            if found != 0.0 && !LOADS.contains(&found) {
                let article = if prefix.is_empty() && dimension == Dimension::Io { "an" } else { "a" };
                return Err(format!(
                    "region {id} has {article} {prefix}{dimension} of {found:e}: expected 0 or a number from {:e} to {:e}; \
                     choose another unit",
                    LOADS.start(),
                    LOADS.end()
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> String {
        parse_view("x.json", text.as_bytes()).expect_err("a complaint").to_string()
    }

    #[test]
    fn a_good_snapshot_is_read_with_or_without_a_byte_order_mark() {
        let text = r#"{"nodes":[1,2],"regions":[{"id":7,"node":1,"cpu":3.2,"io":0.9}]}"#;
        assert_eq!(parse_view("x", text.as_bytes()).expect("a view").regions().len(), 1);
        assert!(parse_view("x", format!("\u{feff}{text}").as_bytes()).is_ok());
    }

    #[test]
    fn broken_json_is_located() {
        let text = complaint("{\"nodes\":[1,2],\n\"regions\":[}");
        assert!(
            text.starts_with("x.json is not JSON: expected value (line 2, column 12); expected"),
            "{text}"
        );
    }

    #[test]
    fn a_missing_field_is_named() {
        let text = complaint(r#"{"nodes":[1],"regions":[{"id":7,"node":1,"cpu":3.2}]}"#);
        assert!(text.contains("is not a snapshot: missing field `io` (line 1, column"), "{text}");
    }

    #[test]
    fn a_node_that_is_no_node_is_explained() {
        let text = complaint(r#"{"nodes":["one"],"regions":[]}"#);
        assert!(text.contains("a node is neither a number nor an object"), "{text}");
    }

    #[test]
    fn numbers_that_leave_no_room_are_refused() {
        let text = complaint(&format!(
            r#"{{"nodes":[1],"regions":[{{"id":{},"node":1,"cpu":1,"io":1}}]}}"#,
            u64::MAX
        ));
        assert!(text.contains("too large an id"), "{text}");
        let text = complaint(&format!(
            r#"{{"nodes":[1],"regions":[{{"id":1,"node":1,"cpu":1,"io":1,"size":{}}}]}}"#,
            u64::MAX
        ));
        assert!(text.contains("1 PiB"), "{text}");
    }

    #[test]
    fn blank_input_is_called_empty() {
        assert!(complaint(" \n").starts_with("x.json is empty: expected a snapshot like {"));
    }
}
