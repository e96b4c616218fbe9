//! The law that a rule makes of points.

use super::Reading;
use crate::signal::Segment;
use crate::time::SimTime;

/// A point as a rule sees it. The slope is NaN where none is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) time: f64,
    pub(crate) value: f64,
    pub(crate) slope: f64,
}

/// The law that `reading` makes of up to three points, oldest first. `inside` says that it is meant for the
/// stretch between the last two of them, not for beyond the last.
///
/// With too few points each rule falls back: one point is held; two make a line, or their mean for `Mean`.
pub(crate) fn law(reading: Reading, points: &[Point], inside: bool, until: SimTime) -> Segment {
    let held = |value| Segment::constant(value, until);
    match (reading, points) {
        (_, []) => held(0.0),
        (Reading::Hermite, [only]) if only.slope.is_finite() => line(*only, only.slope, until),
        (_, [only]) => held(only.value),
        (Reading::Hold, [.., before, last]) => held(if inside { before.value } else { last.value }),
        (Reading::HoldNew, [.., last]) => held(last.value),
        (Reading::Mean, points) => held(points.iter().map(|p| p.value).sum::<f64>() / points.len() as f64),
        (Reading::Hermite, [.., a, b]) if a.slope.is_finite() && b.slope.is_finite() => cubic(*a, *b, until),
        (Reading::Quadratic | Reading::Hermite, [a, b, c]) => parabola([*a, *b, *c], until),
        (Reading::LeastSquares, [a, b, c]) => nearest_line([*a, *b, *c], until),
        (Reading::Linear { weight }, [a, b, c]) if !inside && weight != 1.0 => {
            line(*c, weight * chord(*b, *c) + (1.0 - weight) * chord(*a, *b), until)
        }
        (_, [.., b, c]) => line(*c, chord(*b, *c), until),
    }
}

fn chord(a: Point, b: Point) -> f64 {
    (b.value - a.value) / (b.time - a.time)
}

fn line(through: Point, slope: f64, until: SimTime) -> Segment {
    let origin = SimTime::from_seconds(through.time);
    Segment::polynomial([through.value, slope, 0.0, 0.0], origin, until)
}

/// Newton's divided differences with the newest point as origin: differences of times and values only, hence no
/// cancellation at large times.
fn parabola([a, b, c]: [Point; 3], until: SimTime) -> Segment {
    let latest = chord(b, c);
    let bend = (latest - chord(a, b)) / (c.time - a.time);
    let origin = SimTime::from_seconds(c.time);
    Segment::polynomial(
        [c.value, latest + bend * (c.time - b.time), bend, 0.0],
        origin,
        until,
    )
}

fn nearest_line(points: [Point; 3], until: SimTime) -> Segment {
    let first = points[0];
    // Sums relative to the first point keep large times and values out of them.
    let (mut mean_time, mut mean_value) = (0.0, 0.0);
    for p in points {
        mean_time += (p.time - first.time) / 3.0;
        mean_value += (p.value - first.value) / 3.0;
    }
    let (mut covariance, mut variance) = (0.0, 0.0);
    for p in points {
        let dt = p.time - first.time - mean_time;
        covariance += dt * (p.value - first.value - mean_value);
        variance += dt * dt;
    }
    let center = Point {
        time: first.time + mean_time,
        value: first.value + mean_value,
        slope: f64::NAN,
    };
    line(center, covariance / variance, until)
}

fn cubic(a: Point, b: Point, until: SimTime) -> Segment {
    let h = b.time - a.time;
    let mean = chord(a, b);
    let square = (a.slope + 2.0 * b.slope - 3.0 * mean) / h;
    let cube = (a.slope + b.slope - 2.0 * mean) / (h * h);
    Segment::polynomial(
        [b.value, b.slope, square, cube],
        SimTime::from_seconds(b.time),
        until,
    )
}
