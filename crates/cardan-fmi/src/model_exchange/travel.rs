//! One step: the way from break to break and from event to event, and what is seen along it.

use cardan_core::participant::{Failure, Outcome, StepEnd, StepRequest};
use cardan_core::planes::PlanesRef;
use cardan_core::shell::{Pace, Way, failure::expect_finite};
use cardan_core::time::SimTime;
use cardan_ode::{Progress, SolveError};

use super::failure;
use super::motion::{Mode, Motion};
use crate::ffi::CompletedStep;

impl Motion {
    pub(super) fn travel(&mut self, request: &StepRequest<'_>, pace: Pace) -> Outcome<StepEnd> {
        self.expect_running()?;
        Way::check(request, self.time, self.inputs.extent.reals)?;
        self.recording.clear();
        self.crossed = false;
        let (from, to) = (self.time, request.to.seconds());
        self.stride = to - from;
        let beyond = self.begins_beyond(request)?;
        if beyond {
            self.go_beyond(request, to)?;
        }
        while self.time < to && !self.ended && !beyond {
            self.take_inputs(request)?;
            if self.ended {
                break;
            }
            if self.time > from {
                self.observe(request, self.time, true)?;
            }
            self.cross(request, to, pace)?;
            if (self.pending && self.traits.coupled) || pace == Pace::OwnStep {
                break;
            }
        }
        if self.pending && pace == Pace::Request && to - self.time <= self.near {
            self.time = to;
        }
        let waits = self.traits.coupled || self.ended;
        if self.pending && !waits {
            self.take_inputs(request)?;
        }
        // The end of the step belongs to what is seen, after the event that may have been there.
        self.observe(request, self.time, true)?;
        Ok(match self.now() {
            at if self.ended => StepEnd::Terminate { at },
            at if self.time < to => StepEnd::Early { at },
            _ => StepEnd::Completed,
        })
    }

    /// Where others take part in events: do inputs begin on the other side of an indicator than they were on when the FMU came to
    /// rest? A step may end a hair before an event, and the next one begins a hair behind it: what it finds then has to be told,
    /// and not handled in silence.
    fn begins_beyond(&mut self, request: &StepRequest<'_>) -> Outcome<bool> {
        let felt = self.traits.switches && self.traits.coupled && self.mode == Mode::Continuous;
        if !felt || self.pending {
            return Ok(false);
        }
        let passed = Way::from(self.time, request).passed;
        self.plant.drive.laws.load(&request.inputs, passed);
        self.plant.drive.laws.read(self.time);
        if !self.plant.drive.differs() {
            return Ok(false);
        }
        let others = self.take_others(&request.inputs, passed);
        let switched = self.others_differ(others.view());
        self.room = others;
        if switched || !self.plant.drive.rewind() {
            return Ok(false);
        }
        self.sees_other_sides(|motion| {
            motion.plant.drive.laws.load(&request.inputs, passed);
        })
    }

    /// Goes on as far as must be, to where the event is then.
    fn go_beyond(&mut self, request: &StepRequest<'_>, to: f64) -> Outcome<()> {
        let hair = (self.time + self.near).min(to);
        let passed = Way::from(self.time, request).passed;
        self.plant.drive.laws.load(&request.inputs, passed);
        self.solver.disturb();
        self.cross(request, hair, Pace::Request)?;
        self.pending = true;
        Ok(())
    }

    /// Takes the inputs from here to their next break. What jumps here jumps in an event, for it may switch something.
    fn take_inputs(&mut self, request: &StepRequest<'_>) -> Outcome<()> {
        let passed = Way::from(self.time, request).passed;
        let drive = &mut self.plant.drive;
        drive.laws.load(&request.inputs, passed);
        drive.laws.read(self.time);
        let jumps = drive.jumps();
        let others = self.take_others(&request.inputs, passed);
        let outcome = self.meet(others.view(), jumps);
        self.room = others;
        outcome
    }

    /// The inputs have these values from here on.
    fn meet(&mut self, others: PlanesRef<'_>, jumps: bool) -> Outcome<()> {
        let switched = self.others_differ(others);
        let switches = switched || (jumps && self.traits.switches);
        if self.mode == Mode::Event || self.pending || switches {
            self.stop_time()?;
            // An event that others have prepared, and then nothing came of it, leaves the solver alone.
            self.event.disturbed |= self.pending || switched || jumps;
            self.handle(others)?;
            while self.pending && !self.ended {
                self.stop_time()?;
                self.event.disturbed = true;
                self.handle(others)?;
            }
            return Ok(());
        }
        if jumps {
            self.solver.disturb();
        }
        Ok(())
    }

    /// Goes to the next event, break of the inputs, or to `to`, or as far as its pace is. An event there is left pending.
    fn cross(&mut self, request: &StepRequest<'_>, to: f64, pace: Pace) -> Outcome<()> {
        let limit = self.next_stop(request, to);
        loop {
            let progress = self.advance(limit, pace)?;
            self.observe(request, self.time, false)?;
            let completed = self.complete_step()?;
            self.ended |= completed.terminate;
            let found = matches!(progress, Progress::Root { .. });
            self.pending = found || completed.event || self.due();
            if self.pending || self.ended || self.time >= limit || pace == Pace::OwnStep {
                break;
            }
            self.observe(request, self.time, true)?;
        }
        self.settle()?;
        self.plant.drive.rest();
        self.rest_is_stale = true;
        Ok(())
    }

    /// Where the next inner way ends. Breaks that are the end but for rounding are the end; events are met exactly.
    fn next_stop(&self, request: &StepRequest<'_>, to: f64) -> f64 {
        let law_changes = Way::from(self.time, request).next_break;
        let own = self.next_instant().map(SimTime::seconds);
        own.into_iter().chain(law_changes).fold(to, f64::min)
    }

    /// One inner step.
    fn advance(&mut self, limit: f64, pace: Pace) -> Outcome<Progress> {
        let advanced = pace.advance(&mut *self.solver, &mut self.plant, limit);
        let progress = advanced.map_err(|error| self.broken(&error))?;
        self.time = self.solver.time();
        expect_finite(&*self.solver, |state| self.state_name(state))?;
        Ok(progress)
    }

    fn complete_step(&mut self) -> Outcome<CompletedStep> {
        if !self.traits.needs_completed_step {
            return Ok(CompletedStep::default());
        }
        self.settle()?;
        let no_return = !self.traits.saves_state;
        Ok(self.plant.instance.completed_integrator_step(no_return)?)
    }

    /// Writes down what the request wants to see of the way that led to `now`, with `now` itself or without.
    fn observe(&mut self, request: &StepRequest<'_>, now: f64, with_now: bool) -> Outcome<()> {
        while let Some(t) = self.recording.wanted(request, now, with_now) {
            self.record(t)?;
        }
        Ok(())
    }

    /// Writes down the outputs at `t` within the last inner step. The FMU is moved there, which costs nothing but the
    /// way: the solver does not look at where it stands.
    fn record(&mut self, t: f64) -> Outcome<()> {
        if self.mode == Mode::Continuous {
            self.solver.interpolate(t, &mut self.x);
            self.plant.move_to(t.min(self.time), &self.x)?;
        }
        let mut recording = std::mem::take(&mut self.recording);
        let outcome = self.show(recording.push((t, false)));
        self.recording = recording;
        outcome
    }

    #[cold]
    fn broken(&mut self, error: &SolveError) -> Failure {
        let refusal = self.plant.take_refusal();
        let (interface, bound) = (self.fmu.interface(), &self.input_ports);
        let input = self.plant.drive.laws.broken(interface, bound);
        failure::of_solver(error, input, refusal)
    }

    /// Arrays of states share a name, so then a number must do.
    fn state_name(&self, state: usize) -> String {
        let description = self.fmu.description();
        let derivatives = &description.structure.derivatives;
        let of = |variable: usize| {
            description
                .variables
                .get(description.variables.get(variable)?.derivative_of?)
        };
        let named = derivatives.get(state).and_then(|unknown| of(unknown.variable));
        match named {
            Some(variable) if derivatives.len() == self.x.len() => format!("state {}", variable.name),
            _ => format!("state number {state}"),
        }
    }
}
