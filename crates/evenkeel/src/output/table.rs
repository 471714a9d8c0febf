//! Aligned text tables. Columns that hold only numbers are aligned to the right.

/// A table: a header and rows of the same length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new<S: Into<String>>(header: impl IntoIterator<Item = S>) -> Table {
        Table { header: header.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row. Missing cells are empty.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) -> &mut Table {
        let mut row: Vec<String> = cells.into_iter().map(Into::into).collect();
        assert!(row.len() <= self.header.len(), "a row of {} in a table of {}", row.len(), self.header.len());
        row.resize(self.header.len(), String::new());
        self.rows.push(row);
        self
    }

    /// For a terminal: columns two spaces apart, a line under the header.
    pub fn text(&self) -> String {
        let widths = self.widths();
        let rule: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
        let lines = [&self.header, &rule].into_iter().chain(&self.rows);
        lines.map(|cells| format!("{}\n", self.line(cells, &widths, "  ").trim_end())).collect()
    }

    /// For a document: Markdown, padded so that the source reads well too.
    pub fn markdown(&self) -> String {
        let widths: Vec<usize> = self.widths().into_iter().map(|width| width.max(3)).collect();
        let rule: Vec<String> =
            widths.iter().enumerate().map(|(column, width)| self.rule(column, *width)).collect();
        let lines = [&self.header, &rule].into_iter().chain(&self.rows);
        lines.map(|cells| format!("| {} |\n", self.line(cells, &widths, " | "))).collect()
    }

    fn rule(&self, column: usize, width: usize) -> String {
        if self.is_numeric(column) { format!("{}:", "-".repeat(width - 1)) } else { "-".repeat(width) }
    }

    fn line(&self, cells: &[String], widths: &[usize], gap: &str) -> String {
        let padded = cells.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
            let space = " ".repeat(width.saturating_sub(cell.chars().count()));
            if self.is_numeric(column) { format!("{space}{cell}") } else { format!("{cell}{space}") }
        });
        padded.collect::<Vec<_>>().join(gap)
    }

    fn widths(&self) -> Vec<usize> {
        let lines = || std::iter::once(&self.header).chain(&self.rows);
        let width = |column: usize| lines().map(|cells| cells[column].chars().count()).max().unwrap_or(0);
        (0..self.header.len()).map(width).collect()
    }

    fn is_numeric(&self, column: usize) -> bool {
        let cells = || self.rows.iter().map(|row| row[column].as_str());
        cells().all(is_numeric) && cells().any(|cell| !cell.is_empty())
    }
}

/// Numbers, also with a unit sign, a dash for "none", or several of them side by side ("1.68 / 2.18").
fn is_numeric(cell: &str) -> bool {
    let number = |word: &str| {
        let bare = word.trim_end_matches(['%', '×', 'x']);
        bare.is_empty() || matches!(bare, "-" | "–" | "/" | "→") || bare.parse::<f64>().is_ok()
    };
    cell.split_whitespace().all(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new(["policy", "moves", "after"]);
        table.row(["keel", "12", "1.05 / 1.04"]).row(["cooperative", "108", "1.05 / 1.05"]).row(["none"]);
        table
    }

    #[test]
    fn numbers_stand_to_the_right() {
        let text = sample().text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "policy       moves        after");
        assert_eq!(lines[1], "───────────  ─────  ───────────");
        assert_eq!(lines[2], "keel            12  1.05 / 1.04");
        assert_eq!(lines[4], "none");
    }

    #[test]
    fn markdown_keeps_the_alignment() {
        let text = sample().markdown();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "| ----------- | ----: | ----------: |");
        assert_eq!(lines[2], "| keel        |    12 | 1.05 / 1.04 |");
    }

    #[test]
    fn an_empty_table_is_its_header() {
        assert_eq!(Table::new(["a", "b"]).text(), "a  b\n─  ─\n");
    }
}
