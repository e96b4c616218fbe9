//! Model Exchange: the equations of an FMU.

use std::ffi::c_int;

use super::error::Called;
use super::instance::{Instance, call};
use super::library::Functions;

/// What an FMU wants after a step of the integrator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CompletedStep {
    /// An event.
    pub event: bool,
    /// The end of the simulation.
    pub terminate: bool,
}

impl Instance {
    /// Sets the time, in seconds.
    #[inline]
    pub fn set_time(&mut self, seconds: f64) -> Called<()> {
        match &self.library.functions {
            Functions::V2(f) => call!(self, f.set_time(seconds)),
            Functions::V3(f) => call!(self, f.set_time(seconds)),
        }
    }

    /// Sets all continuous states.
    #[inline]
    pub fn set_continuous_states(&mut self, states: &[f64]) -> Called<()> {
        match &self.library.functions {
            Functions::V2(f) => call!(self, f.set_continuous_states(states.as_ptr(), states.len())),
            Functions::V3(f) => call!(self, f.set_continuous_states(states.as_ptr(), states.len())),
        }
    }

    /// Gets all continuous states.
    pub fn get_continuous_states(&mut self, states: &mut [f64]) -> Called<()> {
        match &self.library.functions {
            Functions::V2(f) => call!(self, f.get_continuous_states(states.as_mut_ptr(), states.len())),
            Functions::V3(f) => call!(self, f.get_continuous_states(states.as_mut_ptr(), states.len())),
        }
    }

    /// Gets the derivatives of all continuous states.
    #[inline]
    pub fn get_derivatives(&mut self, derivatives: &mut [f64]) -> Called<()> {
        let (pointer, count) = (derivatives.as_mut_ptr(), derivatives.len());
        match &self.library.functions {
            Functions::V2(f) => call!(self, f.get_derivatives(pointer, count)),
            Functions::V3(f) => call!(self, f.get_derivatives(pointer, count)),
        }
    }

    /// Gets all event indicators.
    #[inline]
    pub fn get_event_indicators(&mut self, indicators: &mut [f64]) -> Called<()> {
        let (pointer, count) = (indicators.as_mut_ptr(), indicators.len());
        match &self.library.functions {
            Functions::V2(f) => call!(self, f.get_event_indicators(pointer, count)),
            Functions::V3(f) => call!(self, f.get_event_indicators(pointer, count)),
        }
    }

    /// Gets typical magnitudes of all continuous states.
    pub fn get_nominals(&mut self, nominals: &mut [f64]) -> Called<()> {
        let (pointer, count) = (nominals.as_mut_ptr(), nominals.len());
        match &self.library.functions {
            Functions::V2(f) => call!(self, f.get_nominals(pointer, count)),
            Functions::V3(f) => call!(self, f.get_nominals(pointer, count)),
        }
    }

    /// Tells that the integrator has completed a step. `no_return` promises that no state from before will be restored.
    pub fn completed_integrator_step(&mut self, no_return: bool) -> Called<CompletedStep> {
        match &self.library.functions {
            Functions::V2(f) => {
                let [mut event, mut terminate] = [0 as c_int; 2];
                let no_return = c_int::from(no_return);
                call!(
                    self,
                    f.completed_integrator_step(no_return, &raw mut event, &raw mut terminate)
                )?;
                Ok(CompletedStep {
                    event: event != 0,
                    terminate: terminate != 0,
                })
            }
            Functions::V3(f) => {
                let [mut event, mut terminate] = [0_u8; 2];
                let no_return = u8::from(no_return);
                call!(
                    self,
                    f.completed_integrator_step(no_return, &raw mut event, &raw mut terminate)
                )?;
                Ok(CompletedStep {
                    event: event != 0,
                    terminate: terminate != 0,
                })
            }
        }
    }

    /// FMI 3: how many continuous states there are now; none where the FMU does not tell.
    pub fn number_of_states(&mut self) -> Called<Option<usize>> {
        match &self.library.functions {
            Functions::V3(f) if f.get_number_of_continuous_states.function.is_some() => {
                let mut count = 0;
                call!(self, f.get_number_of_continuous_states(&raw mut count))?;
                Ok(Some(count))
            }
            _ => Ok(None),
        }
    }

    /// FMI 3: how many event indicators there are now; none where the FMU does not tell.
    pub fn number_of_event_indicators(&mut self) -> Called<Option<usize>> {
        match &self.library.functions {
            Functions::V3(f) if f.get_number_of_event_indicators.function.is_some() => {
                let mut count = 0;
                call!(self, f.get_number_of_event_indicators(&raw mut count))?;
                Ok(Some(count))
            }
            _ => Ok(None),
        }
    }
}
