//! What a reading foretold against what came.

use super::quadrature::over;
use super::reading::Reading;
use super::view::Signal;
use crate::time::{Resolution, SimTime};

/// A value that a reading foretold, and the one that came.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Defect {
    pub(crate) foretold: f64,
    pub(crate) came: f64,
}

impl Signal<'_> {
    /// What a step from `from` to `to`, which saw nothing after its beginning, took the signal for at its end. None if
    /// the source has not come so far, or if it has nothing but what was already seen.
    #[inline]
    pub(crate) fn defect(
        &self,
        reading: Reading,
        (from, to): (SimTime, SimTime),
        resolution: Resolution,
    ) -> Option<Defect> {
        let history = self.history();
        let visible = resolution.just_after(from);
        let latest = history.latest();
        if !resolution.reached(latest, to) || latest <= visible {
            return None;
        }
        let foretold = match reading.holds() {
            true => history.real(history.index_at(visible), self.column()),
            false => self.read_visible(reading, to, visible),
        };
        let came = match resolution.same(latest, to) {
            true => history.real(history.len() - 1, self.column()),
            // The source has its own steps, and none of them ends here.
            false => self.read(Reading::LINE, to),
        };
        Some(Defect { foretold, came })
    }

    /// Does the signal turn at each of its last points?
    #[inline]
    pub(crate) fn swings(&self) -> bool {
        let (history, column) = (self.history(), self.column());
        let Some(first) = history.len().checked_sub(4) else {
            return false;
        };
        let change = |i: usize| history.real(first + i + 1, column) - history.real(first + i, column);
        let (a, b, c) = (change(0), change(1), change(2));
        a * b < 0.0 && b * c < 0.0
    }

    /// The mean over a step of how far off a reading was, as a part of how far off it was at the step's end.
    ///
    /// The polynomial that the reading went on with and the one that also goes through the new point differ by the
    /// defect at the end times `Π (t - tᵢ) / Π (to - tᵢ)`, where the `tᵢ` are the points that the first goes through;
    /// one whose slope it has as well counts twice. With equal steps the mean is 1/2 for a held value, 5/12 for a line,
    /// 3/8 for a parabola. None where the reading goes through no points, or the source has others inside the step.
    pub(crate) fn mean_share(
        &self,
        reading: Reading,
        (from, to): (SimTime, SimTime),
        resolution: Resolution,
    ) -> Option<f64> {
        let history = self.history();
        let last = history.index_at(resolution.just_after(from));
        let alone = history.len() == last + 2
            && resolution.same(history.time(last), from)
            && resolution.same(history.latest(), to);
        if !alone {
            return None;
        }
        let sloped = |index: usize| history.point(index, self.column()).slope.is_finite();
        let reading = self.rule_beyond(reading, last);
        let support = reading.support(|| last > 0 && sloped(last) && sloped(last - 1))?;
        let product = |t: f64| {
            let points = (last + 1).saturating_sub(support.points)..=last;
            let product: f64 = points.map(|i| t - history.time(i).seconds()).product();
            if support.slopes {
                product * product
            } else {
                product
            }
        };
        let nodes = over(from.seconds(), to.seconds());
        let mean: f64 = nodes.iter().map(|(t, weight)| weight * product(*t)).sum();
        Some(mean / product(to.seconds()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::History;
    use super::*;

    fn step(from: f64, to: f64) -> (SimTime, SimTime) {
        (SimTime::from_seconds(from), SimTime::from_seconds(to))
    }

    const RESOLUTION: f64 = 1.0;

    #[test]
    fn mean_shares_of_equal_steps() {
        let history = History::of_points(&[(0.0, 0.0), (1.0, 1.0), (2.0, 4.0), (3.0, 9.0)]);
        let signal = history.signal(0);
        let resolution = Resolution::of_step(RESOLUTION);
        let share = |reading| signal.mean_share(reading, step(2.0, 3.0), resolution);
        let cases = [
            (Reading::Hold, 1.0 / 2.0),
            (Reading::Linear { weight: 1.0 }, 5.0 / 12.0),
            (Reading::Quadratic, 3.0 / 8.0),
        ];
        for (reading, expected) in cases {
            // The quadrature is exact but for rounding.
            assert!((share(reading).unwrap() - expected).abs() < 1e-14, "{reading}");
        }
        assert_eq!(share(Reading::Mean), None);
    }

    /// Of squares a line misses twice the square of the step, a parabola nothing.
    #[test]
    fn defects_of_squares() {
        let history = History::of_points(&[(0.0, 0.0), (1.0, 1.0), (2.0, 4.0), (3.0, 9.0)]);
        let defect = |reading, from, to| {
            let resolution = Resolution::of_step(RESOLUTION);
            let defect = history.signal(0).defect(reading, step(from, to), resolution);
            defect.map(|d| d.came - d.foretold)
        };
        assert_eq!(defect(Reading::Hold, 2.0, 3.0), Some(5.0));
        assert_eq!(defect(Reading::Linear { weight: 1.0 }, 2.0, 3.0), Some(2.0));
        assert_eq!(defect(Reading::Quadratic, 2.0, 3.0), Some(0.0));
        assert_eq!(defect(Reading::Hold, 3.0, 4.0), None, "nothing came yet");
        assert_eq!(
            defect(Reading::Hold, 1.0, 3.0),
            Some(8.0),
            "a longer step of the reader"
        );
    }

    #[test]
    fn swings_are_seen() {
        let swings = |values: [f64; 4]| {
            let points: Vec<(f64, f64)> = (0..4).map(|k| (k as f64, values[k])).collect();
            History::of_points(&points).signal(0).swings()
        };
        assert!(swings([0.0, 1.0, -1.0, 1.0]));
        assert!(!swings([0.0, 1.0, 2.0, 1.0]));
        assert!(!swings([0.0; 4]));
    }
}
