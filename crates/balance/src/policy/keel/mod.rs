//! `keel`, our own policy and the default.
//!
//! The paper's walk sends one region at a time from the fullest to the emptiest node and cuts what does not
//! fit into pieces of λ/2. `keel` looks at all receivers at once, weighs what a shift brings against what it
//! costs, cuts a region only where and as large as needed, prefers handing over leadership to copying, and
//! takes back earlier decisions that later ones have made poor.
//!
//! It searches twice: without splits, and with them. New regions cost for as long as they live, so the plan
//! without splits wins unless it needs far more moves.

mod bill;
mod candidates;
mod emit;
mod search;
mod table;

use crate::board::Board;
use crate::draft::Draft;
use crate::load::DIMENSIONS;
use crate::plan::Options;
use crate::policy::{AT_REST, Horizon, SPLITS_FIRST};
use bill::Bill;
use candidates::Candidates;
use search::{Prices, Search};
use table::Table;

/// Limits are set this much inside the goal, so that what is too little to be worth a step stays within it all
/// the same.
const MARGIN: f64 = 0.95;
/// A search without splits is given up beyond this many shifts per node: splitting will be cheaper.
const WHOLE_SHIFTS_PER_NODE: usize = 6;
/// Load above the limits that cutting must remove where it cannot remove all of it.
const CUTTING_WORTH: f64 = 0.02;
/// The most it may leave of that, compared with moving whole regions only.
const CUTTING_LEAVES: f64 = 0.5;
/// Worth of moving the whole cluster's load once, in steps per node, when plans are compared.
const LOAD_WORTH: f64 = 10.0;

/// Ways looked at, per node, after which no further prices are tried.
const WORK_PER_NODE: usize = 1_500;

/// Prices for moving whole regions. A greedy search is a gamble on its prices; small clusters try several. The
/// last ones price load higher and higher.
const WHOLE: [Prices; 6] = [
    Prices { load: 0.05, copy: 0.002, region: f64::INFINITY, room: 0.05 },
    Prices { load: 0.15, copy: 0.002, region: f64::INFINITY, room: 0.02 },
    Prices { load: 0.02, copy: 0.002, region: f64::INFINITY, room: 0.0 },
    Prices { load: 0.1, copy: 0.002, region: f64::INFINITY, room: 0.1 },
    Prices { load: 0.2, copy: 0.002, region: f64::INFINITY, room: 0.1 },
    Prices { load: 0.4, copy: 0.002, region: f64::INFINITY, room: 0.02 },
];
/// Prices for cutting. A cut takes exactly what is needed, so load is priced higher. The second entry was picked from
/// 120 on the reference snapshots: it is fitted to them, and made no difference on made-up clusters.
const CUTTING: [Prices; 6] = [
    Prices { load: 0.1, copy: 0.002, region: 0.005, room: 0.1 },
    Prices { load: 0.2, copy: 0.002, region: 0.01, room: 0.2 },
    Prices { load: 0.2, copy: 0.002, region: 0.002, room: 0.2 },
    Prices { load: 0.3, copy: 0.002, region: 0.005, room: 0.02 },
    Prices { load: 0.4, copy: 0.002, region: 0.002, room: 0.1 },
    Prices { load: 0.5, copy: 0.002, region: 0.001, room: 0.3 },
];

/// How many prices to try: planning time must stay within what a cluster of that size is given.
fn tries(nodes: usize) -> usize {
    match nodes {
        0..=24 => 3,
        25..=100 => 2,
        _ => 1,
    }
}

pub(crate) fn run(draft: &mut Draft, horizon: Horizon, options: &Options) -> String {
    let table = choose(&draft.board, horizon, options);
    let (stopped, refusals) = (stopped(&table, horizon), emit::refusals(&table, options));
    let shifts = table.shifts;
    draft.refusals.extend(refusals);
    emit::steps(draft, &shifts, horizon, options);
    stopped
}

/// Why a plan ends here.
fn stopped(table: &Table, horizon: Horizon) -> String {
    match table.fullest().map(|node| &table.board.seats[node]) {
        _ if horizon == Horizon::Round && table.cuts() > 0 => SPLITS_FIRST.to_string(),
        None => AT_REST.to_string(),
        Some(seat) if seat.draining => format!("{} is draining and cannot be emptied yet", seat.id),
        Some(seat) => {
            format!("{} stays above its share: nothing left on it can be moved or cut with a gain", seat.id)
        }
    }
}

/// The best plan with whole regions or, where that fails or needs far more moves, the best one with cuts.
fn choose<'a>(board: &'a Board, horizon: Horizon, options: &Options) -> Table<'a> {
    let bill = if horizon == Horizon::Rest { Bill::of_paper(board, options) } else { None };
    let whole = best_of(board, &WHOLE, bill, options);
    let settled = whole.balanced() && bill.is_some_and(|bill| bill.covers(&whole));
    if settled || !options.splitting {
        return whole;
    }
    let cut = best_of(board, &CUTTING, bill, options);
    let cuts = cut.cuts();
    let cheap = 2 * whole.shifts.len() <= 3 * cut.shifts.len() + 2 * cuts;
    if horizon == Horizon::Round && (whole_first(&whole, &cut) || in_vain(&whole, &cut)) {
        return whole;
    }
    match (whole.balanced(), cut.balanced()) {
        (true, true) if cheap || cuts == 0 => whole,
        (true, false) => whole,
        (false, false) if whole.excess_total() <= cut.excess_total() => whole,
        _ => cut,
    }
}

/// Whether cutting brings hardly more than whole regions do, in a cluster that cannot be balanced anyway. Where
/// a region must stay, each round would otherwise shave off a little more of everything else.
fn in_vain(whole: &Table, cut: &Table) -> bool {
    let (left, without) = (cut.excess_total(), whole.excess_total());
    !cut.balanced() && (without - left < CUTTING_WORTH || left > CUTTING_LEAVES * without)
}

/// Whether whole regions should go first where pieces have to be measured before they are moved. So it is when
/// they bring at least half of what cutting would, and most of the cutting plan would have to wait. Otherwise
/// each round might cut another region instead of using the pieces of the last.
fn whole_first(whole: &Table, cut: &Table) -> bool {
    let (before, gained) = (whole.excess_before(), whole.excess_before() - whole.excess_total());
    let (at_last, at_once) = (before - cut.excess_total(), before - cut.excess_of_whole());
    gained > 0.0 && 2.0 * gained >= at_last && 2.0 * at_once < gained
}

/// The cheapest result of several prices. One that stays within the bill is preferred to any that does not, and
/// the dearer prices at the end of the list are tried only while none does. No further search begins once the work
/// done has used up what a cluster of this size is given.
fn best_of<'a>(board: &'a Board, prices: &[Prices], bill: Option<Bill>, options: &Options) -> Table<'a> {
    let mut candidates = Candidates::new(board, options.min_benefit);
    let (mut best, mut work) = search(board, prices[0], &mut candidates, options);
    let within = |table: &Table| bill.is_none_or(|bill| bill.covers(table));
    let rank = |table: &Table| (table.excess_total(), !within(table), cost(table));
    // Whole regions either fit or they do not: where one search fails, cutting is the answer, not other prices.
    let hopeless = prices[0].region.is_infinite() && options.splitting && !best.balanced();
    let further = if hopeless { &[] } else { &prices[1..] };
    for (index, prices) in further.iter().enumerate() {
        let regular = index + 1 < tries(board.seats.len());
        let dear = bill.is_some() && best.balanced() && !within(&best);
        if (regular || dear) && work < WORK_PER_NODE * board.seats.len() {
            let (other, effort) = search(board, *prices, &mut candidates, options);
            work += effort;
            if rank(&other) < rank(&best) {
                best = other;
            }
        }
    }
    best
}

/// What a plan costs, in steps: its shifts, its new regions, and the load it moves.
fn cost(table: &Table) -> f64 {
    let steps = (table.shifts.len() + table.cuts()) as f64;
    let moved: f64 = table.shifts.iter().map(|shift| shift.load.sum()).sum();
    steps + LOAD_WORTH * moved / DIMENSIONS as f64
}

fn search<'a>(
    board: &'a Board,
    prices: Prices,
    candidates: &mut Candidates,
    options: &Options,
) -> (Table<'a>, usize) {
    let mut table = Table::new(board, 1.0 + options.lambda * options.aim * MARGIN, options.good_enough());
    let nodes = board.seats.len();
    let give_up = (prices.region.is_infinite() && options.splitting).then_some(WHOLE_SHIFTS_PER_NODE * nodes);
    let work = Search::new(&mut table, prices, candidates, options.piece(), give_up).run();
    table.settle();
    (table, work)
}
