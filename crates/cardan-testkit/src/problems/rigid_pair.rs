//! Arnold's two oscillators that a constraint joins: what one feels of the other is decided at once, by their masses.

use super::Oscillator;

/// Two oscillators with `q1 = q2`. The first is forced by `sin 3t` and feels `-lambda`, the second feels `lambda`.
///
/// In a coupling the first takes `lambda` and gives its motion, the second takes the motion and gives `lambda`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RigidPair {
    /// The ratio of the second mass to the first.
    pub alpha: f64,
}

impl RigidPair {
    /// kg
    pub const FIRST_MASS: f64 = 1.0;
    /// Of the force on the first mass, N.
    pub const AMPLITUDE: f64 = 1.0;
    /// Of the force on the first mass, rad/s.
    pub const RATE: f64 = 3.0;
    /// Position and velocity of both at t = 0.
    pub const START: [f64; 2] = [0.1, 0.0];

    /// The first oscillator by itself.
    pub fn first(&self) -> Oscillator {
        Oscillator {
            mass: Self::FIRST_MASS,
            damping: 0.1,
            stiffness: 10.0,
        }
    }

    /// The second oscillator by itself.
    pub fn second(&self) -> Oscillator {
        Oscillator {
            mass: self.alpha * Self::FIRST_MASS,
            damping: 1.0,
            stiffness: 1000.0,
        }
    }

    /// Both as one mass.
    pub fn joined(&self) -> Oscillator {
        let (first, second) = (self.first(), self.second());
        Oscillator {
            mass: first.mass + second.mass,
            damping: first.damping + second.damping,
            stiffness: first.stiffness + second.stiffness,
        }
    }

    /// How `lambda` comes back after one trip around the loop, against how it left: the first mass answers it with an
    /// acceleration of `-1/m1`, the second mass that with a force of `m2`. Iteration without relaxation, and a coupling
    /// that holds `lambda` and steps the first before the second, multiply an error by this each time.
    pub fn loop_gain(&self) -> f64 {
        -self.second().mass / self.first().mass
    }

    /// The same with the roles exchanged, when the first oscillator owns the constraint.
    pub fn reversed_loop_gain(&self) -> f64 {
        1.0 / self.loop_gain()
    }

    /// `[q, v]` at `t`.
    pub fn reference(&self, t: f64) -> [f64; 2] {
        self.joined()
            .sine_forced(Self::START, Self::AMPLITUDE, Self::RATE, t)
    }

    /// The force on the second mass at `t`.
    pub fn lambda(&self, t: f64) -> f64 {
        let state = self.reference(t);
        let acceleration = self
            .joined()
            .acceleration(state, Self::AMPLITUDE * (Self::RATE * t).sin());
        let second = self.second();
        second.mass * acceleration + second.damping * state[1] + second.stiffness * state[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_reference() {
        let light = RigidPair { alpha: 0.6 };
        let heavy = RigidPair { alpha: 31.0 };
        let rows = [
            (light, 0.0, [0.1, 0.0, 62.125]),
            (light, 0.005, [0.0992129155842, -0.314231680664, 61.4570374834]),
            (light, 0.01, [0.096867804441, -0.622394369161, 59.8247151296]),
            (heavy, 0.0, [0.1, 0.0, 2.15625]),
            (heavy, 0.005, [0.0999605536822, -0.0157766470291, 2.17096548632]),
            (heavy, 0.01, [0.0998422626995, -0.0315357927208, 2.18397646668]),
        ];
        for (pair, t, [q, v, lambda]) in rows {
            let [found_q, found_v] = pair.reference(t);
            // Twelve digits are given; the force is a stiffness of 1000 away from the position.
            assert!((found_q - q).abs() < 1e-12, "{t}: {found_q} {q}");
            assert!((found_v - v).abs() < 1e-11, "{t}: {found_v} {v}");
            assert!((pair.lambda(t) - lambda).abs() < 1e-9, "{t}: {}", pair.lambda(t));
        }
    }

    #[test]
    fn the_gain_is_the_ratio_of_the_masses() {
        for alpha in [0.6, 2.0, 31.0] {
            let pair = RigidPair { alpha };
            assert!((pair.loop_gain() + alpha).abs() < 1e-15 * alpha);
            assert!((pair.reversed_loop_gain() + 1.0 / alpha).abs() < 1e-15);
        }
    }
}
