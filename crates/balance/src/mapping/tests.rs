//! Attribution: golden cases by hand, and conservation on random nodes.

use proptest::prelude::*;

use super::*;

fn counters(read_ops: f64, write_ops: f64, applied_ops: f64) -> Counters {
    Counters { read_ops, write_ops, applied_ops, ..Counters::default() }
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-12 * expected.abs().max(1.0)
}

#[test]
fn the_papers_formula_by_hand() {
    // 100 reads and 100 writes weigh 100 + 163; 237 reads make it 500 in all.
    let regions = [counters(100.0, 100.0, 0.0), counters(237.0, 0.0, 0.0)];
    let charged = Mapping::default().attribute(NodeUse { cpu: 5.0, io: 0.0 }, &regions);
    assert!(near(charged[0][0], 2.63) && near(charged[1][0], 2.37), "{charged:?}");
    assert_eq!([charged[0][1], charged[1][1]], [0.0, 0.0]);
}

#[test]
fn a_followers_write_costs_half_a_leaders() {
    let regions = [counters(0.0, 10.0, 0.0), counters(0.0, 0.0, 10.0)];
    let charged = Mapping::default().attribute(NodeUse { cpu: 3.0, io: 0.0 }, &regions);
    assert!(near(charged[0][0], 2.0) && near(charged[1][0], 1.0), "{charged:?}");
}

#[test]
fn disk_bytes_follow_misses_and_amplification() {
    // 1,000 bytes read, a tenth missing: 100. 50 written and 50 applied, each ten times: 1,000.
    let regions = [
        Counters { read_bytes: 1000.0, ..Counters::default() },
        Counters { write_bytes: 50.0, applied_bytes: 50.0, ..Counters::default() },
    ];
    let mapping = Mapping { read_io: 0.1, write_io: 10.0, ..Mapping::default() };
    let charged = mapping.attribute(NodeUse { cpu: 1.0, io: 2200.0 }, &regions);
    assert!(near(charged[0][1], 200.0) && near(charged[1][1], 2000.0), "{charged:?}");
}

#[test]
fn an_idle_node_charges_nobody() {
    let charged = Mapping::default().attribute(NodeUse { cpu: 0.4, io: 9.0 }, &[Counters::default(); 3]);
    assert_eq!(charged, [[0.0; 2]; 3]);
    assert!(Mapping::default().attribute(NodeUse { cpu: 1.0, io: 1.0 }, &[]).is_empty());
}

#[test]
fn the_base_stays_with_the_node() {
    let mapping = Mapping { base_cpu: 0.5, ..Mapping::default() };
    let busy = [counters(1.0, 0.0, 0.0), counters(3.0, 0.0, 0.0)];
    assert_eq!(mapping.attribute(NodeUse { cpu: 2.5, io: 0.0 }, &busy), [[0.5, 0.0], [1.5, 0.0]]);
    // Less than the base measured: nothing is left to charge.
    assert_eq!(mapping.attribute(NodeUse { cpu: 0.3, io: 0.0 }, &busy), [[0.0; 2]; 2]);
}

#[test]
fn a_broken_counter_harms_only_its_own_region() {
    let regions = [counters(f64::NAN, -5.0, f64::INFINITY), counters(7.0, 0.0, 0.0)];
    let charged = Mapping::default().attribute(NodeUse { cpu: 1.0, io: f64::NAN }, &regions);
    assert_eq!(charged, [[0.0, 0.0], [1.0, 0.0]]);
}

#[test]
fn proportions_are_checked_and_read_with_defaults() {
    assert_eq!(Mapping::default().validate(), Ok(()));
    let error = Mapping { write_io: f64::NAN, ..Mapping::default() }.validate().unwrap_err();
    assert_eq!(
        error.to_string(),
        "mapping has write_io = NaN, expected a finite number of at least 0: correct the configuration"
    );
    let typed: Mapping = serde_json::from_str(r#"{"c": 2.0}"#).unwrap();
    assert_eq!(typed, Mapping { c: 2.0, ..Mapping::default() });
}

fn any_counters() -> impl Strategy<Value = Counters> {
    prop::array::uniform6(prop_oneof![Just(0.0), 0.0..1e9]).prop_map(|rates| Counters {
        read_ops: rates[0],
        write_ops: rates[1],
        applied_ops: rates[2],
        read_bytes: rates[3],
        write_bytes: rates[4],
        applied_bytes: rates[5],
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_charged_adds_up_to_what_was_measured(
        regions in prop::collection::vec(any_counters(), 1..40),
        cpu in 0.0..64.0,
        io in 0.0..1e9,
        c in 0.1..20.0,
    ) {
        let mapping = Mapping { c, ..Mapping::default() };
        let charged = mapping.attribute(NodeUse { cpu, io }, &regions);
        prop_assert!(charged.iter().flatten().all(|cost| *cost >= 0.0));
        let busy = |rates: fn(&Counters) -> f64| regions.iter().any(|region| rates(region) > 0.0);
        let sum = |dimension: usize| charged.iter().map(|cost| cost[dimension]).sum::<f64>();
        let cpu_busy = busy(|region| region.read_ops + region.write_ops + region.applied_ops);
        let io_busy = busy(|region| region.read_bytes + region.write_bytes + region.applied_bytes);
        let expected = [if cpu_busy { cpu } else { 0.0 }, if io_busy { io } else { 0.0 }];
        prop_assert!(near(sum(0), expected[0]));
        prop_assert!(near(sum(1), expected[1]));
    }

    #[test]
    fn more_requests_never_cost_less(
        regions in prop::collection::vec(any_counters(), 2..10),
        more in 0.0..1e6,
    ) {
        let node = NodeUse { cpu: 4.0, io: 1e8 };
        let before = Mapping::default().attribute(node, &regions);
        let mut busier = regions;
        busier[0].write_ops += more;
        busier[0].write_bytes += more;
        let after = Mapping::default().attribute(node, &busier);
        prop_assert!(after[0][0] >= before[0][0] - 1e-9);
        prop_assert!(after[0][1] >= before[0][1] - 1.0);
    }
}
