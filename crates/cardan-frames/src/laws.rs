//! Laws of time made from other laws of time.

use crate::clock::Clock;
use cardan_core::signal::{Curve, Segment};
use cardan_core::time::SimTime;

/// The piece of a list that is in force just after an instant.
fn after(list: &[Segment], time: SimTime) -> Option<&Segment> {
    list.iter().find(|piece| time < piece.until).or(list.last())
}

/// The first instant after `time` at which one of the lists changes its law.
pub(crate) fn next_break<'a>(lists: impl Iterator<Item = &'a [Segment]>, time: SimTime) -> Option<SimTime> {
    let mut next: Option<SimTime> = None;
    for list in lists {
        // The last piece ends with the step, which is no change.
        let [changes @ .., _] = list else { continue };
        for piece in changes.iter().filter(|piece| piece.until > time) {
            next = Some(next.map_or(piece.until, |next| next.min(piece.until)));
        }
    }
    next
}

/// Appends the law `offset + Σ factor · term` over a step. What is a sum of polynomials or of harmonics of one rate is one
/// again, exactly; anything else becomes a cubic.
pub(crate) fn blend<'a>(
    offset: f64,
    count: usize,
    term: impl Fn(usize) -> (f64, &'a [Segment]),
    (from, to): (SimTime, SimTime),
    laws: &mut Vec<Segment>,
) {
    let terms = || (0..count).map(&term).filter(|(factor, _)| *factor != 0.0);
    let mut here = from;
    loop {
        let next = next_break(terms().map(|(_, list)| list), here).filter(|next| *next < to);
        let end = next.unwrap_or(to);
        let pieces = || terms().filter_map(|(factor, list)| Some((factor, after(list, here)?)));
        laws.push(match sum(offset, pieces, here, end) {
            Some(law) => law,
            None => cubic(
                |time| {
                    offset
                        + pieces()
                            .map(|(factor, piece)| factor * piece.at(time))
                            .sum::<f64>()
                },
                here,
                end,
            ),
        });
        let Some(next) = next else { return };
        here = next;
    }
}

/// The sum of pieces, where it is of their kind.
fn sum<'a, I>(offset: f64, pieces: impl Fn() -> I, from: SimTime, until: SimTime) -> Option<Segment>
where
    I: Iterator<Item = (f64, &'a Segment)>,
{
    let resting: f64 = pieces()
        .filter(|(_, piece)| piece.is_constant())
        .map(|(factor, piece)| factor * piece.at(from))
        .sum();
    let moving = || pieces().filter(|(_, piece)| !piece.is_constant());
    let Some((_, first)) = moving().next() else {
        return Some(Segment::constant(offset + resting, until));
    };
    let origin = first.origin;
    let curve = match first.curve {
        Curve::Polynomial(_) => {
            let mut total = [0.0; 4];
            for (factor, piece) in moving() {
                let Curve::Polynomial(c) = piece.curve else {
                    return None;
                };
                let c = moved(c, origin.since(piece.origin));
                total.iter_mut().zip(c).for_each(|(t, c)| *t += factor * c);
            }
            total[0] += offset + resting;
            Curve::Polynomial(total)
        }
        Curve::Arc { rate, .. } => {
            // A harmonic and a constant are no harmonic.
            if offset + resting != 0.0 {
                return None;
            }
            let (mut cosine, mut sine) = (0.0, 0.0);
            for (factor, piece) in moving() {
                let Curve::Arc {
                    cosine: c,
                    sine: s,
                    rate: own,
                } = piece.curve
                else {
                    return None;
                };
                if own != rate {
                    return None;
                }
                let (sin, cos) = match origin == piece.origin {
                    true => (0.0, 1.0),
                    false => (rate * origin.since(piece.origin)).sin_cos(),
                };
                cosine += factor * (c * cos + s * sin);
                sine += factor * (s * cos - c * sin);
            }
            Curve::Arc { cosine, sine, rate }
        }
    };
    Some(Segment { until, origin, curve })
}

/// A polynomial of the time since an origin that lies later by `shift`.
fn moved([c0, c1, c2, c3]: [f64; 4], shift: f64) -> [f64; 4] {
    if shift == 0.0 {
        return [c0, c1, c2, c3];
    }
    [
        c0 + shift * (c1 + shift * (c2 + shift * c3)),
        c1 + shift * (2.0 * c2 + shift * 3.0 * c3),
        c2 + 3.0 * shift * c3,
        c3,
    ]
}

/// The cubic through four samples, the ends among them.
pub(crate) fn cubic(mut sample: impl FnMut(SimTime) -> f64, from: SimTime, until: SimTime) -> Segment {
    let values = nodes(from, until).map(&mut sample);
    through(values, from, until)
}

/// The instants that a cubic is made from.
pub(crate) fn nodes(from: SimTime, until: SimTime) -> [SimTime; 4] {
    let third = until.since(from) / 3.0;
    [from, from.after(third), from.after(2.0 * third), until]
}

/// The cubic through values at the nodes.
pub(crate) fn through([a, b, c, d]: [f64; 4], from: SimTime, until: SimTime) -> Segment {
    let third = until.since(from) / 3.0;
    let (first, second, last) = (b - a, c - 2.0 * b + a, d - 3.0 * c + 3.0 * b - a);
    let coefficients = [
        a,
        (first - second / 2.0 + last / 3.0) / third,
        (second - last) / (2.0 * third * third),
        last / (6.0 * third * third * third),
    ];
    Segment::polynomial(coefficients, from, until)
}

/// The same law in the seconds of a component.
pub(crate) fn in_time_of(clock: Clock, law: &mut Segment) {
    let second = clock.second();
    law.until = clock.inward(law.until);
    law.origin = clock.inward(law.origin);
    match &mut law.curve {
        Curve::Polynomial(c) => {
            let mut power = 1.0;
            for c in c.iter_mut() {
                *c *= power;
                power *= second;
            }
        }
        Curve::Arc { rate, .. } => *rate *= second,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: f64) -> SimTime {
        SimTime::from_seconds(seconds)
    }

    fn arc(cosine: f64, sine: f64, rate: f64, origin: f64, until: f64) -> Segment {
        Segment {
            until: at(until),
            origin: at(origin),
            curve: Curve::Arc { cosine, sine, rate },
        }
    }

    /// The law of both lists over 1 … 2, and what it should be at some instants.
    fn check(offset: f64, lists: &[(f64, Vec<Segment>)], pieces: usize, tolerance: f64) {
        let mut laws = Vec::new();
        let span = (at(1.0), at(2.0));
        blend(
            offset,
            lists.len(),
            |i| (lists[i].0, &lists[i].1[..]),
            span,
            &mut laws,
        );
        assert_eq!(laws.len(), pieces);
        assert_eq!(laws.last().map(|law| law.until), Some(at(2.0)));
        for k in 0..10 {
            let time = at(1.0 + 0.1 * f64::from(k) + 0.01);
            let expected: f64 = lists
                .iter()
                .map(|(factor, list)| factor * after(list, time).map_or(0.0, |piece| piece.at(time)))
                .sum();
            let found = after(&laws, time).map_or(f64::NAN, |law| law.at(time));
            assert!((found - expected - offset).abs() <= tolerance, "{time}: {found}");
        }
    }

    #[test]
    fn sums_of_one_kind_are_exact() {
        let rounding = 32.0 * f64::EPSILON;
        let cubic = Segment::polynomial([1.0, -2.0, 0.5, 0.25], at(1.0), at(2.0));
        let line = Segment::polynomial([3.0, 1.0, 0.0, 0.0], at(0.5), at(2.0));
        let rest = Segment::constant(0.7, at(2.0));
        check(
            0.1,
            &[(2.0, vec![cubic]), (-1.0, vec![line]), (3.0, vec![rest])],
            1,
            rounding,
        );
        let arcs = [
            (0.8, vec![arc(1.0, 0.5, 3.0, 1.0, 2.0)]),
            (0.6, vec![arc(-0.3, 2.0, 3.0, 0.4, 2.0)]),
        ];
        check(0.0, &arcs, 1, rounding);
    }

    #[test]
    fn pieces_end_where_one_of_them_does() {
        let first = vec![Segment::constant(1.0, at(1.25)), Segment::constant(2.0, at(2.0))];
        let second = vec![Segment::constant(5.0, at(1.5)), Segment::constant(7.0, at(2.0))];
        check(0.0, &[(1.0, first.clone()), (1.0, second)], 3, 0.0);
        // What does not count makes no pieces.
        let unseen = vec![Segment::constant(5.0, at(1.5)), Segment::constant(7.0, at(2.0))];
        check(0.0, &[(1.0, first), (0.0, unseen)], 2, 0.0);
    }

    /// A harmonic beside a line: the error of a cubic at four equal nodes is at most f⁗ h⁴ / 1944 < (r h)⁴ / 1944, with a
    /// factor of 1.12 for the amplitude.
    #[test]
    fn other_sums_are_cubics() {
        let line = Segment::polynomial([3.0, 1.0, 0.0, 0.0], at(0.5), at(2.0));
        let lists = [(1.0, vec![arc(1.0, 0.5, 0.8, 1.0, 2.0)]), (1.0, vec![line])];
        check(0.0, &lists, 1, 1.12 * 0.8_f64.powi(4) / 1944.0);
    }

    #[test]
    fn laws_keep_their_values_in_other_seconds() {
        let clock = Clock::new(1e-3);
        for law in [
            Segment::polynomial([1.0, -2.0, 0.5, 0.25], at(1.0), at(2.0)),
            arc(1.0, 0.5, 3.0, 1.0, 2.0),
        ] {
            let mut own = law;
            in_time_of(clock, &mut own);
            assert_eq!(own.until, at(2000.0));
            for t in [1.0, 1.3, 2.0] {
                assert!((own.at(at(1e3 * t)) - law.at(at(t))).abs() < 1e-14);
            }
        }
    }
}
