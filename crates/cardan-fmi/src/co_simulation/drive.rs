//! The real inputs over a step, as numbers an FMU can take.

use cardan_core::inputs::Inputs;
use cardan_core::signal::{Curve, Segment};
use cardan_core::time::SimTime;

/// How an FMU is told of inputs that move during a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Telling {
    /// By their mean over the step: of second order, where the value at the beginning would be of first.
    Mean,
    /// By their value and derivatives at the beginning, up to this order (FMI 2).
    Derivatives(u32),
    /// It asks for them at its inner steps (FMI 3).
    Intermediate,
}

/// The mean of real input `index` from `from` to `to`. What is held has just its value.
#[inline]
pub(super) fn mean(inputs: &Inputs<'_>, index: usize, from: SimTime, to: SimTime) -> f64 {
    match inputs.segments(index) {
        [] => 0.0,
        [only] => mean_of(only, from, to),
        many => mean_of_many(many, from, to),
    }
}

/// The mean of one law.
#[inline]
pub(super) fn mean_of(segment: &Segment, from: SimTime, to: SimTime) -> f64 {
    if segment.is_constant() {
        // Not by evaluation, which would cost more than all else here.
        return match segment.curve {
            Curve::Polynomial([value, ..]) => value,
            Curve::Arc { cosine, .. } => cosine,
        };
    }
    // Simpson's rule, which is exact for the cubic.
    let middle = SimTime::from_seconds(from.seconds() + 0.5 * to.since(from));
    (segment.at(from) + 4.0 * segment.at(middle) + segment.at(to)) / 6.0
}

#[cold]
fn mean_of_many(segments: &[Segment], from: SimTime, to: SimTime) -> f64 {
    let duration = to.since(from);
    let (mut sum, mut begin) = (0.0, from);
    for (index, segment) in segments.iter().enumerate() {
        let last = index + 1 == segments.len();
        let end = if last { to } else { segment.until.min(to) };
        if end > begin {
            let part = mean_of(segment, begin, end);
            if begin == from && end == to {
                return part;
            }
            sum += part * (end.since(begin) / duration);
            begin = end;
        }
    }
    sum
}

/// The derivatives of orders 1 to 3 of a law at `at`.
pub(super) fn derivatives(segment: &Segment, at: SimTime) -> [f64; 3] {
    let s = at.since(segment.origin);
    match segment.curve {
        Curve::Polynomial([_, c1, c2, c3]) => [
            c1 + s * (2.0 * c2 + s * 3.0 * c3),
            2.0 * c2 + 6.0 * s * c3,
            6.0 * c3,
        ],
        Curve::Arc { cosine, sine, rate } => {
            let (sin, cos) = (rate * s).sin_cos();
            let value = cosine * cos + sine * sin;
            let slope = rate * (sine * cos - cosine * sin);
            [slope, -rate * rate * value, -rate * rate * slope]
        }
    }
}

/// Do all inputs in the list keep their values over the step?
pub(super) fn all_held(inputs: &Inputs<'_>, mut places: impl Iterator<Item = usize>) -> bool {
    places.all(|index| matches!(inputs.segments(index), [only] if only.is_constant()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: f64) -> SimTime {
        SimTime::from_seconds(seconds)
    }

    #[test]
    fn means_are_exact_for_cubics_and_held_values() {
        let cubic = [Segment::polynomial([1.0, -2.0, 3.0, 4.0], at(1.0), at(3.0))];
        // The integral of 1 - 2s + 3s² + 4s³ from 0 to 2 is 2 - 4 + 8 + 16.
        assert!((mean(&Inputs::single(&cubic), 0, at(1.0), at(3.0)) - 11.0).abs() < 1e-14);
        let held = [Segment::constant(0.1, at(3.0))];
        assert_eq!(mean(&Inputs::single(&held), 0, at(0.0), at(0.3)), 0.1);
    }

    #[test]
    fn pieces_count_by_their_length() {
        let pieces = [Segment::constant(1.0, at(0.25)), Segment::constant(5.0, at(1.0))];
        let inputs = Inputs::new(&pieces, &[2], &[]);
        assert_eq!(mean(&inputs, 0, at(0.0), at(1.0)), 4.0);
        assert_eq!(mean(&inputs, 0, at(0.25), at(1.0)), 5.0);
    }

    #[test]
    fn derivatives_are_those_of_the_law() {
        let cubic = Segment::polynomial([1.0, -2.0, 3.0, 4.0], at(1.0), at(9.0));
        assert_eq!(derivatives(&cubic, at(2.0)), [16.0, 30.0, 24.0]);
        let arc = Segment {
            until: at(9.0),
            origin: at(0.0),
            curve: Curve::Arc {
                cosine: 0.6,
                sine: 0.8,
                rate: 2.0,
            },
        };
        let [first, second, third] = derivatives(&arc, at(0.0));
        assert_eq!(first, 1.6);
        assert!((second + 2.4).abs() < 1e-15 && (third + 6.4).abs() < 1e-14);
    }
}
