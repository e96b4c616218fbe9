//! What the tests of the other crates share: a conformance suite for participants, small real participants,
//! FMUs built from C, tools of other people, problems with known answers, references for coupled systems, the observed
//! order of a method, and a counter of allocations.
//!
//! ```
//! use cardan_testkit::conformance;
//! use cardan_testkit::fakes::Accumulator;
//!
//! // One claim by itself; `conformance!` makes a module with a test for each of them.
//! conformance::same_run_gives_same_bits(&|| Box::new(Accumulator::new(1.0)), &conformance::Options::new());
//! ```

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test library reports by panicking"
)]

pub mod allocation;
pub mod conformance;
pub mod fakes;
pub mod fmus;
pub mod order;
pub mod problems;
pub mod reference;
pub mod tools;

pub use order::observed_order;
