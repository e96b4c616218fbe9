//! A chain of four-bar linkages that are all parallelograms, so that one angle tells everything.

use cardan_core::interface::{Interface, Parameter};

use crate::catalogue::ModelInfo;
use crate::declare::{input, output, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "multibody",
    name: "four-bar-linkage",
    summary: "parallel cranks, joined at their ends by couplers, turned by a torque on the first crank",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        real(
            "loops",
            "",
            1.0,
            "number of loops: of couplers, and of cranks less one",
        )
        .at_least(1.0),
        real(
            "mass",
            "kg",
            1.0,
            "mass of each crank and of each coupler, spread evenly",
        )
        .above(0.0)
        .tunable(),
        real("length", "m", 1.0, "length of each crank")
            .above(0.0)
            .tunable(),
        real(
            "damping",
            "N.m.s/rad",
            0.0,
            "damping in the hinge of the first crank",
        )
        .at_least(0.0)
        .tunable(),
        real("gravity", "m/s2", 9.81, "acceleration of gravity, downwards").tunable(),
        real(
            "angle",
            "rad",
            0.0,
            "angle of the cranks from upright at the start, clockwise",
        ),
        real(
            "speed",
            "rad/s",
            0.0,
            "angular velocity of the cranks at the start",
        ),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    ports.port(input("torque", "N.m", "torque on the first crank"));
    ports.port(output(
        "angle",
        "rad",
        "angle of the cranks from upright, clockwise",
    ));
    ports.port(output("speed", "rad/s", "angular velocity of the cranks"));
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    let loops = values.real("loops")?;
    if loops.fract() != 0.0 {
        return Err(BuildError::of("loops", "must be a whole number"));
    }
    let (mass, length) = (values.real("mass")?, values.real("length")?);
    // Cranks turn about their ends; couplers only travel, on the circle of the cranks' tips.
    let (cranks, couplers) = (loops + 1.0, loops);
    Ok(Box::new(Linkage {
        inertia: mass * length * length * (cranks / 3.0 + couplers),
        weight: mass * length * values.real("gravity")? * (cranks / 2.0 + couplers),
        damping: values.real("damping")?,
        start: [values.real("angle")?, values.real("speed")?],
    }))
}

struct Linkage {
    inertia: f64,
    /// The largest torque of gravity, when the cranks lie flat.
    weight: f64,
    damping: f64,
    start: [f64; 2],
}

impl Model for Linkage {
    fn states(&self) -> usize {
        2
    }

    fn initial(&self, x: &mut [f64]) {
        x.copy_from_slice(&self.start);
    }

    fn derivatives(&self, _t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        dx[0] = x[1];
        dx[1] = (self.weight * x[0].sin() - self.damping * x[1] + u[0]) / self.inertia;
    }

    fn outputs(&self, _t: f64, x: &[f64], _u: &[f64], y: &mut [f64]) {
        y.copy_from_slice(x);
    }
}
