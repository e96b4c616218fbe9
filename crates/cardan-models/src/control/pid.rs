//! The PID controller.

use cardan_core::interface::{Interface, Parameter};
use cardan_core::value::Value;

use crate::catalogue::ModelInfo;
use crate::declare::{input, optional, output, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "control",
    name: "pid",
    summary: "a PID controller with filtered derivative, optional limits and anti-windup",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        real("kp", "", 1.0, "proportional gain").tunable(),
        real("ki", "1/s", 0.0, "integral gain").tunable(),
        real("kd", "s", 0.0, "derivative gain").tunable(),
        real(
            "filter_time",
            "s",
            0.01,
            "time constant of the filter before the derivative; its state starts at zero",
        )
        .above(0.0)
        .tunable(),
        optional("minimum", "", "lower limit of the output; none if empty").tunable(),
        optional("maximum", "", "upper limit of the output; none if empty").tunable(),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    let setpoint = ports.port(input("setpoint", "", "what is wanted").start(Value::real(0.0)));
    let measurement = ports.port(input("measurement", "", "what is"));
    let y = ports.port(output("y", "", "what to do about the difference"));
    ports.feeds_through(y, setpoint);
    ports.feeds_through(y, measurement);
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    let minimum = values.optional_real("minimum")?.unwrap_or(f64::NEG_INFINITY);
    let maximum = values.optional_real("maximum")?.unwrap_or(f64::INFINITY);
    if minimum >= maximum {
        return Err(BuildError::of(
            "minimum",
            format!("must be less than maximum, but {minimum} is not less than {maximum}"),
        ));
    }
    Ok(Box::new(Pid {
        kp: values.real("kp")?,
        ki: values.real("ki")?,
        kd: values.real("kd")?,
        filter_time: values.real("filter_time")?,
        minimum,
        maximum,
        sides: [false; SWITCHES],
    }))
}

/// The integrator is not stopped at once where the output meets its limit, but over this part of the range of the
/// output: a right-hand side with a jump would have the solver rattle along the limit in tiny steps.
const SOFT_EDGE: f64 = 0.01;

/// The output meets its upper limit, the integrator stops beyond it; and the same below. Without a limit neither happens.
const SWITCHES: usize = 4;

struct Pid {
    kp: f64,
    ki: f64,
    kd: f64,
    filter_time: f64,
    minimum: f64,
    maximum: f64,
    /// Which laws hold: those of the switches.
    sides: [bool; SWITCHES],
}

impl Pid {
    fn error(u: &[f64]) -> f64 {
        u[0] - u[1]
    }

    /// The filtered derivative of the error. Without a derivative gain the filter rests, and its short time constant
    /// bothers no solver.
    fn error_rate(&self, x: &[f64], error: f64) -> f64 {
        if self.kd == 0.0 {
            0.0
        } else {
            (error - x[1]) / self.filter_time
        }
    }

    fn unlimited(&self, x: &[f64], error: f64) -> f64 {
        self.kp * error + x[0] + self.kd * self.error_rate(x, error)
    }

    /// By how much the output would be beyond its limits: above the upper one, below the lower one.
    fn excess(&self, unlimited: f64) -> [f64; 2] {
        [unlimited - self.maximum, self.minimum - unlimited]
    }

    /// Over how much the integrator comes to its stop.
    fn edge(&self) -> f64 {
        let range = self.maximum - self.minimum;
        let size = match (range.is_finite(), self.maximum.is_finite()) {
            (true, _) => range,
            (false, true) => self.maximum.abs().max(1.0),
            (false, false) => self.minimum.abs().max(1.0),
        };
        SOFT_EDGE * size
    }

    /// How freely the integrator may run in the direction of `push`: one inside the limits, zero beyond them.
    fn freedom(&self, unlimited: f64, push: f64) -> f64 {
        let limit = usize::from(push <= 0.0);
        match (self.sides[2 * limit], self.sides[2 * limit + 1]) {
            (false, _) => 1.0,
            (true, false) => 1.0 - self.excess(unlimited)[limit] / self.edge(),
            (true, true) => 0.0,
        }
    }
}

impl Model for Pid {
    /// The integral part of the output (its gain included, so that tuning the gain gives no bump), and the filtered
    /// error.
    fn states(&self) -> usize {
        2
    }

    fn initial(&self, x: &mut [f64]) {
        x.fill(0.0);
    }

    fn derivatives(&self, _t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        let error = Self::error(u);
        let push = self.ki * error;
        dx[0] = push * self.freedom(self.unlimited(x, error), push);
        dx[1] = self.error_rate(x, error);
    }

    fn outputs(&self, _t: f64, x: &[f64], u: &[f64], y: &mut [f64]) {
        let unlimited = self.unlimited(x, Self::error(u));
        let ([above, below], edge) = (self.excess(unlimited), self.edge());
        // What is clearly beyond a limit, or back from it, needs no event to show it.
        y[0] = match self.sides {
            [true, ..] if above > -edge => self.maximum,
            [_, _, true, _] if below > -edge => self.minimum,
            _ if above > edge => self.maximum,
            _ if below > edge => self.minimum,
            _ => unlimited,
        };
    }

    fn switches(&self) -> usize {
        SWITCHES
    }

    fn switch_values(&self, _t: f64, x: &[f64], u: &[f64], g: &mut [f64]) {
        let excess = self.excess(self.unlimited(x, Self::error(u)));
        for (limit, excess) in excess.into_iter().enumerate() {
            // A limit that there is not is never met.
            let (met, stopped) = match excess.is_finite() {
                true => (excess, excess - self.edge()),
                false => (-1.0, -1.0),
            };
            (g[2 * limit], g[2 * limit + 1]) = (met, stopped);
        }
    }

    fn switch(&mut self, index: usize, on: bool) {
        self.sides[index] = on;
    }
}
