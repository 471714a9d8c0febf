//! What a figure comes to: numbers, a chart, and comparisons.

use crate::error::Error;
use crate::output::csv;
use crate::output::table::Table;

use super::compare::Comparison;

/// A figure made again.
pub struct Figure {
    /// As in the command: `fig12`.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// What was run, in a sentence or two.
    pub setting: String,
    /// Our numbers.
    pub table: Table,
    /// The chart.
    pub svg: String,
    /// The paper's numbers beside ours.
    pub comparisons: Vec<Comparison>,
    /// Where and why they differ.
    pub remarks: &'static str,
    /// Column names and rows of the CSV file.
    pub data: Data,
}

/// Rows under a header.
#[derive(Default)]
pub struct Data {
    header: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Data {
    /// Without rows.
    pub fn new(header: impl IntoIterator<Item = &'static str>) -> Data {
        Data { header: header.into_iter().collect(), rows: Vec::new() }
    }

    /// Adds a row: words first, then numbers.
    pub fn row(&mut self, words: &[&str], numbers: &[f64]) {
        let numbers = numbers.iter().map(|number| format!("{number:.4}"));
        self.rows.push(words.iter().map(|word| (*word).to_string()).chain(numbers).collect());
    }
}

impl Figure {
    /// The numbers as CSV.
    pub fn csv(&self) -> Result<String, Error> {
        csv::from_rows(&self.data.header, &self.data.rows)
    }
}
