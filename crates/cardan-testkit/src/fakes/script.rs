//! Does what it was told to at given times: ends early, rejects, terminates, fails, lies or panics.

use cardan_core::interface::{Interface, Port, PortId};
use cardan_core::participant::{
    Failure, Outcome, Participant, Rollback, RunWindow, Settings, Slot, StepEnd, StepRequest,
};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::shell::Slots;
use cardan_core::time::SimTime;
use cardan_core::value::ValueType;

#[derive(Clone, PartialEq, Debug)]
enum Act {
    Early,
    Reject { largest: f64 },
    Terminate,
    Fail(String),
    NotANumber,
    Panic,
    EnginePanic,
}

/// Its only port is the output `time`: where it stands. Of several acts inside a step the first counts.
///
/// After a rejection it refuses everything but a restore, as the contract says.
#[derive(Clone, Debug)]
pub struct Script {
    interface: Interface,
    acts: Vec<(SimTime, Act)>,
    announced: bool,
    bound: bool,
    now: SimTime,
    rejected: bool,
    saved: Slots<SimTime>,
}

impl Default for Script {
    fn default() -> Self {
        Script::new()
    }
}

impl Script {
    /// The port `time`.
    pub const OUTPUT: PortId = PortId(0);

    /// Nothing happens.
    pub fn new() -> Self {
        let mut interface = Interface::default();
        interface.port(Port::output("time").unit("s"));
        Script {
            interface,
            acts: Vec::new(),
            announced: false,
            bound: false,
            now: SimTime::default(),
            rejected: false,
            saved: Slots::default(),
        }
    }

    /// A step across `at` ends there early; one that ends there is complete.
    #[must_use]
    pub fn early(self, at: f64) -> Self {
        self.act(at, Act::Early)
    }

    /// A step that reaches `at` and is longer than `largest` is rejected there, with `largest` as advice.
    #[must_use]
    pub fn reject(self, at: f64, largest: f64) -> Self {
        self.act(at, Act::Reject { largest })
    }

    /// A step that reaches `at` asks for the end of the simulation there.
    #[must_use]
    pub fn terminate_at(self, at: f64) -> Self {
        self.act(at, Act::Terminate)
    }

    /// A step that reaches `at` fails.
    #[must_use]
    pub fn fail(self, at: f64, message: impl Into<String>) -> Self {
        self.act(at, Act::Fail(message.into()))
    }

    /// From `at` on the output is not a number.
    #[must_use]
    pub fn not_a_number(self, at: f64) -> Self {
        self.act(at, Act::NotANumber)
    }

    /// A step that reaches `at` panics.
    #[must_use]
    pub fn panic(self, at: f64) -> Self {
        self.act(at, Act::Panic)
    }

    /// A step that reaches `at` makes the engine panic.
    #[must_use]
    pub fn panic_of_the_engine(self, at: f64) -> Self {
        self.act(at, Act::EnginePanic)
    }

    /// The early ends are told beforehand, as next instants.
    #[must_use]
    pub fn announced(mut self) -> Self {
        self.announced = true;
        self
    }

    fn act(mut self, at: f64, act: Act) -> Self {
        self.acts.push((SimTime::from_seconds(at), act));
        self.acts
            .sort_by(|(a, _), (b, _)| a.seconds().total_cmp(&b.seconds()));
        self
    }

    /// The first act that happens in a step, and when.
    fn first(&self, from: SimTime, to: SimTime) -> Option<&(SimTime, Act)> {
        self.acts.iter().find(|(at, act)| {
            let reached = from < *at && *at <= to;
            match act {
                Act::Early => reached && *at < to,
                // A grid of exactly the advised size must pass whatever its rounding.
                Act::Reject { largest } => reached && to.since(from) > largest * (1.0 + 1e-9),
                Act::NotANumber => false,
                Act::Terminate | Act::Fail(_) | Act::Panic | Act::EnginePanic => reached,
            }
        })
    }
}

impl Participant for Script {
    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn bind(&mut self, _inputs: &[PortId], outputs: &[PortId]) -> Outcome<()> {
        self.bound = outputs.contains(&Self::OUTPUT);
        Ok(())
    }

    fn begin_initialization(&mut self, run: &RunWindow, _settings: &Settings) -> Outcome<()> {
        self.now = run.start;
        self.rejected = false;
        Ok(())
    }

    fn finish_initialization(&mut self) -> Outcome<()> {
        Ok(())
    }

    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        if self.rejected {
            return Err(Failure::failed(
                "A step came after a rejection, without a restore.",
            ));
        }
        let (end, now) = match self.first(request.from, request.to) {
            None => (StepEnd::Completed, request.to),
            Some(&(at, Act::Early)) => (StepEnd::Early { at }, at),
            Some(&(at, Act::Terminate)) => (StepEnd::Terminate { at }, at),
            Some(&(reached, Act::Reject { largest })) => {
                self.rejected = true;
                let advice = Some(largest);
                (StepEnd::Rejected { reached, advice }, reached)
            }
            Some((_, Act::Fail(message))) => return Err(Failure::failed(message)),
            Some((_, Act::EnginePanic)) => {
                // Planes without a value are asked for one.
                let value = Planes::default().view().value(ValueType::Real, 0, 1);
                return Err(Failure::failed(format!("{value:?} came from nowhere")));
            }
            Some((at, _)) => panic!("the script says to panic at {at} s"),
        };
        self.now = now;
        Ok(end)
    }

    fn outputs(&mut self, _at: SimTime, _inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        if self.bound {
            let lost = self
                .acts
                .iter()
                .any(|(at, act)| *act == Act::NotANumber && *at <= self.now);
            values.reals[0] = if lost { f64::NAN } else { self.now.seconds() };
        }
        Ok(())
    }

    fn set_parameters(&mut self, _at: SimTime, _changes: &Settings) -> Outcome<()> {
        Ok(())
    }

    fn next_instant(&self) -> Option<SimTime> {
        let early = |(at, act): &&(SimTime, Act)| *act == Act::Early && *at > self.now;
        self.acts
            .iter()
            .filter(|_| self.announced)
            .find(early)
            .map(|(at, _)| *at)
    }

    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }

    fn rollback(&mut self) -> Option<&mut dyn Rollback> {
        Some(self)
    }
}

impl Rollback for Script {
    fn save(&mut self, slot: Slot) -> Outcome<()> {
        self.saved.save(slot, &self.now);
        Ok(())
    }

    fn restore(&mut self, slot: Slot) -> Outcome<()> {
        self.now = *self.saved.get(slot)?;
        self.rejected = false;
        Ok(())
    }
}
