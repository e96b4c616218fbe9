//! What a bonded participant gives inside a step: with the inputs as it reads them, not as they are exchanged.
//!
//! A damper that reads a velocity passes it on into its force. While the velocity is held, so is that part of the force,
//! and when a new velocity arrives at the end of the step, the force jumps. The energy that crossed is that of the force
//! before the jump.

use super::World;
use super::crew::Task;
use super::desk::Desk;
use crate::error::RunError;
use crate::graph::ParticipantId;
use crate::plan::{RealInput, Seat};
use crate::signal::Segment;
use crate::time::SimTime;
use std::sync::Arc;

impl World {
    /// Looks at the bonded of a group where they stand, before they step to `to`.
    #[cold]
    pub(super) fn open_books(&mut self, group: &[ParticipantId], to: SimTime) -> Result<(), RunError> {
        let plan = Arc::clone(&self.plan);
        for &participant in group {
            let seat = &plan.seats[participant.index()];
            if !seat.bonded {
                continue;
            }
            self.read_inputs(participant, to);
            let at = self.at[participant.index()];
            // A reading that begins at the exchanged value changes no output.
            let anew =
                seat.needs_inputs && (plan.correction || seat.real_inputs.iter().any(begins_elsewhere));
            self.look_inside(participant, seat, at, anew)?;
            let desk = self.team.desk(participant);
            let outputs = match anew {
                true => &desk.outputs.reals,
                false => self.histories[participant.index()].latest_reals(),
            };
            self.books.open(participant, at, outputs, &desk.slopes);
        }
        Ok(())
    }

    /// Looks at the bonded of a group where they have come, before anything new reaches them.
    #[cold]
    pub(super) fn enter_in_books(&mut self, group: &[ParticipantId]) -> Result<(), RunError> {
        let plan = Arc::clone(&self.plan);
        for &participant in group {
            let seat = &plan.seats[participant.index()];
            if !seat.bonded || !self.books.is_open(participant) {
                continue;
            }
            let at = self.at[participant.index()];
            self.look_inside(participant, seat, at, seat.needs_inputs)?;
            let desk = self.team.desk(participant);
            let outputs = match seat.needs_inputs {
                true => &desk.outputs.reals,
                false => self.histories[participant.index()].latest_reals(),
            };
            let (outputs, slopes) = (outputs, desk.slopes.as_slice());
            self.books
                .enter(participant, at, (outputs, slopes), |input| law_of(desk, input));
        }
        Ok(())
    }

    /// Lays outputs, if they are wanted anew, and slopes on the desk, as they are at `at` with the inputs as read.
    fn look_inside(
        &mut self,
        participant: ParticipantId,
        seat: &Seat,
        at: SimTime,
        anew: bool,
    ) -> Result<(), RunError> {
        let desk = self.team.desk(participant);
        desk.to = at;
        for (index, input) in seat.real_inputs.iter().enumerate() {
            if let (RealInput::Wire(_), Some(law)) = (input, law_at(desk, index, at)) {
                desk.current.reals[index] = law.at(at);
                desk.input_slopes[index] = law.slope(at);
            }
        }
        self.called = participant;
        for (task, wanted) in [(Task::Outputs, anew), (Task::Slopes, true)] {
            if wanted {
                self.team.perform(task, std::iter::once(participant));
            }
            if self.team.desk(participant).failure.is_some() {
                return Err(self.failure(participant));
            }
        }
        Ok(())
    }
}

/// Does it begin a step anywhere else than at the value that was exchanged?
fn begins_elsewhere(input: &RealInput) -> bool {
    match input {
        RealInput::Wire(wire) => !wire.reading.begins_on_point(),
        _ => false,
    }
}

/// The segments of a real input.
fn law_of(desk: &Desk, input: usize) -> &[Segment] {
    let end = |index: usize| desk.ends.get(index).map_or(index + 1, |end| *end as usize);
    let begin = input.checked_sub(1).map_or(0, end);
    desk.segments.get(begin..end(input)).unwrap_or_default()
}

/// The law of a real input at an instant.
pub(super) fn law_at(desk: &Desk, input: usize, at: SimTime) -> Option<Segment> {
    let pieces = law_of(desk, input);
    let piece = pieces.iter().find(|piece| at <= piece.until);
    piece.or(pieces.last()).copied()
}
