//! The search: from the fullest node, the shift that brings most for its price, until nothing is too full.
//!
//! What a shift brings is the load it takes off nodes above their limit, less what it puts above the limit
//! elsewhere. Earlier shifts are not sacred: when a receiver turns out too full, the search may send part of
//! what it received on to another node, or back.

use std::cell::Cell;

use super::candidates::Candidates;
use super::table::{Shift, Table, Via, over};
use crate::load::{DIMENSIONS, Dimension, Load};

/// What operations cost, in the unit of the gain: node load taken off overloaded nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Prices {
    /// Per unit of load moved, summed over dimensions.
    pub load: f64,
    /// Per copied replica. Handing over leadership costs nothing but its load.
    pub copy: f64,
    /// Per new region. Infinite forbids splitting.
    pub region: f64,
    /// Per unit of room taken from a target in all dimensions at once. Room in one dimension only is what a
    /// one-sided region should go to; room in all of them is scarce.
    pub room: f64,
}

/// Targets looked at per ordering, in clusters with more than twice as many nodes.
const TARGETS: usize = 12;
/// Shifts for which a shortlist of targets is kept.
const SHORTLIST_KEPT: usize = 12;
/// A cut that would take more than this part of an item takes all of it.
const WHOLE: f64 = 0.97;
/// Gains below this are rounding.
const GAIN_MIN: f64 = 1e-7;
/// Shifts per search and node. Convergence is far below; this bounds a search that creeps.
const SHIFTS_PER_NODE: usize = 100;

pub(crate) struct Search<'t, 'a> {
    table: &'t mut Table<'a>,
    prices: Prices,
    /// When set, the search ends at this many shifts, or at the first node it cannot relieve.
    give_up: Option<usize>,
    candidates: &'t mut Candidates,
    /// Ways looked at so far: what the search has cost, in a unit that no clock is needed for.
    work: Cell<usize>,
    /// Nodes that may receive, chosen from time to time.
    shortlist: Vec<usize>,
    shortlist_age: usize,
    /// Items no heavier than this are not cut: any cluster of them can be balanced as they are.
    cut_above: f64,
}

/// Something that can leave a node: what is left of a replica, or a shift that arrived earlier.
#[derive(Debug, Clone, Copy)]
struct Item {
    peer: u32,
    from: usize,
    load: Load,
    share: f64,
    /// Largest part that can be cut off.
    part_max: f64,
    /// The earlier shift this would change.
    earlier: Option<usize>,
}

/// One way out for an item.
#[derive(Debug, Clone, Copy)]
struct Way {
    to: usize,
    via: Via,
    /// Price of taking it at all.
    fixed: f64,
    /// Price on top for taking only a part.
    cut: f64,
}

#[derive(Debug, Clone, Copy)]
struct Best {
    score: f64,
    shift: Shift,
    earlier: Option<usize>,
}

impl<'t, 'a> Search<'t, 'a> {
    pub fn new(
        table: &'t mut Table<'a>,
        prices: Prices,
        candidates: &'t mut Candidates,
        cut_above: f64,
        give_up: Option<usize>,
    ) -> Search<'t, 'a> {
        Search {
            table,
            prices,
            give_up,
            candidates,
            work: Cell::new(0),
            shortlist: Vec::new(),
            shortlist_age: 0,
            cut_above,
        }
    }

    /// Shifts load until no node is above its limit or nothing helps any more. Returns the work it took.
    pub fn run(&mut self) -> usize {
        self.shift_all();
        self.work.get()
    }

    fn shift_all(&mut self) {
        let mut stuck = vec![false; self.table.loads.len()];
        let mut shifted = false;
        for _ in 0..SHIFTS_PER_NODE * self.table.loads.len() {
            let Some(source) = self.fullest(&stuck) else {
                // What was stuck may have a way out now that others have moved.
                if !std::mem::take(&mut shifted) {
                    return;
                }
                stuck.fill(false);
                continue;
            };
            if self.give_up.is_some_and(|most| self.table.shifts.len() >= most) {
                return;
            }
            match self.best_from(source) {
                Some(Best { shift, earlier, .. }) => {
                    match earlier {
                        None => self.table.apply(shift),
                        Some(index) => self.table.redirect(index, shift),
                    }
                    shifted = true;
                }
                None if self.give_up.is_some() => return,
                None => stuck[source] = true,
            }
        }
    }

    fn fullest(&self, stuck: &[bool]) -> Option<usize> {
        let (mut fullest, mut most) = (None, GAIN_MIN);
        for (node, stuck) in stuck.iter().enumerate() {
            let excess = self.table.excess(node);
            if !stuck && excess > most {
                (fullest, most) = (Some(node), excess);
            }
        }
        fullest
    }

    /// The best way to relieve a node. Items are tried in the order of the most they could bring, so that
    /// the first few settle it.
    fn best_from(&mut self, source: usize) -> Option<Best> {
        self.candidates.find(self.table.board, source);
        let own = self.candidates.of(source).iter().map(|peer| self.item(*peer, source));
        let mut items: Vec<(f64, Item)> = own.map(|item| (self.most(item), item)).collect();
        items.extend(self.arrived(source).map(|item| (self.most(item), item)));
        self.refresh_shortlist();
        let mut best = self.best_of(items.clone());
        if best.is_none() && self.shortlist_age > 0 {
            self.shortlist_age = SHORTLIST_KEPT;
            self.refresh_shortlist();
            best = self.best_of(items);
        }
        best
    }

    fn best_of(&self, mut items: Vec<(f64, Item)>) -> Option<Best> {
        let mut best: Option<Best> = None;
        // A few items settle it as a rule, so picking the next best each time beats sorting them all.
        while let Some(next) = most_promising(&items) {
            let (most, item) = items.swap_remove(next);
            if best.is_some_and(|best| best.score >= most) {
                break;
            }
            self.work.set(self.work.get() + 1 + self.shortlist.len());
            for target in self.shortlist.iter().filter(|target| **target != item.from) {
                self.try_copy(item, *target, &mut best);
            }
            match item.earlier {
                Some(_) => self.try_return(item, &mut best),
                None => self.try_leads(item, &mut best),
            }
        }
        best
    }

    /// The best score that shifting an item could have: all it takes off its node where that is too full, at
    /// the price of moving it whole, or of cutting off just what is needed.
    fn most(&self, item: Item) -> f64 {
        let excess = self.table.loads[item.from] - self.table.limits[item.from];
        let gain = item.load.zip(excess, |load, excess| load.min(excess).max(0.0)).sum();
        if item.earlier.is_some() {
            return gain;
        }
        let whole = gain - self.prices.load * item.load.sum();
        let cut = gain * (1.0 - self.prices.load) - self.prices.region;
        // Handing over leadership moves less than the whole load, so its price is bounded by the gain only.
        let lead = gain * (1.0 - self.prices.load);
        if self.table.board.region_of(item.peer).peer_count > 1 { lead } else { whole.max(cut) }
    }

    fn item(&self, peer: u32, from: usize) -> Item {
        let region = self.table.board.peers[peer as usize].region as usize;
        let share = self.table.left[region];
        // The hottest key stays behind with what is not cut off.
        let hot = self.table.board.regions[region].hot_key_share;
        let part_max = if share > 0.0 { 1.0 - hot / share } else { 0.0 };
        Item { peer, from, load: self.table.remaining(peer), share, part_max, earlier: None }
    }

    /// What earlier shifts brought to a node.
    fn arrived(&self, node: usize) -> impl Iterator<Item = Item> + '_ {
        let shifts = self.table.shifts.iter().enumerate();
        shifts.filter(move |(_, shift)| shift.to == node && shift.via == Via::Copy).map(
            move |(index, shift)| {
                let region = self.table.board.region_of(shift.peer);
                // Which of the pieces holds the hottest key is not tracked, so such a region is not cut again.
                let part_max = if region.hot_key_share > 0.0 { 0.0 } else { 1.0 };
                let Shift { peer, load, share, .. } = *shift;
                Item { peer, from: node, load, share, part_max, earlier: Some(index) }
            },
        )
    }

    /// Nodes with room in some dimension; of many, those with most room in one dimension or in all. Choosing among
    /// many costs more than a shift, so a choice is kept for a while.
    fn refresh_shortlist(&mut self) {
        self.shortlist_age += 1;
        let nodes = self.table.loads.len();
        if nodes > 2 * TARGETS && !self.shortlist.is_empty() && self.shortlist_age < SHORTLIST_KEPT {
            return;
        }
        self.shortlist_age = 0;
        let room = |node: usize| self.table.limits[node] - self.table.loads[node];
        let takers = self.table.board.takers().map(|(node, _)| node);
        let mut all: Vec<usize> = takers.filter(|node| room(*node).max() > 0.0).collect();
        if all.len() <= 2 * TARGETS {
            self.shortlist = all;
            return;
        }
        let mut kept = Vec::with_capacity((DIMENSIONS + 1) * TARGETS);
        let mut keep = |read: &dyn Fn(Load) -> f64| {
            let by_room = |a: &usize, b: &usize| read(room(*b)).total_cmp(&read(room(*a))).then(a.cmp(b));
            all.select_nth_unstable_by(TARGETS, by_room);
            kept.extend_from_slice(&all[..TARGETS]);
        };
        for dimension in Dimension::ALL {
            keep(&|room| room.get(dimension));
        }
        keep(&least);
        kept.sort_unstable();
        kept.dedup();
        self.shortlist = kept;
    }

    fn try_copy(&self, item: Item, to: usize, best: &mut Option<Best>) {
        let peer = &self.table.board.peers[item.peer as usize];
        if peer.node as usize != to && !self.table.board.holds(peer.region, to) {
            let fixed = if item.earlier.is_some() { 0.0 } else { self.prices.copy };
            self.consider(item, Way { to, via: Via::Copy, fixed, cut: self.prices.region }, best);
        }
    }

    /// Lets part or all of an earlier shift stay where it came from, which needs no operation at all.
    fn try_return(&self, item: Item, best: &mut Option<Best>) {
        let to = self.table.board.peers[item.peer as usize].node as usize;
        self.consider(item, Way { to, via: Via::Copy, fixed: 0.0, cut: 0.0 }, best);
    }

    /// Lets a follower lead, which moves the difference of their loads and no data.
    fn try_leads(&self, item: Item, best: &mut Option<Best>) {
        let board = self.table.board;
        let peer = &board.peers[item.peer as usize];
        if !peer.leads {
            return;
        }
        for follower in board.peers_of(peer.region) {
            let other = &board.peers[follower as usize];
            if !other.leads && !board.seats[other.node as usize].draining {
                let load = item.load - self.table.remaining(follower);
                // Roles that hardly differ are not worth a change; measured anew, they might ask for it back.
                if load.map(f64::abs).max() <= self.candidates.floor {
                    continue;
                }
                let way = Way {
                    to: other.node as usize,
                    via: Via::Lead(follower),
                    fixed: 0.0,
                    cut: self.prices.region,
                };
                self.consider(Item { load, ..item }, way, best);
            }
        }
    }

    /// Offers an item whole, and cut at every point where a node just reaches its limit: the gain is concave
    /// in the part taken, so the best part is one of these.
    fn consider(&self, item: Item, way: Way, best: &mut Option<Best>) {
        self.offer(item, way, 1.0, best);
        if self.prices.region.is_infinite() || item.load.max() <= self.cut_above {
            return;
        }
        let relief = self.table.loads[item.from] - self.table.limits[item.from];
        let room = self.table.limits[way.to] - self.table.loads[way.to];
        for dimension in Dimension::ALL {
            let load = item.load.get(dimension);
            for amount in [relief.get(dimension), room.get(dimension)] {
                let part = amount / load;
                let cut = part > 0.0 && part < WHOLE.min(item.part_max);
                // A piece too light to be moved on its own would be cut off for nothing.
                if cut && item.load.max() * part > self.candidates.floor {
                    self.offer(item, way, part, best);
                }
            }
        }
    }

    #[inline]
    fn offer(&self, item: Item, way: Way, part: f64, best: &mut Option<Best>) {
        let table = &*self.table;
        let moved = item.load * part;
        let (from, from_limit) = (table.loads[item.from], table.limits[item.from]);
        let (to, to_limit) = (table.loads[way.to], table.limits[way.to]);
        let relief = over(from, from_limit) - over(from - moved, from_limit);
        let gain = relief + over(to, to_limit) - over(to + moved, to_limit);
        if gain <= GAIN_MIN {
            return;
        }
        let room_lost = least(to_limit - to).max(0.0) - least(to_limit - to - moved).max(0.0);
        let weight = if item.earlier.is_some() { 0.0 } else { moved.map(f64::abs).sum() };
        let cut = if part < 1.0 { way.cut } else { 0.0 };
        let score = gain - self.prices.load * weight - self.prices.room * room_lost - way.fixed - cut;
        if best.is_none_or(|best| score > best.score) {
            let shift =
                Shift { peer: item.peer, to: way.to, via: way.via, share: item.share * part, load: moved };
            *best = Some(Best { score, shift, earlier: item.earlier });
        }
    }
}

/// Where the item with the best possible score is; of equal ones the first replica's, then the older shift's.
fn most_promising(items: &[(f64, Item)]) -> Option<usize> {
    let key = |index: &usize| (items[*index].0, items[*index].1);
    (0..items.len()).max_by(|a, b| {
        let ((most_a, a), (most_b, b)) = (key(a), key(b));
        most_a.total_cmp(&most_b).then(b.peer.cmp(&a.peer)).then(b.earlier.cmp(&a.earlier))
    })
}

/// The smallest dimension's value.
fn least(load: Load) -> f64 {
    load.0.into_iter().fold(f64::INFINITY, f64::min)
}
