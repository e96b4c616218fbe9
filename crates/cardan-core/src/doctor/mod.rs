//! The doctor: measures a coupling before a run and says what will become of it.
//!
//! Every member of a group that can go back is probed by itself: pulses on its inputs, its outputs looked at, and back
//! again ([`probe`], [`patient`]). Its answers make a linear model ([`realization`], [`identification`]), the same way for whatever is
//! behind it. From the models alone follows what the group does by itself ([`coupled`]), and what each method with each
//! reading does to it in a step of any length ([`macro_step`], [`limits`]). Where members are not linear, all this is true
//! near the state in which they are examined.

mod choice;
mod coupled;
pub(crate) mod dense;
mod diagnosis;
mod examination;
mod identification;
mod limits;
mod macro_step;
mod order;
mod patient;
mod probe;
mod realization;
mod wiring;

pub use choice::{Choice, Kind, Why};
pub use diagnosis::{Diagnosis, Figures, GroupDiagnosis, MethodLimits, Mode, READINGS, Unmeasured};
pub use limits::Limit;

use crate::error::RunError;
use crate::world::World;
use std::time::{Duration, Instant};

/// How long an examination may take.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    until: Option<Instant>,
}

impl Budget {
    /// From now on.
    pub fn of(time: Duration) -> Self {
        Budget {
            until: Instant::now().checked_add(time),
        }
    }

    /// Is it over?
    pub(crate) fn is_spent(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// Examines a world that is initialised and has not stepped yet. Participants are back in their states afterwards; what
/// they wrote down meanwhile, they have written down. `progress` hears who is examined: how many before, of how many,
/// and the name.
pub fn examine(
    world: &mut World,
    budget: Budget,
    progress: &mut dyn FnMut(usize, usize, &str),
) -> Result<Diagnosis, RunError> {
    world.guarded(|world| examination::examine(world, &budget, progress))
}
