//! Rules as tables: which polynomial of a step they make of points that are equally far apart.

use super::{Point, Reading, law};
use crate::time::SimTime;

/// Coefficients of 1, s, s² (rows), `s` being the part of the step that is over, by three points (columns), the newest
/// first.
pub(crate) type Coefficients = [[f64; 3]; 3];

impl Reading {
    /// What the rule makes of the points before a step, one and two steps apart.
    pub(crate) fn coefficients_beyond(self) -> Coefficients {
        match self {
            // Written down where the law rounds on its way.
            Reading::Linear { weight } => [
                [1.0, 0.0, 0.0],
                [weight, 1.0 - 2.0 * weight, weight - 1.0],
                [0.0; 3],
            ],
            Reading::LeastSquares => [[5.0 / 6.0, 1.0 / 3.0, -1.0 / 6.0], [0.5, 0.0, -0.5], [0.0; 3]],
            other => of_law(other.of_numbers(), [-2.0, -1.0, 0.0], false),
        }
    }

    /// What it makes of the point at the end of a step, the one at its beginning, and the one before.
    pub(crate) fn coefficients_inside(self) -> Coefficients {
        match self {
            Reading::LeastSquares => [[1.0 / 3.0; 3], [0.5, 0.0, -0.5], [0.0; 3]],
            other => of_law(other.of_numbers().after_source(), [-1.0, 0.0, 1.0], true),
        }
    }

    /// The rule for single numbers that comes nearest for a judgement: instead of a turn the parabola, which bends as much.
    fn of_numbers(self) -> Reading {
        if self.turns() { Reading::Quadratic } else { self }
    }
}

/// The law of each point alone being one, the slopes unknown. It is linear in the points.
fn of_law(reading: Reading, times: [f64; 3], inside: bool) -> Coefficients {
    let mut table = [[0.0; 3]; 3];
    for newest in 0..3 {
        let mut points = times.map(|time| Point {
            time,
            value: 0.0,
            slope: f64::NAN,
        });
        points[2 - newest].value = 1.0;
        let polynomial = law(reading, &points, inside, SimTime::FUTURE).seen_from(SimTime::default());
        for (row, coefficient) in table.iter_mut().zip(polynomial) {
            // A zero is positive: added to it, it takes no sign.
            row[newest] = coefficient + 0.0;
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::History;

    /// The tables say what the engine reads.
    #[test]
    fn tables_read_as_signals_do() {
        let points = [0.7, -1.3, 2.1, 0.4];
        let at = |i: usize| i as f64 - 2.0;
        let all: Vec<(f64, f64)> = (0..4).map(|i| (at(i), points[i])).collect();
        let (before, after) = (History::of_points(&all[..3]), History::of_points(&all));
        let value = |table: Coefficients, newest: [f64; 3], s: f64| -> f64 {
            let row = |k: usize| (0..3).map(|i| table[k][i] * newest[i]).sum::<f64>();
            row(0) + s * (row(1) + s * row(2))
        };
        for reading in Reading::CHOICES.into_iter().filter(|reading| !reading.turns()) {
            for s in [0.25, 0.8] {
                let time = SimTime::from_seconds(s);
                let old = [points[2], points[1], points[0]];
                let beyond = value(reading.coefficients_beyond(), old, s);
                assert!(
                    (beyond - before.signal(0).read(reading, time)).abs() < 1e-14,
                    "{reading}"
                );
                let new = [points[3], points[2], points[1]];
                let inside = value(reading.coefficients_inside(), new, s);
                let leading = reading.after_source();
                assert!(
                    (inside - after.signal(0).read(leading, time)).abs() < 1e-14,
                    "{reading}"
                );
            }
        }
        let weighted = Reading::Linear { weight: 0.788 };
        let read = before.signal(0).read(weighted, SimTime::from_seconds(0.5));
        let newest = [points[2], points[1], points[0]];
        assert!((value(weighted.coefficients_beyond(), newest, 0.5) - read).abs() < 1e-14);
    }

    /// To the last bit: what the doctor finds depends on it.
    #[test]
    fn tables_in_whole_numbers_and_halves() {
        let held = [[1.0, 0.0, 0.0], [0.0; 3], [0.0; 3]];
        let mean = [[1.0 / 3.0; 3], [0.0; 3], [0.0; 3]];
        let parabola = [[1.0, 0.0, 0.0], [1.5, -2.0, 0.5], [0.5, -1.0, 0.5]];
        let chord = [[0.0, 1.0, 0.0], [1.0, -1.0, 0.0], [0.0; 3]];
        let between = [[0.0, 1.0, 0.0], [0.5, 0.0, -0.5], [0.5, -1.0, 0.5]];
        let weighted = Reading::Linear { weight: 0.3 };
        let cases = [
            (Reading::Hold, held, held),
            (Reading::HoldNew, held, held),
            (weighted, weighted.coefficients_beyond(), chord),
            (Reading::Quadratic, parabola, between),
            (Reading::Hermite, parabola, between),
            (Reading::Slerp, parabola, between),
            (Reading::Mean, mean, mean),
        ];
        let bits = |table: Coefficients| table.map(|row| row.map(f64::to_bits));
        for (reading, beyond, inside) in cases {
            assert_eq!(bits(reading.coefficients_beyond()), bits(beyond), "{reading}");
            assert_eq!(bits(reading.coefficients_inside()), bits(inside), "{reading}");
        }
    }
}
