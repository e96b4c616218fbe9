//! The doctor for a system: initialises it, lets its coupling be measured, and throws it away.

mod advice;
mod remarks;

pub use advice::{Advice, advise};
pub use remarks::{Remark, remarks};

use crate::error::Error;
use crate::simulation::Simulation;
use crate::system::System;
use cardan_core::doctor;
use cardan_core::flight::Flight;
use cardan_core::world::World;
use std::sync::Arc;
use std::time::Duration;

pub use cardan_core::doctor::{
    Choice, Diagnosis, Figures, GroupDiagnosis, Kind, Limit, MethodLimits, Mode, READINGS, Unmeasured, Why,
};

/// What an examination needs to know.
pub struct Options<'a> {
    /// How long it may take.
    pub time: Duration,
    /// Where it notes down whom it calls.
    pub flight: Flight,
    /// Hears who is examined: how many before, of how many, and the name.
    pub progress: &'a mut dyn FnMut(usize, usize, &str),
}

/// Examines a system: its participants are initialised, probed and gone; the system can only be looked at afterwards.
pub fn examine(system: &mut System, options: Options<'_>) -> Result<Diagnosis, Error> {
    let participants = std::mem::take(&mut system.participants);
    let settings = std::mem::take(&mut system.settings);
    let mut world = World::new(Arc::clone(&system.plan), participants, 1, options.flight)?;
    world.initialize(settings)?;
    let budget = doctor::Budget::of(options.time);
    let found = doctor::examine(&mut world, budget, options.progress)?;
    // Nothing depends on how they part: they have done what they were here for.
    let _ = world.terminate();
    Ok(found)
}

impl Simulation {
    /// Measures the coupling of a simulation that has not stepped yet, within `time`. Its participants are back in their
    /// states afterwards, so that it can run as if nothing had been.
    pub fn examine(&mut self, time: Duration) -> Result<Diagnosis, Error> {
        let budget = doctor::Budget::of(time);
        let found = doctor::examine(self.world_mut(), budget, &mut |_, _, _| {});
        Ok(found?)
    }
}
