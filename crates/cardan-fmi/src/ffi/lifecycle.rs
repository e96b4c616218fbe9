//! From instantiation to termination.

use std::ffi::{CString, c_char, c_int};

use super::error::{Called, Trouble};
use super::instance::{Instance, Logging, Phase, call};
use super::library::Functions;
use super::location;

/// The experiment an instance is initialised for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Experiment {
    /// In seconds.
    pub start: f64,
    /// In seconds.
    pub stop: Option<f64>,
    /// Relative.
    pub tolerance: Option<f64>,
}

impl Instance {
    /// An FMU that knows nothing of categories, or not of these, runs all the same.
    pub(super) fn choose_logging(&mut self, logging: &Logging) {
        let categories = match logging {
            Logging::All => return, // as it was instantiated
            Logging::Off => &[][..],
            Logging::Categories(categories) => categories,
        };
        // It is asked once, at the instantiation.
        let _ = self.environment.categories.set(categories.to_vec());
        let texts: Vec<CString> = categories.iter().map(|c| location::text(c.as_bytes())).collect();
        let pointers: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
        let on = !categories.is_empty();
        let outcome = match &self.library.functions {
            Functions::V2(f) => {
                call!(
                    self,
                    f.set_debug_logging(c_int::from(on), pointers.len(), pointers.as_ptr())
                )
            }
            Functions::V3(f) => {
                call!(
                    self,
                    f.set_debug_logging(u8::from(on), pointers.len(), pointers.as_ptr())
                )
            }
        };
        if let Err(error) = outcome {
            if self.phase.get() == Phase::Failed {
                self.phase.set(Phase::Instantiated);
            }
            tracing::warn!(target: "fmu", "log categories cannot be chosen: {error}");
        }
    }

    /// FMI 3: lets structural parameters be set. FMI 2 has none.
    pub fn enter_configuration_mode(&mut self) -> Called<()> {
        match &self.library.functions {
            Functions::V2(_) => Err(self.not_in_fmi2("fmi3EnterConfigurationMode")),
            Functions::V3(f) => call!(self, f.enter_configuration_mode()),
        }
    }

    /// FMI 3: ends that.
    pub fn exit_configuration_mode(&mut self) -> Called<()> {
        match &self.library.functions {
            Functions::V2(_) => Err(self.not_in_fmi2("fmi3ExitConfigurationMode")),
            Functions::V3(f) => call!(self, f.exit_configuration_mode()),
        }
    }

    /// Begins the initialisation for an experiment. With FMI 2 the start of the experiment is told first.
    pub fn enter_initialization_mode(&mut self, experiment: &Experiment) -> Called<()> {
        let Experiment {
            start,
            stop,
            tolerance,
        } = *experiment;
        match &self.library.functions {
            Functions::V2(f) => {
                call!(
                    self,
                    f.setup_experiment(
                        c_int::from(tolerance.is_some()),
                        tolerance.unwrap_or(0.0),
                        start,
                        c_int::from(stop.is_some()),
                        stop.unwrap_or(0.0),
                    )
                )?;
                call!(self, f.enter_initialization_mode())?;
            }
            Functions::V3(f) => call!(
                self,
                f.enter_initialization_mode(
                    u8::from(tolerance.is_some()),
                    tolerance.unwrap_or(0.0),
                    start,
                    u8::from(stop.is_some()),
                    stop.unwrap_or(0.0),
                )
            )?,
        }
        self.phase.set(Phase::Initializing);
        Ok(())
    }

    /// Ends the initialisation. In Model Exchange, and with an event mode, an event follows.
    pub fn exit_initialization_mode(&mut self) -> Called<()> {
        match &self.library.functions {
            Functions::V2(f) => call!(self, f.exit_initialization_mode())?,
            Functions::V3(f) => call!(self, f.exit_initialization_mode())?,
        }
        self.phase.set(Phase::Running);
        Ok(())
    }

    /// Ends the run, if one is on its way; otherwise there is nothing to end.
    pub fn terminate(&mut self) -> Called<()> {
        if self.phase.get() != Phase::Running {
            return Ok(());
        }
        match &self.library.functions {
            Functions::V2(f) => call!(self, f.terminate())?,
            Functions::V3(f) => call!(self, f.terminate())?,
        }
        self.phase.set(Phase::Terminated);
        Ok(())
    }

    /// As it was after instantiation.
    pub fn reset(&mut self) -> Called<()> {
        match &self.library.functions {
            Functions::V2(f) => call!(self, f.reset())?,
            Functions::V3(f) => call!(self, f.reset())?,
        }
        self.phase.set(Phase::Instantiated);
        Ok(())
    }

    #[cold]
    pub(super) fn not_in_fmi2(&self, function: &'static str) -> Box<super::CallError> {
        self.error(
            function,
            Trouble::Refused("FMI 2 has no such function".to_string()),
        )
    }
}
