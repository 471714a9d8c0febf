//! The loads that have a name.

use crate::{Keys, Mix, ScanLaw, SizeLaw, Spec};

/// Every name with one line on what it is. The order is that of the help text.
pub(super) const NAMES: &[(&str, &str)] = &[
    ("ycsb-a", "YCSB A: 50 % reads, 50 % updates, zipfian"),
    ("ycsb-b", "YCSB B: 95 % reads, 5 % updates, zipfian"),
    ("ycsb-c", "YCSB C: reads only, zipfian"),
    ("ycsb-d", "YCSB D: 95 % reads of the latest records, 5 % inserts"),
    ("ycsb-e", "YCSB E: 95 % scans of 1 to 100 rows, zipfian, 5 % inserts"),
    ("ycsb-f", "YCSB F: 50 % reads, 50 % read-modify-writes, zipfian"),
    ("mixgraph", "production mix of 83 % gets, 14 % puts, 3 % scans over hot ranges"),
    ("mixgraph-write", "puts only over hot ranges; CPU and disk load peak in different places"),
    ("mixgraph-read", "gets only over hot ranges"),
    ("mixgraph-scan", "scans only over hot ranges, Pareto lengths"),
    ("micro-write", "uniform updates of 1 KiB"),
    ("micro-read", "uniform reads of 1 KiB"),
    ("micro-scan", "uniform scans of 1 to 100 rows of 1 KiB"),
    ("zipf-write", "zipfian updates of 1 KiB"),
    ("zipf-read", "zipfian reads of 1 KiB"),
    ("sequential-insert", "inserts of 1 KiB, each behind the last one"),
    ("hotspot-periodic", "1 % of the keys takes half of the requests every other half minute"),
    ("hotspot-shift", "1 % of the keys takes half of the requests and moves every two minutes"),
];

/// The names in one line, for messages.
pub(super) fn list() -> String {
    NAMES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// The options behind a name.
pub(super) fn named(name: &str) -> Option<Spec> {
    let spec = match name {
        "ycsb-a" => ycsb(Mix { read: 0.5, write: 0.5, ..Mix::NONE }),
        "ycsb-b" => ycsb(Mix { read: 0.95, write: 0.05, ..Mix::NONE }),
        "ycsb-c" => ycsb(Mix::READ),
        "ycsb-d" => Spec { keys: Keys::Latest, ..ycsb(Mix { read: 0.95, insert: 0.05, ..Mix::NONE }) },
        "ycsb-e" => ycsb(Mix { scan: 0.95, insert: 0.05, ..Mix::NONE }),
        "ycsb-f" => ycsb(Mix { read: 0.5, read_modify_write: 0.5, ..Mix::NONE }),
        "mixgraph" => mixgraph(Mix { read: 0.83, write: 0.14, scan: 0.03, ..Mix::NONE }),
        "mixgraph-write" => mixgraph(Mix::WRITE),
        "mixgraph-read" => mixgraph(Mix::READ),
        "mixgraph-scan" => mixgraph(Mix::SCAN),
        "micro-write" => of(Keys::Uniform, Mix::WRITE),
        "micro-read" => of(Keys::Uniform, Mix::READ),
        "micro-scan" => of(Keys::Uniform, Mix::SCAN),
        "zipf-write" => of(Keys::Zipfian, Mix::WRITE),
        "zipf-read" => of(Keys::Zipfian, Mix::READ),
        "sequential-insert" => of(Keys::Sequential, Mix::INSERT),
        "hotspot-periodic" => of(Keys::HotspotPeriodic, HALF_WRITES),
        "hotspot-shift" => of(Keys::HotspotShift, HALF_WRITES),
        _ => return None,
    };
    Some(Spec { name: name.into(), ..spec })
}

/// Hot spots hurt reads and writes alike, so their loads have both.
const HALF_WRITES: Mix = Mix { read: 0.5, write: 0.5, ..Mix::NONE };

fn of(keys: Keys, mix: Mix) -> Spec {
    Spec { keys, mix, ..Spec::default() }
}

/// YCSB itself has records of one size; the paper we compare with gives them Pareto sizes, and so do we.
fn ycsb(mix: Mix) -> Spec {
    Spec { value_bytes: SizeLaw::MIXGRAPH, scan: ScanLaw::YCSB, ..of(Keys::Zipfian, mix) }
}

fn mixgraph(mix: Mix) -> Spec {
    Spec { value_bytes: SizeLaw::MIXGRAPH, scan: ScanLaw::MIXGRAPH, ..of(Keys::Mixgraph, mix) }
}
