//! How things are written in a story: `n1`, `r4`, `40MB`, `0.7/0.3`.

use std::str::FromStr;

use balance::Load;

/// A node: `n1`.
#[derive(Debug, Clone, Copy)]
pub struct NodeName(pub u64);

/// A region: `r4`.
#[derive(Debug, Clone, Copy)]
pub struct RegionName(pub u64);

/// Several nodes: `n2/n3`.
#[derive(Debug, Clone)]
pub struct NodeNames(pub Vec<u64>);

/// A number of bytes: `40MB`.
#[derive(Debug, Clone, Copy)]
pub struct Bytes(pub u64);

/// Weights of cpu and io: `0.7/0.3`.
#[derive(Debug, Clone, Copy)]
pub struct Weights(pub Load);

fn number(text: &str, letter: char) -> Result<u64, String> {
    let digits = text.strip_prefix(letter).ok_or_else(|| format!("{text:?} does not begin with {letter}"))?;
    digits.parse().map_err(|_| format!("{text:?} is no {letter} and a number"))
}

impl FromStr for NodeName {
    type Err = String;
    fn from_str(text: &str) -> Result<NodeName, String> {
        number(text, 'n').map(NodeName)
    }
}

impl FromStr for RegionName {
    type Err = String;
    fn from_str(text: &str) -> Result<RegionName, String> {
        number(text, 'r').map(RegionName)
    }
}

impl FromStr for NodeNames {
    type Err = String;
    fn from_str(text: &str) -> Result<NodeNames, String> {
        text.split('/').map(|name| number(name, 'n')).collect::<Result<_, _>>().map(NodeNames)
    }
}

impl FromStr for Bytes {
    type Err = String;
    fn from_str(text: &str) -> Result<Bytes, String> {
        let digits = text.strip_suffix("MB").ok_or_else(|| format!("{text:?} does not end in MB"))?;
        let megabytes: u64 = digits.parse().map_err(|_| format!("{text:?} is no number of MB"))?;
        Ok(Bytes(megabytes << 20))
    }
}

impl FromStr for Weights {
    type Err = String;
    fn from_str(text: &str) -> Result<Weights, String> {
        let (cpu, io) = text.split_once('/').ok_or("weights are written cpu/io")?;
        let part = |text: &str| text.parse().map_err(|_| format!("{text:?} is no number"));
        Ok(Weights(Load::new(part(cpu)?, part(io)?)))
    }
}
