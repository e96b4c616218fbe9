//! The petrol engine with a driver: its throttle follows a table of time.

use cardan_core::interface::{Interface, Parameter};
use cardan_core::value::Value;

use super::mean_value_engine::{self, Engine};
use crate::catalogue::ModelInfo;
use crate::declare::{input, list, output};
use crate::sources::{Interpolation, Law, Table};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "vehicle",
    name: "spark-ignition-engine",
    summary: "a petrol engine with four cylinders, a gearbox and a throttle that follows a table: speed to torque",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    let mut parameters = mean_value_engine::parameters();
    let reals = |values: &[f64]| Value::Reals(values.to_vec());
    parameters.push(
        list(
            "throttle_times",
            "s",
            "instants of the throttle's table; straight lines in between",
        )
        .default(reals(&[0.0])),
    );
    parameters.push(
        list(
            "throttle_angles",
            "deg",
            "angle of the throttle at each of these instants",
        )
        .default(reals(&[8.97])),
    );
    parameters
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    let speed = ports.port(input(
        "speed",
        "rad/s",
        "angular velocity of the shaft behind the gearbox; an engine that stands still has no torque",
    ));
    let torque = ports.port(output("torque", "N.m", "torque on the shaft behind the gearbox"));
    ports.port(output("pressure", "bar", "pressure in the manifold"));
    ports.port(output("throttle", "deg", "angle of the throttle"));
    ports.feeds_through(torque, speed);
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    let (times, angles) = (values.reals("throttle_times")?, values.reals("throttle_angles")?);
    let table = Table::new(times.to_vec(), vec![angles.to_vec()], Interpolation::Linear);
    let throttle = table.map_err(|error| {
        let parameter = match error.parameter.as_deref() {
            Some("times") => "throttle_times",
            _ => "throttle_angles",
        };
        BuildError::of(parameter, error.message)
    })?;
    Ok(Box::new(Driven {
        engine: mean_value_engine::engine(values)?,
        throttle,
    }))
}

struct Driven {
    engine: Engine,
    throttle: Table,
}

impl Driven {
    fn throttle(&self, t: f64) -> f64 {
        let mut angle = [0.0];
        self.throttle.values(t, &mut angle);
        angle[0]
    }
}

impl Model for Driven {
    fn states(&self) -> usize {
        self.engine.states()
    }

    fn initial(&self, x: &mut [f64]) {
        self.engine.initial(x);
    }

    fn derivatives(&self, t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        self.engine.derivatives(t, x, &[self.throttle(t), u[0]], dx);
    }

    fn outputs(&self, t: f64, x: &[f64], u: &[f64], y: &mut [f64]) {
        let throttle = self.throttle(t);
        self.engine.outputs(t, x, &[throttle, u[0]], &mut y[..2]);
        y[2] = throttle;
    }

    fn next_instant(&self, t: f64) -> Option<f64> {
        self.throttle.next_corner(t)
    }
}
