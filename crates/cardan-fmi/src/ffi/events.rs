//! Event mode.

use super::error::Called;
use super::fmi2::EventInfo;
use super::instance::{Instance, call};
use super::library::Functions;

/// What one round of event mode changed.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Update {
    /// Another round is needed.
    pub again: bool,
    /// The FMU asks for the end of the simulation.
    pub terminate: bool,
    /// Continuous states have other nominal values.
    pub nominals_changed: bool,
    /// Continuous states have jumped.
    pub values_changed: bool,
    /// When the FMU has its next time event, in seconds.
    pub next_event: Option<f64>,
}

impl Instance {
    /// Stops the time. In Co-Simulation FMI 3 only.
    pub fn enter_event_mode(&mut self) -> Called<()> {
        match &self.library.functions {
            Functions::V2(f) => call!(self, f.enter_event_mode()),
            Functions::V3(f) => call!(self, f.enter_event_mode()),
        }
    }

    /// Ends a round.
    pub fn update_discrete_states(&mut self) -> Called<Update> {
        match &self.library.functions {
            Functions::V2(f) => {
                let mut info = EventInfo::default();
                call!(self, f.new_discrete_states(&raw mut info))?;
                Ok(Update {
                    again: info.new_discrete_states_needed != 0,
                    terminate: info.terminate_simulation != 0,
                    nominals_changed: info.nominals_changed != 0,
                    values_changed: info.values_changed != 0,
                    next_event: (info.next_event_time_defined != 0).then_some(info.next_event_time),
                })
            }
            Functions::V3(f) => {
                let [mut again, mut terminate, mut nominals, mut values, mut defined] = [0_u8; 5];
                let mut next = 0.0;
                call!(
                    self,
                    f.update_discrete_states(
                        &raw mut again,
                        &raw mut terminate,
                        &raw mut nominals,
                        &raw mut values,
                        &raw mut defined,
                        &raw mut next,
                    )
                )?;
                Ok(Update {
                    again: again != 0,
                    terminate: terminate != 0,
                    nominals_changed: nominals != 0,
                    values_changed: values != 0,
                    next_event: (defined != 0).then_some(next),
                })
            }
        }
    }

    /// FMI 3: computes discrete states for a look at outputs without taking them over.
    pub fn evaluate_discrete_states(&mut self) -> Called<()> {
        match &self.library.functions {
            Functions::V2(_) => Err(self.not_in_fmi2("fmi3EvaluateDiscreteStates")),
            Functions::V3(f) => call!(self, f.evaluate_discrete_states()),
        }
    }

    /// FMI 3 Co-Simulation: lets the time go on.
    pub fn enter_step_mode(&mut self) -> Called<()> {
        match &self.library.functions {
            Functions::V2(_) => Err(self.not_in_fmi2("fmi3EnterStepMode")),
            Functions::V3(f) => call!(self, f.enter_step_mode()),
        }
    }

    /// Model Exchange: lets the time go on.
    pub fn enter_continuous_time_mode(&mut self) -> Called<()> {
        match &self.library.functions {
            Functions::V2(f) => call!(self, f.enter_continuous_time_mode()),
            Functions::V3(f) => call!(self, f.enter_continuous_time_mode()),
        }
    }
}
