//! A consistent start: positions and velocities that obey all constraints, near what is described.

use cardan_core::spatial::turned;
use cardan_ode::mechanical::{Fitting, Structure, Unfit};

use super::constraint::Constraint;
use super::description::{Mechanism, Mistake, Motion, Place};
use super::joints::Built;
use super::placement::Placement;
use super::solid::{Node, cut};
use super::system::System;
use crate::native::Held;

/// Constraints, which are squares of lengths, hold at the start to this part of the square of the largest coordinate.
const TOLERANCE: f64 = 1e-9;

/// Angles come to their start in turns of at most this: below a quarter.
const TURN: f64 = 1.0;

/// Coordinates of bodies whose place was described move this much less than others.
const DESCRIBED: f64 = 1e3;

/// Positions and velocities as described, node by node.
pub(super) fn guess<const D: usize>(nodes: &[Node], places: &[Placement]) -> (Vec<f64>, Vec<f64>) {
    let (mut q, mut v) = (Vec::new(), Vec::new());
    for node in nodes {
        let place = &places[node.body];
        let (at, going) = match node.point {
            true => (place.point(node.local), place.velocity_of(node.local)),
            false => (turned(place.orientation, node.local), place.turning(node.local)),
        };
        q.extend(cut::<D>(at));
        v.extend(cut::<D>(going));
    }
    (q, v)
}

/// Finds a start near the guess for a system whose structure is known. `places` says where each constraint comes from.
pub(super) fn settle<const D: usize>(
    mechanism: &Mechanism,
    system: &System<D>,
    (nodes, placements): (&[Node], &[Placement]),
    origins: &[Place],
    built: &[Built<D>],
) -> Result<Vec<f64>, Mistake> {
    let (mut q, mut v) = guess::<D>(nodes, placements);
    let weigh = |described: fn(&Placement) -> bool| -> Vec<f64> {
        let weight = |node: &Node| {
            if described(&placements[node.body]) {
                DESCRIBED
            } else {
                1.0
            }
        };
        nodes
            .iter()
            .flat_map(|node| std::iter::repeat_n(weight(node), D))
            .collect()
    };
    // Angles and travels that are to be just so are drives that hold at this one instant.
    let undriven = || {
        let both = mechanism.joints.iter().zip(built);
        both.filter(|(joint, _)| joint.drive.is_none())
            .filter_map(|(joint, built)| Some((joint, built.hand.as_ref()?, built.measure.as_ref()?)))
    };
    // An angle is reached in small turns: a constraint holds its sine, and that is zero on the far side too.
    let furthest = undriven().filter(|(_, _, measure)| measure.winds());
    let furthest = furthest.filter_map(|(joint, _, measure)| Some(turn(measure.value(&q), joint.start?)));
    let turns = furthest.fold(0.0, |furthest: f64, turn| furthest.max(turn.abs()));
    let stages = (turns / TURN).ceil().max(1.0);
    let from = q.clone();
    let mut stage = 0.0;
    while stage < stages {
        stage += 1.0;
        let left = 1.0 - stage / stages;
        let goals = undriven().filter_map(|(joint, hand, measure)| {
            let (start, value) = (joint.start?, measure.value(&from));
            let far = match measure.winds() {
                true => turn(value, start),
                false => start - value,
            };
            let motion = Motion {
                offset: start - left * far,
                ..Motion::default()
            };
            Some((Place::Joint(joint.name.clone()), hand.driven(motion)))
        });
        let aims = Aims::new(system, origins, goals.collect());
        let size = extent(&q, &system.structure);
        let fitted = aims.fit(&weigh(|place| place.described)).positions(
            &mut aims.held(),
            0.0,
            &mut q,
            TOLERANCE * size * size,
        );
        fitted.map_err(|unfit| aims.refuse(unfit, "positions"))?;
    }
    check_angles(mechanism, built, &q)?;

    let size = extent(&q, &system.structure);
    let goals = undriven().filter_map(|(joint, hand, measure)| {
        let motion = Motion {
            offset: measure.value(&q),
            rate: joint.speed?,
            ..Motion::default()
        };
        Some((Place::Joint(joint.name.clone()), hand.driven(motion)))
    });
    let aims = Aims::new(system, origins, goals.collect());
    // Angles turn coordinates as fast as they are large. What rests is judged as if it moved by its size in a second.
    let fastest = v.iter().fold(size, |fastest: f64, v| fastest.max(v.abs()));
    let speeds = mechanism
        .joints
        .iter()
        .filter_map(|joint| joint.speed)
        .fold(fastest, |a, b| a.max(b.abs() * size.max(1.0)));
    let weights = weigh(|place| place.moving);
    let fitted = aims
        .fit(&weights)
        .velocities(&mut aims.held(), 0.0, (&q, &mut v), 1e-7 * size * speeds);
    fitted.map_err(|unfit| aims.refuse(unfit, "velocities"))?;

    let windings: Vec<f64> = system
        .ports
        .windings
        .iter()
        .map(|measure| measure.first(&q))
        .collect();
    Ok([q, v, windings].concat())
}

/// The shorter way from one angle to another.
fn turn(from: f64, to: f64) -> f64 {
    let turn = std::f64::consts::TAU;
    let far = to - from;
    far - turn * (far / turn).round()
}

/// Refuses angles that came out on the far side.
fn check_angles<const D: usize>(mechanism: &Mechanism, built: &[Built<D>], q: &[f64]) -> Result<(), Mistake> {
    for (joint, built) in mechanism.joints.iter().zip(built) {
        let (Some(wanted), Some(measure)) = (joint.first(), &built.measure) else {
            continue;
        };
        let found = measure.value(q);
        if measure.winds() && turn(found, wanted).abs() > TURN {
            let place = Place::Joint(joint.name.clone());
            let message = format!("its angle at the start comes out as {found:.3} instead of {wanted:.3}");
            return Err(Mistake::at(place, message).advise(
                "turn its bodies nearer to that: describe their orientations; in space the angle is counted from there",
            ));
        }
    }
    Ok(())
}

/// The largest coordinate, for tolerances: at least the length of directions.
fn extent(q: &[f64], structure: &Structure) -> f64 {
    q.iter().fold(structure.size, |largest, q| largest.max(q.abs()))
}

/// A system with goals of the start on top of its constraints.
struct Aims<const D: usize> {
    system: System<D>,
    origins: Vec<Place>,
}

impl<const D: usize> Aims<D> {
    fn new(system: &System<D>, origins: &[Place], goals: Vec<(Place, Constraint<D>)>) -> Self {
        let mut system = system.clone();
        let mut origins = origins.to_vec();
        for (place, goal) in goals {
            system.structure.constraints.push(goal.columns().to_vec());
            system.constraints.push(goal);
            origins.push(place);
        }
        Aims { system, origins }
    }

    fn fit(&self, weights: &[f64]) -> Fitting {
        Fitting::new(&self.system.structure, weights)
    }

    fn held(&self) -> Held<'_> {
        Held {
            model: &self.system,
            u: &[],
        }
    }

    fn refuse(&self, unfit: Unfit, what: &str) -> Mistake {
        let place = self
            .origins
            .get(unfit.constraint)
            .cloned()
            .unwrap_or(Place::Whole);
        let message = format!(
            "no {what} at the start fit together: what this asks for is missed by {:.3e}",
            unfit.residual
        );
        Mistake::at(place, message).advise(
            "look for joints that contradict each other, lengths that do not reach, or starts and speeds that cannot all \
             be; describe positions and orientations nearer to the truth",
        )
    }
}

/// The squared length of a row of the constraints' Jacobian at the start, in the mean.
pub(super) fn gradient<const D: usize>(
    structure: &Structure,
    constraints: &[Constraint<D>],
    q: &[f64],
) -> f64 {
    let mut row = vec![0.0; structure.coordinates];
    let mut square = |constraint: &Constraint<D>| {
        let row = &mut row[..constraint.columns().len()];
        constraint.gradient(0.0, q, row);
        row.iter().map(|part| part * part).sum::<f64>()
    };
    constraints.iter().map(&mut square).sum::<f64>() / constraints.len().max(1) as f64
}
