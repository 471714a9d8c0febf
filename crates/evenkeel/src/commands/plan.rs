//! `evenkeel plan`: an explained plan for a snapshot of a cluster. Never acts.

mod levels; // how full each node is, before and after
mod report; // the form for people
mod tally; // what a plan moves

use std::path::PathBuf;
use std::time::Instant;

use balance::{Horizon, Options, Plan, Policy, Snapshot, View};
use serde::Serialize;

use super::values;
use crate::error::Error;
use crate::output::screen::Screen;
use crate::{input, output};

pub use report::Extent;
pub use tally::Tally;

/// What was typed.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Examples:\n  \
    evenkeel plan --snapshot cluster.json\n  \
    evenkeel plan --snapshot cluster.json --policy cooperative --json > plan.json\n  \
    evenkeel plan --snapshot cluster.json --after after.json && evenkeel plan --snapshot after.json")]
pub struct Args {
    /// The cluster as JSON: a file, or - for standard input
    #[arg(long, value_name = "FILE")]
    snapshot: PathBuf,
    /// none, 1d-cpu, 1d-io, 2d-iso, 2d-wtd, cooperative or keel
    #[arg(long, value_name = "NAME", default_value = "keel", allow_hyphen_values = true)]
    policy: String,
    /// How far above its share a node may stand; 0.05 is 5 %
    #[arg(long, value_name = "NUMBER", default_value = "0.05", allow_hyphen_values = true)]
    lambda: String,
    /// Weights of cpu and io in 2d-wtd; they sum to 1
    #[arg(long, value_name = "CPU:IO", default_value = "0.5:0.5", allow_hyphen_values = true)]
    weights: String,
    /// Move whole regions only
    #[arg(long)]
    no_split: bool,
    /// Recorded with the plan; all policies are deterministic
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true)]
    seed: String,
    /// Print the plan as one JSON document
    #[arg(long)]
    json: bool,
    /// Show every step and every refusal
    #[arg(long)]
    all: bool,
    /// Write the snapshot as it will be after the plan
    #[arg(long, value_name = "FILE")]
    after: Option<PathBuf>,
}

/// What it means.
#[derive(Debug, Clone, PartialEq)]
struct Request {
    policy: Policy,
    options: Options,
}

impl Args {
    fn resolve(&self) -> Result<Request, Error> {
        if self.after.as_ref().is_some_and(|path| path.as_os_str() == "-") {
            return Err(Error::input(
                "found `--after -`, but standard output carries the plan: give --after the name of a file",
            ));
        }
        let policy = self.policy.parse::<Policy>().map_err(|cause| Error::input(cause.to_string()))?;
        let options = Options {
            lambda: values::lambda(&self.lambda)?,
            weights: values::weights(&self.weights)?,
            splitting: !self.no_split,
            seed: values::seed(&self.seed)?,
            ..Options::default()
        };
        options.validate().map_err(|cause| Error::input(cause.to_string()))?;
        Ok(Request { policy, options })
    }
}

/// A plan as a document: the library's fields, what it moves in all, and the time it took.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    plan: &'a Plan,
    summary: &'a Tally,
    planning_ms: f64,
}

/// A plan with everything that is said about it.
pub struct Planned {
    /// The cluster planned on, offered load instead of served load.
    pub before: View,
    /// The same cluster when every step is done.
    pub after: View,
    /// The plan.
    pub plan: Plan,
    /// What it moves.
    pub tally: Tally,
    /// How long the planner took, on one thread.
    pub planning_ms: f64,
}

impl Planned {
    /// Plans to rest on a view, and works out what comes of it.
    pub fn new(view: &View, policy: Policy, options: &Options) -> Result<Planned, Error> {
        let start = Instant::now();
        let plan = balance::plan(view, policy, Horizon::Rest, options);
        let planning_ms = (start.elapsed().as_secs_f64() * 1e6).round() / 1e3;
        let contradiction = |cause: &dyn std::error::Error| {
            Error::failed(format!(
                "the plan contradicts its view ({cause}): this is a bug in evenkeel, please report it"
            ))
        };
        let before = levels::offered(view).map_err(|cause| contradiction(&cause))?;
        let ops = plan.steps.iter().map(|step| &step.op);
        let after = balance::apply(&before, ops.clone()).map_err(|cause| contradiction(&cause))?;
        let tally = Tally::of(&before, ops);
        Ok(Planned { before, after, plan, tally, planning_ms })
    }
}

/// Carries the command out.
pub fn run(args: Args) -> Result<(), Error> {
    let request = args.resolve()?;
    let view = input::read_view(&args.snapshot)?;
    let planned = Planned::new(&view, request.policy, &request.options)?;
    if let Some(path) = &args.after {
        let text = output::json::document(&Snapshot::from(&planned.after))?;
        output::write_file(path, "--after", &text)?;
        output::note(&format!("wrote {}", path.display()));
    }
    if args.json {
        let document =
            Document { plan: &planned.plan, summary: &planned.tally, planning_ms: planned.planning_ms };
        return output::print(&output::json::document(&document)?);
    }
    let extent = if args.all { Extent::All } else { Extent::Telling };
    output::print(&report::render(&planned, extent, Screen::of_stdout()))
}
