//! Dormand-Prince 5(4): an explicit Runge-Kutta method with step control and dense output of order 4.

mod tableau;

use self::tableau::{DENSE, ERROR, NODES, STAGES, WEIGHTS};
use crate::control::Controller;
use crate::evaluation::{self, HALVINGS, Setback};
use crate::first_step::{self, Probe, Start};
use crate::landing::{Limit, StepRange, divisible};
use crate::memory::{Reader, Writer};
use crate::stepper::Stepper;
use crate::tolerance::Tolerance;
use crate::{Counts, Equations, SolveError, SolverSettings};

/// The method, its last step as a curve, and the step size it would like.
///
/// Dormand and Prince, *A family of embedded Runge-Kutta formulae*, J. Comp. Appl. Math. 6 (1980); continuous
/// extension and step control after Hairer, Nørsett and Wanner, *Solving Ordinary Differential Equations I*.
pub(crate) struct Dopri5 {
    tolerance: Tolerance,
    /// The user's guess of the first step.
    first: Option<f64>,
    controller: Controller,
    start: f64,
    end: f64,
    /// States at both ends of the last step.
    x0: Vec<f64>,
    x1: Vec<f64>,
    /// The slope at the end, and whether it is known.
    slope: Vec<f64>,
    slope_known: bool,
    /// The bends of the curve: what the chord, the parabola and the cubic leave over.
    bends: [Vec<f64>; 3],
    counts: Counts,
    /// Scratch: the slopes of the stages and the point where they are taken, at last the new state.
    stages: [Vec<f64>; STAGES],
    point: Vec<f64>,
}

/// The error of a step goes with this power of it.
const ERROR_ORDER: f64 = 5.0;

impl Dopri5 {
    pub(crate) fn new(settings: &SolverSettings, states: usize) -> Self {
        let vector = || vec![0.0; states];
        Self {
            tolerance: Tolerance::new(settings, states),
            first: settings.step,
            controller: Controller::new(StepRange::new(settings), ERROR_ORDER),
            start: 0.0,
            end: 0.0,
            x0: vector(),
            x1: vector(),
            slope: vector(),
            slope_known: false,
            bends: std::array::from_fn(|_| vector()),
            counts: Counts::default(),
            stages: std::array::from_fn(|_| vector()),
            point: vector(),
        }
    }

    /// Makes sure that the slope at the start of the step is known, and a step size.
    fn prepare(&mut self, equations: &mut dyn Equations, limit: f64) -> Result<(), Setback> {
        if !self.slope_known {
            evaluation::slope(equations, &mut self.counts, self.end, &self.x1, &mut self.slope)?;
            self.slope_known = true;
        }
        if !self.controller.has_step() {
            let first = match self.first {
                Some(step) => step,
                None => first_step::guess(
                    equations,
                    &mut self.counts,
                    &self.tolerance,
                    Start {
                        t: self.end,
                        x: &self.x1,
                        slope: &self.slope,
                        room: limit - self.end,
                        order: 5,
                    },
                    Probe {
                        point: &mut self.point,
                        slope: &mut self.stages[1],
                    },
                )?,
            };
            self.controller.begin(first);
        }
        self.stages[0].copy_from_slice(&self.slope);
        Ok(())
    }

    /// Computes the stages up to `to` and leaves the new state in `point`; answers the error against the tolerance.
    fn attempt(&mut self, equations: &mut dyn Equations, to: f64) -> Result<f64, Setback> {
        let h = to - self.end;
        for stage in 1..STAGES {
            let t = if NODES[stage] == 1.0 {
                to
            } else {
                self.end + NODES[stage] * h
            };
            let (known, rest) = self.stages.split_at_mut(stage);
            for (i, point) in self.point.iter_mut().enumerate() {
                let sum: f64 = known
                    .iter()
                    .zip(WEIGHTS[stage])
                    .map(|(slopes, weight)| weight * slopes[i])
                    .sum();
                *point = self.x1[i] + h * sum;
            }
            evaluation::slope(equations, &mut self.counts, t, &self.point, &mut rest[0])?;
        }
        let error = |i: usize| h * weighted(&self.stages, &ERROR, i);
        Ok(self.tolerance.norm_between(&self.x1, &self.point, error))
    }

    fn accept(&mut self, to: f64) {
        std::mem::swap(&mut self.x0, &mut self.x1);
        std::mem::swap(&mut self.x1, &mut self.point);
        let h = to - self.end;
        for i in 0..self.x1.len() {
            let chord = self.x1[i] - self.x0[i];
            let parabola = h * self.stages[0][i] - chord;
            self.bends[0][i] = parabola;
            self.bends[1][i] = chord - h * self.stages[STAGES - 1][i] - parabola;
            self.bends[2][i] = h * weighted(&self.stages, &DENSE, i);
        }
        std::mem::swap(&mut self.slope, &mut self.stages[STAGES - 1]);
        self.start = self.end;
        self.end = to;
        self.counts.steps += 1;
    }
}

/// Σ weights[s] · slope of state `i` in stage `s`
fn weighted(stages: &[Vec<f64>; STAGES], weights: &[f64; STAGES], i: usize) -> f64 {
    stages
        .iter()
        .zip(weights)
        .map(|(slopes, weight)| weight * slopes[i])
        .sum()
}

impl Stepper for Dopri5 {
    fn restart(&mut self, t: f64, x: &[f64]) {
        self.disturb(t, x);
        self.controller.forget();
    }

    fn disturb(&mut self, t: f64, x: &[f64]) {
        self.start = t;
        self.end = t;
        self.x1.copy_from_slice(x);
        self.slope_known = false;
    }

    fn step(&mut self, equations: &mut dyn Equations, limit: Limit) -> Result<(), SolveError> {
        let t = self.end;
        self.prepare(equations, limit.time())
            .map_err(|setback| setback.at(t))?;
        let mut halvings = 0;
        loop {
            let to = self.controller.next(t, limit)?;
            match self.attempt(equations, to) {
                Ok(error) if error <= 1.0 => {
                    self.controller.accepted(to - t, error);
                    self.accept(to);
                    return Ok(());
                }
                Ok(error) => self.controller.rejected(t, to - t, error)?,
                Err(setback) if setback.may_pass() && halvings < HALVINGS && divisible(t, to - t) => {
                    halvings += 1;
                    self.controller.halve(to - t);
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
        &self.x1
    }

    fn interpolate(&self, t: f64, x: &mut [f64]) {
        let h = self.end - self.start;
        if h <= 0.0 {
            return x.copy_from_slice(&self.x1);
        }
        let s = (t - self.start) / h;
        let r = 1.0 - s;
        for (i, x) in x.iter_mut().enumerate().take(self.x1.len()) {
            let [parabola, cubic, quartic] = &self.bends;
            let chord = self.x1[i] - self.x0[i];
            *x = self.x0[i] + s * (chord + r * (parabola[i] + s * (cubic[i] + r * quartic[i])));
        }
    }

    fn rescale(&mut self, nominal: &[f64]) {
        self.tolerance.rescale(nominal);
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn save(&self, memory: &mut Writer<'_>) {
        self.controller.save(memory);
        memory.real(self.start);
        memory.real(self.end);
        for vector in [&self.x0, &self.x1, &self.slope].into_iter().chain(&self.bends) {
            memory.reals(vector);
        }
        memory.flag(self.slope_known);
    }

    fn restore(&mut self, memory: &mut Reader<'_>) {
        self.controller.restore(memory);
        self.start = memory.real();
        self.end = memory.real();
        for vector in [&mut self.x0, &mut self.x1, &mut self.slope]
            .into_iter()
            .chain(&mut self.bends)
        {
            memory.reals(vector);
        }
        self.slope_known = memory.flag();
    }
}
