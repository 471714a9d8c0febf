//! All policies on the reference snapshots, judged by the independent checker against the reference results.
//!
//! The reference snapshots lie beside the project, in `../shared/snapshots`; without them that part is skipped.
//! Three small ones of the same kinds are kept in `scenarios/snapshots`.

#![expect(clippy::disallowed_methods, reason = "reads snapshot files")]

mod checker;

use std::path::{Path, PathBuf};

use balance::{Horizon, Options, Policy, Snapshot, plan};
use checker::Report;

/// What the paper's rules, and a linear program that counts moved pieces, come to on a snapshot.
struct Reference {
    name: &'static str,
    before: [f64; 2],
    paper: Cost,
    /// Given where splits are needed.
    program: Option<Cost>,
}

/// Moves, new regions, and load moved in percent: cpu, io.
struct Cost {
    moves: usize,
    new: usize,
    moved: [f64; 2],
}

const fn cost(moves: usize, new: usize, cpu: f64, io: f64) -> Cost {
    Cost { moves, new, moved: [cpu, io] }
}

const fn reference(name: &'static str, cpu: f64, io: f64, paper: Cost, program: Option<Cost>) -> Reference {
    Reference { name, before: [cpu, io], paper, program }
}

const REFERENCES: [Reference; 11] = [
    reference("a_8x100_mix", 1.68, 2.18, cost(29, 47, 20.8, 17.1), Some(cost(12, 11, 19.2, 16.5))),
    reference("a_8x100_pareto", 1.46, 1.54, cost(18, 0, 18.9, 18.4), None),
    reference("a_8x100_giant", 2.70, 2.55, cost(108, 98, 31.3, 35.4), Some(cost(14, 12, 28.5, 32.5))),
    reference("b_8x1000_mix", 1.85, 2.64, cost(47, 68, 25.8, 33.4), Some(cost(18, 14, 21.9, 31.2))),
    reference("b_8x1000_pareto", 1.47, 1.29, cost(19, 0, 16.2, 17.5), None),
    reference("b_8x1000_giant", 2.21, 2.09, cost(71, 99, 28.4, 26.4), Some(cost(15, 13, 25.4, 25.0))),
    reference("c_16x500_mix", 1.52, 2.34, cost(184, 171, 20.1, 29.4), Some(cost(32, 28, 15.2, 27.6))),
    reference("c_16x500_pareto", 2.66, 2.28, cost(68, 0, 17.5, 20.9), None),
    reference("c_16x500_giant", 2.53, 1.98, cost(248, 224, 29.4, 31.0), Some(cost(33, 27, 26.9, 26.0))),
    reference("d_64x200_pareto", 1.93, 2.63, cost(176, 0, 18.1, 18.3), None),
    reference("d_64x200_giant", 7.02, 4.64, cost(1362, 1175, 31.4, 35.3), None),
];

/// Max/Mean that counts as balanced.
const BALANCED: f64 = 1.05 + 1e-9;
/// The reference results are rounded to this, in percent of the load.
const ROUNDED: f64 = 0.05;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn load(path: &Path) -> (serde_json::Value, Snapshot) {
    let text = std::fs::read_to_string(path).expect("a snapshot that can be read");
    let parse = "a snapshot in the format of the project";
    (serde_json::from_str(&text).expect(parse), serde_json::from_str(&text).expect(parse))
}

/// Plans with a policy and lets the checker carry it out.
fn run(path: &Path, policy: Policy) -> Report {
    let (value, snapshot) = load(path);
    let view = snapshot.to_view().expect("a valid snapshot");
    let plan = plan(&view, policy, Horizon::Rest, &Options::default());
    let plan = serde_json::to_value(&plan).expect("a plan is JSON");
    let report = checker::check(&value, &plan);
    report.unwrap_or_else(|error| panic!("{policy} on {}: {error}", path.display()))
}

fn balanced(report: &Report) -> bool {
    report.after.iter().all(|ratio| *ratio <= BALANCED)
}

#[test]
fn reference_snapshots() {
    let folder = root().join("../shared/snapshots");
    if !folder.is_dir() {
        println!("skipped: there is no folder ../shared/snapshots beside the project");
        return;
    }
    for reference in &REFERENCES {
        let path = folder.join(format!("{}.json", reference.name));
        let [paper, keel] = [Policy::Cooperative, Policy::Keel].map(|policy| run(&path, policy));
        println!("{:16} paper {paper:?}\n{:16} keel  {keel:?}", reference.name, "");
        for (found, said) in paper.before.iter().zip(reference.before) {
            assert!((found - said).abs() < 0.006, "{}: before is {found}, not {said}", reference.name);
        }
        check_paper(reference, &paper);
        check_keel(reference, &keel, &paper);
        for policy in Policy::ALL {
            check_rival(reference.name, policy, &run(&path, policy));
        }
    }
}

/// Our reading of the paper's rules comes to what the reference's reading came to.
fn check_paper(reference: &Reference, found: &Report) {
    let name = reference.name;
    assert!(balanced(found), "{name}: the paper's rules come to {:?}", found.after);
    if name == "d_64x200_giant" {
        // So many steps that rounding decides some of them.
        let near = |found: usize, said: usize| found.abs_diff(said) * 20 <= said;
        let counts = (found.moves, found.new_regions);
        assert!(near(counts.0, reference.paper.moves) && near(counts.1, reference.paper.new), "{counts:?}");
        return;
    }
    let counts = (found.moves, found.new_regions);
    assert_eq!(counts, (reference.paper.moves, reference.paper.new), "{name}: moves and new regions");
    for (found, said) in found.displaced.iter().zip(reference.paper.moved) {
        assert!((found * 100.0 - said).abs() <= ROUNDED + 1e-9, "{name}: moved {found}, not {said} %");
    }
}

/// `keel` balances with far fewer operations, and never moves more load.
fn check_keel(reference: &Reference, keel: &Report, paper: &Report) {
    let name = reference.name;
    assert!(balanced(keel), "{name}: keel comes to {:?}", keel.after);
    for dimension in 0..2 {
        let most = paper.moved[dimension].min((reference.paper.moved[dimension] + ROUNDED) / 100.0);
        assert!(keel.moved[dimension] <= most, "{name}: keel moves {:?}, the paper {most}", keel.moved);
    }
    let (moves, new) = (keel.moves, keel.new_regions);
    match &reference.program {
        Some(program) => {
            assert!(
                2 * moves <= 3 * program.moves,
                "{name}: {moves} moves, the program has {}",
                program.moves
            );
            assert!(2 * new <= 3 * program.new, "{name}: {new} new regions, the program has {}", program.new);
        }
        None if name.ends_with("pareto") => {
            assert_eq!(new, 0, "{name}: splits where none are needed");
            assert!(moves <= reference.paper.moves, "{name}: {moves} moves");
        }
        None => {
            assert!(5 * moves <= reference.paper.moves, "{name}: {moves} moves");
            assert!(5 * new <= reference.paper.new, "{name}: {new} new regions");
        }
    }
}

/// Rivals keep what they promise, and no more: their plans are valid, and their own dimension gets no worse.
fn check_rival(name: &str, policy: Policy, report: &Report) {
    let own = match policy {
        Policy::None => {
            assert_eq!(report.moves + report.new_regions + report.merged, 0, "{name}: none acts");
            return;
        }
        Policy::OneCpu => Some(0),
        Policy::OneIo => Some(1),
        _ => None,
    };
    if let Some(own) = own {
        assert!(report.after[own] <= report.before[own], "{name}: {policy} made its own dimension worse");
    }
}

#[test]
fn small_snapshots() {
    for shape in ["mix", "pareto", "giant"] {
        let path = root().join(format!("scenarios/snapshots/8x40_{shape}.json"));
        let [paper, keel] = [Policy::Cooperative, Policy::Keel].map(|policy| run(&path, policy));
        println!("8x40_{shape} paper {paper:?}\n keel {keel:?}");
        assert!(balanced(&keel) && balanced(&paper), "{shape}: {:?} {:?}", keel.after, paper.after);
        assert!(keel.moves <= paper.moves && keel.new_regions <= paper.new_regions, "{shape}");
        assert!(shape != "pareto" || keel.new_regions == 0, "{shape}: splits where none are needed");
        for policy in Policy::ALL {
            check_rival(shape, policy, &run(&path, policy));
        }
    }
}
