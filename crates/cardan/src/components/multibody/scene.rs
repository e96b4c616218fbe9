//! What a mechanism looks like, for whoever draws it.

use crate::components::place::placement;
use cardan_core::form::Form;
use cardan_core::interface::{Interface, Port};
use cardan_describe::spec::ComponentSpec;
use cardan_models::multibody::{
    Body, Force, ForceKind, Joint, JointKind, Mechanism, Point, PointName, Shape, Space, scene_port,
};
use cardan_record::scene;

/// The mechanism of a component, with the columns that its ports make if they are recorded.
pub(super) fn scene(
    mechanism: &Mechanism,
    component: &ComponentSpec,
    interface: &Interface,
) -> scene::Mechanism {
    let placement = placement(component);
    let bodies: Vec<scene::Body> = mechanism
        .bodies
        .iter()
        .map(|one| body(one, &component.name.value, interface))
        .collect();
    let ground = points(&mechanism.ground);
    let ends = Ends {
        ground: &ground,
        bodies: &bodies,
    };
    let forces = || mechanism.forces.iter();
    scene::Mechanism {
        component: component.name.value.clone(),
        space: match mechanism.space {
            Space::Plane => scene::Space::Plane,
            Space::Space => scene::Space::Space,
        },
        placement: scene::Placement {
            position: placement.position,
            orientation: placement.orientation,
            length: placement.scales.length,
            time: placement.scales.time,
        },
        gravity: mechanism.gravity,
        joints: mechanism.joints.iter().map(|one| joint(one, &ends)).collect(),
        springs: forces().filter_map(|force| spring(force, &ends)).collect(),
        contacts: forces().filter_map(|force| contact(force, &ends)).collect(),
        ground,
        bodies,
    }
}

fn points(points: &[Point]) -> Vec<scene::Point> {
    let point = |point: &Point| scene::Point {
        name: point.name.clone(),
        position: point.at,
    };
    points.iter().map(point).collect()
}

fn body(body: &Body, component: &str, interface: &Interface) -> scene::Body {
    let name = scene_port(&body.name);
    let port = interface.ports.iter().find(|port| port.name == name);
    let particle = port.is_none_or(|port| port.form != Form::Frame);
    let mut points = points(&body.points);
    if particle {
        // Without axes all points are one.
        points.iter_mut().for_each(|point| point.position = [0.0; 3]);
    }
    scene::Body {
        name: body.name.clone(),
        mass: body.mass,
        particle,
        center: if particle { [0.0; 3] } else { body.center },
        shape: body.shape.map(|shape| match shape {
            Shape::Rod { length } => scene::Shape::Rod { length },
            Shape::Box { size } => scene::Shape::Box { size },
            Shape::Cylinder { radius, length } => scene::Shape::Cylinder { radius, length },
            Shape::Sphere { radius } => scene::Shape::Sphere { radius },
        }),
        points,
        pose: pose(port, component),
    }
}

/// The columns that a port makes.
fn pose(port: Option<&Port>, component: &str) -> scene::Pose {
    let columns = |port: &Port| -> Vec<String> {
        let name = |element| format!("{component}.{}{}", port.name, port.element_suffix(element));
        (0..port.shape.len()).map(name).collect()
    };
    match port {
        Some(port) if port.form == Form::Frame => {
            let mut columns = columns(port).into_iter();
            let position = columns.by_ref().take(3).collect();
            let turned: Vec<String> = columns.take(4).collect();
            scene::Pose {
                axes: scene::Axes::System,
                position: Some(position),
                orientation: turned.try_into().ok(),
            }
        }
        // Placements transform frames and loads alone.
        port => scene::Pose {
            axes: scene::Axes::Component,
            position: port.map(columns),
            orientation: None,
        },
    }
}

/// Points by name.
struct Ends<'a> {
    ground: &'a [scene::Point],
    bodies: &'a [scene::Body],
}

impl Ends<'_> {
    fn end(&self, name: &PointName) -> scene::End {
        let body = self.bodies.iter().find(|body| body.name == name.body);
        let points = body.map_or(self.ground, |body| &body.points);
        let point = points.iter().find(|point| point.name == name.point);
        let center = body.filter(|_| name.point == "center").map(|body| body.center);
        scene::End {
            body: name.body.clone(),
            point: name.point.clone(),
            position: point.map(|point| point.position).or(center).unwrap_or_default(),
        }
    }

    fn both(&self, [first, second]: &[PointName; 2]) -> [scene::End; 2] {
        [self.end(first), self.end(second)]
    }
}

fn joint(joint: &Joint, ends: &Ends<'_>) -> scene::Joint {
    let (kind, axis, second_axis) = match joint.kind {
        JointKind::Revolute { axis } => (scene::JointKind::Revolute, Some(axis), None),
        JointKind::Prismatic { axis } => (scene::JointKind::Prismatic, Some(axis), None),
        JointKind::Spherical => (scene::JointKind::Spherical, None, None),
        JointKind::Universal { first, second } => (scene::JointKind::Universal, Some(first), Some(second)),
        JointKind::Fixed => (scene::JointKind::Fixed, None, None),
        JointKind::Distance { .. } => (scene::JointKind::Distance, None, None),
        JointKind::PointOnLine { axis } => (scene::JointKind::PointOnLine, Some(axis), None),
    };
    scene::Joint {
        name: joint.name.clone(),
        kind,
        between: ends.both(&joint.between),
        axis,
        second_axis,
    }
}

fn spring(force: &Force, ends: &Ends<'_>) -> Option<scene::Spring> {
    let ForceKind::Spring { between, .. } = &force.kind else {
        return None;
    };
    Some(scene::Spring {
        name: force.name.clone(),
        between: ends.both(between),
    })
}

fn contact(force: &Force, ends: &Ends<'_>) -> Option<scene::Contact> {
    let ForceKind::Contact {
        point,
        radius,
        plane,
        normal,
        ..
    } = &force.kind
    else {
        return None;
    };
    Some(scene::Contact {
        name: force.name.clone(),
        point: ends.end(point),
        radius: *radius,
        plane: ends.end(plane),
        normal: *normal,
    })
}
