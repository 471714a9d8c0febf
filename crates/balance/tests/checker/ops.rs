//! What each operation needs, and what it does.

use std::collections::BTreeSet;

use serde_json::Value;

use super::cluster::{Cluster, Region, Replica};
use super::{Report, TOLERANCE};

impl Cluster {
    pub fn carry_out(&mut self, op: &Value, report: &mut Report) -> Result<(), String> {
        match op["op"].as_str() {
            Some("split") => self.split(op, report),
            Some("move") => self.relocate(op, report),
            Some("transfer-leader") => self.transfer(op, report),
            Some("merge") => self.merge(op, report),
            other => Err(format!("{other:?} is no operation")),
        }
    }

    fn split(&mut self, op: &Value, report: &mut Report) -> Result<(), String> {
        let id = number(op, "region")?;
        let parent = self.touchable(id)?.clone();
        let parts = op["parts"].as_array().ok_or("no `parts`")?;
        if parts.len() < 2 {
            return Err("a split into fewer than two parts".to_string());
        }
        let share = |part: &Value| part["share"].as_f64().unwrap_or(f64::NAN);
        let sum: f64 = parts.iter().map(share).sum();
        if !((sum - 1.0).abs() <= TOLERANCE && parts.iter().all(|part| share(part) > 0.0)) {
            return Err(format!("shares that sum to {sum}, or one that is not above 0"));
        }
        if share(&parts[0]) < parent.hot_key_share - TOLERANCE {
            return Err(format!("the first part has less than the hottest key's {}", parent.hot_key_share));
        }
        for (order, part) in parts.iter().enumerate() {
            let name = number(part, "region")?;
            if (order == 0) != (name == id) || (order > 0 && self.regions.contains_key(&name)) {
                return Err(format!("part {order} has the number {name}"));
            }
            self.regions.insert(name, part_of(&parent, share(part), order == 0));
        }
        report.new_regions += parts.len() - 1;
        Ok(())
    }

    fn relocate(&mut self, op: &Value, report: &mut Report) -> Result<(), String> {
        let (id, from, to) = (number(op, "region")?, number(op, "from")?, number(op, "to")?);
        if !self.is(to, "up") || self.is(from, "down") {
            return Err("the target is not up, or the source is down".to_string());
        }
        let region = self.touchable(id)?;
        if region.replicas.iter().any(|replica| replica.node == to) {
            return Err("two replicas on one node".to_string());
        }
        let replica = region.replicas.iter_mut().find(|replica| replica.node == from);
        let replica = replica.ok_or("the source holds no replica")?;
        replica.node = to;
        let load = replica.load;
        self.shift(from, to, load);
        report.moves += 1;
        report.moved = [report.moved[0] + load[0], report.moved[1] + load[1]];
        Ok(())
    }

    fn transfer(&mut self, op: &Value, report: &mut Report) -> Result<(), String> {
        let (id, from, to) = (number(op, "region")?, number(op, "from")?, number(op, "to")?);
        if !self.is(to, "up") {
            return Err("the new leader's node is not up".to_string());
        }
        let replicas = &mut self.touchable(id)?.replicas;
        if replicas[0].node != from {
            return Err("the source does not lead".to_string());
        }
        let follower = replicas.iter().position(|replica| replica.node == to);
        let follower = follower.ok_or("the target holds no replica")?;
        // The loads stay with the roles; the nodes change places, and no data leaves its own.
        (replicas[0].node, replicas[follower].node) = (to, from);
        (replicas[0].origin, replicas[follower].origin) = (replicas[follower].origin, replicas[0].origin);
        let (leading, following) = (replicas[0].load, replicas[follower].load);
        self.shift(from, to, leading);
        self.shift(to, from, following);
        report.transfers += 1;
        Ok(())
    }

    fn merge(&mut self, op: &Value, report: &mut Report) -> Result<(), String> {
        let (ids, into) = (op["regions"].as_array().ok_or("no `regions`")?, number(op, "into")?);
        let ids: Vec<u64> = ids.iter().filter_map(Value::as_u64).collect();
        if ids.len() < 2 || !ids.contains(&into) {
            return Err("fewer than two regions, or `into` is none of them".to_string());
        }
        for pair in ids.windows(2) {
            self.neighbours(pair[0], pair[1])?;
        }
        for id in ids.iter().filter(|id| **id != into) {
            let gone = self.regions.remove(id).ok_or("a region merged twice")?;
            let kept = self.touchable(into)?;
            for replica in &mut kept.replicas {
                let other = gone.replicas.iter().find(|other| other.node == replica.node);
                let load = other.ok_or("they do not lie on the same nodes")?.load;
                replica.load = [replica.load[0] + load[0], replica.load[1] + load[1]];
            }
            report.merged += 1;
        }
        Ok(())
    }

    fn neighbours(&mut self, left: u64, right: u64) -> Result<(), String> {
        let left = self.touchable(left)?.clone();
        let right = self.touchable(right)?;
        let nodes = |region: &Region| region.replicas.iter().map(|one| one.node).collect::<BTreeSet<_>>();
        if left.replicas[0].node != right.replicas[0].node || nodes(&left) != nodes(right) {
            return Err("they do not lie on the same nodes, or have different leaders".to_string());
        }
        match (&left.range, &right.range) {
            (Some((_, end)), Some((start, _))) if end == start && !end.is_empty() => Ok(()),
            _ => Err("they are no neighbours".to_string()),
        }
    }

    /// A region that exists, is not busy, and whose leader is alive.
    fn touchable(&mut self, id: u64) -> Result<&mut Region, String> {
        let region = self.regions.get(&id).ok_or_else(|| format!("there is no region {id}"))?;
        if region.busy {
            return Err(format!("region {id} is busy"));
        }
        if self.is(region.replicas[0].node, "down") {
            return Err(format!("the leader of region {id} is down"));
        }
        self.regions.get_mut(&id).ok_or_else(|| format!("there is no region {id}"))
    }
}

fn part_of(parent: &Region, share: f64, keeps_hot_key: bool) -> Region {
    let scaled = |replica: &Replica| Replica { load: replica.load.map(|load| load * share), ..*replica };
    Region {
        replicas: parent.replicas.iter().map(scaled).collect(),
        hot_key_share: if keeps_hot_key { parent.hot_key_share / share } else { 0.0 },
        busy: parent.busy,
        // Where a cut falls is for the node to find; the parts' keys are not known yet.
        range: None,
    }
}

fn number(value: &Value, name: &str) -> Result<u64, String> {
    value[name].as_u64().ok_or_else(|| format!("no number `{name}`"))
}
