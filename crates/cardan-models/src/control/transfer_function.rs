//! A transfer function in controllable canonical form.

use cardan_core::interface::{Interface, Parameter};
use cardan_core::value::Value;

use crate::catalogue::ModelInfo;
use crate::declare::{input, list, output};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "control",
    name: "transfer-function",
    summary: "a rational transfer function of s, at rest at the start",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        list(
            "numerator",
            "",
            "coefficients of the numerator, highest power of s first",
        )
        .default(Value::Reals(vec![1.0]))
        .tunable(),
        list(
            "denominator",
            "",
            "coefficients of the denominator, highest power of s first",
        )
        .default(Value::Reals(vec![1.0, 1.0]))
        .tunable(),
    ]
}

fn ports(values: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    let u = ports.port(input("u", "", "input"));
    let y = ports.port(output("y", "", "output"));
    if TransferFunction::new(values)?.direct != 0.0 {
        ports.feeds_through(y, u);
    }
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(TransferFunction::new(values)?))
}

/// A chain of integrators: the input enters the last one, from which all of them are fed back; the output is a
/// weighted sum of them.
struct TransferFunction {
    /// Weights of the feedback, lowest power first, for a leading coefficient of one.
    feedback: Vec<f64>,
    /// Weights of the output.
    tap: Vec<f64>,
    /// From input to output.
    direct: f64,
}

impl TransferFunction {
    fn new(values: &Values) -> Result<Self, BuildError> {
        let numerator = trimmed(values.reals("numerator")?);
        let denominator = values.reals("denominator")?;
        let [leading, rest @ ..] = denominator else {
            return Err(BuildError::of(
                "denominator",
                "must have at least one coefficient",
            ));
        };
        if *leading == 0.0 {
            return Err(BuildError::of("denominator", "must not begin with a zero"));
        }
        if numerator.len() > denominator.len() {
            return Err(BuildError::of(
                "numerator",
                "must not have a higher degree than the denominator",
            ));
        }
        let feedback: Vec<f64> = rest.iter().rev().map(|a| a / leading).collect();
        let weight = |power: usize| numerator.iter().rev().nth(power).map_or(0.0, |b| b / leading);
        let direct = weight(feedback.len());
        let tap = feedback
            .iter()
            .enumerate()
            .map(|(power, a)| weight(power) - a * direct)
            .collect();
        Ok(TransferFunction {
            feedback,
            tap,
            direct,
        })
    }
}

/// Without zeros in front, which do not count for the degree.
fn trimmed(coefficients: &[f64]) -> &[f64] {
    let zeros = coefficients.iter().take_while(|c| **c == 0.0).count();
    &coefficients[zeros..]
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Model for TransferFunction {
    fn states(&self) -> usize {
        self.feedback.len()
    }

    fn initial(&self, x: &mut [f64]) {
        x.fill(0.0);
    }

    fn derivatives(&self, _t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        let last = x.len() - 1;
        dx[..last].copy_from_slice(&x[1..]);
        dx[last] = u[0] - dot(&self.feedback, x);
    }

    fn outputs(&self, _t: f64, x: &[f64], u: &[f64], y: &mut [f64]) {
        y[0] = dot(&self.tap, x) + self.direct * u[0];
    }
}
