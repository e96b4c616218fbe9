//! Participants in frames and units of their own.
//!
//! A component may have its own inertial frame, count in its own units, and be touched at points that its author did not
//! provide. [`Framed`] presents such a participant to the engine as if it lived in the axes and units of the system: frames
//! and loads are transformed on their way, in both directions, and so are laws of time, derivatives and slopes. The engine
//! knows nothing of it.

mod abilities;
mod clock;
mod dual;
mod feedthrough;
mod framed;
mod inlet;
mod laws;
mod layout;
mod marker;
mod motion;
mod outlet;
mod placement;
mod reaction;
mod routes;

pub use framed::Framed;
pub use layout::{Layout, Mistake, Part};
pub use marker::Marker;
pub use placement::{Placement, Scales};
