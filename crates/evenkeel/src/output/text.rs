//! Small text helpers: wrapping, amounts with units.

/// Breaks text into lines of at most `width` columns, at spaces. A longer word gets a line of its own.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let needed = line.chars().count() + 1 + word.chars().count();
        if !line.is_empty() && needed > width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// Like [`wrap`], in as many lines, but of about equal length: no line holds a lonely last word.
fn wrap_evenly(text: &str, width: usize) -> Vec<String> {
    let mut lines = wrap(text, width);
    for narrower in (1..width).rev() {
        let other = wrap(text, narrower);
        let fits = other.iter().all(|line| line.chars().count() <= narrower);
        if other.len() > lines.len() || !fits {
            break;
        }
        lines = other;
    }
    lines
}

/// Text wrapped to `width` columns in all, with further lines indented to where the first one starts.
pub fn hang(lead: &str, text: &str, width: usize) -> String {
    let indent = lead.chars().count();
    let lines = wrap_evenly(text, width.saturating_sub(indent).max(20));
    let mut out = String::new();
    for (index, line) in lines.iter().enumerate() {
        let start = if index == 0 { lead.to_string() } else { " ".repeat(indent) };
        out.push_str(format!("{start}{line}").trim_end());
        out.push('\n');
    }
    out
}

/// "1 move", "2 moves".
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// Bytes in decimal units.
pub fn bytes(amount: u64) -> String {
    let amount = amount as f64;
    match amount {
        a if a < 1e3 => format!("{a:.0} B"),
        a if a < 1e6 => format!("{:.0} kB", a / 1e3),
        a if a < 10e6 => format!("{:.1} MB", a / 1e6),
        a if a < 10e9 => format!("{:.0} MB", a / 1e6),
        a if a < 10e12 => format!("{:.1} GB", a / 1e9),
        a => format!("{:.1} TB", a / 1e12),
    }
}

/// A share as percent, with one decimal.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_breaks_at_spaces() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("incomprehensible", 4), ["incomprehensible"]);
        assert_eq!(wrap("", 4), [""]);
    }

    #[test]
    fn further_lines_hang_under_the_first() {
        let text = hang("  1  ", "the quick brown fox jumps over", 26);
        assert_eq!(text, "  1  the quick brown\n     fox jumps over\n");
    }

    #[test]
    fn amounts_read_well() {
        assert_eq!(bytes(512), "512 B");
        assert_eq!(bytes(4_200_000), "4.2 MB");
        assert_eq!(bytes(2_147_000_000), "2147 MB");
        assert_eq!(bytes(21_000_000_000), "21.0 GB");
        assert_eq!(percent(0.2258), "22.6 %");
        assert_eq!((count(1, "move"), count(0, "move")), ("1 move".into(), "0 moves".into()));
    }
}
