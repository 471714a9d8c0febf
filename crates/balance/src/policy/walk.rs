//! The walk all of the paper's schedulers share: from the fullest node, heaviest region first, to the
//! emptiest node. The schedulers differ in how they read a load, and in what they check.
//!
//! ```text
//!   fullest node ──▶ its regions, heaviest first ──▶ fits ─────▶ move it
//!                                                └▶ too big ──▶ split queue, executed if nothing fits
//! ```

use crate::advice;
use crate::board::{Board, Gauge, Peer};
use crate::draft::Draft;
use crate::load::{Dimension, Load};
use crate::plan::Options;
use crate::policy::{Horizon, Progress};
use crate::queues::Queues;

/// When an oversized region is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Splits {
    /// Not at all.
    Never,
    /// As soon as it is met.
    Eager,
    /// Lazily: candidates for splitting gather beside those for moving, and while anything can be moved
    /// nothing is split.
    Lazy,
}

/// How a load is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Reading {
    /// By the dimension that deviates most on the node in question.
    Critical,
    /// By the same gauge everywhere.
    Fixed(Gauge),
}

/// When a region fits its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fits {
    /// When the target stays below the goal, 1 + λ (the paper's load constraint).
    BelowGoal,
    /// When the target ends below where the source was: the pair is better off.
    BelowSource,
}

/// The rules that tell the schedulers apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rules {
    pub reading: Reading,
    pub splits: Splits,
    pub fits: Fits,
    /// Whether a region must be lighter in every other dimension (the paper's interference constraint).
    pub spare_others: bool,
}

pub(crate) struct Walk<'a> {
    rules: Rules,
    options: &'a Options,
    /// Whether a replica may move only once: in a round all moves start together.
    once: bool,
    queues: Vec<(Gauge, Queues)>,
}

/// Every node's level by one gauge, and the two emptiest nodes that may take load: one of them is not the source.
/// Taken once per iteration, because an iteration may look at hundreds of sources.
struct Levels {
    by_node: Vec<f64>,
    emptiest: [Option<usize>; 2],
}

impl Levels {
    fn new(board: &Board, gauge: Gauge) -> Levels {
        let by_node: Vec<f64> = (0..board.seats.len()).map(|node| gauge.read(board.level(node))).collect();
        let mut emptiest = [None; 2];
        for (node, _) in board.takers() {
            let below = |other: Option<usize>| other.is_none_or(|other| by_node[node] < by_node[other]);
            if below(emptiest[0]) {
                emptiest = [Some(node), emptiest[0]];
            } else if below(emptiest[1]) {
                emptiest[1] = Some(node);
            }
        }
        Levels { by_node, emptiest }
    }

    /// The emptiest node that may take load, other than the source; of equal ones the first.
    fn lightest(&self, source: usize) -> Option<usize> {
        self.emptiest.into_iter().flatten().find(|node| *node != source)
    }
}

/// Where a replica would go, and how.
#[derive(Debug, Clone, Copy)]
struct Landing {
    node: usize,
    /// The follower that takes over, when leadership moves instead of data.
    follower: Option<u32>,
    /// What leaves the source and arrives at the target, normalised.
    load: Load,
}

/// The winner of a walk over one node. What the other queue held is dropped and never executed: the next
/// iteration looks at the loads as they are then.
enum Winner {
    Move(u32, Landing),
    /// Regions to split, heaviest first.
    Split(Vec<u32>),
}

impl<'a> Walk<'a> {
    pub fn new(rules: Rules, options: &'a Options, horizon: Horizon, nodes: usize) -> Walk<'a> {
        let gauges = match rules.reading {
            Reading::Critical => Dimension::ALL.map(Gauge::One).to_vec(),
            Reading::Fixed(gauge) => vec![gauge],
        };
        let queues =
            gauges.into_iter().map(|gauge| (gauge, Queues::new(gauge, options.min_benefit, nodes))).collect();
        Walk { rules, options, once: horizon == Horizon::Round, queues }
    }

    /// One iteration: looks at overloaded nodes, fullest first, until one of them yields something to do.
    pub fn step(&mut self, draft: &mut Draft) -> Progress {
        let sources = self.sources(&draft.board);
        if sources.is_empty() {
            return Progress::Balanced;
        }
        let readings: Vec<(Gauge, Levels)> =
            self.queues.iter().map(|(gauge, _)| (*gauge, Levels::new(&draft.board, *gauge))).collect();
        for (source, gauge) in &sources {
            let Some((_, levels)) = readings.iter().find(|(known, _)| known == gauge) else { continue };
            match self.walk(draft, *source, *gauge, levels) {
                Some(Winner::Move(peer, landing)) => {
                    self.carry_out(draft, peer, landing, *source, *gauge);
                    return Progress::Moved;
                }
                Some(Winner::Split(peers)) => {
                    self.cut_enough(draft, &peers, *source, *gauge);
                    return Progress::Split;
                }
                None => {}
            }
        }
        if self.rules.spare_others && self.move_small(draft, &sources) {
            return Progress::Moved;
        }
        let (node, _) = sources[0];
        Progress::Stuck(format!(
            "{} stands at {:.2}, and none of its regions can be moved or split within the rules",
            draft.board.seats[node].id,
            draft.board.level(node).max()
        ))
    }

    /// Overloaded nodes with the gauge that says so, fullest first.
    fn sources(&self, board: &Board) -> Vec<(usize, Gauge)> {
        let goal = self.options.goal();
        let mut sources: Vec<(f64, usize, Gauge)> = board
            .takers()
            .filter_map(|(node, _)| {
                let level = board.level(node);
                let gauge = match self.rules.reading {
                    Reading::Critical => Gauge::One(level.largest()),
                    Reading::Fixed(gauge) => gauge,
                };
                let level = gauge.read(level);
                (level > goal).then_some((level, node, gauge))
            })
            .collect();
        sources.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        sources.into_iter().map(|(_, node, gauge)| (node, gauge)).collect()
    }

    /// Looks at a node's regions, heaviest first, until one can be moved; remembers those to split meanwhile.
    fn walk(&mut self, draft: &mut Draft, source: usize, gauge: Gauge, levels: &Levels) -> Option<Winner> {
        let target = levels.lightest(source)?;
        let levels = &levels.by_node;
        let most = match self.rules.fits {
            Fits::BelowGoal => self.options.goal(),
            Fits::BelowSource => levels[source],
        };
        let queue = self.queues.iter_mut().find(|(known, _)| *known == gauge).map(|(_, queues)| queues)?;
        let mut splits = Vec::new();
        for peer in queue.of(&draft.board, source) {
            let Peer { load, moved, .. } = draft.board.peers[*peer as usize];
            if moved && self.once {
                continue;
            }
            if self.rules.spare_others && !spares_others(load, gauge) {
                draft.refuse(*peer, Some(target), || {
                    format!("weighs at least as much elsewhere as in {}", name(gauge))
                });
                continue;
            }
            let landing = landing(&draft.board, *peer, target, gauge, levels);
            let level =
                landing.map(|to| levels[to.node] + gauge.read(draft.board.level_of(to.load, to.node)));
            match (landing, level) {
                (Some(to), Some(level)) if level < most => return Some(Winner::Move(*peer, to)),
                _ if may_split(draft, *peer, self.rules.splits, self.options) => splits.push(*peer),
                _ => refuse(draft, *peer, landing, level, most),
            }
            if self.rules.splits == Splits::Eager && !splits.is_empty() {
                break;
            }
        }
        (!splits.is_empty()).then_some(Winner::Split(splits))
    }

    /// When nothing else is left: regions below λ/2 may go although they weigh more elsewhere, as the paper's second
    /// stage has it, to a node that stays below the goal in every dimension.
    fn move_small(&mut self, draft: &mut Draft, sources: &[(usize, Gauge)]) -> bool {
        for (source, gauge) in sources {
            let small = self.queues.iter_mut().find(|(known, _)| known == gauge).and_then(|(_, queues)| {
                let board = &draft.board;
                let peers = queues.of(board, *source).iter().copied();
                let fits = |peer: u32| {
                    let Peer { load, moved, .. } = board.peers[peer as usize];
                    let small = board.level_of(load, *source).max() < self.options.piece();
                    if small && !(moved && self.once) {
                        roomy(board, peer, *gauge, self.options.goal())
                    } else {
                        None
                    }
                };
                peers.into_iter().find_map(|peer| Some((peer, fits(peer)?)))
            });
            if let Some((peer, node)) = small {
                let load = draft.board.peers[peer as usize].load;
                self.carry_out(draft, peer, Landing { node, follower: None, load }, *source, *gauge);
                return true;
            }
        }
        false
    }

    /// Splits candidates until they add up to what the node has to shed.
    fn cut_enough(&mut self, draft: &mut Draft, peers: &[u32], source: usize, gauge: Gauge) {
        let excess = gauge.read(draft.board.level(source)) - self.options.goal();
        let mut shed = 0.0;
        for peer in peers {
            if shed >= excess {
                return;
            }
            shed += gauge.read(draft.board.level_of(draft.board.peers[*peer as usize].load, source));
            self.cut(draft, *peer, gauge);
        }
    }

    fn carry_out(&mut self, draft: &mut Draft, peer: u32, to: Landing, source: usize, gauge: Gauge) {
        for (_, queues) in &mut self.queues {
            queues.leaves(&draft.board, peer, source);
        }
        let why = format!(
            "{} is {:.2} of its share in {}, {} is {:.2}; this takes {:.3} across",
            draft.board.seats[source].id,
            gauge.read(draft.board.level(source)),
            name(gauge),
            draft.board.seats[to.node].id,
            gauge.read(draft.board.level(to.node)),
            gauge.read(to.load),
        );
        match to.follower {
            Some(follower) => {
                draft.transfer(peer, follower, why);
                for (_, queues) in &mut self.queues {
                    queues.forget(source);
                    queues.forget(to.node);
                }
            }
            None => {
                draft.move_peer(peer, to.node, why);
                for (_, queues) in &mut self.queues {
                    queues.arrives(&draft.board, peer, to.node);
                }
            }
        }
    }

    /// Cuts a region into pieces of at most λ/2 in the dimensions this scheduler looks at.
    fn cut(&mut self, draft: &mut Draft, peer: u32, gauge: Gauge) {
        let Peer { load, region, node, .. } = draft.board.peers[peer as usize];
        let level = draft.board.level_of(load, node as usize);
        let measured = match self.rules.reading {
            Reading::Critical => level.max(),
            Reading::Fixed(gauge) => gauge.read(level),
        };
        let shares =
            shares(measured, self.options.piece(), draft.board.regions[region as usize].hot_key_share);
        let why = format!(
            "carries {:.3} of a node in {} and fits nowhere; {} pieces of at most {:.3} will",
            gauge.read(level),
            name(gauge),
            shares.len(),
            self.options.piece()
        );
        let holders: Vec<usize> =
            draft.board.peers_of(region).map(|peer| draft.board.peers[peer as usize].node as usize).collect();
        draft.split(region, &shares, why);
        for (_, queues) in &mut self.queues {
            holders.iter().for_each(|node| queues.forget(*node));
        }
    }
}

/// Most parts that one split makes. More would only come of numbers that no cluster has.
const PARTS_MAX: f64 = 1000.0;

/// Shares of the parts of a region of this load, each at most `piece`, but for the one with the hottest key.
fn shares(level: f64, piece: f64, hot_key_share: f64) -> Vec<f64> {
    let even = (level / piece).ceil().clamp(2.0, PARTS_MAX);
    if hot_key_share <= 1.0 / even {
        return vec![1.0 / even; even as usize];
    }
    let rest = 1.0 - hot_key_share;
    let parts = (rest * level / piece).ceil().clamp(1.0, PARTS_MAX);
    let mut shares = vec![rest / parts; parts as usize + 1];
    shares[0] = hot_key_share;
    shares
}

/// Whether a region is large enough to be worth cutting, and can be cut at all.
fn may_split(draft: &Draft, peer: u32, splits: Splits, options: &Options) -> bool {
    let Peer { load, region, node, .. } = draft.board.peers[peer as usize];
    let level = draft.board.level_of(load, node as usize).max();
    let piece = &draft.board.regions[region as usize];
    options.splitting
        && splits != Splits::Never
        && level > options.piece()
        && piece.blocked.is_none()
        // What is left beside the hottest key must be worth a region of its own.
        && (1.0 - piece.hot_key_share) * level > options.min_benefit
}

fn refuse(draft: &mut Draft, peer: u32, landing: Option<Landing>, level: Option<f64>, most: f64) {
    let piece = draft.board.region_of(peer);
    let (hot, blocked) = (piece.hot_key_share, piece.blocked);
    draft.refuse(peer, landing.map(|to| to.node), || match level {
        _ if blocked.is_some() => advice::blocked(blocked),
        _ if hot > 0.0 => advice::hot_key(hot),
        Some(level) => format!("would lift the emptiest node to {level:.2}, above {most:.2}"),
        None => "every other node already holds a replica of it".to_string(),
    });
}

/// Whether a load weighs less in every other dimension than in this one.
fn spares_others(load: Load, gauge: Gauge) -> bool {
    match gauge {
        Gauge::One(own) => Dimension::ALL.into_iter().all(|d| d == own || load.get(d) < load.get(own)),
        Gauge::Weighted(_) => true,
    }
}

fn name(gauge: Gauge) -> &'static str {
    match gauge {
        Gauge::One(dimension) => dimension.name(),
        Gauge::Weighted(_) => "the weighted score",
    }
}

/// The emptiest node by a gauge that a replica would leave below the goal in every dimension.
fn roomy(board: &Board, peer: u32, gauge: Gauge, goal: f64) -> Option<usize> {
    let Peer { region, load, .. } = board.peers[peer as usize];
    if board.regions[region as usize].blocked.is_some() {
        return None;
    }
    let after = |node: usize| board.level(node) + board.level_of(load, node);
    let free = board.takers().map(|(node, _)| node).filter(|node| !board.holds(region, *node));
    let roomy = free.filter(|node| after(*node).max() < goal);
    roomy.min_by(|a, b| gauge.read(after(*a)).total_cmp(&gauge.read(after(*b))).then(a.cmp(b)))
}

/// Where a replica goes: to the emptiest node if that has no replica of the region; a leader whose follower is
/// there hands over leadership; otherwise the emptiest node without one.
fn landing(board: &Board, peer: u32, target: usize, gauge: Gauge, levels: &[f64]) -> Option<Landing> {
    let Peer { region, load, leads, node, .. } = board.peers[peer as usize];
    if board.regions[region as usize].blocked.is_some() {
        return None;
    }
    if !board.holds(region, target) {
        return Some(Landing { node: target, follower: None, load });
    }
    let follower = board.peers_of(region).find(|other| board.peers[*other as usize].node as usize == target);
    if let (true, Some(follower)) = (leads, follower) {
        let change = load - board.peers[follower as usize].load;
        if gauge.read(change) > 0.0 {
            return Some(Landing { node: target, follower: Some(follower), load: change });
        }
    }
    let free = board.takers().map(|(node, _)| node).filter(|other| !board.holds(region, *other));
    let free = free.filter(|other| *other != node as usize);
    free.min_by(|a, b| levels[*a].total_cmp(&levels[*b]).then(a.cmp(b))).map(|node| Landing {
        node,
        follower: None,
        load,
    })
}
