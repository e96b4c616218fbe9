//! Rotation matrices as lines carry them: nine numbers, row by row.

/// A vector.
pub type Vector = [f64; 3];
pub use crate::wire::{Matrix, angles_of as angles, rotation_of as from_angles};

/// No rotation.
pub const IDENTITY: Matrix = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

/// `A v`.
pub fn apply(a: &Matrix, v: Vector) -> Vector {
    std::array::from_fn(|row| (0..3).map(|k| a[3 * row + k] * v[k]).sum())
}

/// `Aᵀ v`.
pub fn apply_transposed(a: &Matrix, v: Vector) -> Vector {
    std::array::from_fn(|row| (0..3).map(|k| a[3 * k + row] * v[k]).sum())
}

/// `A B`.
pub fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|at| (0..3).map(|k| a[at / 3 * 3 + k] * b[3 * k + at % 3]).sum())
}

/// `Aᵀ`.
pub fn transposed(a: &Matrix) -> Matrix {
    std::array::from_fn(|at| a[at % 3 * 3 + at / 3])
}

/// The orientation a part of the way from one to another: angles of the rotation between them, scaled.
pub fn between(from: &Matrix, to: &Matrix, part: f64) -> Matrix {
    let way = angles(&product(&transposed(from), to));
    product(from, &from_angles(way.map(|angle| part * angle)))
}

/// The matrix from the inertial system to the body whose quaternion (real part first) turns body axes into inertial ones.
pub fn to_body([w, x, y, z]: [f64; 4]) -> Matrix {
    [
        w * w + x * x - y * y - z * z,
        2.0 * (x * y + w * z),
        2.0 * (x * z - w * y),
        2.0 * (x * y - w * z),
        w * w - x * x + y * y - z * z,
        2.0 * (y * z + w * x),
        2.0 * (x * z + w * y),
        2.0 * (y * z - w * x),
        w * w - x * x - y * y + z * z,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: &[f64], b: &[f64]) {
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() < 1e-14, "{a} is not {b}");
        }
    }

    #[test]
    fn angles_come_back() {
        let given = [0.3, -0.4, 1.2];
        let a = from_angles(given);
        close(&angles(&a), &given);
        close(&product(&a, &transposed(&a)), &IDENTITY);
        // The elementary matrices turn the base: a quarter turn about z makes of the x axis the negative y axis.
        let quarter = from_angles([0.0, 0.0, std::f64::consts::FRAC_PI_2]);
        close(&apply(&quarter, [1.0, 0.0, 0.0]), &[0.0, -1.0, 0.0]);
        close(&apply_transposed(&quarter, [0.0, -1.0, 0.0]), &[1.0, 0.0, 0.0]);
    }

    #[test]
    fn half_way_is_half_the_angle() {
        let (from, to) = (from_angles([0.0, 0.2, 0.0]), from_angles([0.0, 0.8, 0.0]));
        close(&between(&from, &to, 0.5), &from_angles([0.0, 0.5, 0.0]));
        close(&between(&from, &to, 1.0), &to);
    }

    #[test]
    fn quaternions_turn_the_other_way() {
        // A body turned by 0.7 about z: its x axis in inertial axes is (cos, sin, 0), the first row of the matrix.
        let body = to_body([0.35_f64.cos(), 0.0, 0.0, 0.35_f64.sin()]);
        close(&body[..3], &[0.7_f64.cos(), 0.7_f64.sin(), 0.0]);
        close(&body, &from_angles([0.0, 0.0, 0.7]));
    }
}
