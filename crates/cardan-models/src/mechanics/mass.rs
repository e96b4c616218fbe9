//! A free mass.

use cardan_core::interface::{Interface, Parameter};

use crate::catalogue::ModelInfo;
use crate::declare::{input, output, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "mechanics",
    name: "mass",
    summary: "a mass moved by a force, and by gravity if there is any",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        real("mass", "kg", 1.0, "mass").above(0.0).tunable(),
        real(
            "gravity",
            "m/s2",
            0.0,
            "acceleration of free fall, towards smaller positions",
        )
        .tunable(),
        real("position", "m", 0.0, "position at the start"),
        real("velocity", "m/s", 0.0, "velocity at the start"),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    let force = ports.port(input("force", "N", "force on the mass"));
    ports.port(output("position", "m", "position"));
    ports.port(output("velocity", "m/s", "velocity"));
    let acceleration = ports.port(output("acceleration", "m/s2", "acceleration"));
    ports.feeds_through(acceleration, force);
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(Mass {
        mass: values.real("mass")?,
        gravity: values.real("gravity")?,
        start: [values.real("position")?, values.real("velocity")?],
    }))
}

struct Mass {
    mass: f64,
    gravity: f64,
    start: [f64; 2],
}

impl Mass {
    fn acceleration(&self, u: &[f64]) -> f64 {
        u[0] / self.mass - self.gravity
    }
}

impl Model for Mass {
    fn states(&self) -> usize {
        2
    }

    fn initial(&self, x: &mut [f64]) {
        x.copy_from_slice(&self.start);
    }

    fn derivatives(&self, _t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        dx[0] = x[1];
        dx[1] = self.acceleration(u);
    }

    fn outputs(&self, _t: f64, x: &[f64], u: &[f64], y: &mut [f64]) {
        y[0] = x[0];
        y[1] = x[1];
        y[2] = self.acceleration(u);
    }

    fn jacobian(&self, _t: f64, _x: &[f64], _u: &[f64], jacobian: &mut [f64]) -> bool {
        jacobian.copy_from_slice(&[0.0, 1.0, 0.0, 0.0]);
        true
    }
}
