//! Rods between points in a plane, written down by hand: what the integrators are tried on.

use cardan_ode::mechanical::{Mechanics, Structure};

#[path = "rods_mechanics.rs"]
mod mechanics;

/// A point is one of the coordinates, or nailed down.
#[derive(Clone, Copy)]
pub(crate) enum End {
    Free(usize),
    Nail([f64; 2]),
}

impl End {
    fn columns(self) -> Vec<usize> {
        match self {
            End::Free(point) => vec![2 * point, 2 * point + 1],
            End::Nail(_) => vec![],
        }
    }
}

/// A coordinate that is led along a given way: position, velocity and acceleration at a time.
pub(crate) type Way = fn(f64) -> [f64; 3];

/// Points joined by rods, with weight.
pub(crate) struct Rods {
    structure: Structure,
    rods: Vec<(End, End, f64)>,
    weights: Vec<f64>,
    damping: f64,
    /// A torque on the rod from the origin to the first point, clockwise, and what its turning at one radian per second takes away from
    /// it.
    pub(crate) torque: f64,
    pub(crate) drag: f64,
    /// Coordinates that are led, each a constraint behind those of the rods.
    led: Vec<(usize, Way)>,
}

pub(crate) const GRAVITY: f64 = 9.81;

impl Rods {
    fn new(points: usize, rods: Vec<(End, End, f64)>, mass: Vec<(usize, usize, f64)>, damping: f64) -> Self {
        let mut weights = vec![0.0; 2 * points];
        for &(a, b, mass) in &mass {
            // Uniform gravity: the row sums of the mass matrix, times the acceleration.
            weights[2 * a + 1] -= mass * GRAVITY;
            if a != b {
                weights[2 * b + 1] -= mass * GRAVITY;
            }
        }
        let structure = Structure {
            coordinates: 2 * points,
            mass: mass
                .iter()
                .flat_map(|&(a, b, m)| [(2 * a, 2 * b, m), (2 * a + 1, 2 * b + 1, m)])
                .collect(),
            constraints: rods
                .iter()
                .map(|(a, b, _)| [a.columns(), b.columns()].concat())
                .collect(),
            tangent: if damping != 0.0 {
                (0..2 * points).map(|i| (i, i)).collect()
            } else {
                vec![]
            },
            gradient: 6.0,
            size: 1.0,
            quadratures: usize::from(damping != 0.0),
        };
        Rods {
            structure,
            rods,
            weights,
            damping,
            torque: 0.0,
            drag: 0.0,
            led: Vec::new(),
        }
    }

    /// The same with one rod more.
    pub(crate) fn with_rod(mut self, a: End, b: End, length: f64) -> Self {
        assert!(self.led.is_empty(), "rods come before coordinates that are led");
        self.structure
            .constraints
            .push([a.columns(), b.columns()].concat());
        self.rods.push((a, b, length));
        self
    }

    fn with_led(mut self, coordinate: usize, way: Way) -> Self {
        self.structure.constraints.push(vec![coordinate]);
        self.led.push((coordinate, way));
        self
    }

    /// A pendulum of 1 kg and 1 m with friction, hung up at a point that is led to and fro: points 0 and 1.
    pub(crate) fn led_pendulum(damping: f64, way: Way) -> Self {
        let rods = vec![(End::Free(0), End::Free(1), 1.0)];
        let pendulum = Self::new(2, rods, vec![(0, 0, 1.0), (1, 1, 1.0)], damping);
        pendulum.with_led(0, way).with_led(1, |_| [0.0; 3])
    }

    /// Two point masses of 1 kg on massless rods of 1 m.
    pub(crate) fn double_pendulum() -> Self {
        let rods = vec![
            (End::Nail([0.0, 0.0]), End::Free(0), 1.0),
            (End::Free(0), End::Free(1), 1.0),
        ];
        Self::new(2, rods, vec![(0, 0, 1.0), (1, 1, 1.0)], 0.0)
    }

    /// A pendulum of 1 kg and 1 m whose mass is led along a way level.
    pub(crate) fn stretched_rod(way: Way) -> Self {
        Self::damped_pendulum(0.0).with_led(0, way)
    }

    /// A point mass with friction in the air around it, which a quadrature sums up.
    pub(crate) fn damped_pendulum(damping: f64) -> Self {
        Self::new(
            1,
            vec![(End::Nail([0.0, 0.0]), End::Free(0), 1.0)],
            vec![(0, 0, 1.0)],
            damping,
        )
    }

    /// Uniform rods of 1 m and 1 kg: cranks from (i, 0) to (i, 1), couplers between their ends.
    pub(crate) fn linkage(loops: usize) -> Self {
        let mut rods = Vec::new();
        let mut mass = Vec::new();
        for i in 0..=loops {
            rods.push((End::Nail([i as f64, 0.0]), End::Free(i), 1.0));
            mass.push((i, i, 1.0 / 3.0));
        }
        for i in 0..loops {
            rods.push((End::Free(i), End::Free(i + 1), 1.0));
            mass.extend([
                (i, i, 1.0 / 3.0),
                (i + 1, i + 1, 1.0 / 3.0),
                (i + 1, i, 1.0 / 6.0),
            ]);
        }
        let mut linkage = Self::new(loops + 1, rods, mass, 0.0);
        // Cranks: half their weight hangs at their free ends, though only a third of their mass is there.
        for i in 0..=loops {
            linkage.weights[2 * i + 1] -= (0.5 - 1.0 / 3.0) * GRAVITY;
        }
        linkage
    }

    pub(crate) fn linkage_start(loops: usize, speed: f64) -> Vec<f64> {
        let points = loops + 1;
        let mut x = vec![0.0; 4 * points];
        for i in 0..points {
            x[2 * i] = i as f64;
            x[2 * i + 1] = 1.0;
            x[2 * points + 2 * i] = speed;
        }
        x
    }

    fn position(&self, end: End, q: &[f64]) -> [f64; 2] {
        match end {
            End::Free(point) => [q[2 * point], q[2 * point + 1]],
            End::Nail(at) => at,
        }
    }

    fn velocity(end: End, v: &[f64]) -> [f64; 2] {
        match end {
            End::Free(point) => [v[2 * point], v[2 * point + 1]],
            End::Nail(_) => [0.0, 0.0],
        }
    }

    pub(crate) fn energy(&self, x: &[f64]) -> f64 {
        let (q, v, _) = self.structure.split(x);
        let kinetic: f64 = self
            .structure
            .mass
            .iter()
            .map(|&(a, b, m)| m * v[a] * v[b] * if a == b { 0.5 } else { 1.0 })
            .sum();
        kinetic - q.iter().zip(&self.weights).map(|(q, w)| q * w).sum::<f64>()
    }

    pub(crate) fn violation(&mut self, t: f64, x: &[f64]) -> f64 {
        let mut values = vec![0.0; self.structure.constraints.len()];
        self.constraints(t, &x[..self.structure.coordinates], &mut values);
        values.iter().fold(0.0, |largest, value| value.abs().max(largest))
    }
}
