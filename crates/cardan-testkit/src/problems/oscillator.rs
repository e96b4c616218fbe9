//! One mass on a spring and a damper, in closed form.

/// `mass · x'' + damping · x' + stiffness · x = force`, damped less than critically.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Oscillator {
    /// Positive.
    pub mass: f64,
    /// Not negative, below critical.
    pub damping: f64,
    /// Positive.
    pub stiffness: f64,
}

impl Oscillator {
    /// The rate at which a free motion dies out, 1/s.
    pub fn decay(&self) -> f64 {
        self.damping / (2.0 * self.mass)
    }

    /// The angular frequency of the free motion, rad/s.
    pub fn frequency(&self) -> f64 {
        let squared = self.stiffness / self.mass - self.decay().powi(2);
        assert!(
            squared > 0.0,
            "the closed form is for damping below critical: {self:?}"
        );
        squared.sqrt()
    }

    /// The acceleration in `[position, velocity]` under `force`.
    pub fn acceleration(&self, [x, v]: [f64; 2], force: f64) -> f64 {
        (force - self.damping * v - self.stiffness * x) / self.mass
    }

    /// `[position, velocity]` after `t` seconds without a force.
    pub fn free(&self, [x, v]: [f64; 2], t: f64) -> [f64; 2] {
        let (decay, w) = (self.decay(), self.frequency());
        let (sin, cos) = (w * t).sin_cos();
        let size = (-decay * t).exp();
        let position = x * cos + (v + decay * x) / w * sin;
        let velocity = v * cos - (decay * v + self.stiffness / self.mass * x) / w * sin;
        [size * position, size * velocity]
    }

    /// `[position, velocity]` after `t` seconds under a constant `force`.
    pub fn held(&self, [x, v]: [f64; 2], force: f64, t: f64) -> [f64; 2] {
        let rest = force / self.stiffness;
        let [x, v] = self.free([x - rest, v], t);
        [x + rest, v]
    }

    /// `[position, velocity]` at `t` of the motion that `amplitude · sin(rate · t)` leaves when all free motion is gone.
    pub fn steady(&self, amplitude: f64, rate: f64, t: f64) -> [f64; 2] {
        let real = self.stiffness - self.mass * rate * rate;
        let imaginary = self.damping * rate;
        let size = amplitude / (real * real + imaginary * imaginary);
        let (in_phase, quadrature) = (size * real, -size * imaginary);
        let (sin, cos) = (rate * t).sin_cos();
        [
            in_phase * sin + quadrature * cos,
            rate * (in_phase * cos - quadrature * sin),
        ]
    }

    /// `[position, velocity]` at `t` under `amplitude · sin(rate · t)`, from a state at t = 0.
    pub fn sine_forced(&self, [x, v]: [f64; 2], amplitude: f64, rate: f64, t: f64) -> [f64; 2] {
        let [x0, v0] = self.steady(amplitude, rate, 0.0);
        let [free_x, free_v] = self.free([x - x0, v - v0], t);
        let [steady_x, steady_v] = self.steady(amplitude, rate, t);
        [free_x + steady_x, free_v + steady_v]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problems::{exponential, transform};

    const OSCILLATOR: Oscillator = Oscillator {
        mass: 2.0,
        damping: 0.7,
        stiffness: 90.0,
    };

    #[test]
    fn free_motion_is_the_exponential() {
        let Oscillator {
            mass,
            damping,
            stiffness,
        } = OSCILLATOR;
        let matrix = [[0.0, 1.0], [-stiffness / mass, -damping / mass]];
        for t in [0.0, 0.1, 1.0, 3.0] {
            let expected = transform(&exponential(&matrix, t), &[0.4, -1.5]);
            let free = OSCILLATOR.free([0.4, -1.5], t);
            assert!((free[0] - expected[0]).abs() < 1e-13 && (free[1] - expected[1]).abs() < 1e-12);
        }
    }

    #[test]
    fn forced_motion_obeys_the_equation() {
        let motion = |t| OSCILLATOR.sine_forced([0.1, 0.3], 5.0, 4.0, t);
        assert!((motion(0.0)[0] - 0.1).abs() < 1e-15 && (motion(0.0)[1] - 0.3).abs() < 1e-15);
        let h = 1e-5;
        for t in [0.2, 1.0, 2.5] {
            let difference = (motion(t + h)[1] - motion(t - h)[1]) / (2.0 * h);
            let law = OSCILLATOR.acceleration(motion(t), 5.0 * (4.0 * t).sin());
            // Central differences: h²/6 of the third derivative (about 2e4) and 1e-16/h of rounding.
            assert!((difference - law).abs() < 1e-6, "{difference} {law}");
            let slope = (motion(t + h)[0] - motion(t - h)[0]) / (2.0 * h);
            assert!((slope - motion(t)[1]).abs() < 1e-6);
        }
    }

    #[test]
    fn a_held_force_has_its_rest_position() {
        let [x, v] = OSCILLATOR.held([0.0, 0.0], 9.0, 200.0);
        assert!((x - 0.1).abs() < 1e-14 && v.abs() < 1e-13);
    }
}
