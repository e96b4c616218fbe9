//! The nearest positions and velocities that obey the constraints: how a motion begins.

use super::acceleration::largest;
use super::tangent::{Tangent, Weights};
use super::{Mechanics, Structure};

/// Corrections of positions at the most; good guesses need five, bad ones some dozens.
const CORRECTIONS: usize = 200;

/// Penalty against the weights of coordinates, where gradients of constraints are of length one.
const WEIGHT: f64 = 1e6;

/// Looks for positions and velocities near given ones.
#[derive(Debug, Clone)]
pub struct Fitting {
    tangent: Tangent,
    weights: Weights,
    size: f64,
    work: Vec<f64>,
    constraints: Vec<f64>,
}

/// Constraints that no position, or no velocity, near the given ones obeys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unfit {
    /// The constraint that is violated most.
    pub constraint: usize,
    /// By how much.
    pub residual: f64,
}

impl Fitting {
    /// For a system of this structure; coordinates with a large weight stay where they are as far as possible.
    #[must_use]
    pub fn new(structure: &Structure, weights: &[f64]) -> Self {
        let diagonal = weights
            .iter()
            .enumerate()
            .map(|(i, &weight)| (i, i, weight))
            .collect();
        let structure = Structure {
            mass: diagonal,
            tangent: Vec::new(),
            ..structure.clone()
        };
        Fitting {
            tangent: Tangent::new(&structure),
            weights: Weights {
                mass: 1.0,
                damping: 0.0,
                stiffness: 0.0,
                penalty: WEIGHT / structure.usual_gradient(),
            },
            size: structure.usual_size(),
            work: vec![0.0; structure.coordinates],
            constraints: vec![0.0; structure.constraints.len()],
        }
    }

    /// Moves `q` until all constraints hold to `tolerance`.
    pub fn positions(
        &mut self,
        mechanics: &mut dyn Mechanics,
        t: f64,
        q: &mut [f64],
        tolerance: f64,
    ) -> Result<(), Unfit> {
        for _ in 0..CORRECTIONS {
            mechanics.constraints(t, q, &mut self.constraints);
            if largest(&self.constraints) <= tolerance {
                break;
            }
            self.tangent.turn(mechanics, t, q);
            if self.correct(q, 0.25).is_none() {
                break;
            }
        }
        // Down to rounding, where nothing is gained any more; it costs next to nothing.
        let mut last = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            mechanics.constraints(t, q, &mut self.constraints);
            let lack = largest(&self.constraints);
            if lack == 0.0 || lack >= 0.5 * last {
                break;
            }
            last = lack;
            self.tangent.turn(mechanics, t, q);
            if self.correct(q, 0.25).is_none() {
                break;
            }
        }
        self.judge(tolerance)
    }

    /// Changes `v` until the constraints' rates vanish at positions `q`.
    pub fn velocities(
        &mut self,
        mechanics: &mut dyn Mechanics,
        t: f64,
        (q, v): (&[f64], &mut [f64]),
        tolerance: f64,
    ) -> Result<(), Unfit> {
        self.tangent.turn(mechanics, t, q);
        let mut last = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            mechanics.drives(t, q, &mut self.constraints);
            self.tangent.add_rates(v, &mut self.constraints);
            let lack = largest(&self.constraints);
            // Down to rounding, where nothing is gained any more.
            if lack == 0.0 || lack >= 0.9 * last || self.correct(v, f64::INFINITY).is_none() {
                break;
            }
            last = lack;
        }
        mechanics.drives(t, q, &mut self.constraints);
        self.tangent.add_rates(v, &mut self.constraints);
        self.judge(tolerance)
    }

    /// Goes where the linearised constraints vanish, but no part by more than `longest` of the largest coordinate, or of the typical size.
    fn correct(&mut self, x: &mut [f64], longest: f64) -> Option<()> {
        self.tangent.factorize(self.weights).ok()?;
        self.work.fill(0.0);
        self.tangent
            .add_reactions(-self.weights.penalty, &self.constraints, &mut self.work);
        self.tangent.solve(&mut self.work);
        let length = largest(&self.work);
        let allowed = longest * largest(x).max(self.size);
        let part = if length > allowed { allowed / length } else { 1.0 };
        length.is_finite().then_some(())?;
        for (x, correction) in x.iter_mut().zip(&self.work) {
            *x += part * correction;
        }
        Some(())
    }

    fn judge(&self, tolerance: f64) -> Result<(), Unfit> {
        let mut worst = Unfit {
            constraint: 0,
            residual: 0.0,
        };
        for (constraint, residual) in self.constraints.iter().map(|value| value.abs()).enumerate() {
            if residual > worst.residual || residual.is_nan() {
                worst = Unfit { constraint, residual };
            }
        }
        if worst.residual <= tolerance {
            Ok(())
        } else {
            Err(worst)
        }
    }
}
