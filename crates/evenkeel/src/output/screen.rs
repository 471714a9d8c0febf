//! What stdout can show: how wide it is, and whether in colour.

use std::io::IsTerminal;

/// Narrowest and widest layout. Beyond a hundred columns lines get hard to follow.
const WIDTH: std::ops::RangeInclusive<usize> = 60..=100;

/// A place to show text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// Columns to use.
    pub width: usize,
    /// Whether escape codes for colour are understood and wanted.
    pub colour: bool,
}

/// What a piece of text means; colour follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Headings.
    Strong,
    /// Beside the point.
    Faint,
    /// Within bounds.
    Good,
    /// Above bounds.
    Bad,
    /// A plain amount.
    Plain,
}

impl Screen {
    /// Without colour, as wide as allowed: for files and pipes.
    pub const PLAIN: Screen = Screen { width: *WIDTH.end(), colour: false };

    /// Stdout as it is now.
    pub fn of_stdout() -> Screen {
        let stdout = std::io::stdout();
        if !stdout.is_terminal() {
            return Screen::PLAIN;
        }
        let width = terminal_size::terminal_size_of(&stdout).map(|(width, _)| usize::from(width.0));
        let wanted = |name: &str| std::env::var_os(name).is_none_or(|value| value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Screen { colour: wanted("NO_COLOR") && !dumb, ..Screen::PLAIN.with_width(width) }
    }

    fn with_width(self, width: Option<usize>) -> Screen {
        Screen { width: width.map_or(self.width, |width| width.clamp(*WIDTH.start(), *WIDTH.end())), ..self }
    }

    /// Text in its tone, or as it is where colour is not wanted.
    pub fn paint(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Strong => "1",
            Tone::Faint => "2",
            Tone::Good => "36",
            Tone::Bad => "33",
            Tone::Plain => return text.to_string(),
        };
        if self.colour && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_stays_within_bounds() {
        assert_eq!(Screen::PLAIN.with_width(Some(20)).width, 60);
        assert_eq!(Screen::PLAIN.with_width(Some(80)).width, 80);
        assert_eq!(Screen::PLAIN.with_width(Some(400)).width, 100);
        assert_eq!(Screen::PLAIN.with_width(None).width, 100);
    }

    #[test]
    fn plain_screens_get_plain_text() {
        assert_eq!(Screen::PLAIN.paint(Tone::Bad, "x"), "x");
        let colourful = Screen { colour: true, ..Screen::PLAIN };
        assert_eq!(colourful.paint(Tone::Bad, "x"), "\x1b[33mx\x1b[0m");
    }
}
