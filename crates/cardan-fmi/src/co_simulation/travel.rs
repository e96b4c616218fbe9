//! Steps.

use cardan_core::inputs::Inputs;
use cardan_core::participant::{EventMode, Failure, Outcome, StepEnd, StepRequest};
use cardan_core::planes::PlanesRef;
use cardan_core::time::SimTime;

use super::CoSimulation;
use super::clocks::reached;
use super::drive::{self, Telling};
use crate::ffi::{Access, Intermediate, Moment, Stepped, Trouble};

/// An FMU that ends so many steps where they began goes nowhere.
const MOST_IDLE_STEPS: usize = 100;

impl CoSimulation {
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
                        return Err(Failure::failed(format!(
                            "the FMU ends {MOST_IDLE_STEPS} steps one after the other where they began"
                        )));
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
        self.steps += 1;
        let no_return = self.slots.is_empty();
        let (at, size) = (from.seconds(), to.since(from));
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
        Ok(Self::running(&mut self.instance)?.do_step(at, size, no_return)?)
    }

    #[inline]
    fn take_means(&mut self, from: SimTime, to: SimTime, inputs: &Inputs<'_>) {
        let places = self.scratch.reals.iter_mut().zip(&self.inputs.smooth).enumerate();
        for (index, (real, smooth)) in places {
            *real = if *smooth {
                drive::mean(inputs, index, from, to)
            } else {
                drive::value(inputs, index, from)
            };
        }
    }

    #[inline]
    fn tell(&mut self) -> Outcome<()> {
        let instance = Self::running(&mut self.instance)?;
        for group in &mut self.inputs.steady.reals {
            group.set(instance, &self.scratch.reals)?;
        }
        Ok(())
    }

    /// FMI 2: values and derivatives at the beginning.
    fn tell_movement(&mut self, from: SimTime, to: SimTime, inputs: &Inputs<'_>, most: u32) -> Outcome<()> {
        if inputs.next_break(from).is_some_and(|change| !reached(change, to)) {
            // It cannot be told of a law that changes on the way, and does not take steps of another size.
            self.take_means(from, to, inputs);
            self.tell()?;
            return self.tell_derivatives(None, most);
        }
        for (index, real) in self.scratch.reals.iter_mut().enumerate() {
            *real = drive::value(inputs, index, from);
        }
        self.tell()?;
        self.tell_derivatives(Some((from, inputs)), most)?;
        if self.telling == Telling::Mean {
            // It does not take derivatives after all.
            self.take_means(from, to, inputs);
            self.tell()?;
        }
        Ok(())
    }

    /// Tells as many orders as there are, or as are still in force from before. Without inputs all are zero.
    fn tell_derivatives(&mut self, movement: Option<(SimTime, &Inputs<'_>)>, most: u32) -> Outcome<()> {
        let mut all = Vec::new();
        std::mem::swap(&mut all, &mut self.scratch.derivatives);
        all.clear();
        let mut needed = 0;
        for group in &self.inputs.steady.reals {
            for place in group.places() {
                let law = movement.filter(|_| self.inputs.smooth[place]);
                let law = law.and_then(|(at, inputs)| Some((at, inputs.segment_after(place, at)?)));
                let derivatives = law.map_or([0.0; 3], |(at, segment)| drive::derivatives(segment, at));
                let order = derivatives
                    .iter()
                    .rposition(|d| *d != 0.0)
                    .map_or(0, |order| order + 1);
                needed = needed.max(order as u32);
                all.extend(derivatives);
            }
        }
        let outcome = self.send_derivatives(&all, needed.min(most), most);
        self.scratch.derivatives = all;
        outcome
    }

    /// Sends derivatives up to `needed`; where the FMU does not take that many orders, fewer.
    fn send_derivatives(&mut self, all: &[f64], needed: u32, most: u32) -> Outcome<()> {
        let mut order = needed.max(self.moving).min(most);
        let mut values = Vec::new();
        while order > 0 {
            let scratch = &mut self.scratch;
            scratch.references.clear();
            scratch.orders.clear();
            values.clear();
            let references = self
                .inputs
                .steady
                .reals
                .iter()
                .flat_map(|group| group.references());
            for ((reference, derivatives), place) in references
                .zip(all.chunks(3))
                .zip(self.inputs.steady.reals.iter().flat_map(|group| group.places()))
            {
                if self.inputs.smooth[place] {
                    for k in 1..=order {
                        scratch.references.push(*reference);
                        scratch.orders.push(k as i32);
                        values.push(derivatives[k as usize - 1]);
                    }
                }
            }
            let instance = Self::running(&mut self.instance)?;
            match instance.set_input_derivatives(&scratch.references, &scratch.orders, &values) {
                Ok(()) => {
                    self.moving = needed.min(order);
                    return Ok(());
                }
                Err(error) if !instance.is_alive() => return Err(error.into()),
                Err(error) => {
                    let missing = error.trouble == Trouble::Missing;
                    order = if missing { 0 } else { order - 1 };
                    self.telling = match order {
                        0 => Telling::Mean,
                        order => Telling::Derivatives(order),
                    };
                    tracing::info!(target: "fmu", instance = self.name, "derivatives of inputs up to order {order} only: {error}");
                }
            }
        }
        self.moving = 0;
        Ok(())
    }

    /// FMI 3: the FMU asks for the inputs at its inner steps.
    fn part_with_listener(&mut self, from: SimTime, to: SimTime, inputs: &Inputs<'_>) -> Outcome<Stepped> {
        let no_return = self.slots.is_empty();
        let (at, size) = (from.seconds(), to.since(from));
        // Those that it does not ask for are told as to any other.
        self.take_means(from, to, inputs);
        let Some(asked) = self.inputs.intermediate.reals.first() else {
            self.tell()?;
            return Ok(Self::running(&mut self.instance)?.do_step(at, size, no_return)?);
        };
        for place in asked.places() {
            self.scratch.reals[place] = drive::value(inputs, place, from);
        }
        let held = drive::all_held(inputs, asked.places());
        let references = asked.references().to_owned();
        let places: Vec<usize> = asked.places().collect();
        self.tell()?;
        let instance = Self::running(&mut self.instance)?;
        if held {
            return Ok(instance.do_step(at, size, no_return)?);
        }
        let mut listener = Listener {
            inputs: *inputs,
            references: &references,
            places: &places,
            values: &mut self.scratch.derivatives,
        };
        Ok(instance.do_step_with(at, size, no_return, &mut listener)?)
    }
}

/// Tells the FMU its inputs when it asks.
struct Listener<'a> {
    inputs: Inputs<'a>,
    references: &'a [u32],
    places: &'a [usize],
    values: &'a mut Vec<f64>,
}

impl Intermediate for Listener<'_> {
    fn update(&mut self, moment: Moment, access: &mut Access<'_>) {
        if !moment.set_requested {
            return;
        }
        let at = SimTime::from_seconds(moment.time);
        self.values.clear();
        self.values
            .extend(self.places.iter().map(|&place| self.inputs.real(place, at)));
        access.set_f64(self.references, self.values);
    }
}
