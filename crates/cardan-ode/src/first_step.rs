//! A first step from what is known at a single point.

use crate::evaluation::{self, Setback};
use crate::landing::smallest;
use crate::tolerance::Tolerance;
use crate::{Counts, Equations};

/// Where to look, and how far one may.
pub(crate) struct Start<'a> {
    pub(crate) t: f64,
    pub(crate) x: &'a [f64],
    pub(crate) slope: &'a [f64],
    /// The distance to the limit, beyond which the equations must not be evaluated.
    pub(crate) room: f64,
    /// The order of the method.
    pub(crate) order: i32,
}

/// Scratch vectors for one more evaluation.
pub(crate) struct Probe<'a> {
    pub(crate) point: &'a mut [f64],
    pub(crate) slope: &'a mut [f64],
}

/// Guesses a first step for which the local error of a method of the given order is about one percent of the
/// tolerance, from the sizes of x, x' and x'' (Hairer, Nørsett, Wanner, *Solving Ordinary Differential Equations I*,
/// section II.4). One evaluation.
pub(crate) fn guess(
    equations: &mut dyn Equations,
    counts: &mut Counts,
    tolerance: &Tolerance,
    start: Start<'_>,
    probe: Probe<'_>,
) -> Result<f64, Setback> {
    let Start {
        t,
        x,
        slope,
        room,
        order,
    } = start;
    let size = tolerance.norm(x, |i| x[i]);
    let speed = tolerance.norm(x, |i| slope[i]);
    let small = if size < 1e-5 || speed < 1e-5 {
        1e-6
    } else {
        0.01 * size / speed
    };
    // Within the rounding of time nothing can be told, as for a ball that hardly leaves the ground.
    let small = small.max(16.0 * smallest(t)).min(room);
    for ((point, x), slope) in probe.point.iter_mut().zip(x).zip(slope) {
        *point = x + small * slope;
    }
    match evaluation::slope(equations, counts, t + small, probe.point, probe.slope) {
        Ok(()) => {}
        // Even this short a step leads nowhere: begin with it and let the step be halved as usual.
        Err(setback) if setback.may_pass() => return Ok(small),
        Err(setback) => return Err(setback),
    }
    let bend = tolerance.norm(x, |i| probe.slope[i] - slope[i]) / small;
    let fastest = speed.max(bend);
    let fine = if fastest <= 1e-15 {
        (small * 1e-3).max(1e-6)
    } else {
        (0.01 / fastest).powf(1.0 / f64::from(order + 1))
    };
    Ok(fine.min(100.0 * small))
}
