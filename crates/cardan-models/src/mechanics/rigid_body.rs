//! A free rigid body in space.

use cardan_core::form::Form;
use cardan_core::interface::{Interface, Parameter};
use cardan_core::spatial::{back, cross, dot, turned, turning, unit};
use cardan_core::value::Value;

use super::orientation::{orientation, three, vector};
use crate::catalogue::ModelInfo;
use crate::declare::{input, list, output, real};
use crate::{BuildError, Model, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "mechanics",
    name: "rigid-body",
    summary: "a free rigid body in space under a load, seen at its centre of mass",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    vec![
        real("mass", "kg", 1.0, "mass").above(0.0),
        list(
            "inertia",
            "kg.m2",
            "about the centre of mass in body axes: xx yy zz, or xx yy zz xy xz yz as in the matrix",
        )
        .default(Value::Reals(vec![1.0; 3])),
        vector(
            "gravity",
            "m/s2",
            [0.0; 3],
            "acceleration of gravity in inertial axes",
        ),
        vector(
            "position",
            "m",
            [0.0; 3],
            "initial position of the centre of mass",
        ),
        vector(
            "orientation",
            "",
            [0.0; 3],
            "initial orientation: 3-2-1 angles in rad (about z, y, x), or a quaternion (w first)",
        ),
        vector("velocity", "m/s", [0.0; 3], "initial velocity"),
        vector(
            "angular_velocity",
            "rad/s",
            [0.0; 3],
            "initial angular velocity in inertial axes",
        ),
    ]
}

fn ports(_: &Values) -> Result<Interface, BuildError> {
    let mut ports = Interface::default();
    ports.port(
        input(
            "load",
            "",
            "force and moment about the centre of mass, on the body",
        )
        .load()
        .start(Value::Reals(vec![0.0; 6])),
    );
    ports.port(output("frame", "", "motion of the centre of mass").frame());
    ports.port(output(
        "energy",
        "J",
        "kinetic energy, and potential energy in gravity",
    ));
    Ok(ports)
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    let inertia = inertia(values)?;
    let orientation = orientation(values, "orientation")?;
    let velocity = three(values, "angular_velocity")?;
    let momentum = turned(orientation, apply(&inertia, turned(back(orientation), velocity)));
    Ok(Box::new(RigidBody {
        mass: values.real("mass")?,
        compliance: inverse(&inertia),
        gravity: three(values, "gravity")?,
        start: Start {
            position: three(values, "position")?,
            velocity: three(values, "velocity")?,
            orientation,
            momentum,
        },
    }))
}

type Matrix = [[f64; 3]; 3];

fn apply(matrix: &Matrix, v: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| dot(row, v))
}

/// The inertia as a matrix, which must be that of a body.
fn inertia(values: &Values) -> Result<Matrix, BuildError> {
    let refuse = |words: String| Err(BuildError::of("inertia", words));
    let [xx, yy, zz, xy, xz, yz] = match *values.reals("inertia")? {
        [xx, yy, zz] => [xx, yy, zz, 0.0, 0.0, 0.0],
        [xx, yy, zz, xy, xz, yz] => [xx, yy, zz, xy, xz, yz],
        ref other => return refuse(format!("expected 3 or 6 values, found {}", other.len())),
    };
    let matrix = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    let minor = xx * yy - xy * xy;
    if !(xx > 0.0 && minor > 0.0 && determinant(&matrix) > 0.0) {
        return refuse("the body would turn without energy: all principal values must be above 0".to_owned());
    }
    Ok(matrix)
}

fn determinant([a, b, c]: &Matrix) -> f64 {
    dot(*a, cross(*b, *c))
}

/// The inverse of a symmetric matrix.
fn inverse(matrix: &Matrix) -> Matrix {
    let [a, b, c] = *matrix;
    let determinant = determinant(matrix);
    [cross(b, c), cross(c, a), cross(a, b)].map(|row| row.map(|part| part / determinant))
}

struct RigidBody {
    mass: f64,
    /// From angular momentum to angular velocity, in body axes.
    compliance: Matrix,
    gravity: [f64; 3],
    start: Start,
}

struct Start {
    position: [f64; 3],
    velocity: [f64; 3],
    orientation: [f64; 4],
    momentum: [f64; 3],
}

/// Position, velocity, quaternion, angular momentum in inertial axes: without a moment the momentum does not change by a
/// bit, whatever the solver does.
const STATES: usize = 13;

fn vector_at(x: &[f64], first: usize) -> [f64; 3] {
    std::array::from_fn(|i| x[first + i])
}

fn quaternion_at(x: &[f64]) -> [f64; 4] {
    std::array::from_fn(|i| x[6 + i])
}

impl RigidBody {
    fn angular_velocity(&self, orientation: [f64; 4], momentum: [f64; 3]) -> [f64; 3] {
        turned(
            orientation,
            apply(&self.compliance, turned(back(orientation), momentum)),
        )
    }
}

impl Model for RigidBody {
    fn states(&self) -> usize {
        STATES
    }

    fn initial(&self, x: &mut [f64]) {
        x[..3].copy_from_slice(&self.start.position);
        x[3..6].copy_from_slice(&self.start.velocity);
        x[6..10].copy_from_slice(&self.start.orientation);
        x[10..].copy_from_slice(&self.start.momentum);
    }

    fn derivatives(&self, _t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) {
        let drifted = quaternion_at(x);
        let velocity = self.angular_velocity(unit(drifted), vector_at(x, 10));
        let turning = turning(drifted, velocity);
        let excess = drifted.iter().map(|q| q * q).sum::<f64>() - 1.0;
        // What a solver loses of the length comes back within a turn or so, in any unit of time.
        let pull = 0.5 * dot(velocity, velocity).sqrt() * excess;
        for i in 0..3 {
            dx[i] = x[3 + i];
            dx[3 + i] = u[i] / self.mass + self.gravity[i];
            dx[10 + i] = u[3 + i];
        }
        for i in 0..4 {
            dx[6 + i] = turning[i] - pull * drifted[i];
        }
    }

    fn outputs(&self, _t: f64, x: &[f64], _u: &[f64], y: &mut [f64]) {
        const FRAME: usize = Form::AT_REST.len();
        let (position, velocity, momentum) = (vector_at(x, 0), vector_at(x, 3), vector_at(x, 10));
        let orientation = unit(quaternion_at(x));
        let turning = self.angular_velocity(orientation, momentum);
        y[..3].copy_from_slice(&position);
        y[3..7].copy_from_slice(&orientation);
        y[7..10].copy_from_slice(&velocity);
        y[10..FRAME].copy_from_slice(&turning);
        y[FRAME] = 0.5 * (self.mass * dot(velocity, velocity) + dot(turning, momentum))
            - self.mass * dot(self.gravity, position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cardan_core::participant::Settings;

    /// The length of a quaternion that a solver has made too long or too short comes back: the square n of it changes by
    /// -|ω| (n - 1) n. What is seen has a length of one all the time.
    #[test]
    fn the_length_of_the_quaternion_comes_back() {
        let values = Values::new(&parameters(), &Settings::default()).unwrap_or_else(|_| unreachable!());
        let body = model(&values).unwrap_or_else(|_| unreachable!());
        for square in [0.81, 1.0, 1.21_f64] {
            let mut x = [0.0; STATES];
            // An inertia of one: the momentum is the angular velocity, of length three.
            x[6] = 0.6 * square.sqrt();
            x[8] = 0.8 * square.sqrt();
            x[10..].copy_from_slice(&[1.0, 2.0, -2.0]);
            let mut dx = [0.0; STATES];
            body.derivatives(0.0, &x, &[0.0; 6], &mut dx);
            let change: f64 = (6..10).map(|i| 2.0 * x[i] * dx[i]).sum();
            assert!((change + 3.0 * (square - 1.0) * square).abs() < 1e-14, "{change}");
            let mut y = [0.0; 14];
            body.outputs(0.0, &x, &[0.0; 6], &mut y);
            assert!((y[3] - 0.6).abs() < 1e-15 && (y[5] - 0.8).abs() < 1e-15);
        }
    }
}
