//! What signals are foretold to be at the end of a step, and what is known when it has come.

use crate::graph::ParticipantId;
use crate::plan::{Plan, RealInput};
use crate::signal::Reading;
use crate::time::SimTime;
use crate::world::World;
use std::ops::Range;

/// Foretold values and slopes of all real outputs, participant after participant.
pub struct Forecast {
    /// How each is foretold: as the crudest of its readers goes on with it.
    readings: Vec<Reading>,
    /// Is it read at all?
    pub(super) read: Vec<bool>,
    /// Where the outputs of each participant lie.
    places: Vec<Range<usize>>,
    pub(super) values: Vec<f64>,
    pub(super) slopes: Vec<f64>,
    /// The values after the first round of a step that is repeated; no numbers where none was.
    pub(super) first: Vec<f64>,
}

impl Forecast {
    pub(super) fn new(plan: &Plan) -> Self {
        let mut places = Vec::with_capacity(plan.seats.len());
        let mut count = 0;
        for seat in &plan.seats {
            places.push(count..count + seat.output_extent.reals);
            count += seat.output_extent.reals;
        }
        let wires = || {
            let inputs = plan.seats.iter().flat_map(|seat| &seat.real_inputs);
            inputs.filter_map(|input| match input {
                RealInput::Wire(wire) => Some(wire),
                _ => None,
            })
        };
        let cruder = |a: Reading, b: Reading| if b.degree() < a.degree() { b } else { a };
        let crudest = wires().map(|wire| wire.reading).reduce(cruder);
        let mut readings = vec![None; count];
        for wire in wires() {
            let place = places[wire.source.index()].start + wire.column as usize;
            let reading: &mut Option<Reading> = &mut readings[place];
            *reading = Some(reading.map_or(wire.reading, |other| cruder(other, wire.reading)));
        }
        Forecast {
            read: readings.iter().map(Option::is_some).collect(),
            readings: readings
                .into_iter()
                .map(|reading| reading.or(crudest).unwrap_or_default())
                .collect(),
            places,
            values: vec![0.0; count],
            slopes: vec![0.0; count],
            first: vec![f64::NAN; count],
        }
    }

    /// Where the outputs of a participant lie.
    pub(super) fn places(&self, participant: ParticipantId) -> Range<usize> {
        self.places[participant.index()].clone()
    }

    /// Foretells everything at `to`.
    pub(super) fn make(&mut self, world: &World, to: SimTime) {
        self.first.fill(f64::NAN);
        for (index, places) in self.places.iter().enumerate() {
            let history = world.history(ParticipantId(index as u32));
            for (column, place) in places.clone().enumerate() {
                let law = history.signal(column).law(self.readings[place], to);
                self.values[place] = law.at(to);
                self.slopes[place] = law.slope(to);
            }
        }
    }

    /// Notes the outputs of a participant after the first round.
    pub(super) fn note_first(&mut self, world: &World, participant: ParticipantId) {
        let places = self.places(participant);
        let reals = world.history(participant).latest_reals();
        self.first[places].copy_from_slice(reals);
    }
}
