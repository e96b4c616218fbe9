//! A spring that stiffens or softens, moved at one end: the smallest thing that behaves like a finite-element code.

use cardan_core::interface::{Interface, Parameter};
use cardan_core::value::Value;

use crate::catalogue::ModelInfo;
use crate::declare::{input, output, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "mechanics",
    name: "nonlinear-spring",
    summary: "a massless spring to the ground with a linear and a cubic part and a damper, moved at its end",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        real("stiffness", "N/m", 1.0, "stiffness of the relaxed spring")
            .at_least(0.0)
            .tunable(),
        real(
            "cubic_stiffness",
            "N/m3",
            0.0,
            "force by the cube of the position; a negative one softens the spring",
        )
        .tunable(),
        real("damping", "N.s/m", 0.0, "constant of the damper")
            .at_least(0.0)
            .tunable(),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    let position = ports.port(input(
        "position",
        "m",
        "position of the end; the spring is relaxed at zero",
    ));
    let velocity = ports.port(
        input(
            "velocity",
            "m/s",
            "velocity of the end; only a damper asks for it",
        )
        .start(Value::real(0.0)),
    );
    let force = ports.port(output("force", "N", "force on what moves the end"));
    let energy = ports.port(output("energy", "J", "energy stored in the spring"));
    ports.feeds_through(force, position);
    ports.feeds_through(force, velocity);
    ports.feeds_through(energy, position);
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(NonlinearSpring {
        stiffness: values.real("stiffness")?,
        cubic_stiffness: values.real("cubic_stiffness")?,
        damping: values.real("damping")?,
    }))
}

struct NonlinearSpring {
    stiffness: f64,
    cubic_stiffness: f64,
    damping: f64,
}

impl NonlinearSpring {
    /// What the spring alone takes to be held at a position.
    fn tension(&self, position: f64) -> f64 {
        position * (self.stiffness + self.cubic_stiffness * position * position)
    }
}

impl Model for NonlinearSpring {
    fn outputs(&self, _t: f64, _x: &[f64], u: &[f64], y: &mut [f64]) {
        let (position, velocity) = (u[0], u[1]);
        let square = position * position;
        y[0] = -self.tension(position) - self.damping * velocity;
        y[1] = square * (0.5 * self.stiffness + 0.25 * self.cubic_stiffness * square);
    }

    fn sensitivity(&self, _t: f64, _x: &[f64], u: &[f64], du: &[f64], dy: &mut [f64]) -> bool {
        let position = u[0];
        let tangent = self.stiffness + 3.0 * self.cubic_stiffness * position * position;
        dy[0] = -tangent * du[0] - self.damping * du[1];
        dy[1] = self.tension(position) * du[0];
        true
    }
}
