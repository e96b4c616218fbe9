//! Arriving at instants at which something jumps.
//!
//! Steps that are chosen or repeated land where a law changes. Up to there signals are what they were; what jumps is seen
//! when everybody has arrived, and from then on no reading looks behind it.

use super::World;
use super::crew::Task;
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::plan::{ColumnSource, HeldWire, Plan, RealInput, Wire};
use crate::signal::Reading;
use crate::time::SimTime;
use crate::value::Plane;
use std::sync::Arc;

impl World {
    /// From now on outputs react to discrete inputs as they are just before the end of a step. Signals are interpolated up
    /// to there, so what jumps at the end must not be seen on the way.
    pub fn approach(&mut self) {
        self.arriving = true;
    }

    /// Where a step ends at a corner, signals of time alone are as the law that led there has them, and so are their slopes:
    /// whoever reads them over the step sees nothing of what comes after it.
    pub fn show_before_corner(&mut self, group: &[ParticipantId], at: SimTime) -> Result<(), RunError> {
        for &participant in group {
            let before = self.asked_at(participant);
            if before == at || !self.stands_at(participant, at) {
                continue;
            }
            let desk = self.team.desk(participant);
            desk.to = before;
            self.called = participant;
            self.team.perform(Task::Outputs, std::iter::once(participant));
            self.team.desk(participant).to = at;
            self.take_outputs(participant)?;
        }
        Ok(())
    }

    /// The instant for which a participant is asked for its outputs: where it stands, or a hair before a corner of its law.
    pub(super) fn asked_at(&self, participant: ParticipantId) -> SimTime {
        let at = self.at[participant.index()];
        let comes_to_corner =
            self.arriving && self.plan.resolution.same(at, self.corner) && self.laws.contains(&participant);
        match comes_to_corner {
            true => SimTime::from_seconds(at.seconds().next_down()),
            false => at,
        }
    }

    /// Everybody has arrived at `at`, and what jumps there jumps, and what bends there bends. Answers whether anything did;
    /// what answers at once passes it on.
    pub fn land(&mut self, at: SimTime) -> Result<bool, RunError> {
        let approached = std::mem::take(&mut self.arriving);
        let plan = Arc::clone(&self.plan);
        let corner = approached && plan.resolution.same(at, self.corner);
        if corner {
            self.evaluate_everyone(&plan.exchange)?;
        }
        let jumped = self.has_jumped(&plan, at);
        if approached && jumped && !corner {
            self.evaluate_everyone(&plan.exchange)?;
        }
        if approached && (jumped || corner) && plan.has_slopes {
            self.evaluate_slopes(&plan, at)?;
        }
        Ok(jumped || corner)
    }

    /// Has a discrete signal that somebody reads another value at `at` than just before?
    fn has_jumped(&self, plan: &Plan, at: SimTime) -> bool {
        let before = plan.resolution.just_before(at);
        let fresh = |source: ParticipantId| {
            let history = &self.histories[source.index()];
            let fresh = !history.is_empty() && plan.resolution.same(history.latest(), at);
            fresh.then_some((history, history.index_at(before)))
        };
        let real = |wire: &Wire| {
            wire.reading == Reading::Hold
                && plan.jumps(wire)
                && fresh(wire.source).is_some_and(|(history, earlier)| {
                    let column = wire.column as usize;
                    history.row(earlier).reals[column] != history.latest_reals()[column]
                })
        };
        let other = |wire: &HeldWire| {
            fresh(wire.source).is_some_and(|(history, earlier)| {
                let (then, now, place) = (history.row(earlier), history.latest_row(), wire.from as usize);
                match wire.plane {
                    Plane::Reals => then.reals[place] != now.reals[place],
                    Plane::Integers => then.integers[place] != now.integers[place],
                    Plane::Booleans => then.booleans[place] != now.booleans[place],
                    Plane::Bytes => then.bytes[place] != now.bytes[place],
                }
            })
        };
        plan.seats.iter().any(|seat| {
            let mut reals = seat.real_inputs.iter();
            reals.any(|input| matches!(input, RealInput::Wire(wire) if real(wire)))
                || seat.held_wires.iter().any(other)
        })
    }

    /// The next corner after `from`: an instant at which somebody's law of time changes. Nobody whose law has corners may
    /// have passed it.
    pub fn next_corner(&mut self, from: SimTime) -> Result<SimTime, RunError> {
        if self.corner > from {
            return Ok(self.corner);
        }
        self.corner = SimTime::FUTURE;
        for index in 0..self.corners.len() {
            let next = self.call(self.corners[index], Call::Events, None, |p| Ok(p.next_instant()))?;
            self.corner = self.corner.min(next.unwrap_or(SimTime::FUTURE));
        }
        Ok(self.corner)
    }

    /// The next row after `from`, if somebody whose continuous outputs are recorded cannot tell what they were inside a step.
    pub fn next_row_to_land_on(&self, from: SimTime) -> SimTime {
        match self.plan.columns.every.filter(|_| self.lands_on_rows) {
            Some(grid) => grid.at(grid.count_to(from, self.plan.resolution) + 1),
            None => SimTime::FUTURE,
        }
    }

    /// Is there somebody whose continuous outputs are recorded and who cannot tell what they were inside a step?
    pub(super) fn must_land_on_rows(&self) -> bool {
        let mut sources = self.plan.columns.sources.iter();
        sources.any(|source| match source {
            ColumnSource::Row {
                participant,
                held: false,
                ..
            } => self.samples[participant.index()].is_none(),
            _ => false,
        })
    }

    /// Lets readings pass over the points before the latest ones, which nearly coincide with them.
    pub fn thin(&mut self) {
        for history in &mut self.histories {
            history.thin();
        }
    }

    /// Lets no reading look behind the present any more: something has jumped here.
    pub fn forget_past(&mut self) {
        self.courses.forget();
        for history in &mut self.histories {
            history.forget_past();
        }
    }
}
