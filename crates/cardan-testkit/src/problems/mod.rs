//! Problems whose answer is known, to measure coupled solutions against.

mod double_pendulum;
mod elliott;
mod engine_linkage;
mod exponential;
mod oscillator;
mod quarter_car;
mod rigid_pair;
mod trajectory;
mod two_mass;

pub use double_pendulum::DoublePendulum;
pub use elliott::Elliott;
pub use engine_linkage::EngineLinkage;
pub use exponential::{Matrix, exponential, multiply, transform};
pub use oscillator::Oscillator;
pub use quarter_car::QuarterCar;
pub use rigid_pair::RigidPair;
pub use two_mass::TwoMass;
