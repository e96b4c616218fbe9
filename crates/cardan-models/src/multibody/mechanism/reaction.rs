//! Forces and moments in joints: what their constraints do to the second body.
//!
//! Points that bodies share tell nothing of what passes through them. A joint that is asked for its reaction shares
//! nothing: constraints hold all of it, and their multipliers are its forces.

use cardan_core::spatial::{cross, plus, times};

use super::combination::Combination;
use super::motion::Number;
use super::ports::three;

/// How the constraint of a joint acts on the joint's second body.
#[derive(Debug, Clone)]
pub(super) enum Grip<const D: usize> {
    /// At the joint's point, so many times along a vector.
    Push(f64, Combination<D>),
    /// It pulls directions of the body, which come first, along others: a moment.
    Turn(Vec<(Number, Combination<D>, Combination<D>)>),
}

/// All that holds the second body of a joint: the numbers of constraints, and how each acts.
#[derive(Debug, Clone, Default)]
pub(super) struct Reaction<const D: usize> {
    pub(super) grips: Vec<(usize, Grip<D>)>,
}

impl<const D: usize> Reaction<D> {
    /// Force and moment on the second body at its point, in the axes of the ground. `since` is the time since the start of the
    /// run.
    pub(super) fn load(&self, since: f64, q: &[f64], multipliers: &[f64]) -> [f64; 6] {
        let (mut force, mut moment) = ([0.0; 3], [0.0; 3]);
        for (constraint, grip) in &self.grips {
            // The equations of motion have multipliers on the side of inertia.
            let pull = -multipliers[*constraint];
            match grip {
                Grip::Push(factor, along) => {
                    force = plus(force, times(pull * factor, three(along.value(q))));
                }
                Grip::Turn(products) => {
                    for (weight, own, other) in products {
                        let turning = cross(three(own.value(q)), three(other.value(q)));
                        moment = plus(moment, times(pull * weight.jet(since).value, turning));
                    }
                }
            }
        }
        let [fx, fy, fz] = force;
        let [mx, my, mz] = moment;
        [fx, fy, fz, mx, my, mz]
    }
}
