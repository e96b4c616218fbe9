//! The same motions in as many coordinates as they have freedoms, by another integrator to its last digits.

use cardan_ode::{Equations, Method, SolverSettings, Trouble, build};

use crate::Outcome;
use crate::rods::GRAVITY;

type Slopes<'a> = &'a dyn Fn(f64, &[f64], &mut [f64]);

struct Minimal<'a> {
    states: usize,
    slopes: Slopes<'a>,
}

impl Equations for Minimal<'_> {
    fn states(&self) -> usize {
        self.states
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        (self.slopes)(t, x, dx);
        Ok(())
    }
}

/// States at the given times.
fn integrate(start: &[f64], slopes: Slopes<'_>, times: &[f64]) -> Outcome<Vec<Vec<f64>>> {
    let settings = SolverSettings {
        rtol: 1e-13,
        atol: 1e-13,
        ..SolverSettings::of(Method::Dopri5)
    };
    let mut equations = Minimal {
        states: start.len(),
        slopes,
    };
    let mut solver = build(&settings, start.len(), 0)?;
    solver.restart(0.0, start)?;
    let mut found = Vec::new();
    for &time in times {
        while solver.time() < time {
            solver.advance(&mut equations, time)?;
        }
        found.push(solver.state().to_vec());
    }
    Ok(found)
}

/// Positions `[x1, y1, x2, y2]` of the double pendulum, let go when both rods are level.
pub(crate) fn double_pendulum(times: &[f64]) -> Outcome<Vec<Vec<f64>>> {
    let level = std::f64::consts::FRAC_PI_2;
    let slopes = |_: f64, x: &[f64], dx: &mut [f64]| {
        let (sin, cos) = (x[0] - x[1]).sin_cos();
        let a = -sin * x[3] * x[3] - 2.0 * GRAVITY * x[0].sin();
        let b = sin * x[2] * x[2] - GRAVITY * x[1].sin();
        let determinant = 2.0 - cos * cos;
        dx.copy_from_slice(&[
            x[2],
            x[3],
            (a - cos * b) / determinant,
            (2.0 * b - cos * a) / determinant,
        ]);
    };
    let states = integrate(&[level, level, 0.0, 0.0], &slopes, times)?;
    let position = |x: Vec<f64>| {
        let ((s1, c1), (s2, c2)) = (x[0].sin_cos(), x[1].sin_cos());
        vec![s1, -c1, s1 + s2, -c1 - c2]
    };
    Ok(states.into_iter().map(position).collect())
}

/// `[x, y, vx, vy, z]` of a pendulum with friction, let go level, and what friction has taken.
pub(crate) fn damped_pendulum(damping: f64, time: f64) -> Outcome<Vec<f64>> {
    let slopes = |_: f64, x: &[f64], dx: &mut [f64]| {
        dx[0] = x[1];
        dx[1] = -GRAVITY * x[0].sin() - damping * x[1];
        dx[2] = damping * x[1] * x[1];
    };
    let x = integrate(&[std::f64::consts::FRAC_PI_2, 0.0, 0.0], &slopes, &[time])?.concat();
    let (sin, cos) = x[0].sin_cos();
    Ok(vec![sin, -cos, x[1] * cos, x[1] * sin, x[2]])
}

/// `[x, y]` of a pendulum with friction that hangs at rest when its support begins its way; the support feels friction too,
/// which its guide bears.
pub(crate) fn led_pendulum(damping: f64, way: fn(f64) -> [f64; 3], time: f64) -> Outcome<Vec<f64>> {
    let slopes = |t: f64, x: &[f64], dx: &mut [f64]| {
        let [_, speed, acceleration] = way(t);
        let drag = acceleration + damping * speed;
        dx[0] = x[1];
        dx[1] = -GRAVITY * x[0].sin() - damping * x[1] - x[0].cos() * drag;
    };
    let x = integrate(&[0.0, 0.0], &slopes, &[time])?.concat();
    Ok(vec![way(time)[0] + x[0].sin(), -x[0].cos()])
}

/// `[x, y]` of the first crank's end of the linkage with so many loops, which starts upright with the given speed.
pub(crate) fn crank(loops: usize, speed: f64, time: f64) -> Outcome<Vec<f64>> {
    turned_crank(loops, (0.0, 0.0), speed, time)
}

/// The same with a torque on the first crank, less what its turning takes away from it.
pub(crate) fn turned_crank(
    loops: usize,
    (torque, drag): (f64, f64),
    speed: f64,
    time: f64,
) -> Outcome<Vec<f64>> {
    let (cranks, couplers) = (loops as f64 + 1.0, loops as f64);
    let (inertia, moment) = (cranks / 3.0 + couplers, (cranks / 2.0 + couplers) * GRAVITY);
    let slopes = |_: f64, x: &[f64], dx: &mut [f64]| {
        dx[0] = x[1];
        dx[1] = (moment * x[0].sin() + torque - drag * x[1]) / inertia;
    };
    let x = integrate(&[0.0, speed], &slopes, &[time])?.concat();
    Ok(vec![x[0].sin(), x[0].cos()])
}
