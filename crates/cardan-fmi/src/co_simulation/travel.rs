//! Steps.

use cardan_core::inputs::Inputs;
use cardan_core::participant::{EventMode, Failure, Outcome, StepEnd, StepRequest};
use cardan_core::planes::PlanesRef;
use cardan_core::time::SimTime;

use super::CoSimulation;
use super::drive::Telling;
use crate::clocks::reached;
use crate::ffi::Stepped;

/// An FMU that ends so many steps where they began goes nowhere.
const MOST_IDLE_STEPS: usize = 100;

impl CoSimulation {
    /// The usual case, with nothing in its way: one set, one doStep.
    #[inline]
    pub(super) fn plain_step(&mut self, request: &StepRequest<'_>) -> Outcome<StepEnd> {
        let (from, to) = (request.from, request.to);
        let stepped = self.part(from, to, &request.inputs)?;
        self.rest_is_stale = true;
        self.time = to;
        if stepped.early || stepped.discarded || stepped.terminate {
            return self.plain_step_elsewhere(request, &stepped);
        }
        Ok(StepEnd::Completed)
    }

    #[cold]
    pub(super) fn plain_step_elsewhere(
        &mut self,
        request: &StepRequest<'_>,
        stepped: &Stepped,
    ) -> Outcome<StepEnd> {
        let (from, to) = (request.from, request.to);
        if stepped.early || stepped.discarded {
            self.time = SimTime::from_seconds(stepped.reached);
        }
        match self.unusual_end(from, to, stepped) {
            Some(end) => Ok(end),
            None if self.time <= from => self.travel(request),
            None => {
                self.time = to;
                Ok(StepEnd::Completed)
            }
        }
    }

    /// Goes the whole way in as many parts as breaks of inputs and ticks of clocks ask for.
    #[inline]
    pub(super) fn travel(&mut self, request: &StepRequest<'_>) -> Outcome<StepEnd> {
        let inputs = &request.inputs;
        let mut at = request.from;
        let mut idle = 0;
        loop {
            self.time = at;
            let mut to = request.to;
            if self.events.is_some() {
                self.handle_alone(at, inputs)?;
                if let Some(events) = &self.events {
                    if events.terminating {
                        return Ok(StepEnd::Terminate { at });
                    }
                    to = events
                        .next_after(at)
                        .filter(|tick| !reached(*tick, to))
                        .unwrap_or(to);
                }
            }
            if self.abilities.variable_step
                && let Some(change) = inputs.next_break(at)
                && !reached(change, to)
            {
                to = change;
            }
            let stepped = self.advance(at, to, inputs)?;
            self.rest_is_stale = true;
            if let Some(events) = &mut self.events {
                events.raised |= stepped.event;
            }
            if stepped.early || stepped.discarded || stepped.terminate {
                let stands = SimTime::from_seconds(stepped.reached);
                self.time = if stepped.early || stepped.discarded {
                    stands
                } else {
                    to
                };
                if let Some(end) = self.unusual_end(at, to, &stepped) {
                    return Ok(end);
                }
                if self.time <= at {
                    idle += 1;
                    if idle > MOST_IDLE_STEPS {
                        let failure = Failure::failed(format!(
                            "the FMU ends {MOST_IDLE_STEPS} steps one after the other where they began"
                        ));
                        return Err(failure.advise(
                            "it may see an event with its inputs over the step, and none in event mode with those of the \
                             instant: is its event there to be handled, and does it go on then?",
                        ));
                    }
                    continue;
                }
            }
            self.time = to;
            if reached(to, request.to) {
                self.time = request.to;
                return Ok(StepEnd::Completed);
            }
            if self.events.is_some() && EventMode::pending(self) {
                return Ok(StepEnd::Early { at: to });
            }
            at = to;
        }
    }

    /// How a step ended that did not simply arrive. None where it arrived after all, or has not moved.
    fn unusual_end(&self, from: SimTime, to: SimTime, stepped: &Stepped) -> Option<StepEnd> {
        let stands = self.time;
        if stepped.terminate {
            return Some(StepEnd::Terminate { at: stands.max(from) });
        }
        if stepped.discarded {
            let advice = stands.since(from);
            return Some(StepEnd::Rejected {
                reached: stands,
                advice: (advice > 0.0).then_some(advice),
            });
        }
        if stands > from && !reached(stands, to) {
            return Some(StepEnd::Early { at: stands });
        }
        None
    }

    /// Goes from `from` to `to`, in equal parts if the user wants so.
    #[inline]
    fn advance(&mut self, from: SimTime, to: SimTime, inputs: &Inputs<'_>) -> Outcome<Stepped> {
        if self.events.is_none() && self.inputs.has_discrete() {
            let held = inputs.held_after(from);
            self.set_discrete(PlanesRef { reals: &[], ..held })?;
        }
        let parts = self.options.substeps.unwrap_or(1);
        if parts <= 1 {
            return self.part(from, to, inputs);
        }
        let mut begin = from;
        for part in 1..=parts {
            let end = if part == parts {
                to
            } else {
                let share = f64::from(part) / f64::from(parts);
                SimTime::from_seconds(from.seconds() + share * to.since(from))
            };
            let stepped = self.part(begin, end, inputs)?;
            let plain = !(stepped.early || stepped.discarded || stepped.terminate);
            if part == parts || !plain {
                return Ok(stepped);
            }
            if stepped.event {
                return Ok(Stepped {
                    early: true,
                    reached: end.seconds(),
                    ..stepped
                });
            }
            begin = end;
        }
        Err(Failure::failed("a step of no parts"))
    }

    /// One call of `doStep`, with the inputs told as the FMU can take them.
    #[inline]
    fn part(&mut self, from: SimTime, to: SimTime, inputs: &Inputs<'_>) -> Outcome<Stepped> {
        let no_return = self.slots.is_empty();
        let (at, size) = (from.seconds(), to.since(from));
        if self.steps == 0 {
            self.first_size = size;
        }
        self.steps += 1;
        if !self.inputs.steady.reals.is_empty() {
            match self.telling {
                Telling::Mean => {
                    self.take_means(from, to, inputs);
                    self.tell()?;
                }
                Telling::Derivatives(order) => self.tell_movement(from, to, inputs, order)?,
                Telling::Intermediate => return self.part_with_listener(from, to, inputs),
            }
        }
        let stepped = Self::running(&mut self.instance)?.do_step(at, size, no_return);
        stepped.map_err(|error| self.explained(error.into(), size))
    }
}
