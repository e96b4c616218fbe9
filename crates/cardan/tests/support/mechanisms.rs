//! Mechanisms in as many coordinates as they have freedoms: nothing of the constraints that the models know.

use super::fine::{row, rows};
use cardan_ode::{Equations, Trouble};
use std::f64::consts::TAU;
use std::sync::OnceLock;

/// Two point masses on rods without mass, in the two angles from the downward vertical: see `examples/double-pendulum`.
pub(crate) struct TwoPoints;

impl TwoPoints {
    const SPACING: f64 = 0.01;
    const GRAVITY: f64 = 9.81;
    const START: [f64; 4] = [TAU / 4.0, TAU / 4.0, 0.0, 0.0];

    /// Where both masses are, at multiples of 10 ms.
    pub(crate) fn at(t: f64) -> [f64; 4] {
        static ROWS: OnceLock<Vec<Vec<f64>>> = OnceLock::new();
        // The rods turn at up to 9.7 rad/s, so that a step h errs by (9.7 h)^5 / 120, 2e-16 rad. Fifty thousand of these make
        // 1e-11 if they add up; half the step changes angles by 4e-12 in fact.
        let rows = ROWS.get_or_init(|| rows(TwoPoints, &Self::START, Self::SPACING, 1000, 2e-4));
        let [first, second, ..] = *row(rows, t, Self::SPACING) else {
            unreachable!("it has four states");
        };
        let (upper, lower) = (first.sin_cos(), second.sin_cos());
        [upper.0, -upper.1, upper.0 + lower.0, -upper.1 - lower.1]
    }
}

impl Equations for TwoPoints {
    fn states(&self) -> usize {
        4
    }

    /// By Lagrange, for masses and lengths of one.
    fn derivatives(&mut self, _t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        let [first, second, w1, w2] = [x[0], x[1], x[2], x[3]];
        let (sine, cosine) = (first - second).sin_cos();
        let upper = -2.0 * Self::GRAVITY * first.sin() - sine * w2 * w2;
        let lower = -Self::GRAVITY * second.sin() + sine * w1 * w1;
        let determinant = 2.0 - cosine * cosine;
        dx[0] = w1;
        dx[1] = w2;
        dx[2] = (upper - cosine * lower) / determinant;
        dx[3] = (2.0 * lower - cosine * upper) / determinant;
        Ok(())
    }
}

/// Parallel cranks of 1 m and 1 kg, joined by couplers of 1 m and 1 kg: see `examples/four-bar`.
///
/// With `L` loops the angle from upright has `J φ'' = G sin φ`, `J = (L + 1)/3 + L`, `G = ((L + 1)/2 + L) g`. It turns round
/// and round, so the time that it takes to an angle, `∫ dφ / √(ω² + 2 G/J (1 - cos φ))`, has a smooth integrand with the
/// period of a turn: a cosine series, of which few terms matter.
pub(crate) struct ParallelCranks {
    pub(crate) loops: f64,
}

impl ParallelCranks {
    const SPEED: f64 = 30.0;
    /// Each term is a hundredth of the one before, at the most.
    const TERMS: usize = 12;

    fn pull(&self) -> f64 {
        let (inertia, lever) = (
            (self.loops + 1.0) / 3.0 + self.loops,
            (self.loops + 1.0) / 2.0 + self.loops,
        );
        lever * 9.81 / inertia
    }

    /// The angular velocity at an angle: energy is kept.
    fn speed(&self, angle: f64) -> f64 {
        (Self::SPEED * Self::SPEED + 2.0 * self.pull() * (1.0 - angle.cos())).sqrt()
    }

    /// Coefficients of the cosines in what a radian takes: sums over a turn, exact but for what they fold.
    fn series(&self) -> [f64; Self::TERMS] {
        let points = 4 * Self::TERMS;
        let angles: Vec<f64> = (0..points).map(|i| TAU * i as f64 / points as f64).collect();
        std::array::from_fn(|n| {
            let sum: f64 = angles
                .iter()
                .map(|angle| (n as f64 * angle).cos() / self.speed(*angle))
                .sum();
            let share = if n == 0 { 1.0 } else { 2.0 };
            share * sum / points as f64
        })
    }

    /// Angle, angular velocity, and where the tip of the first crank is.
    pub(crate) fn at(&self, t: f64) -> [f64; 4] {
        let series = self.series();
        let taken = |angle: f64| {
            let waves = (1..Self::TERMS).map(|n| series[n] * (n as f64 * angle).sin() / n as f64);
            series[0] * angle + waves.sum::<f64>()
        };
        let mut angle = t / series[0];
        // Newton's method from less than a tenth of a radian away: each time twice as many digits.
        for _ in 0..8 {
            angle -= (taken(angle) - t) * self.speed(angle);
        }
        let (sine, cosine) = angle.sin_cos();
        [angle, self.speed(angle), sine, cosine]
    }
}

/// Crank, rod and slider as one equation of the crank's angle, with everything else in closed form: see `examples/slider-crank`.
pub(crate) struct SliderCrank;

impl SliderCrank {
    const SPACING: f64 = 0.01;
    const CRANK: f64 = 0.2;
    const ROD: f64 = 0.6;
    const SLIDER: f64 = 0.8;
    const GRAVITY: f64 = 9.81;

    /// Angle and speed of the crank, way and speed of the slider.
    pub(crate) fn at(t: f64) -> Vec<f64> {
        static ROWS: OnceLock<Vec<Vec<f64>>> = OnceLock::new();
        let rows = ROWS.get_or_init(|| rows(SliderCrank, &[0.0, 12.0], Self::SPACING, 200, 1e-5));
        let [theta, speed] = *row(rows, t, Self::SPACING) else {
            unreachable!("it has two states");
        };
        let [way, _] = Self::shape(theta);
        vec![theta, speed, way[0], way[1] * speed]
    }

    /// The slider's way and the rod's angle by the crank's, each with its first two derivatives.
    fn shape(theta: f64) -> [[f64; 3]; 2] {
        let (r, l) = (Self::CRANK, Self::ROD);
        let (sine, cosine) = theta.sin_cos();
        // The rod leans by φ with l sin φ = -r sin θ.
        let [s, ds, dds] = [-r * sine / l, -r * cosine / l, r * sine / l];
        let root = (1.0 - s * s).sqrt();
        let phi = [
            s.asin(),
            ds / root,
            dds / root + s * ds * ds / (root * root * root),
        ];
        let (lean, upright) = phi[0].sin_cos();
        let way = [
            r * cosine + l * upright,
            -r * sine - l * lean * phi[1],
            -r * cosine - l * (upright * phi[1] * phi[1] + lean * phi[2]),
        ];
        [way, phi]
    }
}

impl Equations for SliderCrank {
    fn states(&self) -> usize {
        2
    }

    /// Kinetic energy `J(θ) θ'² / 2` and weight give `J θ'' + J' θ'² / 2 = -V'`.
    fn derivatives(&mut self, _: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        let (r, l) = (Self::CRANK, Self::ROD);
        let [way, phi] = Self::shape(x[0]);
        let (sine, cosine) = x[0].sin_cos();
        // The middle of the rod lies half-way between pin and slider.
        let along = [0.5 * (way[1] - r * sine), 0.5 * (way[2] - r * cosine)];
        let across = [0.5 * r * cosine, -0.5 * r * sine];
        let turning = l * l / 12.0;
        let inertia = r * r / 3.0
            + along[0] * along[0]
            + across[0] * across[0]
            + turning * phi[1] * phi[1]
            + Self::SLIDER * way[1] * way[1];
        let half_slope = along[0] * along[1]
            + across[0] * across[1]
            + turning * phi[1] * phi[2]
            + Self::SLIDER * way[1] * way[2];
        let weight = Self::GRAVITY * (0.5 * r * cosine + across[0]);
        dx[0] = x[1];
        dx[1] = -(weight + half_slope * x[1] * x[1]) / inertia;
        Ok(())
    }
}
