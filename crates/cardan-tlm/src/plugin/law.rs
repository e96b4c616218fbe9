//! The laws at the end of a line, as pure functions: for solvers that evaluate loads in many places.

use crate::rotation::{self, Matrix, Vector};

/// What flows through a line. It decides about signs alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Flow {
    /// A velocity, an angular velocity or a current: the load acts against the motion, `F = c - Z v`.
    #[default]
    Motion,
    /// A volume flow out of the component: its pressure rises with it, `p = c + Z q`.
    Volume,
}

impl Flow {
    /// The flow of a domain.
    pub fn of_domain(domain: &str) -> Self {
        match domain.eq_ignore_ascii_case("hydraulic") {
            true => Flow::Volume,
            false => Flow::Motion,
        }
    }

    fn sign(self) -> f64 {
        match self {
            Flow::Motion => -1.0,
            Flow::Volume => 1.0,
        }
    }

    /// The load on the component where the wave `c` arrives.
    pub fn load(self, wave: f64, impedance: f64, velocity: f64) -> f64 {
        wave + self.sign() * impedance * velocity
    }

    /// The wave that leaves under a load.
    pub fn leaving(self, load: f64, impedance: f64, velocity: f64) -> f64 {
        self.sign() * load + impedance * velocity
    }

    /// The load that belongs to a wave that left.
    pub fn load_of_leaving(self, wave: f64, impedance: f64, velocity: f64) -> f64 {
        self.sign() * wave - self.sign() * impedance * velocity
    }

    /// The wave that arrives under a load.
    pub fn arriving(self, load: f64, impedance: f64, velocity: f64) -> f64 {
        load - self.sign() * impedance * velocity
    }
}

/// Where a component's inertial frame lies in the global one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Placement {
    /// Its origin, in global axes.
    pub position: Vector,
    /// From global to component axes.
    pub rotation: Matrix,
}

impl Default for Placement {
    fn default() -> Self {
        Placement {
            position: [0.0; 3],
            rotation: rotation::IDENTITY,
        }
    }
}

/// The motion of a point, in the inertial axes of its component. The orientation leads from those axes to the body's.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Motion3D {
    /// Position.
    pub position: Vector,
    /// From inertial axes to the body's, row by row.
    pub orientation: Matrix,
    /// Velocity.
    pub velocity: Vector,
    /// Angular velocity.
    pub angular_velocity: Vector,
}

impl Default for Motion3D {
    fn default() -> Self {
        Motion3D {
            position: [0.0; 3],
            orientation: rotation::IDENTITY,
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
        }
    }
}

impl Placement {
    /// The load on a component, force and moment in its axes, where the wave arrives that is given in global axes.
    pub fn load(
        &self,
        wave: &[f64; 6],
        (zf, zfr): (f64, f64),
        velocity: Vector,
        angular_velocity: Vector,
    ) -> [f64; 6] {
        let [f0, f1, f2, m0, m1, m2] = *wave;
        let force = rotation::apply(&self.rotation, [f0, f1, f2]);
        let moment = rotation::apply(&self.rotation, [m0, m1, m2]);
        std::array::from_fn(|k| match k {
            0..3 => Flow::Motion.load(force[k], zf, velocity[k]),
            _ => Flow::Motion.load(moment[k - 3], zfr, angular_velocity[k - 3]),
        })
    }

    /// A motion and the wave that leaves with it, both in component axes, as the sample in global axes that goes over the
    /// line.
    pub fn sample(&self, time: f64, motion: &Motion3D, wave: &[f64; 6]) -> [f64; 25] {
        let [f0, f1, f2, m0, m1, m2] = *wave;
        let back = |v: Vector| rotation::apply_transposed(&self.rotation, v);
        let place = back(motion.position);
        let mut sample = [0.0; 25];
        sample[0] = time;
        for k in 0..3 {
            sample[1 + k] = self.position[k] + place[k];
        }
        sample[4..13].copy_from_slice(&rotation::product(&motion.orientation, &self.rotation));
        let vectors = [
            motion.velocity,
            motion.angular_velocity,
            [f0, f1, f2],
            [m0, m1, m2],
        ];
        for (at, vector) in vectors.into_iter().enumerate() {
            sample[13 + 3 * at..][..3].copy_from_slice(&back(vector));
        }
        sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_tells_the_load() {
        for flow in [Flow::Motion, Flow::Volume] {
            let load = flow.load(7.0, 2.0, 3.0);
            assert_eq!(flow.arriving(load, 2.0, 3.0), 7.0);
            let leaving = flow.leaving(load, 2.0, 3.0);
            assert_eq!(flow.load_of_leaving(leaving, 2.0, 3.0), load);
        }
        assert_eq!(Flow::Motion.load(7.0, 2.0, 3.0), 1.0);
        assert_eq!(Flow::Motion.leaving(1.0, 2.0, 3.0), 5.0);
        assert_eq!(Flow::of_domain("hydraulic").load(7.0, 2.0, 3.0), 13.0);
        assert_eq!(Flow::of_domain("Hydraulic").leaving(13.0, 2.0, 3.0), 19.0);
    }

    /// A component frame a quarter turn about z from the global one, one metre along its x axis.
    #[test]
    fn frames_are_left_and_entered() {
        let placement = Placement {
            position: [1.0, 0.0, 0.0],
            rotation: rotation::from_angles([0.0, 0.0, std::f64::consts::FRAC_PI_2]),
        };
        // Component x is global y.
        let wave = [0.0, 5.0, 0.0, 0.0, 0.0, 3.0];
        let load = placement.load(&wave, (10.0, 100.0), [0.2, 0.0, 0.0], [0.0, 0.0, 0.01]);
        for (got, expected) in load.iter().zip([3.0, 0.0, 0.0, 0.0, 0.0, 2.0]) {
            assert!((got - expected).abs() < 1e-14);
        }
        let motion = Motion3D {
            position: [2.0, 0.0, 0.0],
            velocity: [0.0, 4.0, 0.0],
            ..Motion3D::default()
        };
        let sample = placement.sample(0.5, &motion, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        let expected = [(0, 0.5), (1, 1.0), (2, 2.0), (13, -4.0), (20, 1.0), (22, -1.0)];
        for (at, number) in expected {
            assert!((sample[at] - number).abs() < 1e-14, "{at}: {}", sample[at]);
        }
        assert_eq!(sample[4..13], placement.rotation);
    }
}
