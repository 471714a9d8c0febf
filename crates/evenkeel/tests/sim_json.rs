//! `sim cluster --json`: the shape that other tools depend on, and that it can be had again.
#![allow(clippy::disallowed_methods, reason = "tests run the binary and read files")]

mod common;

use balance::Policy;
use common::{Scratch, document, run, stderr, stdout};
use serde_json::Value;

/// Small enough to take a moment unoptimised.
const TINY: [&str; 12] = [
    "sim",
    "cluster",
    "--nodes",
    "2",
    "--replicas",
    "2",
    "--regions",
    "20",
    "--minutes",
    "1",
    "--workload",
    "ycsb-a",
];

fn tiny<'a>(extra: &[&'a str]) -> Vec<&'a str> {
    TINY.iter().chain(extra).copied().collect()
}

fn check_result(result: &Value, policy: Policy) {
    assert_eq!(result["policy"], policy.name());
    for key in ["cpu_max_mean", "io_max_mean", "throughput_ops", "mean_ms", "p99_ms", "thrash"] {
        assert!(result[key].as_f64().is_some_and(|value| value >= 0.0), "{policy} {key}: {result}");
    }
    for key in ["moves", "splits", "merges", "bytes_moved"] {
        assert!(result[key].is_u64(), "{policy} {key}: {result}");
    }
    let minutes = result.get("minutes_to_balance").expect("minutes_to_balance");
    assert!(minutes.is_null() || minutes.as_f64().is_some_and(|value| value >= 0.0), "{minutes}");
    assert!(result["throughput_ops"].as_f64().is_some_and(|ops| ops > 1.0), "{result}");
    assert!(result["p99_ms"].as_f64() >= result["p50_ms"].as_f64(), "{result}");
}

#[test]
fn every_policy_gives_a_result_of_the_agreed_shape() {
    let envelope = document(&tiny(&["--json"]));
    let keys: Vec<&String> = envelope.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["command", "machine", "results", "seed"]);
    assert!(envelope["machine"]["cores"].as_u64().is_some_and(|cores| cores > 0));
    assert_eq!(envelope["seed"], 1);
    let results = envelope["results"].as_array().expect("results");
    assert_eq!(results.len(), Policy::ALL.len());
    results.iter().zip(Policy::ALL).for_each(|(result, policy)| check_result(result, policy));
    assert!(results.iter().all(|result| result.get("series").is_none()));
}

#[test]
fn results_come_in_the_order_asked_for() {
    let envelope = document(&tiny(&["--json", "--policies", "keel,none"]));
    let names: Vec<&Value> =
        envelope["results"].as_array().expect("results").iter().map(|r| &r["policy"]).collect();
    assert_eq!(names, ["keel", "none"]);
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_does_not() {
    let text = |seed: &str| {
        let output = run(&tiny(&["--json", "--series", "--policies", "none,keel", "--seed", seed]));
        let text = stdout(&output);
        assert_eq!((text.lines().count(), text.ends_with('\n')), (1, true), "{}", stderr(&output));
        serde_json::from_str::<Value>(&text).expect("one document");
        text
    };
    let once = text("7");
    assert_eq!(once, text("7"));
    let results = |text: &str| text.split_once("\"results\"").expect("results").1.to_string();
    assert_ne!(results(&once), results(&text("8")));
    assert!(once.contains("\"series\":[{\"minute\":1,"));
}

#[test]
fn the_command_in_the_document_can_be_typed_again() {
    let first =
        document(&tiny(&["--json", "--policies", "keel", "--cores", "4", "--no-split", "--add-node", "0.5"]));
    let command = first["command"].as_str().expect("a command");
    for word in ["--nodes 2", "--cores 4", "--no-split", "--add-node 0.5", "--workload ycsb-a"] {
        assert!(command.contains(word), "{word} in {command}");
    }
    let again: Vec<&str> = command.split_whitespace().chain(["--json"]).collect();
    assert_eq!(first, document(&again));
}

#[test]
fn progress_goes_to_stderr() {
    let output = run(&tiny(&["--json", "--policies", "none"]));
    assert!(stderr(&output).starts_with("1/1  none"), "{}", stderr(&output));
}

#[test]
fn files_are_written_beside_the_document() {
    let scratch = Scratch::new("sim-files");
    let (csv, svg) = (scratch.path("run.csv"), scratch.path("run.svg"));
    document(&tiny(&["--json", "--policies", "none,keel", "--csv", &csv, "--svg", &svg]));
    let csv = std::fs::read_to_string(csv).expect("the CSV");
    assert_eq!(csv.lines().count(), 3, "{csv}");
    assert!(csv.starts_with("policy,minute,cpu_max_mean,io_max_mean,"), "{csv}");
    let svg = std::fs::read_to_string(svg).expect("the SVG");
    assert!(roxmltree::Document::parse(&svg).is_ok() && svg.contains("throughput"));
}

#[test]
fn a_recording_is_replayed() {
    let scratch = Scratch::new("sim-trace");
    let rows: String = (0..2000)
        .map(|row| {
            format!("{}.5,{},{},{}\n", row / 20, row * 7 % 97, 100 + row % 900, ["get", "set"][row % 2])
        })
        .collect();
    let trace = scratch.write("trace.csv", format!("time_s,key,size,op\n{rows}"));
    let mut args =
        vec!["sim", "cluster", "--nodes", "2", "--replicas", "1", "--regions", "20", "--minutes", "1"];
    args.extend(["--trace", &trace, "--json", "--policies", "none,keel"]);
    let envelope = document(&args);
    assert_eq!(envelope["results"].as_array().map(Vec::len), Some(2));
    assert!(envelope["command"].as_str().is_some_and(|command| command.contains("--trace")));
}

#[test]
fn people_get_a_table_and_what_was_simulated() {
    let text = stdout(&run(&tiny(&[])));
    for word in
        ["2 nodes with", "20 regions in 2 replicas", "workload ycsb-a", "cooperative", "vs 2d-iso", "seed 1"]
    {
        assert!(text.contains(word), "{word} in {text}");
    }
    let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    assert!(widest <= 100, "{widest} columns:\n{text}");
}

#[test]
fn a_load_that_hardly_shows_is_remarked_on() {
    let output = run(&tiny(&["--policies", "none", "--rate", "5"]));
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("warning: the processors are busy for"), "{}", stderr(&output));
}
