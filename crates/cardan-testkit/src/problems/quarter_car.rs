//! The quarter car: a chassis on a wheel on a tyre, standing before a step in the road.

use super::{Matrix, exponential, transform};

/// Chassis and wheel; the state is `[zc, vc, zw, vw]` in metres and m/s, all zero at t = 0 when the road steps up.
pub struct QuarterCar;

impl QuarterCar {
    /// kg
    pub const CHASSIS_MASS: f64 = 400.0;
    /// kg
    pub const WHEEL_MASS: f64 = 40.0;
    /// Of the suspension, N/m.
    pub const SUSPENSION_STIFFNESS: f64 = 15e3;
    /// Of the suspension, N s/m.
    pub const SUSPENSION_DAMPING: f64 = 1e3;
    /// N/m; the tyre has no damping.
    pub const TYRE_STIFFNESS: f64 = 150e3;
    /// The height of the step, m.
    pub const ROAD: f64 = 0.1;

    /// The force of the suspension on the chassis; the wheel feels its negative.
    pub fn suspension_force([zc, vc, zw, vw]: [f64; 4]) -> f64 {
        Self::SUSPENSION_STIFFNESS * (zw - zc) + Self::SUSPENSION_DAMPING * (vw - vc)
    }

    /// The matrix of the whole car about its rest.
    pub fn matrix() -> Matrix<4> {
        let (k, d, tyre) = (
            Self::SUSPENSION_STIFFNESS,
            Self::SUSPENSION_DAMPING,
            Self::TYRE_STIFFNESS,
        );
        let (mc, mw) = (Self::CHASSIS_MASS, Self::WHEEL_MASS);
        [
            [0.0, 1.0, 0.0, 0.0],
            [-k / mc, -d / mc, k / mc, d / mc],
            [0.0, 0.0, 0.0, 1.0],
            [k / mw, d / mw, -(k + tyre) / mw, -d / mw],
        ]
    }

    /// The exact state at `t` seconds.
    pub fn reference(t: f64) -> [f64; 4] {
        // Seen from the new rest, chassis and wheel start one step too low and swing freely.
        let start = [-Self::ROAD, 0.0, -Self::ROAD, 0.0];
        let [zc, vc, zw, vw] = transform(&exponential(&Self::matrix(), t), &start);
        [zc + Self::ROAD, vc, zw + Self::ROAD, vw]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_heights_on_the_grid() {
        let heights: Vec<[f64; 4]> = (0..=400)
            .map(|k| QuarterCar::reference(f64::from(k) / 100.0))
            .collect();
        let largest = |column: usize| heights.iter().map(|s| s[column]).fold(0.0, f64::max);
        // Nine digits are given.
        assert!((largest(0) - 0.161837937).abs() < 5e-10);
        assert!((largest(2) - 0.142283270).abs() < 5e-10);
    }

    #[test]
    fn points_of_the_reference() {
        let points = [
            (
                0.01,
                [0.000148595889115, 0.0435591982922, 0.016713558239, 3.0983180748],
            ),
            (
                0.48,
                [0.161837937151, 0.00289029245112, 0.105756715982, -0.025066911375],
            ),
            (
                4.0,
                [
                    0.100406579103,
                    -0.00938444430913,
                    0.0999846197294,
                    -0.000839250282227,
                ],
            ),
        ];
        for (t, expected) in points {
            let found = QuarterCar::reference(t);
            for i in 0..4 {
                // The reference was integrated with a relative tolerance of 1e-12.
                assert!((found[i] - expected[i]).abs() < 1e-10, "{t}: {found:?}");
            }
        }
    }
}
