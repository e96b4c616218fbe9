//! A harmonic oscillation.

use std::f64::consts::TAU;

use cardan_core::interface::{Interface, Parameter, Variability};

use super::source::{self, Law};
use crate::catalogue::ModelInfo;
use crate::declare::real;
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "sources",
    name: "sine",
    summary: "offset + amplitude · sin(2π · frequency · t + phase)",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    source::parameters(vec![
        real("amplitude", "", 1.0, "amplitude").tunable(),
        real("frequency", "Hz", 1.0, "frequency").at_least(0.0).tunable(),
        real("phase", "rad", 0.0, "phase at time zero").tunable(),
        real("offset", "", 0.0, "mean value").tunable(),
    ])
}

fn ports(values: &Values) -> Result<Interface, BuildError> {
    source::ports(values, Variability::Continuous)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    let sine = Sine {
        amplitude: values.real("amplitude")?,
        angular: TAU * values.real("frequency")?,
        phase: values.real("phase")?,
        offset: values.real("offset")?,
    };
    source::model(values, sine)
}

struct Sine {
    amplitude: f64,
    angular: f64,
    phase: f64,
    offset: f64,
}

impl Law for Sine {
    fn values(&self, t: f64, y: &mut [f64]) {
        y[0] = self.offset + self.amplitude * (self.angular * t + self.phase).sin();
    }

    fn rates(&self, t: f64, dy: &mut [f64]) {
        dy[0] = self.amplitude * self.angular * (self.angular * t + self.phase).cos();
    }
}
