//! `repro libra`: files, page and document of figures made quickly.
#![allow(clippy::disallowed_methods, reason = "tests run the binary and read files")]

mod common;

use common::{Scratch, document, run, stderr, stdout};

#[test]
fn a_figure_is_a_table_a_chart_and_a_page() {
    let scratch = Scratch::new("repro");
    for name in ["fig2", "fig16"] {
        let out = scratch.path(name);
        let output = run(&["repro", "libra", name, "--quick", "--out", &out]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).contains("paper") && stdout(&output).contains("verdict"));
        let read = |file: &str| std::fs::read_to_string(format!("{out}/{file}")).expect(file);
        assert!(read(&format!("{name}.csv")).lines().count() > 5);
        assert!(roxmltree::Document::parse(&read(&format!("{name}.svg"))).is_ok());
        let page = read("README.md");
        for word in [format!("({name}.svg)"), "--quick".into(), "| compared".into(), "a = 1.418".into()] {
            assert!(page.contains(&word), "{word} in {page}");
        }
    }
}

#[test]
fn the_document_puts_the_paper_beside_ours_and_can_be_had_again() {
    let scratch = Scratch::new("repro-json");
    let args = ["repro", "libra", "fig17", "--quick", "--json", "--out", &scratch.path("out")];
    let envelope = document(&args);
    assert_eq!(envelope["command"], "repro libra fig17 --seed 1 --quick");
    let figure = &envelope["results"][0];
    assert_eq!(figure["figure"], "fig17");
    let comparisons = figure["comparisons"].as_array().expect("comparisons");
    assert_eq!(comparisons.len(), 3);
    for found in comparisons {
        assert!(["what", "paper", "ours", "verdict"].iter().all(|key| found[*key].is_string()), "{found}");
    }
    assert_eq!(envelope, document(&args));
}
