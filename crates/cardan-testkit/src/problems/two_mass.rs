//! The linear two-mass oscillator of the co-simulation literature: two masses, each on its own spring, with a stiff
//! coupling between them.

use super::{Matrix, Oscillator, exponential, transform};

/// Two masses and a coupling of spring and damper; the state is `[x1, v1, x2, v2]` in metres and m/s.
pub struct TwoMass;

impl TwoMass {
    /// The first mass on its spring, without the coupling.
    pub const FIRST: Oscillator = Oscillator {
        mass: 1.0,
        damping: 0.1,
        stiffness: 100.0,
    };
    /// The second mass on its spring, without the coupling.
    pub const SECOND: Oscillator = Oscillator {
        mass: 2.0,
        damping: 0.2,
        stiffness: 400.0,
    };
    /// Stiffness of the coupling, N/m.
    pub const COUPLING_STIFFNESS: f64 = 1e4;
    /// Damping of the coupling, N s/m.
    pub const COUPLING_DAMPING: f64 = 10.0;
    /// The state at t = 0.
    pub const START: [f64; 4] = [0.1, 0.0, 0.2, 0.0];

    /// The force of the coupling on the first mass; the second feels its negative.
    pub fn coupling_force([x1, v1, x2, v2]: [f64; 4]) -> f64 {
        Self::COUPLING_STIFFNESS * (x2 - x1) + Self::COUPLING_DAMPING * (v2 - v1)
    }

    /// The matrix of the coupled system.
    pub fn matrix() -> Matrix<4> {
        let (c, d) = (Self::COUPLING_STIFFNESS, Self::COUPLING_DAMPING);
        let (first, second) = (Self::FIRST, Self::SECOND);
        let (m1, m2) = (first.mass, second.mass);
        [
            [0.0, 1.0, 0.0, 0.0],
            [
                -(first.stiffness + c) / m1,
                -(first.damping + d) / m1,
                c / m1,
                d / m1,
            ],
            [0.0, 0.0, 0.0, 1.0],
            [
                c / m2,
                d / m2,
                -(second.stiffness + c) / m2,
                -(second.damping + d) / m2,
            ],
        ]
    }

    /// The exact state at `t` seconds.
    pub fn reference(t: f64) -> [f64; 4] {
        transform(&exponential(&Self::matrix(), t), &Self::START)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_the_reference() {
        let points = [
            (
                0.01,
                [0.141280642665, 6.96025694565, 0.177133159295, -3.92106570285],
            ),
            (
                0.02,
                [0.204195090466, 3.96058205706, 0.139221263199, -2.82268442842],
            ),
            (
                5.0,
                [-0.0149358982696, -1.66846435813, -0.0148476366125, -1.65735026032],
            ),
        ];
        for (t, expected) in points {
            let found = TwoMass::reference(t);
            for i in 0..4 {
                // Twelve digits are given; over 5 s the reference itself is known to 3e-11.
                assert!((found[i] - expected[i]).abs() < 3e-11, "{t}: {found:?}");
            }
        }
        // The column of the file next to these points.
        assert!((TwoMass::coupling_force(TwoMass::reference(0.01)) - 249.711939813).abs() < 1e-8);
    }
}
