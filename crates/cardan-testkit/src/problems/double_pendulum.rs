//! The double pendulum of Schiehlen and Scholz: two rods and a stop between them, like a knee, that closes hard.

use super::trajectory::{Trajectory, integrate, tight};
use cardan_ode::{Crossing, Equations, SolverSettings, Trouble};
use std::f64::consts::FRAC_PI_2;
use std::sync::OnceLock;

/// Two equal rods; the state is `[phi1, w1, phi2, w2]` in rad and rad/s, angles from hanging down.
pub struct DoublePendulum;

impl DoublePendulum {
    /// Of each rod, kg.
    pub const MASS: f64 = 1.0;
    /// Of each rod about its centre of mass, kg m².
    pub const INERTIA: f64 = 1.0;
    /// Of each rod, m; the centre of mass is half way.
    pub const LENGTH: f64 = 1.0;
    /// m/s²
    pub const GRAVITY: f64 = 9.81;
    /// Of the stop, N m/rad.
    pub const STOP_STIFFNESS: f64 = 800.0;
    /// Of the stop, N m s/rad.
    pub const STOP_DAMPING: f64 = 3000.0;
    /// The state at t = 0: the upper rod lies flat, the lower one hangs.
    pub const START: [f64; 4] = [FRAC_PI_2, 0.0, 0.0, 0.0];
    /// How far the reference goes, s.
    pub const END: f64 = 3.0;

    /// How far the lower rod is beyond the upper one, and what spring and damper of the stop would do about it.
    fn stop([phi1, w1, phi2, w2]: [f64; 4]) -> (f64, f64) {
        let beyond = phi2 - phi1;
        (
            beyond,
            Self::STOP_STIFFNESS * beyond + Self::STOP_DAMPING * (w2 - w1),
        )
    }

    /// The torque of the stop on the lower rod; the upper one feels its negative.
    pub fn torque(state: [f64; 4]) -> f64 {
        match Self::stop(state) {
            (beyond, push) if beyond > 0.0 && push > 0.0 => -push,
            _ => 0.0,
        }
    }

    /// `[phi1'', phi2'']` under a torque of the stop.
    pub fn accelerations([phi1, w1, phi2, w2]: [f64; 4], torque: f64) -> [f64; 2] {
        let (m, j, l, g) = (Self::MASS, Self::INERTIA, Self::LENGTH, Self::GRAVITY);
        let (sin, cos) = (phi1 - phi2).sin_cos();
        let mixed = m * l * l / 2.0;
        let (first, second) = (j + 1.25 * m * l * l, j + 0.25 * m * l * l);
        let right = [
            -1.5 * m * g * l * phi1.sin() - mixed * sin * w2 * w2 - torque,
            -0.5 * m * g * l * phi2.sin() + mixed * sin * w1 * w1 + torque,
        ];
        let off = mixed * cos;
        let determinant = first * second - off * off;
        [
            (second * right[0] - off * right[1]) / determinant,
            (first * right[1] - off * right[0]) / determinant,
        ]
    }

    /// Kinetic and potential energy, J; zero at rest with both rods level with the hinge.
    pub fn energy([phi1, w1, phi2, w2]: [f64; 4]) -> f64 {
        let (m, j, l, g) = (Self::MASS, Self::INERTIA, Self::LENGTH, Self::GRAVITY);
        let kinetic = 0.5 * (j + 1.25 * m * l * l) * w1 * w1
            + 0.5 * (j + 0.25 * m * l * l) * w2 * w2
            + 0.5 * m * l * l * (phi1 - phi2).cos() * w1 * w2;
        kinetic - m * g * l * (1.5 * phi1.cos() + 0.5 * phi2.cos())
    }

    /// The force in the joint on the lower rod, to the right and upwards.
    pub fn joint_force(state @ [phi1, w1, phi2, w2]: [f64; 4]) -> [f64; 2] {
        let [a1, a2] = Self::accelerations(state, Self::torque(state));
        let (m, l) = (Self::MASS, Self::LENGTH);
        let ((sin1, cos1), (sin2, cos2)) = (phi1.sin_cos(), phi2.sin_cos());
        let right = l * (cos1 * a1 - sin1 * w1 * w1) + l / 2.0 * (cos2 * a2 - sin2 * w2 * w2);
        let up = l * (sin1 * a1 + cos1 * w1 * w1) + l / 2.0 * (sin2 * a2 + cos2 * w2 * w2);
        [m * right, m * (up + Self::GRAVITY)]
    }

    /// The state at a multiple of 1 ms up to [`END`](Self::END): angles to 1e-11, speeds to 1e-10. In the millisecond
    /// after the stop closes speeds change by 3e4 rad/s², and even the rounding of that instant shows: there to 1e-9.
    pub fn reference(t: f64) -> [f64; 4] {
        Self::trajectory().row(t)
    }

    /// When the stop closes and when it opens again, by turns, up to [`END`](Self::END).
    pub fn events() -> &'static [f64] {
        &Self::trajectory().events
    }

    fn trajectory() -> &'static Trajectory<4> {
        static TRAJECTORY: OnceLock<Trajectory<4>> = OnceLock::new();
        TRAJECTORY.get_or_init(|| Self::integrated(&tight()))
    }

    fn integrated(settings: &SolverSettings) -> Trajectory<4> {
        let mut swing = Swing { closed: false };
        integrate(
            &mut swing,
            Self::START,
            1e-3,
            3000,
            settings,
            |swing, crossing| {
                swing.closed = crossing == Crossing::Rising;
            },
        )
    }
}

/// The equations with the stop closed or open: smooth on both sides of an event, which is met by the integrator.
struct Swing {
    closed: bool,
}

impl Equations for Swing {
    fn states(&self) -> usize {
        4
    }

    fn derivatives(&mut self, _t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        let state = [x[0], x[1], x[2], x[3]];
        let torque = if self.closed {
            -DoublePendulum::stop(state).1
        } else {
            0.0
        };
        let [a1, a2] = DoublePendulum::accelerations(state, torque);
        dx.copy_from_slice(&[x[1], a1, x[3], a2]);
        Ok(())
    }

    fn roots(&self) -> usize {
        1
    }

    fn root_values(&mut self, _t: f64, x: &[f64], g: &mut [f64]) -> Result<(), Trouble> {
        // Positive where the stop acts: on arrival the rod is not yet beyond, on departure the push ends first.
        let (beyond, push) = DoublePendulum::stop([x[0], x[1], x[2], x[3]]);
        g[0] = beyond.min(push);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::trajectory::fixed;
    use super::*;

    #[test]
    fn events_and_end_of_the_problem() {
        let events = DoublePendulum::events();
        assert_eq!(events.len(), 3, "{events:?}");
        for (found, given) in events.iter().zip([0.641506797, 0.786467483, 2.817730205]) {
            // Nine digits are given.
            assert!((found - given).abs() < 6e-10, "{found} {given}");
        }
        let end = DoublePendulum::reference(3.0);
        for (found, given) in end.iter().zip([0.57005673, 0.44294851, 0.57085338, 0.44322553]) {
            // Eight digits are given.
            assert!((found - given).abs() < 6e-9, "{found} {given}");
        }
        let deepest = (0..=3000)
            .map(|k| DoublePendulum::stop(DoublePendulum::reference(f64::from(k) / 1000.0)).0)
            .fold(0.0, f64::max);
        // Three digits are given.
        assert!((deepest - 9.20e-4).abs() < 5e-7, "{deepest}");
    }

    #[test]
    fn another_method_finds_the_same() {
        let other = DoublePendulum::integrated(&fixed(2e-6));
        let [phi1, w1, phi2, w2] = DoublePendulum::trajectory().largest_differences(&other);
        // The stop brings a speed of 7 rad/s to rest at a rate of k = 5300/s. Runge-Kutta steps h err by (h k)^4 / 120 of
        // what is left of it: 1e-10, over the time 1/k that it takes 2e-14 of an angle. The angles are rounded to some
        // 1e-13 when the stop closes, and k times as much makes 5e-10 of a speed.
        assert!(phi1.max(phi2) < 2e-12, "{phi1:e} {phi2:e}");
        assert!(w1.max(w2) < 6e-10, "{w1:e} {w2:e}");
    }

    #[test]
    fn energy_is_kept_until_the_stop_closes_and_then_lost() {
        let energy = |t| DoublePendulum::energy(DoublePendulum::reference(t));
        // Ten digits of speeds of a few rad/s.
        assert!(energy(0.64) - energy(0.0) < 1e-9 && energy(0.0) - energy(0.64) < 1e-9);
        assert!(energy(0.7) < energy(0.64) - 1.0);
        assert!((energy(2.8) - energy(0.8)).abs() < 1e-9);
    }

    #[test]
    fn a_reference_between_its_rows_is_refused() {
        assert!(std::panic::catch_unwind(|| DoublePendulum::reference(0.0005)).is_err());
    }
}
