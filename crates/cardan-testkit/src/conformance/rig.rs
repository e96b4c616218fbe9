//! One participant under test: bound, driven and stepped as an engine would.

use super::bits::Trail;
use super::drive::{Drive, Driven};
use super::terms::Terms;
use cardan_core::interface::{Causality, Interface, Port, PortId};
use cardan_core::participant::{Outcome, Participant, StepEnd, StepRequest, Watch};
use cardan_core::planes::{Extent, Planes};
use cardan_core::time::SimTime;

/// More early ends than this in one step mean that it goes nowhere.
const MOST_EARLY_ENDS: usize = 10_000;

/// The ports to bind.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub(super) inputs: Vec<PortId>,
    pub(super) outputs: Vec<PortId>,
}

impl Binding {
    /// Every input, and every output and local.
    pub(super) fn all(interface: &Interface) -> Self {
        let of = |input: bool| {
            let port = |(index, port): (usize, &Port)| {
                let matches = (port.causality == Causality::Input) == input;
                matches.then_some(PortId(index as u32))
            };
            interface.ports.iter().enumerate().filter_map(port).collect()
        };
        Binding {
            inputs: of(true),
            outputs: of(false),
        }
    }
}

/// A participant, where it stands, and what drives it.
pub(super) struct Rig<'a> {
    pub(super) terms: &'a Terms<'a>,
    pub(super) participant: Box<dyn Participant>,
    pub(super) drive: Drive,
    /// The bound outputs, in order.
    pub(super) ports: Vec<Port>,
    pub(super) now: SimTime,
    /// It asked for the end of the simulation.
    pub(super) ended: bool,
}

impl<'a> Rig<'a> {
    pub(super) fn new(terms: &'a Terms<'a>, participant: Box<dyn Participant>) -> Self {
        Rig {
            terms,
            participant,
            drive: Drive::new(Vec::new(), terms.options, terms.step()),
            ports: Vec::new(),
            now: terms.options.start,
            ended: false,
        }
    }

    /// What a call gave, or the end of the claim.
    pub(super) fn expect<T>(&self, call: &str, outcome: Outcome<T>) -> T {
        match outcome {
            Ok(value) => value,
            Err(failure) => self
                .terms
                .fail(format_args!("`{call}` at {:?} failed: {failure}", self.now)),
        }
    }

    pub(super) fn bind(&mut self, binding: &Binding) {
        let ports = &self.terms.interface.ports;
        let driven = binding
            .inputs
            .iter()
            .map(|id| (id.index(), ports[id.index()].clone()))
            .collect();
        self.drive = Drive::new(driven, self.terms.options, self.terms.step());
        self.ports = binding
            .outputs
            .iter()
            .map(|id| ports[id.index()].clone())
            .collect();
        let outcome = self.participant.bind(&binding.inputs, &binding.outputs);
        self.expect("bind", outcome);
    }

    pub(super) fn begin(&mut self) {
        let outcome = self
            .participant
            .begin_initialization(&self.terms.window(), &self.terms.settings());
        self.expect("begin_initialization", outcome);
    }

    pub(super) fn finish(&mut self) {
        let outcome = self.participant.finish_initialization();
        self.expect("finish_initialization", outcome);
    }

    pub(super) fn initialize(&mut self) {
        self.begin();
        self.outputs();
        self.finish();
    }

    /// One call of `step`, with the inputs it was given.
    pub(super) fn step_once(&mut self, to: SimTime, watch: Watch<'_>) -> (StepEnd, Driven) {
        let driven = self.drive.over(self.now, to);
        (self.step_with(to, &driven, watch), driven)
    }

    /// One call of `step` with inputs that reach as far at least.
    pub(super) fn step_with(&mut self, to: SimTime, driven: &Driven, watch: Watch<'_>) -> StepEnd {
        let from = self.now;
        let request = StepRequest {
            from,
            to,
            inputs: driven.inputs(),
            watch,
        };
        let outcome = self.participant.step(request);
        let end = self.expect("step", outcome);
        self.arrive(from, to, end);
        end
    }

    /// Notes down where a step ended.
    pub(super) fn arrive(&mut self, from: SimTime, to: SimTime, end: StepEnd) {
        self.now = match end {
            StepEnd::Completed => to,
            StepEnd::Early { at } => at,
            StepEnd::Terminate { at } => at,
            StepEnd::Rejected { advice, .. } => self.terms.fail(format_args!(
                "the step from {from:?} to {to:?} was rejected (advice: {advice:?} s); \
                 choose a step it can take in the options"
            )),
        };
        self.ended = matches!(end, StepEnd::Terminate { .. });
        if self.now <= from || self.now > to {
            self.terms.fail(format_args!(
                "the step from {from:?} to {to:?} ended as {end:?}, outside of it"
            ));
        }
    }

    /// Goes to `to`, on after early ends; stops where the participant asks for the end.
    pub(super) fn go_to(&mut self, to: SimTime) {
        for _ in 0..MOST_EARLY_ENDS {
            if self.ended || self.now >= to {
                return;
            }
            self.step_once(to, Watch::Nothing);
        }
        self.terms
            .fail(format_args!("{MOST_EARLY_ENDS} early ends before {to:?}"));
    }

    /// The outputs with the inputs of the present.
    pub(super) fn outputs(&mut self) -> Planes {
        self.outputs_with(&self.drive.at(self.now))
    }

    /// The outputs with other inputs.
    pub(super) fn outputs_with(&mut self, inputs: &Planes) -> Planes {
        let mut values = self.room();
        self.write_outputs(inputs, &mut values);
        values
    }

    /// The outputs written over `values`.
    pub(super) fn write_outputs(&mut self, inputs: &Planes, values: &mut Planes) {
        let outcome = self.participant.outputs(self.now, inputs, values.view_mut());
        self.expect("outputs", outcome);
    }

    /// Planes for the bound outputs.
    pub(super) fn room(&self) -> Planes {
        Planes::new(Extent::of(&self.ports))
    }

    /// The outputs now and at each of the points ahead. Nothing is accepted, so that a saved state stays in reach.
    pub(super) fn trail(&mut self, points: &[SimTime]) -> Trail {
        let mut trail = vec![(self.now, self.outputs())];
        for &to in points {
            if self.ended {
                break;
            }
            self.go_to(to);
            let values = self.outputs();
            trail.push((self.now, values));
        }
        trail
    }

    /// A whole run: outputs at the start and at all points, accepted one after the other, then the end.
    pub(super) fn run(&mut self) -> Trail {
        let mut trail = vec![(self.now, self.outputs())];
        for to in self.terms.points() {
            if !self.ended {
                self.go_to(to);
                let values = self.outputs();
                trail.push((self.now, values));
                self.participant.accepted(self.now);
            }
        }
        self.terminate();
        trail
    }

    pub(super) fn terminate(&mut self) {
        let outcome = self.participant.terminate();
        self.expect("terminate", outcome);
    }
}
