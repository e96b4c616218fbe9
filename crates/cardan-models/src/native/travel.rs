//! One step: the way from break to break, and what is seen along it.

use cardan_core::interface::Causality;
use cardan_core::participant::{Failure, Outcome, OwnSteps, StepEnd, StepRequest, Watch};
use cardan_core::time::SimTime;
use cardan_ode::{Progress, SolveError};

use super::drive::Change;
use super::equations::Driven;
use super::{Native, failure, same_instant};

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// To the end of the request.
    Request,
    /// To the end of one step of the solver.
    OwnStep,
}

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
    pub(super) fn go(&mut self, request: &StepRequest<'_>) -> Outcome<StepEnd> {
        self.travel(request, Pace::Request)
    }

    fn travel(&mut self, request: &StepRequest<'_>, pace: Pace) -> Outcome<StepEnd> {
        self.check(request)?;
        self.recording.clear(&self.binding);
        self.change_what_is_due();
        let to = request.to.seconds();
        // Without states and witnesses there is nothing to do on the way.
        let switches = !self.sides.on.is_empty();
        if self.solver.is_some() || switches || request.watch != Watch::Nothing {
            while self.time < to {
                let halt = self.cross(request, to, pace)?;
                let stops = halt == Halt::Switch || pace == Pace::OwnStep;
                if stops && !self.is_near(self.time, to) {
                    let at = SimTime::from_seconds(self.time);
                    return Ok(StepEnd::Early { at });
                }
            }
            if self.recording.len() == 0 {
                // A step of no length has an end all the same.
                self.observe(request, (to, false));
            }
        }
        self.time = to;
        self.note_what_is_near(request);
        Ok(StepEnd::Completed)
    }

    fn check(&self, request: &StepRequest<'_>) -> Outcome<()> {
        if !self.initialized {
            return Err(Failure::failed("asked to step before the initialisation"));
        }
        let (from, to) = (request.from.seconds(), request.to.seconds());
        if !same_instant(from, self.time) {
            return Err(failure::elsewhere(from, self.time));
        }
        if !(to >= self.time && to.is_finite()) {
            return Err(Failure::failed(format!(
                "asked to step from t = {} s to t = {to} s, which does not lie ahead",
                self.time
            )));
        }
        if request.inputs.reals() != self.drive.len() {
            return Err(Failure::failed(format!(
                "the step brings {} real inputs, but {} are bound",
                request.inputs.reals(),
                self.drive.len()
            )));
        }
        Ok(())
    }

    /// Goes to the next break of the inputs or of the model's own law, or to `to` if there is none, or stops before.
    fn cross(&mut self, request: &StepRequest<'_>, to: f64, pace: Pace) -> Outcome<Halt> {
        let from = self.time;
        // A break of the inputs that rounding puts just ahead is passed already; one just before the end is the end.
        let mut passed = from;
        let mut inputs_change = next_break(request, passed);
        while let Some(near) = inputs_change.filter(|&t| same_instant(t, from)) {
            passed = near;
            inputs_change = next_break(request, passed);
        }
        let law_changes = self.model.next_instant(from).filter(|&t| t > from);
        let breaks = [inputs_change, law_changes].into_iter().flatten();
        let next = breaks.fold(to, f64::min);
        let next = if same_instant(next, to) { to } else { next };
        let goal = Goal {
            at: next,
            foreign: next < to && law_changes.is_none_or(|t| !same_instant(t, next)),
        };

        if self.solver.is_none() {
            let switched = self.find_switch(request, (from, next));
            let stands = switched.unwrap_or(next);
            self.observe(request, (stands, goal.foreign && switched.is_none()));
            self.time = stands;
            return Ok(match switched {
                Some(_) => Halt::Switch,
                None => Halt::Break,
            });
        }
        self.drive.load(&request.inputs, passed);
        if same_instant(from, request.from.seconds()) {
            self.weigh()?;
        }
        let jumped = self.meet_new_laws();
        self.settle_sides(jumped);
        let (halt, stands) = self.integrate(request, goal, pace)?;
        self.time = stands;
        self.rest();
        let law_changed = law_changes.is_some_and(|t| same_instant(t, stands));
        self.disturb_if(law_changed);
        Ok(halt)
    }

    /// Where a law of the inputs begins: the solver is told by how much its right-hand side changes, or that it jumps. Tells
    /// whether the values of the inputs have jumped.
    fn meet_new_laws(&mut self) -> bool {
        let Some(solver) = &mut self.solver else {
            return false;
        };
        let (place, model) = ((self.time, solver.state()), &*self.model);
        let u = self.drive.read(self.time);
        let u = self.reacting.inputs(model, &self.binding, place, u);
        self.scratch.u.copy_from_slice(u);
        let change = self
            .drive
            .compare(self.time, &self.reacting, &mut self.influence.changes);
        let known = matches!(change, Change::Jump | Change::Corner) && solver.remembers();
        let amended = known && {
            let rates = self.influence.rates(model, &self.binding, place, &self.scratch.u);
            solver.amend(rates)
        };
        let jumped = matches!(change, Change::Jump | Change::Beginning);
        self.disturb_if(jumped && !amended);
        jumped
    }

    /// Where a step begins, the inertia is found out of which some is to be taken away.
    fn weigh(&mut self) -> Outcome<()> {
        let Some(solver) = &self.solver else {
            return Ok(());
        };
        let u = self.drive.read(self.time);
        let place = (self.time, solver.state());
        self.reacting.prepare(&*self.model, &self.binding, place, u)
    }

    /// Where the solver stops, the laws that led there are kept, to be compared with those that lead on.
    fn rest(&mut self) {
        if let Some(solver) = &self.solver {
            let u = self.drive.read(self.time);
            let place = (self.time, solver.state());
            self.reacting.inputs(&*self.model, &self.binding, place, u);
            self.drive.rest_at(self.time, &self.reacting);
        }
    }

    pub(super) fn disturb_if(&mut self, jump: bool) {
        if let Some(solver) = &mut self.solver
            && jump
        {
            solver.disturb();
        }
    }

    /// Lets the solver run to the next break, or to where its step ends or the model switches before it.
    fn integrate(&mut self, request: &StepRequest<'_>, goal: Goal, pace: Pace) -> Outcome<(Halt, f64)> {
        let to = goal.at;
        let mut progress = Progress::Step;
        while let (Some(solver), Progress::Step) = (&mut self.solver, progress) {
            let mut equations = Driven {
                model: &*self.model,
                drive: &mut self.drive,
                reacting: &mut self.reacting,
                binding: &self.binding,
                on: &self.sides.on,
            };
            let before = solver.time();
            let advanced = match pace {
                Pace::Request => solver.advance(&mut equations, to),
                Pace::OwnStep => solver.stride(&mut equations, to),
            };
            progress = match advanced {
                Ok(progress) => progress,
                Err(error) => return Err(self.broken(&error)),
            };
            let now = solver.time();
            if let Some(state) = solver.state().iter().position(|x| !x.is_finite()) {
                return Err(failure::not_finite(state, now));
            }
            // Methods for mechanisms see to that themselves.
            if !self.method.is_mechanical()
                && let Some(objection) = self.model.objection(now, solver.state())
            {
                return Err(failure::of_objection(objection));
            }
            let short = now - before < MOST_OF_A_STEP * self.stride;
            let forced = goal.foreign && short && progress == Progress::Limit;
            self.observe(request, (now, forced));
            if let Progress::Root { .. } = progress {
                if self.note_what_fell() {
                    return Ok((Halt::Switch, now));
                }
                progress = match now < to {
                    true => Progress::Step,
                    false => Progress::Limit,
                };
            }
            if pace == Pace::OwnStep && progress == Progress::Step {
                return Ok((Halt::OwnStep, now));
            }
        }
        Ok((Halt::Break, to))
    }

    /// Writes down what the request wants to see of the way that led to `now`, where the solver may have been forced to stop.
    fn observe(&mut self, request: &StepRequest<'_>, (now, forced): (f64, bool)) {
        match request.watch {
            Watch::Nothing => {}
            Watch::InnerSteps => self.record(request, (now, forced)),
            Watch::Instants(instants) => {
                let reached = |t: SimTime| t.seconds() <= now || now == request.to.seconds();
                while let Some(&next) = instants.get(self.recording.len()).filter(|&&t| reached(t)) {
                    self.record(request, (next.seconds(), false));
                }
            }
        }
    }

    fn record(&mut self, request: &StepRequest<'_>, (t, forced): (f64, bool)) {
        let scratch = &mut self.scratch;
        if let Some(solver) = &self.solver {
            solver.interpolate(t, &mut scratch.x);
        }
        scratch.u.copy_from_slice(self.drive.starts());
        for (index, &place) in self.binding.inputs().iter().enumerate() {
            scratch.u[place] = request.inputs.real(index, SimTime::from_seconds(t));
        }
        let place = (t, &scratch.x[..]);
        let u = self
            .reacting
            .inputs(&*self.model, &self.binding, place, &scratch.u);
        self.model.outputs(t, &scratch.x, u, &mut scratch.y);
        self.recording.push((t, forced), &scratch.y, &self.binding);
    }

    #[cold]
    fn broken(&self, error: &SolveError) -> Failure {
        let input = self
            .drive
            .broken()
            .map(|(place, value)| (self.input_name(place), value));
        match self.method.is_mechanical() {
            true => failure::of_mechanism(error, input),
            false => failure::of_solver(error, input),
        }
    }

    /// The port to which an element of the inputs belongs.
    fn input_name(&self, place: usize) -> &str {
        let mut end = 0;
        for (_, port) in self.interface.ports_of(Causality::Input) {
            end += port.shape.len();
            if place < end {
                return &port.name;
            }
        }
        ""
    }
}

fn next_break(request: &StepRequest<'_>, after: f64) -> Option<f64> {
    request
        .inputs
        .next_break(SimTime::from_seconds(after))
        .map(SimTime::seconds)
}
