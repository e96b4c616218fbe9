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

/// How far points of a body are apart from each other, or twice its radius of gyration if that is more.
fn reach(body: &Body, mechanism: &Mechanism) -> f64 {
    let named = body.points.iter().map(|point| point.at);
    let places: Vec<[f64; 3]> = named.chain([[0.0; 3], body.center]).collect();
    let mut furthest = 0.0_f64;
    for (index, a) in places.iter().enumerate() {
        for b in &places[..index] {
            let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
            furthest = furthest.max(squares.sum::<f64>().sqrt());
        }
    }
    let moments = inertia(body, mechanism.space).unwrap_or_default();
    let largest = moments[..3]
        .iter()
        .fold(0.0_f64, |largest, moment| largest.max(*moment));
    let gyration = if body.mass > 0.0 {
        (largest / body.mass).sqrt()
    } else {
        0.0
    };
    furthest.max(2.0 * gyration)
}
