//! Systems that are smooth between events, and their integration from event to event.

use super::extrapolation;

type Rates<M> = Box<dyn Fn(f64, &[f64], &M, &mut [f64])>;
type Guards<M> = Box<dyn Fn(f64, &[f64], &M) -> Vec<f64>>;
type Jump<M> = Box<dyn Fn(usize, f64, &mut [f64], &mut M)>;

/// A system with a mode: smooth while the mode stays.
pub struct Hybrid<M> {
    start: Vec<f64>,
    sizes: Vec<f64>,
    mode: M,
    rates: Rates<M>,
    guards: Guards<M>,
    jump: Jump<M>,
    breaks: Vec<f64>,
    at_break: Jump<M>,
}

/// What a step may be wrong by, as a part of the largest value that a state has had.
const TOLERANCE: f64 = 1e-13;

/// Events at one instant, after which it is clear that there is no end to them.
const EVENTS_AT_ONCE: usize = 100;

impl<M: Clone> Hybrid<M> {
    /// The states and the mode at the start, and the rates of the states. While a mode stays the rates must be smooth, a
    /// little beyond its guards too.
    pub fn new(start: &[f64], mode: M, rates: impl Fn(f64, &[f64], &M, &mut [f64]) + 'static) -> Self {
        Hybrid {
            start: start.to_vec(),
            sizes: start.iter().map(|x| x.abs()).collect(),
            mode,
            rates: Box::new(rates),
            guards: Box::new(|_, _, _| Vec::new()),
            jump: Box::new(|_, _, _, _| {}),
            breaks: Vec::new(),
            at_break: Box::new(|_, _, _, _| {}),
        }
    }

    /// How large the states will be, where the start does not tell: one that begins at zero by a law without derivatives
    /// could not be found to thirteen digits of next to nothing.
    #[must_use]
    pub fn sizes(mut self, sizes: &[f64]) -> Self {
        self.sizes = sizes.to_vec();
        self
    }

    /// Numbers of which one below zero is an event.
    #[must_use]
    pub fn guards(mut self, guards: impl Fn(f64, &[f64], &M) -> Vec<f64> + 'static) -> Self {
        self.guards = Box::new(guards);
        self
    }

    /// What an event changes, by the place of its guard. After it that guard must not be below zero.
    #[must_use]
    pub fn jumps(mut self, jump: impl Fn(usize, f64, &mut [f64], &mut M) + 'static) -> Self {
        self.jump = Box::new(jump);
        self
    }

    /// Instants, in order, that no step passes, and what changes there, by their place.
    #[must_use]
    pub fn breaks(mut self, instants: &[f64], at: impl Fn(usize, f64, &mut [f64], &mut M) + 'static) -> Self {
        self.breaks = instants.to_vec();
        self.at_break = Box::new(at);
        self
    }

    /// The states at these instants, the first of which is the start. No step is longer than the way from one to the next.
    pub fn sample(&self, times: &[f64]) -> Vec<Vec<f64>> {
        self.sample_with_modes(times)
            .into_iter()
            .map(|(row, _)| row)
            .collect()
    }

    /// The same with the modes.
    pub fn sample_with_modes(&self, times: &[f64]) -> Vec<(Vec<f64>, M)> {
        let mut run = Run::new(self, times[0]);
        let mut rows = Vec::with_capacity(times.len());
        let mut passed = 0;
        for &time in times {
            while let Some(&at) = self.breaks.get(passed)
                && at <= time
            {
                run.advance_to(at);
                (self.at_break)(passed, at, &mut run.x, &mut run.mode);
                passed += 1;
                run.settle();
            }
            run.advance_to(time);
            rows.push((run.x.clone(), run.mode.clone()));
        }
        rows
    }
}

struct Run<'a, M> {
    system: &'a Hybrid<M>,
    t: f64,
    x: Vec<f64>,
    mode: M,
    /// The largest value each state has had.
    largest: Vec<f64>,
    /// The step to try.
    h: f64,
}

impl<'a, M: Clone> Run<'a, M> {
    fn new(system: &'a Hybrid<M>, start: f64) -> Self {
        let mut run = Run {
            system,
            t: start,
            x: system.start.clone(),
            mode: system.mode.clone(),
            largest: system.sizes.clone(),
            h: f64::INFINITY,
        };
        run.settle();
        run
    }

    fn advance_to(&mut self, end: f64) {
        while self.t < end {
            let whole = end - self.t;
            // What is left is not cut into a step and next to nothing.
            let h = if self.h < 0.75 * whole {
                self.h
            } else if self.h < whole {
                0.5 * whole
            } else {
                whole
            };
            let step = self.step(h);
            if !step.converged || step.state.iter().any(|x| !x.is_finite()) {
                self.h = 0.3 * h;
                assert!(
                    self.t + self.h > self.t,
                    "the reference is stuck at {} with {:?}",
                    self.t,
                    self.x
                );
                continue;
            }
            // A step that was cut says little about the next one, unless it could have been longer.
            self.h = if h < self.h {
                self.h.max(h * step.factor)
            } else {
                h * step.factor
            };
            let reached = if h == whole { end } else { self.t + h };
            if self.fires(reached, &step.state) {
                self.event(h, step.state);
            } else {
                self.accept(reached, step.state);
            }
        }
    }

    fn step(&self, h: f64) -> extrapolation::Step {
        let rates = |t: f64, x: &[f64], dx: &mut [f64]| (self.system.rates)(t, x, &self.mode, dx);
        let allowed = |i: usize, new: f64| TOLERANCE * self.largest[i].max(new.abs());
        extrapolation::step(&rates, self.t, &self.x, h, &allowed)
    }

    fn fires(&self, t: f64, x: &[f64]) -> bool {
        (self.system.guards)(t, x, &self.mode).iter().any(|g| *g < 0.0)
    }

    fn accept(&mut self, t: f64, x: Vec<f64>) {
        self.t = t;
        for (largest, x) in self.largest.iter_mut().zip(&x) {
            *largest = largest.max(x.abs());
        }
        self.x = x;
    }

    /// Finds the first instant of the step at which a guard is below zero, and goes there.
    fn event(&mut self, h: f64, state: Vec<f64>) {
        let (mut before, mut after, mut found) = (0.0, h, state);
        loop {
            let middle = 0.5 * (before + after);
            let t = self.t + middle;
            if t <= self.t + before || t >= self.t + after {
                break;
            }
            let step = self.step(middle);
            if self.fires(t, &step.state) {
                (after, found) = (middle, step.state);
            } else {
                before = middle;
            }
        }
        self.accept(self.t + after, found);
        self.settle();
    }

    /// Events at this instant, until there is none.
    fn settle(&mut self) {
        for _ in 0..EVENTS_AT_ONCE {
            let guards = (self.system.guards)(self.t, &self.x, &self.mode);
            let Some(first) = guards.iter().position(|g| *g < 0.0) else {
                return;
            };
            (self.system.jump)(first, self.t, &mut self.x, &mut self.mode);
        }
        panic!("events without end at {} with {:?}", self.t, self.x);
    }
}
