//! The lower half of a double pendulum: a rod that hangs on a moving joint, with a one-sided stop against the upper rod.

use cardan_core::interface::{Interface, Parameter};

use crate::catalogue::ModelInfo;
use crate::declare::{input, output, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "multibody",
    name: "pendulum-lower",
    summary: "a rod on a joint whose motion is given, with a stop like a knee whose closing and opening are events",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        real("mass", "kg", 1.0, "mass of the rod").above(0.0).tunable(),
        real(
            "inertia",
            "kg.m2",
            1.0,
            "moment of inertia about the centre of mass",
        )
        .at_least(0.0)
        .tunable(),
        real(
            "length",
            "m",
            1.0,
            "length of the rod; its centre of mass is half way",
        )
        .above(0.0)
        .tunable(),
        real("gravity", "m/s2", 9.81, "acceleration of gravity, downwards").tunable(),
        real(
            "stop_stiffness",
            "N.m/rad",
            800.0,
            "stiffness of the stop, which keeps the rod from turning beyond the upper one; it never pulls",
        )
        .at_least(0.0)
        .tunable(),
        real("stop_damping", "N.m.s/rad", 3000.0, "damping of the stop")
            .at_least(0.0)
            .tunable(),
        real(
            "angle",
            "rad",
            0.0,
            "angle from hanging down at the start, counter-clockwise",
        ),
        real("speed", "rad/s", 0.0, "angular velocity at the start"),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    let upper = [
        ports.port(input("upper_angle", "rad", "angle of the upper rod")),
        ports.port(input("upper_speed", "rad/s", "angular velocity of the upper rod")),
    ];
    let joint = [
        ports.port(input(
            "acceleration_x",
            "m/s2",
            "acceleration of the joint, to the right",
        )),
        ports.port(input(
            "acceleration_y",
            "m/s2",
            "acceleration of the joint, upwards",
        )),
    ];
    let forces = [
        ports.port(output(
            "force_x",
            "N",
            "force in the joint on this rod, to the right",
        )),
        ports.port(output("force_y", "N", "force in the joint on this rod, upwards")),
    ];
    let torque = ports.port(output("torque", "N.m", "torque of the stop on this rod"));
    ports.port(output(
        "angle",
        "rad",
        "angle from hanging down, counter-clockwise",
    ));
    ports.port(output("speed", "rad/s", "angular velocity"));
    for force in forces {
        for motion in upper.into_iter().chain(joint) {
            ports.feeds_through(force, motion);
        }
    }
    for motion in upper {
        ports.feeds_through(torque, motion);
    }
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(Lower {
        mass: values.real("mass")?,
        inertia: values.real("inertia")?,
        length: values.real("length")?,
        gravity: values.real("gravity")?,
        stop_stiffness: values.real("stop_stiffness")?,
        stop_damping: values.real("stop_damping")?,
        start: [values.real("angle")?, values.real("speed")?],
        closed: false,
    }))
}

struct Lower {
    mass: f64,
    inertia: f64,
    length: f64,
    gravity: f64,
    stop_stiffness: f64,
    stop_damping: f64,
    start: [f64; 2],
    /// Does the stop act?
    closed: bool,
}

impl Lower {
    /// How far the rod is beyond the upper one, and what spring and damper of the stop would do about it.
    fn stop(&self, x: &[f64], u: &[f64]) -> (f64, f64) {
        let (beyond, closing) = (x[0] - u[0], x[1] - u[1]);
        (beyond, self.stop_stiffness * beyond + self.stop_damping * closing)
    }

    /// The stop pushes back, and neither acts from afar nor holds on: it is closed where both values are positive.
    fn torque(&self, x: &[f64], u: &[f64]) -> f64 {
        match self.closed {
            true => -self.stop(x, u).1,
            false => 0.0,
        }
    }

    /// About the joint, which is itself accelerated.
    fn angular_acceleration(&self, x: &[f64], u: &[f64]) -> f64 {
        let (sin, cos) = x[0].sin_cos();
        let lever = 0.5 * self.length;
        let carried = -self.mass * lever * (cos * u[2] + sin * (u[3] + self.gravity));
        (carried + self.torque(x, u)) / (self.inertia + self.mass * lever * lever)
    }
}

impl Model for Lower {
    fn states(&self) -> usize {
        2
    }

    fn initial(&self, x: &mut [f64]) {
        x.copy_from_slice(&self.start);
    }

    fn derivatives(&self, _t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        dx[0] = x[1];
        dx[1] = self.angular_acceleration(x, u);
    }

    fn outputs(&self, _t: f64, x: &[f64], u: &[f64], y: &mut [f64]) {
        let (sin, cos) = x[0].sin_cos();
        let lever = 0.5 * self.length;
        let (along, around) = (x[1] * x[1], self.angular_acceleration(x, u));
        y[0] = self.mass * (u[2] + lever * (cos * around - sin * along));
        y[1] = self.mass * (u[3] + lever * (sin * around + cos * along) + self.gravity);
        y[2] = self.torque(x, u);
        y[3] = x[0];
        y[4] = x[1];
    }

    fn switches(&self) -> usize {
        1
    }

    fn switch_values(&self, _t: f64, x: &[f64], u: &[f64], g: &mut [f64]) {
        // Positive where the stop acts: on arrival the rod is not yet beyond, on departure the push ends first.
        let (beyond, push) = self.stop(x, u);
        g[0] = beyond.min(push);
    }

    fn switch(&mut self, _index: usize, on: bool) {
        self.closed = on;
    }
}
