//! Turning from one orientation to another on the shorter way, at a steady rate.

use super::segment::Curve;

/// Below this angle (rad, between quaternions) the chord is as good as the arc: its relative error is
/// angle²/6 < 2e-17, and dividing by the sine would lose digits.
const SMALL_ANGLE: f64 = 1e-8;

/// The orientation at the fraction `s` of the way from `q0` to `q1`, on the shorter arc; `q1` and `-q1` are the same
/// orientation and give the same answer. `s` may lie outside 0 … 1.
pub fn slerp(q0: [f64; 4], q1: [f64; 4], s: f64) -> [f64; 4] {
    arc(q0, q1, 1.0).map(|curve| match curve {
        Curve::Polynomial([c0, c1, ..]) => c0 + c1 * s,
        Curve::Arc { cosine, sine, rate } => cosine * (rate * s).cos() + sine * (rate * s).sin(),
    })
}

/// The four components as laws of the time since `q0` that pass through `q1` after `duration`.
///
/// With `p` the unit vector orthogonal to `q0` in the plane of both, slerp is `q0 cos φ + p sin φ`: each component is
/// a harmonic of its own, and the norm is kept by construction.
pub(crate) fn arc(q0: [f64; 4], q1: [f64; 4], duration: f64) -> [Curve; 4] {
    let dot: f64 = q0.iter().zip(q1).map(|(a, b)| a * b).sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let target = q1.map(|b| sign * b);
    let cosine = dot.abs();
    let mut orthogonal = [0.0; 4];
    for i in 0..4 {
        orthogonal[i] = target[i] - cosine * q0[i];
    }
    let sine = orthogonal.iter().map(|p| p * p).sum::<f64>().sqrt();
    let angle = sine.atan2(cosine);
    std::array::from_fn(|i| {
        if angle < SMALL_ANGLE {
            Curve::Polynomial([q0[i], (target[i] - q0[i]) / duration, 0.0, 0.0])
        } else {
            Curve::Arc {
                cosine: q0[i],
                sine: orthogonal[i] / sine,
                rate: angle / duration,
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUARTER_TURN_Z: [f64; 4] = [
        std::f64::consts::FRAC_1_SQRT_2,
        0.0,
        0.0,
        std::f64::consts::FRAC_1_SQRT_2,
    ];

    #[test]
    fn check_value_of_the_reference_problem() {
        let expected = [0.972369920398, 0.0, 0.0, 0.233445363856];
        let q = slerp([1.0, 0.0, 0.0, 0.0], QUARTER_TURN_Z, 0.3);
        let from_opposite = slerp([1.0, 0.0, 0.0, 0.0], QUARTER_TURN_Z.map(|c| -c), 0.3);
        for i in 0..4 {
            // The reference is given with twelve digits.
            assert!((q[i] - expected[i]).abs() < 1e-12);
            assert_eq!(q[i], from_opposite[i]);
        }
    }

    #[test]
    fn keeps_the_norm_and_the_ends() {
        let q0 = [0.5, 0.5, -0.5, 0.5];
        for k in -10..=20 {
            let q = slerp(q0, QUARTER_TURN_Z, f64::from(k) / 10.0);
            let norm: f64 = q.iter().map(|c| c * c).sum::<f64>().sqrt();
            assert!((norm - 1.0).abs() < 8.0 * f64::EPSILON);
        }
        let end = slerp(q0, QUARTER_TURN_Z, 1.0);
        // q0 · q1 = 1/√2 > 0: the target itself, not its negative.
        for i in 0..4 {
            assert!((end[i] - QUARTER_TURN_Z[i]).abs() < 8.0 * f64::EPSILON);
        }
    }

    #[test]
    fn tiny_turns_do_not_divide_by_zero() {
        let q = slerp([1.0, 0.0, 0.0, 0.0], [1.0, 1e-12, 0.0, 0.0], 0.5);
        assert_eq!(q, [1.0, 5e-13, 0.0, 0.0]);
        assert_eq!(
            slerp([1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], 0.5),
            [1.0, 0.0, 0.0, 0.0]
        );
    }
}
