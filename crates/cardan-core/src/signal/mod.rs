//! Signals: the short history of a value, and the rules for reading it anywhere in time.

mod history;
mod reading;
mod segment;
mod slerp;

pub use history::{History, Signal};
pub use reading::Reading;
pub use segment::{Curve, Segment};
pub use slerp::slerp;
