//! Backward differentiation for stiff equations, with variable order and step.

mod amendment;
mod coefficients;
mod control;
mod differences;
mod newton;

use self::coefficients::{alpha, error_constant};
use self::control::{Control, Judgement};
use self::differences::Differences;
use self::newton::{Implicit, Newton};
use crate::evaluation::{self, HALVINGS, Setback};
use crate::first_step::{self, Probe, Start};
use crate::landing::{Limit, StepRange, divisible};
use crate::memory::{Reader, Writer};
use crate::stepper::Stepper;
use crate::tolerance::Tolerance;
use crate::{Counts, Equations, SolveError, SolverSettings};

/// How often Newton's method may fail in one step; each time the step is cut to a quarter.
const NEWTON_FAILURES: u32 = 10;

/// A limit closer than this fraction of a step is reached along the curve of the last step.
const GLIDE: f64 = 0.1;

/// Numerical differentiation formulas of order 1 to 5 in backward differences on a quasi-constant step.
///
/// Shampine and Reichelt, *The MATLAB ODE Suite*, SIAM J. Sci. Comput. 18 (1997). The table is put on a new grid
/// whenever the step changes, be it by the controller or to land on a limit; that costs a few operations a state.
/// The expensive parts, Jacobian and factors, are kept through such changes as long as Newton's method converges.
pub(crate) struct Bdf {
    tolerance: Tolerance,
    /// The user's guess of the first step.
    first: Option<f64>,
    control: Control,
    newton: Newton,
    differences: Differences,
    /// Whether the table holds the state; else the next step begins at order 1.
    begun: bool,
    /// The order of the last step, which is that of its curve; zero if there was none.
    curve_order: usize,
    /// Whether the last step was none but a glide.
    glided: bool,
    end: f64,
    x: Vec<f64>,
    counts: Counts,
    /// Scratch.
    predicted: Vec<f64>,
    past: Vec<f64>,
    correction: Vec<f64>,
    shift: Vec<[f64; 4]>,
}

impl Bdf {
    pub(crate) fn new(settings: &SolverSettings, states: usize) -> Self {
        let vector = || vec![0.0; states];
        Self {
            tolerance: Tolerance::new(settings, states),
            first: settings.step,
            control: Control::new(StepRange::new(settings)),
            newton: Newton::new(settings.rtol, states),
            differences: Differences::new(states),
            begun: false,
            curve_order: 0,
            glided: false,
            end: 0.0,
            x: vector(),
            counts: Counts::default(),
            predicted: vector(),
            past: vector(),
            correction: vector(),
            shift: vec![[0.0; 4]; states],
        }
    }

    /// The table of order 1 and a first step from the slope at the current point.
    fn begin(&mut self, equations: &mut dyn Equations, limit: f64) -> Result<(), Setback> {
        evaluation::slope(equations, &mut self.counts, self.end, &self.x, &mut self.past)?;
        let first = match self.first.filter(|_| !self.control.has_step()) {
            Some(step) => step,
            None => first_step::guess(
                equations,
                &mut self.counts,
                &self.tolerance,
                Start {
                    t: self.end,
                    x: &self.x,
                    slope: &self.past,
                    room: limit - self.end,
                    order: 1,
                },
                Probe {
                    point: &mut self.predicted,
                    slope: &mut self.correction,
                },
            )?,
        };
        self.control.begin(first);
        self.differences.begin(&self.x, &self.past, self.control.wanted());
        self.begun = true;
        Ok(())
    }

    /// Follows the curve of the last step to a limit just ahead of it, if that is good enough.
    ///
    /// A real step so much shorter than the others would drown the higher differences in rounding, and the order
    /// would have to be built up again. One tenth of a step beyond its end the curve is still far better than the
    /// tolerance; but as it does not look at the equations, a second glide must wait for a real step.
    fn glide(&mut self, limit: f64) -> bool {
        let s = (limit - self.end) / self.differences.step();
        if self.glided || self.curve_order == 0 || s > GLIDE {
            return false;
        }
        // The first term left out: s (s + 1) … (s + k) / (k + 1)! times the next difference.
        let order = self.curve_order;
        let weight: f64 = (0..=order).map(|j| (s + j as f64) / (j + 1) as f64).product();
        let left_out = |i: usize| weight * self.differences.get(i, order + 1);
        if self.tolerance.norm(&self.x, left_out) > 1.0 {
            return false;
        }
        self.differences.glide(order, s, &mut self.x);
        self.end = limit;
        self.glided = true;
        self.counts.steps += 1;
        true
    }

    /// Predicts and corrects the state at `to`. Answers the error against the tolerance, or nothing if Newton's
    /// method failed.
    fn attempt(&mut self, equations: &mut dyn Equations, to: f64) -> Result<Option<f64>, Setback> {
        let order = self.control.order();
        let step = to - self.end;
        // Within the rounding of time itself the grid stays: steps that are meant to be equal are.
        if (step - self.differences.step()).abs() > 4.0 * f64::EPSILON * to.abs() {
            self.differences.rescale(order, step);
        }
        self.differences
            .predict(order, &mut self.predicted, &mut self.past);
        let implicit = Implicit {
            t: to,
            step,
            c: self.differences.step() / alpha(order),
            predicted: &self.predicted,
            past: &self.past,
        };
        let solved = self.newton.solve(
            equations,
            &mut self.counts,
            &self.tolerance,
            &implicit,
            &mut self.correction,
        )?;
        Ok(solved.then(|| {
            let constant = error_constant(order);
            let size = |i: usize| self.predicted[i] + self.correction[i];
            self.tolerance.norm_at(size, |i| constant * self.correction[i])
        }))
    }

    fn accept(&mut self, to: f64, error: f64) {
        let order = self.control.order();
        self.differences.advance(order, &self.correction, &mut self.x);
        self.curve_order = order;
        self.glided = false;
        self.end = to;
        self.counts.steps += 1;
        self.newton.age();
        let (tolerance, differences, x) = (&self.tolerance, &self.differences, &self.x);
        // The error a step of order q would have made is seen in the difference of order q + 1.
        let error_of = |q: usize| error_constant(q) * tolerance.norm(x, |i| differences.get(i, q + 1));
        self.control.accepted(differences.step(), error, error_of);
    }

    /// The error a step of the next lower order would have made, after one of the present order failed.
    fn error_below(&self) -> Option<f64> {
        let order = self.control.order();
        (order > 1).then(|| {
            let difference = |i: usize| self.differences.get(i, order) + self.correction[i];
            error_constant(order - 1) * self.tolerance.norm(&self.predicted, difference)
        })
    }
}

impl Stepper for Bdf {
    fn restart(&mut self, t: f64, x: &[f64]) {
        self.disturb(t, x);
        self.control.forget();
        self.newton.forget();
    }

    fn disturb(&mut self, t: f64, x: &[f64]) {
        self.end = t;
        self.x.copy_from_slice(x);
        self.begun = false;
        self.curve_order = 0;
        self.newton.age();
    }

    fn remembers(&self) -> bool {
        true
    }

    fn amend(&mut self, change: &[[f64; 4]]) -> bool {
        // Where nothing is remembered, the first step looks at the new law anyway.
        !self.begun || self.carry(change)
    }

    fn step(&mut self, equations: &mut dyn Equations, limit: Limit) -> Result<(), SolveError> {
        let t = self.end;
        if self.glide(limit.time()) {
            return Ok(());
        }
        if !self.begun {
            self.begin(equations, limit.time())
                .map_err(|setback| setback.at(t))?;
        }
        let (mut halvings, mut failures) = (0, 0);
        loop {
            let to = self.control.next(t, limit)?;
            match self.attempt(equations, to) {
                Ok(Some(error)) if error <= 1.0 => {
                    self.accept(to, error);
                    return Ok(());
                }
                Ok(Some(error)) => {
                    let below = self.error_below();
                    self.control.rejected(t, to - t, Judgement { error, below })?;
                }
                Ok(None) if failures < NEWTON_FAILURES => {
                    failures += 1;
                    self.control.cut(to - t, 0.25);
                }
                Ok(None) => {
                    return Err(SolveError::Newton {
                        t,
                        step: to - t,
                        failures,
                    });
                }
                Err(setback) if setback.may_pass() && halvings < HALVINGS && divisible(t, to - t) => {
                    halvings += 1;
                    self.control.cut(to - t, 0.5);
                }
                Err(setback) => return Err(setback.at(to)),
            }
            self.counts.rejected += 1;
        }
    }

    fn end(&self) -> f64 {
        self.end
    }

    fn state(&self) -> &[f64] {
        &self.x
    }

    fn interpolate(&self, t: f64, x: &mut [f64]) {
        if self.curve_order == 0 {
            return x.copy_from_slice(&self.x);
        }
        self.differences
            .interpolate(self.curve_order, (t - self.end) / self.differences.step(), x);
    }

    fn rescale(&mut self, nominal: &[f64]) {
        self.tolerance.rescale(nominal);
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn save(&self, memory: &mut Writer<'_>) {
        self.control.save(memory);
        self.newton.save(memory);
        self.differences.save(memory);
        memory.reals(&self.x);
        memory.real(self.end);
        memory.flag(self.begun);
        memory.count(self.curve_order);
        memory.flag(self.glided);
    }

    fn restore(&mut self, memory: &mut Reader<'_>) {
        self.control.restore(memory);
        self.newton.restore(memory);
        self.differences.restore(memory);
        memory.reals(&mut self.x);
        self.end = memory.real();
        self.begun = memory.flag();
        self.curve_order = memory.count().min(coefficients::MAX_ORDER);
        self.glided = memory.flag();
    }
}

#[cfg(test)]
mod tests;
