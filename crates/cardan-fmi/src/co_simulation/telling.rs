//! Telling the FMU how its real inputs move during a step.

use cardan_core::inputs::Inputs;
use cardan_core::participant::Outcome;
use cardan_core::time::SimTime;

use super::CoSimulation;
use super::drive::{self, Telling};
use crate::clocks::reached;
use crate::ffi::{Access, Intermediate, Moment, Stepped, Trouble};

/// Lists for one call that tells derivatives of inputs, or inputs at an inner step. Their memory is used again.
#[derive(Default)]
pub(super) struct Lists {
    references: Vec<u32>,
    orders: Vec<i32>,
    values: Vec<f64>,
    /// Three derivatives for each input.
    derivatives: Vec<[f64; 3]>,
    /// The inputs the FMU asks for, by their places on the plane.
    asked: Vec<usize>,
}

impl CoSimulation {
    /// The means over a step of what moves, and the values of what jumps.
    #[inline]
    pub(super) fn take_means(&mut self, from: SimTime, to: SimTime, inputs: &Inputs<'_>) {
        let places = self.reals.iter_mut().zip(&self.inputs.smooth).enumerate();
        for (index, (real, smooth)) in places {
            *real = if *smooth {
                drive::mean(inputs, index, from, to)
            } else {
                inputs.real(index, from)
            };
        }
    }

    #[inline]
    pub(super) fn tell(&mut self) -> Outcome<()> {
        let instance = Self::running(&mut self.instance)?;
        for group in &mut self.inputs.steady.reals {
            group.set(instance, &self.reals)?;
        }
        Ok(())
    }

    /// FMI 2: values and derivatives at the beginning.
    pub(super) fn tell_movement(
        &mut self,
        from: SimTime,
        to: SimTime,
        inputs: &Inputs<'_>,
        most: u32,
    ) -> Outcome<()> {
        let changes = inputs.next_break(from).is_some_and(|change| !reached(change, to));
        if changes {
            // It cannot be told of a law that changes on the way, and does not take steps of another size.
            self.take_means(from, to, inputs);
            self.tell()?;
            return self.tell_derivatives(None, most);
        }
        for (index, real) in self.reals.iter_mut().enumerate() {
            *real = inputs.real(index, from);
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

    /// Tells as many orders as there are, or as are still in force from before. Without a movement all are zero.
    fn tell_derivatives(&mut self, movement: Option<(SimTime, &Inputs<'_>)>, most: u32) -> Outcome<()> {
        let mut needed = 0;
        self.lists.derivatives.clear();
        for place in self.inputs.steady.reals.iter().flat_map(|group| group.places()) {
            let law = movement.filter(|_| self.inputs.smooth[place]);
            let law = law.and_then(|(at, inputs)| Some((at, inputs.segment_after(place, at)?)));
            let derivatives = law.map_or([0.0; 3], |(at, segment)| drive::derivatives(segment, at));
            let highest = derivatives.iter().rposition(|d| *d != 0.0);
            needed = needed.max(highest.map_or(0, |order| order as u32 + 1));
            self.lists.derivatives.push(derivatives);
        }
        needed = needed.min(most);
        let mut order = needed.max(self.moving).min(most);
        while order > 0 && !self.send_derivatives(order)? {
            order = match self.telling {
                Telling::Derivatives(fewer) => fewer,
                _ => 0,
            };
        }
        self.moving = needed.min(order);
        Ok(())
    }

    /// Sends derivatives up to an order. False if the FMU does not take so many; then the next try is with fewer.
    fn send_derivatives(&mut self, order: u32) -> Outcome<bool> {
        let lists = &mut self.lists;
        lists.references.clear();
        lists.orders.clear();
        lists.values.clear();
        // FMI 2 has no arrays: to each reference belongs one place.
        let groups = &self.inputs.steady.reals;
        let references = groups.iter().flat_map(|group| group.references());
        let places = groups.iter().flat_map(|group| group.places());
        for ((reference, place), derivatives) in references.zip(places).zip(&lists.derivatives) {
            if self.inputs.smooth[place] {
                for (k, derivative) in (1..=order).zip(derivatives) {
                    lists.references.push(*reference);
                    lists.orders.push(k as i32);
                    lists.values.push(*derivative);
                }
            }
        }
        let instance = Self::running(&mut self.instance)?;
        let Err(error) = instance.set_input_derivatives(&lists.references, &lists.orders, &lists.values)
        else {
            return Ok(true);
        };
        if !instance.is_alive() {
            return Err(error.into());
        }
        let fewer = if error.trouble == Trouble::Missing {
            0
        } else {
            order - 1
        };
        self.telling = match fewer {
            0 => {
                let name = &self.name;
                tracing::warn!(
                    target: "fmu",
                    instance = name,
                    "{name} declares that it interpolates inputs, but does not: it gets their means over each step; {error}"
                );
                Telling::Mean
            }
            // How many it takes nobody declares.
            fewer => {
                tracing::info!(target: "fmu", instance = self.name, "inputs are told with {fewer} derivatives: {error}");
                Telling::Derivatives(fewer)
            }
        };
        Ok(false)
    }

    /// FMI 3: a step in which the FMU asks for its inputs.
    pub(super) fn part_with_listener(
        &mut self,
        from: SimTime,
        to: SimTime,
        inputs: &Inputs<'_>,
    ) -> Outcome<Stepped> {
        // Those that it does not ask for are told as to any other.
        self.take_means(from, to, inputs);
        self.lists.asked.clear();
        for group in &self.inputs.intermediate.reals {
            self.lists.asked.extend(group.places());
        }
        for &place in &self.lists.asked {
            self.reals[place] = inputs.real(place, from);
        }
        self.tell()?;
        let no_return = self.slots.is_empty();
        let (at, size) = (from.seconds(), to.since(from));
        let instance = Self::running(&mut self.instance)?;
        let asked = self.inputs.intermediate.reals.first();
        match asked {
            Some(group) if !drive::all_held(inputs, group.places()) => {
                let mut listener = Listener {
                    inputs: *inputs,
                    references: group.references(),
                    places: &self.lists.asked,
                    values: &mut self.lists.values,
                };
                Ok(instance.do_step_with(at, size, no_return, &mut listener)?)
            }
            _ => Ok(instance.do_step(at, size, no_return)?),
        }
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
