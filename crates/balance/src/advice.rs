//! What an operator can do where balancing cannot help.

use crate::board::Blocked;

/// One key carries a region: no placement of whole keys can spread it.
pub(crate) fn hot_key(share: f64) -> String {
    format!(
        "one key carries {:.0} % of it, and a key cannot be split: cache that key, let followers serve its reads, \
         or spread it over several keys in the application",
        share * 100.0
    )
}

/// A region that has to stay as it is for now.
pub(crate) fn blocked(why: Option<Blocked>) -> String {
    match why {
        Some(Blocked::NoLeader) => "its leader is on a node that is down: repair it first",
        Some(Blocked::Busy) | None => {
            "an operation on it is under way or has just ended: it is left alone for now"
        }
    }
    .to_string()
}

/// A draining node holds a replica that no other node can take.
pub(crate) fn nowhere_to_drain() -> String {
    "its node is draining, and no node is left that could take it and holds no replica of it: add a node"
        .to_string()
}
