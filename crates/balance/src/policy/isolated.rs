//! `2d-iso`: every dimension is balanced as if it were the only one, and all of the results are carried out.
//!
//! This is how schedulers that watch several signals behave when each signal has a scheduler of its own: each
//! sees the loads of the same moment, none sees what the others are about to do. What they do to each other's
//! dimension is the interference that the paper measures.

use std::collections::BTreeSet;

use super::walk::{Reading, Rules, Splits};
use super::{Horizon, run_walk};
use crate::board::Gauge;
use crate::draft::Draft;
use crate::load::Dimension;
use crate::op::Op;
use crate::plan::Options;

pub(crate) fn run(draft: &mut Draft, horizon: Horizon, options: &Options) -> String {
    let mut stopped = Vec::new();
    let mut taken = BTreeSet::new();
    let start = draft.board.clone();
    for dimension in Dimension::ALL {
        let mut alone = Draft::new(start.clone());
        let reading = Reading::Fixed(Gauge::One(dimension));
        let rules = Rules { reading, splits: Splits::Lazy, spare_others: false };
        stopped.push(format!("{dimension}: {}", run_walk(&mut alone, rules, horizon, options)));
        replay(draft, &alone, &mut taken);
        draft.refusals.extend(alone.refusals);
    }
    stopped.join("; ")
}

/// Carries out what one dimension decided on its own, but for regions another one has already decided about:
/// a region has only one operation at a time.
fn replay(draft: &mut Draft, alone: &Draft, taken: &mut BTreeSet<u64>) {
    let mut renamed = std::collections::BTreeMap::new();
    let before = taken.clone();
    for step in &alone.steps {
        match &step.op {
            Op::Split { region, parts } if !before.contains(&region.0) => {
                let Some(index) = draft.find_region(*region) else { continue };
                let shares: Vec<f64> = parts.iter().map(|part| part.share).collect();
                let created = draft.split(index, &shares, step.why.clone());
                for (part, index) in parts[1..].iter().zip(created) {
                    renamed.insert(part.region, draft.board.regions[index as usize].id);
                }
                taken.insert(region.0);
            }
            Op::Move { region, from, to } => {
                let known = renamed.get(region).copied();
                if before.contains(&region.0) && known.is_none() {
                    continue;
                }
                let target = known.unwrap_or(*region);
                draft.replay_move(target, *from, *to, step.why.clone());
                taken.insert(target.0);
            }
            Op::TransferLeader { region, from, to } if !before.contains(&region.0) => {
                draft.replay_transfer(
                    renamed.get(region).copied().unwrap_or(*region),
                    *from,
                    *to,
                    step.why.clone(),
                );
                taken.insert(region.0);
            }
            Op::Split { .. } | Op::TransferLeader { .. } | Op::Merge { .. } => {}
        }
    }
}
