//! Turns a method into a solver: keeps the caller's place on the curve, stops at roots, saves and restores.

use crate::landing::Limit;
use crate::memory::{Reader, Writer};
use crate::roots::Watch;
use crate::stepper::Stepper;
use crate::{Counts, Crossing, Equations, Memory, Method, Progress, SolveError, Solver};

/// A method and the caller's place in its last step.
///
/// The place lies before the step's end after a root (or after a limit closer than the one the step was taken for).
/// Nothing needs to be computed again then: the next call walks along the rest of the same curve.
pub(crate) struct Tracker<S> {
    method: Method,
    stepper: S,
    watch: Watch,
    previous: f64,
    time: f64,
    /// The state at `time` where that is not the end of the step.
    place: Vec<f64>,
    /// Lengths of the saved memory.
    size: (usize, usize),
}

impl<S: Stepper> Tracker<S> {
    pub(crate) fn new(method: Method, stepper: S, roots: usize) -> Self {
        let states = stepper.state().len();
        let mut tracker = Self {
            method,
            watch: Watch::new(states, roots),
            previous: stepper.end(),
            time: stepper.end(),
            place: vec![0.0; states],
            stepper,
            size: (0, 0),
        };
        let mut memory = Memory::default();
        tracker.save(&mut memory);
        tracker.size = (memory.reals.len(), memory.integers.len());
        tracker
    }

    fn at_end(&self) -> bool {
        self.time == self.stepper.end()
    }

    fn move_to(&mut self, t: f64) {
        self.previous = self.time;
        self.time = t;
        if !self.at_end() {
            self.stepper.interpolate(t, &mut self.place);
        }
    }

    fn go(&mut self, equations: &mut dyn Equations, goal: Limit) -> Result<Progress, SolveError> {
        fits("number of states", self.place.len(), equations.states())?;
        fits("number of root functions", self.watch.roots(), equations.roots())?;
        let limit = goal.time();
        if !(limit >= self.time && limit.is_finite()) {
            return Err(SolveError::Backwards { t: self.time, limit });
        }
        if limit == self.time {
            self.watch.clear();
            return Ok(Progress::Limit);
        }
        let from = self.time;
        // Not `self.state()`, which would borrow the watch as well.
        let state = if self.at_end() {
            self.stepper.state()
        } else {
            &self.place
        };
        self.watch.arm(equations, from, state)?;
        if self.at_end() {
            self.stepper.step(equations, goal)?;
        }
        let to = self.stepper.end().min(limit);
        if let Some(found) = self.watch.search(equations, &self.stepper, from, to)? {
            self.move_to(found.t);
            return Ok(Progress::Root {
                index: found.index,
                crossing: found.crossing,
            });
        }
        self.move_to(to);
        Ok(if to == limit {
            Progress::Limit
        } else {
            Progress::Step
        })
    }

    /// What a memory begins with: enough to refuse that of another solver.
    fn label(&self) -> [usize; 3] {
        [self.method as usize, self.place.len(), self.watch.roots()]
    }
}

impl<S: Stepper> Solver for Tracker<S> {
    fn restart(&mut self, t: f64, x: &[f64]) -> Result<(), SolveError> {
        fits("length of the state", self.place.len(), x.len())?;
        self.stepper.restart(t, x);
        self.watch.rearm();
        self.previous = t;
        self.time = t;
        Ok(())
    }

    fn disturb(&mut self) {
        if self.at_end() {
            self.place.copy_from_slice(self.stepper.state());
        }
        self.stepper.disturb(self.time, &self.place);
        self.watch.rearm();
        self.previous = self.time;
    }

    fn amend(&mut self, change: &[[f64; 4]]) -> bool {
        // Inside the last step, what is remembered ends elsewhere.
        if !self.at_end() || change.len() != self.place.len() || !self.stepper.amend(change) {
            return false;
        }
        self.watch.rearm();
        self.previous = self.time;
        true
    }

    fn remembers(&self) -> bool {
        self.stepper.remembers()
    }

    fn rescale(&mut self, nominal: &[f64]) {
        self.stepper.rescale(nominal);
    }

    fn advance(&mut self, equations: &mut dyn Equations, limit: f64) -> Result<Progress, SolveError> {
        self.go(equations, Limit::Goal(limit))
    }

    fn stride(&mut self, equations: &mut dyn Equations, limit: f64) -> Result<Progress, SolveError> {
        self.go(equations, Limit::Wall(limit))
    }

    fn time(&self) -> f64 {
        self.time
    }

    fn state(&self) -> &[f64] {
        if self.at_end() {
            self.stepper.state()
        } else {
            &self.place
        }
    }

    fn previous_time(&self) -> f64 {
        self.previous
    }

    fn interpolate(&self, t: f64, x: &mut [f64]) {
        if t >= self.time {
            x.copy_from_slice(self.state());
        } else {
            self.stepper.interpolate(t.max(self.previous), x);
        }
    }

    fn crossings(&self) -> &[Option<Crossing>] {
        self.watch.crossings()
    }

    fn counts(&self) -> Counts {
        self.stepper.counts()
    }

    fn save(&self, memory: &mut Memory) {
        let mut writer = Writer::over(memory);
        self.label().into_iter().for_each(|size| writer.count(size));
        writer.real(self.previous);
        writer.real(self.time);
        writer.reals(&self.place);
        self.watch.save(&mut writer);
        self.stepper.save(&mut writer);
    }

    fn restore(&mut self, memory: &Memory) -> Result<(), SolveError> {
        fits("reals in the memory", self.size.0, memory.reals.len())?;
        fits("integers in the memory", self.size.1, memory.integers.len())?;
        let mut reader = Reader::of(memory);
        let names = [
            "method of the memory",
            "states in the memory",
            "root functions in the memory",
        ];
        for (what, expected) in names.into_iter().zip(self.label()) {
            fits(what, expected, reader.count())?;
        }
        self.previous = reader.real();
        self.time = reader.real();
        reader.reals(&mut self.place);
        self.watch.restore(&mut reader);
        self.stepper.restore(&mut reader);
        Ok(())
    }
}

fn fits(what: &'static str, expected: usize, found: usize) -> Result<(), SolveError> {
    if expected == found {
        Ok(())
    } else {
        Err(SolveError::Mismatch {
            what,
            expected,
            found,
        })
    }
}
