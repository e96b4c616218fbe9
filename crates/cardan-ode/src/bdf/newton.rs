//! The implicit equation of a step: modified Newton iteration with a Jacobian and factors that are used for as long
//! as they do.

use crate::evaluation::{self, Setback};
use crate::jacobian::{self, Place, Shifted};
use crate::lu::Lu;
use crate::memory::{Reader, Writer};
use crate::tolerance::Tolerance;
use crate::{Counts, Equations};

const MOST_ITERATIONS: i32 = 4;

/// The error that may be left by the iteration, against the tolerance of the step: well below it, so that it does not
/// blur the error estimate. (Where the tolerance comes near to rounding, not below that.)
const TARGET: f64 = 0.05;

/// The factors serve while the step's coefficient stays within this fraction of theirs; the corrections are scaled
/// for the difference (as in VODE: Brown, Byrne, Hindmarsh, SIAM J. Sci. Stat. Comput. 10, 1989).
const STALE: f64 = 0.15;

/// What is solved: find `x = predicted + correction` with `correction = c f(t, x) − past`.
pub(super) struct Implicit<'a> {
    pub(super) t: f64,
    pub(super) step: f64,
    pub(super) c: f64,
    pub(super) predicted: &'a [f64],
    pub(super) past: &'a [f64],
}

/// The iteration matrix `1 − c ∂f/∂x`, factored, and how well it did lately.
pub(super) struct Newton {
    target: f64,
    jacobian: Vec<f64>,
    jacobian_known: bool,
    /// Whether the Jacobian was evaluated for the step at hand.
    jacobian_fresh: bool,
    lu: Lu,
    /// The coefficient of the factors; zero if there are none.
    lu_c: f64,
    /// The rate of convergence of the last iteration and the coefficient it was seen with; 1 if unknown.
    rate: f64,
    rate_c: f64,
    /// Scratch: slope at the prediction, slope of an iterate, the iterate, its change.
    base: Vec<f64>,
    slope: Vec<f64>,
    x: Vec<f64>,
    change: Vec<f64>,
    shifted: Shifted,
}

impl Newton {
    pub(super) fn new(rtol: f64, states: usize) -> Self {
        let vector = || vec![0.0; states];
        Self {
            target: TARGET.max(10.0 * f64::EPSILON / rtol),
            jacobian: vec![0.0; states * states],
            jacobian_known: false,
            jacobian_fresh: false,
            lu: Lu::new(states),
            lu_c: 0.0,
            rate: 1.0,
            rate_c: 0.0,
            base: vector(),
            slope: vector(),
            x: vector(),
            change: vector(),
            shifted: Shifted::new(states),
        }
    }

    /// The state jumped: the Jacobian belongs to another place.
    pub(super) fn forget(&mut self) {
        self.jacobian_known = false;
        self.jacobian_fresh = false;
        self.lu_c = 0.0;
        self.rate = 1.0;
    }

    /// A step was accepted, or the right-hand side jumped: the Jacobian may serve on, but is not of this step.
    pub(super) fn age(&mut self) {
        self.jacobian_fresh = false;
    }

    /// By how much a step of the present size moves the state, of `change` that it would move it by if nothing followed.
    pub(super) fn soften(&self, change: &mut [f64]) {
        if self.lu_c > 0.0 {
            self.lu.solve(change);
        }
    }

    /// Solves for the correction; false if the iteration does not converge with the best matrix there is.
    pub(super) fn solve(
        &mut self,
        equations: &mut dyn Equations,
        counts: &mut Counts,
        tolerance: &Tolerance,
        implicit: &Implicit<'_>,
        correction: &mut [f64],
    ) -> Result<bool, Setback> {
        evaluation::slope(equations, counts, implicit.t, implicit.predicted, &mut self.base)?;
        loop {
            if !self.prepare(equations, counts, tolerance, implicit)? {
                return Ok(false);
            }
            if self.iterate(equations, counts, tolerance, implicit, correction)? {
                return Ok(true);
            }
            self.rate = 1.0;
            if self.jacobian_fresh && self.lu_c == implicit.c {
                return Ok(false);
            }
            self.jacobian_known &= self.jacobian_fresh;
            self.lu_c = 0.0;
        }
    }

    /// Brings Jacobian and factors up to what the step needs; false if the matrix is singular.
    fn prepare(
        &mut self,
        equations: &mut dyn Equations,
        counts: &mut Counts,
        tolerance: &Tolerance,
        implicit: &Implicit<'_>,
    ) -> Result<bool, Setback> {
        let &Implicit {
            t,
            step,
            c,
            predicted,
            ..
        } = implicit;
        if !self.jacobian_known {
            let place = Place {
                t,
                x: predicted,
                slope: &self.base,
                step,
            };
            jacobian::evaluate(
                equations,
                counts,
                tolerance,
                &place,
                &mut self.shifted,
                &mut self.jacobian,
            )?;
            self.jacobian_known = true;
            self.jacobian_fresh = true;
            self.lu_c = 0.0;
        }
        if (c - self.lu_c).abs() > STALE * self.lu_c {
            counts.factorizations += 1;
            let (n, jacobian) = (predicted.len(), &self.jacobian);
            let unit = |i: usize, j: usize| f64::from(u8::from(i == j));
            let regular = self.lu.factor(|i, j| unit(i, j) - c * jacobian[i * n + j]);
            self.lu_c = if regular { c } else { 0.0 };
            return Ok(regular);
        }
        Ok(true)
    }

    /// At most a few iterations with the factors at hand (Hairer and Wanner, *Solving Ordinary Differential
    /// Equations II*, section IV.8): stop when the rate promises an error below the target, give up when it does not.
    fn iterate(
        &mut self,
        equations: &mut dyn Equations,
        counts: &mut Counts,
        tolerance: &Tolerance,
        implicit: &Implicit<'_>,
        correction: &mut [f64],
    ) -> Result<bool, Setback> {
        let &Implicit {
            t,
            c,
            predicted,
            past,
            ..
        } = implicit;
        if self.rate_c != c {
            self.rate = 1.0;
            self.rate_c = c;
        }
        let scale = 2.0 / (1.0 + c / self.lu_c);
        // A bit of doubt about what the last step has seen.
        let mut rate = self.rate.max(f64::EPSILON).powf(0.8);
        let mut last = 0.0;
        correction.fill(0.0);
        self.x.copy_from_slice(predicted);
        self.slope.copy_from_slice(&self.base);
        for iteration in 1..=MOST_ITERATIONS {
            for (i, change) in self.change.iter_mut().enumerate() {
                *change = c * self.slope[i] - past[i] - correction[i];
            }
            self.lu.solve(&mut self.change);
            self.change.iter_mut().for_each(|change| *change *= scale);
            let size = tolerance.norm(predicted, |i| self.change[i]);
            if iteration > 1 {
                rate = size / last;
            }
            for (i, change) in self.change.iter().enumerate() {
                correction[i] += change;
                self.x[i] = predicted[i] + correction[i];
            }
            let left = if rate < 1.0 {
                rate / (1.0 - rate) * size
            } else {
                f64::INFINITY
            };
            if size == 0.0 || left < self.target {
                self.rate = rate;
                return Ok(true);
            }
            let hopeless = left * rate.powi(MOST_ITERATIONS - iteration) > self.target;
            if !size.is_finite() || iteration == MOST_ITERATIONS || (iteration > 1 && hopeless) {
                break;
            }
            last = size;
            evaluation::slope(equations, counts, t, &self.x, &mut self.slope)?;
        }
        Ok(false)
    }

    pub(super) fn save(&self, memory: &mut Writer<'_>) {
        memory.reals(&self.jacobian);
        memory.reals(self.lu.factors());
        self.lu.pivots().iter().for_each(|&pivot| memory.count(pivot));
        [self.lu_c, self.rate, self.rate_c]
            .into_iter()
            .for_each(|value| memory.real(value));
        memory.flag(self.jacobian_known);
        memory.flag(self.jacobian_fresh);
    }

    pub(super) fn restore(&mut self, memory: &mut Reader<'_>) {
        memory.reals(&mut self.jacobian);
        memory.reals(self.lu.factors_mut());
        self.lu.set_pivots(|| memory.count());
        for value in [&mut self.lu_c, &mut self.rate, &mut self.rate_c] {
            *value = memory.real();
        }
        self.jacobian_known = memory.flag();
        self.jacobian_fresh = memory.flag();
    }
}
