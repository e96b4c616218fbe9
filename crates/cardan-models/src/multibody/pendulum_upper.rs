//! The upper half of a double pendulum: a rod on a fixed hinge, with a joint at its end.

use cardan_core::interface::{Interface, Parameter};

use crate::catalogue::ModelInfo;
use crate::declare::{input, output, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "multibody",
    name: "pendulum-upper",
    summary: "a rod on a fixed hinge with a joint at its end, moved by what hangs there",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        real("mass", "kg", 1.0, "mass of the rod").above(0.0).tunable(),
        real(
            "inertia",
            "kg.m2",
            1.0,
            "moment of inertia about the centre of mass",
        )
        .at_least(0.0)
        .tunable(),
        real(
            "length",
            "m",
            1.0,
            "length of the rod; its centre of mass is half way",
        )
        .above(0.0)
        .tunable(),
        real("gravity", "m/s2", 9.81, "acceleration of gravity, downwards").tunable(),
        real(
            "angle",
            "rad",
            0.0,
            "angle from hanging down at the start, counter-clockwise",
        ),
        real("speed", "rad/s", 0.0, "angular velocity at the start"),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    let forces = [
        ports.port(input(
            "force_x",
            "N",
            "force in the joint on the lower body, to the right; the rod feels its negative",
        )),
        ports.port(input(
            "force_y",
            "N",
            "force in the joint on the lower body, upwards; the rod feels its negative",
        )),
        ports.port(input(
            "torque",
            "N.m",
            "torque in the joint on the lower body; the rod feels its negative",
        )),
    ];
    let accelerations = [
        ports.port(output(
            "acceleration_x",
            "m/s2",
            "acceleration of the joint, to the right",
        )),
        ports.port(output(
            "acceleration_y",
            "m/s2",
            "acceleration of the joint, upwards",
        )),
    ];
    ports.port(output(
        "angle",
        "rad",
        "angle from hanging down, counter-clockwise",
    ));
    ports.port(output("speed", "rad/s", "angular velocity"));
    for acceleration in accelerations {
        for force in forces {
            ports.feeds_through(acceleration, force);
        }
    }
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(Upper {
        mass: values.real("mass")?,
        inertia: values.real("inertia")?,
        length: values.real("length")?,
        gravity: values.real("gravity")?,
        start: [values.real("angle")?, values.real("speed")?],
    }))
}

struct Upper {
    mass: f64,
    inertia: f64,
    length: f64,
    gravity: f64,
    start: [f64; 2],
}

impl Upper {
    /// About the hinge.
    fn angular_acceleration(&self, x: &[f64], u: &[f64]) -> f64 {
        let (sin, cos) = x[0].sin_cos();
        let lever = 0.5 * self.length;
        let weight = -self.mass * self.gravity * lever * sin;
        let joint = -self.length * (cos * u[0] + sin * u[1]) - u[2];
        (weight + joint) / (self.inertia + self.mass * lever * lever)
    }
}

impl Model for Upper {
    fn states(&self) -> usize {
        2
    }

    fn initial(&self, x: &mut [f64]) {
        x.copy_from_slice(&self.start);
    }

    fn derivatives(&self, _t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        dx[0] = x[1];
        dx[1] = self.angular_acceleration(x, u);
    }

    fn outputs(&self, _t: f64, x: &[f64], u: &[f64], y: &mut [f64]) {
        let (sin, cos) = x[0].sin_cos();
        let (along, around) = (x[1] * x[1], self.angular_acceleration(x, u));
        y[0] = self.length * (cos * around - sin * along);
        y[1] = self.length * (sin * around + cos * along);
        y[2] = x[0];
        y[3] = x[1];
    }
}
