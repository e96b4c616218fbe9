//! Runs that may be wrong or end with a failure: where what is asked for cannot be done, and the run says so.

use crate::mode::Mode;

const KEPT: &str = "cannot go back";

/// A system, the modes it is about (all that begin with this), and a part of the message or warning.
const REFUSALS: &[(&str, &str, &str)] = &[
    // Steps of FMUs without state cannot be taken back, and nor can those of Python classes that do not offer it.
    ("ball_on_a_floor_without_state", "", KEPT),
    ("mass_without_state", "", KEPT),
    ("pulse_without_state", "", KEPT),
    ("python_thermostat_without_rollback", "", KEPT),
    ("thermostat_without_state", "", KEPT),
    ("thermostat_without_state_with_a_boolean", "", KEPT),
    ("mass_that_holds_its_force", "default", "have to be of one size"),
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

/// Is what this run said one of the things that may be?
pub(crate) fn declared(system: &str, mode: &Mode, message: &str) -> bool {
    REFUSALS.iter().any(|(name, modes, reason)| {
        *name == system && mode.name().starts_with(modes) && message.contains(reason)
    })
}
