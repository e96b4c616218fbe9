//! Two point masses on massless rods, in the coordinates of the masses.

use cardan_core::interface::{Interface, Parameter};

use super::mechanism::{Body, Joint, JointKind, Mechanism, PointName, PortKind, PortOf, Space};
use crate::catalogue::ModelInfo;
use crate::declare::real;
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "multibody",
    name: "double-pendulum",
    summary: "two point masses on massless rods in a plane, as particles with constraints",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    let of = |which: &str, what: &str| format!("{what} of the {which} pendulum");
    vec![
        real("mass1", "kg", 1.0, &of("upper", "mass")).above(0.0),
        real("mass2", "kg", 1.0, &of("lower", "mass")).above(0.0),
        real("length1", "m", 1.0, &of("upper", "length")).above(0.0),
        real("length2", "m", 1.0, &of("lower", "length")).above(0.0),
        real("gravity", "m/s2", 9.81, "acceleration of gravity, downwards"),
        real(
            "angle1",
            "rad",
            0.0,
            "angle of the upper rod from the downward vertical at the start",
        ),
        real(
            "angle2",
            "rad",
            0.0,
            "angle of the lower rod from the downward vertical at the start",
        ),
        real(
            "speed1",
            "rad/s",
            0.0,
            "angular velocity of the upper rod at the start",
        ),
        real(
            "speed2",
            "rad/s",
            0.0,
            "angular velocity of the lower rod at the start",
        ),
    ]
}

fn ports(values: &Values) -> Result<Interface, BuildError> {
    Ok(mechanism(values)?.assemble()?.interface())
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(mechanism(values)?.assemble()?.model())
}

fn mechanism(values: &Values) -> Result<Mechanism, BuildError> {
    let at = |body: &str| PointName {
        body: body.to_owned(),
        point: "origin".to_owned(),
    };
    let mut mechanism = Mechanism {
        space: Space::Plane,
        gravity: [0.0, -values.real("gravity")?, 0.0],
        ..Mechanism::default()
    };
    let (mut position, mut velocity, mut above) = ([0.0; 3], [0.0; 3], "ground");
    for (number, name) in [("1", "upper"), ("2", "lower")] {
        let value = |what: &str| values.real(&format!("{what}{number}"));
        let (length, speed) = (value("length")?, value("speed")?);
        let (sine, cosine) = value("angle")?.sin_cos();
        position = [position[0] + length * sine, position[1] - length * cosine, 0.0];
        velocity = [
            velocity[0] + length * speed * cosine,
            velocity[1] + length * speed * sine,
            0.0,
        ];
        mechanism.bodies.push(Body {
            name: name.to_owned(),
            mass: value("mass")?,
            position: Some(position),
            velocity: Some(velocity),
            ..Body::default()
        });
        mechanism.joints.push(Joint {
            name: format!("{name}_rod"),
            kind: JointKind::Distance { length: Some(length) },
            between: [at(above), at(name)],
            start: None,
            speed: None,
            drive: None,
        });
        for (port, kind) in [
            (format!("{name}_force"), PortKind::Force { at: at(name) }),
            (name.to_owned(), PortKind::Point { at: at(name) }),
        ] {
            mechanism.ports.push(PortOf { name: port, kind });
        }
        above = name;
    }
    Ok(mechanism)
}
