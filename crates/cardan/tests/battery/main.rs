//! Basic coupled systems, each run by default and by tolerance in every way there is, against references that integrate the
//! whole of it as one.
//!
//! A run passes if it is within twenty times its tolerance of the reference, or says why it is not, in a failure or a warning,
//! and is in the list of those ([`refusals`]). What must not happen is a result that is quietly wrong. `cargo bench -p cardan
//! --bench battery` prints all of it as a table.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test may give up as the test itself may"
)]

mod attended;
mod mode;
mod outcome;
mod refusals;
mod system;
mod systems;

use system::System;

/// Runs a system in all modes and fails if one of them is wrong.
#[track_caller]
pub(crate) fn check(name: &str, system: System) {
    let prepared = system.prepare();
    let mut lines = Vec::new();
    let mut wrong = 0;
    for mode in mode::all() {
        let outcome = prepared.run(&mode);
        let verdict = match &outcome {
            _ if outcome.is_right(&mode) => "right",
            _ if outcome
                .words()
                .iter()
                .any(|words| refusals::declared(name, &mode, words)) =>
            {
                "told"
            }
            _ => "WRONG",
        };
        wrong += usize::from(verdict == "WRONG");
        lines.push(format!(
            "{:<30} {verdict:<8} {}",
            mode.name(),
            outcome.told(&mode)
        ));
    }
    assert!(wrong == 0, "{name}: {wrong} modes\n{}", lines.join("\n"));
}
