//! One value before an instant, another from it on.

use cardan_core::interface::{Interface, Parameter, Variability};

use super::source::{self, Law};
use crate::catalogue::ModelInfo;
use crate::declare::real;
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "sources",
    name: "step",
    summary: "one value before an instant, another from it on",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    source::parameters(vec![
        real("time", "s", 0.0, "the instant of the jump").tunable(),
        real("before", "", 0.0, "the value before it").tunable(),
        real("after", "", 1.0, "the value from it on").tunable(),
    ])
}

fn ports(values: &Values) -> Result<Interface, BuildError> {
    // Between two points on both sides of the jump lies no line, so nobody should draw one.
    source::ports(values, Variability::Discrete)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    let step = Step {
        time: values.real("time")?,
        before: values.real("before")?,
        after: values.real("after")?,
    };
    source::model(values, step)
}

struct Step {
    time: f64,
    before: f64,
    after: f64,
}

impl Law for Step {
    fn values(&self, t: f64, y: &mut [f64]) {
        y[0] = if t < self.time { self.before } else { self.after };
    }

    fn rates(&self, _t: f64, dy: &mut [f64]) {
        dy[0] = 0.0;
    }

    fn next_corner(&self, t: f64) -> Option<f64> {
        (t < self.time).then_some(self.time)
    }
}
