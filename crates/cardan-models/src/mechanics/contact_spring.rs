//! A spring that only pushes: what a body feels that comes down on a floor.

use cardan_core::interface::{Interface, Parameter};
use cardan_core::value::Value;

use crate::catalogue::ModelInfo;
use crate::declare::{input, output, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "mechanics",
    name: "contact-spring",
    summary: "a massless floor that pushes back what is pressed into it, and lets go of what leaves",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        real(
            "stiffness",
            "N/m",
            1.0,
            "stiffness of the floor; with another exponent than one, its force at a depth of one metre",
        )
        .at_least(0.0)
        .tunable(),
        real(
            "exponent",
            "",
            1.0,
            "power of the depth that the force follows; 1.5 for two round bodies",
        )
        .at_least(1.0)
        .tunable(),
        real(
            "damping",
            "s/m",
            0.0,
            "part by which the force is larger for each m/s of further pressing in, and smaller on the way out",
        )
        .at_least(0.0)
        .tunable(),
        real("floor", "m", 0.0, "position below which the floor pushes").tunable(),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    let position = ports.port(input("position", "m", "position of what may touch the floor"));
    let velocity = ports.port(
        input(
            "velocity",
            "m/s",
            "its velocity, upwards; only damping asks for it",
        )
        .start(Value::real(0.0)),
    );
    let force = ports.port(output(
        "force",
        "N",
        "force on what touches the floor, upwards; it never pulls",
    ));
    let energy = ports.port(output("energy", "J", "energy stored in the floor"));
    let depth = ports.port(output(
        "depth",
        "m",
        "how far the floor is pressed in; zero while nothing touches it",
    ));
    for output in [force, energy, depth] {
        ports.feeds_through(output, position);
    }
    ports.feeds_through(force, velocity);
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(ContactSpring {
        stiffness: values.real("stiffness")?,
        exponent: values.real("exponent")?,
        damping: values.real("damping")?,
        floor: values.real("floor")?,
        touching: false,
    }))
}

struct ContactSpring {
    stiffness: f64,
    exponent: f64,
    damping: f64,
    floor: f64,
    /// Does the floor push?
    touching: bool,
}

impl ContactSpring {
    fn depth(&self, position: f64) -> f64 {
        (self.floor - position).max(0.0)
    }

    /// The force of the spring alone.
    fn push(&self, depth: f64) -> f64 {
        self.stiffness * depth.powf(self.exponent)
    }

    /// What the velocity makes of it. A damper beside the spring would act at once when the floor is touched: the force
    /// would jump, and pull at the end.
    fn share(&self, velocity: f64) -> f64 {
        (1.0 - self.damping * velocity).max(0.0)
    }
}

impl Model for ContactSpring {
    fn outputs(&self, _t: f64, _x: &[f64], u: &[f64], y: &mut [f64]) {
        let depth = self.depth(u[0]);
        let push = self.push(depth);
        y[0] = match self.touching {
            true => push * self.share(u[1]),
            false => 0.0,
        };
        y[1] = push * depth / (self.exponent + 1.0);
        y[2] = depth;
    }

    /// Differences would look to the other side of the floor wherever it is just touched, which is where it matters.
    fn sensitivity(&self, _t: f64, _x: &[f64], u: &[f64], du: &[f64], dy: &mut [f64]) -> bool {
        let depth = self.depth(u[0]);
        // Where it is just touched, the switch tells on which side it is.
        if depth == 0.0 && !self.touching {
            dy.fill(0.0);
            return true;
        }
        let share = match self.touching {
            true => self.share(u[1]),
            false => 0.0,
        };
        let push = self.push(depth);
        let deeper = -du[0];
        let steepness = self.stiffness * self.exponent * depth.powf(self.exponent - 1.0);
        let share_change = if share > 0.0 { -self.damping * du[1] } else { 0.0 };
        dy[0] = steepness * share * deeper + push * share_change;
        dy[1] = push * deeper;
        dy[2] = deeper;
        true
    }

    fn switches(&self) -> usize {
        1
    }

    /// Positive where the floor pushes: something has come down to it, and does not leave faster than the floor follows.
    fn switch_values(&self, _t: f64, _x: &[f64], u: &[f64], g: &mut [f64]) {
        let below = self.floor - u[0];
        g[0] = match self.damping {
            0.0 => below,
            damping => below.min(1.0 - damping * u[1]),
        };
    }

    fn switch(&mut self, _index: usize, on: bool) {
        self.touching = on;
    }
}
