//! Whose state can be written down.

use crate::error::Error;
use crate::system::System;
use cardan_core::participant::{Participant, Portable};
use cardan_describe::spec::ComponentSource;

/// Refuses a system with components whose state cannot be written down; names them all.
pub(super) fn check(system: &mut System) -> Result<(), Error> {
    let seats = system.plan.seats.iter().zip(&mut system.participants);
    let unable: Vec<String> = seats
        .filter_map(|(seat, participant)| (!is_portable(&mut **participant)).then(|| seat.name.clone()))
        .collect();
    if unable.is_empty() {
        return Ok(());
    }
    let reasons: Vec<String> = unable
        .iter()
        .map(|name| format!("`{name}`, {}", reason(system, name)))
        .collect();
    Err(Error::usage(format!(
        "there can be no checkpoint, since the state of some components cannot be written to a file: {}; run without \
         --checkpoint and --resume",
        reasons.join("; ")
    )))
}

fn is_portable(participant: &mut dyn Participant) -> bool {
    fn of(participant: &mut dyn Participant) -> Option<&mut dyn Portable> {
        participant.rollback()?.portable()
    }
    of(participant).is_some()
}

/// Why, and what its author could do.
fn reason(system: &System, name: &str) -> &'static str {
    let mut components = system.spec.components.iter();
    let component = components.find(|component| component.name.value == name);
    match component.and_then(|component| component.source.as_ref()) {
        Some(ComponentSource::Fmu(_)) => {
            "an FMU that does not offer it (export it with canGetAndSetFMUstate and canSerializeFMUstate)"
        }
        Some(ComponentSource::Python(_) | ComponentSource::Octave(_) | ComponentSource::Scilab(_)) => {
            "a script, whose state stays in its interpreter"
        }
        Some(ComponentSource::Process(_) | ComponentSource::Connect(_) | ComponentSource::Listen(_)) => {
            "a process that does not offer to export its states"
        }
        Some(
            ComponentSource::Model(_) | ComponentSource::MultibodyFile(_) | ComponentSource::Multibody(_),
        )
        | None => "which does not offer it",
    }
}
