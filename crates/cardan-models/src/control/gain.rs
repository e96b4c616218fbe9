//! A factor.

use cardan_core::interface::{Interface, Parameter};

use crate::catalogue::ModelInfo;
use crate::declare::{input, output, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "control",
    name: "gain",
    summary: "the input times a factor",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![real("k", "", 1.0, "the factor").tunable()]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    let u = ports.port(input("u", "", "what is multiplied"));
    let y = ports.port(output("y", "", "k u"));
    ports.feeds_through(y, u);
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(Gain(values.real("k")?)))
}

struct Gain(f64);

impl Model for Gain {
    fn outputs(&self, _t: f64, _x: &[f64], u: &[f64], y: &mut [f64]) {
        y[0] = self.0 * u[0];
    }
}
