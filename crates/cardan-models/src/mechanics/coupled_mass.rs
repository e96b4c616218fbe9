//! The displacement-coupled half of a two-mass oscillator.

use cardan_core::interface::{Interface, Parameter};

use crate::catalogue::ModelInfo;
use crate::declare::{input, output, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "mechanics",
    name: "coupled-mass",
    summary: "a mass held to the ground and, by a coupling spring and damper, to another mass whose motion is given",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        real("mass", "kg", 1.0, "mass").above(0.0).tunable(),
        real("stiffness", "N/m", 0.0, "stiffness of the spring to the ground")
            .at_least(0.0)
            .tunable(),
        real("damping", "N.s/m", 0.0, "constant of the damper to the ground")
            .at_least(0.0)
            .tunable(),
        real(
            "coupling_stiffness",
            "N/m",
            1.0,
            "stiffness of the spring to the other mass",
        )
        .at_least(0.0)
        .tunable(),
        real(
            "coupling_damping",
            "N.s/m",
            0.0,
            "constant of the damper to the other mass",
        )
        .at_least(0.0)
        .tunable(),
        real(
            "position",
            "m",
            0.0,
            "position at the start; springs are relaxed at zero",
        ),
        real("velocity", "m/s", 0.0, "velocity at the start"),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    let other_position = ports.port(input("other_position", "m", "position of the other mass"));
    let other_velocity = ports.port(input("other_velocity", "m/s", "velocity of the other mass"));
    ports.port(output("position", "m", "position"));
    ports.port(output("velocity", "m/s", "velocity"));
    let force = ports.port(output("force", "N", "coupling force on the other mass"));
    ports.feeds_through(force, other_position);
    ports.feeds_through(force, other_velocity);
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(CoupledMass {
        mass: values.real("mass")?,
        stiffness: values.real("stiffness")?,
        damping: values.real("damping")?,
        coupling_stiffness: values.real("coupling_stiffness")?,
        coupling_damping: values.real("coupling_damping")?,
        start: [values.real("position")?, values.real("velocity")?],
    }))
}

struct CoupledMass {
    mass: f64,
    stiffness: f64,
    damping: f64,
    coupling_stiffness: f64,
    coupling_damping: f64,
    start: [f64; 2],
}

impl CoupledMass {
    /// What the coupling does to the other mass; this one feels the opposite.
    fn coupling_force(&self, x: &[f64], u: &[f64]) -> f64 {
        self.coupling_stiffness * (x[0] - u[0]) + self.coupling_damping * (x[1] - u[1])
    }
}

impl Model for CoupledMass {
    fn states(&self) -> usize {
        2
    }

    fn initial(&self, x: &mut [f64]) {
        x.copy_from_slice(&self.start);
    }

    fn derivatives(&self, _t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        let ground_force = -self.stiffness * x[0] - self.damping * x[1];
        dx[0] = x[1];
        dx[1] = (ground_force - self.coupling_force(x, u)) / self.mass;
    }

    fn outputs(&self, _t: f64, x: &[f64], u: &[f64], y: &mut [f64]) {
        y[0] = x[0];
        y[1] = x[1];
        y[2] = self.coupling_force(x, u);
    }

    fn jacobian(&self, _t: f64, _x: &[f64], _u: &[f64], jacobian: &mut [f64]) -> bool {
        let stiffness = self.stiffness + self.coupling_stiffness;
        let damping = self.damping + self.coupling_damping;
        jacobian.copy_from_slice(&[0.0, 1.0, -stiffness / self.mass, -damping / self.mass]);
        true
    }
}
