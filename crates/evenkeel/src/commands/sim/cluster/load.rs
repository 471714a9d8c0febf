//! Where requests come from: a workload by name, or a recording.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use balance::Policy;
use sim::{Config, PolicyResult};
use workload::{Compression, Pace, Spec, Trace};

use crate::error::Error;

/// Where requests come from.
#[derive(Debug, Clone)]
pub enum Load {
    /// The workload of the configuration.
    Named,
    /// A recording, paced so that it fills the run once.
    Recorded { trace: Trace, name: String },
}

impl Load {
    /// Reads a recording.
    pub fn read(path: &Path) -> Result<Load, Error> {
        let name = path.display().to_string();
        let next = "give --trace a CSV file with the header time_s,key,size,op, plain, .gz or .zst";
        let file = File::open(path)
            .map_err(|cause| Error::input(format!("{name} cannot be read ({cause}): {next}")))?;
        let trace = Trace::read(BufReader::new(file), Compression::of_name(&name))
            .map_err(|cause| Error::input(format!("{name}: {cause}")))?;
        Ok(Load::Recorded { trace, name })
    }

    /// Keys that regions can be made of.
    pub fn keys(&self, config: &Config) -> u64 {
        match self {
            Load::Named => config.workload.records,
            Load::Recorded { trace, .. } => trace.distinct_keys(),
        }
    }

    /// Runs one policy.
    pub fn run(&self, config: &Config, policy: Policy) -> Result<PolicyResult, Error> {
        let complain = |cause: sim::ConfigError| Error::input(cause.to_string());
        match self {
            Load::Named => sim::run(config, policy).map_err(complain),
            Load::Recorded { trace, name } => {
                let pace = match trace.duration_s() {
                    length if length > 0.0 => Pace::Recorded { speedup: length / (config.minutes * 60.0) },
                    // All requests at one moment: there are no ups and downs to follow.
                    _ => Pace::Even { rate_per_s: 1.0 },
                };
                let load = trace.workload(pace).map_err(|cause| Error::input(format!("{name}: {cause}")))?;
                sim::run_on(config, policy, Box::new(load)).map_err(complain)
            }
        }
    }

    /// What it is, in a few words.
    pub fn words(&self, config: &Config) -> String {
        match self {
            Load::Named => format!("workload {}", config.workload.name),
            Load::Recorded { trace, name } => {
                format!("the {} requests to {} keys recorded in {name}", trace.len(), trace.distinct_keys())
            }
        }
    }
}

/// The names, for the help text.
pub fn help() -> String {
    let width = Spec::names().iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let lines = Spec::names().iter().map(|(name, words)| format!("  {name:<width$}  {words}\n"));
    format!(
        "Workloads:\n{}\nExamples:\n  \
         evenkeel sim cluster\n  \
         evenkeel sim cluster --nodes 1000 --regions 200000 --minutes 10 --policies keel\n  \
         evenkeel sim cluster --workload ycsb-a --policies keel,2d-iso --svg out.svg --json > out.json\n  \
         evenkeel sim cluster --policies keel --add-node 6 --drain-node 8:1 --lose-node 12:3",
        lines.collect::<String>()
    )
}
