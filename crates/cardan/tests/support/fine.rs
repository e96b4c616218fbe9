//! Solutions of examples that have no closed form: their equations, written down anew and integrated by our
//! own Runge-Kutta method at a step so small that its error is below 1e-9 of each variable. A fixed step gives the same
//! rows on every machine, but for rounding.

use cardan_ode::{Equations, Method, Progress, SolverSettings, Trouble, build};
use std::sync::OnceLock;

/// The states at `0, spacing, 2 spacing, …`.
pub(super) fn rows<E: Equations>(mut equations: E, start: &[f64], spacing: f64, count: u32, step: f64) -> Vec<Vec<f64>> {
    let settings = SolverSettings {
        step: Some(step),
        ..SolverSettings::of(Method::Rk4)
    };
    let mut solver = build(&settings, start.len(), 0).unwrap();
    solver.restart(0.0, start).unwrap();
    let mut rows = vec![start.to_vec()];
    for k in 1..=count {
        let at = f64::from(k) * spacing;
        while solver.advance(&mut equations, at).unwrap() != Progress::Limit {}
        rows.push(solver.state().to_vec());
    }
    rows
}

/// The row at `t`, which must be one of them.
pub(super) fn row(rows: &[Vec<f64>], t: f64, spacing: f64) -> &[f64] {
    let index = (t / spacing).round();
    assert!((t - index * spacing).abs() < 1e-9, "there is no row at {t} s");
    &rows[index as usize]
}

/// A heating element behind a choke, and the plate that it heats: see `examples/ngspice-heater`.
pub(crate) struct HeatingElement;

impl HeatingElement {
    const SPACING: f64 = 0.1;

    fn supply(t: f64) -> f64 {
        12.0 * t.min(1.0).min(41.0 - t).max(0.0)
    }

    fn resistance(temperature: f64) -> f64 {
        2.0 * (1.0 + 0.02 * temperature)
    }

    /// Power, current, and what element and plate are warmer than the room, at multiples of 0.1 s.
    pub(crate) fn at(t: f64) -> [f64; 4] {
        static ROWS: OnceLock<Vec<Vec<f64>>> = OnceLock::new();
        // The supply has corners at multiples of the spacing, so no step goes over one.
        let rows = ROWS.get_or_init(|| rows(HeatingElement, &[0.0; 3], Self::SPACING, 600, 5e-4));
        let [current, element, plate] = *row(rows, t, Self::SPACING) else {
            unreachable!("it has three states");
        };
        let power = current * current * Self::resistance(element);
        [power, current, element, plate]
    }
}

impl Equations for HeatingElement {
    fn states(&self) -> usize {
        3
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        let (current, element, plate) = (x[0], x[1], x[2]);
        let resistance = Self::resistance(element);
        dx[0] = (Self::supply(t) - current * (0.5 + resistance)) / 0.5;
        dx[1] = (current * current * resistance - 0.4 * (element - plate)) / 1.0;
        dx[2] = (0.4 * (element - plate) - 0.25 * plate) / 10.0;
        Ok(())
    }
}

/// A beam, clamped at one end, with the other one in a guide: see `examples/mujoco-fe`.
///
/// With a tension `N` that is the same all along the beam, the equation `E I w'''' = N w''` has the solution
/// `w' = c (1 - cosh(a (1 - x/L)) / cosh(a))`, where `a² = N L² / E I`. From it follow the deflection of the tip, the force
/// `c N` there, and how much longer the beam must be, which gives `N`. So `a` leads to everything else.
pub(crate) struct GuidedBeam;

impl GuidedBeam {
    const LENGTH: f64 = 0.6;
    pub(crate) const RIGIDITY: f64 = 2.8;
    const AXIAL: f64 = 2000.0;

    /// How stiff it is against small deflections: the formula of every textbook.
    pub(crate) const STIFFNESS: f64 = 3.0 * Self::RIGIDITY / (Self::LENGTH * Self::LENGTH * Self::LENGTH);

    /// Deflection and force of the tip.
    fn tip(a: f64) -> (f64, f64) {
        let ratio = a.tanh() / a;
        // 1 - tanh(a)/a, and the mean of (w'/c)². Series, where the differences would lose digits.
        let (share, mean) = if a < 0.1 {
            let s = a * a;
            let share = s * (1.0 / 3.0 - s * (2.0 / 15.0 - s * (17.0 / 315.0 - s * 62.0 / 2835.0)));
            let mean = s * s * (2.0 / 15.0 - s * (34.0 / 315.0 - s * 62.0 / 945.0));
            (share, mean)
        } else {
            (1.0 - ratio, 1.0 - 1.5 * ratio + 0.5 / (a.cosh() * a.cosh()))
        };
        let tension = Self::RIGIDITY * (a / Self::LENGTH).powi(2);
        let longer = tension / Self::AXIAL;
        let slope = (2.0 * longer / (Self::LENGTH * mean)).sqrt();
        (slope * Self::LENGTH * share, slope * tension)
    }

    /// The force that holds the tip at a deflection: the secant method for `a`, from the line it begins with.
    pub(crate) fn force(deflection: f64) -> f64 {
        let wanted = deflection.abs();
        if wanted < 1e-6 {
            return Self::STIFFNESS * deflection; // The rest is 1e-10 of it.
        }
        let mut before = 3.0 * wanted / (15.0 * Self::RIGIDITY / (Self::LENGTH * Self::AXIAL)).sqrt();
        let mut now = 1.01 * before;
        let mut rest_before = Self::tip(before).0 - wanted;
        for _ in 0..50 {
            let rest = Self::tip(now).0 - wanted;
            if rest == rest_before || rest.abs() <= 1e-15 * wanted {
                break;
            }
            (before, now) = (now, now - rest * (now - before) / (rest - rest_before));
            rest_before = rest;
        }
        Self::tip(now).1.copysign(deflection)
    }
}

/// A pendulum on a slider on the tip of that beam.
pub(crate) struct PendulumOnBeam;

impl PendulumOnBeam {
    const SPACING: f64 = 0.01;
    const SLIDER: f64 = 0.05;
    const BOB: f64 = 0.15;
    const LENGTH: f64 = 0.13;
    const INERTIA: f64 = 1e-5;
    const GRAVITY: f64 = 9.81;

    /// Height and velocity of the slider, angle of the pendulum, force of the beam, at multiples of 10 ms.
    pub(crate) fn at(t: f64) -> [f64; 4] {
        static ROWS: OnceLock<Vec<Vec<f64>>> = OnceLock::new();
        let start = [-0.07, 0.1, 0.0, 0.0];
        let rows = ROWS.get_or_init(|| rows(PendulumOnBeam, &start, Self::SPACING, 500, 2e-4));
        let [height, angle, velocity, _] = *row(rows, t, Self::SPACING) else {
            unreachable!("it has four states");
        };
        [height, velocity, angle, -GuidedBeam::force(height)]
    }
}

impl Equations for PendulumOnBeam {
    fn states(&self) -> usize {
        4
    }

    /// By Lagrange, with height and angle as coordinates: two accelerations, one symmetric matrix of masses.
    fn derivatives(&mut self, _t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        let (height, angle, velocity, turn) = (x[0], x[1], x[2], x[3]);
        let lever = Self::BOB * Self::LENGTH;
        let (all, mixed) = (Self::SLIDER + Self::BOB, lever * angle.sin());
        let round = lever * Self::LENGTH + Self::INERTIA;
        let up = -GuidedBeam::force(height) - all * Self::GRAVITY - lever * turn * turn * angle.cos();
        let moment = -mixed * Self::GRAVITY;
        let determinant = all * round - mixed * mixed;
        dx[0] = velocity;
        dx[1] = turn;
        dx[2] = (round * up - mixed * moment) / determinant;
        dx[3] = (all * moment - mixed * up) / determinant;
        Ok(())
    }
}

/// A mass between a soft spring with a damper and a mount that stiffens: see `examples/mbs-fe`.
pub(crate) struct MassOnMount {
    /// Of a damper beside the mount.
    pub(crate) damping: f64,
}

impl MassOnMount {
    const SPACING: f64 = 1e-4;

    /// Position and velocity at multiples of 0.1 ms.
    pub(crate) fn at(t: f64) -> [f64; 2] {
        static ROWS: OnceLock<Vec<Vec<f64>>> = OnceLock::new();
        Self::state(ROWS.get_or_init(|| MassOnMount { damping: 0.0 }.rows()), t)
    }

    /// All states of one second, for [`state`](Self::state).
    pub(crate) fn rows(self) -> Vec<Vec<f64>> {
        rows(self, &[0.01, 0.0], Self::SPACING, 10_000, 1e-5)
    }

    pub(crate) fn state(rows: &[Vec<f64>], t: f64) -> [f64; 2] {
        let [position, velocity] = *row(rows, t, Self::SPACING) else {
            unreachable!("it has two states");
        };
        [position, velocity]
    }
}

impl Equations for MassOnMount {
    fn states(&self) -> usize {
        2
    }

    fn derivatives(&mut self, _t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        let (position, velocity) = (x[0], x[1]);
        let mount = 1e4 * position + 1e8 * position.powi(3) + self.damping * velocity;
        dx[0] = velocity;
        dx[1] = -100.0 * position - 0.5 * velocity - mount;
        Ok(())
    }
}
