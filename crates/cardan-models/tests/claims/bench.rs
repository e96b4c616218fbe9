//! A participant on the bench: all ports bound, driven by hand.

use cardan_core::inputs::Inputs;
use cardan_core::interface::{Causality, ParameterId, PortId};
use cardan_core::participant::{Outcome, Participant, RunWindow, Settings, StepEnd, StepRequest, Watch};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::signal::Segment;
use cardan_core::time::SimTime;
use cardan_core::value::Value;
use cardan_models::{BuildError, find};
use cardan_ode::{Method, SolverSettings};

pub(crate) fn at(seconds: f64) -> SimTime {
    SimTime::from_seconds(seconds)
}

/// The tolerances under which closed forms are compared; the global error stays within a few hundred of them.
pub(crate) fn precise() -> SolverSettings {
    SolverSettings {
        rtol: 1e-10,
        atol: 1e-12,
        ..SolverSettings::of(Method::Dopri5)
    }
}

pub(crate) const PRECISE: f64 = 1e-8;

/// Settings by name.
pub(crate) fn settings(model: &str, values: &[(&str, Value)]) -> Settings {
    let parameters = (find(model).unwrap().parameters)();
    let id = |name: &str| parameters.iter().position(|p| p.name == name).unwrap();
    Settings(
        values
            .iter()
            .map(|(name, value)| (ParameterId(id(name) as u32), value.clone()))
            .collect(),
    )
}

pub(crate) fn reals(values: &[(&'static str, f64)]) -> Vec<(&'static str, Value)> {
    values
        .iter()
        .map(|&(name, value)| (name, Value::real(value)))
        .collect()
}

pub(crate) fn build(
    model: &str,
    values: &[(&str, Value)],
    solver: &SolverSettings,
) -> Result<Box<dyn Participant>, BuildError> {
    find(model).unwrap().build(&settings(model, values), solver)
}

pub(crate) struct Bench {
    pub(crate) participant: Box<dyn Participant>,
    pub(crate) time: f64,
    outputs: usize,
}

impl Bench {
    pub(crate) fn new(model: &str, values: &[(&str, Value)], solver: &SolverSettings) -> Self {
        Bench::with(build(model, values, solver).unwrap(), 0.0)
    }

    pub(crate) fn precise(model: &str, values: &[(&'static str, f64)]) -> Self {
        Bench::new(model, &reals(values), &precise())
    }

    pub(crate) fn with(mut participant: Box<dyn Participant>, start: f64) -> Self {
        let interface = participant.interface();
        let ids = |causality| {
            interface
                .ports_of(causality)
                .map(|(id, _)| id)
                .collect::<Vec<PortId>>()
        };
        let (inputs, outputs) = (ids(Causality::Input), ids(Causality::Output));
        let width = outputs
            .iter()
            .map(|id| interface.ports[id.index()].shape.len())
            .sum();
        participant.bind(&inputs, &outputs).unwrap();
        let run = RunWindow {
            start: at(start),
            stop: at(start + 1e3),
            tolerance: None,
        };
        participant
            .begin_initialization(&run, &Settings::default())
            .unwrap();
        participant.finish_initialization().unwrap();
        Bench {
            participant,
            time: start,
            outputs: width,
        }
    }

    pub(crate) fn try_step(&mut self, to: f64, inputs: Inputs<'_>, watch: Watch<'_>) -> Outcome<()> {
        let mut from = at(self.time);
        // Where a switch changes on the way, the step ends there, and goes on.
        while let StepEnd::Early { at } = self.participant.step(StepRequest {
            from,
            to: at(to),
            inputs,
            watch,
        })? {
            from = at;
        }
        self.time = to;
        Ok(())
    }

    /// Steps with one law for each input.
    pub(crate) fn step(&mut self, to: f64, segments: &[Segment]) {
        self.try_step(to, Inputs::single(segments), Watch::Nothing)
            .unwrap();
    }

    /// Steps with held inputs.
    pub(crate) fn hold(&mut self, to: f64, values: &[f64]) {
        let segments: Vec<Segment> = values.iter().map(|&v| Segment::constant(v, at(to))).collect();
        self.step(to, &segments);
    }

    /// All outputs where it stands.
    pub(crate) fn outputs(&mut self, inputs: &[f64]) -> Vec<f64> {
        let mut values = vec![f64::NAN; self.outputs];
        let planes = Planes {
            reals: inputs.to_vec(),
            ..Planes::default()
        };
        self.participant
            .outputs(at(self.time), &planes, plane(&mut values))
            .unwrap();
        values
    }

    pub(crate) fn tune(&mut self, name: &str, value: Value) -> Outcome<()> {
        let id = self.participant.interface().find_parameter(name).unwrap();
        self.participant
            .set_parameters(at(self.time), &Settings(vec![(id, value)]))
    }
}

pub(crate) fn plane(reals: &mut [f64]) -> PlanesMut<'_> {
    PlanesMut {
        reals,
        ..PlanesMut::default()
    }
}

#[track_caller]
pub(crate) fn close(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "found {found}, expected {expected}, off by {:e}",
        (found - expected).abs()
    );
}
