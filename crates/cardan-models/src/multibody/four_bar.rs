//! A chain of four-bar linkages in natural coordinates: each crank and coupler a body of its own.

use cardan_core::interface::{Interface, Parameter};

use super::mechanism::{
    Body, Force, ForceKind, Joint, JointKind, Mechanism, Point, PointName, PortKind, PortOf, Space,
};
use crate::catalogue::ModelInfo;
use crate::declare::real;
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "multibody",
    name: "four-bar",
    summary: "parallel cranks and couplers as bodies with constraints; it passes singular positions every half turn",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        real(
            "loops",
            "",
            1.0,
            "number of loops: of couplers, and of cranks less one",
        )
        .at_least(1.0),
        real(
            "mass",
            "kg",
            1.0,
            "mass of each crank and of each coupler, spread evenly",
        )
        .above(0.0),
        real("length", "m", 1.0, "length of each crank and of each coupler").above(0.0),
        real(
            "damping",
            "N.m.s/rad",
            0.0,
            "damping in the hinge of the first crank",
        )
        .at_least(0.0),
        real("gravity", "m/s2", 9.81, "acceleration of gravity, downwards"),
        real(
            "angle",
            "rad",
            0.0,
            "angle of the cranks from upright at the start, clockwise",
        ),
        real(
            "speed",
            "rad/s",
            0.0,
            "angular velocity of the cranks at the start",
        ),
    ]
}

fn ports(values: &Values) -> Result<Interface, BuildError> {
    Ok(mechanism(values)?.assemble()?.interface())
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    Ok(mechanism(values)?.assemble()?.model())
}

fn at(body: impl Into<String>, point: impl Into<String>) -> PointName {
    PointName {
        body: body.into(),
        point: point.into(),
    }
}

fn mechanism(values: &Values) -> Result<Mechanism, BuildError> {
    let loops = values.real("loops")?;
    if loops.fract() != 0.0 || loops > 1e5 {
        return Err(BuildError::of("loops", "must be a whole number, at most 100000"));
    }
    let (mass, length) = (values.real("mass")?, values.real("length")?);
    let (angle, loops) = (values.real("angle")?, loops as usize);
    let (sine, cosine) = angle.sin_cos();
    // Bodies lie along their y axis, so that a crank is upright at the angle zero.
    let rod = |name: String, foot: [f64; 3], turned: f64| Body {
        name,
        mass,
        center: [0.0, 0.5 * length, 0.0],
        inertia: Some([mass * length * length / 12.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        points: vec![
            Point {
                name: "foot".to_owned(),
                at: [0.0; 3],
            },
            Point {
                name: "tip".to_owned(),
                at: [0.0, length, 0.0],
            },
        ],
        position: Some(foot),
        orientation: Some([(0.5 * turned).cos(), 0.0, 0.0, (0.5 * turned).sin()]),
        ..Body::default()
    };
    let hinge = |name: String, between: [PointName; 2]| Joint {
        name,
        kind: JointKind::Revolute {
            axis: [0.0, 0.0, 1.0],
        },
        between,
        start: None,
        speed: None,
        drive: None,
    };
    let mut mechanism = Mechanism {
        space: Space::Plane,
        gravity: [0.0, -values.real("gravity")?, 0.0],
        ..Mechanism::default()
    };
    for i in 0..=loops {
        let (crank, foot) = (format!("crank{i}"), i as f64 * length);
        mechanism.ground.push(Point {
            name: format!("foot{i}"),
            at: [foot, 0.0, 0.0],
        });
        mechanism
            .bodies
            .push(rod(crank.clone(), [foot, 0.0, 0.0], -angle));
        // The ground comes second: its angle against the crank is the crank's, clockwise.
        mechanism.joints.push(hinge(
            format!("foot{i}"),
            [at(&*crank, "foot"), at("ground", format!("foot{i}"))],
        ));
        if let Some(before) = i.checked_sub(1) {
            let coupler = format!("coupler{i}");
            let left = [before as f64 * length + length * sine, length * cosine, 0.0];
            mechanism
                .bodies
                .push(rod(coupler.clone(), left, -std::f64::consts::FRAC_PI_2));
            let left = [at(format!("crank{before}"), "tip"), at(&*coupler, "foot")];
            mechanism.joints.push(hinge(format!("left{i}"), left));
            mechanism
                .joints
                .push(hinge(format!("right{i}"), [at(coupler, "tip"), at(crank, "tip")]));
        }
    }
    if let Some(first) = mechanism.joints.first_mut() {
        first.speed = Some(values.real("speed")?);
    }
    let damping = values.real("damping")?;
    if damping > 0.0 {
        let kind = ForceKind::JointSpring {
            joint: "foot0".to_owned(),
            stiffness: 0.0,
            damping,
            rest: 0.0,
        };
        mechanism.forces.push(Force {
            name: "friction".to_owned(),
            kind,
        });
    }
    let hinge = || "foot0".to_owned();
    for (name, kind) in [
        ("torque", PortKind::Effort { joint: hinge() }),
        ("angle", PortKind::Motion { joint: hinge() }),
        (
            "tip",
            PortKind::Point {
                at: at("crank0", "tip"),
            },
        ),
    ] {
        mechanism.ports.push(PortOf {
            name: name.to_owned(),
            kind,
        });
    }
    Ok(mechanism)
}
