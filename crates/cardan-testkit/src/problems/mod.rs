//! Problems whose answer is known, to measure coupled solutions against.

mod elliott;
mod exponential;
mod oscillator;
mod quarter_car;
mod two_mass;

pub use elliott::Elliott;
pub use exponential::{Matrix, exponential, multiply, transform};
pub use oscillator::Oscillator;
pub use quarter_car::QuarterCar;
pub use two_mass::TwoMass;
