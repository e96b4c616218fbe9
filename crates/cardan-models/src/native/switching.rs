//! Which law holds where a model switches between two.
//!
//! A contact is open or closed, and between two events it stays what it is, even where a solver looks beyond the event or
//! rounding puts the rod a hair before the stop. So the side of each switch is part of the state, and the model is told.
//! A step ends where a switch is due, under the law that led there; it changes when all others have arrived too.

use super::Native;
use crate::model::Model;
use cardan_core::participant::{EventMode, Outcome, StepRequest};
use cardan_core::shell::NEAR;
use cardan_core::time::SimTime;
use cardan_ode::Crossing;

/// How far to look ahead for a switch that changes near the end of a step, as a part of the run.
const AHEAD: f64 = 1e-8;

/// A switch whose value is no more than this part of states and inputs is where it was: another reading of the same inputs
/// may give another last digit.
const CLEAR: f64 = 1e-10;

/// So often a stretch is looked at where inputs alone decide: they are cubics, which turn twice.
const LOOKS: u32 = 8;

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
        if changed {
            self.solver.disturb();
        }
    }

    /// Before the first step, switches are on the sides that states and the inputs in the scratch put them.
    pub(super) fn look_at_sides(&mut self, t: f64) {
        if !self.sides.settled {
            let x = self.solver.state();
            self.sides.follow(&mut *self.model, (t, 0.0), x, &self.scratch.u);
        }
    }

    /// Inputs that have jumped may have taken switches to their other side.
    pub(super) fn settle_sides(&mut self, jumped: bool) {
        if self.sides.on.is_empty() || (self.sides.settled && !jumped) {
            return;
        }
        let (t, x) = (self.time, self.solver.state());
        let u = self.drive.laws.read(t);
        let u = self.reacting.inputs(&*self.model, &self.binding, (t, x), u);
        let clear = match self.sides.settled {
            true => clearance(x, u),
            false => 0.0,
        };
        self.sides.follow(&mut *self.model, (t, clear), x, u);
        self.sides.settled = true;
    }

    /// At a root: switches that leave their side are due. One that comes back to it from a hair beyond has changed before.
    pub(super) fn note_what_fell(&mut self) -> bool {
        let crossings = self.solver.crossings().iter();
        for (due, crossing) in self.sides.due.iter_mut().zip(crossings) {
            *due |= *crossing == Some(Crossing::Falling);
        }
        self.sides.due.contains(&true)
    }

    /// Is an event at `at` as good as at the end of a step to `to`?
    pub(super) fn is_near(&self, at: f64, to: f64) -> bool {
        to - at <= NEAR * self.span
    }

    /// The first instant of a stretch at which inputs alone take a switch to its other side; the switch is due then. For
    /// models without states, which have no solver to look for it.
    pub(super) fn find_switch(&mut self, request: &StepRequest<'_>, (from, to): (f64, f64)) -> Option<f64> {
        if self.sides.on.is_empty() {
            return None;
        }
        self.switch_at(request, from);
        if !self.sides.settled {
            for (on, value) in self.sides.on.iter_mut().zip(&self.sides.now) {
                *on = *value > 0.0;
            }
            self.sides.tell(&mut *self.model);
            self.sides.settled = true;
        }
        let mut before = from;
        for look in 1..=LOOKS {
            let share = f64::from(look) / f64::from(LOOKS);
            let at = if look == LOOKS {
                to
            } else {
                from + share * (to - from)
            };
            if self.leaves(request, at, true) {
                let found = self.first_beyond(request, (before, at));
                // Rounding may put it where the stretch begins, from which there must be a way to go.
                let found = match found > from {
                    true => found,
                    false => at.min(from + NEAR * self.span),
                };
                self.leaves(request, at, true);
                for index in 0..self.sides.on.len() {
                    self.sides.due[index] |= self.sides.on[index] != (self.sides.now[index] > 0.0);
                }
                return Some(found);
            }
            before = at;
        }
        None
    }

    /// Is a switch that is not due yet on its other side at `t`: clearly, or at all?
    fn leaves(&mut self, request: &StepRequest<'_>, t: f64, clearly: bool) -> bool {
        let least = self.switch_at(request, t);
        let least = if clearly { least } else { 0.0 };
        let mut sides = self.sides.on.iter().zip(&self.sides.now).zip(&self.sides.due);
        sides.any(|((on, value), due)| !due && value.abs() >= least && *on != (*value > 0.0))
    }

    /// Writes the values of the switches at `t`, and answers how far from zero they are beyond doubt.
    fn switch_at(&mut self, request: &StepRequest<'_>, t: f64) -> f64 {
        self.read_inputs(request, t);
        let u = &self.scratch.u;
        self.model.switch_values(t, &[], u, &mut self.sides.now);
        clearance(&[], u)
    }

    /// Bisects to the last digit: a switch is on its side at the beginning of the stretch, and not at its end.
    fn first_beyond(&mut self, request: &StepRequest<'_>, (mut before, mut beyond): (f64, f64)) -> f64 {
        loop {
            let middle = 0.5 * (before + beyond);
            if middle <= before || middle >= beyond {
                return beyond;
            }
            match self.leaves(request, middle, false) {
                true => beyond = middle,
                false => before = middle,
            }
        }
    }

    /// All inputs of the model at `t` of a request, in the scratch.
    pub(super) fn read_inputs(&mut self, request: &StepRequest<'_>, t: f64) {
        let u = &mut self.scratch.u;
        u.copy_from_slice(self.drive.starts());
        for (index, &place) in self.binding.inputs().iter().enumerate() {
            u[place] = request.inputs.real(index, SimTime::from_seconds(t));
        }
    }

    /// Where a step ends: switches that would change in no time at all are due, or should have changed before.
    pub(super) fn note_what_is_near(&mut self, request: &StepRequest<'_>) {
        if self.sides.on.is_empty() {
            return;
        }
        let t = self.time;
        // No further than the step was long: laws of inputs say little about what lies far beyond it.
        let length = request.to.since(request.from).max(NEAR * self.span);
        let ahead = length.min(AHEAD * self.span);
        let mut later = std::mem::take(&mut self.scratch.x);
        self.read_inputs(request, t);
        let (model, x) = (&*self.model, self.solver.state());
        let given = self
            .reacting
            .inputs(model, &self.binding, (t, x), &self.scratch.u);
        model.switch_values(t, x, given, &mut self.sides.now);
        let clear = clearance(x, given);
        if !x.is_empty() {
            model.derivatives(t, x, given, &mut self.sides.rates);
        }
        for ((later, x), rate) in later.iter_mut().zip(x).zip(&self.sides.rates) {
            *later = x + ahead * rate;
        }
        self.read_inputs(request, t + ahead);
        let model = &*self.model;
        let given = self
            .reacting
            .inputs(model, &self.binding, (t + ahead, &later), &self.scratch.u);
        model.switch_values(t + ahead, &later, given, &mut self.sides.values);
        self.scratch.x = later;
        for index in 0..self.sides.on.len() {
            let side = if self.sides.on[index] { 1.0 } else { -1.0 };
            let (before, after) = (side * self.sides.now[index], side * self.sides.values[index]);
            let leaves = before > after && after < 0.0;
            let soon = leaves && ahead * before / (before - after) <= NEAR * self.span;
            // Clearly beyond, it is due even if it is on its way back.
            self.sides.due[index] |= soon || before < -clear;
        }
    }
}
