//! A level as a bar of block characters, with the limit marked.

use super::screen::{Screen, Tone};

/// Eighths of a cell, from one to seven.
const EIGHTHS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
/// The mark of a limit.
const MARK: char = '│';

/// How bars that stand together are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// The value that fills a bar.
    pub full: f64,
    /// Columns of a full bar.
    pub width: usize,
    /// The limit to mark.
    pub limit: f64,
}

impl Scale {
    /// A scale on which all values and the limit fit.
    pub fn fitting(values: impl IntoIterator<Item = f64>, limit: f64, width: usize) -> Scale {
        let most = values.into_iter().filter(|value| value.is_finite()).fold(limit, f64::max);
        // A little air to the right, so that the limit is visible even when nothing passes it.
        Scale { full: most.max(limit * 1.1), width: width.max(4), limit }
    }

    /// The column in which the limit is marked.
    pub fn mark(self) -> usize {
        self.cells(self.limit).floor().min((self.width - 1) as f64) as usize
    }

    fn cells(self, value: f64) -> f64 {
        if self.full > 0.0 && value.is_finite() {
            (value / self.full).clamp(0.0, 1.0) * self.width as f64
        } else {
            0.0
        }
    }

    /// The bar of a value, always `width` columns. What is above the limit has a tone of its own.
    pub fn bar(self, value: f64, screen: Screen) -> String {
        let mark = self.mark();
        let cells = self.plain(value);
        let part = |range: std::ops::Range<usize>| cells[range].iter().collect::<String>();
        let tone = if value > self.limit { Tone::Bad } else { Tone::Good };
        [
            screen.paint(Tone::Good, &part(0..mark)),
            screen.paint(Tone::Faint, &MARK.to_string()),
            screen.paint(tone, &part(mark + 1..self.width)),
        ]
        .concat()
    }

    fn plain(self, value: f64) -> Vec<char> {
        let eighths = (self.cells(value) * 8.0).round() as usize;
        let cell = |index: usize| match eighths.saturating_sub(index * 8) {
            0 => ' ',
            some @ 1..=7 => EIGHTHS[some - 1],
            _ => '█',
        };
        (0..self.width).map(cell).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALE: Scale = Scale { full: 2.0, width: 10, limit: 1.05 };

    #[test]
    fn bars_are_aligned_and_marked() {
        assert_eq!(SCALE.bar(0.0, Screen::PLAIN), "     │    ");
        assert_eq!(SCALE.bar(0.5, Screen::PLAIN), "██▌  │    ");
        assert_eq!(SCALE.bar(1.0, Screen::PLAIN), "█████│    ");
        assert_eq!(SCALE.bar(2.0, Screen::PLAIN), "█████│████");
    }

    #[test]
    fn odd_values_stay_inside() {
        for value in [f64::NAN, f64::INFINITY, -3.0, 1e300] {
            assert_eq!(SCALE.bar(value, Screen::PLAIN).chars().count(), 10, "{value}");
        }
        let scale = Scale::fitting([], 0.0, 0);
        assert_eq!(scale.bar(1.0, Screen::PLAIN).chars().count(), 4);
    }

    #[test]
    fn the_limit_is_always_on_the_scale() {
        let scale = Scale::fitting([0.2, f64::NAN], 1.05, 20);
        assert!(scale.mark() < 19 && scale.full > 1.05);
        assert_eq!(Scale::fitting([7.0], 1.05, 20).full, 7.0);
    }
}
