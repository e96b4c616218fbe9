//! A mass that is led along a given motion, and what that takes: the half of a rigid connection that knows the force.

use cardan_core::interface::{Interface, Parameter};
use cardan_core::value::Value;

use crate::catalogue::ModelInfo;
use crate::declare::{input, output, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "mechanics",
    name: "moved-mass",
    summary: "a mass on a spring and a damper, rigidly joined to what moves it, and the force that this takes",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        real("mass", "kg", 1.0, "mass").at_least(0.0).tunable(),
        real("stiffness", "N/m", 0.0, "stiffness of the spring to the ground")
            .at_least(0.0)
            .tunable(),
        real("damping", "N.s/m", 0.0, "constant of the damper to the ground")
            .at_least(0.0)
            .tunable(),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    let motion = [
        ports.port(input("position", "m", "position; the spring is relaxed at zero").start(Value::real(0.0))),
        ports.port(input("velocity", "m/s", "velocity").start(Value::real(0.0))),
        ports.port(input("acceleration", "m/s2", "acceleration").start(Value::real(0.0))),
    ];
    let force = ports.port(output(
        "force",
        "N",
        "force on the mass; what moves it feels its negative",
    ));
    for input in motion {
        ports.feeds_through(force, input);
    }
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(MovedMass {
        mass: values.real("mass")?,
        stiffness: values.real("stiffness")?,
        damping: values.real("damping")?,
    }))
}

struct MovedMass {
    mass: f64,
    stiffness: f64,
    damping: f64,
}

impl Model for MovedMass {
    fn outputs(&self, _t: f64, _x: &[f64], u: &[f64], y: &mut [f64]) {
        y[0] = self.stiffness * u[0] + self.damping * u[1] + self.mass * u[2];
    }
}
