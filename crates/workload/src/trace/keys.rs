//! From key text to position: ids while reading, order at the end.

use std::collections::BTreeMap;

/// Gives every distinct key an id, in order of first appearance.
///
/// Two maps instead of one over an enum: lookups then need no copy of the text, and most traces use numbers.
#[derive(Default)]
pub(super) struct KeyIds {
    numbers: BTreeMap<u64, u32>,
    texts: BTreeMap<Box<str>, u32>,
}

impl KeyIds {
    /// The id of a key; a new one if it has not been seen.
    pub(super) fn id(&mut self, key: &str) -> u32 {
        let next = (self.numbers.len() + self.texts.len()) as u32;
        if let Some(number) = as_number(key) {
            return *self.numbers.entry(number).or_insert(next);
        }
        if let Some(&id) = self.texts.get(key) {
            return id;
        }
        self.texts.insert(key.into(), next);
        next
    }

    /// For each id its position in key order: numbers by value, then texts byte by byte.
    pub(super) fn positions(&self) -> Vec<u32> {
        let mut positions = vec![0; self.numbers.len() + self.texts.len()];
        for (position, &id) in (0..).zip(self.numbers.values().chain(self.texts.values())) {
            positions[id as usize] = position;
        }
        positions
    }
}

/// The number that a key is, if it is written the one usual way. `007` stays text, or it would become `7`.
fn as_number(key: &str) -> Option<u64> {
    let usual = key.bytes().all(|byte| byte.is_ascii_digit()) && (key == "0" || !key.starts_with('0'));
    if usual { key.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_first_by_value_and_texts_follow_by_bytes() {
        let mut ids = KeyIds::default();
        let keys = ["10", "b", "9", "007", "a", "7", "99999999999999999999999"];
        let given: Vec<u32> = keys.iter().map(|key| ids.id(key)).collect();
        assert_eq!(given, [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(ids.id("9"), 2, "a key that was seen keeps its id");
        let mut ordered: Vec<(u32, &str)> = ids.positions().into_iter().zip(keys).collect();
        ordered.sort_unstable();
        let ordered: Vec<&str> = ordered.into_iter().map(|(_, key)| key).collect();
        assert_eq!(ordered, ["7", "9", "10", "007", "99999999999999999999999", "a", "b"]);
    }

    #[test]
    fn only_usual_numbers_are_numbers() {
        assert_eq!(as_number("0"), Some(0));
        assert_eq!(as_number("18446744073709551615"), Some(u64::MAX));
        for key in ["", "-1", "+1", "00", "1.5", "1e3", "18446744073709551616", "٣"] {
            assert_eq!(as_number(key), None, "{key:?}");
        }
    }
}
