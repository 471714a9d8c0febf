//! House rules for documents: every crate is on the map, every link leads somewhere.
#![allow(clippy::disallowed_methods, reason = "tests read files")]

mod common;

use std::path::{Path, PathBuf};

use common::root;

fn documents() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md"].map(|name| root().join(name)).to_vec();
    collect(&root().join("docs"), &mut found);
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// Targets of the links `[text](target)` of a document, code blocks left out.
fn links(text: &str) -> Vec<String> {
    let prose = text.split("```").step_by(2).collect::<String>();
    let starts = prose.split("](").skip(1);
    starts.filter_map(|rest| rest.split_once(')')).map(|(target, _)| target.to_string()).collect()
}

#[test]
fn every_crate_is_on_the_map() {
    let map = std::fs::read_to_string(root().join("docs/architecture/README.md")).expect("the map");
    for entry in std::fs::read_dir(root().join("crates")).expect("the crates").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let heading = format!("## `{name}`");
        let Some((_, rest)) = map.split_once(&heading) else {
            panic!(
                "docs/architecture/README.md has no heading \"{heading}\": add what the crate is for and what it never does"
            );
        };
        let section = rest.split("\n## ").next().unwrap_or_default();
        assert!(
            section.contains("Never:"),
            "the map does not say what `{name}` never does: add a line \"Never: …\""
        );
    }
}

#[test]
fn every_link_leads_somewhere() {
    let mut count = 0;
    for document in documents() {
        let text = std::fs::read_to_string(&document).expect("a document");
        let folder = document.parent().expect("a folder");
        for link in links(&text).iter().filter(|link| !link.contains("://")) {
            let file = link.split('#').next().unwrap_or_default();
            count += 1;
            assert!(
                file.is_empty() || folder.join(file).exists(),
                "{} links to {link}, which is not there: correct the link",
                document.display()
            );
        }
    }
    assert!(count > 20, "only {count} links found: does `links` still read them?");
}
