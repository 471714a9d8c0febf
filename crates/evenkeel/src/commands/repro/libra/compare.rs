//! A number of the paper beside ours, and a word on how they relate.

use serde::Serialize;

/// Changes this near to each other, in points, agree.
const NEAR_POINTS: f64 = 10.0;
/// Changes and values within this part of the paper's agree.
const NEAR_PART: f64 = 1.0 / 3.0;

/// One comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// What is compared.
    pub what: String,
    /// What the paper says.
    pub paper: String,
    /// What we find.
    pub ours: String,
    /// How they relate.
    pub verdict: &'static str,
}

/// By how many percent a value differs from another.
pub fn change(value: f64, from: f64) -> f64 {
    (value / from - 1.0) * 100.0
}

impl Comparison {
    /// Changes in percent.
    pub fn change(what: impl Into<String>, paper: f64, ours: f64) -> Comparison {
        Comparison::change_range(what, (paper, paper), (ours, ours))
    }

    /// Ranges of changes in percent; both ends have the same sign in the paper.
    pub fn change_range(what: impl Into<String>, paper: (f64, f64), ours: (f64, f64)) -> Comparison {
        let verdict = verdict(paper, ours);
        Comparison { what: what.into(), paper: percents(paper), ours: percents(ours), verdict }
    }

    /// Plain values with a unit.
    pub fn value(what: impl Into<String>, unit: &str, paper: f64, ours: f64) -> Comparison {
        let verdict = if (ours - paper).abs() <= NEAR_PART * paper.abs() {
            "agrees"
        } else if ours > paper {
            "higher"
        } else {
            "lower"
        };
        let written = |value: f64| format!("{}{unit}", plain(value));
        Comparison { what: what.into(), paper: written(paper), ours: written(ours), verdict }
    }

    /// A statement of the paper without a number, and what we find about it.
    pub fn words(what: impl Into<String>, paper: &str, ours: String, holds: bool) -> Comparison {
        let verdict = if holds { "agrees" } else { "differs" };
        Comparison { what: what.into(), paper: paper.to_string(), ours, verdict }
    }
}

/// How two ranges of changes relate.
fn verdict(paper: (f64, f64), ours: (f64, f64)) -> &'static str {
    let near = |paper: f64, ours: f64| (ours - paper).abs() <= NEAR_POINTS.max(NEAR_PART * paper.abs());
    let ends = |(a, b): (f64, f64)| (a.min(b), a.max(b));
    let ((low, high), (least, most)) = (ends(paper), ends(ours));
    let (expected, found) = ((low + high) / 2.0, (least + most) / 2.0);
    if near(low, least) && near(high, most) {
        "agrees"
    } else if least <= low && high <= most {
        "wider"
    } else if expected * found < 0.0 {
        "opposite"
    } else if found.abs() > expected.abs() {
        "stronger"
    } else {
        "weaker"
    }
}

fn percents((low, high): (f64, f64)) -> String {
    let one = |value: f64| {
        if value.is_finite() { format!("{value:+.1} %").replace('-', "−") } else { "–".into() }
    };
    if low == high { one(low) } else { format!("{} to {}", one(low), one(high)) }
}

fn plain(value: f64) -> String {
    if value.abs() < 10.0 { format!("{value:.2}") } else { format!("{value:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_the_distance() {
        let verdict = |paper, ours| Comparison::change("x", paper, ours).verdict;
        assert_eq!(verdict(-56.7, -50.0), "agrees");
        assert_eq!(verdict(-4.1, 3.0), "agrees");
        assert_eq!(verdict(-30.0, -80.0), "stronger");
        assert_eq!(verdict(-40.0, -10.0), "weaker");
        assert_eq!(verdict(-40.0, 10.0), "opposite");
        assert_eq!(Comparison::change_range("x", (-41.5, -56.7), (-7.6, -99.8)).verdict, "wider");
        assert_eq!(Comparison::change_range("x", (32.4, 72.1), (42.9, 68.3)).verdict, "agrees");
        assert_eq!(Comparison::value("x", "", 1.71, 1.5).verdict, "agrees");
        assert_eq!(Comparison::value("x", " ms", 100.0, 20.0).verdict, "lower");
    }

    #[test]
    fn numbers_keep_their_signs() {
        let found = Comparison::change_range("x", (20.0, 55.3), (-1.0, 7.0));
        assert_eq!((found.paper.as_str(), found.ours.as_str()), ("+20.0 % to +55.3 %", "−1.0 % to +7.0 %"));
        assert_eq!(Comparison::value("x", "×", 11.0, 4.0).paper, "11.0×");
        assert!((change(3.0, 4.0) + 25.0).abs() < 1e-9);
    }
}
