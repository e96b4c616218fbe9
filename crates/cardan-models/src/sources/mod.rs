//! Signals that depend on time alone. Each is a law of time; [`source`] adds what they have in common.

mod clock;
pub(crate) mod constant;
pub(crate) mod ramp;
pub(crate) mod sine;
mod source;
pub(crate) mod step;
pub(crate) mod table;

pub(crate) use self::source::Law;
pub(crate) use self::table::Table;
pub use self::table::{Column, Interpolation, table_from_columns};
