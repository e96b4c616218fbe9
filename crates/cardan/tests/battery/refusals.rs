//! Runs that may end with a failure: where what is asked for cannot be done, and the message says so.

use crate::mode::Mode;

/// A system, the modes it is about (all that begin with this), and a part of the message.
const REFUSALS: &[(&str, &str, &str)] = &[
    // Steps that are chosen are of different lengths, and this FMU says that it cannot take those.
    (
        "mass_that_holds_its_force",
        "adaptive",
        "must be as long as the first",
    ),
    (
        "mass_that_holds_its_force",
        "iterated",
        "must be as long as the first",
    ),
];

/// Is this failure one of those that may be?
pub(crate) fn declared(system: &str, mode: &Mode, message: &str) -> bool {
    REFUSALS.iter().any(|(name, modes, reason)| {
        *name == system && mode.name().starts_with(modes) && message.contains(reason)
    })
}
