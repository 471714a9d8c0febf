//! Runs the stories in `scenarios/`: each tells of a cluster, asks for plans, and keeps their words.
//!
//! After a change that is meant to change decisions, `UPDATE_GOLDENFILES=1 cargo test -p balance --test scenarios`
//! writes the new output into the stories; the difference is then read like any other.

mod story;

use std::path::{Path, PathBuf};

use story::Story;

/// Fewer stories than this mean that the folder was not found.
const STORIES_MIN: usize = 25;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")
}

#[test]
fn scenarios() {
    let entries = std::fs::read_dir(folder()).expect("the folder `scenarios` at the root of the project");
    let mut stories: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    stories.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    stories.sort();
    assert!(stories.len() >= STORIES_MIN, "only {} stories in {}", stories.len(), folder().display());
    for path in stories {
        println!("{}", path.display());
        goldenscript::run(&mut Story::default(), &path).expect("a story that can be told");
    }
}
