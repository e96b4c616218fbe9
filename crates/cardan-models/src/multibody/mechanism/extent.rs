//! How large a mechanism is: directions are arrows of that length, so that all coordinates are of one kind and of one size.
//!
//! A mechanism of millimetres moves as one of metres does, in its coordinates as in the figures of its solver.

use super::description::{Body, Mechanism};
use super::inertia::inertia;

/// A typical distance in the bodies, as a power of two: then scaling costs no digits. One where there is none.
pub(super) fn extent(mechanism: &Mechanism) -> f64 {
    let mut sizes: Vec<f64> = mechanism
        .bodies
        .iter()
        .map(|body| reach(body, mechanism))
        .filter(|size| *size > 0.0 && size.is_finite())
        .collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let middle = sizes.get(sizes.len() / 2).copied().unwrap_or(1.0);
    middle.log2().round().exp2()
}

/// How far points of a body are apart from its centre, or its radius of gyration if that is more.
fn reach(body: &Body, mechanism: &Mechanism) -> f64 {
    let apart = |at: [f64; 3]| {
        let squares = at.iter().zip(body.center).map(|(a, c)| (a - c) * (a - c));
        squares.sum::<f64>().sqrt()
    };
    let points = body.points.iter().map(|point| apart(point.at));
    let furthest = points.chain([apart([0.0; 3])]).fold(0.0, f64::max);
    let moment =
        inertia(body, mechanism.space).map_or(0.0, |moments| moments[0].max(moments[1]).max(moments[2]));
    let gyration = if body.mass > 0.0 {
        (moment / body.mass).sqrt()
    } else {
        0.0
    };
    furthest.max(gyration)
}
