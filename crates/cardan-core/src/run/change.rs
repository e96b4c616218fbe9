//! Changes from outside while a run goes on: inputs and parameters.

use super::{Run, Status};
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::interface::PortId;
use crate::participant::{Failure, Settings};
use crate::time::SimTime;
use crate::value::Value;

/// Something to change.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// The value of an input that nothing is connected to. The setup of the run must name it among those to drive, or give it a
    /// value.
    Input(ParticipantId, PortId, Value),
    /// Tunable parameters.
    Parameters(ParticipantId, Settings),
}

/// A change that was made.
#[derive(Clone, PartialEq, Debug)]
pub struct Changed {
    /// When.
    pub at: SimTime,
    /// What.
    pub change: Change,
}

impl Run {
    /// Changes inputs and parameters, all at one instant. Where components have steps of their own, all first go on to where the
    /// furthest of them stands. What answers at once does, events that follow happen, and no reading looks across the instant.
    /// Refused changes leave all as it was.
    pub fn change(&mut self, changes: Vec<Change>) -> Result<Status, RunError> {
        self.guarded(|run| {
            run.meet()?;
            if run.status == Status::Running {
                run.make(changes)?;
            }
            Ok(run.status)
        })
    }

    /// What was changed so far.
    pub fn changes(&self) -> &[Changed] {
        &self.changes
    }

    /// Lets all come to one instant, but for those that hold their values between instants of their own.
    fn meet(&mut self) -> Result<(), RunError> {
        let plan = self.world.shared_plan();
        if plan.single_rate || plan.needs.meets {
            return Ok(());
        }
        let times = (0..plan.seats.len()).map(|index| self.world.time_of(ParticipantId(index as u32)));
        let furthest = times.fold(self.world.frontier(), SimTime::max);
        let met = plan.resolution.reached(self.world.frontier(), furthest);
        match met || self.status != Status::Running {
            true => Ok(()),
            false => self.go(furthest, |_| Ok(())).map(|_| ()),
        }
    }

    fn make(&mut self, changes: Vec<Change>) -> Result<(), RunError> {
        let at = self.world.frontier();
        for change in changes {
            match &change {
                Change::Input(participant, port, value) => {
                    if let Err(why) = self.world.set_input(*participant, *port, value) {
                        let failure = Failure::failed(format!("an input cannot be set to {value}: {why}"));
                        let name = &self.world.plan().seats[participant.index()].name;
                        return Err(RunError::participant(name, Call::None, Some(at), failure));
                    }
                }
                Change::Parameters(participant, settings) => {
                    self.world.set_parameters(*participant, settings.clone())?;
                }
            }
            self.changes.push(Changed { at, change });
        }
        self.world.spread_change(at)?;
        self.master.disturbed(&mut self.world)
    }
}
