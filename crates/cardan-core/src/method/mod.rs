//! Methods: who goes how far before a step counts, and how those who go together cross the way there.
//!
//! A [`Method`] is the product of a [`Pacing`] and a [`Solver`], with the [`Sweep`] that both go by. It is a value of the
//! description and of the plan; the plan makes the [`Master`] of a run from it. What the rest of the engine has to know of a
//! method is in its [`Needs`]: nobody asks which one it is.
//!
//! | file | holds |
//! | --- | --- |
//! | `needs.rs` | what others have to know of a method |
//! | `grid/` | pacing: steps of given lengths, the same for all or not |
//! | `tolerance/` | pacing: steps as long as a tolerance allows |
//! | `leader/` | pacing: one leads at its own steps, the others follow |
//! | `lines.rs` | pacing: as far ahead as the delay of transmission lines |
//! | `solvers/` | solvers: once, or repeated until values fit together |
//! | `crossing.rs` | wave after wave, each by its solver |
//! | `gauge.rs`, `forecast.rs` | how wrong a step was |
//! | `calendar.rs`, `cuts.rs`, `review.rs`, `ending.rs` | where steps end |

mod calendar;
mod crossing;
mod cuts;
mod ending;
mod forecast;
mod gauge;
mod grid;
mod leader;
mod lines;
mod needs;
mod review;
mod solvers;
mod tolerance;

pub use crossing::{Crossed, Reached, Setback, Stretch, once, show};
pub use forecast::Forecast;
pub use gauge::Gauge;
pub use grid::OnGrid;
pub use leader::{Glue, Tangent};
pub use lines::OverLines;
pub use needs::{Needs, Steps};
pub use solvers::{Acceleration, Iteration, Once};
pub use tolerance::{Estimator, StepControl};

use crate::checkpoint::{Damage, Reader, Writer};
use crate::error::RunError;
use crate::graph::ParticipantId;
use crate::plan::Plan;
use crate::time::SimTime;
use crate::world::World;
use std::fmt;
use std::sync::Arc;

/// Who sees what of whom during a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sweep {
    /// All step at once and see each other's past.
    Jacobi,
    /// One after the other: later ones see what earlier ones just did.
    GaussSeidel,
}

impl fmt::Display for Sweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Sweep::Jacobi => "jacobi",
            Sweep::GaussSeidel => "gauss-seidel",
        })
    }
}

/// How a run is coupled.
#[derive(Clone, Debug)]
pub struct Method {
    /// Who goes how far before a step counts.
    pub pacing: Arc<dyn Pacing>,
    /// How those who go together cross a stretch of time.
    pub solver: Arc<dyn Solver>,
    /// Who sees what of whom on the way.
    pub sweep: Sweep,
}

impl Method {
    /// Steps of given lengths, each taken once.
    pub fn on_grid(sweep: Sweep) -> Self {
        Method {
            pacing: Arc::new(OnGrid),
            solver: Arc::new(Once),
            sweep,
        }
    }

    /// The same with another pacing.
    #[must_use]
    pub fn paced(self, pacing: impl Pacing + 'static) -> Self {
        Method {
            pacing: Arc::new(pacing),
            ..self
        }
    }

    /// The same with another solver.
    #[must_use]
    pub fn solved(self, solver: impl Solver + 'static) -> Self {
        Method {
            solver: Arc::new(solver),
            ..self
        }
    }

    /// What others have to know of it.
    pub fn needs(&self) -> Needs {
        self.solver.needs(self.pacing.needs())
    }

    /// Its name, as users choose it.
    pub fn name(&self) -> String {
        let name = self.pacing.name(self.solver.name());
        name.map_or_else(|| self.sweep.to_string(), str::to_owned)
    }

    /// Solver and sweep in a few words, before those of the pacing.
    pub(crate) fn label(&self, otherwise: &str) -> String {
        match self.solver.name() {
            Some(name) => format!("{name} ({}{})", self.sweep, self.solver.words()),
            None if otherwise.is_empty() => self.sweep.to_string(),
            None => format!("{otherwise} ({})", self.sweep),
        }
    }
}

/// Pacing, solver and sweep by name, as far as they have any.
impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [self.pacing.name(None), self.solver.name()];
        let names: Vec<&str> = names.into_iter().flatten().collect();
        match self.needs().steps {
            Steps::Together if names.is_empty() => write!(f, "{}", self.sweep),
            Steps::Together => write!(f, "{}, {}", names.join(", "), self.sweep),
            // Each sees what there is where it stands.
            Steps::Apart | Steps::Own => write!(f, "{}", names.join(", ")),
        }
    }
}

/// Methods are the same if they say the same of themselves.
impl PartialEq for Method {
    fn eq(&self, other: &Self) -> bool {
        format!("{self:?}") == format!("{other:?}")
    }
}

/// Who goes how far before a step counts.
pub trait Pacing: fmt::Debug + Send + Sync {
    /// The name under which users choose it, with a solver of that name; none if it goes by the name of the sweep.
    fn name(&self, solver: Option<&'static str>) -> Option<&'static str>;

    /// Method and steps in words, where steps that are not chosen are as long as `step`. Some may not be able to go back.
    fn words(&self, method: &Method, step: f64, all_go_back: bool) -> String;

    /// What others have to know of it.
    fn needs(&self) -> Needs;

    /// What of it must be the same for a run to go on where another one stopped.
    fn identity(&self) -> String {
        format!("{self:?}")
    }

    /// The master of a run.
    fn master(&self, plan: &Arc<Plan>) -> Box<dyn Master>;
}

/// How those who go together cross a stretch of time.
pub trait Solver: fmt::Debug + Send + Sync {
    /// The name under which users choose it; none if the pacing or the sweep says it all.
    fn name(&self) -> Option<&'static str> {
        None
    }

    /// What there is to say of it, to be appended to the name of the sweep.
    fn words(&self) -> String {
        String::new()
    }

    /// What others have to know of a pacing together with this.
    fn needs(&self, pacing: Needs) -> Needs {
        pacing
    }

    /// The errors that it may leave in what is exchanged, against the size of a signal and against its nominal value.
    fn allowed(&self) -> Option<(f64, f64)> {
        None
    }

    /// Does each step just once?
    fn steps_once(&self) -> bool {
        false
    }

    /// What takes the members of a wave across. None if they simply step.
    fn for_wave(&self, plan: &Plan, wave: usize) -> Option<Box<dyn WaveSolver>>;
}

/// Takes the members of one wave across stretches of time.
pub trait WaveSolver: Send {
    /// Takes those of them that are due across a stretch, and shows what they reached.
    fn cross(
        &mut self,
        world: &mut World,
        wave: &[ParticipantId],
        judge: (&Gauge, &mut Forecast),
        stretch: Stretch,
    ) -> Result<Crossed, RunError>;

    /// Writes down, after an accepted step, what it has learnt.
    fn keep(&self, _writer: &mut Writer) {}

    /// Takes it up again.
    fn resume(&mut self, _reader: &mut Reader<'_>) -> Result<(), Damage> {
        Ok(())
    }
}

/// How far an advance came.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Advanced {
    /// The new frontier.
    pub frontier: SimTime,
    /// Accepted steps on the way there; those of the participant with most of them where they have their own.
    pub steps: u64,
    /// Did a participant ask for the end of the simulation?
    pub terminated: bool,
}

/// Moves the world forward: a pacing at work.
pub trait Master: Send {
    /// Moves the frontier forward by one accepted step, past neither the limit nor the end of the run. A step that would pass
    /// the limit ends there, and all that do not hold their values between instants of their own stand there then.
    fn advance(&mut self, world: &mut World, limit: SimTime) -> Result<Advanced, RunError>;

    /// Something was changed from outside where all stand: signals may have jumped.
    fn disturbed(&mut self, world: &mut World) -> Result<(), RunError> {
        world.forget_past();
        Ok(())
    }

    /// Writes down, after an accepted step, what decides the steps to come and the world does not show.
    fn keep(&self, writer: &mut Writer);

    /// Goes on in a world that was resumed, perhaps towards another end.
    fn resume(&mut self, world: &World, reader: &mut Reader<'_>) -> Result<(), Damage>;
}

/// The master that the plan asks for.
pub fn master(plan: &Arc<Plan>) -> Box<dyn Master> {
    plan.method.pacing.master(plan)
}

/// The members of a wave.
pub(crate) fn members(plan: &Plan, wave: usize) -> &[ParticipantId] {
    plan.waves
        .get(wave)
        .map_or(&[], |range| &plan.order[range.clone()])
}
