//! What joints ask for: points and directions that are shared, and constraints for the rest.

use cardan_core::spatial::{back, cross, turned};

use super::combination::Combination;
use super::constraint::Constraint;
use super::description::{Joint, JointKind, Mechanism, Mistake, Motion, Place, Space};
use super::measure::Measure;
use super::motion::Number;
use super::names::{self, Spot};
use super::placement::Placement;
use super::reaction::{Grip, Reaction};
use super::sharing::Sharing;
use super::solid::{Solid, Solids};

/// The points of all joints, each checked.
pub(super) fn ends(mechanism: &Mechanism) -> Result<Vec<[Spot; 2]>, Mistake> {
    let end = |joint: &Joint| -> Result<[Spot; 2], Mistake> {
        let place = Place::Joint(joint.name.clone());
        let [a, b] = &joint.between;
        let ends = [
            names::spot(mechanism, a, &place)?,
            names::spot(mechanism, b, &place)?,
        ];
        if ends[0].body == ends[1].body {
            return Err(Mistake::at(place, format!("joins {} with itself", a.body)));
        }
        let in_space = matches!(joint.kind, JointKind::Spherical | JointKind::Universal { .. });
        if in_space && mechanism.space == Space::Plane {
            return Err(Mistake::at(
                place,
                "this kind of joint needs space, and the mechanism is in a plane",
            )
            .advise("take revolute"));
        }
        let speaks = matches!(
            joint.kind,
            JointKind::Revolute { .. } | JointKind::Prismatic { .. }
        );
        let driven = speaks || matches!(joint.kind, JointKind::Distance { .. });
        if (joint.start.is_some() || joint.speed.is_some()) && !speaks {
            return Err(Mistake::at(
                place,
                "has no angle and no travel that could be given a start",
            ));
        }
        if joint.drive.is_some() && !driven {
            return Err(Mistake::at(
                place,
                "has no angle, travel or length that could be driven",
            ));
        }
        Ok(ends)
    };
    mechanism.joints.iter().map(end).collect()
}

/// Which bodies need an orientation because of their joints.
pub(super) fn orienting(kind: &JointKind) -> [bool; 2] {
    match kind {
        JointKind::Revolute { .. } | JointKind::Spherical | JointKind::Distance { .. } => [false, false],
        JointKind::PointOnLine { .. } => [true, false],
        JointKind::Prismatic { .. } | JointKind::Universal { .. } | JointKind::Fixed => [true, true],
    }
}

/// A direction of the first body of a joint as the second one has it at the start.
fn seen(local: [f64; 3], places: [&Placement; 2]) -> [f64; 3] {
    turned(back(places[1].orientation), turned(places[0].orientation, local))
}

/// Tells what the joint makes one.
pub(super) fn share(
    joint: &Joint,
    ends: [Spot; 2],
    places: [&Placement; 2],
    (space, size): (Space, f64),
    sharing: &mut Sharing,
) -> Result<(), Mistake> {
    let place = Place::Joint(joint.name.clone());
    match joint.kind {
        JointKind::Revolute { axis } => {
            sharing.join_points(ends[0], ends[1]);
            if space == Space::Space {
                let axis = names::unit(axis, "axis", &place)?.map(|part| size * part);
                let arrows = [axis, seen(axis, places)];
                sharing.join_arrows(
                    Spot {
                        local: arrows[0],
                        ..ends[0]
                    },
                    Spot {
                        local: arrows[1],
                        ..ends[1]
                    },
                );
            }
        }
        JointKind::Spherical | JointKind::Universal { .. } | JointKind::Fixed => {
            sharing.join_points(ends[0], ends[1]);
        }
        // A plain point is worth a node where it is all that is known of the body.
        JointKind::Distance { .. } => ends.into_iter().for_each(|end| sharing.mark(end)),
        JointKind::PointOnLine { .. } => sharing.mark(ends[1]),
        JointKind::Prismatic { .. } => {}
    }
    Ok(())
}

/// Two unit vectors across an axis.
fn across(axis: [f64; 3]) -> [[f64; 3]; 2] {
    let smallest = (0..3)
        .min_by(|&a, &b| axis[a].abs().total_cmp(&axis[b].abs()))
        .unwrap_or(0);
    let mut other = [0.0; 3];
    other[smallest] = 1.0;
    let first = cross(axis, other);
    let length = first.iter().map(|part| part * part).sum::<f64>().sqrt();
    let first = first.map(|part| part / length);
    [first, cross(axis, first)]
}

/// What a joint is once its bodies are built.
pub(super) struct Built<const D: usize> {
    /// Its angle, travel or length.
    pub(super) measure: Option<Measure<D>>,
    pub(super) hand: Option<Hand<D>>,
    /// What its constraints do; what bodies share is not among them.
    pub(super) reaction: Reaction<D>,
}

/// A constraint on the joint's motion, to be made from a function of time.
#[derive(Debug, Clone)]
pub(super) enum Hand<const D: usize> {
    Angle {
        hand: Combination<D>,
        zero: Combination<D>,
        quarter: Combination<D>,
    },
    Travel {
        vector: Combination<D>,
        direction: Combination<D>,
        /// The length by which the constraint is multiplied.
        size: f64,
    },
    Length(Combination<D>),
}

impl<const D: usize> Hand<D> {
    /// The motion follows this function.
    pub(super) fn driven(&self, motion: Motion) -> Constraint<D> {
        match self.clone() {
            Hand::Angle { hand, zero, quarter } => Constraint::sum(sine_behind(motion, hand, zero, quarter)),
            Hand::Travel {
                vector,
                direction,
                size,
            } => Constraint::dot(vector, direction.times(size), Number::Moving(motion.times(size))),
            Hand::Length(vector) => Constraint::square(vector, Number::SquareOf(motion)),
        }
    }

    /// What that does to the second body.
    fn grip(&self, motion: Motion) -> Grip<D> {
        match self.clone() {
            Hand::Angle { hand, zero, quarter } => Grip::Turn(sine_behind(motion, hand, zero, quarter)),
            Hand::Travel { direction, size, .. } => Grip::Push(size, direction),
            Hand::Length(vector) => Grip::Push(2.0, vector),
        }
    }

    /// The joint's motion, which begins at about `start`.
    fn measure(&self, start: Option<f64>) -> Measure<D> {
        match self.clone() {
            Hand::Angle { hand, zero, quarter } => Measure::Angle {
                hand,
                zero,
                quarter,
                start,
            },
            Hand::Travel {
                vector, direction, ..
            } => Measure::Along {
                vector,
                direction,
                offset: 0.0,
            },
            Hand::Length(vector) => Measure::Length(vector),
        }
    }
}

/// sin(θ - motion), with sine and cosine of θ as products of which the hand is the first factor.
fn sine_behind<const D: usize>(
    motion: Motion,
    hand: Combination<D>,
    zero: Combination<D>,
    quarter: Combination<D>,
) -> Vec<(Number, Combination<D>, Combination<D>)> {
    let opposite = Motion {
        offset: motion.offset + std::f64::consts::PI,
        ..motion
    };
    vec![
        (Number::CosineOf(motion), hand.clone(), quarter),
        (Number::SineOf(opposite), hand, zero),
    ]
}

/// The constraints of a joint, as they come to be.
struct Holding<'s, const D: usize> {
    place: Place,
    solids: &'s mut Solids<D>,
    reaction: Reaction<D>,
}

impl<const D: usize> Holding<'_, D> {
    fn hold(&mut self, constraint: Constraint<D>, grip: Grip<D>) {
        if let Some(index) = self.solids.constrain(self.place.clone(), constraint) {
            self.reaction.grips.push((index, grip));
        }
    }

    /// A vector from the first body to the second stays across a direction of the first.
    fn across(&mut self, gap: &Combination<D>, direction: Combination<D>) {
        let direction = direction.times(self.solids.size);
        let constraint = Constraint::dot(gap.clone(), direction.clone(), Number::Constant(0.0));
        self.hold(constraint, Grip::Push(1.0, direction));
    }

    /// A direction of the first body and one of the second stay at right angles.
    fn square_on(&mut self, first: Combination<D>, second: Combination<D>) {
        let [first, second] = [first, second].map(|direction| direction.times(self.solids.size));
        let constraint = Constraint::dot(first.clone(), second.clone(), Number::Constant(0.0));
        self.hold(
            constraint,
            Grip::Turn(vec![(Number::Constant(1.0), second, first)]),
        );
    }

    /// The points of both bodies are one.
    fn together(&mut self, gap: &Combination<D>) {
        for part in 0..D {
            let (mut direction, size) = ([0.0; D], self.solids.size);
            direction[part] = size;
            let grip = Grip::Push(1.0, Combination::constant(direction));
            self.hold(Constraint::part(gap.clone(), part, size), grip);
        }
    }
}

/// Adds the joint's own constraints, and answers with what can be measured at it. `apart`, it shares no points and directions.
pub(super) fn build<const D: usize>(
    joint: &Joint,
    ends: [Spot; 2],
    places: [&Placement; 2],
    apart: bool,
    solids: &mut Solids<D>,
) -> Result<Built<D>, Mistake> {
    let place = Place::Joint(joint.name.clone());
    let [a, b]: [Solid<D>; 2] = ends.map(|end| solids.solids[end.body].clone());
    let gap = b.point(ends[1].local).minus(&a.point(ends[0].local));
    let size = solids.size;
    let mut holding = Holding {
        place: place.clone(),
        solids,
        reaction: Reaction::default(),
    };
    // All directions of the second body stay as they are in the first one.
    let own = |local: [f64; 3]| b.direction(seen(local, places));
    let parallel = |holding: &mut Holding<'_, D>, axis: [f64; 3]| {
        let sides = across(axis);
        match D {
            2 => holding.square_on(a.direction([0.0, 1.0, 0.0]), own([1.0, 0.0, 0.0])),
            _ => {
                holding.square_on(a.direction(sides[0]), own(axis));
                holding.square_on(a.direction(sides[1]), own(axis));
                holding.square_on(a.direction(sides[0]), own(sides[1]));
            }
        }
    };
    let shares = matches!(
        joint.kind,
        JointKind::Revolute { .. } | JointKind::Spherical | JointKind::Universal { .. } | JointKind::Fixed
    );
    if apart && shares {
        holding.together(&gap);
    }
    let hand = match joint.kind {
        JointKind::Revolute { axis } => {
            let can = a.axes.is_some() && b.axes.is_some();
            if D == 3 && apart && can {
                let axis = names::unit(axis, "axis", &place)?;
                for side in across(axis) {
                    holding.square_on(a.direction(side), own(axis));
                }
            }
            can.then(|| {
                let [zero, quarter] = match D {
                    2 => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
                    _ => across(unit(axis)),
                };
                let local = if D == 2 { zero } else { seen(zero, places) };
                Hand::Angle {
                    hand: b.direction(local).times(size),
                    zero: a.direction(zero).times(size),
                    quarter: a.direction(quarter).times(size),
                }
            })
        }
        JointKind::Spherical => None,
        JointKind::Universal { first, second } => {
            let first = a.direction(names::unit(first, "first axis", &place)?);
            let second = b.direction(names::unit(second, "second axis", &place)?);
            holding.square_on(first, second);
            None
        }
        JointKind::Fixed => {
            parallel(&mut holding, [1.0, 0.0, 0.0]);
            None
        }
        JointKind::Prismatic { axis } | JointKind::PointOnLine { axis } => {
            let axis = names::unit(axis, "axis", &place)?;
            if let JointKind::Prismatic { .. } = joint.kind {
                parallel(&mut holding, axis);
            }
            for side in sides::<D>(axis) {
                holding.across(&gap, a.direction(side));
            }
            Some(Hand::Travel {
                vector: gap,
                direction: a.direction(axis),
                size,
            })
        }
        JointKind::Distance { length } => {
            let apart = || {
                let (a, b) = (places[0].point(ends[0].local), places[1].point(ends[1].local));
                a.iter()
                    .zip(b)
                    .map(|(a, b)| (a - b) * (a - b))
                    .sum::<f64>()
                    .sqrt()
            };
            let length = length.unwrap_or_else(apart);
            if !(length > 0.0 && length.is_finite()) {
                return Err(
                    Mistake::at(place, format!("a distance of {length} holds nothing apart"))
                        .advise("join the points by revolute or spherical, or give a length above 0"),
                );
            }
            if joint.drive.is_none() {
                let constraint = Constraint::square(gap.clone(), Number::Constant(length * length));
                holding.hold(constraint, Grip::Push(2.0, gap.clone()));
            }
            Some(Hand::Length(gap))
        }
    };
    if let Some(motion) = joint.drive {
        match &hand {
            Some(hand) => holding.hold(hand.driven(motion), hand.grip(motion)),
            None => {
                return Err(Mistake::at(
                    place,
                    "joins a particle, which has no angle to be driven",
                ));
            }
        }
    }
    Ok(Built {
        measure: hand.as_ref().map(|hand| hand.measure(joint.first())),
        hand,
        reaction: holding.reaction,
    })
}

fn unit(axis: [f64; 3]) -> [f64; 3] {
    let length = axis.iter().map(|part| part * part).sum::<f64>().sqrt();
    axis.map(|part| part / length)
}

/// Directions in which a point on a line cannot go.
fn sides<const D: usize>(axis: [f64; 3]) -> Vec<[f64; 3]> {
    match D {
        2 => vec![[-axis[1], axis[0], 0.0]],
        _ => across(axis).to_vec(),
    }
}
