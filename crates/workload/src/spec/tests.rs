//! What holds for every named load, and what `validate` refuses.

use super::*;
use crate::{Kind, Request, fnv};

fn requests(spec: &Spec, stream: u64, count: usize) -> Vec<Request> {
    let mut load = spec.build().unwrap();
    let mut rng = crate::rng(spec.seed, stream);
    (0..count).map(|i| load.next(i as f64 * 0.01, &mut rng)).collect()
}

fn digest(requests: &[Request]) -> u64 {
    let mut bytes = Vec::new();
    for request in requests {
        bytes.push(request.kind as u8);
        bytes.extend(request.key.to_le_bytes());
        bytes.extend(request.value_bytes.to_le_bytes());
        bytes.extend(request.rows.to_le_bytes());
    }
    fnv::hash(&bytes)
}

#[test]
fn the_same_seed_gives_the_same_requests_and_another_stream_others() {
    for (name, _) in Spec::names() {
        let spec = Spec::named(name).unwrap();
        let first = digest(&requests(&spec, 0, 100_000));
        assert_eq!(first, digest(&requests(&spec, 0, 100_000)), "{name}");
        // A purely sequential writer draws nothing that could differ.
        if spec.keys != Keys::Sequential {
            assert_ne!(first, digest(&requests(&spec, 1, 100_000)), "{name}");
        }
    }
}

#[test]
fn every_load_keeps_to_its_key_space_and_its_sizes() {
    for (name, _) in Spec::names() {
        // An odd number of records, so that ranges and hot sets do not divide it.
        let spec = Spec { records: 30_011, ranges: 97, ..Spec::named(name).unwrap() };
        let load = spec.build().unwrap();
        let space = load.key_space();
        assert!(space <= spec.records, "{name}: {space}");
        for request in requests(&spec, 0, 50_000) {
            assert!(request.key < space, "{name}: {request:?}");
            assert!(request.rows >= 1, "{name}: {request:?}");
            assert!(request.key + u64::from(request.rows) <= space, "{name}: {request:?}");
            assert!((10..=10_240).contains(&request.value_bytes), "{name}: {request:?}");
            assert!(request.kind == Kind::Scan || request.rows == 1, "{name}: {request:?}");
        }
    }
}

#[test]
fn operations_come_in_the_shares_of_the_name() {
    let expected: &[(&str, &[(Kind, f64)])] = &[
        ("ycsb-a", &[(Kind::Read, 0.5), (Kind::Write, 0.5)]),
        ("ycsb-b", &[(Kind::Read, 0.95), (Kind::Write, 0.05)]),
        ("ycsb-c", &[(Kind::Read, 1.0)]),
        ("ycsb-d", &[(Kind::Read, 0.95), (Kind::Insert, 0.05)]),
        ("ycsb-e", &[(Kind::Scan, 0.95), (Kind::Insert, 0.05)]),
        ("ycsb-f", &[(Kind::Read, 0.5), (Kind::ReadModifyWrite, 0.5)]),
        ("mixgraph", &[(Kind::Read, 0.83), (Kind::Write, 0.14), (Kind::Scan, 0.03)]),
        ("mixgraph-write", &[(Kind::Write, 1.0)]),
        ("mixgraph-read", &[(Kind::Read, 1.0)]),
        ("mixgraph-scan", &[(Kind::Scan, 1.0)]),
        ("micro-write", &[(Kind::Write, 1.0)]),
        ("micro-read", &[(Kind::Read, 1.0)]),
        ("micro-scan", &[(Kind::Scan, 1.0)]),
        ("zipf-write", &[(Kind::Write, 1.0)]),
        ("zipf-read", &[(Kind::Read, 1.0)]),
        ("sequential-insert", &[(Kind::Insert, 1.0)]),
        ("hotspot-periodic", &[(Kind::Read, 0.5), (Kind::Write, 0.5)]),
        ("hotspot-shift", &[(Kind::Read, 0.5), (Kind::Write, 0.5)]),
    ];
    assert_eq!(expected.len(), Spec::names().len(), "every name is in the table");
    for (name, shares) in expected {
        let requests = requests(&Spec::named(name).unwrap(), 0, 100_000);
        let mut seen = 0;
        for (kind, share) in *shares {
            let count = requests.iter().filter(|request| request.kind == *kind).count();
            let deviation = (share * (1.0 - share) * 100_000.0).sqrt();
            assert!((count as f64 - share * 100_000.0).abs() <= 4.0 * deviation, "{name}, {kind:?}: {count}");
            seen += count;
        }
        assert_eq!(seen, 100_000, "{name} has kinds that it should not have");
    }
}

#[test]
fn ycsb_d_reads_what_was_inserted_last() {
    let spec = Spec { records: 100_000, ..Spec::named("ycsb-d").unwrap() };
    let mut newest = None;
    let (mut reads, mut reads_of_newest) = (0, 0);
    for request in requests(&spec, 0, 100_000) {
        if request.kind == Kind::Insert {
            newest = Some(request.key);
        } else if newest.is_some() {
            reads += 1;
            reads_of_newest += i32::from(Some(request.key) == newest);
        }
    }
    // 1 / zeta(100,000 to 105,000 items, 0.99) = 7.8 %.
    let share = f64::from(reads_of_newest) / f64::from(reads);
    assert!((share - 0.078).abs() < 0.004, "{share}");
}

#[test]
fn scans_of_workload_e_average_fifty_rows() {
    let requests = requests(&Spec::named("ycsb-e").unwrap(), 0, 100_000);
    let rows: Vec<f64> =
        requests.iter().filter(|request| request.kind == Kind::Scan).map(|r| f64::from(r.rows)).collect();
    let mean = rows.iter().sum::<f64>() / rows.len() as f64;
    assert!((mean - 50.5).abs() < 0.5, "{mean}");
}

#[test]
fn intervals_add_up_to_the_whole() {
    for (name, _) in Spec::names() {
        let load = Spec::named(name).unwrap().build().unwrap();
        let space = load.key_space();
        let parts: u64 = (0..10).map(|i| load.bytes_between(space * i / 10, space * (i + 1) / 10)).sum();
        assert_eq!(parts, load.bytes_between(0, space), "{name}");
        assert!(parts > 0 || *name == "sequential-insert", "{name} holds no data");
    }
}

#[test]
fn moving_hot_spots_are_an_option_of_mixgraph() {
    let mut spec = Spec::named("mixgraph-read").unwrap();
    assert_eq!(spec.build().unwrap().epoch(1e6), 0);
    spec.mixgraph.moving_s = Some(240.0);
    assert_eq!(spec.build().unwrap().epoch(500.0), 2);
}

#[test]
fn an_unknown_name_lists_the_known_ones() {
    let message = Spec::named("ycsb-z").unwrap_err().to_string();
    assert!(message.starts_with("there is no workload `ycsb-z`: expected one of ycsb-a, "), "{message}");
    assert!(message.ends_with("hotspot-shift"), "{message}");
}

#[test]
fn broken_options_are_refused_with_the_option_and_the_value() {
    let base = |name| Spec::named(name).unwrap();
    let refused = |spec: Spec| spec.build().err().map(|error| error.to_string()).unwrap();
    assert_eq!(refused(Spec { records: 0, ..base("ycsb-a") }), "records is 0: expected 1 to 2^40");
    assert_eq!(
        refused(Spec { records: 100, ..base("mixgraph") }),
        "ranges is 3000: expected 1 to 100, and no more than records"
    );
    assert_eq!(
        refused(Spec { zipf_theta: 1.0, ..base("zipf-read") }),
        "zipf_theta is 1: expected above 0 and below 1"
    );
    let mut spec = base("mixgraph");
    spec.mixgraph.b = 0.5;
    assert_eq!(refused(spec), "mixgraph: b is 0.5: expected 0 or less, so that hotness falls");
    let mut spec = base("mixgraph");
    (spec.mixgraph.a, spec.mixgraph.c) = (0.0, 0.0);
    assert!(refused(spec).starts_with("mixgraph: sum of the hotness"));
    let mut spec = base("mixgraph");
    spec.mixgraph.moving_s = Some(0.0);
    assert!(refused(spec).starts_with("mixgraph: moving_s is 0"));
    let mut spec = base("hotspot-shift");
    spec.hotspot.shift_s = f64::NAN;
    assert!(refused(spec).starts_with("hotspot: shift_s is NaN"));
    assert_eq!(
        refused(Spec { value_bytes: SizeLaw::Fixed(0), ..base("micro-read") }),
        "value_bytes is 0: expected at least 1"
    );
}
