//! The upper half of a quarter car: the chassis and its suspension.

use cardan_core::interface::{Interface, Parameter};

use crate::catalogue::ModelInfo;
use crate::declare::{input, output, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "vehicle",
    name: "quarter-car-chassis",
    summary: "a quarter of a chassis on its suspension, driven by the velocity of the wheel",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        real("mass", "kg", 400.0, "mass of a quarter of the chassis")
            .above(0.0)
            .tunable(),
        real("stiffness", "N/m", 15e3, "stiffness of the suspension")
            .at_least(0.0)
            .tunable(),
        real("damping", "N.s/m", 1e3, "constant of the shock absorber")
            .at_least(0.0)
            .tunable(),
        real("position", "m", 0.0, "height of the chassis at the start"),
        real(
            "velocity",
            "m/s",
            0.0,
            "vertical velocity of the chassis at the start",
        ),
        real(
            "deflection",
            "m",
            0.0,
            "compression of the suspension at the start",
        ),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    let wheel_velocity = ports.port(input("wheel_velocity", "m/s", "vertical velocity of the wheel"));
    let force = ports.port(output(
        "force",
        "N",
        "suspension force on the chassis; the wheel feels its negative",
    ));
    ports.port(output("position", "m", "height of the chassis against rest"));
    ports.port(output("velocity", "m/s", "vertical velocity of the chassis"));
    ports.feeds_through(force, wheel_velocity);
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(Chassis {
        mass: values.real("mass")?,
        stiffness: values.real("stiffness")?,
        damping: values.real("damping")?,
        start: [
            values.real("position")?,
            values.real("velocity")?,
            values.real("deflection")?,
        ],
    }))
}

struct Chassis {
    mass: f64,
    stiffness: f64,
    damping: f64,
    start: [f64; 3],
}

impl Chassis {
    fn force(&self, x: &[f64], u: &[f64]) -> f64 {
        self.stiffness * x[2] + self.damping * (u[0] - x[1])
    }
}

impl Model for Chassis {
    fn states(&self) -> usize {
        3
    }

    fn initial(&self, x: &mut [f64]) {
        x.copy_from_slice(&self.start);
    }

    fn derivatives(&self, _t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        dx[0] = x[1];
        dx[1] = self.force(x, u) / self.mass;
        dx[2] = u[0] - x[1];
    }

    fn outputs(&self, _t: f64, x: &[f64], u: &[f64], y: &mut [f64]) {
        y[0] = self.force(x, u);
        y[1] = x[0];
        y[2] = x[1];
    }
}
