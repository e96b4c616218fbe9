//! A spark-ignition engine with its averages over a working cycle, after Crossley and Cook (1991), behind a gear.

use std::f64::consts::PI;

use cardan_core::interface::{Interface, Parameter};

use crate::catalogue::ModelInfo;
use crate::declare::{input, output, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "vehicle",
    name: "mean-value-engine",
    summary: "a petrol engine with four cylinders behind a gear: throttle and speed to torque, without strokes",
    parameters,
    ports,
    model,
};

pub(super) fn parameters() -> Vec<Parameter> {
    vec![
        real(
            "gear",
            "",
            1.0,
            "how much faster the engine turns than the shaft behind the gear",
        )
        .above(0.0)
        .tunable(),
        real("air_fuel_ratio", "", 14.6, "mass of air for each mass of fuel")
            .above(0.0)
            .tunable(),
        real(
            "spark_advance",
            "deg",
            15.0,
            "how far before the top of the stroke the spark comes",
        )
        .tunable(),
        real("pressure", "bar", 0.543, "pressure in the manifold at the start").above(0.0),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    ports.port(input("throttle", "deg", "angle of the throttle"));
    let speed = ports.port(input(
        "speed",
        "rad/s",
        "angular velocity of the shaft behind the gear; an engine that stands still has no torque",
    ));
    let torque = ports.port(output("torque", "N.m", "torque on the shaft behind the gear"));
    ports.port(output("pressure", "bar", "pressure in the manifold"));
    ports.feeds_through(torque, speed);
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(engine(values)?))
}

pub(super) fn engine(values: &Values) -> Result<Engine, BuildError> {
    Ok(Engine {
        gear: values.real("gear")?,
        air_fuel_ratio: values.real("air_fuel_ratio")?,
        spark_advance: values.real("spark_advance")?,
        pressure: values.real("pressure")?,
    })
}

pub(super) struct Engine {
    gear: f64,
    air_fuel_ratio: f64,
    spark_advance: f64,
    pressure: f64,
}

/// Pressure per mass of air in the manifold, bar/g.
const FILLING: f64 = 0.41328;

/// Air through the throttle into the manifold, g/s, at an ambient pressure of one bar.
fn air_in(throttle: f64, pressure: f64) -> f64 {
    let opening = 2.821 - 0.05231 * throttle + 0.10299 * throttle.powi(2) - 0.00063 * throttle.powi(3);
    let flow = match pressure {
        // As fast as sound, whatever the pressure behind.
        p if p <= 0.5 => 1.0,
        p if p <= 1.0 => 2.0 * (p - p * p).sqrt(),
        _ => 0.0,
    };
    opening * flow
}

/// Air from the manifold into the cylinders, g/s.
fn air_out(pressure: f64, speed: f64) -> f64 {
    -0.366 + 0.08979 * speed * pressure - 0.0337 * speed * pressure.powi(2)
        + 0.0001 * speed.powi(2) * pressure
}

impl Engine {
    /// At the crankshaft, which turns at `speed`.
    fn torque(&self, pressure: f64, speed: f64) -> f64 {
        // A cylinder fills every half turn.
        let air = air_out(pressure, speed) * PI / speed;
        let (ratio, spark) = (self.air_fuel_ratio, self.spark_advance);
        -181.3 + 379.36 * air + 21.91 * ratio - 0.85 * ratio.powi(2) + 0.26 * spark - 0.0028 * spark.powi(2)
            + 0.027 * speed
            - 0.000107 * speed.powi(2)
            + 0.00048 * speed * spark
            + 2.55 * spark * air
            - 0.05 * spark.powi(2) * air
    }
}

impl Model for Engine {
    fn states(&self) -> usize {
        1
    }

    fn initial(&self, x: &mut [f64]) {
        x[0] = self.pressure;
    }

    fn derivatives(&self, _t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        dx[0] = FILLING * (air_in(u[0], x[0]) - air_out(x[0], self.gear * u[1]));
    }

    fn outputs(&self, _t: f64, x: &[f64], u: &[f64], y: &mut [f64]) {
        y[0] = self.gear * self.torque(x[0], self.gear * u[1]);
        y[1] = x[0];
    }
}
