//! One step: the way from break to break, and what is seen along it.

use cardan_core::participant::{Failure, Outcome, OwnSteps, StepEnd, StepRequest, Watch};
use cardan_core::shell::failure::{expect_finite, of_solver};
use cardan_core::shell::{Pace, Way, same};
use cardan_core::time::SimTime;
use cardan_ode::{Progress, SolveError};

use super::drive::Change;
use super::equations::Driven;
use super::{Native, failure};

/// Where the solver may go at most.
#[derive(Clone, Copy)]
struct Goal {
    at: f64,
    /// Is it there only because the law of an input ends there?
    foreign: bool,
}

/// A step of this part of a solver's own is one that the solver might have taken: the way to a limit is divided evenly.
const MOST_OF_A_STEP: f64 = 0.5;

/// Why the solver stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Halt {
    /// It reached the break.
    Break,
    /// It has taken its step.
    OwnStep,
    /// The model switched.
    Switch,
}

impl OwnSteps for Native {
    fn step_once(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        self.travel(&request, Pace::OwnStep)
    }
}

impl Native {
    pub(super) fn travel(&mut self, request: &StepRequest<'_>, pace: Pace) -> Outcome<StepEnd> {
        if !self.initialized {
            return Err(Failure::failed("asked to step before the initialisation"));
        }
        Way::check(request, self.time, self.drive.len())?;
        self.recording.clear();
        self.change_what_is_due();
        let to = request.to.seconds();
        // Without states and witnesses there is nothing to do on the way.
        let switches = !self.sides.on.is_empty();
        if self.moves() || switches || request.watch != Watch::Nothing {
            while self.time < to {
                let halt = self.cross(request, to, pace)?;
                let stops = halt == Halt::Switch || pace == Pace::OwnStep;
                if stops && !self.is_near(self.time, to) {
                    let at = SimTime::from_seconds(self.time);
                    return Ok(StepEnd::Early { at });
                }
            }
            if self.recording.is_empty() {
                // A step of no length has an end all the same.
                self.observe(request, (to, false));
            }
        }
        self.time = to;
        self.note_what_is_near(request);
        Ok(StepEnd::Completed)
    }

    /// Goes to the next break of the inputs or of the model's own law, or to `to` if there is none, or stops before.
    fn cross(&mut self, request: &StepRequest<'_>, to: f64, pace: Pace) -> Outcome<Halt> {
        let from = self.time;
        let way = Way::from(from, request);
        let law_changes = self.model.next_instant(from).filter(|&t| t > from);
        let breaks = [way.next_break, law_changes].into_iter().flatten();
        let next = breaks.fold(to, f64::min);
        let next = if same(next, to) { to } else { next };
        let goal = Goal {
            at: next,
            foreign: next < to && law_changes.is_none_or(|t| !same(t, next)),
        };

        if !self.moves() {
            let switched = self.find_switch(request, (from, next));
            let stands = switched.unwrap_or(next);
            self.observe(request, (stands, goal.foreign && switched.is_none()));
            self.time = stands;
            return Ok(match switched {
                Some(_) => Halt::Switch,
                None => Halt::Break,
            });
        }
        self.drive.laws.load(&request.inputs, way.passed);
        if same(from, request.from.seconds()) {
            self.weigh()?;
        }
        let jumped = self.meet_new_laws();
        self.settle_sides(jumped);
        let (halt, stands) = self.integrate(request, goal, pace)?;
        self.time = stands;
        self.rest();
        let law_changed = law_changes.is_some_and(|t| same(t, stands));
        if law_changed {
            self.solver.disturb();
        }
        Ok(halt)
    }

    /// Where a law of the inputs begins: the solver is told by how much its right-hand side changes, or that it jumps. Tells
    /// whether the values of the inputs have jumped.
    fn meet_new_laws(&mut self) -> bool {
        let (place, model) = ((self.time, self.solver.state()), &*self.model);
        let u = self.drive.laws.read(self.time);
        let u = self.reacting.inputs(model, &self.binding, place, u);
        self.scratch.u.copy_from_slice(u);
        let change = self
            .drive
            .compare(self.time, &self.reacting, &mut self.influence.changes);
        let known = matches!(change, Change::Jump | Change::Corner) && self.solver.remembers();
        let amended = known && {
            let rates = self.influence.rates(model, &self.binding, place, &self.scratch.u);
            self.solver.amend(rates)
        };
        let jumped = matches!(change, Change::Jump | Change::Beginning);
        if jumped && !amended {
            self.solver.disturb();
        }
        jumped
    }

    /// Where a step begins, the inertia is found out of which some is to be taken away.
    fn weigh(&mut self) -> Outcome<()> {
        let u = self.drive.laws.read(self.time);
        let place = (self.time, self.solver.state());
        self.reacting.prepare(&*self.model, &self.binding, place, u)
    }

    /// Where the solver stops, the laws that led there are kept, to be compared with those that lead on.
    fn rest(&mut self) {
        let u = self.drive.laws.read(self.time);
        let place = (self.time, self.solver.state());
        self.reacting.inputs(&*self.model, &self.binding, place, u);
        self.drive.rest_at(self.time, &self.reacting);
    }

    /// Lets the solver run to the next break, or to where its step ends or the model switches before it.
    fn integrate(&mut self, request: &StepRequest<'_>, goal: Goal, pace: Pace) -> Outcome<(Halt, f64)> {
        let to = goal.at;
        loop {
            let before = self.solver.time();
            let mut equations = Driven {
                model: &*self.model,
                drive: &mut self.drive,
                reacting: &mut self.reacting,
                binding: &self.binding,
                on: &self.sides.on,
            };
            let advanced = pace.advance(&mut *self.solver, &mut equations, to);
            let progress = advanced.map_err(|error| self.broken(&error))?;
            let now = self.solver.time();
            expect_finite(&*self.solver, |state| format!("state {state}"))?;
            // Methods for mechanisms see to that themselves.
            if !self.method.is_mechanical()
                && let Some(objection) = self.model.objection(now, self.solver.state())
            {
                return Err(failure::of_objection(objection));
            }
            let short = now - before < MOST_OF_A_STEP * self.stride;
            let forced = goal.foreign && short && progress == Progress::Limit;
            self.observe(request, (now, forced));
            let arrives = match progress {
                Progress::Step => false,
                Progress::Limit => true,
                Progress::Root { .. } if self.note_what_fell() => return Ok((Halt::Switch, now)),
                Progress::Root { .. } => now >= to,
            };
            match pace {
                _ if arrives => return Ok((Halt::Break, to)),
                Pace::OwnStep => return Ok((Halt::OwnStep, now)),
                Pace::Request => {}
            }
        }
    }

    /// Writes down what the request wants to see of the way that led to `now`, where the solver may have been forced to stop.
    fn observe(&mut self, request: &StepRequest<'_>, (now, forced): (f64, bool)) {
        let forced = forced && request.watch == Watch::InnerSteps;
        while let Some(t) = self.recording.wanted(request, now, true) {
            self.record(request, (t, forced));
        }
    }

    fn record(&mut self, request: &StepRequest<'_>, (t, forced): (f64, bool)) {
        self.solver.interpolate(t, &mut self.scratch.x);
        self.read_inputs(request, t);
        let (model, scratch) = (&*self.model, &mut self.scratch);
        let place = (t, &scratch.x[..]);
        let u = self.reacting.inputs(model, &self.binding, place, &scratch.u);
        model.outputs(t, &scratch.x, u, &mut scratch.y);
        let row = self.recording.push((t, forced));
        self.binding.gather(&scratch.y, row.reals);
    }

    #[cold]
    fn broken(&self, error: &SolveError) -> Failure {
        let bound = &self.binding.input_ports;
        let input = self.drive.laws.broken(&self.interface, bound);
        match self.method.is_mechanical() {
            true => failure::of_mechanism(error, input),
            false => of_solver(error, input),
        }
    }
}
