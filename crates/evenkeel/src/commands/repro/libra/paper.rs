//! What the paper says, in numbers: everything that its text gives. Most bars and lines of its figures have no
//! number in the text; of those only the shape can be compared.

/// Changes of Libra against 1D-CPU, 1D-IO, 2D-ISO and 2D-WTD, in percent.
pub type Against = [f64; 4];

/// Names of these rivals here.
pub const RIVALS: [&str; 4] = ["1d-cpu", "1d-io", "2d-iso", "2d-wtd"];

/// One microbenchmark.
pub struct Micro {
    /// Mean latency.
    pub mean: Against,
    /// 99th percentile.
    pub p99: Against,
    /// Throughput, smallest and largest over the rivals.
    pub throughput: (f64, f64),
}

/// Figure 2(b): most over least loaded node, processor and disk, as far as named.
pub const SPREAD: (f64, f64) = (4.0, 11.0);

/// Figure 11: Max/Mean.
pub const BALANCE_CPU: Against = [-4.1, -47.0, -34.1, -32.2];
/// The same for the disk.
pub const BALANCE_IO: Against = [-52.7, -5.0, -26.5, -24.5];

/// Figure 12.
pub const WRITE: Micro =
    Micro { mean: [-41.6, -45.8, -30.4, -28.4], p99: [-62.1, -63.2, -56.7, -55.1], throughput: (32.4, 72.1) };
/// Figure 13.
pub const READ: Micro =
    Micro { mean: [-27.7, -33.9, -20.2, -18.9], p99: [-49.0, -51.3, -44.4, -42.7], throughput: (23.3, 51.3) };
/// Figure 14.
pub const SCAN: Micro =
    Micro { mean: [-32.1, -35.6, -18.7, -16.8], p99: [-51.9, -53.0, -36.6, -35.1], throughput: (20.2, 55.3) };

/// Figure 15(a): mean latency against 2D-ISO, workloads A to F.
pub const YCSB_MEAN: [f64; 6] = [-26.0, -17.3, -22.8, -18.3, -17.7, -26.4];
/// Figure 15(b) to (d): 99th percentile, throughput and Max/Mean, least and most over the workloads.
pub const YCSB_P99: (f64, f64) = (-35.7, -52.7);
/// Throughput.
pub const YCSB_THROUGHPUT: (f64, f64) = (22.1, 33.6);
/// Max/Mean.
pub const YCSB_BALANCE: (f64, f64) = (-20.9, -35.8);

/// Figure 16: error of load splits, in percent, and a lower bound for size splits.
pub const SPLIT_ERROR_LOAD: f64 = 10.0;
/// Size splits err by more than this.
pub const SPLIT_ERROR_SIZE: f64 = 40.0;
/// Figure 17: minutes that size splits take longer than load splits.
pub const SIZE_SPLIT_LATER_MIN: f64 = 20.0;
/// Figure 18: processor overhead without lazy scheduling after seven rounds, against with it, in percent.
pub const EAGER_OVERHEAD: f64 = 105.9;

/// Figure 20: 99th percentile against 2D-ISO and 2D-WTD where the load is at least 1.
pub const TRAFFIC_P99: (f64, f64) = (-41.5, -56.7);
/// Figure 22(b): scan throughput lost by a λ smaller than 0.05, in percent.
pub const LAMBDA_SCAN: f64 = -23.1;

/// Table II: weight of the processor, Max/Mean, tail latency in ms.
pub const WEIGHTS: [(f64, f64, f64); 5] = [
    (0.0, 2.19, 153.32),
    (0.25, 2.04, 139.45),
    (0.5, 1.71, 125.84),
    (0.75, 2.11, 133.22),
    (1.0, 2.41, 149.10),
];
