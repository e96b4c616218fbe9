//! A TLM client: one component of a co-simulation, seen from the inside.

mod law;
mod line_end;

pub(crate) use line_end::orientation_at;

pub use law::{Flow, Motion3D, Placement};
pub use line_end::{Arithmetic, Beginning, Felt, Kind, Line, LineEnd, Objection, Readiness};
