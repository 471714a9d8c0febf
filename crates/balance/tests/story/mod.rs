//! The words of a story: a cluster is described, changed, shown, planned on and scheduled.

mod commands;
mod names;
mod print;

use std::error::Error;

use balance::{
    Horizon, Limits, Op, Options, Outcome, Plan, Policy, Scheduler, Snapshot, SnapshotNode, SnapshotNodeFull,
    SnapshotRegion, View, apply, plan,
};
use commands::{Command, NodeArgs, RegionArgs};

/// The cluster of a story, and what was last decided about it.
#[derive(Default)]
pub struct Story {
    options: Options,
    nodes: Vec<SnapshotNodeFull>,
    regions: Vec<SnapshotRegion>,
    plan: Option<Plan>,
    live: Option<Live>,
}

/// A scheduling loop at work on the cluster.
struct Live {
    scheduler: Scheduler,
    now_s: f64,
    given: Vec<(u64, Op)>,
}

type Told = Result<String, Box<dyn Error>>;

impl goldenscript::Runner for Story {
    type Command = Command;

    fn run(&mut self, command: &Command, _: &goldenscript::Context) -> Told {
        match command {
            Command::Cluster { lambda, splitting, weights } => {
                self.options.lambda = lambda.unwrap_or(self.options.lambda);
                self.options.splitting = splitting.unwrap_or(self.options.splitting);
                self.options.weights = weights.map_or(self.options.weights, |weights| weights.0);
                self.options.validate()?;
                Ok(String::new())
            }
            Command::Node(args) => self.node(args),
            Command::Region(args) => self.region(args),
            Command::Show => Ok(print::levels(&self.view()?, &self.options)),
            Command::Plan { policy, round } => self.plan(policy.unwrap_or(Policy::Keel), *round),
            Command::Apply => self.apply(),
            Command::Snapshot(text) => snapshot(text, &self.options),
            Command::Schedule { policy } => self.schedule(policy.unwrap_or(Policy::Keel)),
            Command::Tick { seconds } => self.tick(seconds.unwrap_or(10.0)),
            Command::Done { command } => self.finished(*command, Outcome::Done),
            Command::Failed { command } => self.finished(*command, Outcome::Failed),
        }
    }
}

impl Story {
    fn view(&self) -> Result<View, Box<dyn Error>> {
        let nodes = self.nodes.iter().cloned().map(SnapshotNode::Full).collect();
        Ok(Snapshot { nodes, regions: self.regions.clone() }.to_view()?)
    }

    fn node(&mut self, args: &NodeArgs) -> Told {
        match self.nodes.iter_mut().find(|node| node.id == args.name.0) {
            Some(known) => args.change(known),
            None => self.nodes.push(args.fresh()),
        }
        Ok(String::new())
    }

    /// Describes a region; what is known of it and not named again stays as it was.
    fn region(&mut self, args: &RegionArgs) -> Told {
        match self.regions.iter_mut().find(|region| region.id == args.name.0) {
            Some(known) => args.change(known),
            None => self.regions.push(args.fresh()?),
        }
        Ok(String::new())
    }

    fn plan(&mut self, policy: Policy, round: bool) -> Told {
        let horizon = if round { Horizon::Round } else { Horizon::Rest };
        let plan = plan(&self.view()?, policy, horizon, &self.options);
        let told = print::plan(&plan);
        self.plan = Some(plan);
        Ok(told)
    }

    fn apply(&mut self) -> Told {
        let plan = self.plan.take().ok_or("there is no plan to apply: ask for one first")?;
        let ops: Vec<Op> = plan.steps.into_iter().map(|step| step.op).collect();
        self.carry_out(&ops)?;
        Ok(String::new())
    }

    fn carry_out(&mut self, ops: &[Op]) -> Result<(), Box<dyn Error>> {
        self.regions = Snapshot::from(&apply(&self.view()?, ops)?).regions;
        Ok(())
    }
}

/// Reads a snapshot file and says what is in it, or what is wrong with it.
fn snapshot(text: &str, options: &Options) -> Told {
    let snapshot: Snapshot = serde_json::from_str(text)?;
    Ok(print::levels(&snapshot.to_view()?, options))
}

impl Story {
    fn schedule(&mut self, policy: Policy) -> Told {
        let scheduler = Scheduler::new(policy, self.options.clone(), Limits::default());
        self.live = Some(Live { scheduler, now_s: 0.0, given: Vec::new() });
        Ok(String::new())
    }

    fn tick(&mut self, seconds: f64) -> Told {
        let view = self.view()?;
        let live = self.live.as_mut().ok_or("nothing is scheduled: say `schedule` first")?;
        live.now_s += seconds;
        let round = live.scheduler.tick(live.now_s, &view);
        let commands = round.commands.iter();
        live.given.extend(commands.map(|command| (command.id, command.step.op.clone())));
        Ok(print::round(&round, live.now_s, view.max_mean()))
    }

    fn finished(&mut self, id: u64, outcome: Outcome) -> Told {
        let live = self.live.as_mut().ok_or("nothing is scheduled: say `schedule` first")?;
        let at = live.given.iter().position(|(given, _)| *given == id).ok_or("no such command is open")?;
        let (_, op) = live.given.remove(at);
        live.scheduler.finished(live.now_s, id, outcome);
        if outcome == Outcome::Done {
            self.carry_out(&[op])?;
        }
        Ok(String::new())
    }
}
