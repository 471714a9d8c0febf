//! `plan` for people, and the program's manners on a terminal and in a pipe.
#![allow(clippy::disallowed_methods, reason = "tests run the binary and write files")]

mod common;

use std::process::Stdio;

use common::{Scratch, command, run, run_with, small, stderr, stdout};

#[test]
fn the_report_shows_nodes_steps_and_the_end() {
    let output = run(&["plan", "--snapshot", &small()]);
    let text = stdout(&output);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    assert!(text.starts_with("policy keel · λ 0.05 · 4 nodes · 24 regions · seed 1 · planned in "), "{text}");
    for word in [
        "cpu   before",
        "io    before",
        "Max/Mean   cpu ",
        "In all     ",
        " copied",
        "steps\n 1  ",
        "stopped  ",
    ] {
        assert!(text.contains(word), "{word:?} in\n{text}");
    }
    for node in 1..=4 {
        let rows = text.lines().filter(|line| line.starts_with(&format!("n{node} ")) && line.contains('│'));
        assert_eq!(rows.count(), 2, "n{node} in\n{text}");
    }
    let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    assert!(widest <= 100, "{widest} columns in\n{text}");
}

#[test]
fn bars_of_one_dimension_are_aligned() {
    let text = stdout(&run(&["plan", "--snapshot", &small()]));
    let marks = |line: &str| -> Vec<usize> {
        line.chars().enumerate().filter(|(_, letter)| *letter == '│').map(|(at, _)| at).collect()
    };
    let rows: Vec<Vec<usize>> = text.lines().map(marks).filter(|marks| !marks.is_empty()).collect();
    assert_eq!(rows.len(), 8);
    assert!(rows.iter().all(|row| row.len() == 2 && *row == rows[0]), "{rows:?}");
}

#[test]
fn a_cluster_that_needs_nothing_says_so() {
    let snapshot =
        br#"{"nodes":[1,2],"regions":[{"id":1,"node":1,"cpu":1,"io":1},{"id":2,"node":2,"cpu":1,"io":1}]}"#;
    let text = stdout(&run_with(&["plan", "--snapshot", "-"], snapshot));
    assert!(text.contains("no steps\n") && text.contains("balanced: within 1.05"), "{text}");
    let text = stdout(&run_with(&["plan", "--snapshot", "-"], br#"{"nodes":[1],"regions":[]}"#));
    assert!(text.contains("1 node · 0 regions"), "{text}");
}

#[test]
fn down_and_draining_nodes_are_named() {
    let snapshot = br#"{"nodes":[{"id":1},{"id":2,"state":"down"},{"id":3,"state":"draining"}],
        "regions":[{"id":1,"node":1,"cpu":1,"io":1},{"id":2,"node":2,"cpu":1,"io":1},{"id":3,"node":3,"cpu":1,"io":1}]}"#;
    let text = stdout(&run_with(&["plan", "--snapshot", "-"], snapshot));
    assert!(text.contains("down  n2\n") && text.contains(" draining\n"), "{text}");
}

#[test]
fn odd_but_valid_clusters_are_planned() {
    let clusters = [
        r#"{"nodes":[{"id":1,"state":"down"}],"regions":[{"id":1,"node":1,"cpu":1,"io":1}]}"#,
        r#"{"nodes":[{"id":1,"state":"draining"}],"regions":[{"id":1,"node":1,"cpu":1,"io":1}]}"#,
        r#"{"nodes":[1,2],"regions":[{"id":1,"node":1,"cpu":0,"io":0}]}"#,
        r#"{"nodes":[1,2],"regions":[{"id":1,"node":1,"cpu":1e30,"io":1e30},{"id":2,"node":1,"cpu":1e30,"io":0}]}"#,
        r#"{"nodes":[1,2],"regions":[{"id":1,"node":1,"cpu":1e-30,"io":1e30}]}"#,
        r#"{"nodes":[0,18446744073709551615],"regions":[{"id":4611686018427387904,"node":0,"cpu":3,"io":1}]}"#,
        r#"{"nodes":[{"id":1,"cpu_capacity":1,"io_capacity":1000},{"id":2,"cpu_capacity":1000,"io_capacity":1}],
            "regions":[{"id":1,"node":1,"cpu":3,"io":1}]}"#,
        r#"{"nodes":[{"id":1,"pressure":1.5},2],"regions":[{"id":1,"node":1,"cpu":3,"io":1,"replicas":[2],"replica_cpu":1}]}"#,
        r#"{"nodes":[1,2],"regions":[
            {"id":1,"node":1,"cpu":0,"io":0,"size":1125899906842624,"start":"","end":"10"},
            {"id":2,"node":1,"cpu":0,"io":0,"size":1125899906842624,"start":"10","end":""}]}"#,
    ];
    for cluster in clusters {
        for policy in balance::Policy::ALL {
            for json in [true, false] {
                let mut args = vec!["plan", "--snapshot", "-", "--policy", policy.name()];
                args.extend(json.then_some("--json"));
                let output = run_with(&args, cluster.as_bytes());
                assert_eq!(output.status.code(), Some(0), "{policy} on {cluster}: {}", stderr(&output));
            }
        }
    }
}

/// A cluster of many nodes, every third one hot.
fn large(nodes: usize) -> String {
    let ids: Vec<String> = (1..=nodes).map(|id| id.to_string()).collect();
    let region = |index: usize| {
        let node = index % nodes + 1;
        let cpu = if node.is_multiple_of(3) { 5 } else { 1 + index % 2 };
        format!(r#"{{"id":{},"node":{node},"cpu":{cpu},"io":{}}}"#, index + 1, 1 + index % 5)
    };
    let regions: Vec<String> = (0..nodes * 10).map(region).collect();
    format!(r#"{{"nodes":[{}],"regions":[{}]}}"#, ids.join(","), regions.join(","))
}

#[test]
fn a_thousand_nodes_do_not_flood_the_terminal() {
    let scratch = Scratch::new("large");
    let path = scratch.write("large.json", large(1000));
    let text = stdout(&run(&["plan", "--snapshot", &path, "--policy", "cooperative"]));
    assert!(text.lines().count() <= 110, "{} lines", text.lines().count());
    assert!(text.contains("988 nodes in between, not shown: "), "{text}");
    assert!(text.contains(" more steps (--all shows them)"), "{text}");
    let all = stdout(&run(&["plan", "--snapshot", &path, "--policy", "cooperative", "--all"]));
    assert!(
        all.lines().count() > 1000 && !all.contains("(--all shows them)"),
        "{} lines",
        all.lines().count()
    );
}

#[test]
fn a_reader_that_leaves_ends_it_quietly() {
    for extra in [&["--json"][..], &["--all"][..]] {
        let scratch = Scratch::new(extra[0]);
        let path = scratch.write("large.json", large(300));
        let mut args = vec!["plan", "--snapshot", &path, "--policy", "cooperative"];
        args.extend_from_slice(extra);
        let mut child =
            command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the binary ends");
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{extra:?}");
    }
}

#[test]
fn a_closed_stderr_changes_nothing() {
    let mut child = command(&["plan", "--snapshot", "nowhere.json"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stderr.take());
    assert_eq!(child.wait().expect("the binary ends").code(), Some(2));
}

#[test]
fn pipes_get_no_colour() {
    assert!(!stdout(&run(&["plan", "--snapshot", &small()])).contains('\x1b'));
}

/// Runs on a terminal of its own, by util-linux's `script`. None where that is missing.
fn on_a_terminal(variables: &[(&str, &str)]) -> Option<String> {
    let call =
        format!("stty cols 80 rows 40; {} plan --snapshot {}", env!("CARGO_BIN_EXE_evenkeel"), small());
    let output = std::process::Command::new("script")
        .args(["-qec", &call, "/dev/null"])
        .env_remove("NO_COLOR")
        .env("TERM", "xterm")
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output()
        .ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn terminals_get_colour_unless_they_decline() {
    let Some(text) = on_a_terminal(&[]) else {
        eprintln!("skipped: `script` of util-linux is not there to make a terminal");
        return;
    };
    assert!(text.contains("\x1b[1mpolicy keel") && text.contains("\x1b[33m"), "{text:?}");
    assert!(on_a_terminal(&[("NO_COLOR", "")]).is_some_and(|text| text.contains('\x1b')));
    for variable in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let plain = on_a_terminal(&[variable]).unwrap_or_default();
        assert!(plain.contains("policy keel") && !plain.contains('\x1b'), "{variable:?}: {plain:?}");
        let widest = plain.lines().map(|line| line.trim_end().chars().count()).max().unwrap_or(0);
        assert!(widest <= 80, "{widest} columns:\n{plain}");
    }
}

#[test]
fn help_and_version_are_answers() {
    for args in [&[][..], &["--help"], &["help"], &["plan", "--help"], &["help", "plan"], &["--version"]] {
        let output = run(args);
        let text = stdout(&output);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{args:?}");
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{args:?}: {text}");
    }
    assert_eq!(stdout(&run(&["--version"])), format!("evenkeel {}\n", env!("CARGO_PKG_VERSION")));
    assert!(stdout(&run(&[])).contains("Usage: evenkeel"));
}
