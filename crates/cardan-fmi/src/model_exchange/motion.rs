//! An FMU that is being solved: the instance, the solver, and where both stand.

use std::sync::Arc;

use cardan_core::interface::PortId;
use cardan_core::participant::{Failure, Outcome};
use cardan_core::planes::Planes;
use cardan_core::shell::{Recording, Slots, expect_present};
use cardan_core::time::SimTime;
use cardan_ode::Solver;

use super::chatter::Chatter;
use super::events::Occasion;
use super::plant::Plant;
use super::rollback::Saved;
use crate::clocks::OwnClock;
use crate::discrete::Told;
use crate::interface::FmuInterface;
use crate::ports::{BoundInputs, BoundOutputs};

/// From the beginning of the initialisation to the end of the run.
pub(super) struct Motion {
    pub(super) fmu: Arc<FmuInterface>,
    pub(super) plant: Plant,
    /// Idle without states and indicators: then there is nothing to do between events.
    pub(super) solver: Box<dyn Solver>,
    pub(super) mode: Mode,
    pub(super) start: f64,
    pub(super) time: f64,
    /// An event this little before the end of a step is at its end: somebody found it on another way, with other rounding.
    pub(super) near: f64,
    pub(super) inputs: BoundInputs,
    pub(super) outputs: BoundOutputs,
    /// The inputs that change in events only, as the FMU was told.
    pub(super) told: Told,
    /// Locals where the FMU came to rest, and whether they have to be read anew.
    pub(super) rest: Planes,
    pub(super) rest_is_stale: bool,
    /// The FMU's next event in time.
    pub(super) next_event: Option<f64>,
    pub(super) clocks: Vec<OwnClock>,
    /// Which of its own clocks tick in this round.
    pub(super) ticking: Vec<bool>,
    /// An event waits where the participant stands.
    pub(super) pending: bool,
    /// An indicator is on another side with the inputs as exchanged than with those that led here.
    pub(super) crossed: bool,
    /// Room for indicators, with the former inputs and the latter.
    pub(super) indicators: (Vec<f64>, Vec<f64>),
    /// Others take part in the present event.
    pub(super) attended: bool,
    /// What the present event has brought so far.
    pub(super) event: Occasion,
    pub(super) chatter: Chatter,
    /// The FMU asks for the end of the simulation.
    pub(super) ended: bool,
    /// Length of the last communication step.
    pub(super) stride: f64,
    pub(super) nominals: Vec<f64>,
    pub(super) traits: Traits,
    /// The bound inputs, to name them.
    pub(super) input_ports: Vec<PortId>,
    pub(super) recording: Recording,
    pub(super) slots: Slots<Saved>,
    /// Room for states, and for inputs that change in events only.
    pub(super) x: Vec<f64>,
    pub(super) room: Planes,
}

/// Which calls the FMU allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    Initializing,
    /// Time stands still.
    Event,
    /// Time may go on.
    Continuous,
}

/// What an FMU is like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Traits {
    /// Others take part in its events.
    pub(super) coupled: bool,
    /// Others read its outputs.
    pub(super) watched: bool,
    /// It wants to hear of every step.
    pub(super) needs_completed_step: bool,
    /// It can save its state, so steps may be taken back.
    pub(super) saves_state: bool,
    /// It has event indicators: inputs that jump may switch something.
    pub(super) switches: bool,
}

impl Motion {
    pub(super) fn now(&self) -> SimTime {
        SimTime::from_seconds(self.time)
    }

    /// Puts the FMU where the participant stands, with the inputs in force.
    pub(super) fn settle(&mut self) -> Outcome<()> {
        Ok(self.plant.move_to(self.time, self.solver.state())?)
    }

    /// The same with the inputs as it knows them.
    pub(super) fn place(&mut self) -> Outcome<()> {
        Ok(self.plant.place(self.time, self.solver.state())?)
    }

    /// Refuses to speak about another instant than the present one.
    pub(super) fn expect_present(&self, at: SimTime) -> Outcome<()> {
        expect_present(at, self.time)
    }

    pub(super) fn expect_running(&self) -> Outcome<()> {
        if self.mode == Mode::Initializing {
            return Err(Failure::failed("the initialisation of the FMU has not ended"));
        }
        Ok(())
    }
}
