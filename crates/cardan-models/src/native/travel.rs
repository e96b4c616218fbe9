//! One step: the way from break to break, and what is seen along it.

use cardan_core::interface::Causality;
use cardan_core::participant::{Failure, Outcome, StepEnd, StepRequest, Watch};
use cardan_core::time::SimTime;
use cardan_ode::{Progress, SolveError};

use super::equations::Driven;
use super::{Native, failure, same_instant};

impl Native {
    pub(super) fn travel(&mut self, request: &StepRequest<'_>) -> Outcome<StepEnd> {
        self.check(request)?;
        self.recording.clear(&self.binding);
        self.change_what_is_due();
        let to = request.to.seconds();
        // Without states and witnesses there is nothing to do on the way.
        if self.solver.is_some() || request.watch != Watch::Nothing {
            while self.time < to {
                let switched = self.cross(request, to)?;
                if switched && !self.is_near(self.time, to) {
                    let at = SimTime::from_seconds(self.time);
                    return Ok(StepEnd::Early { at });
                }
            }
            if self.recording.len() == 0 {
                // A step of no length has an end all the same.
                self.observe(request, to);
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

    /// Goes to the next break of the inputs or of the model's own law, or to `to` if there is none. Tells whether it
    /// stopped because the model switched.
    fn cross(&mut self, request: &StepRequest<'_>, to: f64) -> Outcome<bool> {
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

        if self.solver.is_none() {
            self.observe(request, next);
            self.time = next;
            return Ok(false);
        }
        self.drive.load(&request.inputs, passed);
        let jumps = self.drive.jumps_at(from);
        self.disturb_if(jumps);
        self.settle_sides(jumps);
        let switched_at = self.integrate(request, next)?;
        let stands = switched_at.unwrap_or(next);
        self.drive.rest_at(stands);
        let law_changed = law_changes.is_some_and(|t| same_instant(t, stands));
        self.disturb_if(law_changed);
        self.time = stands;
        Ok(switched_at.is_some())
    }

    pub(super) fn disturb_if(&mut self, jump: bool) {
        if let Some(solver) = &mut self.solver
            && jump
        {
            solver.disturb();
        }
    }

    /// Lets the solver run to the next break, or to where the model switches before it.
    fn integrate(&mut self, request: &StepRequest<'_>, to: f64) -> Outcome<Option<f64>> {
        let mut progress = Progress::Step;
        while let (Some(solver), Progress::Step) = (&mut self.solver, progress) {
            let mut equations = Driven {
                model: &*self.model,
                drive: &mut self.drive,
                on: &self.sides.on,
            };
            progress = match solver.advance(&mut equations, to) {
                Ok(progress) => progress,
                Err(error) => return Err(self.broken(&error)),
            };
            let now = solver.time();
            if let Some(state) = solver.state().iter().position(|x| !x.is_finite()) {
                return Err(failure::not_finite(state, now));
            }
            self.observe(request, now);
            if let Progress::Root { .. } = progress {
                if self.note_what_fell() {
                    return Ok(Some(now));
                }
                progress = match now < to {
                    true => Progress::Step,
                    false => Progress::Limit,
                };
            }
        }
        Ok(None)
    }

    /// Writes down what the request wants to see of the way that led to `now`.
    fn observe(&mut self, request: &StepRequest<'_>, now: f64) {
        match request.watch {
            Watch::Nothing => {}
            Watch::InnerSteps => self.record(request, now),
            Watch::Instants(instants) => {
                let reached = |t: SimTime| t.seconds() <= now || now == request.to.seconds();
                while let Some(&next) = instants.get(self.recording.len()).filter(|&&t| reached(t)) {
                    self.record(request, next.seconds());
                }
            }
        }
    }

    fn record(&mut self, request: &StepRequest<'_>, t: f64) {
        let scratch = &mut self.scratch;
        if let Some(solver) = &self.solver {
            solver.interpolate(t, &mut scratch.x);
        }
        scratch.u.copy_from_slice(self.drive.starts());
        for (index, &place) in self.binding.inputs().iter().enumerate() {
            scratch.u[place] = request.inputs.real(index, SimTime::from_seconds(t));
        }
        self.model.outputs(t, &scratch.x, &scratch.u, &mut scratch.y);
        self.recording.push(t, &scratch.y, &self.binding);
    }

    #[cold]
    fn broken(&self, error: &SolveError) -> Failure {
        let input = self
            .drive
            .broken()
            .map(|(place, value)| (self.input_name(place), value));
        failure::of_solver(error, input)
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
