//! What the paper's own rules would cost on the same board: a plan of `keel` should not cost more.

use super::table::Table;
use crate::board::Board;
use crate::draft::Draft;
use crate::load::Load;
use crate::op::Op;
use crate::plan::Options;
use crate::policy::{Horizon, Policy, run_walk};

/// Beyond this many nodes the comparison would cost more time than it is worth.
const NODES_MAX: usize = 100;

/// Moves and moved load of a plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bill {
    moves: usize,
    moved: Load,
}

impl Bill {
    /// The bill of the paper's rules, if they balance this board and it is small enough to ask.
    pub fn of_paper(board: &Board, options: &Options) -> Option<Bill> {
        if board.seats.len() > NODES_MAX {
            return None;
        }
        let mut draft = Draft::new(board.clone());
        run_walk(&mut draft, Policy::Cooperative.rules(options)?, Horizon::Rest, options);
        let moves = draft.steps.iter().filter(|step| matches!(step.op, Op::Move { .. })).count();
        draft.now.within(options.lambda).then(|| Bill { moves, moved: draft.board.moved() })
    }

    /// Whether a plan needs no more moves and moves no more load in any dimension.
    pub fn covers(&self, table: &Table) -> bool {
        let moved = table.shifts.iter().fold(Load::ZERO, |sum, shift| sum + shift.load);
        let covered = self.moved.zip(moved, |bill, plan| bill - plan);
        table.shifts.len() <= self.moves && covered.0.into_iter().all(|left| left >= 0.0)
    }
}
