//! Springs and dampers in all six directions between a body and the ground.

use cardan_core::interface::{Interface, Parameter};
use cardan_core::reaction::turn;
use cardan_core::value::Value;

use super::orientation::{orientation, three, vector};
use crate::catalogue::ModelInfo;
use crate::declare::{input, list, output};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "mechanics",
    name: "bushing",
    summary: "a massless bushing in space: forces against displacement and moments against rotation, on the body that drives it",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        list(
            "stiffness",
            "",
            "along x, y, z in N/m, and if given about x, y, z in N.m/rad",
        )
        .default(Value::Reals(vec![1.0; 3]))
        .at_least(0.0)
        .tunable(),
        list(
            "damping",
            "",
            "along x, y, z in N.s/m, and if given about x, y, z in N.m.s/rad",
        )
        .default(Value::Reals(vec![0.0; 3]))
        .at_least(0.0)
        .tunable(),
        vector("position", "m", [0.0; 3], "where it is relaxed").tunable(),
        vector(
            "orientation",
            "",
            [0.0; 3],
            "in which orientation it is relaxed: 3-2-1 angles in rad (about z, y, x), or a quaternion (w first)",
        )
        .tunable(),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    let frame = ports.port(input("frame", "", "motion of the body").frame());
    let load = ports.port(output("load", "", "force and moment on that body, at its frame").load());
    ports.feeds_through(load, frame);
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(Bushing {
        stiffness: six(values, "stiffness")?,
        damping: six(values, "damping")?,
        position: three(values, "position")?,
        orientation: orientation(values, "orientation")?,
    }))
}

/// Three values for the directions, or six with those about them.
fn six(values: &Values, name: &str) -> Result<[f64; 6], BuildError> {
    match *values.reals(name)? {
        [x, y, z] => Ok([x, y, z, 0.0, 0.0, 0.0]),
        [x, y, z, a, b, c] => Ok([x, y, z, a, b, c]),
        ref other => Err(BuildError::of(
            name,
            format!("expected 3 or 6 values, found {}", other.len()),
        )),
    }
}

struct Bushing {
    stiffness: [f64; 6],
    damping: [f64; 6],
    position: [f64; 3],
    orientation: [f64; 4],
}

impl Model for Bushing {
    fn outputs(&self, _t: f64, _x: &[f64], u: &[f64], y: &mut [f64]) {
        let turned = turn(self.orientation, std::array::from_fn(|i| u[3 + i]));
        for i in 0..3 {
            y[i] = -self.stiffness[i] * (u[i] - self.position[i]) - self.damping[i] * u[7 + i];
            y[3 + i] = -self.stiffness[3 + i] * turned[i] - self.damping[3 + i] * u[10 + i];
        }
    }
}
