//! `evenkeel sim cluster`: policies side by side on a simulated cluster under load.

mod chart; // balance and throughput over time
mod load; // named workloads and traces
mod report; // the form for people
mod resolve; // from what was typed to what it means

use std::path::PathBuf;

use balance::Policy;
use sim::{Config, PolicyResult};

use super::super::parallel;
use crate::error::Error;
use crate::output;
use crate::output::screen::Screen;

use load::Load;

/// A load that keeps processors less busy than this is probably a typing slip.
const UTILISATION_MIN: f64 = 0.02;

/// What was typed.
#[derive(Debug, Clone, clap::Args)]
#[command(
    after_help = load::help(),
    next_help_heading = "Cluster and load"
)]
pub struct Args {
    /// Number of nodes
    #[arg(long, value_name = "N", default_value = "8", allow_hyphen_values = true)]
    nodes: String,
    /// Number of regions in the whole cluster; a hundred per node unless given
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    regions: Option<String>,
    /// Replicas of each region
    #[arg(long, value_name = "N", default_value = "3", allow_hyphen_values = true)]
    replicas: String,
    /// Who asks for what: a name from the list below [default: mixgraph-write]
    #[arg(long, value_name = "NAME")]
    workload: Option<String>,
    /// Replay a recording instead: a CSV with the header time_s,key,size,op; plain, .gz or .zst
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Clients that wait for an answer before they ask again; 32 per node unless given
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    clients: Option<String>,
    /// Requests per second over the whole cluster, whatever becomes of them, instead of clients
    #[arg(long, value_name = "OPS", allow_hyphen_values = true)]
    rate: Option<String>,
    /// Weight of the hottest ranges in the mixgraph loads; the paper prints 14.18, its run file has 1.418
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    hot_a: Option<String>,
    /// Let the hot ranges of the mixgraph loads move after every so many seconds
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    move_hot_spot: Option<String>,
    /// How long, in simulated minutes
    #[arg(long, value_name = "MIN", default_value = "16", allow_hyphen_values = true)]
    minutes: String,
    /// Minutes before scheduling starts; a quarter of the run unless given
    #[arg(long, value_name = "MIN", allow_hyphen_values = true)]
    start: Option<String>,
    /// A new, empty node joins at this minute; may be repeated
    #[arg(long, value_name = "MIN", allow_hyphen_values = true)]
    add_node: Vec<String>,
    /// From this minute on this node (counted from 1) shall be emptied; may be repeated
    #[arg(long, value_name = "MIN:NODE", allow_hyphen_values = true)]
    drain_node: Vec<String>,
    /// At this minute this node (counted from 1) is gone; may be repeated
    #[arg(long, value_name = "MIN:NODE", allow_hyphen_values = true)]
    lose_node: Vec<String>,
    /// Fixes everything that is drawn
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true)]
    seed: String,

    /// all, or names with commas between: none, 1d-cpu, 1d-io, 2d-iso, 2d-wtd, cooperative, keel
    #[arg(
        long,
        value_name = "NAMES",
        default_value = "all",
        help_heading = "Policies",
        allow_hyphen_values = true
    )]
    policies: String,
    /// How far above its share a node may stand; 0.05 is 5 %
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "0.05",
        help_heading = "Policies",
        allow_hyphen_values = true
    )]
    lambda: String,
    /// Weights of cpu and io in 2d-wtd; they sum to 1
    #[arg(
        long,
        value_name = "CPU:IO",
        default_value = "0.5:0.5",
        help_heading = "Policies",
        allow_hyphen_values = true
    )]
    weights: String,
    /// Move whole regions only
    #[arg(long, help_heading = "Policies")]
    no_split: bool,
    /// Cut regions by sampled load, or by data size in halves
    #[arg(long, value_name = "load|size", default_value = "load", help_heading = "Policies")]
    split_by: String,
    /// Let cooperative carry out both of its queues instead of the winning one
    #[arg(long, help_heading = "Policies")]
    no_lazy: bool,
    /// Seconds between heartbeats
    #[arg(
        long,
        value_name = "S",
        default_value = "10",
        help_heading = "Policies",
        allow_hyphen_values = true
    )]
    heartbeat: String,
    /// Noise of the regions' counters as a share; node totals have a third of it
    #[arg(
        long,
        value_name = "SHARE",
        default_value = "0.03",
        help_heading = "Policies",
        allow_hyphen_values = true
    )]
    noise: String,

    /// Processor cores of a node
    #[arg(long, value_name = "N", help_heading = "Nodes", allow_hyphen_values = true)]
    cores: Option<String>,
    /// Disk bandwidth of a node in MB/s
    #[arg(long, value_name = "MB", help_heading = "Nodes", allow_hyphen_values = true)]
    disk_mb: Option<String>,
    /// Mean size of a region in MB
    #[arg(long, value_name = "MB", help_heading = "Nodes", allow_hyphen_values = true)]
    region_mb: Option<String>,
    /// Speed of copying one replica in MB/s
    #[arg(long, value_name = "MB", help_heading = "Nodes", allow_hyphen_values = true)]
    copy_mb: Option<String>,

    /// Print the results as one JSON document
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Include the minutes in the JSON document
    #[arg(long, requires = "json", help_heading = "Output")]
    series: bool,
    /// Write the results as CSV, one line per policy and minute
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    csv: Option<PathBuf>,
    /// Write balance and throughput over time as an SVG chart
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    svg: Option<PathBuf>,
}

/// What it means.
#[derive(Debug, Clone)]
struct Request {
    config: Config,
    load: Load,
    policies: Vec<Policy>,
    /// The command as it can be typed again.
    command: String,
}

/// Carries the command out.
pub fn run(args: &Args) -> Result<(), Error> {
    let request = args.resolve()?;
    let mut results = simulate(&request)?;
    warn(&request, &results);
    if let Some(path) = &args.csv {
        write(path, "--csv", &report::csv(&results)?)?;
    }
    if let Some(path) = &args.svg {
        write(path, "--svg", &chart::svg(&request, &results))?;
    }
    if !args.json {
        return output::print(&report::render(&request, &results, Screen::of_stdout()));
    }
    if !args.series {
        results.iter_mut().for_each(|result| result.series.clear());
    }
    let envelope = output::json::Envelope::new(request.command, request.config.seed, results);
    output::print(&output::json::document(&envelope)?)
}

fn write(path: &std::path::Path, flag: &str, text: &str) -> Result<(), Error> {
    output::write_file(path, flag, text)?;
    output::note(&format!("wrote {}", path.display()));
    Ok(())
}

/// Runs the policies side by side, in as many threads as there are processors.
fn simulate(request: &Request) -> Result<Vec<PolicyResult>, Error> {
    let (config, count) = (&request.config, request.policies.len());
    let mut done = 0;
    let each = |_: usize, result: &Result<PolicyResult, Error>| {
        done += 1;
        if let Ok(result) = result {
            output::note(&format!(
                "{done}/{count}  {:<11}  cpu {:.2}  io {:.2}  {:>8.0} ops/s",
                result.policy.name(),
                result.cpu_max_mean,
                result.io_max_mean,
                result.throughput_ops
            ));
        }
    };
    let results = parallel::map(&request.policies, |policy| request.load.run(config, *policy), each);
    results.into_iter().collect()
}

/// Says what looks like a typing slip.
fn warn(request: &Request, results: &[PolicyResult]) {
    let busy = results.iter().filter_map(|result| utilisation(&request.config, result)).fold(0.0, f64::max);
    if !results.is_empty() && busy < UTILISATION_MIN {
        output::note(&format!(
            "warning: the processors are busy for {} of the time at most, so there is little to balance: \
             are --clients or --rate too small, or is --disk-mb?",
            output::text::percent(busy)
        ));
    }
    let rejected = results.iter().map(|result| result.rejected).fold(0.0, f64::max);
    if rejected > 0.5 {
        output::note(&format!(
            "warning: {} of the requests are turned away at worst: is --rate too large for this cluster?",
            output::text::percent(rejected)
        ));
    }
}

/// How busy the processors are in the last minute: what regions cost by being there is known, and so is its share.
fn utilisation(config: &Config, result: &PolicyResult) -> Option<f64> {
    let last = result.series.last().filter(|minute| minute.region_overhead > 0.0)?;
    let replicas = last.regions as f64 * f64::from(config.replicas);
    let busy_us = replicas * config.costs.region_us_per_s / last.region_overhead;
    let there_us = last.nodes.len() as f64 * f64::from(config.hardware.cores) * 1e6;
    Some((busy_us - replicas * config.costs.region_us_per_s) / there_us)
}
