//! Integrals of signals over a stretch of time.

use super::quadrature::over;
use super::{Curve, Reading, Segment, Signal};
use crate::time::{Resolution, SimTime};

/// What a signal amounts to over a stretch of time, and how that is spread over it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Moments {
    /// `∫ y dt`.
    pub integral: f64,
    /// `∫ (t - from) y dt`: time is counted from the beginning of the stretch.
    pub first: f64,
}

impl Segment {
    /// Its moments between two instants: exact for polynomials, by quadrature for arcs.
    pub fn moments(&self, from: SimTime, to: SimTime) -> Moments {
        let h = to.since(from);
        match self.curve {
            Curve::Polynomial(_) => {
                let [a, b, c, d] = self.seen_from(from);
                Moments {
                    integral: h * (a + h * (b / 2.0 + h * (c / 3.0 + h * d / 4.0))),
                    first: h * h * (a / 2.0 + h * (b / 3.0 + h * (c / 4.0 + h * d / 5.0))),
                }
            }
            Curve::Arc { .. } => {
                let mut moments = Moments::default();
                for (s, weight) in over(0.0, h) {
                    let share = h * weight * self.at(from.after(s));
                    moments.integral += share;
                    moments.first += s * share;
                }
                moments
            }
        }
    }
}

impl Signal<'_> {
    /// Its moments over a step, made from the points up to `visible` alone: those of the [segments](Signal::segments) that
    /// a reader would get.
    pub fn moments(
        &self,
        reading: Reading,
        (from, to): (SimTime, SimTime),
        visible: SimTime,
        resolution: Resolution,
    ) -> Moments {
        let mut whole = Moments::default();
        let mut begin = from;
        self.each_segment(reading, (from, to), visible, resolution, |segment| {
            let part = segment.moments(begin, segment.until);
            whole.integral += part.integral;
            whole.first += part.first + begin.since(from) * part.integral;
            begin = segment.until;
        });
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::History;
    use proptest::prelude::*;

    fn at(seconds: f64) -> SimTime {
        SimTime::from_seconds(seconds)
    }

    fn moments(history: &History, reading: Reading, (from, to): (f64, f64), visible: f64) -> Moments {
        let (step, resolution) = ((at(from), at(to)), Resolution::of_step(0.1));
        history.signal(0).moments(reading, step, at(visible), resolution)
    }

    fn close(a: Moments, b: Moments, bound: f64) -> bool {
        (a.integral - b.integral).abs() <= bound && (a.first - b.first).abs() <= bound
    }

    /// y = t²: ∫ y = (b³ - a³)/3, ∫ (t - a) y = (b⁴ - a⁴)/4 - a (b³ - a³)/3.
    fn of_square(a: f64, b: f64) -> Moments {
        let cubes = (b.powi(3) - a.powi(3)) / 3.0;
        Moments {
            integral: cubes,
            first: (b.powi(4) - a.powi(4)) / 4.0 - a * cubes,
        }
    }

    #[test]
    fn a_parabola_between_and_beyond_its_points() {
        let history = History::of_points(&[(0.0, 0.0), (1.0, 1.0), (2.0, 4.0), (3.0, 9.0)]);
        for (from, to, visible) in [
            (0.25, 2.5, 3.0),
            (2.0, 5.0, 3.0),
            (3.0, 4.0, 3.0),
            (2.0, 4.0, 2.0),
        ] {
            let found = moments(&history, Reading::Quadratic, (from, to), visible);
            // Sums of numbers up to 625/4.
            assert!(
                close(found, of_square(from, to), 1e-13),
                "{from} … {to}: {found:?}"
            );
        }
    }

    #[test]
    fn what_is_held_counts_as_long_as_it_is_held() {
        let history = History::of_points(&[(0.0, 1.0), (1.0, 2.0), (2.0, 4.0)]);
        let held = moments(&history, Reading::Hold, (0.5, 3.0), 2.0);
        // 1 over 0.5 … 1, 2 over 1 … 2, 4 over 2 … 3.
        let first = 1.0 * 0.125 + 2.0 * 1.0 + 4.0 * 2.0;
        assert_eq!(held, Moments { integral: 6.5, first });
        let coming = moments(&history, Reading::HoldNew, (0.0, 2.0), 2.0);
        assert_eq!(
            coming,
            Moments {
                integral: 6.0,
                first: 7.0
            }
        );
        let chord = moments(&history, Reading::LINE, (0.0, 2.0), 2.0);
        // ∫ (1 + t) + ∫ 2t over the second; t (1 + t), 2t² likewise.
        let first = 0.5 + 1.0 / 3.0 + 2.0 * 7.0 / 3.0;
        assert!(close(chord, Moments { integral: 4.5, first }, 1e-15));
    }

    #[test]
    fn far_from_the_origin_of_time_nothing_is_lost() {
        let big = 1e9;
        let history = History::of_points(&[(big, 0.0), (big + 0.5, 0.25), (big + 1.0, 1.0)]);
        let found = moments(&history, Reading::Quadratic, (big, big + 2.0), big + 1.0);
        assert!(close(found, of_square(0.0, 2.0), 1e-14), "{found:?}");
    }

    /// cos t over a tenth: ∫ cos t = sin h, ∫ t cos t = h sin h + cos h - 1.
    #[test]
    fn arcs_are_as_good_as_quadrature() {
        let arc = Segment {
            curve: Curve::Arc {
                cosine: 1.0,
                sine: 0.0,
                rate: 1.0,
            },
            ..Segment::constant(0.0, SimTime::FUTURE)
        };
        let (h, expected) = (0.1_f64, |h: f64| Moments {
            integral: h.sin(),
            first: h * h.sin() + h.cos() - 1.0,
        });
        assert!(close(arc.moments(at(0.0), at(h)), expected(h), 1e-16));
    }

    proptest! {
        /// Signals of cubics with their slopes: the same as the antiderivative, and a stretch is the sum of its parts.
        #[test]
        fn cubics_read_with_their_slopes(
            c in prop::collection::vec(-2.0..2.0, 4),
            cuts in prop::collection::vec(0.0..4.0, 3),
        ) {
            let mut history = History::of_points(&[]).with_slopes();
            let value = |t: f64| c[0] + t * (c[1] + t * (c[2] + t * c[3]));
            for k in 0..4 {
                let t = f64::from(k);
                history.publish(at(t), SimTime::PAST).reals[0] = value(t);
                history.tell_slopes(&[c[1] + t * (2.0 * c[2] + t * 3.0 * c[3])]);
            }
            let mut cuts = cuts;
            cuts.sort_by(f64::total_cmp);
            let (from, middle, to) = (cuts[0], cuts[1], cuts[2]);
            let over = |a, b| moments(&history, Reading::Hermite, (a, b), 3.0);
            let whole = over(from, to);
            let power = |k: i32| (to.powi(k + 1) - from.powi(k + 1)) / f64::from(k + 1);
            let integral: f64 = (0..4).map(|k| c[k as usize] * power(k)).sum();
            let about_zero: f64 = (0..4).map(|k| c[k as usize] * power(k + 1)).sum();
            let exact = Moments { integral, first: about_zero - from * integral };
            // Terms up to 2 · 4⁵, and slopes that come from differences of such values.
            prop_assert!(close(whole, exact, 1e-10), "{whole:?} {exact:?}");
            let (early, late) = (over(from, middle), over(middle, to));
            let sum = Moments {
                integral: early.integral + late.integral,
                first: early.first + late.first + (middle - from) * late.integral,
            };
            prop_assert!(close(whole, sum, 1e-10), "{whole:?} {sum:?}");
        }
    }
}
