//! Signals: the short history of a value, and the rules for reading it anywhere in time.

mod history;
mod kept;
mod reading;
mod rotation;
mod segment;
mod slerp;
mod view;

pub use history::History;
pub use reading::Reading;
pub use segment::{Curve, Segment};
pub use slerp::slerp;
pub use view::Signal;
