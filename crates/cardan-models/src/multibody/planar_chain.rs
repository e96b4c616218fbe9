//! A chain of rigid bodies in a vertical plane, hinged to the ground or free, with loads at its ends.

use cardan_core::form::Form;
use cardan_core::interface::{Interface, Parameter};
use cardan_core::value::{Shape, Value, ValueType};

use super::chain_dynamics::{Chain, Link, MOST, PlanarLoad, Point};
use crate::catalogue::ModelInfo;
use crate::declare::{input, list, output, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "multibody",
    name: "planar-chain",
    summary: "bodies in a row, joined by hinges, in the vertical plane z = 0, on a hinge or free, with loads at their ends",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    let none = || Value::Reals(Vec::new());
    let one = || Value::Reals(vec![1.0]);
    let pair = || Value::Reals(vec![0.0; 2]);
    vec![
        Parameter::new("base")
            .typed(ValueType::String)
            .default(Value::string("hinge"))
            .described(
                "the near end of the first body: on a \"hinge\" that does not move, or \"free\", with a port base_load",
            ),
        list("lengths", "m", "length of each body; as many as there are bodies")
            .above(0.0)
            .default(one()),
        list("masses", "kg", "mass of each body, or one for all")
            .above(0.0)
            .default(one()),
        list(
            "inertias",
            "kg.m2",
            "moment of inertia of each body about its centre of mass; those of thin rods if empty",
        )
        // A body that turns without energy has no law of motion.
        .above(0.0)
        .default(none()),
        list(
            "centres",
            "m",
            "distance of each centre of mass from the near end, along the body; half way if empty",
        )
        .default(none()),
        real("gravity", "m/s2", 9.81, "acceleration of gravity, against y").tunable(),
        real(
            "hinge_damping",
            "N.m.s/rad",
            0.0,
            "damping in the hinge to the ground",
        )
        .at_least(0.0)
        .tunable(),
        real(
            "joint_damping",
            "N.m.s/rad",
            0.0,
            "damping in each joint between two bodies",
        )
        .at_least(0.0)
        .tunable(),
        list("position", "m", "the hinge, or the free end at the start: x, y").default(pair()),
        list("velocity", "m/s", "velocity of the free end at the start: x, y").default(pair()),
        list(
            "angles",
            "rad",
            "angle of each body from the x axis at the start, counter-clockwise, or one for all; 0 if empty",
        )
        .default(none()),
        list(
            "speeds",
            "rad/s",
            "angular velocity of each body at the start, or one for all; 0 if empty",
        )
        .default(none()),
    ]
}

fn ports(values: &Values) -> Result<Interface, BuildError> {
    let (bodies, free) = (bodies(values)?, is_free(values)?);
    let load = |name, description| {
        input(name, "", description)
            .load()
            .start(Value::Reals(vec![0.0; 6]))
    };
    let of_each = |name, unit, description| output(name, unit, description).shaped(Shape::vector(bodies));
    let mut ports = Interface::default();
    if free {
        ports.port(load(
            "base_load",
            "force and moment at the near end of the first body, on it; only what acts in the plane counts",
        ));
    }
    let tip_load = ports.port(load(
        "tip_load",
        "force and moment at the far end of the last body, on it; only what acts in the plane counts",
    ));
    ports.port(output("base", "", "motion of the first body at its near end").frame());
    ports.port(output("tip", "", "motion of the last body at its far end").frame());
    ports.port(of_each(
        "angle",
        "rad",
        "angle of each body from the x axis, counter-clockwise",
    ));
    ports.port(of_each("speed", "rad/s", "angular velocity of each body"));
    ports.port(output(
        "energy",
        "J",
        "kinetic energy, and potential energy in gravity",
    ));
    if !free {
        let force = output("hinge_force", "N", "force of the hinge on the first body: x, y");
        let force = ports.port(force.shaped(Shape::vector(2)));
        ports.feeds_through(force, tip_load);
    }
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    let (links, free) = (links(values)?, is_free(values)?);
    let count = links.len();
    let [position, velocity] = [pair(values, "position")?, pair(values, "velocity")?];
    let hinge_damping = values.real("hinge_damping")?;
    let mut start = Vec::new();
    let states = [
        (position, values_of(values, "angles", count)?),
        (velocity, values_of(values, "speeds", count)?),
    ];
    for (of_base, of_bodies) in states {
        if free {
            start.extend(of_base);
        }
        start.extend(of_bodies.unwrap_or_else(|| vec![0.0; count]));
    }
    if free && hinge_damping != 0.0 {
        return Err(BuildError::of("hinge_damping", "a free chain has no hinge"));
    }
    if !free && velocity != [0.0; 2] {
        return Err(BuildError::of("velocity", "the hinge does not move"));
    }
    let mut damping = vec![values.real("joint_damping")?; count];
    damping[0] = hinge_damping;
    let hinge = (!free).then_some(position);
    Ok(Box::new(PlanarChain {
        chain: Chain::new(links, hinge, values.real("gravity")?, damping),
        free,
        start,
    }))
}

fn is_free(values: &Values) -> Result<bool, BuildError> {
    match values.text("base")? {
        "hinge" => Ok(false),
        "free" => Ok(true),
        other => Err(BuildError::of(
            "base",
            format!("must be \"hinge\" or \"free\", found \"{other}\""),
        )),
    }
}

fn bodies(values: &Values) -> Result<usize, BuildError> {
    match values.reals("lengths")?.len() {
        count @ 1..=MOST => Ok(count),
        other => Err(BuildError::of(
            "lengths",
            format!("expected the lengths of 1 to {MOST} bodies, found {other}"),
        )),
    }
}

/// A value for each body; none where the list is empty.
fn values_of(values: &Values, name: &str, count: usize) -> Result<Option<Vec<f64>>, BuildError> {
    match values.reals(name)? {
        [] => Ok(None),
        [one] => Ok(Some(vec![*one; count])),
        many if many.len() == count => Ok(Some(many.to_vec())),
        many => Err(BuildError::of(
            name,
            format!(
                "expected {count} values, one for each length, or one for all; found {}",
                many.len()
            ),
        )),
    }
}

fn pair(values: &Values, name: &str) -> Result<[f64; 2], BuildError> {
    let found = values.reals(name)?;
    <[f64; 2]>::try_from(found)
        .map_err(|_| BuildError::of(name, format!("expected 2 values (x, y), found {}", found.len())))
}

fn links(values: &Values) -> Result<Vec<Link>, BuildError> {
    let count = bodies(values)?;
    let lengths = values.reals("lengths")?;
    let Some(masses) = values_of(values, "masses", count)? else {
        return Err(BuildError::of(
            "masses",
            "expected at least one value, found none",
        ));
    };
    let centres = values_of(values, "centres", count)?;
    let inertias = values_of(values, "inertias", count)?;
    let link = |i: usize| Link {
        length: lengths[i],
        mass: masses[i],
        centre: centres.as_ref().map_or(0.5 * lengths[i], |centres| centres[i]),
        inertia: inertias
            .as_ref()
            .map_or(masses[i] * lengths[i] * lengths[i] / 12.0, |inertias| inertias[i]),
    };
    Ok((0..count).map(link).collect())
}

struct PlanarChain {
    chain: Chain,
    free: bool,
    /// Coordinates, then their velocities.
    start: Vec<f64>,
}

const FRAME: usize = Form::AT_REST.len();

fn show(point: &Point, frame: &mut [f64]) {
    let (sin, cos) = (0.5 * point.angle).sin_cos();
    frame.copy_from_slice(&[
        point.position[0],
        point.position[1],
        0.0,
        cos,
        0.0,
        0.0,
        sin,
        point.velocity[0],
        point.velocity[1],
        0.0,
        0.0,
        0.0,
        point.speed,
    ]);
}

impl PlanarChain {
    /// At the first end and at the last one.
    fn loads(&self, u: &[f64]) -> [PlanarLoad; 2] {
        if self.free {
            [PlanarLoad::of(&u[..6]), PlanarLoad::of(&u[6..])]
        } else {
            [PlanarLoad::default(), PlanarLoad::of(u)]
        }
    }
}

impl Model for PlanarChain {
    fn states(&self) -> usize {
        self.start.len()
    }

    fn initial(&self, x: &mut [f64]) {
        x.copy_from_slice(&self.start);
    }

    fn derivatives(&self, _t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        let count = self.chain.coordinates();
        let (q, v) = x.split_at(count);
        let [base, tip] = self.loads(u);
        dx[..count].copy_from_slice(v);
        dx[count..].copy_from_slice(&self.chain.accelerations(q, v, base, tip)[..count]);
    }

    fn outputs(&self, _t: f64, x: &[f64], u: &[f64], y: &mut [f64]) {
        let (q, v) = x.split_at(self.chain.coordinates());
        let (first, bodies) = (self.chain.before(), self.chain.bodies());
        let (frames, rest) = y.split_at_mut(2 * FRAME);
        show(&self.chain.base(q, v), &mut frames[..FRAME]);
        show(&self.chain.tip(q, v), &mut frames[FRAME..]);
        rest[..bodies].copy_from_slice(&q[first..]);
        rest[bodies..2 * bodies].copy_from_slice(&v[first..]);
        rest[2 * bodies] = self.chain.energy(q, v);
        if !self.free {
            let [base, tip] = self.loads(u);
            let accelerations = self.chain.accelerations(q, v, base, tip);
            let force = self.chain.hinge_force(q, v, &accelerations, tip.force);
            rest[2 * bodies + 1..].copy_from_slice(&force);
        }
    }

    fn sensitivity(&self, _t: f64, x: &[f64], _u: &[f64], du: &[f64], dy: &mut [f64]) -> bool {
        dy.fill(0.0);
        if !self.free {
            let (q, _) = x.split_at(self.chain.coordinates());
            let [base, tip] = self.loads(du);
            let response = self.chain.response(q, base, tip);
            let last = dy.len() - 2;
            dy[last..].copy_from_slice(&self.chain.hinge_response(q, &response, tip.force));
        }
        true
    }
}
