//! The reference against closed forms.

use super::{Hybrid, grid};
use std::f64::consts::TAU;

fn largest(rows: &[Vec<f64>], times: &[f64], state: usize, exact: impl Fn(f64) -> f64) -> f64 {
    let pairs = rows.iter().zip(times);
    pairs
        .map(|(row, t)| (row[state] - exact(*t)).abs())
        .fold(0.0, f64::max)
}

#[test]
fn an_oscillator_keeps_its_phase() {
    let oscillator = Hybrid::new(&[1.0, 0.0], (), |_, x, (), dx| {
        dx.copy_from_slice(&[x[1], -TAU * TAU * x[0]]);
    });
    let times = grid(0.0, 10.0, 0.01);
    let rows = oscillator.sample(&times);
    // Sixty radians of swing, each of which turns an error of the size into one of the phase.
    assert!(largest(&rows, &times, 0, |t| (TAU * t).cos()) < 60.0 * 1e-12);
}

/// The same however far apart the rows are, so whatever steps are taken.
#[test]
fn rows_do_not_depend_on_the_steps() {
    let pendulum = || {
        Hybrid::new(&[2.0, 0.0], (), |t, x, (), dx| {
            dx.copy_from_slice(&[x[1], -9.81 * x[0].sin() - 0.1 * x[1] + (3.0 * t).sin()]);
        })
    };
    let (coarse, fine) = (grid(0.0, 5.0, 0.5), grid(0.0, 5.0, 0.005));
    let (coarse, fine) = (pendulum().sample(&coarse), pendulum().sample(&fine));
    for (k, row) in coarse.iter().enumerate() {
        for (found, other) in row.iter().zip(&fine[100 * k]) {
            assert!((found - other).abs() < 1e-11, "{row:?} {:?}", fine[100 * k]);
        }
    }
}

/// A stiff one: ten milliseconds against one second.
#[test]
fn fast_modes_are_followed() {
    let lag = Hybrid::new(&[1.0, 0.0], (), |t, x, (), dx| {
        dx[0] = -100.0 * (x[0] - t.cos());
        dx[1] = x[0];
    });
    let times = grid(0.0, 1.0, 0.1);
    let rows = lag.sample(&times);
    // x = (c cos t + s sin t) + what the start leaves of e^(-100 t).
    let k = 100.0;
    let (c, s) = (k * k / (k * k + 1.0), k / (k * k + 1.0));
    let exact = |t: f64| c * t.cos() + s * t.sin() + (1.0 - c) * (-k * t).exp();
    assert!(largest(&rows, &times, 0, exact) < 1e-11);
}

/// From 1 m, keeping 0.7 of the velocity: bounces at √(2h/g), then after 2v/g each.
#[test]
fn a_ball_bounces_when_it_should() {
    let ball = Hybrid::new(&[1.0, 0.0], (), |_, x, (), dx| dx.copy_from_slice(&[x[1], -9.81]))
        .guards(|_, x, ()| vec![if x[1] < 0.0 { x[0] } else { 1.0 }])
        .jumps(|_, _, x, ()| {
            x[0] = 0.0;
            x[1] *= -0.7;
        });
    let times = grid(0.0, 2.0, 0.01);
    let rows = ball.sample(&times);
    let exact = |t: f64| {
        let fall = (2.0_f64 / 9.81).sqrt();
        let (mut at, mut v) = (fall, 9.81 * fall * 0.7);
        if t < at {
            return 1.0 - 0.5 * 9.81 * t * t;
        }
        while t >= at + 2.0 * v / 9.81 {
            at += 2.0 * v / 9.81;
            v *= 0.7;
        }
        (t - at) * (v - 0.5 * 9.81 * (t - at))
    };
    assert!(largest(&rows, &times, 0, exact) < 1e-12);
}

/// 10 kJ/K, 50 W/K to 5 °C, 1000 W below 19 °C until above 21 °C: exponentials between known temperatures.
#[test]
fn a_thermostat_switches_when_it_should() {
    let room = Hybrid::new(&[20.0], false, |_, x, on, dx| {
        let heat = if *on { 1000.0 } else { 0.0 };
        dx[0] = (heat - 50.0 * (x[0] - 5.0)) / 1e4;
    })
    .guards(|_, x, on| vec![if *on { 21.0 - x[0] } else { x[0] - 19.0 }])
    .jumps(|_, _, _, on| *on = !*on);
    let times = grid(0.0, 300.0, 0.5);
    let rows = room.sample(&times);
    let (rest_off, rest_on, lag) = (5.0, 25.0, 200.0);
    let way = |from: f64, to: f64, rest: f64| lag * f64::ln((from - rest) / (to - rest));
    let exact = |t: f64| {
        let (mut at, mut from, mut on) = (0.0, 20.0, false);
        loop {
            let (rest, to) = if on { (rest_on, 21.0) } else { (rest_off, 19.0) };
            let next = at + way(from, to, rest);
            if t < next {
                return rest + (from - rest) * (-(t - at) / lag).exp();
            }
            (at, from, on) = (next, to, !on);
        }
    };
    assert!(largest(&rows, &times, 0, exact) < 1e-10);
}

/// A force that comes at 0.1 s and goes at 0.112 s leaves its impulse.
#[test]
fn breaks_are_met_exactly() {
    let mass = Hybrid::new(&[0.0, 0.0], 0.0, |_, x, force, dx| {
        dx.copy_from_slice(&[x[1], *force]);
    })
    .breaks(&[0.1, 0.112], |k, _, _, force| *force = [50.0, 0.0][k]);
    let rows = mass.sample(&grid(0.0, 1.0, 1.0));
    assert!((rows[1][1] - 0.6).abs() < 1e-14, "{rows:?}");
}

/// The Hertzian contact has no second derivative where it begins; energy is kept all the same.
#[test]
fn a_round_ball_keeps_its_energy() {
    let ball = Hybrid::new(&[0.5, 0.0], false, |_, x, touching, dx| {
        let push = if *touching {
            1e5 * (-x[0]).max(0.0).powf(1.5)
        } else {
            0.0
        };
        dx.copy_from_slice(&[x[1], push - 9.81]);
    })
    .guards(|_, x, touching| vec![if *touching { -x[0] } else { x[0] }])
    .jumps(|_, _, _, touching| *touching = !*touching);
    for row in ball.sample(&grid(0.0, 2.0, 0.01)) {
        let spring = 1e5 / 2.5 * (-row[0]).max(0.0).powf(2.5);
        let energy = 0.5 * row[1] * row[1] + 9.81 * row[0] + spring;
        // Some hundred steps in contact may each misplace the ball by 1e-13 of its 0.5 m, against up to 500 N.
        assert!((energy - 0.5 * 9.81).abs() < 2.5e-9, "{row:?} {energy}");
    }
}
