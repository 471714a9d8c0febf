//! From typed text to numbers, with one sentence for what is none.

use balance::{Load, Policy};

use crate::error::Error;

/// Smallest λ taken: no cluster is measured to a tenth of a percent, and pieces of half of it would be counted
/// in millions.
const LAMBDA_MIN: f64 = 0.001;

/// λ: `--lambda`.
pub fn lambda(text: &str) -> Result<f64, Error> {
    let number = text.parse::<f64>().ok().filter(|found| (LAMBDA_MIN..=10.0).contains(found));
    number.ok_or_else(|| {
        Error::input(format!(
            "--lambda is {text:?}: expected a number from {LAMBDA_MIN} to 10, such as 0.05 for 5 % above a node's share"
        ))
    })
}

/// Weights of the dimensions: `--weights`.
pub fn weights(text: &str) -> Result<Load, Error> {
    let pair = text.split_once(':').and_then(|(cpu, io)| Some((cpu.parse().ok()?, io.parse().ok()?)));
    let found = pair.map(|(cpu, io): (f64, f64)| Load::new(cpu, io));
    found.filter(|load| load.is_valid() && (load.sum() - 1.0).abs() <= 1e-6).ok_or_else(|| {
        Error::input(format!(
            "--weights is {text:?}: expected two numbers of at least 0 that sum to 1, such as 0.5:0.5"
        ))
    })
}

/// The seed: `--seed`.
pub fn seed(text: &str) -> Result<u64, Error> {
    text.parse().map_err(|_| {
        Error::input(format!("--seed is {text:?}: expected a whole number from 0 to {}, such as 1", u64::MAX))
    })
}

/// A whole number of at least 0.
pub fn whole(flag: &str, text: &str) -> Result<u32, Error> {
    text.parse().map_err(|_| {
        Error::input(format!("{flag} is {text:?}: expected a whole number from 0 to {}, such as 8", u32::MAX))
    })
}

/// A number, which may still be out of bounds.
pub fn number(flag: &str, text: &str) -> Result<f64, Error> {
    text.parse()
        .map_err(|_| Error::input(format!("{flag} is {text:?}: expected a number, such as 16 or 0.5")))
}

/// A number within bounds.
pub fn number_within(flag: &str, text: &str, bounds: std::ops::RangeInclusive<f64>) -> Result<f64, Error> {
    let found = text.parse::<f64>().ok().filter(|found| bounds.contains(found));
    found.ok_or_else(|| {
        let (low, high) = (bounds.start(), bounds.end());
        Error::input(format!("{flag} is {text:?}: expected a number from {low} to {high}"))
    })
}

/// Policies: `all`, or names with commas between, each once.
pub fn policies(text: &str) -> Result<Vec<Policy>, Error> {
    if text == "all" {
        return Ok(Policy::ALL.to_vec());
    }
    let mut found: Vec<Policy> = Vec::new();
    for name in text.split(',') {
        let policy = name
            .trim()
            .parse::<Policy>()
            .map_err(|cause| Error::input(format!("--policies: {cause}; or all")))?;
        if found.contains(&policy) {
            return Err(Error::input(format!("--policies names {policy} twice: name each policy once")));
        }
        found.push(policy);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lambda_is_a_number_within_bounds() {
        assert_eq!(lambda("0.1"), Ok(0.1));
        for text in ["0", "-0.05", "NaN", "inf", "11", "1e-9", "", "five"] {
            let complaint = lambda(text).expect_err(text).to_string();
            assert!(complaint.starts_with(&format!("--lambda is {text:?}: expected")), "{complaint}");
        }
    }

    #[test]
    fn weights_are_two_shares() {
        assert_eq!(weights("0.25:0.75"), Ok(Load::new(0.25, 0.75)));
        for text in ["1", "0.5:0.6", "a:b", "-0.5:1.5", "NaN:1", "0.3:0.3:0.4", ":"] {
            assert!(weights(text).is_err(), "{text}");
        }
    }

    #[test]
    fn policies_are_all_or_a_list() {
        assert_eq!(policies("all").map(|found| found.len()), Ok(7));
        assert_eq!(policies("keel, none"), Ok(vec![Policy::Keel, Policy::None]));
        for text in ["", "keel,", "keel,keel", "ALL", "all,keel"] {
            assert!(policies(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_keep_their_bounds() {
        assert_eq!(number_within("--noise", "0.5", 0.0..=1.0), Ok(0.5));
        for text in ["NaN", "-1", "2", "x"] {
            assert!(number_within("--noise", text, 0.0..=1.0).is_err(), "{text}");
        }
        assert!(number("--minutes", "ten").is_err() && whole("--nodes", "1.5").is_err());
    }

    #[test]
    fn seeds_are_whole() {
        assert_eq!(seed("18446744073709551615"), Ok(u64::MAX));
        for text in ["-1", "1.5", "18446744073709551616", "x"] {
            assert!(seed(text).is_err(), "{text}");
        }
    }
}
