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

/// Constraints hold at the start to this, in units of lengths and squares of lengths.
const TOLERANCE: f64 = 1e-9;

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
    let goals = |q: &[f64], positions: bool| {
        let mut goals = Vec::new();
        for (joint, built) in mechanism
            .joints
            .iter()
            .zip(built)
            .filter(|(joint, _)| joint.drive.is_none())
        {
            let (Some(hand), Some(measure)) = (&built.hand, &built.measure) else {
                continue;
            };
            let motion = match (positions, joint.start, joint.speed) {
                (true, Some(start), _) => Motion {
                    offset: start,
                    ..Motion::default()
                },
                (false, _, Some(rate)) => Motion {
                    offset: measure.value(q),
                    rate,
                    ..Motion::default()
                },
                _ => continue,
            };
            goals.push((Place::Joint(joint.name.clone()), hand.driven(motion)));
        }
        goals
    };
    let aims = Aims::new(system, origins, goals(&q, true));
    let (tolerance, size) = (TOLERANCE, extent(&q));
    let fitted = aims.fit(&weigh(|place| place.described)).positions(
        &mut aims.held(),
        0.0,
        &mut q,
        tolerance * size * size,
    );
    fitted.map_err(|unfit| aims.refuse(unfit, "positions"))?;

    let aims = Aims::new(system, origins, goals(&q, false));
    let fastest = v.iter().fold(1.0, |fastest: f64, v| fastest.max(v.abs()));
    let speeds = mechanism
        .joints
        .iter()
        .filter_map(|joint| joint.speed)
        .fold(fastest, |a, b| a.max(b.abs()));
    let weights = weigh(|place| place.moving);
    let fitted = aims
        .fit(&weights)
        .velocities(&mut aims.held(), 0.0, (&q, &mut v), 1e-7 * size * speeds);
    fitted.map_err(|unfit| aims.refuse(unfit, "velocities"))?;

    let windings: Vec<f64> = system
        .ports
        .windings
        .iter()
        .map(|measure| measure.value(&q))
        .collect();
    Ok([q, v, windings].concat())
}

/// The size of a mechanism, for tolerances: at least one, as unit vectors are.
fn extent(q: &[f64]) -> f64 {
    q.iter().fold(1.0, |largest, q| largest.max(q.abs()))
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
