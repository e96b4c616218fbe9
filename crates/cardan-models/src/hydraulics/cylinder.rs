//! A cylinder whose piston moves a mass against a spring.

use cardan_core::interface::{Interface, Parameter};
use cardan_core::value::Value;

use super::ports::{flow_out, pressure_in};
use crate::catalogue::ModelInfo;
use crate::declare::{input, output, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "hydraulics",
    name: "hydraulic-cylinder",
    summary: "a piston that a pressure pushes out, with a mass on a spring and a damper",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        real("area", "m2", 1e-3, "area of the piston")
            .above(0.0)
            .tunable(),
        real("mass", "kg", 1.0, "mass of the piston and of what it moves")
            .above(0.0)
            .tunable(),
        real(
            "stiffness",
            "N/m",
            0.0,
            "stiffness of the spring that pushes the piston in",
        )
        .at_least(0.0)
        .tunable(),
        real("damping", "N.s/m", 0.0, "constant of the damper at the piston")
            .at_least(0.0)
            .tunable(),
        real(
            "position",
            "m",
            0.0,
            "how far the piston is out at the start; the spring is relaxed at zero",
        ),
        real("velocity", "m/s", 0.0, "velocity of the piston at the start"),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    ports.port(pressure_in("pressure", "pressure behind the piston"));
    ports.port(input("force", "N", "force on the piston, outwards").start(Value::real(0.0)));
    ports.port(flow_out(
        "flow",
        "flow out of the cylinder: negative while the piston goes out",
    ));
    ports.port(output("position", "m", "how far the piston is out"));
    ports.port(output("velocity", "m/s", "velocity of the piston, outwards"));
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(Cylinder {
        area: values.real("area")?,
        mass: values.real("mass")?,
        stiffness: values.real("stiffness")?,
        damping: values.real("damping")?,
        start: [values.real("position")?, values.real("velocity")?],
    }))
}

struct Cylinder {
    area: f64,
    mass: f64,
    stiffness: f64,
    damping: f64,
    start: [f64; 2],
}

impl Model for Cylinder {
    fn states(&self) -> usize {
        2
    }

    fn initial(&self, x: &mut [f64]) {
        x.copy_from_slice(&self.start);
    }

    fn derivatives(&self, _t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        dx[0] = x[1];
        dx[1] = (self.area * u[0] + u[1] - self.stiffness * x[0] - self.damping * x[1]) / self.mass;
    }

    fn outputs(&self, _t: f64, x: &[f64], _u: &[f64], y: &mut [f64]) {
        y[0] = -self.area * x[1];
        y[1] = x[0];
        y[2] = x[1];
    }

    fn jacobian(&self, _t: f64, _x: &[f64], _u: &[f64], jacobian: &mut [f64]) -> bool {
        jacobian.copy_from_slice(&[0.0, 1.0, -self.stiffness / self.mass, -self.damping / self.mass]);
        true
    }
}
