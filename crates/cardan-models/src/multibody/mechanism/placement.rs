//! Where bodies are at the start, about: as described, or as joints suggest.

use cardan_core::spatial::{after, minus, plus, turned};

use super::description::{JointKind, Mechanism, Space};
use super::names::Spot;

/// A guess of where a body is, and how it moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Placement {
    pub(super) position: [f64; 3],
    pub(super) orientation: [f64; 4],
    pub(super) velocity: [f64; 3],
    pub(super) angular_velocity: [f64; 3],
    /// Was its position described?
    pub(super) described: bool,
    /// Was its velocity?
    pub(super) moving: bool,
}

const UPRIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

impl Placement {
    /// The ground, which lies where it lies.
    pub(super) const GROUND: Placement = Placement {
        position: [0.0; 3],
        orientation: UPRIGHT,
        velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        described: true,
        moving: true,
    };

    /// A point of the body.
    pub(super) fn point(&self, local: [f64; 3]) -> [f64; 3] {
        plus(self.position, turned(self.orientation, local))
    }

    /// The velocity of such a point.
    pub(super) fn velocity_of(&self, local: [f64; 3]) -> [f64; 3] {
        plus(self.velocity, self.turning(local))
    }

    /// The velocity of a direction.
    pub(super) fn turning(&self, local: [f64; 3]) -> [f64; 3] {
        cardan_core::spatial::cross(self.angular_velocity, turned(self.orientation, local))
    }
}

/// Places all bodies, the ground first. `ends` are the points of the joints.
pub(super) fn place(mechanism: &Mechanism, ends: &[[Spot; 2]]) -> Vec<Placement> {
    let mut places: Vec<Option<Placement>> = vec![None; mechanism.bodies.len() + 1];
    places[0] = Some(Placement::GROUND);
    for (place, body) in places[1..].iter_mut().zip(&mechanism.bodies) {
        *place = body.position.map(|position| Placement {
            position,
            orientation: body.orientation.unwrap_or(UPRIGHT),
            velocity: body.velocity.unwrap_or_default(),
            angular_velocity: body.angular_velocity.unwrap_or_default(),
            described: true,
            moving: body.velocity.is_some() || body.angular_velocity.is_some(),
        });
    }
    // Whoever has no place hangs at a neighbour that has one.
    while let Some((joint, known, unknown)) = open_end(ends, &places) {
        let Some(neighbour) = places[ends[joint][known].body] else {
            break;
        };
        let body = ends[joint][unknown].body;
        places[body] = Some(hang(
            mechanism,
            joint,
            &neighbour,
            [ends[joint][known], ends[joint][unknown]],
            unknown,
        ));
    }
    // And whoever nobody joins lies in the origin.
    for (place, body) in places[1..].iter_mut().zip(&mechanism.bodies) {
        place.get_or_insert(Placement {
            position: [0.0; 3],
            orientation: body.orientation.unwrap_or(UPRIGHT),
            velocity: body.velocity.unwrap_or_default(),
            angular_velocity: body.angular_velocity.unwrap_or_default(),
            described: false,
            moving: body.velocity.is_some() || body.angular_velocity.is_some(),
        });
    }
    places.into_iter().flatten().collect()
}

/// A joint with one end that has a place and one that has none.
fn open_end(ends: &[[Spot; 2]], places: &[Option<Placement>]) -> Option<(usize, usize, usize)> {
    ends.iter()
        .enumerate()
        .find_map(|(joint, [a, b])| match (places[a.body], places[b.body]) {
            (Some(_), None) => Some((joint, 0, 1)),
            (None, Some(_)) => Some((joint, 1, 0)),
            _ => None,
        })
}

fn hang(
    mechanism: &Mechanism,
    joint: usize,
    neighbour: &Placement,
    [known, unknown]: [Spot; 2],
    which: usize,
) -> Placement {
    let (joint, body) = (&mechanism.joints[joint], &mechanism.bodies[unknown.body - 1]);
    let sign = if which == 1 { 1.0 } else { -1.0 };
    let start = joint.first().unwrap_or(0.0);
    let orientation = body.orientation.unwrap_or_else(|| match joint.kind {
        JointKind::Fixed | JointKind::Prismatic { .. } => neighbour.orientation,
        JointKind::Revolute { .. } if mechanism.space == Space::Plane => {
            let half = 0.5 * sign * start;
            after(neighbour.orientation, [half.cos(), 0.0, 0.0, half.sin()])
        }
        _ => UPRIGHT,
    });
    let travel = match joint.kind {
        JointKind::Prismatic { axis } => {
            let along = start * sign;
            turned(neighbour.orientation, axis.map(|part| along * part))
        }
        JointKind::Distance { length } => [length.unwrap_or(1.0), 0.0, 0.0],
        _ => [0.0; 3],
    };
    let meeting = plus(neighbour.point(known.local), travel);
    Placement {
        position: minus(meeting, turned(orientation, unknown.local)),
        orientation,
        velocity: body.velocity.unwrap_or_default(),
        angular_velocity: body.angular_velocity.unwrap_or_default(),
        described: false,
        moving: body.velocity.is_some() || body.angular_velocity.is_some(),
    }
}
