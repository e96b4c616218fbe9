//! Signals: the short history of a value, and the rules for reading it anywhere in time.

mod defect;
mod history;
mod kept;
mod moments;
mod quadrature;
mod reading;
mod rotation;
mod segment;
mod slerp;
mod view;

pub(crate) use defect::Defect;
pub(crate) use quadrature::over;
pub(crate) use reading::{Coefficients, Point, law};

pub use history::History;
pub use moments::Moments;
pub use reading::Reading;
pub use segment::{Curve, Segment};
pub use slerp::slerp;
pub use view::Signal;
