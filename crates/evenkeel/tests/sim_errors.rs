//! Every way to call `sim cluster` and `repro libra` wrongly: one sentence and exit code 2.
#![allow(clippy::disallowed_methods, reason = "tests run the binary and write files")]

mod common;

use common::{Scratch, run, stderr, stdout};

/// Checks form and content of a complaint about these arguments after `sim cluster`.
fn refused(args: &[&str], words: &[&str]) {
    refused_by(&["sim", "cluster"], args, words);
}

fn refused_by(command: &[&str], args: &[&str], words: &[&str]) {
    let output = run(&command.iter().chain(args).copied().collect::<Vec<_>>());
    let text = stderr(&output);
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()), "{args:?}: {text}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 1 || (lines.len() == 2 && lines[1].starts_with("Usage: ")), "{text}");
    assert!(text.starts_with("evenkeel: "), "{text}");
    for word in words {
        assert!(text.contains(word), "{word:?} in {text}");
    }
}

#[test]
fn names_that_nobody_has() {
    refused(&["--workload", "ycsb-z"], &["no workload `ycsb-z`", "ycsb-a", "mixgraph-write"]);
    refused(&["--policies", "keel,foo"], &["no policy \"foo\"", "cooperative", "or all"]);
    refused(&["--policies", "keel,keel"], &["twice"]);
    refused(&["--split-by", "age"], &["--split-by is \"age\"", "load or size"]);
    refused(&["--polices", "keel"], &["did you mean `--policies`"]);
}

#[test]
fn sizes_out_of_bounds() {
    refused(&["--nodes", "0"], &["number of nodes is 0", "1 to"]);
    refused(&["--nodes", "-3"], &["--nodes is \"-3\"", "whole number"]);
    refused(&["--nodes", "1.5"], &["--nodes is \"1.5\""]);
    refused(&["--nodes", "2", "--replicas", "3"], &["number of replicas is 3", "number of nodes"]);
    refused(&["--replicas", "0"], &["number of replicas is 0"]);
    refused(&["--regions", "0"], &["number of regions is 0"]);
    refused(&["--regions", "4000000", "--workload", "ycsb-a"], &["4000000 regions", "lower --regions"]);
    refused(&["--cores", "0"], &["number of cores is 0"]);
    refused(&["--clients", "0"], &["--clients is 0", "expected 1 to"]);
}

#[test]
fn times_out_of_bounds() {
    for minutes in ["0", "-1", "NaN", "inf", "100000"] {
        refused(&["--minutes", minutes], &["length in minutes", "above 0"]);
    }
    refused(&["--minutes", "ten"], &["--minutes is \"ten\"", "a number"]);
    refused(&["--minutes", "4", "--start", "5"], &["start of scheduling", "is 5"]);
    refused(&["--start", "NaN"], &["start of scheduling", "NaN"]);
    refused(&["--heartbeat", "0"], &["--heartbeat is 0", "1 to 600"]);
    refused(&["--move-hot-spot", "0"], &["--move-hot-spot is \"0\""]);
}

#[test]
fn amounts_that_are_none() {
    for flag in ["--disk-mb", "--region-mb", "--copy-mb", "--rate", "--noise", "--hot-a"] {
        for text in ["NaN", "-1", "inf", "x", ""] {
            refused(&[flag, text], &[&format!("{flag} is {text:?}"), "expected a number from"]);
        }
    }
    refused(&["--lambda", "NaN"], &["--lambda is \"NaN\""]);
    refused(&["--weights", "0.5:0.6"], &["--weights is"]);
    refused(&["--seed", "-1"], &["--seed is \"-1\""]);
}

#[test]
fn flags_that_exclude_each_other() {
    refused(&["--clients", "8", "--rate", "100"], &["both --clients and --rate"]);
    refused(&["--trace", "x.csv", "--workload", "ycsb-a"], &["both --trace and --workload"]);
    refused(&["--workload", "ycsb-a", "--hot-a", "2"], &["--hot-a", "ycsb-a", "mixgraph"]);
    refused(&["--workload", "ycsb-a", "--move-hot-spot", "60"], &["--move-hot-spot", "mixgraph"]);
    refused(&["--series"], &["--json"]);
}

#[test]
fn traces_that_cannot_be_read() {
    refused(&["--trace", "nowhere.csv"], &["nowhere.csv cannot be read", "time_s,key,size,op"]);
    let scratch = Scratch::new("bad-trace");
    refused(&["--trace", &scratch.write("no.csv", "a,b\n1,2\n")], &["no.csv", "line 1"]);
    refused(&["--trace", &scratch.write("no.gz", "plain text")], &["no.gz"]);
    let few = scratch.write("few.csv", "time_s,key,size,op\n0,1,10,get\n1,2,10,set\n");
    refused(
        &["--trace", &few, "--nodes", "2", "--replicas", "2"],
        &["200 regions for 2 keys", "lower --regions"],
    );
}

#[test]
fn nodes_that_come_and_go_wrongly() {
    refused(&["--drain-node", "5"], &["--drain-node is \"5\"", "such as 6:1"]);
    refused(&["--lose-node", "5:x"], &["--lose-node is \"5:x\""]);
    refused(&["--lose-node", "5:9"], &["node 9", "1 to 8"]);
    refused(&["--lose-node", "99:1"], &["minute 99", "end of the run at 16"]);
    refused(&["--add-node", "NaN"], &["minute NaN"]);
    refused(
        &["--nodes", "1", "--replicas", "1", "--lose-node", "1:1"],
        &["replicas is 1", "at least 2 where a node is lost"],
    );
}

#[test]
fn files_that_cannot_be_written() {
    let tiny =
        ["--nodes", "2", "--replicas", "1", "--regions", "4", "--minutes", "0.2", "--policies", "none"];
    for flag in ["--csv", "--svg"] {
        let output = run(&[&["sim", "cluster"], &tiny[..], &[flag, "/nowhere/at/all"]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("cannot write /nowhere/at/all"), "{}", stderr(&output));
    }
}

#[test]
fn figures_that_do_not_exist() {
    refused_by(&["repro", "libra"], &["fig99"], &["no figure \"fig99\"", "all, fig2", "fig22, table2"]);
    refused_by(&["repro", "libra"], &[], &["no `<FIGURE>`"]);
    refused_by(&["repro", "libra"], &["fig2", "--seed", "x"], &["--seed is \"x\""]);
    refused_by(
        &["repro", "libra"],
        &["fig2", "--quick", "--out", "/proc/nowhere"],
        &["cannot write", "--out"],
    );
    refused_by(&["repro"], &["libr"], &["command `libr`", "`libra`"]);
}
