//! JSON: one document per run, and the envelope that results come in.

use serde::Serialize;

use super::machine::Machine;
use crate::error::Error;

/// What `sim`, `bench` and `repro` hand over: what was run, on what, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Envelope<T> {
    /// The command as it can be typed again, without the program's name.
    pub command: String,
    /// The seed of the run.
    pub seed: u64,
    /// The machine it ran on.
    pub machine: Machine,
    /// One entry per policy (or mode) and setting.
    pub results: Vec<T>,
}

impl<T: Serialize> Envelope<T> {
    /// Results of a run on this machine.
    pub fn new(command: impl Into<String>, seed: u64, results: Vec<T>) -> Envelope<T> {
        Envelope { command: command.into(), seed, machine: Machine::here(), results }
    }
}

/// A document on one line, with the line's end. What is no number becomes `null`.
pub fn document(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map(|text| text + "\n").map_err(|cause| {
        Error::failed(format!(
            "a result does not fit into JSON ({cause}): this is a bug in evenkeel, please report it"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_envelope_has_the_agreed_keys() {
        let machine = Machine { cores: 2, memory_gb: Some(7.8) };
        let envelope =
            Envelope { command: "sim cluster".into(), seed: 1, machine, results: vec![1.5, f64::NAN] };
        assert_eq!(
            document(&envelope).expect("a document"),
            "{\"command\":\"sim cluster\",\"seed\":1,\"machine\":{\"cores\":2,\"memory_gb\":7.8},\"results\":[1.5,null]}\n"
        );
    }

    #[test]
    fn a_new_envelope_knows_the_machine() {
        assert!(Envelope::new("x", 7, vec![()]).machine.cores > 0);
    }
}
