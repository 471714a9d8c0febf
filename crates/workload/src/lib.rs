//! Says who asks for what: every load that a balancer is judged on, as a stream of requests.
//!
//! This crate draws requests; it does not send them. It holds no clock, thread, socket or file: the
//! caller passes the time and the generator, and a trace comes in through a reader.
//!
//! ```text
//!   Spec::named("ycsb-a") ── build() ─┐
//!                                     ├─▶ Workload ── next(now, rng) ─▶ Request ─▶ (sim or bench)
//!   Trace::read(reader)  ─ workload() ┘
//! ```
//!
//! # Ideas
//! * A key is a *position* in an ordered key space `[0, key_space)`. Regions are intervals of positions, so
//!   a workload needs no key text, and whoever has real keys maps positions to them in order.
//! * A synthetic load is four laws side by side: which operation ([`Mix`]), which key ([`Keys`]), how many
//!   rows ([`ScanLaw`]) and how many bytes ([`SizeLaw`]). A name such as `ycsb-e` is one choice of each.
//! * All laws are tables or closed formulas made once; a request costs a few draws and no allocation.
//! * A load that changes says so: [`Workload::epoch`] counts the changes and [`Workload::intensity`] scales
//!   the arrival rate, so a simulator can tell "the balancer failed" from "the load has just moved".
//!
//! # Invariants
//! * Every key lies in `[0, key_space)`, and a scan never runs past the end of the key space.
//! * Same spec, same generator, same times: same requests. Only `powf` and `exp` may differ in the last bit
//!   between platforms.
//! * What a load looks like in epoch `e` depends on the seed and `e` alone, not on the epochs seen before.
//! * No input, however broken, makes [`Trace::read`] panic or take memory without a bound.
//!
//! # Left out
//! * Deletes: none of the loads that we compare with has them. They would enter as a [`Kind`].
//! * Multi-key transactions and an adversary that watches the balancer: both need more than a stream.
//! * Key text of a trace: positions keep the order, which is all that ranges need.

mod alias; // draws from a table of weights in constant time
mod fnv; // the hash that YCSB and Mixgraph scatter keys with
mod keys; // which key: one file per law
mod mix; // which operation
mod pareto; // the generalised Pareto law
mod random; // seeds, streams and the few draws that all laws share
mod request; // what comes out, and the trait that everything implements
mod scan; // how many rows
mod sizes; // how many bytes, per request and per interval of keys
mod spec; // the options, the names, and building a load from them
mod synthetic; // four laws put together
mod trace; // recorded requests instead of drawn ones
mod zipf; // Zipf's law by the formula of Gray and others

pub use keys::{Hotspot, Keys, Mixgraph};
pub use mix::Mix;
pub use random::{Rng, rng};
pub use request::{Kind, Request, Workload};
pub use scan::ScanLaw;
pub use sizes::SizeLaw;
pub use spec::{InvalidSpec, Spec, UnknownWorkload};
pub use trace::{Compression, InvalidPace, Pace, Replay, Timed, Trace, TraceError};
