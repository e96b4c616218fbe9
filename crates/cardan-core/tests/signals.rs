//! Reading rules: exact check values, polynomials of their degree, continuity, time shifts, rewinding, segments.

use cardan_core::planes::Extent;
use cardan_core::signal::{History, Reading, Segment, slerp};
use cardan_core::time::{Resolution, SimTime};
use proptest::prelude::*;

fn at(seconds: f64) -> SimTime {
    SimTime::from_seconds(seconds)
}

fn linear(weight: f64) -> Reading {
    Reading::Linear { weight }
}

#[test]
fn check_values_of_the_reference_problem() {
    let history = History::of_points(&[(0.0, 1.0), (0.1, 1.2), (0.25, 0.9)]);
    let read = |reading| history.signal(0).read(reading, at(0.3));
    let expected = [
        (Reading::Quadratic, 0.64),
        (linear(0.788), 0.8424),
        (Reading::Hold, 0.9),
        (Reading::LeastSquares, 0.936842105263158),
        (Reading::Mean, 1.03333333333333),
    ];
    for (reading, expected) in expected {
        // The reference has fifteen digits.
        assert!(
            (read(reading) - expected).abs() < 5e-15,
            "{reading}: {}",
            read(reading)
        );
    }
}

#[test]
fn fewer_points_fall_back() {
    let one = History::of_points(&[(1.0, 5.0)]);
    let two = History::of_points(&[(1.0, 5.0), (2.0, 7.0)]);
    let all = [
        Reading::Quadratic,
        linear(0.5),
        Reading::LeastSquares,
        Reading::Hermite,
    ];
    for reading in all {
        assert_eq!(one.signal(0).read(reading, at(3.0)), 5.0);
        assert_eq!(two.signal(0).read(reading, at(3.0)), 9.0, "{reading}");
    }
    assert_eq!(two.signal(0).read(Reading::Mean, at(3.0)), 6.0);
    assert_eq!(two.signal(0).read(Reading::Hold, at(3.0)), 7.0);
    assert_eq!(History::new(Extent::default()).len(), 0);
}

#[test]
fn holding_looks_back_and_holding_the_new_value_looks_ahead() {
    let history = History::of_points(&[(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)]);
    let signal = history.signal(0);
    let held: Vec<f64> = [-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 9.0]
        .map(|t| signal.read(Reading::Hold, at(t)))
        .into();
    assert_eq!(held, [1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
    let new: Vec<f64> = [-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 9.0]
        .map(|t| signal.read(Reading::HoldNew, at(t)))
        .into();
    assert_eq!(new, [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 3.0]);
}

#[test]
fn a_parabola_loses_nothing_at_large_times() {
    // y = (t - T)² around T = 10⁹ s, in steps that are exact there.
    let big = 1e9;
    let history = History::of_points(&[(big, 0.0), (big + 0.5, 0.25), (big + 1.0, 1.0)]);
    assert_eq!(history.signal(0).read(Reading::Quadratic, at(big + 2.0)), 4.0);
}

#[test]
fn rewinding_forgets_what_came_later() {
    let mut history = History::of_points(&[(0.0, 0.0), (1.0, 1.0), (2.0, 4.0), (3.0, 100.0)]);
    history.rewind(at(2.5));
    assert_eq!((history.len(), history.latest()), (3, at(2.0)));
    assert_eq!(history.signal(0).read(Reading::Quadratic, at(3.0)), 9.0);
    history.publish(at(3.0), at(0.0)).reals[0] = 9.0;
    assert_eq!(history.signal(0).read(Reading::Quadratic, at(4.0)), 16.0);
}

#[test]
fn old_points_leave_only_when_settled() {
    let mut history = History::new(Extent {
        reals: 1,
        ..Extent::default()
    });
    for k in 0..100 {
        history.publish(at(f64::from(k)), SimTime::PAST).reals[0] = f64::from(k);
    }
    assert_eq!(history.len(), 100);
    assert_eq!(history.signal(0).read(linear(1.0), at(0.5)), 0.5);
    for k in 100..1000 {
        history.publish(at(f64::from(k)), at(f64::from(k - 1))).reals[0] = f64::from(k);
    }
    assert!(history.len() <= 128, "{}", history.len());
}

#[test]
fn points_inside_a_step_make_pieces() {
    let history = History::of_points(&[(0.0, 0.0), (0.25, 1.0), (0.5, 2.0), (1.0, 3.0)]);
    let resolution = Resolution::of_step(0.25);
    let pieces = |reading, visible| {
        let mut segments: Vec<Segment> = Vec::new();
        history.signal(0).segments(
            reading,
            (at(0.0), at(1.0)),
            at(visible),
            resolution,
            &mut segments,
        );
        segments
    };
    let ends = |segments: &[Segment]| -> Vec<f64> { segments.iter().map(|s| s.until.seconds()).collect() };
    let held = pieces(Reading::Hold, 1.0);
    assert_eq!(ends(&held), [0.25, 0.5, 1.0]);
    assert_eq!(
        held.iter().map(|s| s.at(at(0.1))).collect::<Vec<_>>(),
        [0.0, 1.0, 2.0]
    );
    // What is not visible is not there: one piece, beyond the last point seen.
    let extrapolated = pieces(linear(1.0), 0.25);
    assert_eq!(ends(&extrapolated), [0.25, 1.0]);
    assert_eq!(extrapolated[1].at(at(1.0)), 4.0);
    assert_eq!(ends(&pieces(linear(1.0), 0.0)), [1.0]);
}

#[test]
fn rotations_turn_steadily_and_agree_with_slerp() {
    let (s, c) = 0.4_f64.sin_cos();
    let rows = [[1.0, 0.0, 0.0, 0.0], [c, 0.0, s, 0.0]];
    let mut history = History::new(Extent {
        reals: 4,
        ..Extent::default()
    });
    for (k, row) in rows.iter().enumerate() {
        history
            .publish(at(k as f64), SimTime::PAST)
            .reals
            .copy_from_slice(row);
    }
    for t in [0.0, 0.3, 1.0, 1.7] {
        let direct = slerp(rows[0], rows[1], t);
        let read = history.rotation(0, at(t));
        for i in 0..4 {
            // Both evaluate the same harmonic; the argument is rounded once more in one of them.
            assert!((direct[i] - read[i]).abs() < 4.0 * f64::EPSILON);
        }
    }
    let mut lists: [Vec<Segment>; 4] = Default::default();
    let [w, x, y, z] = &mut lists;
    history.rotation_segments(
        0,
        (at(1.0), at(1.5)),
        at(1.0),
        Resolution::of_step(0.5),
        [w, x, y, z],
    );
    let turned: Vec<f64> = lists.iter().map(|l| l[0].at(at(1.5))).collect();
    let expected = slerp(rows[0], rows[1], 1.5);
    assert!(
        turned
            .iter()
            .zip(expected)
            .all(|(a, b)| (a - b).abs() < 4.0 * f64::EPSILON)
    );
}

/// Increasing times with steps between a tenth and one.
fn times() -> impl Strategy<Value = Vec<f64>> {
    (-5.0..5.0, prop::collection::vec(0.1..1.0, 3..8)).prop_map(|(start, steps)| {
        steps
            .iter()
            .scan(start, |t, h| {
                *t += h;
                Some(*t)
            })
            .collect()
    })
}

fn polynomial(c: &[f64], t: f64) -> f64 {
    c.iter().rev().fold(0.0, |sum, c| sum * t + c)
}

fn sampled(times: &[f64], c: &[f64]) -> History {
    let derivative: Vec<f64> = c.iter().enumerate().skip(1).map(|(k, c)| k as f64 * c).collect();
    let mut history = History::new(Extent {
        reals: 1,
        ..Extent::default()
    })
    .with_slopes();
    for &t in times {
        history.publish(at(t), SimTime::PAST).reals[0] = polynomial(c, t);
        history.latest_slopes_mut()[0] = polynomial(&derivative, t);
    }
    history
}

proptest! {
    /// Inside, before and beyond the points. Extrapolating by at most two over points that are at least a tenth apart
    /// multiplies rounding errors of values up to 10⁴ (|t| ≤ 15, coefficients ≤ 2) by at most (2 / 0.1)³.
    #[test]
    fn rules_reproduce_polynomials_of_their_degree(
        times in times(),
        c in prop::collection::vec(-2.0..2.0, 4),
        ahead in -2.0..2.0,
        from_end in any::<bool>(),
    ) {
        let anchor = if from_end { times[times.len() - 1] } else { times[0] };
        let t = anchor + ahead;
        for (reading, degree) in [
            (Reading::Hold, 0),
            (Reading::Mean, 0),
            (linear(1.0), 1),
            (linear(0.3), 1),
            (Reading::LeastSquares, 1),
            (Reading::Quadratic, 2),
            (Reading::Hermite, 3),
        ] {
            let c = &c[..=degree];
            let value = sampled(&times, c).signal(0).read(reading, at(t));
            let bound = 1e4 * 8000.0 * 10.0 * f64::EPSILON;
            prop_assert!((value - polynomial(c, t)).abs() < bound, "{reading} at {t}: {value}");
        }
    }

    /// The interpolating rules pass through the points and are continuous there.
    #[test]
    fn interpolating_rules_are_continuous(times in times(), values in prop::collection::vec(-1.0..1.0, 8)) {
        let points: Vec<(f64, f64)> = times.iter().copied().zip(values).collect();
        let history = History::of_points(&points);
        for reading in [linear(1.0), linear(0.4), Reading::Quadratic, Reading::Hermite] {
            for &(t, y) in &points {
                let near = |t| history.signal(0).read(reading, at(t));
                // Slopes are at most 2 / 0.1, second differences at most 40 / 0.2.
                prop_assert!((near(t) - y).abs() < 1e-12, "{reading} at {t}");
                prop_assert!((near(t - 1e-9) - y).abs() < 1e-6 && (near(t + 1e-9) - y).abs() < 1e-6);
            }
        }
    }

    /// Where time starts does not matter. Shifts by powers of two keep the times exact.
    #[test]
    fn readings_do_not_depend_on_the_origin_of_time(
        steps in prop::collection::vec(1_u32..100, 3..6),
        values in prop::collection::vec(-1.0..1.0, 6),
        ask in 0_u32..600,
        shift in -20_i32..20,
    ) {
        let grid = |k: u32| f64::from(k) / 64.0;
        let shift = f64::from(shift) * 1024.0;
        let ticks: Vec<u32> = steps.iter().scan(0, |t, h| { *t += h; Some(*t) }).collect();
        let points = |shift: f64| -> Vec<(f64, f64)> {
            ticks.iter().zip(&values).map(|(k, y)| (grid(*k) + shift, *y)).collect()
        };
        let (here, there) = (History::of_points(&points(0.0)), History::of_points(&points(shift)));
        for reading in [Reading::Hold, Reading::HoldNew, linear(0.7), Reading::Quadratic, Reading::Mean] {
            let a = here.signal(0).read(reading, at(grid(ask)));
            let b = there.signal(0).read(reading, at(grid(ask) + shift));
            prop_assert_eq!(a.to_bits(), b.to_bits(), "{}", reading);
        }
        // The centre of three times is rounded, and the more so the larger they are: 2¹⁴ · ε · slope.
        let a = here.signal(0).read(Reading::LeastSquares, at(grid(ask)));
        let b = there.signal(0).read(Reading::LeastSquares, at(grid(ask) + shift));
        prop_assert!((a - b).abs() < 1e-9);
    }

    /// Segments over a step say the same as reading at each time.
    #[test]
    fn segments_agree_with_readings(times in times(), values in prop::collection::vec(-1.0..1.0, 8), s in 0.0..1.0) {
        let points: Vec<(f64, f64)> = times.iter().copied().zip(values).collect();
        let history = History::of_points(&points);
        let (from, to) = (times[0], times[times.len() - 1] + 0.5);
        for reading in [Reading::HoldNew, linear(1.0), Reading::Quadratic, Reading::LeastSquares] {
            let mut segments = Vec::new();
            let resolution = Resolution::of_step(0.1);
            history.signal(0).segments(reading, (at(from), at(to)), SimTime::FUTURE, resolution, &mut segments);
            let t = from + s * (to - from);
            let piece = segments.iter().find(|piece| at(t) <= piece.until).unwrap();
            prop_assert_eq!(piece.at(at(t)), history.signal(0).read(reading, at(t)));
        }
    }
}
