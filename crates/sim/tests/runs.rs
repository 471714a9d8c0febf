//! Whole runs of small clusters: they repeat, they come to rest, and what happens to nodes is followed.

use balance::Policy;
use sim::{Clients, Config, Event, EventKind, PolicyResult, run, run_on};
use workload::{Compression, Pace, Spec, Trace};

fn config(workload: &str) -> Config {
    let spec = Spec::named(workload).expect("a known workload");
    Config {
        nodes: 4,
        regions: 80,
        minutes: 6.0,
        start_min: 1.0,
        clients: Clients::Closed { count: 96 },
        ..Config::new(spec)
    }
}

fn simulate(config: &Config, policy: Policy) -> PolicyResult {
    run(config, policy).expect("a valid configuration")
}

#[test]
fn the_same_seed_gives_the_same_run_and_another_seed_another() {
    let first = config("mixgraph-write");
    let bytes = |config: &Config| serde_json::to_string(&simulate(config, Policy::Keel)).expect("serialises");
    assert_eq!(bytes(&first), bytes(&first));
    let other = Config { seed: 2, ..first.clone() };
    assert_ne!(bytes(&first), bytes(&other));
}

#[test]
fn keel_and_the_paper_balance_what_nothing_else_does() {
    let config = config("mixgraph-write");
    let idle = simulate(&config, Policy::None);
    assert!(idle.cpu_max_mean > 1.2, "the load is skewed to begin with: {}", idle.cpu_max_mean);
    for policy in [Policy::Keel, Policy::Cooperative] {
        let result = simulate(&config, policy);
        let worst = result.cpu_max_mean.max(result.io_max_mean);
        assert!(worst <= 1.06, "{policy} ends at {worst}");
        assert!(
            result.throughput_ops > idle.throughput_ops,
            "{policy} serves more than an unbalanced cluster"
        );
        assert!(result.minutes_to_balance.is_some(), "{policy} came to rest");
        assert!(result.thrash < 0.05, "{policy} undoes {} of its moves", result.thrash);
    }
}

#[test]
fn an_even_load_causes_no_operation() {
    // Uniform keys over many regions: what is left is the luck of placement, so λ is set above it.
    let mut config = config("micro-write");
    config.options.lambda = 0.6;
    let result = simulate(&config, Policy::Keel);
    assert_eq!((result.moves, result.splits), (0, 0));
}

#[test]
fn a_periodic_load_does_not_thrash() {
    let result = simulate(&Config { minutes: 8.0, ..config("hotspot-periodic") }, Policy::Keel);
    assert!(result.thrash < 0.05, "{} of {} moves undone", result.thrash, result.moves);
}

#[test]
fn a_new_node_is_filled() {
    let events = vec![Event { at_min: 2.0, kind: EventKind::Add }];
    let result = simulate(&Config { events, minutes: 12.0, ..config("micro-write") }, Policy::Keel);
    let nodes = &result.series.last().expect("a last minute").nodes;
    assert_eq!(nodes.len(), 5, "the event fired");
    assert!(nodes[4].0 > 0.9 && nodes[4].1 > 0.9, "the new node carries {:?} of a mean node", nodes[4]);
}

#[test]
fn a_draining_node_is_emptied() {
    let events = vec![Event { at_min: 1.5, kind: EventKind::Drain(2) }];
    let config = Config { events, minutes: 10.0, ..config("micro-write") };
    let result = simulate(&config, Policy::Keel);
    let nodes = &result.series.last().expect("a last minute").nodes;
    assert_eq!(nodes[1], (0.0, 0.0), "node 2 carries nothing any more: {nodes:?}");
}

#[test]
fn a_lost_node_leaves_the_others_balanced() {
    let events = vec![Event { at_min: 2.0, kind: EventKind::Lose(1) }];
    let result = simulate(&Config { events, ..config("micro-write") }, Policy::Keel);
    let nodes = &result.series.last().expect("a last minute").nodes;
    assert_eq!(nodes[0].0, 0.0, "the event fired");
    assert!(result.cpu_max_mean <= 1.06, "the others stand at {}", result.cpu_max_mean);
}

#[test]
fn an_open_load_beyond_capacity_is_turned_away_not_queued_for_ever() {
    let mut config = config("micro-write");
    config.clients = Clients::Open { rate_ops: 1e6 };
    config.minutes = 2.0;
    let result = simulate(&config, Policy::None);
    assert!(result.rejected > 0.3, "only {} turned away", result.rejected);
    assert!(result.latency.p99_ms < 2_000.0, "P99 is {} ms", result.latency.p99_ms);
}

#[test]
fn an_open_load_within_capacity_is_served_in_full() {
    let mut config = config("micro-read");
    config.clients = Clients::Open { rate_ops: 20_000.0 };
    config.minutes = 2.0;
    let result = simulate(&config, Policy::None);
    assert_eq!(result.rejected, 0.0);
    assert!((result.throughput_ops / 20_000.0 - 1.0).abs() < 0.02, "{}", result.throughput_ops);
}

#[test]
fn splitting_by_size_needs_more_splits_than_splitting_by_load() {
    let by_load = config("mixgraph-write");
    let by_size = Config { split_by: sim::SplitBy::Size, ..by_load.clone() };
    let (load, size) = (simulate(&by_load, Policy::Cooperative), simulate(&by_size, Policy::Cooperative));
    assert!(size.splits > load.splits, "{} splits by size, {} by load", size.splits, load.splits);
}

#[test]
fn a_trace_can_be_replayed() {
    let rows: String =
        (0..4000).map(|i| format!("{},k{},{},set\n", i / 20, (i * i) % 97, 100 + i % 900)).collect();
    let text = format!("time_s,key,size,op\n{rows}");
    let trace = Trace::read(text.as_bytes(), Compression::Plain).expect("a valid trace");
    let load = trace.workload(Pace::Even { rate_per_s: 50.0 }).expect("a valid pace");
    let config = Config { regions: 16, minutes: 2.0, ..config("micro-write") };
    let result = run_on(&config, Policy::Keel, Box::new(load)).expect("runs");
    assert!(result.throughput_ops > 0.0);
}

#[test]
fn bad_options_are_refused_with_what_was_expected() {
    let bad = |change: fn(&mut Config)| {
        let mut config = config("micro-write");
        change(&mut config);
        run(&config, Policy::None).expect_err("refused").to_string()
    };
    assert_eq!(bad(|c| c.nodes = 0), "the number of nodes is 0: expected 1 to 10,000");
    assert!(bad(|c| c.replicas = 9).contains("at most 7"));
    assert!(bad(|c| c.minutes = f64::NAN).contains("NaN"));
    assert!(bad(|c| c.start_min = 99.0).contains("start of scheduling"));
    assert!(bad(|c| c.options.lambda = -1.0).contains("lambda"));
    let lost = bad(|c| {
        c.replicas = 1;
        c.events = vec![Event { at_min: 1.0, kind: EventKind::Lose(1) }];
    });
    assert!(lost.contains("where a node is lost"), "{lost}");
    assert!(bad(|c| c.copy_mb_s = 0.0).contains("copying speed"));
}
