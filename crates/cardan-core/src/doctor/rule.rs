//! Readings as tables: which polynomial of a step they make of the points of a signal.

use crate::signal::Reading;

/// Coefficients of 1, s, s² (rows), `s` being the part of the step that is over, by three points (columns), the newest
/// first.
pub(super) type Table = [[f64; 3]; 3];

/// What a reading makes of the points before a step, one and two steps apart.
pub(super) fn beyond(reading: Reading) -> Table {
    match reading {
        Reading::Hold | Reading::HoldNew => [[1.0, 0.0, 0.0], [0.0; 3], [0.0; 3]],
        Reading::Linear { weight } => [
            [1.0, 0.0, 0.0],
            [weight, 1.0 - 2.0 * weight, weight - 1.0],
            [0.0; 3],
        ],
        Reading::LeastSquares => [[5.0 / 6.0, 1.0 / 3.0, -1.0 / 6.0], [0.5, 0.0, -0.5], [0.0; 3]],
        Reading::Mean => [[1.0 / 3.0; 3], [0.0; 3], [0.0; 3]],
        // With slopes it is a cubic; without them the parabola, which is near enough for a judgement.
        Reading::Quadratic | Reading::Hermite | Reading::Slerp => {
            [[1.0, 0.0, 0.0], [1.5, -2.0, 0.5], [0.5, -1.0, 0.5]]
        }
    }
}

/// What it makes of the point at the end of a step, the one at its beginning, and the one before.
pub(super) fn inside(reading: Reading) -> Table {
    match reading {
        Reading::Hold | Reading::HoldNew => [[1.0, 0.0, 0.0], [0.0; 3], [0.0; 3]],
        Reading::Linear { .. } => [[0.0, 1.0, 0.0], [1.0, -1.0, 0.0], [0.0; 3]],
        Reading::LeastSquares => [[1.0 / 3.0; 3], [0.5, 0.0, -0.5], [0.0; 3]],
        Reading::Mean => [[1.0 / 3.0; 3], [0.0; 3], [0.0; 3]],
        Reading::Quadratic | Reading::Hermite | Reading::Slerp => {
            [[0.0, 1.0, 0.0], [0.5, 0.0, -0.5], [0.5, -1.0, 0.5]]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::History;
    use crate::time::SimTime;

    /// The tables say what the engine reads.
    #[test]
    fn tables_read_as_signals_do() {
        let points = [0.7, -1.3, 2.1, 0.4];
        let at = |i: usize| i as f64 - 2.0;
        let all: Vec<(f64, f64)> = (0..4).map(|i| (at(i), points[i])).collect();
        let (before, after) = (History::of_points(&all[..3]), History::of_points(&all));
        let value = |table: Table, newest: [f64; 3], s: f64| -> f64 {
            let row = |k: usize| (0..3).map(|i| table[k][i] * newest[i]).sum::<f64>();
            row(0) + s * (row(1) + s * row(2))
        };
        for name in ["hold", "linear", "quadratic", "least-squares", "mean"] {
            let reading: Reading = name.parse().unwrap();
            for s in [0.25, 0.8] {
                let time = SimTime::from_seconds(s);
                let old = [points[2], points[1], points[0]];
                let beyond = value(beyond(reading), old, s);
                assert!(
                    (beyond - before.signal(0).read(reading, time)).abs() < 1e-14,
                    "{name}"
                );
                let new = [points[3], points[2], points[1]];
                let leading = if reading == Reading::Hold {
                    Reading::HoldNew
                } else {
                    reading
                };
                let inside = value(inside(reading), new, s);
                assert!(
                    (inside - after.signal(0).read(leading, time)).abs() < 1e-14,
                    "{name}"
                );
            }
        }
        let weighted = Reading::Linear { weight: 0.788 };
        let read = before.signal(0).read(weighted, SimTime::from_seconds(0.5));
        assert!((value(beyond(weighted), [points[2], points[1], points[0]], 0.5) - read).abs() < 1e-14);
    }
}
