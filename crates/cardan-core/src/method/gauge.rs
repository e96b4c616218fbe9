//! How large an error is, against what is allowed.

use super::forecast::Forecast;
use crate::checkpoint::{Damage, Reader, Resumable, Writer};
use crate::graph::ParticipantId;
use crate::plan::{Plan, RealInput, Wire};
use crate::time::SimTime;
use crate::world::World;
use std::sync::Arc;

/// So many times the defect that is left where a signal is smooth is still taken for one of a smooth signal.
const DECEPTIVE: f64 = 2.0;

/// The largest error of a step as a multiple of what is allowed, and whose it is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Gauged {
    pub(super) error: f64,
    /// The output, or the one that drives the input: participant and place in its row.
    pub(super) worst: Option<(ParticipantId, u32)>,
}

impl Gauged {
    pub(super) fn consider(&mut self, error: f64, participant: ParticipantId, place: u32) {
        // What is no number is worse than anything.
        if error > self.error || error.is_nan() {
            self.error = error;
            self.worst = Some((participant, place));
        }
    }

    /// The larger of two.
    pub(super) fn worse(self, other: Gauged) -> Gauged {
        match other.error > self.error || other.error.is_nan() {
            true => other,
            false => self,
        }
    }
}

/// What a signal moves about counts from this part of its magnitude on: below it, its last digits would be judged.
const OFFSET: f64 = 1e-2;
/// What has moved about less than this part of what it does now had not moved worth mentioning.
const UNMOVED: f64 = 1e-6;
/// The part of the rest of the run after which a signal that began with nothing is taken to have its size.
const SOON: f64 = 1e-3;
/// What is computed from numbers of some magnitude is not known better than to this part of it: rounding adds up, and loops at
/// one instant are solved to that.
const ROUNDING: f64 = 1e-12;
/// The nominal value of a port that says none.
const UNKNOWN: f64 = 1.0;

/// Knows the size of every continuous output, and with it what is allowed.
///
/// The size of a signal is what it moves about: a temperature between 292 and 294 K has a size of 2 K. What that will be is not
/// known while the run goes on; a signal is taken to go on moving as it has on the whole since it began to, up to the end of the
/// run. A signal that leaves its rest is so not judged against the nothing that it has moved about yet.
///
/// Below the size there is room for noise, in proportion to the nominal value; where none is declared, to the largest of the
/// signals of the same unit, or of the same participant if it has no unit, so that small systems are as good as large ones.
pub struct Gauge {
    plan: Arc<Plan>,
    /// What is allowed against the size of a signal, and against its nominal value.
    relative: f64,
    absolute: f64,
    /// For each participant the least and the largest value that each real of its row has had.
    reaches: Vec<Vec<Reach>>,
    /// For each kind of signals the largest magnitude.
    kinds: Vec<f64>,
    /// For each participant the largest magnitude of what it shows and reads.
    around: Vec<f64>,
    /// For each participant the nominal value of each real of its row; infinite for those that jump, whose errors count
    /// nothing.
    nominals: Vec<Vec<f64>>,
}

impl Gauge {
    pub(super) fn new(plan: Arc<Plan>, relative: f64, absolute: f64) -> Self {
        let blank = |value: f64| {
            plan.seats
                .iter()
                .map(|s| vec![value; s.output_extent.reals])
                .collect()
        };
        let mut nominals: Vec<Vec<f64>> = blank(f64::INFINITY);
        for (seat, nominals) in plan.seats.iter().zip(&mut nominals) {
            for &(place, nominal) in &seat.continuous {
                nominals[place as usize] = nominal;
            }
        }
        Gauge {
            relative,
            absolute,
            reaches: plan
                .seats
                .iter()
                .map(|s| vec![Reach::NOWHERE; s.output_extent.reals])
                .collect(),
            kinds: vec![0.0; plan.kinds],
            around: vec![0.0; plan.seats.len()],
            nominals,
            plan,
        }
    }

    /// Looks at values that count.
    pub(super) fn learn(&mut self, world: &World) {
        for (index, reaches) in self.reaches.iter_mut().enumerate() {
            let history = world.history(ParticipantId(index as u32));
            if history.is_empty() {
                continue;
            }
            let at = history.latest().seconds();
            for (reach, value) in reaches.iter_mut().zip(history.latest_reals()) {
                *reach = reach.with(*value);
                reach.last = at;
                if reach.range() == 0.0 {
                    reach.still = at;
                }
            }
        }
        self.kinds.fill(0.0);
        let stop = self.plan.window.stop.seconds();
        for (index, reaches) in self.reaches.iter().enumerate() {
            let history = world.history(ParticipantId(index as u32));
            for (reach, kind) in reaches.iter().zip(&self.plan.seats[index].kinds) {
                if reach.magnitude().is_finite() {
                    let largest = &mut self.kinds[*kind as usize];
                    *largest = largest.max(reach.scale(history.latest().seconds(), stop));
                }
            }
        }
        for (index, around) in self.around.iter_mut().enumerate() {
            let magnitude = |participant: usize| {
                let reaches = self.reaches[participant].iter();
                let known = reaches.map(|reach| reach.magnitude());
                known
                    .filter(|magnitude| magnitude.is_finite())
                    .fold(0.0, f64::max)
            };
            let inputs = self.plan.seats[index].real_inputs.iter();
            let sources = inputs.filter_map(RealInput::source);
            let read = sources.map(|source| magnitude(source.index()));
            *around = read.fold(around.max(magnitude(index)), f64::max);
        }
    }

    /// How fast the quickest signal changes against its size; none if no slope is known.
    pub(super) fn quickest(&self, world: &World) -> Option<f64> {
        let mut quickest: Option<f64> = None;
        for index in 0..self.reaches.len() {
            let history = world.history(ParticipantId(index as u32));
            let slopes = history.latest_slopes();
            for (place, (slope, value)) in slopes.iter().zip(history.latest_reals()).enumerate() {
                // Right after a jump, a magnitude tells more than what was moved about so far.
                let reach = self.reaches[index][place].with(*value);
                let floor = self.floor((index, place), reach, history.latest()) / self.relative;
                let rate = slope.abs() / (reach.magnitude() + floor);
                if rate.is_finite() {
                    quickest = Some(quickest.map_or(rate, |known| known.max(rate)));
                }
            }
        }
        quickest.filter(|rate| *rate > 0.0)
    }

    /// What is allowed for one real of a row that has this value at that instant.
    pub(super) fn allowed(&self, place: (usize, usize), value: f64, at: SimTime) -> f64 {
        let reach = self.reaches[place.0][place.1].with(value);
        let size = reach.size(at.seconds(), self.plan.window.stop.seconds());
        self.relative * size + self.floor(place, reach, at)
    }

    /// What is allowed whatever the size of the signal.
    fn floor(&self, (participant, place): (usize, usize), reach: Reach, at: SimTime) -> f64 {
        let nominal = self.nominals[participant][place];
        if nominal != UNKNOWN {
            return self.absolute * nominal;
        }
        let known = self.kinds[self.plan.seats[participant].kinds[place] as usize];
        let (now, stop) = (at.seconds(), self.plan.window.stop.seconds());
        let scale = match known == 0.0 {
            true => reach.magnitude().max(reach.departure(now, stop)),
            false => known.max(reach.scale(now, stop)),
        };
        match scale > 0.0 {
            true => self.absolute * nominal.min(scale),
            // Nothing of its kind has ever been anything but zero.
            false => self.absolute * nominal,
        }
    }

    /// What two values of a participant may differ by and still be the same.
    fn noise(&self, participant: usize) -> f64 {
        ROUNDING * self.around[participant]
    }

    /// The outputs where everybody stands, to be compared with later.
    pub(super) fn note(&self, world: &World, notes: &mut Vec<f64>) {
        notes.clear();
        for index in 0..self.reaches.len() {
            notes.extend_from_slice(world.history(ParticipantId(index as u32)).latest_reals());
        }
    }

    /// The difference of the present outputs from noted ones, divided by `share`.
    pub(super) fn differences(&self, world: &World, notes: &[f64], share: f64) -> Gauged {
        let mut gauged = Gauged::default();
        let mut notes = notes.iter();
        for index in 0..self.reaches.len() {
            let participant = ParticipantId(index as u32);
            for (place, value) in world.history(participant).latest_reals().iter().enumerate() {
                let Some(noted) = notes.next() else { break };
                let off = ((value - noted).abs() - self.noise(index)).max(0.0);
                let at = world.history(participant).latest();
                let allowed = |value: f64| self.allowed((index, place), value, at);
                let allowed = allowed(*value).max(allowed(*noted));
                let error = multiple(off / share, allowed);
                gauged.consider(error, participant, place as u32);
            }
        }
        gauged
    }

    /// The errors that a step which was repeated leaves in the outputs. Between what was foretold and what came lies the error of
    /// foretelling, and between the first round and the last what it did to the outputs; in a stiff circle the latter is far
    /// larger than what is left of it when values fit together. The lesser of the two, times `scale`, is the error that
    /// interpolating leaves.
    pub(super) fn corrections(&self, world: &World, forecast: &Forecast, scale: f64) -> Gauged {
        self.compare(world, forecast, |value, at| {
            let repeated = (value - forecast.first[at]).abs();
            let foretold = (value - forecast.values[at]).abs();
            (!repeated.is_nan()).then(|| scale * foretold.min(repeated))
        })
    }

    /// The errors of inputs over a step, of those that were repeated or of the others: those of foretelling, times a scale.
    pub(super) fn surprises(
        &self,
        world: &World,
        forecast: &Forecast,
        (repeated, scale): (bool, f64),
    ) -> Gauged {
        self.compare(world, forecast, |value, at| {
            let meant = forecast.read[at] && repeated != forecast.first[at].is_nan();
            meant.then(|| scale * (value - forecast.values[at]).abs())
        })
    }

    /// The largest error of all outputs, each by its value and its place.
    fn compare(
        &self,
        world: &World,
        forecast: &Forecast,
        error: impl Fn(f64, usize) -> Option<f64>,
    ) -> Gauged {
        let mut gauged = Gauged::default();
        for index in 0..self.reaches.len() {
            let participant = ParticipantId(index as u32);
            // Who has not come yet is judged when it has.
            if !world.can_go_back(participant) {
                continue;
            }
            let history = world.history(participant);
            let reals = history.latest_reals();
            for ((place, value), at) in reals.iter().enumerate().zip(forecast.places(participant)) {
                let Some(off) = error(*value, at) else { continue };
                let off = (off - self.noise(index)).max(0.0);
                let allowed = self.allowed((index, place), *value, history.latest());
                gauged.consider(multiple(off, allowed), participant, place as u32);
            }
        }
        gauged
    }

    /// The mean error of the inputs over a step, divided by `share`: what they were foretold to be against what came.
    pub(super) fn defects(&self, world: &World, step: (SimTime, SimTime), share: f64) -> Gauged {
        let mut gauged = Gauged::default();
        for wire in self.extrapolated(world, step.1) {
            let mean = mean_defect(wire.reading.degree());
            let noise = self.noise(wire.source.index());
            let off = mean * (self.defect(world, wire, step) - noise).max(0.0);
            let error = multiple(off / share, self.allowed_of(world, wire));
            gauged.consider(error, wire.source, wire.column);
        }
        gauged
    }

    /// Has a continuous input of this one moved since `from` by more than is allowed?
    pub(super) fn has_moved(&self, world: &World, reader: ParticipantId, from: SimTime) -> bool {
        let mut inputs = self.plan.seats[reader.index()].real_inputs.iter();
        inputs.any(|input| {
            let RealInput::Wire(wire) = input else {
                return false;
            };
            let (source, column) = (wire.source.index(), wire.column as usize);
            if !self.nominals[source][column].is_finite() {
                return false;
            }
            let history = world.history(wire.source);
            let then = history.row(history.index_at(self.plan.resolution.just_after(from)));
            let moved = (history.latest_reals()[column] - then.reals[column]).abs();
            moved > self.allowed_of(world, wire)
        })
    }

    /// How far off each extrapolated input was at the end of a step, in the order of the plan.
    pub(super) fn note_defects(&self, world: &World, step: (SimTime, SimTime), notes: &mut Vec<f64>) {
        notes.clear();
        let wires = self.extrapolated(world, step.1);
        notes.extend(wires.map(|wire| self.defect(world, wire, step)));
    }

    /// Was an input as wrong over the second half of a step as it had been over the whole, and had not been over the first
    /// half, by more than `part` of what is allowed? Then it did not go as polynomials go, and two results that agree may
    /// both be wrong.
    pub(super) fn is_deceptive(
        &self,
        world: &World,
        half: (SimTime, SimTime),
        (whole, first): (&[f64], &[f64]),
        part: f64,
    ) -> bool {
        let mut wires = self.extrapolated(world, half.1).zip(whole.iter().zip(first));
        wires.any(|(wire, (whole, first))| {
            let defect = self.defect(world, wire, half);
            let smooth = first.max(regular(wire.reading.degree()) * whole);
            defect > DECEPTIVE * smooth && defect > part * self.allowed_of(world, wire)
        })
    }

    /// The inputs that follow continuous signals of sources that have come to `to`, and did not see them come.
    fn extrapolated<'a>(&'a self, world: &'a World, to: SimTime) -> impl Iterator<Item = &'a Wire> {
        let inputs = self.plan.seats.iter().flat_map(|seat| &seat.real_inputs);
        let wires = inputs.filter_map(|input| match input {
            RealInput::Wire(wire) => Some(wire),
            _ => None,
        });
        wires.filter(move |wire| {
            let nominal = self.nominals[wire.source.index()][wire.column as usize];
            let latest = world.history(wire.source).latest();
            !wire.leads && nominal.is_finite() && self.plan.resolution.same(latest, to)
        })
    }

    fn defect(&self, world: &World, wire: &Wire, (from, to): (SimTime, SimTime)) -> f64 {
        let history = world.history(wire.source);
        let visible = wire.sees_up_to(from, self.plan.resolution);
        let signal = history.signal(wire.column as usize);
        let foretold = signal.read_visible(wire.reading, to, visible);
        (history.latest_reals()[wire.column as usize] - foretold).abs()
    }

    fn allowed_of(&self, world: &World, wire: &Wire) -> f64 {
        let (source, place) = (wire.source.index(), wire.column as usize);
        let history = world.history(wire.source);
        self.allowed((source, place), history.latest_reals()[place], history.latest())
    }

    /// The name of a real of a row.
    pub(super) fn name(&self, (participant, place): (ParticipantId, u32)) -> String {
        let seat = &self.plan.seats[participant.index()];
        let port = seat.real_names.get(place as usize).map_or("?", String::as_str);
        format!("{}.{port}", seat.name)
    }
}

impl Resumable for Gauge {
    fn keep(&self, writer: &mut Writer) {
        for reach in self.reaches.iter().flatten() {
            writer.real(reach.low);
            writer.real(reach.high);
            writer.real(reach.still);
            writer.real(reach.last);
        }
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "sizes of signals";
        for reach in self.reaches.iter_mut().flatten() {
            (reach.low, reach.high) = (reader.real(WHAT)?, reader.real(WHAT)?);
            (reach.still, reach.last) = (reader.real(WHAT)?, reader.real(WHAT)?);
        }
        Ok(())
    }
}

/// What is off as a multiple of what is allowed. Nothing is allowed where nothing has moved, and nothing is then off.
fn multiple(off: f64, allowed: f64) -> f64 {
    if off == 0.0 { 0.0 } else { off / allowed }
}

/// Where a signal has been.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Reach {
    low: f64,
    high: f64,
    /// Up to when it had not moved worth mentioning.
    still: f64,
    /// Up to when all this is known.
    last: f64,
}

impl Reach {
    const NOWHERE: Reach = Reach {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        still: f64::NEG_INFINITY,
        last: f64::NEG_INFINITY,
    };

    fn with(self, value: f64) -> Reach {
        let (low, high) = (self.low.min(value), self.high.max(value));
        let still = match self.range() < UNMOVED * (high - low) {
            true => self.last,
            false => self.still,
        };
        Reach {
            low,
            high,
            still,
            ..self
        }
    }

    fn range(self) -> f64 {
        self.high - self.low
    }

    fn magnitude(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// The time from when it began to move to the end, against what has passed of it.
    fn left(self, now: f64, stop: f64) -> f64 {
        let since = now - self.still;
        match since > 0.0 && stop > now {
            true => (stop - self.still) / since,
            false => 1.0,
        }
    }

    /// What it will have moved about at the end, if it goes on as it has up to now on the whole.
    fn outlook(self, now: f64, stop: f64) -> f64 {
        self.range() * self.left(now, stop)
    }

    /// The same for the first step out of rest, which begins with a slope of zero.
    fn departure(self, now: f64, stop: f64) -> f64 {
        self.outlook(now, stop) * self.left(now, stop)
    }

    /// How large it is, or is going to be.
    fn scale(self, now: f64, stop: f64) -> f64 {
        self.magnitude().max(self.outlook(now, stop))
    }

    fn size(self, now: f64, stop: f64) -> f64 {
        let (magnitude, outlook) = (self.magnitude(), self.outlook(now, stop));
        if outlook == 0.0 {
            return magnitude;
        }
        let size = outlook.max(OFFSET * magnitude).min(magnitude);
        // What began with nothing is soon larger than it is now.
        match self.range() > 0.5 * magnitude {
            true => size.max(SOON * outlook),
            false => size,
        }
    }
}

/// Where a signal is smooth, half of a step leaves this part of the defect of the whole.
fn regular(degree: u32) -> f64 {
    0.5_f64.powi(degree as i32 + 1)
}

/// The lowest degree of all readings of continuous outputs: it decides how fast errors shrink with the step.
pub(super) fn lowest_degree(plan: &Plan) -> u32 {
    let inputs = plan.seats.iter().flat_map(|seat| &seat.real_inputs);
    let wires = inputs.filter_map(|input| match input {
        RealInput::Open(_) | RealInput::Line { .. } => None,
        RealInput::Wire(w) | RealInput::Rotation(w) | RealInput::RotationRest(w) => Some(w),
    });
    let continuous = wires.filter(|wire| {
        let places = &plan.seats[wire.source.index()].continuous;
        places.iter().any(|(place, _)| *place == wire.column)
    });
    continuous.map(|wire| wire.reading.degree()).min().unwrap_or(2)
}

/// With equal steps the foretold polynomial and the one that also goes through the new point differ by the defect times
/// s, s(s+1)/2, s(s+1)(s+2)/6 on the way from s = 0 to 1. This is the mean of that.
fn mean_defect(degree: u32) -> f64 {
    match degree {
        0 => 1.0 / 2.0,
        1 => 5.0 / 12.0,
        _ => 3.0 / 8.0,
    }
}
