//! A value that begins to change steadily.

use cardan_core::interface::{Interface, Parameter, Variability};

use super::source::{self, Law};
use crate::catalogue::ModelInfo;
use crate::declare::{optional, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "sources",
    name: "ramp",
    summary: "a value that changes steadily from one instant on, to another one if given",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    source::parameters(vec![
        real("start_time", "s", 0.0, "the instant at which the change begins").tunable(),
        real("slope", "1/s", 1.0, "change per second").tunable(),
        real("offset", "", 0.0, "the value before").tunable(),
        optional(
            "end_time",
            "s",
            "the instant at which the change ends; never if empty",
        )
        .tunable(),
    ])
}

fn ports(values: &Values) -> Result<Interface, BuildError> {
    source::ports(values, Variability::Continuous)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    let ramp = Ramp {
        start: values.real("start_time")?,
        end: values.optional_real("end_time")?.unwrap_or(f64::INFINITY),
        slope: values.real("slope")?,
        offset: values.real("offset")?,
    };
    if ramp.end < ramp.start {
        return Err(BuildError::of(
            "end_time",
            format!(
                "must not lie before start_time = {}, found {}",
                ramp.start, ramp.end
            ),
        ));
    }
    source::model(values, ramp)
}

struct Ramp {
    start: f64,
    end: f64,
    slope: f64,
    offset: f64,
}

impl Law for Ramp {
    fn values(&self, t: f64, y: &mut [f64]) {
        y[0] = self.offset + self.slope * (t.clamp(self.start, self.end) - self.start);
    }

    fn rates(&self, t: f64, dy: &mut [f64]) {
        let rising = (self.start..self.end).contains(&t);
        dy[0] = if rising { self.slope } else { 0.0 };
    }

    fn next_corner(&self, t: f64) -> Option<f64> {
        [self.start, self.end]
            .into_iter()
            .find(|&corner| t < corner && corner.is_finite())
    }
}
