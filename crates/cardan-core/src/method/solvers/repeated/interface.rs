//! The values that a circle has to agree on: what its members read of each other at the end of a step.

use crate::graph::ParticipantId;
use crate::method::forecast::Forecast;
use crate::method::gauge::Gauge;
use crate::plan::{Plan, RealInput, Wire};
use crate::time::SimTime;
use crate::world::World;

/// One value to agree on.
#[derive(Clone, Copy)]
struct Place {
    participant: ParticipantId,
    column: u32,
    /// Its slope, times the step so that it is of the same kind as values; else the value itself.
    slope: bool,
}

/// The values in a fixed order.
pub(super) struct Interface {
    members: Vec<ParticipantId>,
    places: Vec<Place>,
    /// Parallel to the places: is nothing known of it? Who does not know its slopes is read without them.
    unknown: Vec<bool>,
}

impl Interface {
    /// Every output that a member reads before it is known: of anybody where all step side by side, else of those that
    /// step after the reader, and of the reader itself.
    pub(super) fn of(plan: &Plan, members: &[ParticipantId], side_by_side: bool) -> Self {
        let rank = |who: ParticipantId| members.iter().position(|m| *m == who);
        let mut read: Vec<(usize, u32, bool)> = Vec::new();
        for (reader, member) in members.iter().enumerate() {
            for input in &plan.seats[member.index()].real_inputs {
                let wire: &Wire = match input {
                    RealInput::Wire(w) | RealInput::Rotation(w) | RealInput::RotationRest(w) => w,
                    RealInput::Open(_) | RealInput::Line { .. } => continue,
                };
                let Some(source) = rank(wire.source) else { continue };
                if side_by_side || source >= reader {
                    read.push((source, wire.column, wire.reading.wants_slopes()));
                }
            }
        }
        read.sort_unstable();
        let mut places: Vec<Place> = Vec::new();
        let place = |source: usize, column, slope| Place {
            participant: members[source],
            column,
            slope,
        };
        for same in read.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (source, column, _) = same[0];
            places.push(place(source, column, false));
            if same.iter().any(|(.., hermite)| *hermite) {
                places.push(place(source, column, true));
            }
        }
        Interface {
            members: members.to_vec(),
            unknown: vec![false; places.len()],
            places,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Whose output value `index` is, which, and whether it is its slope.
    pub(super) fn place(&self, index: usize) -> (ParticipantId, u32, bool) {
        let place = self.places[index];
        (place.participant, place.column, place.slope)
    }

    /// The values as foretold.
    pub(super) fn foretell(&mut self, world: &World, forecast: &Forecast, step: f64, x: &mut [f64]) {
        for ((x, place), unknown) in x.iter_mut().zip(&self.places).zip(&mut self.unknown) {
            let column = place.column as usize;
            let index = forecast.places(place.participant).start + column;
            *unknown = place.slope && !finite(world.history(place.participant).latest_slopes(), column);
            *x = match place.slope {
                false => forecast.values[index],
                true if *unknown => 0.0,
                true => step * forecast.slopes[index],
            };
        }
    }

    /// What may be left of each residual: a part of what is allowed as an error of the values that signals have now.
    pub(super) fn allow(&self, gauge: &Gauge, world: &World, part: f64, bounds: &mut [f64]) {
        for (bound, place) in bounds.iter_mut().zip(&self.places) {
            let column = place.column as usize;
            let history = world.history(place.participant);
            let place = (place.participant.index(), column);
            *bound = part * gauge.allowed(place, history.latest_reals()[column], history.latest());
        }
    }

    /// Lets all members see what is assumed of the others at the end of the step.
    pub(super) fn assume(
        &self,
        world: &mut World,
        forecast: &Forecast,
        (to, step): (SimTime, f64),
        x: &[f64],
    ) {
        for &member in &self.members {
            let places = forecast.places(member);
            world.assume(
                member,
                to,
                &forecast.values[places.clone()],
                &forecast.slopes[places],
            );
        }
        for ((x, place), unknown) in x.iter().zip(&self.places).zip(&self.unknown) {
            let column = place.column as usize;
            match place.slope {
                false => world.assume_value(place.participant, column, *x),
                true if *unknown => world.assume_slope(place.participant, column, f64::NAN),
                true => world.assume_slope(place.participant, column, x / step),
            }
        }
    }

    /// The values as they came. What is not known is as it was assumed.
    pub(super) fn take(&self, world: &World, step: f64, x: &[f64], image: &mut [f64]) {
        let places = self.places.iter().zip(&self.unknown).zip(x);
        for (image, ((place, unknown), x)) in image.iter_mut().zip(places) {
            let history = world.history(place.participant);
            let column = place.column as usize;
            *image = match place.slope {
                false => history.latest_reals()[column],
                true if *unknown || !finite(history.latest_slopes(), column) => *x,
                true => step * history.latest_slopes()[column],
            };
        }
    }
}

fn finite(slopes: &[f64], column: usize) -> bool {
    slopes.get(column).is_some_and(|slope| slope.is_finite())
}
