//! From what was typed to what it means. Every complaint about a value is written here or by `sim` itself.

use sim::{Clients, Config, Event, EventKind, SplitBy};
use workload::{Keys, Spec};

use super::load::Load;
use super::{Args, Request};
use crate::commands::values::{lambda, number, number_within, policies, seed, weights, whole};
use crate::error::Error;

/// Clients per node and regions per node, where nothing else is said.
const CLIENTS_PER_NODE: u32 = 32;
const REGIONS_PER_NODE: u32 = 100;
/// Most clients: each is a place in the event queue.
const CLIENTS_MAX: u32 = 4_000_000;

/// How a node goes.
type Going = fn(u32) -> EventKind;

impl Args {
    /// Checks all values and puts them together.
    pub(super) fn resolve(&self) -> Result<Request, Error> {
        let (load, spec) = self.load()?;
        let mut config = Config::new(spec);
        config.nodes = whole("--nodes", &self.nodes)?;
        config.regions = match &self.regions {
            Some(text) => whole("--regions", text)?,
            None => config.nodes.saturating_mul(REGIONS_PER_NODE),
        };
        config.replicas = whole("--replicas", &self.replicas)?;
        config.minutes = number("--minutes", &self.minutes)?;
        config.start_min = match &self.start {
            Some(text) => number("--start", text)?,
            None => config.minutes / 4.0,
        };
        config.clients = self.clients(config.nodes)?;
        config.seed = seed(&self.seed)?;
        config.workload.seed = config.seed;
        self.policy_options(&mut config)?;
        self.hardware(&mut config)?;
        config.events = self.events()?;
        config.validate().map_err(|cause| Error::input(cause.to_string()))?;
        check_events(&config)?;
        let keys = load.keys(&config);
        if u64::from(config.regions) > keys {
            return Err(Error::input(format!(
                "there are {} regions for {keys} keys: expected at most one region per key; lower --regions",
                config.regions
            )));
        }
        let policies = policies(&self.policies)?;
        Ok(Request { command: self.command(&config), config, load, policies })
    }

    fn load(&self) -> Result<(Load, Spec), Error> {
        if let Some(path) = &self.trace {
            for (flag, given) in [
                ("--workload", self.workload.is_some()),
                ("--hot-a", self.hot_a.is_some()),
                ("--move-hot-spot", self.move_hot_spot.is_some()),
            ] {
                if given {
                    return Err(Error::input(format!(
                        "found both --trace and {flag}: the requests come from one or the other; leave one out"
                    )));
                }
            }
            return Ok((Load::read(path)?, Spec { name: "trace".into(), ..Spec::default() }));
        }
        let name = self.workload.as_deref().unwrap_or("mixgraph-write");
        let mut spec = Spec::named(name).map_err(|cause| Error::input(cause.to_string()))?;
        for (flag, text) in [("--hot-a", &self.hot_a), ("--move-hot-spot", &self.move_hot_spot)] {
            if text.is_some() && spec.keys != Keys::Mixgraph {
                return Err(Error::input(format!(
                    "found {flag} with the workload {name}: it belongs to the mixgraph loads; leave it out"
                )));
            }
        }
        if let Some(text) = &self.hot_a {
            spec.mixgraph.a = number_within("--hot-a", text, 0.0..=1e6)?;
        }
        if let Some(text) = &self.move_hot_spot {
            spec.mixgraph.moving_s = Some(number_within("--move-hot-spot", text, 1.0..=86_400.0)?);
        }
        Ok((Load::Named, spec))
    }

    fn clients(&self, nodes: u32) -> Result<Clients, Error> {
        match (&self.clients, &self.rate) {
            (Some(_), Some(_)) => Err(Error::input(
                "found both --clients and --rate: clients wait for answers, a rate does not; leave one out",
            )),
            (None, Some(text)) => {
                Ok(Clients::Open { rate_ops: number_within("--rate", text, 0.001..=1e12)? })
            }
            (None, None) => Ok(Clients::Closed { count: nodes.saturating_mul(CLIENTS_PER_NODE) }),
            (Some(text), None) => match whole("--clients", text)? {
                count @ 1..=CLIENTS_MAX => Ok(Clients::Closed { count }),
                count => Err(Error::input(format!("--clients is {count}: expected 1 to {CLIENTS_MAX}"))),
            },
        }
    }

    fn policy_options(&self, config: &mut Config) -> Result<(), Error> {
        config.options.lambda = lambda(&self.lambda)?;
        config.options.weights = weights(&self.weights)?;
        config.options.splitting = !self.no_split;
        config.options.lazy = !self.no_lazy;
        config.options.seed = config.seed;
        config.split_by = match self.split_by.as_str() {
            "load" => SplitBy::Load,
            "size" => SplitBy::Size,
            other => return Err(Error::input(format!("--split-by is {other:?}: expected load or size"))),
        };
        config.heartbeats.interval_s = match whole("--heartbeat", &self.heartbeat)? {
            seconds @ 1..=600 => f64::from(seconds),
            other => {
                return Err(Error::input(format!("--heartbeat is {other}: expected 1 to 600 whole seconds")));
            }
        };
        config.heartbeats.region_noise = number_within("--noise", &self.noise, 0.0..=1.0)?;
        config.heartbeats.node_noise = config.heartbeats.region_noise / 3.0;
        Ok(())
    }

    fn hardware(&self, config: &mut Config) -> Result<(), Error> {
        if let Some(text) = &self.cores {
            config.hardware.cores = whole("--cores", text)?;
        }
        let amounts = [
            ("--disk-mb", &self.disk_mb, &mut config.hardware.disk_mb_s),
            ("--region-mb", &self.region_mb, &mut config.region_mb),
            ("--copy-mb", &self.copy_mb, &mut config.copy_mb_s),
        ];
        for (flag, text, amount) in amounts {
            if let Some(text) = text {
                *amount = number_within(flag, text, 0.001..=1e9)?;
            }
        }
        Ok(())
    }

    fn events(&self) -> Result<Vec<Event>, Error> {
        let mut events = Vec::new();
        for text in &self.add_node {
            events.push(Event { at_min: number("--add-node", text)?, kind: EventKind::Add });
        }
        let kinds: [(&str, &[String], Going); 2] = [
            ("--drain-node", &self.drain_node, EventKind::Drain),
            ("--lose-node", &self.lose_node, EventKind::Lose),
        ];
        for (flag, texts, kind) in kinds {
            for text in texts {
                let pair =
                    text.split_once(':').and_then(|(at, node)| Some((at.parse().ok()?, node.parse().ok()?)));
                let (at_min, node) = pair.ok_or_else(|| {
                    Error::input(format!("{flag} is {text:?}: expected a minute and a node, such as 6:1"))
                })?;
                events.push(Event { at_min, kind: kind(node) });
            }
        }
        Ok(events)
    }

    /// The command as it can be typed again: what was given, in a fixed order, output left out.
    fn command(&self, config: &Config) -> String {
        let clients = match config.clients {
            Clients::Closed { count } => format!("--clients {count}"),
            Clients::Open { rate_ops } => format!("--rate {rate_ops}"),
        };
        let load = match &self.trace {
            Some(path) => format!("--trace {}", path.display()),
            None => format!("--workload {}", config.workload.name),
        };
        let mut words = vec![
            "sim cluster".to_string(),
            format!("--nodes {} --regions {} --replicas {}", config.nodes, config.regions, config.replicas),
            load,
            clients,
            format!("--minutes {} --start {} --policies {}", config.minutes, config.start_min, self.policies),
            format!("--lambda {} --weights {} --seed {}", self.lambda, self.weights, config.seed),
            format!("--heartbeat {} --noise {} --split-by {}", self.heartbeat, self.noise, self.split_by),
        ];
        let given = [
            ("--hot-a", &self.hot_a),
            ("--move-hot-spot", &self.move_hot_spot),
            ("--cores", &self.cores),
            ("--disk-mb", &self.disk_mb),
            ("--region-mb", &self.region_mb),
            ("--copy-mb", &self.copy_mb),
        ];
        words.extend(given.iter().filter_map(|(flag, text)| Some(format!("{flag} {}", text.as_ref()?))));
        let lists = [
            ("--add-node", &self.add_node),
            ("--drain-node", &self.drain_node),
            ("--lose-node", &self.lose_node),
        ];
        words.extend(
            lists.iter().flat_map(|(flag, texts)| texts.iter().map(move |text| format!("{flag} {text}"))),
        );
        let switches = [("--no-split", self.no_split), ("--no-lazy", self.no_lazy)];
        words.extend(switches.iter().filter(|(_, on)| *on).map(|(flag, _)| (*flag).to_string()));
        words.join(" ")
    }
}

fn check_events(config: &Config) -> Result<(), Error> {
    for event in &config.events {
        if !(0.0..=config.minutes).contains(&event.at_min) {
            return Err(Error::input(format!(
                "a node is told to come or go at minute {}: expected a minute from 0 to the end of the run at {}",
                event.at_min, config.minutes
            )));
        }
        let joined = config
            .events
            .iter()
            .filter(|other| other.kind == EventKind::Add && other.at_min <= event.at_min)
            .count() as u32;
        if let EventKind::Drain(node) | EventKind::Lose(node) = event.kind
            && !(1..=config.nodes + joined).contains(&node)
        {
            return Err(Error::input(format!(
                "node {node} is told to go at minute {}: expected a node from 1 to {}, those there at that time",
                event.at_min,
                config.nodes + joined
            )));
        }
    }
    let gone = config.events.iter().filter(|event| event.kind != EventKind::Add).count() as u32;
    if gone >= config.nodes {
        return Err(Error::input(format!(
            "{gone} of {} nodes are told to go: expected at least one to stay",
            config.nodes
        )));
    }
    Ok(())
}
