//! Small real participants for tests of the engine, written directly on the trait.

mod accumulator;
mod all_types;
mod harmonic;
mod numbers;
mod places;
mod relay;
mod script;

pub use accumulator::Accumulator;
pub use all_types::AllTypes;
pub use harmonic::Harmonic;
pub use relay::{Calls, Relay};
pub use script::Script;
