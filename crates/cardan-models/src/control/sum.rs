//! A weighted sum.

use cardan_core::interface::{Interface, Parameter, PortId};
use cardan_core::value::Value;

use crate::catalogue::ModelInfo;
use crate::declare::{input, list, output};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "control",
    name: "sum",
    summary: "the weighted sum of the inputs u1, u2, …",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        list(
            "gains",
            "",
            "a weight for each input; their number is that of the inputs",
        )
        .default(Value::Reals(vec![1.0, 1.0]))
        .tunable(),
    ]
}

fn ports(values: &Values) -> Result<Interface, BuildError> {
    let gains = values.reals("gains")?;
    if gains.is_empty() {
        return Err(BuildError::of("gains", "must have at least one value"));
    }
    let mut ports = Interface::default();
    for number in 1..=gains.len() {
        ports.port(input(&format!("u{number}"), "", "a summand before weighting"));
    }
    let y = ports.port(output("y", "", "the sum"));
    for number in 0..y.0 {
        ports.feeds_through(y, PortId(number));
    }
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(Sum(values.reals("gains")?.to_vec())))
}

struct Sum(Vec<f64>);

impl Model for Sum {
    fn outputs(&self, _t: f64, _x: &[f64], u: &[f64], y: &mut [f64]) {
        y[0] = self.0.iter().zip(u).map(|(gain, u)| gain * u).sum();
    }
}
