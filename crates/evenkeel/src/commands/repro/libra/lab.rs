//! Runs simulations, each setting once, and remembers what came of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use balance::Policy;
use sim::{Config, PolicyResult};
use workload::Spec;

use crate::commands::parallel;
use crate::error::Error;
use crate::output;

/// How much is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// What the page is made of.
    Full,
    /// Short runs of small clusters, for tests.
    Quick,
}

/// A number of a result.
pub type Read = fn(&PolicyResult) -> f64;

/// One simulation.
pub type Run = (Config, Policy);

/// Runs and remembers.
pub struct Lab {
    /// The first seed.
    pub seed: u64,
    /// How much is run.
    pub effort: Effort,
    /// By configuration and policy, written out.
    known: BTreeMap<String, Arc<PolicyResult>>,
}

/// What one setting came to, over one or several seeds.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// One result per seed.
    pub runs: Vec<Arc<PolicyResult>>,
}

impl Outcome {
    /// Mean over the seeds.
    pub fn mean(&self, read: impl Fn(&PolicyResult) -> f64) -> f64 {
        self.runs.iter().map(|run| read(run)).sum::<f64>() / self.runs.len().max(1) as f64
    }

    /// Mean, and mean less and plus one standard deviation.
    pub fn spread(&self, read: impl Fn(&PolicyResult) -> f64) -> (f64, f64, f64) {
        let mean = self.mean(&read);
        let variance = self.mean(|run| (read(run) - mean).powi(2));
        let count = self.runs.len() as f64;
        let deviation = if count > 1.0 { (variance * count / (count - 1.0)).sqrt() } else { 0.0 };
        (mean, mean - deviation, mean + deviation)
    }

    /// Which policy ran.
    pub fn name(&self) -> &'static str {
        self.runs.first().map_or("none", |run| run.policy.name())
    }
}

impl Lab {
    /// A lab that knows nothing yet.
    pub fn new(seed: u64, effort: Effort) -> Lab {
        Lab { seed, effort, known: BTreeMap::new() }
    }

    /// Whether runs are short.
    pub fn quick(&self) -> bool {
        self.effort == Effort::Quick
    }

    /// One of two values, by effort.
    pub fn pick<T>(&self, full: T, quick: T) -> T {
        if self.quick() { quick } else { full }
    }

    /// Simulations run so far.
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// The paper's setting: eight nodes, scheduling from the fourth of sixteen minutes on.
    pub fn setting(&self, workload: &str) -> Result<Config, Error> {
        let spec = Spec::named(workload).map_err(|cause| Error::failed(cause.to_string()))?;
        let mut config = Config::new(spec);
        config.minutes = self.pick(16.0, 3.0);
        config.start_min = self.pick(4.0, 1.0);
        config.regions = self.pick(config.regions, 80);
        Ok(config)
    }

    /// Runs every setting with as many seeds, unless it has been run before.
    pub fn outcomes(&mut self, runs: &[Run], seeds: u64) -> Result<Vec<Outcome>, Error> {
        let seeds = if self.quick() { 1 } else { seeds };
        let seeded = |(config, policy): &Run, offset: u64| {
            let mut config = config.clone();
            config.seed = self.seed.wrapping_add(offset);
            config.workload.seed = config.seed;
            (config, *policy)
        };
        let all: Vec<Run> =
            runs.iter().flat_map(|run| (0..seeds).map(move |offset| seeded(run, offset))).collect();
        self.fill(&all)?;
        let results: Vec<Arc<PolicyResult>> =
            all.iter().filter_map(|run| self.known.get(&key(run)).cloned()).collect();
        Ok(results.chunks(seeds.max(1) as usize).map(|runs| Outcome { runs: runs.to_vec() }).collect())
    }

    /// All of these policies in one setting.
    pub fn policies(
        &mut self,
        config: &Config,
        policies: &[Policy],
        seeds: u64,
    ) -> Result<Vec<Outcome>, Error> {
        let runs: Vec<Run> = policies.iter().map(|policy| (config.clone(), *policy)).collect();
        self.outcomes(&runs, seeds)
    }

    fn fill(&mut self, runs: &[Run]) -> Result<(), Error> {
        let mut missing: Vec<(String, &Run)> = runs.iter().map(|run| (key(run), run)).collect();
        missing.sort_by(|a, b| a.0.cmp(&b.0));
        missing.dedup_by(|a, b| a.0 == b.0);
        missing.retain(|(key, _)| !self.known.contains_key(key));
        // The longest first, so that no thread is left with a long one at the end.
        missing.sort_by(|a, b| b.1.0.minutes.total_cmp(&a.1.0.minutes));
        let count = missing.len();
        let mut done = 0;
        let each = |index: usize, _: &Result<PolicyResult, sim::ConfigError>| {
            done += 1;
            let (config, policy) = missing[index].1;
            output::note(&format!("    {done}/{count}  {:<16}  {policy}", config.workload.name));
        };
        let results = parallel::map(&missing, |(_, (config, policy))| sim::run(config, *policy), each);
        for ((key, _), result) in missing.iter().zip(results) {
            let result = result.map_err(|cause| {
                Error::failed(format!(
                    "a setting of the paper cannot be simulated ({cause}): this is a bug, please report it"
                ))
            })?;
            self.known.insert(key.clone(), Arc::new(result));
        }
        Ok(())
    }
}

fn key((config, policy): &Run) -> String {
    format!("{policy} {config:?}")
}
