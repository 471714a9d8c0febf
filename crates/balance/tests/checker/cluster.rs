//! A cluster as the checker reads it: which replica lies where, and what it costs its node.

use std::collections::BTreeMap;

use serde_json::Value;

/// Processor and disk.
pub type Pair = [f64; 2];

pub struct Node {
    pub capacity: Pair,
    pub state: String,
}

#[derive(Clone)]
pub struct Replica {
    pub node: u64,
    /// Where it, or what it was cut from, lay at first.
    pub origin: u64,
    pub load: Pair,
}

#[derive(Clone)]
pub struct Region {
    /// The leader first.
    pub replicas: Vec<Replica>,
    pub hot_key_share: f64,
    pub busy: bool,
    pub range: Option<(String, String)>,
}

pub struct Cluster {
    pub nodes: BTreeMap<u64, Node>,
    pub regions: BTreeMap<u64, Region>,
    /// What every node carries, kept up to date; [`Cluster::recount`] gives the same from the replicas.
    pub carried: BTreeMap<u64, Pair>,
}

impl Cluster {
    pub fn read(snapshot: &Value) -> Result<Cluster, String> {
        let list = |name: &str| snapshot[name].as_array().ok_or_else(|| format!("no list `{name}`"));
        let (mut nodes, mut pressure) = (BTreeMap::new(), BTreeMap::new());
        for node in list("nodes")? {
            let id = node.as_u64().or_else(|| node["id"].as_u64()).ok_or("a node without an id")?;
            let number = |name: &str| node.get(name).and_then(Value::as_f64).unwrap_or(1.0);
            let state = node.get("state").and_then(Value::as_str).unwrap_or("up").to_string();
            nodes.insert(id, Node { capacity: [number("cpu_capacity"), number("io_capacity")], state });
            pressure.insert(id, number("pressure"));
        }
        let mut regions = BTreeMap::new();
        for region in list("regions")? {
            let id = region["id"].as_u64().ok_or("a region without an id")?;
            regions.insert(id, read_region(region, &pressure)?);
        }
        let mut cluster = Cluster { nodes, regions, carried: BTreeMap::new() };
        cluster.carried = cluster.recount();
        Ok(cluster)
    }

    /// What every node carries, counted replica by replica.
    pub fn recount(&self) -> BTreeMap<u64, Pair> {
        let mut carried: BTreeMap<u64, Pair> = self.nodes.keys().map(|id| (*id, [0.0; 2])).collect();
        for replica in self.replicas() {
            put(&mut carried, replica.node, replica.load, 1.0);
        }
        carried
    }

    /// Takes a load from one node to another.
    pub fn shift(&mut self, from: u64, to: u64, load: Pair) {
        put(&mut self.carried, from, load, -1.0);
        put(&mut self.carried, to, load, 1.0);
    }

    pub fn is(&self, node: u64, state: &str) -> bool {
        self.nodes.get(&node).is_some_and(|node| node.state == state)
    }

    /// What the nodes that are not down carry together.
    pub fn total(&self) -> Pair {
        let counted = self.carried.iter().filter(|(node, _)| !self.is(**node, "down"));
        counted.fold([0.0; 2], |sum, (_, load)| [sum[0] + load[0], sum[1] + load[1]])
    }

    fn replicas(&self) -> impl Iterator<Item = &Replica> {
        self.regions.values().flat_map(|region| &region.replicas)
    }

    /// What lies elsewhere than it did at first.
    pub fn displaced(&self) -> Pair {
        let away = self.replicas().filter(|replica| replica.node != replica.origin);
        away.fold([0.0; 2], |sum, replica| [sum[0] + replica.load[0], sum[1] + replica.load[1]])
    }

    /// Whether nothing lies on a draining node any more.
    pub fn drained(&self) -> bool {
        self.replicas().all(|replica| !self.is(replica.node, "draining"))
    }

    /// Max/Mean of load over capacity, over the nodes that are up. What still lies on draining nodes counts in
    /// the mean as if nodes of mean capacity carried it.
    pub fn max_mean(&self) -> Pair {
        [self.ratio(0), self.ratio(1)]
    }

    fn ratio(&self, dimension: usize) -> f64 {
        let load = |id: &u64| self.carried.get(id).map_or(0.0, |load| load[dimension]);
        let up: Vec<(&u64, &Node)> = self.nodes.iter().filter(|(_, node)| node.state == "up").collect();
        if up.is_empty() {
            return 1.0;
        }
        let count = up.len() as f64;
        let capacity: f64 = up.iter().map(|(_, node)| node.capacity[dimension]).sum::<f64>() / count;
        let levels: Vec<f64> = up.iter().map(|(id, node)| load(id) / node.capacity[dimension]).collect();
        let stranded: f64 = self.nodes.keys().filter(|id| self.is(**id, "draining")).map(load).sum();
        let mean = (levels.iter().sum::<f64>() + stranded / capacity) / count;
        if mean > 0.0 { levels.iter().copied().fold(0.0, f64::max) / mean } else { 1.0 }
    }
}

fn put(carried: &mut BTreeMap<u64, Pair>, node: u64, load: Pair, sign: f64) {
    let sum = carried.entry(node).or_default();
    *sum = [sum[0] + sign * load[0], sum[1] + sign * load[1]];
}

fn read_region(region: &Value, pressure: &BTreeMap<u64, f64>) -> Result<Region, String> {
    let number = |name: &str| region.get(name).and_then(Value::as_f64).unwrap_or(0.0);
    let text = |name: &str| region.get(name).and_then(Value::as_str).map(str::to_string);
    let leader = region["node"].as_u64().ok_or("a region without a node")?;
    let followers = region.get("replicas").and_then(Value::as_array).cloned().unwrap_or_default();
    let place = |node: u64, load: Pair| {
        let factor = pressure.get(&node).copied().ok_or_else(|| format!("node {node} is unknown"))?;
        Ok::<Replica, String>(Replica { node, origin: node, load: load.map(|part| part * factor) })
    };
    let mut replicas = vec![place(leader, [number("cpu"), number("io")])?];
    for node in followers.iter().filter_map(Value::as_u64) {
        replicas.push(place(node, [number("replica_cpu"), number("replica_io")])?);
    }
    Ok(Region {
        replicas,
        hot_key_share: number("hot_key_share"),
        busy: region.get("busy").and_then(Value::as_bool).unwrap_or(false),
        range: text("start").zip(text("end")),
    })
}
