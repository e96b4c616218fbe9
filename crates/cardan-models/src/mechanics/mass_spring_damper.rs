//! The damped oscillator.

use cardan_core::interface::{Interface, Parameter};
use cardan_core::value::Value;

use crate::catalogue::ModelInfo;
use crate::declare::{input, output, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "mechanics",
    name: "mass-spring-damper",
    summary: "a mass held to the ground by a spring and a damper, moved by a force",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        real("mass", "kg", 1.0, "mass").above(0.0).tunable(),
        real("stiffness", "N/m", 1.0, "stiffness of the spring to the ground")
            .at_least(0.0)
            .tunable(),
        real("damping", "N.s/m", 0.0, "constant of the damper to the ground")
            .at_least(0.0)
            .tunable(),
        real(
            "position",
            "m",
            0.0,
            "position at the start; the spring is relaxed at zero",
        ),
        real("velocity", "m/s", 0.0, "velocity at the start"),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    let force = ports.port(input("force", "N", "force on the mass").start(Value::real(0.0)));
    ports.port(output("position", "m", "position"));
    ports.port(output("velocity", "m/s", "velocity"));
    let acceleration = ports.port(output("acceleration", "m/s2", "acceleration"));
    ports.feeds_through(acceleration, force);
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(MassSpringDamper {
        mass: values.real("mass")?,
        stiffness: values.real("stiffness")?,
        damping: values.real("damping")?,
        start: [values.real("position")?, values.real("velocity")?],
    }))
}

struct MassSpringDamper {
    mass: f64,
    stiffness: f64,
    damping: f64,
    start: [f64; 2],
}

impl MassSpringDamper {
    fn acceleration(&self, x: &[f64], u: &[f64]) -> f64 {
        (u[0] - self.stiffness * x[0] - self.damping * x[1]) / self.mass
    }
}

impl Model for MassSpringDamper {
    fn states(&self) -> usize {
        2
    }

    fn initial(&self, x: &mut [f64]) {
        x.copy_from_slice(&self.start);
    }

    fn derivatives(&self, _t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        dx[0] = x[1];
        dx[1] = self.acceleration(x, u);
    }

    fn outputs(&self, _t: f64, x: &[f64], u: &[f64], y: &mut [f64]) {
        y[0] = x[0];
        y[1] = x[1];
        y[2] = self.acceleration(x, u);
    }

    fn jacobian(&self, _t: f64, _x: &[f64], _u: &[f64], jacobian: &mut [f64]) -> bool {
        jacobian.copy_from_slice(&[0.0, 1.0, -self.stiffness / self.mass, -self.damping / self.mass]);
        true
    }
}
