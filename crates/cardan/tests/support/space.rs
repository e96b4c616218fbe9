//! A body on a bushing, written down anew as one system: see `examples/swinging-body`.
//!
//! Nothing here knows of frames, markers or quaternion calculus: orientations are matrices of cosines, and the angular velocity is
//! that of Euler's equations, in body axes.

use super::fine::{row, rows};
use cardan_ode::{Equations, Trouble};
use std::sync::OnceLock;

pub(crate) struct SwingingBody;

impl SwingingBody {
    const SPACING: f64 = 0.01;
    const MASS: f64 = 2.0;
    const INERTIA: [f64; 3] = [0.05, 0.04, 0.02];
    const ARM: f64 = 0.5;
    const CEILING: f64 = 2.0;
    /// In N/m and N s/m.
    const STIFFNESS: [f64; 3] = [4e3, 4e3, 8e3];
    const DAMPING: f64 = 20.0;
    const GRAVITY: f64 = 9.81;

    /// Position and quaternion of the body, height of the eye, forces of the bushing along x and z, at multiples of 10 ms.
    pub(crate) fn at(t: f64) -> Vec<f64> {
        static ROWS: OnceLock<Vec<Vec<f64>>> = OnceLock::new();
        let rows = ROWS.get_or_init(|| {
            let (w, y) = (0.9_f64.sqrt(), 0.1_f64.sqrt());
            let mut start = vec![-0.3, 0.0, 1.6, 0.0, -0.6, 0.0, w, 0.0, y, 0.0];
            // Two radians a second about the vertical, in axes that lean by the angle with a sine of 0.6.
            start.extend([-1.2, 0.0, 1.6]);
            rows(SwingingBody, &start, Self::SPACING, 500, 5e-5)
        });
        let x = row(rows, t, Self::SPACING);
        let (eye, force) = Self::eye(x);
        let mut values = x[..3].to_vec();
        values.extend(&x[6..10]);
        values.extend([eye[2], force[0], force[2]]);
        values
    }

    /// The columns of the matrix that turns from body to inertial axes.
    fn axes(q: &[f64]) -> [[f64; 3]; 3] {
        let [w, x, y, z] = [q[0], q[1], q[2], q[3]];
        let n = w * w + x * x + y * y + z * z;
        [
            [w * w + x * x - y * y - z * z, 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
            [2.0 * (x * y - w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z + w * x)],
            [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), w * w - x * x - y * y + z * z],
        ]
        .map(|axis| axis.map(|part| part / n))
    }

    /// Where the eye is, and the force on it, in inertial axes. It lies on the third axis of the body.
    fn eye(x: &[f64]) -> ([f64; 3], [f64; 3]) {
        let axes = Self::axes(&x[6..10]);
        let (a, b) = (x[10], x[11]);
        let place: [f64; 3] = std::array::from_fn(|i| x[i] + Self::ARM * axes[2][i]);
        // ω × third axis is b · first axis - a · second axis.
        let velocity: [f64; 3] =
            std::array::from_fn(|i| x[3 + i] + Self::ARM * (b * axes[0][i] - a * axes[1][i]));
        let from_rest = [place[0], place[1], place[2] - Self::CEILING];
        let force =
            std::array::from_fn(|i| -Self::STIFFNESS[i] * from_rest[i] - Self::DAMPING * velocity[i]);
        (place, force)
    }
}

impl Equations for SwingingBody {
    fn states(&self) -> usize {
        13
    }

    fn derivatives(&mut self, _t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        let (_, force) = Self::eye(x);
        let axes = Self::axes(&x[6..10]);
        let [p, q, r] = [x[10], x[11], x[12]];
        let along = |axis: usize| -> f64 { (0..3).map(|i| axes[axis][i] * force[i]).sum() };
        // The third axis times the force, in body axes.
        let moment = [-Self::ARM * along(1), Self::ARM * along(0), 0.0];
        for i in 0..3 {
            dx[i] = x[3 + i];
            dx[3 + i] = force[i] / Self::MASS - if i == 2 { Self::GRAVITY } else { 0.0 };
        }
        let [w, a, b, c] = [x[6], x[7], x[8], x[9]];
        dx[6] = 0.5 * (-a * p - b * q - c * r);
        dx[7] = 0.5 * (w * p + b * r - c * q);
        dx[8] = 0.5 * (w * q + c * p - a * r);
        dx[9] = 0.5 * (w * r + a * q - b * p);
        let [i, j, k] = Self::INERTIA;
        dx[10] = (moment[0] - (k - j) * q * r) / i;
        dx[11] = (moment[1] - (i - k) * r * p) / j;
        dx[12] = (moment[2] - (j - i) * p * q) / k;
        Ok(())
    }
}
