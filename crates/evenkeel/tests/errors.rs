//! Every way to call the program wrongly: one sentence, what was found, what was expected, exit code 2.
#![allow(clippy::disallowed_methods, reason = "tests run the binary and write files")]

mod common;

use std::process::Output;

use common::{Scratch, run, run_with, small, stderr, stdout};

/// Checks form and content of a complaint.
fn refused(output: &Output, words: &[&str]) {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert_eq!(stdout(output), "");
    assert!(text.starts_with("evenkeel: "), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 1 || (lines.len() == 2 && lines[1].starts_with("Usage: ")), "{text}");
    for word in words {
        assert!(text.contains(word), "{word:?} in {text}");
    }
}

fn refused_snapshot(snapshot: &str, words: &[&str]) {
    refused(&run_with(&["plan", "--snapshot", "-"], snapshot.as_bytes()), words);
}

#[test]
fn unknown_commands_and_flags() {
    refused(&run(&["pln"]), &["command `pln`", "expected", "`plan`"]);
    refused(&run(&["--zzz"]), &["argument `--zzz`", "--help"]);
    let snapshot = small();
    refused(
        &run(&["plan", "--snapshot", &snapshot, "--polcy", "keel"]),
        &["`--polcy`", "did you mean `--policy`"],
    );
    refused(&run(&["plan", "--snapshot", &snapshot, "extra"]), &["argument `extra`", "Usage: evenkeel plan"]);
    refused(&run(&["plan", "--snapshot", &snapshot, "--json=yes"]), &["--json", "--help"]);
}

#[test]
fn missing_and_repeated_arguments() {
    refused(&run(&["plan"]), &["no `--snapshot <FILE>`", "needed"]);
    refused(&run(&["plan", "--snapshot"]), &["`--snapshot <FILE>`", "value"]);
    refused(
        &run(&["plan", "--snapshot", "a", "--snapshot", "b"]),
        &["`--snapshot <FILE>`", "more than once"],
    );
}

#[test]
fn policies_that_do_not_exist() {
    let words = ["no policy \"keeel\"", "expected one of none, 1d-cpu", "keel"];
    refused(&run(&["plan", "--snapshot", &small(), "--policy", "keeel"]), &words);
    refused(&run(&["plan", "--snapshot", &small(), "--policy", ""]), &["no policy \"\""]);
}

#[test]
fn lambdas_out_of_bounds() {
    for lambda in ["0", "-0.05", "NaN", "inf", "100", "lots", "0.0000001", ""] {
        let output = run(&["plan", "--snapshot", &small(), "--lambda", lambda]);
        refused(&output, &[&format!("--lambda is {lambda:?}"), "expected a number from", "0.05"]);
    }
}

#[test]
fn weights_that_are_no_shares() {
    for weights in ["1", "0.5:0.6", "a:b", "-1:2", "NaN:0.5", "0.3:0.3:0.4"] {
        let output = run(&["plan", "--snapshot", &small(), "--weights", weights]);
        refused(&output, &[&format!("--weights is {weights:?}"), "expected two numbers", "0.5:0.5"]);
    }
}

#[test]
fn seeds_that_are_not_whole() {
    for seed in ["-1", "1.5", "one", "99999999999999999999"] {
        let output = run(&["plan", "--snapshot", &small(), "--seed", seed]);
        refused(&output, &[&format!("--seed is {seed:?}"), "expected a whole number"]);
    }
}

#[test]
fn files_that_cannot_be_read() {
    let scratch = Scratch::new("unreadable");
    let missing = scratch.path("missing.json");
    refused(&run(&["plan", "--snapshot", &missing]), &["there is no file", &missing, "--snapshot"]);
    let folder = scratch.path("");
    refused(&run(&["plan", "--snapshot", &folder]), &["is a directory", "--snapshot"]);
    let below_a_file = format!("{}/x", small());
    refused(&run(&["plan", "--snapshot", &below_a_file]), &["cannot be read", "--snapshot"]);
}

#[test]
fn files_that_are_no_snapshots() {
    let scratch = Scratch::new("malformed");
    let empty = scratch.write("empty.json", "");
    refused(&run(&["plan", "--snapshot", &empty]), &["empty.json is empty", "expected a snapshot like"]);
    let binary = scratch.write("binary.json", [0xff, 0xfe, 0x00, 0x80]);
    refused(&run(&["plan", "--snapshot", &binary]), &["is not JSON", "line 1", "expected"]);
    refused_snapshot("", &["standard input is empty", "expected"]);
    refused_snapshot("{\"nodes\": [1],\n\"regions\": [}", &["is not JSON", "line 2, column 13", "expected"]);
    refused_snapshot("{\"nodes\":[1],\"regions\":[]} more", &["is not JSON", "trailing", "column 28"]);
    refused_snapshot("{\"nodes\":[1],\"regions\":[", &["is not JSON", "EOF", "expected"]);
    refused_snapshot("[]", &["is not a snapshot", "expected"]);
    refused_snapshot("{\"nodes\":[1]}", &["missing field `regions`", "expected a document like"]);
    refused_snapshot(&"[".repeat(100_000), &["is not", "expected"]);
}

#[test]
fn fields_of_the_wrong_kind() {
    let region = |fields: &str| format!("{{\"nodes\":[1,2],\"regions\":[{{{fields}}}]}}");
    refused_snapshot(&region("\"id\":1,\"node\":1,\"cpu\":1"), &["missing field `io`", "line 1"]);
    refused_snapshot(
        &region("\"id\":1,\"node\":1,\"cpu\":\"high\",\"io\":1"),
        &["invalid type", "\"high\"", "f64"],
    );
    refused_snapshot(&region("\"id\":-1,\"node\":1,\"cpu\":1,\"io\":1"), &["invalid value", "-1", "u64"]);
    refused_snapshot(&region("\"id\":1,\"node\":1,\"cpu\":1e999,\"io\":1"), &["out of range", "column"]);
    refused_snapshot("{\"nodes\":[\"one\"],\"regions\":[]}", &["neither a number nor an object"]);
    refused_snapshot("{\"nodes\":[{\"id\":1,\"state\":\"lost\"}],\"regions\":[]}", &["node"]);
}

#[test]
fn clusters_that_cannot_be() {
    let region = |fields: &str| format!("{{\"nodes\":[1,2],\"regions\":[{{\"id\":7,{fields}}}]}}");
    refused_snapshot("{\"nodes\":[],\"regions\":[]}", &["no nodes", "expected at least one"]);
    refused_snapshot("{\"nodes\":[1,1],\"regions\":[]}", &["node 1 appears twice"]);
    refused_snapshot(&region("\"node\":9,\"cpu\":1,\"io\":1"), &["region 7 is on node 9", "add the node"]);
    refused_snapshot(&region("\"node\":1,\"cpu\":-1,\"io\":1"), &["a cpu of -1", "expected a finite number"]);
    refused_snapshot(&region("\"node\":1,\"cpu\":1,\"io\":1,\"replicas\":[1]"), &["two replicas on node 1"]);
    refused_snapshot(
        &region("\"node\":1,\"cpu\":1,\"io\":1,\"start\":\"0\",\"end\":\"ff\""),
        &["start key", "hex"],
    );
    refused_snapshot(&region("\"node\":1,\"cpu\":1,\"io\":1,\"hot_key_share\":2"), &["hot_key_share of 2"]);
    refused_snapshot(
        "{\"nodes\":[{\"id\":1,\"cpu_capacity\":2},2],\"regions\":[]}",
        &["node 1 states a cpu capacity and node 2 does not"],
    );
    refused_snapshot(
        "{\"nodes\":[{\"id\":1,\"cpu_capacity\":0}],\"regions\":[]}",
        &["cpu capacity of 0", "expected a finite number above 0"],
    );
    refused_snapshot(
        "{\"nodes\":[1],\"regions\":[{\"id\":18446744073709551615,\"node\":1,\"cpu\":1,\"io\":1}]}",
        &["too large an id", "expected at most"],
    );
    refused_snapshot(
        &region("\"node\":1,\"cpu\":1e-308,\"io\":1"),
        &["a cpu of 1e-308", "expected 0 or a number from"],
    );
    refused_snapshot(
        &region("\"node\":1,\"cpu\":1,\"io\":1e308"),
        &["an io of 1e308", "choose another unit"],
    );
    refused_snapshot(
        r#"{"nodes":[{"id":1,"io_capacity":1},{"id":2,"io_capacity":1e6}],"regions":[]}"#,
        &["io capacities from 1 to 1000000", "expected", "factor of 1000"],
    );
}

#[test]
fn places_that_cannot_be_written() {
    let scratch = Scratch::new("unwritable");
    let nowhere = scratch.path("no/such/folder/after.json");
    refused(&run(&["plan", "--snapshot", &small(), "--after", &nowhere]), &["cannot write", "--after"]);
    let folder = scratch.path("");
    refused(&run(&["plan", "--snapshot", &small(), "--after", &folder]), &["cannot write", "--after"]);
    refused(&run(&["plan", "--snapshot", &small(), "--after", "-"]), &["`--after -`", "name of a file"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_not_the_callers_fault() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let output = common::command(&["plan", "--snapshot", &small()])
        .stdout(full)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .and_then(std::process::Child::wait_with_output)
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).starts_with("evenkeel: writing to standard output failed: "),
        "{}",
        stderr(&output)
    );
    let output = run(&["plan", "--snapshot", &small(), "--after", "/dev/full"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).starts_with("evenkeel: writing /dev/full failed: "), "{}", stderr(&output));
}

#[test]
#[cfg(unix)]
fn arguments_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let odd = std::ffi::OsStr::from_bytes(&[0x66, 0xff]);
    let output = common::command(&["plan", "--policy"]).arg(odd).output().expect("the binary runs");
    refused(&output, &["UTF-8"]);
    let output = common::command(&["plan", "--snapshot"]).arg(odd).output().expect("the binary runs");
    refused(&output, &["there is no file"]);
}
