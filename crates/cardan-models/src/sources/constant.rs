//! The same value all the time.

use cardan_core::interface::{Interface, Parameter, Variability};

use super::source::{self, Law};
use crate::catalogue::ModelInfo;
use crate::declare::real;
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "sources",
    name: "constant",
    summary: "the same value all the time",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    source::parameters(vec![real("value", "", 0.0, "the value").tunable()])
}

fn ports(values: &Values) -> Result<Interface, BuildError> {
    source::ports(values, Variability::Continuous)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    source::model(values, Constant(values.real("value")?))
}

struct Constant(f64);

impl Law for Constant {
    fn values(&self, _t: f64, y: &mut [f64]) {
        y[0] = self.0;
    }

    fn rates(&self, _t: f64, dy: &mut [f64]) {
        dy[0] = 0.0;
    }
}
