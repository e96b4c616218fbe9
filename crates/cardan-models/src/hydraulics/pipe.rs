//! A short pipe whose fluid has inertia and friction, with an orifice if there is one.

use std::f64::consts::PI;

use cardan_core::interface::{Interface, Parameter};

use super::ports::{flow_out, pressure_in};
use crate::catalogue::ModelInfo;
use crate::declare::{optional, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "hydraulics",
    name: "hydraulic-pipe",
    summary: "a short pipe with the inertia and friction of its fluid, and an orifice; with a given pressure at one end a supply",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        real("length", "m", 1.0, "length").above(0.0).tunable(),
        real("area", "m2", 1e-4, "cross section of the pipe, which is round")
            .above(0.0)
            .tunable(),
        real("density", "kg/m3", 870.0, "density of the fluid")
            .above(0.0)
            .tunable(),
        real(
            "viscosity",
            "Pa.s",
            0.0,
            "dynamic viscosity of the fluid, which flows in layers along the pipe",
        )
        .at_least(0.0)
        .tunable(),
        optional("orifice_area", "m2", "opening of an orifice in the pipe; none if empty")
            .above(0.0)
            .tunable(),
        real(
            "discharge",
            "",
            0.7,
            "how much of the orifice the flow fills: its discharge coefficient",
        )
        .above(0.0)
        .tunable(),
        real(
            "laminar_flow",
            "m3/s",
            1e-6,
            "far below this flow the pressure lost in the orifice grows with the flow, far above with its square",
        )
        .above(0.0)
        .tunable(),
        real("flow", "m3/s", 0.0, "flow from a to b at the start"),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    ports.port(pressure_in("pressure_a", "pressure at end a"));
    ports.port(pressure_in("pressure_b", "pressure at end b"));
    ports.port(flow_out("flow_a", "flow out of the pipe at end a"));
    ports.port(flow_out("flow_b", "flow out of the pipe at end b"));
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    let [length, area, density] = [
        values.real("length")?,
        values.real("area")?,
        values.real("density")?,
    ];
    let orifice = values.optional_real("orifice_area")?;
    let discharge = values.real("discharge")?;
    Ok(Box::new(Pipe {
        area,
        inertia: density * length,
        // Hagen and Poiseuille, in terms of area and mean velocity.
        friction: 8.0 * PI * values.real("viscosity")? * length / area,
        orifice: orifice.map_or(0.0, |orifice| {
            0.5 * density * (area / (discharge * orifice)).powi(2)
        }),
        laminar: values.real("laminar_flow")? / area,
        start: values.real("flow")? / area,
    }))
}

/// Its state is the mean velocity of the fluid, which is of a size that suits a solver's tolerances.
struct Pipe {
    area: f64,
    /// Pressure for each acceleration.
    inertia: f64,
    /// Pressure for each velocity.
    friction: f64,
    /// Pressure for each square of a velocity.
    orifice: f64,
    /// The velocity at the edge of the laminar zone of the orifice.
    laminar: f64,
    start: f64,
}

impl Model for Pipe {
    fn states(&self) -> usize {
        1
    }

    fn initial(&self, x: &mut [f64]) {
        x[0] = self.start;
    }

    fn derivatives(&self, _t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        let lost = x[0] * (self.friction + self.orifice * x[0].hypot(self.laminar));
        dx[0] = (u[0] - u[1] - lost) / self.inertia;
    }

    fn outputs(&self, _t: f64, x: &[f64], _u: &[f64], y: &mut [f64]) {
        y[0] = -self.area * x[0];
        y[1] = self.area * x[0];
    }

    fn jacobian(&self, _t: f64, x: &[f64], _u: &[f64], jacobian: &mut [f64]) -> bool {
        let speed = x[0].hypot(self.laminar);
        jacobian[0] = -(self.friction + self.orifice * (speed + x[0] * x[0] / speed)) / self.inertia;
        true
    }
}
