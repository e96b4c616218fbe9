//! Vectors and rotations in space. Quaternions have their real part first and turn from body to inertial axes.
//!
//! Everything is written for any [`Scalar`], so that derivatives can be had from the same formulas.

use std::ops::{Add, Mul, Neg, Sub};

/// What vectors are made of.
pub trait Scalar:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self> + From<f64>
{
}

impl<T> Scalar for T where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Neg<Output = T> + From<f64>
{
}

/// The product of two vectors that is a number.
pub fn dot<S: Scalar>([a, b, c]: [S; 3], [x, y, z]: [S; 3]) -> S {
    a * x + b * y + c * z
}

/// The product of two vectors that is a vector.
pub fn cross<S: Scalar>([a, b, c]: [S; 3], [x, y, z]: [S; 3]) -> [S; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

/// The sum of two vectors.
pub fn plus<S: Scalar>(a: [S; 3], b: [S; 3]) -> [S; 3] {
    std::array::from_fn(|i| a[i] + b[i])
}

/// The difference of two vectors.
pub fn minus<S: Scalar>(a: [S; 3], b: [S; 3]) -> [S; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

/// A vector made longer or shorter.
pub fn times<S: Scalar>(factor: S, a: [S; 3]) -> [S; 3] {
    a.map(|part| factor * part)
}

/// One rotation after another: first `b`, then `a`.
pub fn after<S: Scalar>([aw, ax, ay, az]: [S; 4], [bw, bx, by, bz]: [S; 4]) -> [S; 4] {
    [
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ]
}

/// The rotation back.
pub fn back<S: Scalar>([w, x, y, z]: [S; 4]) -> [S; 4] {
    [w, -x, -y, -z]
}

/// A vector turned by a unit quaternion.
pub fn turned<S: Scalar>([w, x, y, z]: [S; 4], v: [S; 3]) -> [S; 3] {
    let u = [x, y, z];
    let twice = times(S::from(2.0), cross(u, v));
    plus(v, plus(times(w, twice), cross(u, twice)))
}

/// How fast a quaternion changes while its body turns with an angular velocity in inertial axes.
pub fn turning<S: Scalar>(q: [S; 4], [x, y, z]: [S; 3]) -> [S; 4] {
    let half = S::from(0.5);
    after([S::from(0.0), half * x, half * y, half * z], q)
}

/// The same orientation as a quaternion of length one; no turn at all where it has no length.
pub fn unit(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|part| part * part).sum::<f64>().sqrt();
    match length > 0.0 && length.is_finite() {
        true => q.map(|part| part / length),
        false => [1.0, 0.0, 0.0, 0.0],
    }
}

/// The rotation by a vector: its length is the angle, its direction the axis.
pub fn by_vector(v: [f64; 3]) -> [f64; 4] {
    let angle = dot(v, v).sqrt();
    // sin(a/2)/a goes to one half.
    let scale = match angle > 1e-9 {
        true => (0.5 * angle).sin() / angle,
        false => 0.5,
    };
    let [x, y, z] = times(scale, v);
    [(0.5 * angle).cos(), x, y, z]
}

/// The rotation by 3-2-1 angles in radians: about z, then about the new y, then about the new x.
pub fn by_angles([yaw, pitch, roll]: [f64; 3]) -> [f64; 4] {
    let about = |axis: usize, angle: f64| {
        let (sine, cosine) = (0.5 * angle).sin_cos();
        let mut q = [cosine, 0.0, 0.0, 0.0];
        q[1 + axis] = sine;
        q
    };
    after(after(about(2, yaw), about(1, pitch)), about(0, roll))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reaction::turn;
    use std::f64::consts::FRAC_PI_2;

    fn close<const N: usize>(a: [f64; N], b: [f64; N]) {
        for (a, b) in a.iter().zip(b) {
            // A few products of numbers up to two.
            assert!((a - b).abs() < 16.0 * f64::EPSILON, "{a} against {b}");
        }
    }

    /// A quarter turn about z leads x to y, then one about the new y (which looks along -x) leads z there.
    #[test]
    fn angles_turn_about_the_new_axes() {
        let q = by_angles([FRAC_PI_2, 0.0, 0.0]);
        close(turned(q, [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]);
        let q = by_angles([FRAC_PI_2, FRAC_PI_2, 0.0]);
        close(turned(q, [0.0, 1.0, 0.0]), [-1.0, 0.0, 0.0]);
        close(turned(q, [1.0, 0.0, 0.0]), [0.0, 0.0, -1.0]);
        let q = by_angles([FRAC_PI_2, 0.0, FRAC_PI_2]);
        close(turned(q, [0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]);
        close(turned(q, [0.0, 0.0, 1.0]), [1.0, 0.0, 0.0]);
    }

    #[test]
    fn rotations_follow_each_other() {
        let (a, b) = (by_angles([0.3, -0.7, 1.1]), by_vector([0.2, 0.5, -0.4]));
        let v = [0.3, -1.0, 0.8];
        close(turned(after(a, b), v), turned(a, turned(b, v)));
        close(turned(back(a), turned(a, v)), v);
        close(turn([1.0, 0.0, 0.0, 0.0], b), [0.2, 0.5, -0.4]);
        close(by_vector([0.0; 3]), [1.0, 0.0, 0.0, 0.0]);
        close(unit([0.0, 3.0, 0.0, -4.0]), [0.0, 0.6, 0.0, -0.8]);
    }

    /// Over a tiny turn the quaternion moves as its rate says; the second derivative is at most 0.7² / 4.
    #[test]
    fn a_turning_body_turns() {
        let (q, velocity) = (by_angles([0.3, -0.7, 1.1]), [0.2, 0.5, -0.4]);
        let step = 1e-6;
        let next = after(by_vector(times(step, velocity)), q);
        for ((next, now), rate) in next.iter().zip(q).zip(turning(q, velocity)) {
            assert!(((next - now) / step - rate).abs() < 0.13 * step + f64::EPSILON / step);
        }
    }
}
