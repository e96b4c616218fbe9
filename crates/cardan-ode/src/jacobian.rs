//! The matrix ∂f/∂x: the one the equations offer, or differences.

use crate::evaluation::{self, Setback};
use crate::tolerance::Tolerance;
use crate::{Counts, Equations};

/// The point where a Jacobian is wanted.
pub(crate) struct Place<'a> {
    pub(crate) t: f64,
    pub(crate) x: &'a [f64],
    /// The slope there.
    pub(crate) slope: &'a [f64],
    /// The step about to be taken: how far the states will move.
    pub(crate) step: f64,
}

/// Scratch for the differences.
#[derive(Debug)]
pub(crate) struct Shifted {
    point: Vec<f64>,
    slope: Vec<f64>,
}

impl Shifted {
    pub(crate) fn new(states: usize) -> Self {
        Self {
            point: vec![0.0; states],
            slope: vec![0.0; states],
        }
    }
}

/// Writes the row-major Jacobian.
pub(crate) fn evaluate(
    equations: &mut dyn Equations,
    counts: &mut Counts,
    tolerance: &Tolerance,
    place: &Place<'_>,
    shifted: &mut Shifted,
    jacobian: &mut [f64],
) -> Result<(), Setback> {
    counts.jacobians += 1;
    if !equations.jacobian(place.t, place.x, jacobian)? {
        differences(equations, counts, tolerance, place, shifted, jacobian)?;
    }
    if jacobian.iter().all(|entry| entry.is_finite()) {
        Ok(())
    } else {
        Err(Setback::Jacobian)
    }
}

/// One-sided differences, a column for each state.
///
/// The increment is the root of the rounding unit times the size of the state; for a state near zero that size is the
/// one below which the user's tolerance becomes absolute. It is not less than what makes the rounding errors of the
/// slopes harmless in the product of step and Jacobian (as in Hindmarsh et al., *SUNDIALS*, ACM TOMS 31, 2005).
fn differences(
    equations: &mut dyn Equations,
    counts: &mut Counts,
    tolerance: &Tolerance,
    place: &Place<'_>,
    shifted: &mut Shifted,
    jacobian: &mut [f64],
) -> Result<(), Setback> {
    let Place { t, x, slope, step } = *place;
    let n = x.len();
    let speed = tolerance.norm(x, |i| slope[i]);
    let floor = if speed > 0.0 {
        1e3 * f64::EPSILON * step.abs() * n as f64 * speed
    } else {
        1.0
    };
    shifted.point.copy_from_slice(x);
    for j in 0..n {
        let allowed = tolerance.allowed(j, x[j]);
        let size = (f64::EPSILON.sqrt() / tolerance.rtol).max(floor) * allowed;
        // Along the motion first: the other side may be where the equations are not defined.
        let along = size.copysign(slope[j]);
        shifted.point[j] = x[j] + along;
        let mut outcome = evaluation::slope(equations, counts, t, &shifted.point, &mut shifted.slope);
        if outcome.is_err_and(Setback::may_pass) {
            shifted.point[j] = x[j] - along;
            outcome = evaluation::slope(equations, counts, t, &shifted.point, &mut shifted.slope);
        }
        outcome?;
        // The increment as it was, not as it was meant.
        let increment = shifted.point[j] - x[j];
        for i in 0..n {
            jacobian[i * n + j] = (shifted.slope[i] - slope[i]) / increment;
        }
        shifted.point[j] = x[j];
    }
    Ok(())
}
