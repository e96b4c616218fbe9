//! The contract between the engine and whatever takes part in a simulation.
//!
//! The engine calls a participant in this order, all from one thread:
//!
//! ```text
//! interface ─ bind ─ (share_events) ─ begin_initialization ─┬─ outputs … ─┬─ finish_initialization
//!                                                           └─────────────┘
//!      ┌──────────────────────────────────────────────────────────────────────┐
//!      └─ step ─ outputs (with the inputs exchanged at that time) … ─ accepted ─┘ ─ terminate
//! ```
//!
//! `set_parameters` may come between steps. Whatever is optional is an accessor that answers with a trait:
//! what a participant cannot do cannot be called.

use crate::inputs::Inputs;
use crate::interface::{Interface, ParameterId, PortId};
use crate::planes::{Planes, PlanesMut};
use crate::reaction::Reaction;
use crate::time::SimTime;
use crate::value::Value;

/// The time span of a run, known before it starts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RunWindow {
    /// The initial instant.
    pub start: SimTime,
    /// The last instant.
    pub stop: SimTime,
    /// The relative tolerance the user asked for, where the method has one.
    pub tolerance: Option<f64>,
}

/// Values for parameters.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Settings(pub Vec<(ParameterId, Value)>);

impl Settings {
    /// The value set for `parameter`, the last one if there are several.
    pub fn get(&self, parameter: ParameterId) -> Option<&Value> {
        self.0
            .iter()
            .rev()
            .find(|(id, _)| *id == parameter)
            .map(|(_, v)| v)
    }
}

/// Asks for one step.
#[derive(Clone, Copy, Debug)]
pub struct StepRequest<'a> {
    /// Where the participant stands.
    pub from: SimTime,
    /// Where it is to go.
    pub to: SimTime,
    /// The inputs over the whole span, to be sampled anywhere in it.
    pub inputs: Inputs<'a>,
    /// What a participant with a [`Trace`] is to keep of the inside of the step; others ignore it.
    pub watch: Watch<'a>,
}

/// What of the inside of a step is wanted.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Watch<'a> {
    /// Nothing: the usual case, which must cost nothing.
    #[default]
    Nothing,
    /// The outputs at these instants, in order, all inside the step.
    Instants(&'a [SimTime]),
    /// The outputs at the participant's own accepted inner steps.
    InnerSteps,
}

/// How a step ended. Each is a normal answer, not a failure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum StepEnd {
    /// It reached the requested time.
    Completed,
    /// It stopped before, for an event others should know of, and stands at `at`.
    Early {
        /// Where it stands now.
        at: SimTime,
    },
    /// It could not take a step of this size. Only a restore of an earlier state leads on.
    Rejected {
        /// How far it came.
        reached: SimTime,
        /// A step size that it thinks it can take.
        advice: Option<f64>,
    },
    /// It asks for the end of the simulation at `at`, where it stands.
    Terminate {
        /// The last instant of the simulation.
        at: SimTime,
    },
}

/// Why a participant failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// It broke: a status of error, a crash, a broken connection.
    Failed,
    /// Its numbers broke: not finite, no convergence, step too small.
    Numbers,
    /// Not it but the engine broke, at work for it.
    Engine,
}

/// A failure after which the participant cannot go on. The engine adds who, which call and when.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// What sort of failure.
    pub kind: FailureKind,
    /// A full sentence for the user.
    pub message: String,
    /// What the user may do about it.
    pub advice: Option<String>,
}

impl Failure {
    /// The participant broke.
    pub fn failed(message: impl Into<String>) -> Self {
        Failure {
            kind: FailureKind::Failed,
            message: message.into(),
            advice: None,
        }
    }

    /// The participant's numbers broke.
    pub fn numbers(message: impl Into<String>) -> Self {
        Failure {
            kind: FailureKind::Numbers,
            message: message.into(),
            advice: None,
        }
    }

    /// With a word on what to do.
    #[must_use]
    pub fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }
}

/// What a call to a participant gives.
pub type Outcome<T> = Result<T, Failure>;

/// Anything that takes part in a simulation.
pub trait Participant: Send {
    /// Ports, parameters, feedthrough; does not change once the participant exists.
    fn interface(&self) -> &Interface;

    /// Says, once, which ports will be used. From now on planes hold just these, in this order.
    fn bind(&mut self, inputs: &[PortId], outputs: &[PortId]) -> Outcome<()>;

    /// Others read its outputs, so its events concern them: from now on steps end at events after which outputs may jump or
    /// follow other laws. Told once, if at all, before the initialisation.
    fn share_events(&mut self) -> Outcome<()> {
        Ok(())
    }

    /// Starts the initialisation at the start of the run.
    fn begin_initialization(&mut self, run: &RunWindow, settings: &Settings) -> Outcome<()>;

    /// Ends it. In between, [`outputs`](Self::outputs) may be asked for with changing inputs.
    fn finish_initialization(&mut self) -> Outcome<()>;

    /// Goes from one instant to a later one.
    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd>;

    /// The outputs where the participant stands, with the inputs as exchanged at that instant.
    fn outputs(&mut self, at: SimTime, inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()>;

    /// Changes tunable parameters between steps.
    fn set_parameters(&mut self, at: SimTime, changes: &Settings) -> Outcome<()>;

    /// Nothing before `at` will be asked for again.
    fn accepted(&mut self, _at: SimTime) {}

    /// The next instant after the present one at which the participant acts by itself: a sample, a clock's tick, a
    /// time event. Methods let the steps of participants with [`events`](Self::events) end there exactly.
    fn next_instant(&self) -> Option<SimTime> {
        None
    }

    /// Does it take steps of different lengths? One that does not may fail at the end of a run or at an event between
    /// two points of its grid, of which users are warned.
    fn takes_any_step(&self) -> bool {
        true
    }

    /// Does it follow the course of its inputs within a step, and find there what they cause? One that does not takes them as
    /// something simpler, and tells of events where steps end: what that does to its outputs is seen in shorter steps only.
    fn follows_inputs(&self) -> bool {
        true
    }

    /// Participants that answer with the same number are called by the same thread: they share data that is not
    /// theirs alone, such as the static variables of one library.
    fn thread_mates(&self) -> Option<u64> {
        None
    }

    /// The end of the run.
    fn terminate(&mut self) -> Outcome<()>;

    /// How much work was done so far, for reports.
    fn effort(&self) -> Effort {
        Effort::default()
    }

    /// Can it go back to a saved state?
    fn rollback(&mut self) -> Option<&mut dyn Rollback> {
        None
    }

    /// Does it act while time stands still?
    fn events(&mut self) -> Option<&mut dyn EventMode> {
        None
    }

    /// Can it tell how its outputs react to its inputs?
    fn derivatives(&mut self) -> Option<&mut dyn Derivatives> {
        None
    }

    /// Can it tell how fast its outputs change?
    fn slopes(&mut self) -> Option<&mut dyn Slopes> {
        None
    }

    /// Can it show what happened inside its last step?
    fn trace(&mut self) -> Option<&mut dyn Trace> {
        None
    }

    /// Does it know its outputs before the start of the run?
    fn past(&mut self) -> Option<&mut dyn Past> {
        None
    }

    /// Has it steps of its own, which can be asked for one by one?
    fn own_steps(&mut self) -> Option<&mut dyn OwnSteps> {
        None
    }

    /// Can its inputs react to its outputs inside a step?
    fn reactive(&mut self) -> Option<&mut dyn Reactive> {
        None
    }
}

/// Work done by a participant since its initialisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Steps of its own solver.
    pub inner_steps: u64,
    /// Evaluations of its right-hand side.
    pub evaluations: u64,
    /// Newton corrections of a solver for mechanical systems. They do not travel to other processes: none of those that
    /// live there are known of.
    pub iterations: u64,
}

/// Number of a place for a saved state. Slots are few and reused.
pub type Slot = usize;

/// Going back to a saved state, bit for bit.
pub trait Rollback {
    /// Keeps the present state in `slot`, replacing what was there.
    fn save(&mut self, slot: Slot) -> Outcome<()>;

    /// Goes back to the state in `slot`, which stays saved.
    fn restore(&mut self, slot: Slot) -> Outcome<()>;

    /// Can a saved state leave the process?
    fn portable(&mut self) -> Option<&mut dyn Portable> {
        None
    }
}

/// Saved states as bytes, for checkpoints.
pub trait Portable {
    /// Appends the state in `slot` to `bytes`.
    fn export(&mut self, slot: Slot, bytes: &mut Vec<u8>) -> Outcome<()>;

    /// Puts a state that was exported from the same model into `slot`.
    fn import(&mut self, slot: Slot, bytes: &[u8]) -> Outcome<()>;
}

/// Acting while time stands still: clocks tick, discrete states change.
///
/// At an instant at which somebody has an event [pending](Self::pending), the engine lets all participants arrive and
/// then repeats rounds until nothing changes any more:
///
/// ```text
/// enter ─┬─ outputs (with the inputs of this round, clocks among them) … ─ update ─┬─ leave
///        └────────────────────────────── next round ──────────────────────────────┘
/// ```
///
/// A clock is a boolean that is true while it ticks, for one round only. Input clocks that a participant sets off
/// itself tick in the first round after `enter`. A participant that is asked to step while an event is pending handles
/// it alone, with the inputs at the beginning of the step.
pub trait EventMode {
    /// Does something wait to be handled where the participant stands: a clock of its own is due, its last step
    /// ended at an event, its initialisation has just ended?
    fn pending(&self) -> bool;

    /// Stops the time at `at`, where the participant stands.
    fn enter(&mut self, at: SimTime) -> Outcome<()>;

    /// Ends a round. The answer tells whether the participant wants another one.
    fn update(&mut self, at: SimTime) -> Outcome<bool>;

    /// Lets the time go on.
    fn leave(&mut self, at: SimTime) -> Outcome<()>;
}

/// How outputs react to inputs at one instant.
pub trait Derivatives {
    /// The change of the bound real outputs when the bound real inputs change along `direction`, both at
    /// the instant `at`, the state held.
    fn directional(
        &mut self,
        at: SimTime,
        inputs: &Planes,
        direction: &[f64],
        change: &mut [f64],
    ) -> Outcome<()>;
}

/// How fast outputs change.
pub trait Slopes {
    /// The time derivatives of the bound real outputs at `at`, while the bound real inputs change at the
    /// rates `input_slopes`.
    fn slopes(
        &mut self,
        at: SimTime,
        inputs: &Planes,
        input_slopes: &[f64],
        slopes: &mut [f64],
    ) -> Outcome<()>;
}

/// What happened inside the last step, as far as its request asked to [`Watch`] it.
pub trait Trace {
    /// The watched instants: those asked for, or the accepted inner ones with the end of the step as the last.
    fn instants(&self) -> &[SimTime];

    /// Was the solver held up at the instant of that index by an input whose law ends there, when it would have gone on?
    /// What is seen there says more of whom the input comes from than of this one.
    fn is_forced(&self, _index: usize) -> bool {
        false
    }

    /// The bound outputs at the instant of that index, with the inputs as they were read then.
    fn point(&mut self, index: usize, values: PlanesMut<'_>) -> Outcome<()>;
}

/// Outputs before the start: a participant that depends on time alone knows them.
pub trait Past {
    /// The bound outputs at an instant at or before the start.
    fn outputs_before(&mut self, at: SimTime, values: PlanesMut<'_>) -> Outcome<()>;
}

/// Steps of a solver that chooses them by itself.
pub trait OwnSteps {
    /// Goes on by one accepted step of its own, to the end of the request at the latest. [`StepEnd::Completed`] says that
    /// it went all the way, [`StepEnd::Early`] where it stands instead.
    fn step_once(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd>;
}

/// Inputs that react to outputs inside a step: the forces of another participant, as far as they follow from the motion of
/// this one.
pub trait Reactive {
    /// In steps from now on the inputs that the reaction names are what it makes of the bound outputs, whatever their
    /// segments say. An empty reaction ends that. Laws that come on top of segments, and inertias, hold for
    /// [`outputs`](Participant::outputs) as well: they come on top of the inputs given there.
    fn react(&mut self, reaction: &Reaction) -> Outcome<()>;
}
