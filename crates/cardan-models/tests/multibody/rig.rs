//! A mechanism on a bench: runs alone, inputs held, outputs by name.

use cardan_core::inputs::Inputs;
use cardan_core::interface::{Causality, PortId};
use cardan_core::participant::{Participant, RunWindow, Settings, StepRequest, Watch};
use cardan_core::planes::Planes;
use cardan_core::signal::Segment;
use cardan_core::time::SimTime;
use cardan_models::Native;
use cardan_models::multibody::{Body, Joint, JointKind, Mechanism, Point, PointName, PortKind, PortOf};
use cardan_ode::{Method, SolverSettings};

pub(crate) struct Rig {
    participant: Native,
    time: f64,
    inputs: Vec<f64>,
    outputs: Vec<(String, usize, usize)>,
    values: Planes,
}

/// Steps of this length by that method.
pub(crate) fn fixed(method: Method, step: f64) -> SolverSettings {
    SolverSettings {
        step: Some(step),
        ..SolverSettings::of(method)
    }
}

impl Rig {
    pub(crate) fn new(mechanism: &Mechanism, settings: &SolverSettings) -> Self {
        let blueprint = mechanism.blueprint("mechanism").expect("builds");
        let mut participant = Native::new(blueprint, &Settings::default(), settings).expect("builds");
        let of = |causality| -> Vec<(PortId, String, usize)> {
            let ports = participant.interface().ports_of(causality);
            ports
                .map(|(id, port)| (id, port.name.clone(), port.shape.len()))
                .collect()
        };
        let inputs = of(Causality::Input);
        let outputs = [of(Causality::Output), of(Causality::Local)].concat();
        let ids = |ports: &[(PortId, String, usize)]| ports.iter().map(|(id, _, _)| *id).collect::<Vec<_>>();
        participant.bind(&ids(&inputs), &ids(&outputs)).expect("binds");
        let run = RunWindow {
            start: SimTime::from_seconds(0.0),
            stop: SimTime::from_seconds(1e3),
            tolerance: None,
        };
        participant
            .begin_initialization(&run, &Settings::default())
            .expect("begins");
        participant.finish_initialization().expect("begins");
        let mut end = 0;
        let outputs: Vec<(String, usize, usize)> = outputs
            .into_iter()
            .map(|(_, name, width)| {
                end += width;
                (name, end - width, width)
            })
            .collect();
        let mut rig = Rig {
            participant,
            time: 0.0,
            inputs: vec![0.0; inputs.iter().map(|(_, _, width)| width).sum()],
            outputs,
            values: Planes {
                reals: vec![0.0; end],
                ..Planes::default()
            },
        };
        rig.look();
        rig
    }

    /// Inputs from now on, in the order of the ports.
    pub(crate) fn push(&mut self, inputs: &[f64]) {
        self.inputs.copy_from_slice(inputs);
    }

    pub(crate) fn time(&self) -> f64 {
        self.time
    }

    pub(crate) fn go(&mut self, to: f64) {
        self.try_to_go(to).expect("steps");
    }

    pub(crate) fn try_to_go(&mut self, to: f64) -> Result<(), String> {
        while self.time < to {
            let segments: Vec<Segment> = self
                .inputs
                .iter()
                .map(|&value| Segment::constant(value, SimTime::from_seconds(to)))
                .collect();
            let request = StepRequest {
                from: SimTime::from_seconds(self.time),
                to: SimTime::from_seconds(to),
                inputs: Inputs::single(&segments),
                watch: Watch::Nothing,
            };
            let end = self
                .participant
                .step(request)
                .map_err(|failure| failure.to_string())?;
            self.time = match end {
                cardan_core::participant::StepEnd::Early { at } => {
                    if let Some(events) = self.participant.events() {
                        events.enter(at).map_err(|failure| failure.to_string())?;
                        while events.update(at).map_err(|failure| failure.to_string())? {}
                        events.leave(at).map_err(|failure| failure.to_string())?;
                    }
                    at.seconds()
                }
                _ => to,
            };
        }
        self.look();
        Ok(())
    }

    fn look(&mut self) {
        let inputs = Planes {
            reals: self.inputs.clone(),
            ..Planes::default()
        };
        let at = SimTime::from_seconds(self.time);
        self.participant
            .outputs(at, &inputs, self.values.view_mut())
            .expect("outputs");
    }

    pub(crate) fn all(&self, name: &str) -> &[f64] {
        let (_, first, width) = self
            .outputs
            .iter()
            .find(|(known, _, _)| known == name)
            .expect("an output");
        &self.values.reals[*first..first + width]
    }

    pub(crate) fn one(&self, name: &str) -> f64 {
        self.all(name)[0]
    }
}

pub(crate) fn at(name: &str) -> PointName {
    let (body, point) = name.split_once('.').unwrap_or((name, "origin"));
    PointName {
        body: body.to_owned(),
        point: point.to_owned(),
    }
}

pub(crate) fn point(name: &str, at: [f64; 3]) -> Point {
    Point {
        name: name.to_owned(),
        at,
    }
}

pub(crate) fn joint(name: &str, kind: JointKind, a: &str, b: &str) -> Joint {
    Joint {
        name: name.to_owned(),
        kind,
        between: [at(a), at(b)],
        start: None,
        speed: None,
        drive: None,
    }
}

pub(crate) fn hinge(name: &str, a: &str, b: &str) -> Joint {
    joint(
        name,
        JointKind::Revolute {
            axis: [0.0, 0.0, 1.0],
        },
        a,
        b,
    )
}

pub(crate) fn motion(name: &str, joint: &str) -> PortOf {
    PortOf {
        name: name.to_owned(),
        kind: PortKind::Motion {
            joint: joint.to_owned(),
        },
    }
}

pub(crate) fn seen(name: &str, place: &str) -> PortOf {
    PortOf {
        name: name.to_owned(),
        kind: PortKind::Frame { at: at(place) },
    }
}

/// A body with inertia in all directions.
pub(crate) fn body(name: &str, mass: f64, inertia: [f64; 3]) -> Body {
    Body {
        name: name.to_owned(),
        mass,
        inertia: Some([inertia[0], inertia[1], inertia[2], 0.0, 0.0, 0.0]),
        ..Body::default()
    }
}
