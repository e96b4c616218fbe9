//! Arriving waves as laws of time over a step.

use cardan_core::signal::Segment;
use cardan_core::time::SimTime;

/// Where a law is looked at, in parts of its piece: inside, where it cannot be mistaken for the law of a neighbour.
const STRAIGHT: [f64; 2] = [0.25, 0.75];
const CURVED: [f64; 4] = [0.125, 0.375, 0.625, 0.875];

/// A law of time from `from` to `until` that goes through what `value` says: straight, or a cubic.
pub(super) fn piece(from: f64, until: f64, curved: bool, value: impl Fn(f64) -> f64) -> Segment {
    let length = until - from;
    let [c0, c1, c2, c3] = match curved {
        false => {
            let [a, b] = STRAIGHT.map(|u| value(from + u * length));
            let slope = (b - a) / (STRAIGHT[1] - STRAIGHT[0]);
            [a - slope * STRAIGHT[0], slope, 0.0, 0.0]
        }
        true => cubic(CURVED.map(|u| value(from + u * length))),
    };
    let coefficients = [c0, c1 / length, c2 / length.powi(2), c3 / length.powi(3)];
    Segment::polynomial(
        coefficients,
        SimTime::from_seconds(from),
        SimTime::from_seconds(until),
    )
}

/// The cubic through four values, by Newton's differences.
fn cubic(values: [f64; 4]) -> [f64; 4] {
    let nodes = CURVED;
    let mut d = values;
    for order in 1..4 {
        for k in (order..4).rev() {
            d[k] = (d[k] - d[k - 1]) / (nodes[k] - nodes[k - order]);
        }
    }
    // Horner's scheme, from the highest difference down.
    let mut c = [d[3], 0.0, 0.0, 0.0];
    for k in (0..3).rev() {
        for power in (1..4).rev() {
            c[power] = c[power - 1] - nodes[k] * c[power];
        }
        c[0] = d[k] - nodes[k] * c[0];
    }
    c
}

/// Adds a straight law to one.
pub(super) fn add_line(segment: &mut Segment, value: impl Fn(f64) -> f64, slope: f64) {
    use cardan_core::signal::Curve;
    let at_origin = value(segment.origin.seconds());
    if let Curve::Polynomial(c) = &mut segment.curve {
        c[0] += at_origin;
        c[1] += slope;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_go_through_what_they_are_made_of() {
        let law = |t: f64| 3.0 - 2.0 * t + t * t - 0.25 * t * t * t;
        let curved = piece(5.0, 5.5, true, law);
        let straight = piece(5.0, 5.5, false, |t| 7.0 * t - 1.0);
        for t in [5.0, 5.2, 5.5] {
            let at = SimTime::from_seconds(t);
            assert!((curved.at(at) - law(t)).abs() < 1e-12, "{t}");
            assert!((straight.at(at) - (7.0 * t - 1.0)).abs() < 1e-12);
        }
        let mut sum = straight;
        add_line(&mut sum, |t| 2.0 * t, 2.0);
        let at = SimTime::from_seconds(5.3);
        assert!((sum.at(at) - straight.at(at) - 10.6).abs() < 1e-12);
    }
}
