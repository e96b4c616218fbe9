//! The engine and the linkage of González: a combustion engine turns a four-bar linkage through a gear.

use super::trajectory::{Trajectory, integrate, tight};
use cardan_ode::{Equations, SolverSettings, Trouble};
use std::f64::consts::PI;
use std::sync::OnceLock;

/// Engine, gear and linkage; the state is `[phi, omega, pressure]` in rad, rad/s and bar.
pub struct EngineLinkage;

impl EngineLinkage {
    /// How much faster the engine turns than the linkage.
    pub const GEAR: f64 = 7.0;
    /// Of the two cranks and the coupler about the hinge, kg m².
    pub const INERTIA: f64 = 2.0 / 3.0 + 1.0;
    /// The largest torque of gravity on the linkage, N m.
    pub const WEIGHT: f64 = 2.0 * 9.81;
    /// In the hinge, N m s/rad.
    pub const DAMPING: f64 = 3.18;
    /// Mass of air for each mass of fuel.
    pub const AIR_FUEL_RATIO: f64 = 14.6;
    /// Degrees.
    pub const SPARK_ADVANCE: f64 = 15.0;
    /// The corners of the throttle's angle: seconds and degrees.
    pub const THROTTLE: [(f64, f64); 6] = [
        (0.0, 8.97),
        (5.0, 8.97),
        (6.0, 11.93),
        (15.0, 11.93),
        (16.0, 8.97),
        (30.0, 8.97),
    ];
    /// The state at t = 0: the cranks stand upright and turn.
    pub const START: [f64; 3] = [0.0, 30.0, 0.543];
    /// How far the reference goes, s.
    pub const END: f64 = 30.0;

    /// The angle of the throttle, degrees.
    pub fn throttle(t: f64) -> f64 {
        let corners = Self::THROTTLE.windows(2);
        let piece = corners.rev().find(|pair| pair[0].0 <= t);
        piece.map_or(Self::THROTTLE[0].1, |pair| {
            let ((t0, y0), (t1, y1)) = (pair[0], pair[1]);
            y0 + (y1 - y0) * ((t - t0) / (t1 - t0)).min(1.0)
        })
    }

    /// The torque of the engine on the linkage, N m.
    pub fn torque([_, omega, pressure]: [f64; 3]) -> f64 {
        let n = Self::GEAR * omega;
        let (af, s) = (Self::AIR_FUEL_RATIO, Self::SPARK_ADVANCE);
        let ma = Self::air_out(n, pressure) * PI / n;
        let at_the_crankshaft =
            -181.3 + 379.36 * ma + 21.91 * af - 0.85 * af * af + 0.26 * s - 0.0028 * s * s + 0.027 * n
                - 0.000107 * n * n
                + 0.00048 * n * s
                + 2.55 * s * ma
                - 0.05 * s * s * ma;
        Self::GEAR * at_the_crankshaft
    }

    fn air_in(throttle: f64, pressure: f64) -> f64 {
        let opening = 2.821 - 0.05231 * throttle + 0.10299 * throttle * throttle
            - 0.00063 * throttle * throttle * throttle;
        let fall = if pressure <= 0.5 {
            1.0
        } else {
            2.0 * (pressure - pressure * pressure).sqrt()
        };
        opening * fall
    }

    fn air_out(n: f64, pressure: f64) -> f64 {
        -0.366 + 0.08979 * n * pressure - 0.0337 * n * pressure * pressure + 0.0001 * n * n * pressure
    }

    /// The state at a multiple of 10 ms up to [`END`](Self::END), to 1e-10 of each part.
    pub fn reference(t: f64) -> [f64; 3] {
        static TRAJECTORY: OnceLock<Trajectory<3>> = OnceLock::new();
        TRAJECTORY.get_or_init(|| Self::integrated(&tight())).row(t)
    }

    fn integrated(settings: &SolverSettings) -> Trajectory<3> {
        // The throttle has its corners at rows, and no step goes over one.
        integrate(&mut EngineLinkage, Self::START, 1e-2, 3000, settings, |_, _| {})
    }
}

impl Equations for EngineLinkage {
    fn states(&self) -> usize {
        3
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        let (phi, omega, pressure) = (x[0], x[1], x[2]);
        let torque = EngineLinkage::torque([phi, omega, pressure]);
        let air = Self::air_in(Self::throttle(t), pressure) - Self::air_out(Self::GEAR * omega, pressure);
        dx[0] = omega;
        dx[1] = (Self::WEIGHT * phi.sin() - Self::DAMPING * omega + torque) / Self::INERTIA;
        dx[2] = 0.41328 * air;
        Ok(())
    }

    fn roots(&self) -> usize {
        1
    }

    /// Where the flow through the throttle reaches the speed of sound, its law has a corner in its second derivative.
    fn root_values(&mut self, _t: f64, x: &[f64], g: &mut [f64]) -> Result<(), Trouble> {
        g[0] = x[2] - 0.5;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::trajectory::fixed;
    use super::*;

    #[test]
    fn figures_of_the_problem() {
        let found = |t| EngineLinkage::reference(t);
        // Eight digits of the speeds, seven of the pressure and ten of the angle are given.
        for (t, omega) in [(5.0, 34.782314), (15.0, 47.350461), (30.0, 34.620929)] {
            assert!((found(t)[1] - omega).abs() < 6e-7, "{t}: {:?}", found(t));
        }
        assert!((found(30.0)[2] - 0.4347472).abs() < 6e-8, "{:?}", found(30.0));
        assert!((found(30.0)[0] - 1169.306905).abs() < 6e-7, "{:?}", found(30.0));
    }

    #[test]
    fn rows_of_the_reference() {
        let rows = [
            (0.03, [0.9229614198, 31.57050042, 0.5387816625]),
            (0.06, [1.895183434, 33.22966249, 0.5274714983]),
        ];
        for (t, row) in rows {
            let found = EngineLinkage::reference(t);
            for (found, given) in found.iter().zip(row) {
                // Ten digits are given.
                assert!(
                    (found - given).abs() < 6e-10 * given.max(1.0),
                    "{t}: {found} {given}"
                );
            }
        }
    }

    #[test]
    fn another_method_finds_the_same() {
        let (reference, other) = (
            EngineLinkage::integrated(&tight()),
            EngineLinkage::integrated(&fixed(2e-4)),
        );
        let [phi, omega, pressure] = reference.largest_differences(&other);
        // Speed and pressure swing with the cranks at w = 35/s to 48/s, by 2 rad/s and 0.02 bar: steps h err by
        // (h w)^4 / 120 of that. Errors of the speed do not last beyond the engine's second, and the angle sums them up.
        assert!(omega < 1e-9 && pressure < 1e-11, "{omega:e} {pressure:e}");
        assert!(phi < 1e-9, "{phi:e}");
    }
}
