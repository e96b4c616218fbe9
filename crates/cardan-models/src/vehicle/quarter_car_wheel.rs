//! The lower half of a quarter car: the wheel and its tyre.

use cardan_core::interface::{Interface, Parameter};
use cardan_core::value::Value;

use crate::catalogue::ModelInfo;
use crate::declare::{input, output, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "vehicle",
    name: "quarter-car-wheel",
    summary: "a wheel on its tyre, between the road and the suspension",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        real("mass", "kg", 40.0, "mass of the wheel").above(0.0).tunable(),
        real("tyre_stiffness", "N/m", 150e3, "stiffness of the tyre")
            .at_least(0.0)
            .tunable(),
        // The road comes as a height without its slope, so that the damper can only work against a still road.
        real(
            "tyre_damping",
            "N.s/m",
            0.0,
            "damping of the wheel's velocity, as if the road stood still",
        )
        .at_least(0.0)
        .tunable(),
        real("position", "m", 0.0, "height of the wheel at the start"),
        real(
            "velocity",
            "m/s",
            0.0,
            "vertical velocity of the wheel at the start",
        ),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    ports.port(input(
        "force",
        "N",
        "suspension force on the chassis; the wheel feels its negative",
    ));
    ports.port(input("road", "m", "height of the road").start(Value::real(0.0)));
    ports.port(output("velocity", "m/s", "vertical velocity of the wheel"));
    ports.port(output("position", "m", "height of the wheel against rest"));
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(Wheel {
        mass: values.real("mass")?,
        tyre_stiffness: values.real("tyre_stiffness")?,
        tyre_damping: values.real("tyre_damping")?,
        start: [values.real("position")?, values.real("velocity")?],
    }))
}

struct Wheel {
    mass: f64,
    tyre_stiffness: f64,
    tyre_damping: f64,
    start: [f64; 2],
}

impl Model for Wheel {
    fn states(&self) -> usize {
        2
    }

    fn initial(&self, x: &mut [f64]) {
        x.copy_from_slice(&self.start);
    }

    fn derivatives(&self, _t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        let [suspension_force, road] = [u[0], u[1]];
        let tyre_force = self.tyre_stiffness * (road - x[0]) - self.tyre_damping * x[1];
        dx[0] = x[1];
        dx[1] = (tyre_force - suspension_force) / self.mass;
    }

    fn outputs(&self, _t: f64, x: &[f64], _u: &[f64], y: &mut [f64]) {
        y[0] = x[1];
        y[1] = x[0];
    }
}
