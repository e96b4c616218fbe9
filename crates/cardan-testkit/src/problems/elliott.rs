//! Elliott's stiff oscillator: almost undamped at 98.3 Hz, forced slowly at 1 Hz, in pounds, inches and seconds.

use super::Oscillator;
use std::f64::consts::TAU;

/// The oscillator that sees the continuous force.
pub struct Elliott;

impl Elliott {
    /// Pound force in lbm in/s²; the value that the source implies.
    pub const GC: f64 = 386.4;
    /// Mass, damping and stiffness in lbm, lbm/s and lbm/s².
    #[allow(clippy::approx_constant, reason = "a mass from the source, not 1/π")]
    pub const OSCILLATOR: Oscillator = Oscillator {
        mass: 0.3183,
        damping: 0.0005 * Self::GC,
        stiffness: 314.16 * Self::GC,
    };
    /// The amplitude of the force in lbm in/s².
    pub const AMPLITUDE: f64 = 50.0 * Self::GC;
    /// The angular frequency of the force: 1 Hz.
    pub const RATE: f64 = TAU;

    /// The force at `t` in lbm in/s².
    pub fn force(t: f64) -> f64 {
        Self::AMPLITUDE * (Self::RATE * t).sin()
    }

    /// `[x, v, a]` at `t` from rest (state A), which leaves a free vibration that hardly decays.
    pub fn from_rest(t: f64) -> [f64; 3] {
        Self::with_acceleration(
            Self::OSCILLATOR.sine_forced([0.0, 0.0], Self::AMPLITUDE, Self::RATE, t),
            t,
        )
    }

    /// `[x, v, a]` at `t` of the steady motion (state B), without free vibration.
    pub fn steady(t: f64) -> [f64; 3] {
        Self::with_acceleration(Self::OSCILLATOR.steady(Self::AMPLITUDE, Self::RATE, t), t)
    }

    fn with_acceleration(state: [f64; 2], t: f64) -> [f64; 3] {
        [
            state[0],
            state[1],
            Self::OSCILLATOR.acceleration(state, Self::force(t)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_the_problem() {
        let hertz = (Elliott::OSCILLATOR.stiffness / Elliott::OSCILLATOR.mass).sqrt() / TAU;
        assert!((hertz - 98.28694).abs() < 5e-6);
        assert!((Elliott::AMPLITUDE / Elliott::OSCILLATOR.stiffness - 0.159155).abs() < 5e-7);
    }

    #[test]
    fn rows_of_the_reference() {
        // t, then x, v, a from rest, then x, v, a of the steady motion; given with ten digits (a: nine).
        let rows = [
            [0.0, 0.0, 0.0, 0.0, -1.591871539e-06, 1.000101188, 6.28445694e-05],
            [
                0.002,
                0.0004709484322,
                0.6703077629,
                582.712178,
                0.001998557988,
                1.00002235,
                -0.0788999068,
            ],
            [
                3.998,
                -0.001855840659,
                0.7167309831,
                -55.3918399,
                -0.002001741479,
                1.000022099,
                0.0790255861,
            ],
            [
                4.0,
                -0.0003863542126,
                0.8219470934,
                146.846647,
                -1.591871539e-06,
                1.000101188,
                6.28445694e-05,
            ],
        ];
        for [t, from_rest @ .., xb, vb, ab] in rows {
            // Positions around 1e-3, velocities around 1, accelerations up to 600 that are the difference of
            // terms of 6e4: the digits given, and for a the rounding of those terms.
            let close = |found: [f64; 3], expected: [f64; 3]| {
                (found[0] - expected[0]).abs() < 2e-12
                    && (found[1] - expected[1]).abs() < 1e-9
                    && (found[2] - expected[2]).abs() < 2e-6
            };
            assert!(
                close(Elliott::from_rest(t), from_rest),
                "{t}: {:?}",
                Elliott::from_rest(t)
            );
            assert!(
                close(Elliott::steady(t), [xb, vb, ab]),
                "{t}: {:?}",
                Elliott::steady(t)
            );
        }
    }
}
