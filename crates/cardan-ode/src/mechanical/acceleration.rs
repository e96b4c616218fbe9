//! Accelerations and multipliers at one instant: the system as a right-hand side.

use super::tangent::{Tangent, Weights};
use super::{Mechanics, Structure};
use crate::Trouble;

/// What keeps constraints from drifting where only their second derivatives are held.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stabilization {
    /// Nothing: somebody else projects, or the drift is what is to be seen.
    None,
    /// Baumgarte's: violations die out like a critically damped oscillator of this angular frequency.
    Baumgarte {
        /// In radians per second.
        frequency: f64,
    },
    /// Springs and dampers instead of multipliers: constraints give way a little.
    Penalty {
        /// The penalty, as if for accelerations.
        factor: f64,
        /// Violations swing with this angular frequency, critically damped.
        frequency: f64,
    },
}

/// How often multipliers are corrected at the most. Each time their error falls by orders of magnitude, but for loops close to dead points.
const CORRECTIONS: usize = 16;

/// Penalty against mass in the matrix. Larger ones converge in fewer corrections, and lose more digits: of multipliers, which are told as
/// reactions, as many as it has.
const WEIGHT: f64 = 1e4;

/// Computes accelerations, with room for everything.
#[derive(Debug, Clone)]
pub struct Accelerations {
    tangent: Tangent,
    penalty: f64,
    constraints: usize,
    forces: Vec<f64>,
    acceleration: Vec<f64>,
    multipliers: Vec<f64>,
    /// What the constraints' second derivatives lack.
    lack: Vec<f64>,
    wanted: Vec<f64>,
    violation: Vec<f64>,
    work: Vec<f64>,
}

impl Accelerations {
    /// Room for a system of this structure.
    #[must_use]
    pub fn new(structure: &Structure) -> Self {
        let (n, m) = (structure.coordinates, structure.constraints.len());
        Accelerations {
            tangent: Tangent::new(structure),
            penalty: WEIGHT * structure.even_penalty(),
            constraints: m,
            forces: vec![0.0; n],
            acceleration: vec![0.0; n],
            multipliers: vec![0.0; m],
            lack: vec![0.0; m],
            wanted: vec![0.0; m],
            violation: vec![0.0; m],
            work: vec![0.0; n],
        }
    }

    /// The accelerations found last.
    #[must_use]
    pub fn accelerations(&self) -> &[f64] {
        &self.acceleration
    }

    /// The multipliers found last. Where constraints are redundant they are one choice of many.
    #[must_use]
    pub fn multipliers(&self) -> &[f64] {
        &self.multipliers
    }

    /// The forces found last, without reactions.
    #[must_use]
    pub fn forces(&self) -> &[f64] {
        &self.forces
    }

    /// Solves `M a + Φqᵀ λ = Q`, `Φq a = -c` at this state.
    pub fn solve(
        &mut self,
        mechanics: &mut dyn Mechanics,
        t: f64,
        x: &[f64],
        stabilization: Stabilization,
    ) -> Result<(), Trouble> {
        let n = self.tangent.coordinates();
        let (q, v) = (&x[..n], &x[n..2 * n]);
        mechanics.forces(t, x, &mut self.forces)?;
        self.tangent.turn(mechanics, t, q);
        mechanics.curvatures(t, q, v, &mut self.wanted);
        let (penalty, corrections) = match stabilization {
            Stabilization::Penalty { factor, .. } => (factor, 1),
            _ if self.constraints == 0 => (0.0, 1),
            _ => (self.penalty, CORRECTIONS),
        };
        if let Stabilization::Baumgarte { frequency } | Stabilization::Penalty { frequency, .. } =
            stabilization
        {
            mechanics.constraints(t, q, &mut self.violation);
            mechanics.drives(t, q, &mut self.lack);
            self.tangent.add_rates(v, &mut self.lack);
            for ((wanted, violation), rate) in self.wanted.iter_mut().zip(&self.violation).zip(&self.lack) {
                *wanted += 2.0 * frequency * rate + frequency * frequency * violation;
            }
        }
        let weights = Weights {
            mass: 1.0,
            damping: 0.0,
            stiffness: 0.0,
            penalty,
        };
        self.tangent.factorize(weights).map_err(|_| Trouble::Fatal)?;
        self.acceleration.fill(0.0);
        self.multipliers.fill(0.0);
        self.lack.copy_from_slice(&self.wanted);
        let mut last = f64::INFINITY;
        for _ in 0..corrections {
            self.correct(penalty);
            let lack = largest(&self.lack);
            // Below this the accelerations themselves are no more exact.
            if lack <= 1e-14 * largest(&self.acceleration) || lack > 0.5 * last {
                break;
            }
            last = lack;
        }
        Ok(())
    }

    /// One correction of everything: `T δ = Q - M a - Φqᵀ (λ + α lack)`.
    fn correct(&mut self, penalty: f64) {
        self.work.copy_from_slice(&self.forces);
        self.tangent.add_mass(-1.0, &self.acceleration, &mut self.work);
        self.tangent
            .add_reactions(-1.0, &self.multipliers, &mut self.work);
        self.tangent.add_reactions(-penalty, &self.lack, &mut self.work);
        self.tangent.solve(&mut self.work);
        for (acceleration, correction) in self.acceleration.iter_mut().zip(&self.work) {
            *acceleration += correction;
        }
        self.lack.copy_from_slice(&self.wanted);
        self.tangent.add_rates(&self.acceleration, &mut self.lack);
        for (multiplier, lack) in self.multipliers.iter_mut().zip(&self.lack) {
            *multiplier += penalty * lack;
        }
    }
}

pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, value| value.abs().max(largest))
}
