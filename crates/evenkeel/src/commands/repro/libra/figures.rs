//! The figures, one file per family.

mod accuracy; // 16: where regions are cut
mod balance; // 11: how even loads are
mod hotspots; // 21: hot spots that move
mod lambda; // 22: how even is even enough
mod lazy; // 18: regions over many rounds
mod loads; // 2, 3: loads node by node
mod micro; // 12 to 14: writes, reads, scans
mod nodes; // 19: more nodes
mod overtime; // 9, 10: max and mean over time
mod splitting; // 17: ways to cut
mod traffic; // 20: more or fewer requests
mod weights; // Table II: weights of the weighted rival
mod ycsb; // 15: YCSB A to F

use ::balance::Policy;

use super::figure::Figure;
use super::lab::{Lab, Outcome};
use crate::error::Error;

/// How a figure is made.
pub struct Maker {
    /// As in the command.
    pub name: &'static str,
    /// Makes it.
    pub make: fn(&mut Lab) -> Result<Figure, Error>,
}

const MAKERS: [Maker; 17] = [
    Maker { name: "fig2", make: loads::fig2 },
    Maker { name: "fig3", make: loads::fig3 },
    Maker { name: "fig9", make: overtime::fig9 },
    Maker { name: "fig10", make: overtime::fig10 },
    Maker { name: "fig11", make: balance::fig11 },
    Maker { name: "fig12", make: micro::fig12 },
    Maker { name: "fig13", make: micro::fig13 },
    Maker { name: "fig14", make: micro::fig14 },
    Maker { name: "fig15", make: ycsb::fig15 },
    Maker { name: "fig16", make: accuracy::fig16 },
    Maker { name: "fig17", make: splitting::fig17 },
    Maker { name: "fig18", make: lazy::fig18 },
    Maker { name: "fig19", make: nodes::fig19 },
    Maker { name: "fig20", make: traffic::fig20 },
    Maker { name: "fig21", make: hotspots::fig21 },
    Maker { name: "fig22", make: lambda::fig22 },
    Maker { name: "table2", make: weights::table2 },
];

/// The figures that a name stands for.
pub fn named(name: &str) -> Result<Vec<&'static Maker>, Error> {
    let found: Vec<&Maker> = MAKERS.iter().filter(|maker| name == "all" || maker.name == name).collect();
    if found.is_empty() {
        let known: Vec<&str> = MAKERS.iter().map(|maker| maker.name).collect();
        return Err(Error::input(format!("there is no figure {name:?}: expected all, {}", known.join(", "))));
    }
    Ok(found)
}

/// The policies that figures 9 to 14 show.
const SHOWN: [Policy; 6] =
    [Policy::OneCpu, Policy::OneIo, Policy::Isolated, Policy::Weighted, Policy::Cooperative, Policy::Keel];
/// The policies of the figures that leave one-dimensional rivals out.
const TWO_DIMENSIONAL: [Policy; 4] = [Policy::Isolated, Policy::Weighted, Policy::Cooperative, Policy::Keel];
/// Seeds behind the averages of the main figures.
const SEEDS: u64 = 3;

fn by_name<'a>(outcomes: &'a [Outcome], name: &str) -> Option<&'a Outcome> {
    outcomes.iter().find(|outcome| outcome.name() == name)
}
