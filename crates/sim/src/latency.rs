//! Latencies: per minute, and over the last part of the run.

use hdrhistogram::Histogram;
use serde::Serialize;

/// Largest latency told apart: ten minutes, in microseconds.
const MOST_US: u64 = 600_000_000;

pub(crate) struct Latencies {
    minute: Histogram<u64>,
    window: Histogram<u64>,
    measuring: bool,
}

/// What the latencies of a stretch of time come to, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct LatencySummary {
    /// Mean.
    pub mean_ms: f64,
    /// Median.
    pub p50_ms: f64,
    /// 99th percentile.
    pub p99_ms: f64,
    /// 99.9th percentile.
    pub p999_ms: f64,
}

impl Latencies {
    pub fn new() -> Latencies {
        Latencies { minute: histogram(), window: histogram(), measuring: false }
    }

    pub fn record(&mut self, us: f64) {
        let us = us as u64;
        self.minute.saturating_record(us);
        if self.measuring {
            self.window.saturating_record(us);
        }
    }

    /// Starts the measured part of the run.
    pub fn measure(&mut self) {
        self.measuring = true;
    }

    pub fn end_minute(&mut self) -> LatencySummary {
        let summary = summary(&self.minute);
        self.minute.reset();
        summary
    }

    pub fn measured(&self) -> LatencySummary {
        summary(&self.window)
    }
}

fn histogram() -> Histogram<u64> {
    // The bounds are constants that the library accepts; the fallback is a histogram that grows.
    Histogram::new_with_bounds(1, MOST_US, 3).unwrap_or_else(|_| {
        let mut grows = Histogram::new(3).unwrap_or_else(|_| unreachable!("three digits are within 0 to 5"));
        grows.auto(true);
        grows
    })
}

fn summary(histogram: &Histogram<u64>) -> LatencySummary {
    let at = |quantile: f64| histogram.value_at_quantile(quantile) as f64 / 1000.0;
    if histogram.is_empty() {
        return LatencySummary::default();
    }
    LatencySummary {
        mean_ms: histogram.mean() / 1000.0,
        p50_ms: at(0.5),
        p99_ms: at(0.99),
        p999_ms: at(0.999),
    }
}
