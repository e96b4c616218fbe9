//! A spring and a damper between two points.

use cardan_core::interface::{Interface, Parameter};
use cardan_core::value::Value;

use crate::catalogue::ModelInfo;
use crate::declare::{input, output, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "mechanics",
    name: "spring-damper",
    summary: "a massless spring and damper side by side between the points a and b",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        real("stiffness", "N/m", 1.0, "stiffness of the spring")
            .at_least(0.0)
            .tunable(),
        real("damping", "N.s/m", 0.0, "constant of the damper")
            .at_least(0.0)
            .tunable(),
        real(
            "length",
            "m",
            0.0,
            "position of a minus position of b at which the spring is relaxed",
        )
        .tunable(),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    let still = || Value::real(0.0);
    let motion = [
        input("position_a", "m", "position of a"),
        input("velocity_a", "m/s", "velocity of a"),
        input("position_b", "m", "position of b; the ground if not connected").start(still()),
        input("velocity_b", "m/s", "velocity of b; the ground if not connected").start(still()),
    ]
    .map(|port| ports.port(port));
    for force in [
        output("force_a", "N", "force on a"),
        output("force_b", "N", "force on b"),
    ] {
        let force = ports.port(force);
        motion.iter().for_each(|&input| ports.feeds_through(force, input));
    }
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(SpringDamper {
        stiffness: values.real("stiffness")?,
        damping: values.real("damping")?,
        length: values.real("length")?,
    }))
}

struct SpringDamper {
    stiffness: f64,
    damping: f64,
    length: f64,
}

impl Model for SpringDamper {
    fn outputs(&self, _t: f64, _x: &[f64], u: &[f64], y: &mut [f64]) {
        let [position_a, velocity_a, position_b, velocity_b] = [u[0], u[1], u[2], u[3]];
        let tension = self.stiffness * (position_a - position_b - self.length)
            + self.damping * (velocity_a - velocity_b);
        y[0] = -tension;
        y[1] = tension;
    }
}
