//! `keel` against the paper's rules on made-up clusters of the reference kinds, at other sizes and seeds.

mod checker;
mod clusters;

use balance::{Horizon, Options, Policy, Snapshot, View, plan};
use checker::Report;
use clusters::{Shape, cluster};

const SHAPES: [Shape; 3] = [Shape::Mix, Shape::Pareto, Shape::Giant];
const SIZES: [(usize, usize); 3] = [(8, 40), (8, 100), (16, 60)];
const SEEDS: std::ops::Range<u64> = 100..108;

fn run(view: &View, policy: Policy) -> (bool, Report) {
    let plan = plan(view, policy, Horizon::Rest, &Options::default());
    let json = "plain data is JSON";
    let snapshot = serde_json::to_value(Snapshot::from(view)).expect(json);
    let report = checker::check(&snapshot, &serde_json::to_value(&plan).expect(json));
    (plan.balanced, report.unwrap_or_else(|error| panic!("{policy}: {error}")))
}

#[test]
fn keel_balances_every_shape_with_fewer_steps_than_the_paper() {
    for shape in SHAPES {
        let (mut keel_steps, mut paper_steps) = (0, 0);
        for (nodes, regions) in SIZES {
            for seed in SEEDS {
                let view = cluster(shape, nodes, regions, seed);
                let (balanced, keel) = run(&view, Policy::Keel);
                assert!(balanced, "{shape:?} {nodes}x{regions} seed {seed}: keel comes to {:?}", keel.after);
                let (_, paper) = run(&view, Policy::Cooperative);
                keel_steps += keel.moves + keel.new_regions;
                paper_steps += paper.moves + paper.new_regions;
            }
        }
        println!("{shape:?}: {keel_steps} moves and new regions, the paper's rules {paper_steps}");
        assert!(keel_steps < paper_steps, "{shape:?}: {keel_steps} against {paper_steps}");
    }
}
