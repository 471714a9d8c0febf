//! probe
#![allow(clippy::all, clippy::disallowed_methods, clippy::unwrap_used, reason = "probe")]
use std::time::Instant;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let mut c = sim::Config::new(workload::Spec::named(&a[1]).unwrap());
    let env = |k: &str, d: f64| std::env::var(k).ok().and_then(|v| v.parse().ok()).unwrap_or(d);
    c.nodes = env("NODES", 8.0) as u32;
    c.regions = env("REGIONS", 800.0) as u32;
    c.minutes = env("MIN", 16.0);
    c.start_min = env("START", c.minutes / 4.0);
    c.seed = env("SEED", 1.0) as u64;
    c.replicas = env("REP", 3.0) as u32;
    c.clients = sim::Clients::Closed { count: env("CLIENTS", 128.0 * c.nodes as f64) as u32 };
    let pols: Vec<balance::Policy> = if a[2] == "all" {
        balance::Policy::ALL.to_vec()
    } else {
        a[2].split(',').map(|p| p.parse().unwrap()).collect()
    };
    for p in pols {
        let t = Instant::now();
        let r = sim::run(&c, p).unwrap();
        println!(
            "{:12} cpu {:.3} io {:.3} (est {:.3} {:.3}) {:7.0} ops/s mean {:6.2} p50 {:6.2} p99 {:7.2} p999 {:7.2} ms | moves {} lead {} splits {} new {} merges {} {:.1} GB regions {} bal {:?} thrash {:.3} | {:.2}s",
            p.name(),
            r.cpu_max_mean,
            r.io_max_mean,
            r.cpu_max_mean_estimated,
            r.io_max_mean_estimated,
            r.throughput_ops,
            r.latency.mean_ms,
            r.latency.p50_ms,
            r.latency.p99_ms,
            r.latency.p999_ms,
            r.moves,
            r.leader_transfers,
            r.splits,
            r.new_regions,
            r.merges,
            r.bytes_moved as f64 / 1e9,
            r.regions,
            r.minutes_to_balance,
            r.thrash,
            t.elapsed().as_secs_f64()
        );
        if std::env::var("SERIES").is_ok() {
            for m in &r.series {
                println!(
                    "   {:2} cpu {:.3} io {:.3} est {:.3} {:.3} {:7.0} ops p99 {:.1} moves {} regions {}",
                    m.minute,
                    m.cpu_max_mean,
                    m.io_max_mean,
                    m.cpu_max_mean_estimated,
                    m.io_max_mean_estimated,
                    m.throughput_ops,
                    m.latency.p99_ms,
                    m.moves,
                    m.regions
                );
            }
        }
    }
}
