//! The simulated cluster: where regions lie, and what every one of them really costs.

use std::collections::BTreeMap;

use crate::pool::{Pool, Truth};
use rand::Rng as _;
use workload::{Rng, Workload};

/// A region: a stretch of keys with replicas on nodes.
#[derive(Debug, Clone)]
pub(crate) struct SimRegion {
    pub id: u64,
    pub start: u64,
    pub end: u64,
    /// The nodes of its replicas, the leader's first.
    pub nodes: Vec<u32>,
    pub size_bytes: f64,
    pub truth: Truth,
}

/// A node's role, as events may change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Up,
    Draining,
    Lost,
}

pub(crate) struct Cluster {
    /// Regions by slot; slots are never reused, merged regions leave theirs empty.
    pub slots: Vec<Option<SimRegion>>,
    /// Slots in key order, by first key.
    pub by_start: BTreeMap<u64, u32>,
    pub slot_of: BTreeMap<u64, u32>,
    pub roles: Vec<Role>,
    pub pool: Pool,
    /// For each entry of the pool, the slot of its region.
    pub owner: Vec<u32>,
    next_id: u64,
}

impl Cluster {
    /// Equal stretches of the key space, every replica placed at random.
    pub fn new(
        nodes: u32,
        regions: u32,
        replicas: u32,
        pool: Pool,
        key_space: u64,
        rng: &mut Rng,
    ) -> Cluster {
        let bound = |index: u32| (u128::from(key_space) * u128::from(index) / u128::from(regions)) as u64;
        let region = |index: u32| SimRegion {
            id: u64::from(index) + 1,
            start: bound(index),
            end: bound(index + 1),
            nodes: random_nodes(nodes, replicas, rng),
            size_bytes: 0.0,
            truth: Truth::default(),
        };
        let slots: Vec<Option<SimRegion>> = (0..regions).map(region).map(Some).collect();
        let live =
            || slots.iter().enumerate().filter_map(|(slot, region)| Some((slot as u32, region.as_ref()?)));
        let mut cluster = Cluster {
            by_start: live().map(|(slot, region)| (region.start, slot)).collect(),
            slot_of: live().map(|(slot, region)| (region.id, slot)).collect(),
            roles: vec![Role::Up; nodes as usize],
            owner: Vec::new(),
            next_id: u64::from(regions) + 1,
            slots,
            pool,
        };
        cluster.measure_all();
        cluster
    }

    /// Takes a new pool, as when a hot spot has moved.
    pub fn set_pool(&mut self, pool: Pool) {
        self.pool = pool;
        self.measure_all();
    }

    /// Sets the sizes of all regions so that the mean is as wanted.
    pub fn set_sizes(&mut self, load: &dyn Workload, mean_bytes: f64) {
        let data = |region: &SimRegion| load.bytes_between(region.start, region.end) as f64;
        let total: f64 = self.live().map(|(_, region)| data(region)).sum();
        let count = self.slot_of.len() as f64;
        for region in self.slots.iter_mut().flatten() {
            region.size_bytes =
                if total > 0.0 { data(region) / total * mean_bytes * count } else { mean_bytes };
        }
    }

    pub fn live(&self) -> impl Iterator<Item = (u32, &SimRegion)> {
        self.by_start.values().filter_map(|slot| Some((*slot, self.slots[*slot as usize].as_ref()?)))
    }

    pub fn region(&self, slot: u32) -> Option<&SimRegion> {
        self.slots.get(slot as usize)?.as_ref()
    }

    pub fn region_mut(&mut self, id: u64) -> Option<&mut SimRegion> {
        let slot = *self.slot_of.get(&id)?;
        self.slots[slot as usize].as_mut()
    }

    fn measure_all(&mut self) {
        self.owner = vec![0; self.pool.entries.len()];
        let slots: Vec<u32> = self.by_start.values().copied().collect();
        for slot in slots {
            self.measure(slot);
        }
    }

    /// Brings a region's true load, and who owns its stretch of the pool, up to date.
    fn measure(&mut self, slot: u32) {
        if let Some(region) = self.slots[slot as usize].as_mut() {
            let stretch = self.pool.stretch(region.start, region.end);
            region.truth = self.pool.truth(stretch.clone());
            self.owner[stretch].fill(slot);
        }
    }

    /// Cuts a region at these keys, ascending. Keys that would leave a part empty are passed over. Returns how
    /// many regions were added.
    pub fn split(&mut self, id: u64, keys: &[u64]) -> usize {
        let Some(slot) = self.slot_of.get(&id).copied() else { return 0 };
        let Some(parent) = self.slots[slot as usize].clone() else { return 0 };
        let mut cuts: Vec<u64> =
            keys.iter().copied().filter(|key| *key > parent.start && *key < parent.end).collect();
        cuts.dedup();
        let ends = cuts.iter().skip(1).copied().chain([parent.end]);
        for (start, end) in cuts.iter().copied().zip(ends) {
            self.add_part(&parent, start, end);
        }
        if let (Some(first), Some(region)) = (cuts.first(), self.slots[slot as usize].as_mut()) {
            region.end = *first;
            region.size_bytes =
                parent.size_bytes * (first - parent.start) as f64 / (parent.end - parent.start) as f64;
        }
        self.measure(slot);
        cuts.len()
    }

    fn add_part(&mut self, parent: &SimRegion, start: u64, end: u64) {
        let slot = self.slots.len() as u32;
        let share = (end - start) as f64 / (parent.end - parent.start) as f64;
        let size_bytes = parent.size_bytes * share;
        self.slots.push(Some(SimRegion { id: self.next_id, start, end, size_bytes, ..parent.clone() }));
        self.by_start.insert(start, slot);
        self.slot_of.insert(self.next_id, slot);
        self.next_id += 1;
        self.measure(slot);
    }

    /// Joins a region with its right neighbour, if both lie on the same nodes. Returns whether it did.
    pub fn merge(&mut self, left: u64, right: u64) -> bool {
        let find =
            |id: u64| self.slot_of.get(&id).and_then(|slot| Some((*slot, self.region(*slot)?.clone())));
        let (Some((left_slot, a)), Some((right_slot, b))) = (find(left), find(right)) else { return false };
        let mut nodes = (a.nodes.clone(), b.nodes.clone());
        nodes.0.sort_unstable();
        nodes.1.sort_unstable();
        if a.end != b.start || nodes.0 != nodes.1 || a.nodes[0] != b.nodes[0] {
            return false;
        }
        self.by_start.remove(&b.start);
        self.slot_of.remove(&b.id);
        self.slots[right_slot as usize] = None;
        if let Some(region) = self.slots[left_slot as usize].as_mut() {
            region.end = b.end;
            region.size_bytes += b.size_bytes;
        }
        self.measure(left_slot);
        true
    }

    /// How many region borders lie in `(first, last]`: where a scan has to go on elsewhere.
    pub fn borders_between(&self, first: u64, last: u64) -> u32 {
        if last == first { 0 } else { self.by_start.range(first + 1..=last).count() as u32 }
    }
}

fn random_nodes(nodes: u32, replicas: u32, rng: &mut Rng) -> Vec<u32> {
    let mut chosen = Vec::with_capacity(replicas as usize);
    while chosen.len() < replicas as usize {
        let node = below(rng, u64::from(nodes)) as u32;
        if !chosen.contains(&node) {
            chosen.push(node);
        }
    }
    chosen
}

/// Uniform in `[0, bound)`.
pub(crate) fn below(rng: &mut Rng, bound: u64) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(bound)) >> 64) as u64
}

/// Uniform in `(0, 1]`.
pub(crate) fn unit(rng: &mut Rng) -> f64 {
    ((rng.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64
}

/// Standard normal.
pub(crate) fn normal(rng: &mut Rng) -> f64 {
    (-2.0 * unit(rng).ln()).sqrt() * (std::f64::consts::TAU * unit(rng)).cos()
}
