//! The commands, and what their arguments do to the description of the cluster.

use balance::{NodeState, Policy, SnapshotNodeFull, SnapshotRegion};

use super::names::{Bytes, NodeName, NodeNames, RegionName, Weights};

#[derive(Debug)]
pub enum Command {
    /// Sets options: `cluster lambda=0.1`.
    Cluster { lambda: Option<f64>, splitting: Option<bool>, weights: Option<Weights> },
    /// Describes a node, or changes what is known of it.
    Node(NodeArgs),
    /// Describes a region, or changes what is known of it.
    Region(RegionArgs),
    /// Shows every node's level, and Max/Mean.
    Show,
    /// Plans, and tells the plan: `plan policy=cooperative`, `plan round=true`.
    Plan { policy: Option<Policy>, round: bool },
    /// Carries the last plan out.
    Apply,
    /// Reads a snapshot file given in quotes.
    Snapshot(String),
    /// Starts a scheduling loop.
    Schedule { policy: Option<Policy> },
    /// Sends heartbeats, so many seconds after the last ones.
    Tick { seconds: Option<f64> },
    /// Reports that a command was carried out, and does it.
    Done { command: u64 },
    /// Reports that a command failed.
    Failed { command: u64 },
}

#[derive(Debug)]
pub struct NodeArgs {
    pub name: NodeName,
    pub cpu: Option<f64>,
    pub io: Option<f64>,
    pub state: Option<NodeState>,
    pub pressure: Option<f64>,
}

impl NodeArgs {
    pub fn fresh(&self) -> SnapshotNodeFull {
        SnapshotNodeFull {
            id: self.name.0,
            cpu_capacity: self.cpu,
            io_capacity: self.io,
            state: self.state.unwrap_or_default(),
            pressure: self.pressure,
        }
    }

    pub fn change(&self, node: &mut SnapshotNodeFull) {
        node.cpu_capacity = self.cpu.or(node.cpu_capacity);
        node.io_capacity = self.io.or(node.io_capacity);
        node.state = self.state.unwrap_or(node.state);
        node.pressure = self.pressure.or(node.pressure);
    }
}

#[derive(Debug)]
pub struct RegionArgs {
    pub name: RegionName,
    pub on: Option<NodeName>,
    pub cpu: Option<f64>,
    pub io: Option<f64>,
    pub size: Option<Bytes>,
    pub replicas: Option<NodeNames>,
    pub replica_cpu: Option<f64>,
    pub replica_io: Option<f64>,
    pub hot_key: Option<f64>,
    pub start: Option<String>,
    pub end: Option<String>,
    pub busy: Option<bool>,
}

impl RegionArgs {
    pub fn fresh(&self) -> Result<SnapshotRegion, String> {
        let on = self.on.ok_or("a new region needs a node: on=n1")?;
        let mut region = SnapshotRegion {
            id: self.name.0,
            node: on.0,
            cpu: 0.0,
            io: 0.0,
            size: None,
            start: None,
            end: None,
            replicas: Vec::new(),
            replica_cpu: 0.0,
            replica_io: 0.0,
            hot_key_share: 0.0,
            busy: false,
        };
        self.change(&mut region);
        Ok(region)
    }

    pub fn change(&self, region: &mut SnapshotRegion) {
        region.node = self.on.map_or(region.node, |node| node.0);
        region.cpu = self.cpu.unwrap_or(region.cpu);
        region.io = self.io.unwrap_or(region.io);
        region.size = self.size.map(|size| size.0).or(region.size);
        region.start = self.start.clone().or(region.start.take());
        region.end = self.end.clone().or(region.end.take());
        if let Some(replicas) = &self.replicas {
            region.replicas.clone_from(&replicas.0);
        }
        region.replica_cpu = self.replica_cpu.unwrap_or(region.replica_cpu);
        region.replica_io = self.replica_io.unwrap_or(region.replica_io);
        region.hot_key_share = self.hot_key.unwrap_or(region.hot_key_share);
        region.busy = self.busy.unwrap_or(region.busy);
    }
}

/// Takes arguments by name, so that a slip in a story is an error and not a default.
struct Args<'a>(goldenscript::ArgumentConsumer<'a>);

type Parsed<T> = Result<T, Box<dyn std::error::Error>>;

impl Args<'_> {
    fn key<T: std::str::FromStr<Err: std::fmt::Display>>(&mut self, name: &str) -> Parsed<Option<T>> {
        let value = self.0.take_key(name).map(|text| (text, text.parse()));
        match value {
            None => Ok(None),
            Some((_, Ok(value))) => Ok(Some(value)),
            Some((text, Err(error))) => Err(format!("{name}={text}: {error}").into()),
        }
    }

    fn name<T: std::str::FromStr<Err: std::fmt::Display>>(&mut self) -> Parsed<T> {
        let text = self.0.next_pos().ok_or("an argument is missing")?;
        text.parse().map_err(|error| format!("{text}: {error}").into())
    }

    fn state(&mut self) -> Parsed<Option<NodeState>> {
        let Some(text) = self.0.take_key("state") else { return Ok(None) };
        Ok(Some(serde_json::from_value(text.into())?))
    }
}

impl TryFrom<&goldenscript::Command> for Command {
    type Error = Box<dyn std::error::Error>;

    fn try_from(command: &goldenscript::Command) -> Parsed<Command> {
        let mut args = Args(command.consume_args());
        let parsed = match command.name.as_str() {
            "cluster" => Command::Cluster {
                lambda: args.key("lambda")?,
                splitting: args.key("splitting")?,
                weights: args.key("weights")?,
            },
            "node" => Command::Node(NodeArgs {
                name: args.name()?,
                cpu: args.key("cpu")?,
                io: args.key("io")?,
                state: args.state()?,
                pressure: args.key("pressure")?,
            }),
            "region" => Command::Region(region(&mut args)?),
            "show" => Command::Show,
            "plan" => {
                Command::Plan { policy: args.key("policy")?, round: args.key("round")?.unwrap_or(false) }
            }
            "apply" => Command::Apply,
            "snapshot" => Command::Snapshot(args.name()?),
            "schedule" => Command::Schedule { policy: args.key("policy")? },
            "tick" => Command::Tick { seconds: args.key("seconds")? },
            "done" => Command::Done { command: args.name()? },
            "failed" => Command::Failed { command: args.name()? },
            other => return Err(format!("{other:?} is no word of a story").into()),
        };
        args.0.reject_next()?;
        Ok(parsed)
    }
}

fn region(args: &mut Args<'_>) -> Parsed<RegionArgs> {
    Ok(RegionArgs {
        name: args.name()?,
        on: args.key("on")?,
        cpu: args.key("cpu")?,
        io: args.key("io")?,
        size: args.key("size")?,
        replicas: args.key("replicas")?,
        replica_cpu: args.key("replica_cpu")?,
        replica_io: args.key("replica_io")?,
        hot_key: args.key("hot_key")?,
        start: args.key("start")?,
        end: args.key("end")?,
        busy: args.key("busy")?,
    })
}
