//! Events are where inputs as they came put them.
//!
//! An event that depends on inputs is first found along extrapolated ones, and its step is cut there. Whoever found it, or
//! finds itself beyond a switch when all have arrived, is looked at once more; what that finds cuts the step again, until both
//! agree.

use super::crossing::BEGINNING;
use super::ending;
use crate::error::RunError;
use crate::graph::ParticipantId;
use crate::participant::StepEnd;
use crate::time::SimTime;
use crate::world::World;

/// An event and whose it is.
pub(super) type Found = (SimTime, ParticipantId);

/// Looks once more at those whose switches decide whether the step to `to` may stand: those who have cut it short before, and
/// those who have an event there. Answers with an event truly before its end, if there is one.
pub(super) fn review(
    world: &mut World,
    cutters: &[ParticipantId],
    (to, close): (SimTime, f64),
) -> Result<Option<Found>, RunError> {
    if !world.has_actors() {
        return Ok(None);
    }
    let mut suspects = world.suspects(to)?;
    suspects.retain(|suspect| world.can_go_back(*suspect));
    for &cutter in cutters {
        if !suspects.contains(&cutter) && world.can_be_reviewed(cutter) && world.time_of(cutter) == to {
            suspects.push(cutter);
        }
    }
    let mut earliest: Option<Found> = None;
    for &suspect in &suspects {
        match world.step_again(suspect, BEGINNING)? {
            StepEnd::Completed => {}
            StepEnd::Early { at } | StepEnd::Terminate { at }
                if to.since(at) > close && world.plan().is_read(suspect) =>
            {
                if earliest.is_none_or(|(known, _)| at < known) {
                    earliest = Some((at, suspect));
                }
            }
            end => {
                ending::answer(world, &[(suspect, end)], to, false)?;
            }
        }
    }
    if earliest.is_none() && !suspects.is_empty() {
        world.exchange(&suspects, to)?;
    }
    Ok(earliest)
}
