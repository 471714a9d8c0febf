//! `2d-iso`: every dimension is balanced as if it were the only one, and all of the results are carried out.
//!
//! This is how schedulers that watch several signals behave when each signal has a scheduler of its own: each
//! sees the loads of the same moment, none sees what the others are about to do. What they do to each other's
//! dimension is the interference that the paper measures. Stores that schedule this way split by size only, so
//! this policy never splits.

use std::collections::{BTreeMap, BTreeSet};

use super::walk::{Fits, Reading, Rules, Splits};
use super::{Horizon, run_walk};
use crate::board::Gauge;
use crate::draft::Draft;
use crate::load::Dimension;
use crate::op::Op;
use crate::plan::Options;
use crate::view::RegionId;

pub(crate) fn run(draft: &mut Draft, horizon: Horizon, options: &Options) -> String {
    let mut stopped = Vec::new();
    let mut taken = BTreeSet::new();
    let start = draft.board.clone();
    for dimension in Dimension::ALL {
        let mut alone = Draft::new(start.clone());
        let reading = Reading::Fixed(Gauge::One(dimension));
        let rules = Rules { reading, splits: Splits::Never, fits: Fits::BelowSource, spare_others: false };
        stopped.push(format!("{dimension}: {}", run_walk(&mut alone, rules, horizon, options)));
        replay(draft, &alone, &mut taken);
        draft.refusals.extend(alone.refusals);
    }
    stopped.join("; ")
}

/// Carries out what one dimension decided on its own, but for regions another one has already decided about:
/// a region has only one operation at a time.
fn replay(draft: &mut Draft, alone: &Draft, taken: &mut BTreeSet<RegionId>) {
    let before = taken.clone();
    // Numbers of new regions differ between the lone draft and the joint one; pieces of a region that was not
    // cut have none.
    let mut known: BTreeMap<RegionId, Option<RegionId>> = BTreeMap::new();
    for step in &alone.steps {
        let id = step.op.regions()[0];
        let joint = known.get(&id).copied().unwrap_or((!before.contains(&id)).then_some(id));
        if let Op::Split { parts, .. } = &step.op {
            known.extend(parts[1..].iter().map(|part| (part.region, None)));
        }
        let Some(joint) = joint else { continue };
        taken.insert(joint);
        match &step.op {
            Op::Split { parts, .. } => {
                let Some(index) = draft.find_region(joint) else { continue };
                let shares: Vec<f64> = parts.iter().map(|part| part.share).collect();
                for (part, new) in parts[1..].iter().zip(draft.split(index, &shares, step.why.clone())) {
                    let id = draft.board.regions[new as usize].id;
                    known.insert(part.region, Some(id));
                    taken.insert(id);
                }
            }
            Op::Move { from, to, .. } => draft.replay_move(joint, *from, *to, step.why.clone()),
            Op::TransferLeader { from, to, .. } => {
                draft.replay_transfer(joint, *from, *to, step.why.clone());
            }
            Op::Merge { .. } => {}
        }
    }
}
