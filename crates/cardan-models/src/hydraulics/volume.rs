//! A volume of fluid that is compressed by what flows in.

use cardan_core::interface::{Interface, Parameter};

use super::ports::{flow_in, pressure_out};
use crate::catalogue::ModelInfo;
use crate::declare::real;
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "hydraulics",
    name: "hydraulic-volume",
    summary: "a volume of fluid between two parts, compressed by what flows in",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        real("volume", "m3", 1e-3, "volume").above(0.0).tunable(),
        real(
            "bulk_modulus",
            "Pa",
            1.6e9,
            "pressure for each part of the volume that more fluid would take",
        )
        .above(0.0)
        .tunable(),
        real(
            "pressure",
            "Pa",
            0.0,
            "pressure at the start, above that of the tank",
        ),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    ports.port(flow_in("flow_a", "flow into the volume, from one part"));
    ports.port(flow_in("flow_b", "flow into the volume, from another part"));
    ports.port(pressure_out("pressure", "pressure, above that of the tank"));
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(Volume {
        stiffness: values.real("bulk_modulus")? / values.real("volume")?,
        start: values.real("pressure")?,
    }))
}

struct Volume {
    /// Pressure for each volume of fluid that flows in.
    stiffness: f64,
    start: f64,
}

impl Model for Volume {
    fn states(&self) -> usize {
        1
    }

    fn initial(&self, x: &mut [f64]) {
        x[0] = self.start;
    }

    fn derivatives(&self, _t: f64, _x: &[f64], u: &[f64], dx: &mut [f64]) {
        dx[0] = self.stiffness * (u[0] + u[1]);
    }

    fn outputs(&self, _t: f64, x: &[f64], _u: &[f64], y: &mut [f64]) {
        y[0] = x[0];
    }

    fn jacobian(&self, _t: f64, _x: &[f64], _u: &[f64], jacobian: &mut [f64]) -> bool {
        jacobian[0] = 0.0;
        true
    }
}
