//! Explicit Runge-Kutta methods with fixed steps.

pub(crate) mod tableau;

use self::tableau::{Dense, Tableau};
use crate::evaluation::{self, Setback};
use crate::landing::Limit;
use crate::memory::{Reader, Writer};
use crate::plan::Plan;
use crate::stepper::Stepper;
use crate::{Counts, Equations, SolveError};

/// How often a step is halved where the equations answer that they cannot be evaluated.
const HALVINGS: u32 = 10;

/// A fixed-step method on its way through a plan of equal steps to the limit.
pub(crate) struct FixedStep {
    tableau: &'static Tableau,
    step: Option<f64>,
    plan: Plan,
    start: f64,
    end: f64,
    /// States at both ends of the last step.
    x0: Vec<f64>,
    x1: Vec<f64>,
    /// Slopes at both ends of the last step.
    slope0: Vec<f64>,
    slope1: Vec<f64>,
    /// Whether `slope1` may serve as the first stage of the next step.
    slope_known: bool,
    counts: Counts,
    /// Scratch: the slopes of all stages, one after the other, the point they are taken at, and the slope there.
    stages: Vec<f64>,
    point: Vec<f64>,
    slope: Vec<f64>,
}

impl FixedStep {
    pub(crate) fn new(tableau: &'static Tableau, step: Option<f64>, states: usize) -> Self {
        Self {
            tableau,
            step,
            plan: Plan::default(),
            start: 0.0,
            end: 0.0,
            x0: vec![0.0; states],
            x1: vec![0.0; states],
            slope0: vec![0.0; states],
            slope1: vec![0.0; states],
            slope_known: false,
            counts: Counts::default(),
            stages: vec![0.0; states * tableau.weights.len()],
            point: vec![0.0; states],
            slope: vec![0.0; states],
        }
    }

    /// Computes the state at `to` into `point` and, where the curve needs it, the slope there into `slope`.
    /// The first stage is in its place already.
    fn attempt(&mut self, equations: &mut dyn Equations, to: f64) -> Result<(), Setback> {
        let h = to - self.end;
        let n = self.x1.len();
        for (stage, row) in self.tableau.stages.iter().enumerate() {
            let t = if row.node == 1.0 {
                to
            } else {
                self.end + row.node * h
            };
            combine(&mut self.point, &self.x1, h, row.weights, &self.stages);
            let slope = &mut self.stages[(stage + 1) * n..][..n];
            evaluation::slope(equations, &mut self.counts, t, &self.point, slope)?;
        }
        combine(&mut self.point, &self.x1, h, self.tableau.weights, &self.stages);
        match self.tableau.dense {
            Dense::Linear => Ok(()),
            Dense::Hermite => {
                evaluation::slope(equations, &mut self.counts, to, &self.point, &mut self.slope)
            }
        }
    }

    fn accept(&mut self, to: f64) {
        std::mem::swap(&mut self.x0, &mut self.x1);
        std::mem::swap(&mut self.x1, &mut self.point);
        let n = self.x0.len();
        self.slope0.copy_from_slice(&self.stages[..n]);
        std::mem::swap(&mut self.slope1, &mut self.slope);
        self.slope_known = self.tableau.dense == Dense::Hermite;
        self.start = self.end;
        self.end = to;
        self.plan.take();
        self.counts.steps += 1;
    }
}

/// `sum = x + h Σ weights[s] · stage s`
fn combine(sum: &mut [f64], x: &[f64], h: f64, weights: &[f64], stages: &[f64]) {
    sum.copy_from_slice(x);
    for (s, weight) in weights.iter().enumerate() {
        let stage = &stages[s * x.len()..];
        for (sum, slope) in sum.iter_mut().zip(stage) {
            *sum += h * weight * slope;
        }
    }
}

impl Stepper for FixedStep {
    fn restart(&mut self, t: f64, x: &[f64]) {
        self.plan = Plan::default();
        self.disturb(t, x);
    }

    fn disturb(&mut self, t: f64, x: &[f64]) {
        if t != self.end {
            self.plan = Plan::default();
        }
        self.start = t;
        self.end = t;
        self.x1.copy_from_slice(x);
        self.slope_known = false;
    }

    fn step(&mut self, equations: &mut dyn Equations, limit: Limit) -> Result<(), SolveError> {
        let limit = limit.time();
        let t = self.end;
        if !self.plan.leads(t, limit) {
            self.plan = Plan::new(t, limit, self.step);
        }
        let n = self.x1.len();
        if self.slope_known {
            self.stages[..n].copy_from_slice(&self.slope1);
        } else {
            evaluation::slope(equations, &mut self.counts, t, &self.x1, &mut self.stages[..n])
                .map_err(|setback| setback.at(t))?;
        }
        for halvings in 0.. {
            let to = self.plan.next();
            if to <= t {
                return Err(SolveError::StepTooSmall {
                    t,
                    smallest: crate::landing::smallest(t),
                });
            }
            match self.attempt(equations, to) {
                Ok(()) => {
                    self.accept(to);
                    break;
                }
                Err(setback) if setback.may_pass() && halvings < HALVINGS => {
                    self.counts.rejected += 1;
                    self.plan.refine(t);
                }
                Err(setback) => return Err(setback.at(to)),
            }
        }
        Ok(())
    }

    fn end(&self) -> f64 {
        self.end
    }

    fn state(&self) -> &[f64] {
        &self.x1
    }

    fn interpolate(&self, t: f64, x: &mut [f64]) {
        let h = self.end - self.start;
        if h <= 0.0 {
            return x.copy_from_slice(&self.x1);
        }
        let s = (t - self.start) / h;
        for (i, x) in x.iter_mut().enumerate().take(self.x1.len()) {
            let (a, b) = (self.x0[i], self.x1[i]);
            *x = a + s * (b - a);
            if self.tableau.dense == Dense::Hermite {
                // What the chord misses of the end slopes, in the form that vanishes at both ends.
                let (from, to) = (h * self.slope0[i] - (b - a), h * self.slope1[i] - (b - a));
                *x += s * (1.0 - s) * ((1.0 - s) * from - s * to);
            }
        }
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn save(&self, memory: &mut Writer<'_>) {
        self.plan.save(memory);
        memory.real(self.start);
        memory.real(self.end);
        for vector in [&self.x0, &self.x1, &self.slope0, &self.slope1] {
            memory.reals(vector);
        }
        memory.flag(self.slope_known);
    }

    fn restore(&mut self, memory: &mut Reader<'_>) {
        self.plan.restore(memory);
        self.start = memory.real();
        self.end = memory.real();
        for vector in [&mut self.x0, &mut self.x1, &mut self.slope0, &mut self.slope1] {
            memory.reals(vector);
        }
        self.slope_known = memory.flag();
    }
}
