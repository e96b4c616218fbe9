//! A linear system of any size.

use cardan_core::interface::{Interface, Parameter};
use cardan_core::value::{Shape, Value};

use crate::catalogue::ModelInfo;
use crate::declare::{input, list, output};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "control",
    name: "state-space",
    summary: "the linear system x' = a x + b u, y = c x + d u",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    let none = || Value::Reals(Vec::new());
    vec![
        list(
            "a",
            "",
            "square matrix, row by row; its size is the number of states",
        )
        .tunable(),
        list(
            "b",
            "",
            "matrix with a row for each state and a column for each input, row by row",
        )
        .tunable(),
        list(
            "c",
            "",
            "matrix with a row for each output and a column for each state, row by row",
        )
        .tunable(),
        list(
            "d",
            "",
            "matrix with a row for each output and a column for each input, row by row; zero if empty",
        )
        .default(none())
        .tunable(),
        list("x0", "", "states at the start; zero if empty").default(none()),
    ]
}

fn ports(values: &Values) -> Result<Interface, BuildError> {
    let system = StateSpace::new(values)?;
    let shape = |count| {
        if count == 1 {
            Shape::SCALAR
        } else {
            Shape::vector(count)
        }
    };
    let mut ports = Interface::default();
    let u = ports.port(input("u", "", "inputs").shaped(shape(system.inputs)));
    let y = ports.port(output("y", "", "outputs").shaped(shape(system.c.len() / system.states)));
    if system.d.iter().any(|d| *d != 0.0) {
        ports.feeds_through(y, u);
    }
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(StateSpace::new(values)?))
}

/// The matrices, row by row. Their lengths tell all sizes, so that nobody has to state these as well.
struct StateSpace {
    states: usize,
    inputs: usize,
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
    d: Vec<f64>,
    x0: Vec<f64>,
}

impl StateSpace {
    fn new(values: &Values) -> Result<Self, BuildError> {
        let matrix = |name| values.reals(name).map(<[f64]>::to_vec);
        let (a, b, c, mut d, mut x0) = (
            matrix("a")?,
            matrix("b")?,
            matrix("c")?,
            matrix("d")?,
            matrix("x0")?,
        );
        let states = a.len().isqrt();
        if states == 0 || states * states != a.len() {
            return Err(BuildError::of(
                "a",
                format!(
                    "must be a square matrix with at least one row, found {} values",
                    a.len()
                ),
            ));
        }
        for (name, found) in [("b", b.len()), ("c", c.len())] {
            if found == 0 || found % states != 0 {
                return Err(BuildError::of(
                    name,
                    format!("must have a multiple of {states} values, one for each state, found {found}"),
                ));
            }
        }
        let (inputs, outputs) = (b.len() / states, c.len() / states);
        fill("d", &mut d, outputs * inputs)?;
        fill("x0", &mut x0, states)?;
        Ok(StateSpace {
            states,
            inputs,
            a,
            b,
            c,
            d,
            x0,
        })
    }
}

/// Zeros where nothing is given.
fn fill(name: &str, values: &mut Vec<f64>, expected: usize) -> Result<(), BuildError> {
    if values.is_empty() {
        values.resize(expected, 0.0);
    }
    if values.len() == expected {
        return Ok(());
    }
    Err(BuildError::of(
        name,
        format!("must have {expected} values or none, found {}", values.len()),
    ))
}

/// `result = first · x + second · u`, both matrices row by row.
fn combine(result: &mut [f64], first: &[f64], x: &[f64], second: &[f64], u: &[f64]) {
    let rows = first.chunks_exact(x.len()).zip(second.chunks_exact(u.len()));
    for (value, (first, second)) in result.iter_mut().zip(rows) {
        let from_state: f64 = first.iter().zip(x).map(|(m, x)| m * x).sum();
        let from_input: f64 = second.iter().zip(u).map(|(m, u)| m * u).sum();
        *value = from_state + from_input;
    }
}

impl Model for StateSpace {
    fn states(&self) -> usize {
        self.states
    }

    fn initial(&self, x: &mut [f64]) {
        x.copy_from_slice(&self.x0);
    }

    fn derivatives(&self, _t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        combine(dx, &self.a, x, &self.b, u);
    }

    fn outputs(&self, _t: f64, x: &[f64], u: &[f64], y: &mut [f64]) {
        combine(y, &self.c, x, &self.d, u);
    }

    fn jacobian(&self, _t: f64, _x: &[f64], _u: &[f64], jacobian: &mut [f64]) -> bool {
        jacobian.copy_from_slice(&self.a);
        true
    }
}
