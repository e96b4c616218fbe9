//! What lines stand for, in one piece: an elastic bar in closed form, pendulums without a cut, a hose in many short pieces.

use super::fine::{row, rows};
use cardan_ode::{Equations, Trouble};
use std::f64::consts::PI;
use std::sync::OnceLock;

/// Two masses on springs at the ends of an elastic bar, let go from rest: see `examples/tlm-two-masses`.
///
/// The bar is measured by the time that waves need, so its tension is `Z u'` and its mass per length is `Z`. A mode is
/// `cos(w s - d1)`; with `tan(d) = (k - m w²) / (Z w)` for each end the modes have `w T - d1 - d2 = n π`, `n = 0, 1, …`, and
/// the left side grows with `w`.
#[derive(Clone, Copy)]
pub(crate) struct ElasticBar {
    pub(crate) impedance: f64,
    pub(crate) delay: f64,
}

/// What one mode adds.
struct Mode {
    frequency: f64,
    /// The motions of both masses that belong to it at the start.
    ends: [f64; 2],
}

impl ElasticBar {
    const MASSES: [f64; 2] = [1.0, 2.0];
    const SPRINGS: [f64; 2] = [1000.0, 4000.0];
    const START: f64 = 0.01;
    /// Amplitudes fall with the fourth power of the number of a mode: the rest is 1e-17 m.
    const MODES: usize = 200;

    fn angle(&self, end: usize, w: f64) -> f64 {
        ((Self::SPRINGS[end] - Self::MASSES[end] * w * w) / (self.impedance * w)).atan()
    }

    /// The angular frequency of a mode.
    pub(crate) fn frequency(&self, mode: usize) -> f64 {
        let phase = |w: f64| w * self.delay - self.angle(0, w) - self.angle(1, w) - mode as f64 * PI;
        let (mut below, mut above) = (1e-6, (mode as f64 + 2.0) * PI / self.delay);
        for _ in 0..200 {
            let middle = 0.5 * (below + above);
            match phase(middle) < 0.0 {
                true => below = middle,
                false => above = middle,
            }
        }
        0.5 * (below + above)
    }

    fn mode(&self, number: usize) -> Mode {
        let w = self.frequency(number);
        let (begin, end) = (-self.angle(0, w), w * self.delay - self.angle(0, w));
        let ends = [begin.cos(), end.cos()];
        let bar = 0.5 * self.delay + ((2.0 * end).sin() - (2.0 * begin).sin()) / (4.0 * w);
        let mass =
            Self::MASSES[0] * ends[0].powi(2) + Self::MASSES[1] * ends[1].powi(2) + self.impedance * bar;
        // A bar that is shifted as a whole is moved by the springs alone.
        let springs = Self::SPRINGS[0] * ends[0] + Self::SPRINGS[1] * ends[1];
        let part = Self::START * springs / (w * w * mass);
        Mode {
            frequency: w,
            ends: ends.map(|end| part * end),
        }
    }

    /// Positions and velocities: of the first mass, then of the second.
    pub(crate) fn at(t: f64) -> [f64; 4] {
        static MODES: OnceLock<Vec<Mode>> = OnceLock::new();
        let bar = ElasticBar {
            impedance: 200.0,
            delay: 2e-4,
        };
        let modes = MODES.get_or_init(|| (0..Self::MODES).map(|number| bar.mode(number)).collect());
        let mut state = [0.0; 4];
        for Mode { frequency, ends } in modes {
            let (sin, cos) = (frequency * t).sin_cos();
            for (end, amplitude) in ends.iter().enumerate() {
                state[2 * end] += amplitude * cos;
                state[2 * end + 1] -= amplitude * frequency * sin;
            }
        }
        state
    }
}

/// The double pendulum in one piece: see `examples/tlm-double-pendulum`.
pub(crate) struct DoublePendulum;

impl DoublePendulum {
    const SPACING: f64 = 0.005;
    const MASS: f64 = 13.86;
    const LENGTH: f64 = 0.5;
    const DAMPING: f64 = 0.1;
    const GRAVITY: f64 = 9.81;

    /// The angles of both boxes, at multiples of 5 ms.
    pub(crate) fn at(t: f64) -> [f64; 2] {
        static ROWS: OnceLock<Vec<Vec<f64>>> = OnceLock::new();
        let rows = ROWS.get_or_init(|| rows(DoublePendulum, &[0.0; 4], Self::SPACING, 600, 1e-4));
        let [first, second, ..] = *row(rows, t, Self::SPACING) else {
            unreachable!("it has four states");
        };
        [first, second]
    }
}

impl Equations for DoublePendulum {
    fn states(&self) -> usize {
        4
    }

    /// By Lagrange, with the angles as coordinates.
    fn derivatives(&mut self, _t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        let (m, l) = (Self::MASS, Self::LENGTH);
        let own = m * (l * l + 0.06 * 0.06) / 12.0 + m * l * l / 4.0;
        let (sin, cos) = (x[0] - x[1]).sin_cos();
        let shared = 0.5 * m * l * l;
        let [a, b, c] = [own + m * l * l, shared * cos, own];
        let weight = m * Self::GRAVITY * l;
        let first = -shared * sin * x[3] * x[3] - 1.5 * weight * x[0].cos() - Self::DAMPING * x[2];
        let second = shared * sin * x[2] * x[2] - 0.5 * weight * x[1].cos();
        let determinant = a * c - b * b;
        dx[0] = x[2];
        dx[1] = x[3];
        dx[2] = (c * first - b * second) / determinant;
        dx[3] = (a * second - b * first) / determinant;
        Ok(())
    }
}

/// Three shafts as one rigid rod, with what the ties bring along: see `examples/tlm-three-shafts`.
pub(crate) struct ThreeShafts {
    /// How heavy each tie is, and how much it resists turning; neither weighs anything.
    pub(crate) ties: [f64; 2],
}

impl ThreeShafts {
    const SPACING: f64 = 0.01;

    /// The angle at multiples of 10 ms, with the ties of the example.
    pub(crate) fn at(t: f64) -> f64 {
        static ROWS: OnceLock<Vec<Vec<f64>>> = OnceLock::new();
        // Impedance times delay over what damping lets through.
        let ties = [68_000.0 * 8e-6 / 0.8, 30.0 * 8e-6 / 0.8];
        row(ROWS.get_or_init(|| ThreeShafts { ties }.rows()), t, Self::SPACING)[0]
    }

    pub(crate) fn rows(self) -> Vec<Vec<f64>> {
        rows(self, &[0.0; 2], Self::SPACING, 50, 1e-4)
    }
}

impl Equations for ThreeShafts {
    fn states(&self) -> usize {
        2
    }

    fn derivatives(&mut self, _t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        let (mass, length, radius) = (3.0, 0.16_f64, 0.02_f64);
        let own = mass * (length * length / 12.0 + radius * radius / 4.0);
        let [tie, turned] = self.ties;
        let mut inertia = 0.0;
        for (shaft, ties) in [1.0, 1.0, 0.0].iter().enumerate() {
            let (middle, far) = ((shaft as f64 + 0.5) * length, (shaft as f64 + 1.0) * length);
            inertia += own + mass * middle * middle + ties * (tie * far * far + turned);
        }
        dx[0] = x[1];
        dx[1] = -3.0 * mass * 9.81 * 1.5 * length * x[0].cos() / inertia;
        Ok(())
    }
}

/// A supply, a hose and a cylinder, with the hose in so many short pipes: see `examples/tlm-hydraulic`.
///
/// The states are the velocity in the supply, the pressures between pipes, the velocities in them, and position and velocity
/// of the piston.
pub(crate) struct Hose {
    pub(crate) pieces: usize,
}

impl Hose {
    const SPACING: f64 = 0.005;
    const LENGTH: f64 = 2.7;
    const AREA: f64 = 2e-4;
    const DENSITY: f64 = 870.0;
    const BULK: f64 = 1.6e9;
    const PISTON: f64 = 1e-3;

    /// Position and velocity of the piston, pressure behind it, and flow and pressure at the supply, at multiples of 5 ms.
    pub(crate) fn at(t: f64) -> [f64; 5] {
        static ROWS: OnceLock<Vec<Vec<f64>>> = OnceLock::new();
        Self::shown(ROWS.get_or_init(|| Hose { pieces: 128 }.rows()), t)
    }

    /// All rows of half a second, for [`shown`](Self::shown).
    pub(crate) fn rows(self) -> Vec<Vec<f64>> {
        let states = 2 * self.pieces + 4;
        rows(self, &vec![0.0; states], Self::SPACING, 100, 1e-5)
    }

    pub(crate) fn shown(rows: &[Vec<f64>], t: f64) -> [f64; 5] {
        let row = row(rows, t, Self::SPACING);
        let pieces = (row.len() - 4) / 2;
        [
            row[2 * pieces + 2],
            row[2 * pieces + 3],
            row[1 + pieces],
            Self::AREA * row[0],
            row[1],
        ]
    }
}

impl Equations for Hose {
    fn states(&self) -> usize {
        2 * self.pieces + 4
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        let pieces = self.pieces;
        let length = Self::LENGTH / pieces as f64;
        let (pressures, velocities) = (&x[1..pieces + 2], &x[pieces + 2..2 * pieces + 2]);
        let (position, speed) = (x[2 * pieces + 2], x[2 * pieces + 3]);
        let pump = 2e8 * t.min(0.05);
        let loss = 0.5 * Self::DENSITY * (Self::AREA / (0.7 * 1e-5)).powi(2);
        let lost = loss * x[0] * x[0].hypot(1e-6 / Self::AREA);
        dx[0] = (pump - pressures[0] - lost) / (Self::DENSITY * 0.5);
        let mut inflow = Self::AREA * x[0];
        for place in 0..=pieces {
            let outflow = match place == pieces {
                true => Self::PISTON * speed,
                false => Self::AREA * velocities[place],
            };
            // Half as much between the end and the first pipe.
            let share = if place == 0 || place == pieces { 0.5 } else { 1.0 };
            dx[1 + place] = Self::BULK / (share * Self::AREA * length) * (inflow - outflow);
            inflow = outflow;
        }
        for (place, ends) in pressures.windows(2).enumerate() {
            dx[pieces + 2 + place] = (ends[0] - ends[1]) / (Self::DENSITY * length);
        }
        dx[2 * pieces + 2] = speed;
        dx[2 * pieces + 3] = (Self::PISTON * pressures[pieces] - 2e5 * position - 500.0 * speed) / 50.0;
        Ok(())
    }
}
