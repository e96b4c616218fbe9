//! Models in frames of their own, driven by hand.
#![allow(dead_code, clippy::unwrap_used)] // shared by several test binaries

use cardan_core::inputs::Inputs;
use cardan_core::interface::{Causality, ParameterId, PortId};
use cardan_core::participant::{Participant, RunWindow, Settings, StepEnd, StepRequest, Watch};
use cardan_core::planes::{Extent, Planes};
use cardan_core::signal::Segment;
use cardan_core::time::SimTime;
use cardan_core::value::Value;
use cardan_frames::{Framed, Layout, Marker, Placement, Scales};
use cardan_models::find;
use cardan_ode::{Method, SolverSettings};

pub(crate) fn at(seconds: f64) -> SimTime {
    SimTime::from_seconds(seconds)
}

/// An arm of some centimetres.
pub(crate) const SMALL: [f64; 3] = [0.1, -0.05, 0.2];

pub(crate) const ANGLES: [f64; 3] = [0.3, -0.5, 1.1];

/// A model with these parameters, solved well beyond what the tests look at.
pub(crate) fn model(name: &str, values: &[(&str, &[f64])]) -> Box<dyn Participant> {
    let info = find(name).unwrap();
    let parameters = (info.parameters)();
    let id = |name: &str| parameters.iter().position(|p| p.name == name).unwrap();
    let setting = |&(name, v): &(&str, &[f64])| (ParameterId(id(name) as u32), Value::Reals(v.to_vec()));
    let settings = Settings(values.iter().map(setting).collect());
    let solver = SolverSettings {
        rtol: 1e-11,
        atol: 1e-13,
        ..SolverSettings::of(Method::Dopri5)
    };
    info.build(&settings, &solver).unwrap()
}

/// Elsewhere, turned, in kg, mm and ms: a force of 1 is 1 kg · 1 mm / 1 ms² = 1000 N.
pub(crate) fn in_millimetres() -> Placement {
    let scales = Scales {
        length: 1e-3,
        force: 1e3,
        time: 1e-3,
    };
    Placement::new([1.0, -2.0, 0.5], ANGLES, scales)
}

/// Elsewhere and turned, in the units of the system.
pub(crate) fn turned() -> Placement {
    Placement::new([1.0, -2.0, 0.5], ANGLES, Scales::NONE)
}

pub(crate) fn marker(name: &str, frame: &str, load: Option<&str>, position: [f64; 3]) -> Marker {
    Marker {
        name: name.into(),
        frame: frame.into(),
        load: load.map(str::to_owned),
        position,
        angles: [0.2, 0.1, -0.4],
    }
}

pub(crate) fn placed(
    inner: Box<dyn Participant>,
    placement: Placement,
    markers: Vec<Marker>,
) -> Box<dyn Participant> {
    let layout = Layout::new(inner.interface(), placement, markers).unwrap();
    Box::new(Framed::new(inner, layout))
}

/// A participant with some ports bound.
pub(crate) struct Bench {
    pub(crate) participant: Box<dyn Participant>,
    time: f64,
    outputs: Planes,
    inputs: usize,
}

impl Bench {
    /// Binds all inputs and outputs of these names.
    pub(crate) fn new(mut participant: Box<dyn Participant>, inputs: &[&str], outputs: &[&str]) -> Self {
        let interface = participant.interface();
        let find = |name: &&str| interface.find_port(name).unwrap();
        let (taken, seen): (Vec<PortId>, Vec<PortId>) = (
            inputs.iter().map(find).collect(),
            outputs.iter().map(find).collect(),
        );
        let extent = |ids: &[PortId]| Extent::of(ids.iter().map(|id| &interface.ports[id.index()]));
        let (width, outputs) = (extent(&taken).reals, Planes::new(extent(&seen)));
        assert!(
            taken
                .iter()
                .all(|id| interface.ports[id.index()].causality == Causality::Input)
        );
        participant.bind(&taken, &seen).unwrap();
        let run = RunWindow {
            start: at(0.0),
            stop: at(100.0),
            tolerance: None,
        };
        participant
            .begin_initialization(&run, &Settings::default())
            .unwrap();
        participant.finish_initialization().unwrap();
        Bench {
            participant,
            time: 0.0,
            outputs,
            inputs: width,
        }
    }

    /// Steps with one law for each input.
    pub(crate) fn step(&mut self, to: f64, segments: &[Segment]) {
        assert_eq!(segments.len(), self.inputs);
        let end = self.participant.step(StepRequest {
            from: at(self.time),
            to: at(to),
            inputs: Inputs::single(segments),
            watch: Watch::Nothing,
        });
        assert_eq!(end, Ok(StepEnd::Completed));
        self.time = to;
    }

    /// Steps with held inputs.
    pub(crate) fn hold(&mut self, to: f64, values: &[f64]) {
        let segments: Vec<Segment> = values.iter().map(|&v| Segment::constant(v, at(to))).collect();
        self.step(to, &segments);
    }

    pub(crate) fn outputs(&mut self, inputs: &[f64]) -> Vec<f64> {
        let planes = Planes {
            reals: inputs.to_vec(),
            ..Planes::default()
        };
        self.participant
            .outputs(at(self.time), &planes, self.outputs.view_mut())
            .unwrap();
        self.outputs.reals.clone()
    }
}

#[track_caller]
pub(crate) fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            (found - expected).abs() <= tolerance,
            "number {index}: found {found}, expected {expected}, off by {:e}",
            (found - expected).abs()
        );
    }
}
