//! From a mechanism as described to one that can be built.

use cardan_describe::spec;
use cardan_models::multibody::{
    Body, Force, ForceKind, Joint, JointKind, Mechanism, Motion, Point, PointName, PortKind, PortOf, Shape,
    Space,
};
use cardan_ode::mechanical::Stabilization;

/// The same mechanism without its places in the text.
pub(crate) fn mechanism(spec: &spec::MechanismSpec) -> Mechanism {
    Mechanism {
        space: match spec.plane {
            true => Space::Plane,
            false => Space::Space,
        },
        gravity: spec.gravity,
        ground: points(&spec.ground),
        bodies: spec.bodies.iter().map(body).collect(),
        joints: spec.joints.iter().map(joint).collect(),
        forces: spec.forces.iter().map(force).collect(),
        ports: spec.ports.iter().map(port).collect(),
        scene: spec.scene,
        stabilization: spec.stabilization.map(stabilization),
    }
}

fn stabilization(spec: spec::StabilizationSpec) -> Stabilization {
    let frequency = spec.frequency;
    match spec.penalty {
        Some(factor) => Stabilization::Penalty { factor, frequency },
        None => Stabilization::Baumgarte { frequency },
    }
}

fn points(points: &[spec::PointSpec]) -> Vec<Point> {
    let point = |point: &spec::PointSpec| Point {
        name: point.name.clone(),
        at: point.at,
    };
    points.iter().map(point).collect()
}

fn named(name: &spec::PointName) -> PointName {
    PointName {
        body: name.body.clone(),
        point: name.point.clone(),
    }
}

fn both([first, second]: &[spec::PointName; 2]) -> [PointName; 2] {
    [named(first), named(second)]
}

fn body(body: &spec::BodySpec) -> Body {
    Body {
        name: body.name.value.clone(),
        mass: body.mass,
        center: body.center,
        inertia: body.inertia,
        points: points(&body.points),
        position: body.position,
        orientation: body.orientation,
        velocity: body.velocity,
        angular_velocity: body.angular_velocity,
        shape: body.shape.map(|shape| match shape {
            spec::ShapeSpec::Rod { length } => Shape::Rod { length },
            spec::ShapeSpec::Box { size } => Shape::Box { size },
            spec::ShapeSpec::Cylinder { radius, length } => Shape::Cylinder { radius, length },
            spec::ShapeSpec::Sphere { radius } => Shape::Sphere { radius },
        }),
    }
}

fn joint(joint: &spec::JointSpec) -> Joint {
    Joint {
        name: joint.name.value.clone(),
        kind: match joint.kind {
            spec::JointKind::Revolute { axis } => JointKind::Revolute { axis },
            spec::JointKind::Prismatic { axis } => JointKind::Prismatic { axis },
            spec::JointKind::Spherical => JointKind::Spherical,
            spec::JointKind::Universal {
                axes: [first, second],
            } => JointKind::Universal { first, second },
            spec::JointKind::Fixed => JointKind::Fixed,
            spec::JointKind::Distance { length } => JointKind::Distance { length },
            spec::JointKind::PointOnLine { axis } => JointKind::PointOnLine { axis },
        },
        between: both(&joint.between),
        start: joint.start,
        speed: joint.speed,
        drive: joint.drive.map(|drive| Motion {
            offset: drive.offset,
            rate: drive.rate,
            amplitude: drive.amplitude,
            frequency: drive.frequency,
            phase: drive.phase,
        }),
    }
}

fn force(force: &spec::ForceSpec) -> Force {
    Force {
        name: force.name.value.clone(),
        kind: match &force.kind {
            spec::ForceKind::Spring {
                between,
                stiffness,
                damping,
                length,
            } => ForceKind::Spring {
                between: both(between),
                stiffness: *stiffness,
                damping: *damping,
                length: *length,
            },
            spec::ForceKind::JointSpring {
                joint,
                stiffness,
                damping,
                rest,
            } => ForceKind::JointSpring {
                joint: joint.clone(),
                stiffness: *stiffness,
                damping: *damping,
                rest: *rest,
            },
            spec::ForceKind::Stop {
                joint,
                limit,
                side,
                stiffness,
                damping,
            } => ForceKind::Stop {
                joint: joint.clone(),
                limit: *limit,
                above: *side == spec::StopSide::Above,
                stiffness: *stiffness,
                damping: *damping,
            },
            spec::ForceKind::Contact {
                point,
                radius,
                plane,
                normal,
                stiffness,
                damping,
            } => ForceKind::Contact {
                point: named(point),
                radius: *radius,
                plane: named(plane),
                normal: *normal,
                stiffness: *stiffness,
                damping: *damping,
            },
            spec::ForceKind::Constant { at, force } => ForceKind::Constant {
                at: named(at),
                force: *force,
            },
        },
    }
}

fn port(port: &spec::MechanismPortSpec) -> PortOf {
    PortOf {
        name: port.name.value.clone(),
        kind: match &port.kind {
            spec::MechanismPort::Frame { at } => PortKind::Frame { at: named(at) },
            spec::MechanismPort::Point { at } => PortKind::Point { at: named(at) },
            spec::MechanismPort::Force { at } => PortKind::Force { at: named(at) },
            spec::MechanismPort::Motion { joint } => PortKind::Motion { joint: joint.clone() },
            spec::MechanismPort::Effort { joint } => PortKind::Effort { joint: joint.clone() },
            spec::MechanismPort::Reaction { joint } => PortKind::Reaction { joint: joint.clone() },
        },
    }
}
