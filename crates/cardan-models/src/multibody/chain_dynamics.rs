//! The equations of bodies in a row, joined by hinges, that move in a vertical plane.
//!
//! The coordinates are the absolute angles φ of the bodies and, where the first end is free, its position before them.
//! With `S` the first moment of a body and of all that hangs on its far end, about its near end, and `A` the second one,
//! the equations for the angles are `Σ A_ij (cos(φi - φj) φj'' + sin(φi - φj) φj'²) = Q_i`: nothing but `S` and `A` is
//! needed to state them.

/// Bodies of the longest chain: all matrices lie on the stack.
pub(super) const MOST: usize = 16;
const SIZE: usize = MOST + 2;

/// One value for each coordinate.
pub(super) type Coordinates = [f64; SIZE];

/// A body of the chain, from its near end to its far end.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub(super) length: f64,
    pub(super) mass: f64,
    /// Of the centre of mass from the near end, along the body.
    pub(super) centre: f64,
    /// About the centre of mass.
    pub(super) inertia: f64,
}

/// What of a load acts in the plane.
#[derive(Clone, Copy, Default)]
pub(super) struct PlanarLoad {
    pub(super) force: [f64; 2],
    pub(super) moment: f64,
}

impl PlanarLoad {
    /// From force and moment in space: the plane takes the rest.
    pub(super) fn of(load: &[f64]) -> Self {
        PlanarLoad {
            force: [load[0], load[1]],
            moment: load[5],
        }
    }
}

/// A point of the chain in motion.
pub(super) struct Point {
    pub(super) position: [f64; 2],
    pub(super) velocity: [f64; 2],
    pub(super) angle: f64,
    pub(super) speed: f64,
}

pub(super) struct Chain {
    links: Vec<Link>,
    /// Where the first end is fixed; none where it is free.
    hinge: Option<[f64; 2]>,
    gravity: f64,
    /// In the joint before each body.
    damping: Vec<f64>,
    mass: f64,
    first_moments: Vec<f64>,
    /// Row by row, symmetric.
    second_moments: Vec<f64>,
}

impl Chain {
    pub(super) fn new(links: Vec<Link>, hinge: Option<[f64; 2]>, gravity: f64, damping: Vec<f64>) -> Self {
        let count = links.len();
        let beyond = |i: usize| links[i + 1..].iter().map(|link| link.mass).sum::<f64>();
        let first_moments: Vec<f64> = links
            .iter()
            .enumerate()
            .map(|(i, link)| link.mass * link.centre + link.length * beyond(i))
            .collect();
        let mut second_moments = vec![0.0; count * count];
        for (i, link) in links.iter().enumerate() {
            second_moments[i * count + i] =
                link.inertia + link.mass * link.centre * link.centre + link.length * link.length * beyond(i);
            for j in i + 1..count {
                let moment = link.length * first_moments[j];
                second_moments[i * count + j] = moment;
                second_moments[j * count + i] = moment;
            }
        }
        Chain {
            mass: links.iter().map(|link| link.mass).sum(),
            links,
            hinge,
            gravity,
            damping,
            first_moments,
            second_moments,
        }
    }

    pub(super) fn bodies(&self) -> usize {
        self.links.len()
    }

    /// How many coordinates come before the angles.
    pub(super) fn before(&self) -> usize {
        if self.hinge.is_some() { 0 } else { 2 }
    }

    pub(super) fn coordinates(&self) -> usize {
        self.before() + self.bodies()
    }

    fn second_moment(&self, i: usize, j: usize) -> f64 {
        self.second_moments[i * self.bodies() + j]
    }

    /// The first end.
    pub(super) fn base(&self, q: &[f64], v: &[f64]) -> Point {
        let first = self.before();
        let (position, velocity) = match self.hinge {
            Some(hinge) => (hinge, [0.0; 2]),
            None => ([q[0], q[1]], [v[0], v[1]]),
        };
        Point {
            position,
            velocity,
            angle: q[first],
            speed: v[first],
        }
    }

    /// The last end.
    pub(super) fn tip(&self, q: &[f64], v: &[f64]) -> Point {
        let first = self.before();
        let mut point = self.base(q, v);
        for (i, link) in self.links.iter().enumerate() {
            (point.angle, point.speed) = (q[first + i], v[first + i]);
            let (sin, cos) = point.angle.sin_cos();
            point.position[0] += link.length * cos;
            point.position[1] += link.length * sin;
            point.velocity[0] -= link.length * sin * point.speed;
            point.velocity[1] += link.length * cos * point.speed;
        }
        point
    }

    /// Of motion, and of height in gravity.
    pub(super) fn energy(&self, q: &[f64], v: &[f64]) -> f64 {
        let base = self.base(q, v);
        let (angles, speeds) = (&q[self.before()..], &v[self.before()..]);
        let [vx, vy] = base.velocity;
        let mut energy = self.mass * (0.5 * (vx * vx + vy * vy) + self.gravity * base.position[1]);
        for i in 0..self.bodies() {
            let (sin, cos) = angles[i].sin_cos();
            energy += self.first_moments[i] * (speeds[i] * (cos * vy - sin * vx) + self.gravity * sin);
            for j in 0..self.bodies() {
                let shared = self.second_moment(i, j) * (angles[i] - angles[j]).cos();
                energy += 0.5 * shared * speeds[i] * speeds[j];
            }
        }
        energy
    }

    /// The accelerations of the coordinates.
    pub(super) fn accelerations(
        &self,
        q: &[f64],
        v: &[f64],
        base: PlanarLoad,
        tip: PlanarLoad,
    ) -> Coordinates {
        let mut forces = self.of_loads(q, base, tip);
        let own = self.own(q, v);
        for (force, own) in forces.iter_mut().zip(own) {
            *force += own;
        }
        self.solved(q, forces)
    }

    /// What loads alone add to the accelerations.
    pub(super) fn response(&self, q: &[f64], base: PlanarLoad, tip: PlanarLoad) -> Coordinates {
        self.solved(q, self.of_loads(q, base, tip))
    }

    /// The force of the hinge on the chain that accelerates so, with a force at its tip.
    pub(super) fn hinge_force(&self, q: &[f64], v: &[f64], a: &[f64], tip: [f64; 2]) -> [f64; 2] {
        let [mut x, mut y] = self.hinge_response(q, a, tip);
        y += self.mass * self.gravity;
        for i in 0..self.bodies() {
            let (sin, cos) = q[i].sin_cos();
            let along = self.first_moments[i] * v[i] * v[i];
            x -= cos * along;
            y -= sin * along;
        }
        [x, y]
    }

    /// What accelerations and a force at the tip add to the force of the hinge.
    pub(super) fn hinge_response(&self, q: &[f64], a: &[f64], tip: [f64; 2]) -> [f64; 2] {
        let mut force = tip.map(|part| -part);
        for i in 0..self.bodies() {
            let (sin, cos) = q[i].sin_cos();
            let around = self.first_moments[i] * a[i];
            force[0] -= sin * around;
            force[1] += cos * around;
        }
        force
    }

    /// What loads do on the coordinates.
    fn of_loads(&self, q: &[f64], base: PlanarLoad, tip: PlanarLoad) -> Coordinates {
        let first = self.before();
        let mut forces = [0.0; SIZE];
        if first > 0 {
            forces[0] = base.force[0] + tip.force[0];
            forces[1] = base.force[1] + tip.force[1];
        }
        for (i, link) in self.links.iter().enumerate() {
            let (sin, cos) = q[first + i].sin_cos();
            forces[first + i] = link.length * (cos * tip.force[1] - sin * tip.force[0]);
        }
        forces[first] += base.moment;
        forces[self.coordinates() - 1] += tip.moment;
        forces
    }

    /// What weight, turning and damping do on the coordinates.
    fn own(&self, q: &[f64], v: &[f64]) -> Coordinates {
        let first = self.before();
        let (angles, speeds) = (&q[first..], &v[first..]);
        let mut forces = [0.0; SIZE];
        if first > 0 {
            forces[1] = -self.mass * self.gravity;
        }
        for i in 0..self.bodies() {
            let (sin, cos) = angles[i].sin_cos();
            let along = self.first_moments[i] * speeds[i] * speeds[i];
            if first > 0 {
                forces[0] += cos * along;
                forces[1] += sin * along;
            }
            let mut moment = -self.gravity * self.first_moments[i] * cos;
            for j in 0..self.bodies() {
                moment -= self.second_moment(i, j) * (angles[i] - angles[j]).sin() * speeds[j] * speeds[j];
            }
            forces[first + i] += moment;
            let before = if i == 0 { 0.0 } else { speeds[i - 1] };
            let drag = self.damping[i] * (speeds[i] - before);
            forces[first + i] -= drag;
            if i > 0 {
                forces[first + i - 1] += drag;
            }
        }
        forces
    }

    /// The inertia of the coordinates: its lower triangle.
    fn inertia(&self, q: &[f64]) -> [Coordinates; SIZE] {
        let first = self.before();
        let angles = &q[first..];
        let mut matrix = [[0.0; SIZE]; SIZE];
        if first > 0 {
            matrix[0][0] = self.mass;
            matrix[1][1] = self.mass;
        }
        for i in 0..self.bodies() {
            let row = &mut matrix[first + i];
            if first > 0 {
                let (sin, cos) = angles[i].sin_cos();
                row[0] = -self.first_moments[i] * sin;
                row[1] = self.first_moments[i] * cos;
            }
            for j in 0..=i {
                row[first + j] = self.second_moment(i, j) * (angles[i] - angles[j]).cos();
            }
        }
        matrix
    }

    /// Accelerations from forces, by the factors of Cholesky: no motion is without energy.
    fn solved(&self, q: &[f64], mut forces: Coordinates) -> Coordinates {
        let count = self.coordinates();
        let mut lower = self.inertia(q);
        for i in 0..count {
            for j in 0..=i {
                let known: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
                let rest = lower[i][j] - known;
                lower[i][j] = if i == j { rest.sqrt() } else { rest / lower[j][j] };
            }
            let known: f64 = (0..i).map(|k| lower[i][k] * forces[k]).sum();
            forces[i] = (forces[i] - known) / lower[i][i];
        }
        for i in (0..count).rev() {
            let known: f64 = (i + 1..count).map(|k| lower[k][i] * forces[k]).sum();
            forces[i] = (forces[i] - known) / lower[i][i];
        }
        forces
    }
}
