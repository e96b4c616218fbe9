//! Which law holds where a model switches between two.
//!
//! A contact is open or closed, and between two events it stays what it is, even where a solver looks beyond the event or
//! rounding puts the rod a hair before the stop. So the side of each switch is part of the state, and the model is told.
//! A step ends where a switch is due, under the law that led there; it changes when all others have arrived too.

use super::Native;
use crate::model::Model;
use cardan_core::participant::{EventMode, Outcome, StepRequest};
use cardan_core::time::SimTime;
use cardan_ode::Crossing;

/// A switch that changes within this part of the run before or after the end of a step changes there: somebody located the
/// event on another way, with other rounding.
const NEAR: f64 = 4e-12;
/// How far to look ahead for that, as a part of the run.
const AHEAD: f64 = 1e-8;

/// A switch whose value is no more than this part of states and inputs is where it was: another reading of the same inputs
/// may give another last digit.
const CLEAR: f64 = 1e-10;

/// The sides of the switches: on where their values are positive.
#[derive(Debug, Default)]
pub(super) struct Sides {
    pub(super) on: Vec<bool>,
    /// Those that are due to change where the model stands: a step ended there.
    pub(super) due: Vec<bool>,
    /// Those that the inputs as exchanged there have pushed to their other side.
    pushed: Vec<bool>,
    /// Before the first step they follow the values.
    pub(super) settled: bool,
    /// Room for values, now and a little later, and for the rates of the states.
    values: Vec<f64>,
    now: Vec<f64>,
    rates: Vec<f64>,
}

impl Sides {
    pub(super) fn of(model: &dyn Model) -> Self {
        Sides {
            on: vec![false; model.switches()],
            due: vec![false; model.switches()],
            pushed: vec![false; model.switches()],
            settled: false,
            values: vec![0.0; model.switches()],
            now: vec![0.0; model.switches()],
            rates: vec![0.0; model.states()],
        }
    }

    /// Tells the model all of them.
    pub(super) fn tell(&self, model: &mut dyn Model) {
        for (index, on) in self.on.iter().enumerate() {
            model.switch(index, *on);
        }
    }

    /// Takes the sides that the values are on, as far as they are clear of zero.
    pub(super) fn follow(&mut self, model: &mut dyn Model, (t, clear): (f64, f64), x: &[f64], u: &[f64]) {
        if self.on.is_empty() {
            return;
        }
        model.switch_values(t, x, u, &mut self.values);
        for (on, value) in self.on.iter_mut().zip(&self.values) {
            if value.abs() >= clear {
                *on = *value > 0.0;
            }
        }
        self.tell(model);
    }

    /// Looks whether inputs have pushed a switch clearly to its other side.
    pub(super) fn feel(&mut self, model: &dyn Model, t: f64, x: &[f64], u: &[f64]) {
        if self.on.is_empty() {
            return;
        }
        model.switch_values(t, x, u, &mut self.values);
        let clear = clearance(x, u);
        for ((pushed, on), value) in self.pushed.iter_mut().zip(&self.on).zip(&self.values) {
            *pushed = value.abs() >= clear && *on != (*value > 0.0);
        }
    }

    /// None is to change.
    pub(super) fn stay(&mut self) {
        self.due.fill(false);
        self.pushed.fill(false);
    }

    /// Is any of them to change?
    fn pending(&self) -> bool {
        self.due.contains(&true) || self.pushed.contains(&true)
    }

    /// For those that are due, the law of the other side holds from now on.
    pub(super) fn change(&mut self, model: &mut dyn Model) -> bool {
        let mut changed = false;
        for (index, on) in self.on.iter_mut().enumerate() {
            let due = std::mem::take(&mut self.due[index]);
            if std::mem::take(&mut self.pushed[index]) || due {
                *on = !*on;
                model.switch(index, *on);
                changed = true;
            }
        }
        changed
    }
}

/// How far from zero a value is beyond doubt.
fn clearance(x: &[f64], u: &[f64]) -> f64 {
    CLEAR
        * x.iter()
            .chain(u)
            .fold(0.0, |most: f64, value| most.max(value.abs()))
}

impl EventMode for Native {
    fn pending(&self) -> bool {
        self.sides.pending()
    }

    fn enter(&mut self, _at: SimTime) -> Outcome<()> {
        Ok(())
    }

    fn update(&mut self, _at: SimTime) -> Outcome<bool> {
        self.change_what_is_due();
        Ok(false)
    }

    fn leave(&mut self, _at: SimTime) -> Outcome<()> {
        Ok(())
    }
}

impl Native {
    /// Where a step begins: whatever is due changes, if nobody has called for it before.
    pub(super) fn change_what_is_due(&mut self) {
        let changed = self.sides.change(&mut *self.model);
        self.disturb_if(changed);
    }

    /// Inputs that have jumped may have taken switches to their other side.
    pub(super) fn settle_sides(&mut self, jumped: bool) {
        if self.sides.on.is_empty() || (self.sides.settled && !jumped) {
            return;
        }
        if let Some(solver) = &self.solver {
            let u = self.drive.read(self.time);
            let place = (self.time, solver.state());
            let u = self.reacting.inputs(&*self.model, &self.binding, place, u);
            let clear = match self.sides.settled {
                true => clearance(solver.state(), u),
                false => 0.0,
            };
            self.sides
                .follow(&mut *self.model, (self.time, clear), solver.state(), u);
            self.sides.settled = true;
        }
    }

    /// At a root: switches that leave their side are due. One that comes back to it from a hair beyond has changed before.
    pub(super) fn note_what_fell(&mut self) -> bool {
        let crossings = self.solver.as_ref().map_or(&[][..], |solver| solver.crossings());
        for (due, crossing) in self.sides.due.iter_mut().zip(crossings) {
            *due |= *crossing == Some(Crossing::Falling);
        }
        self.sides.due.contains(&true)
    }

    /// Is an event at `at` as good as at the end of a step to `to`?
    pub(super) fn is_near(&self, at: f64, to: f64) -> bool {
        to - at <= NEAR * self.span
    }

    /// Where a step ends: switches that would change in no time at all are due.
    pub(super) fn note_what_is_near(&mut self, request: &StepRequest<'_>) {
        let Some(solver) = self.solver.as_ref().filter(|_| !self.sides.on.is_empty()) else {
            return;
        };
        let (t, x) = (self.time, solver.state());
        let ahead = AHEAD * self.span;
        let read = |t: f64, u: &mut Vec<f64>, native: &Self| {
            u.copy_from_slice(native.drive.starts());
            for (index, &place) in native.binding.inputs().iter().enumerate() {
                u[place] = request.inputs.real(index, SimTime::from_seconds(t));
            }
        };
        let mut u = std::mem::take(&mut self.scratch.u);
        let mut later = std::mem::take(&mut self.scratch.x);
        read(t, &mut u, self);
        let model = &*self.model;
        let given = self.reacting.inputs(model, &self.binding, (t, x), &u);
        model.switch_values(t, x, given, &mut self.sides.now);
        model.derivatives(t, x, given, &mut self.sides.rates);
        for ((later, x), rate) in later.iter_mut().zip(x).zip(&self.sides.rates) {
            *later = x + ahead * rate;
        }
        read(t + ahead, &mut u, self);
        let model = &*self.model;
        let given = self
            .reacting
            .inputs(model, &self.binding, (t + ahead, &later), &u);
        model.switch_values(t + ahead, &later, given, &mut self.sides.values);
        (self.scratch.u, self.scratch.x) = (u, later);
        for index in 0..self.sides.on.len() {
            let side = if self.sides.on[index] { 1.0 } else { -1.0 };
            let (before, after) = (side * self.sides.now[index], side * self.sides.values[index]);
            let leaves = before > after && after < 0.0;
            self.sides.due[index] |= leaves && ahead * before / (before - after) <= NEAR * self.span;
        }
    }
}
