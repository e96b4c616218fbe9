//! Three angles and the rotation they stand for.

/// A matrix of three rows, one after the other.
pub type Matrix = [f64; 9];

/// The rotation of the angles about x, y and z, taken in the order z, y, x: it turns vectors of the base into those of the
/// turned frame.
pub fn rotation_of(angles: [f64; 3]) -> Matrix {
    let [(s1, c1), (s2, c2), (s3, c3)] = angles.map(f64::sin_cos);
    [
        c2 * c3,
        c2 * s3,
        -s2,
        s1 * s2 * c3 - c1 * s3,
        s1 * s2 * s3 + c1 * c3,
        s1 * c2,
        c1 * s2 * c3 + s1 * s3,
        c1 * s2 * s3 - s1 * c3,
        c1 * c2,
    ]
}

/// The angles of a rotation. Where y is turned by a right angle, turning about x and about z are the same, and all of it is
/// told as a turn about z.
pub fn angles_of(rotation: &Matrix) -> [f64; 3] {
    let [a11, a12, a13, a21, a22, _, _, _, _] = *rotation;
    let (a23, a33) = (rotation[5], rotation[8]);
    let y = (-a13).clamp(-1.0, 1.0).asin();
    // Without a cosine the other two elements are rounding errors of zero.
    if a11.hypot(a12) < 1e-12 {
        return [0.0, y, (-a21).atan2(a22)];
    }
    [a23.atan2(a33), y, a12.atan2(a11)]
}
