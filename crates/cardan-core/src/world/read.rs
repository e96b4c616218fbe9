//! Reading: from the histories of the sources to the desk of the reader.

use super::World;
use super::correction::Corrections;
use super::desk::Desk;
use crate::graph::ParticipantId;
use crate::inputs::HeldInputs;
use crate::method::Steps;
use crate::plan::{HeldWire, Plan, RealInput, Wire};
use crate::planes::Planes;
use crate::signal::{History, Reading, Segment};
use crate::time::{Resolution, SimTime};
use crate::value::Plane;

/// The real inputs of all participants in one list that a step runs through; the plan has them by seat.
pub(super) struct Feeds {
    inputs: Vec<RealInput>,
    feeds: Vec<Feed>,
    resolution: Resolution,
    /// Inputs of whoever steps just now, where they need not outlive the step. Always the same few lines of memory:
    /// runs of many participants wait for memory more than for anything else.
    sheet: Vec<Segment>,
    /// Room for the four components of a rotation.
    arcs: [Vec<Segment>; 4],
}

/// What one participant reads.
#[derive(Clone, Copy)]
struct Feed {
    /// Where its real inputs lie in the list of all.
    first: u32,
    end: u32,
    /// Is there more to read than reals?
    extras: bool,
    /// Are there inputs that make good what was wrong before?
    corrected: bool,
    /// Are there laws beside what connections bring?
    driven: bool,
    /// Is the step all that its inputs are for? Else they are laid on the desk, where an exchange finds them.
    plain: bool,
}

/// What a step sees of its sources when they have come to its end as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hindsight {
    /// Signals are interpolated; what jumps is held until it does.
    Interpolated,
    /// The same, but what jumps within the step without a word has its new value from the beginning.
    Jumped,
}

/// What is left to read after the short way.
#[derive(Clone, Copy)]
pub(super) struct Rest {
    /// Some input is more than one segment, or a rotation.
    pieces: bool,
    /// There are inputs that are not reals, or instants to watch.
    extras: bool,
    /// Some inputs make good what was wrong before.
    corrected: bool,
    /// There are laws beside what connections bring.
    driven: bool,
}

impl Feeds {
    pub(super) fn of(plan: &Plan, corrections: &Corrections) -> Self {
        let mut feeds = Feeds {
            inputs: Vec::new(),
            feeds: Vec::with_capacity(plan.seats.len()),
            resolution: plan.resolution,
            sheet: Vec::new(),
            arcs: Default::default(),
        };
        for (index, seat) in plan.seats.iter().enumerate() {
            let first = feeds.inputs.len() as u32;
            let corrected = corrections.has(ParticipantId(index as u32));
            feeds.inputs.extend(&seat.real_inputs);
            feeds.feeds.push(Feed {
                first,
                end: feeds.inputs.len() as u32,
                extras: seat.has_extras,
                corrected,
                driven: false,
                plain: !(seat.has_extras
                    || seat.real_inputs.iter().any(RealInput::is_line)
                    || seat.needs_inputs
                    || seat.wants_slopes
                    || seat.bonded
                    || corrected),
            });
        }
        let most = feeds.feeds.iter().map(|feed| feed.end - feed.first).max();
        let blank = Segment::constant(0.0, SimTime::PAST);
        feeds.sheet = vec![blank; most.unwrap_or_default() as usize];
        feeds
    }

    /// A switch is where the course of an input puts it, not a value that is held over the step: what one with switches reads
    /// of sources that have come to the end of the step is interpolated.
    pub(super) fn follow_the_course(&mut self, participant: ParticipantId, plan: &Plan) {
        let feed = self.feeds[participant.index()];
        for input in &mut self.inputs[feed.first as usize..feed.end as usize] {
            *input = with_course(plan, *input);
        }
    }

    /// Inputs of this one are looked at again before it takes a step.
    pub(super) fn follow_closely(&mut self, participant: ParticipantId) {
        self.feeds[participant.index()].plain = false;
    }

    /// From now on there are laws beside what connections bring.
    pub(super) fn add_laws(&mut self, participant: ParticipantId) {
        let feed = &mut self.feeds[participant.index()];
        (feed.driven, feed.plain) = (true, false);
    }

    /// Are there?
    #[inline]
    pub(super) fn is_driven(&self, participant: ParticipantId) -> bool {
        self.feeds[participant.index()].driven
    }

    /// From now on this is the value of an input that nothing is connected to.
    pub(super) fn set_open(&mut self, participant: ParticipantId, input: usize, value: f64) {
        let first = self.feeds[participant.index()].first as usize;
        self.inputs[first + input] = RealInput::Open(value);
    }

    /// The inputs for a step that are for nothing but the step, if there is just one segment for each.
    #[inline(always)]
    pub(super) fn for_step_only(
        &mut self,
        participant: ParticipantId,
        histories: &[History],
        span: (SimTime, SimTime),
    ) -> Option<&[Segment]> {
        let feed = self.feeds[participant.index()];
        if !feed.plain {
            return None;
        }
        let inputs = &self.inputs[feed.first as usize..feed.end as usize];
        let sheet = &mut self.sheet[..inputs.len()];
        let pieces = read_singles(inputs, histories, span, self.resolution, sheet);
        (!pieces).then_some(&*sheet)
    }

    /// Lays the real inputs for a step on the participant's desk, each as one segment: the usual case. Says what is left
    /// to do where that is not all.
    #[inline(always)]
    pub(super) fn read(
        &self,
        participant: ParticipantId,
        histories: &[History],
        (from, to): (SimTime, SimTime),
        desk: &mut Desk,
    ) -> Option<Rest> {
        let Feed {
            first,
            end,
            extras,
            corrected,
            driven,
            ..
        } = self.feeds[participant.index()];
        let inputs = &self.inputs[first as usize..end as usize];
        desk.from = from;
        desk.to = to;
        if !desk.ends.is_empty() {
            desk.ends.clear();
            desk.segments.resize(inputs.len(), Segment::constant(0.0, to));
        }
        let pieces = read_singles(inputs, histories, (from, to), self.resolution, &mut desk.segments);
        (pieces || extras || corrected || driven).then_some(Rest {
            pieces,
            extras,
            corrected,
            driven,
        })
    }
}

/// Reads each input as one segment. Says whether that is not enough for some.
#[inline(always)]
fn read_singles(
    inputs: &[RealInput],
    histories: &[History],
    (from, to): (SimTime, SimTime),
    resolution: Resolution,
    segments: &mut [Segment],
) -> bool {
    let mut pieces = false;
    for (input, segment) in inputs.iter().zip(segments) {
        match input {
            RealInput::Wire(wire) => {
                let visible = wire.sees_up_to(from, resolution);
                let signal = histories[wire.source.index()].signal(wire.column as usize);
                pieces |= !signal.single_segment(wire.reading, (from, to), visible, resolution, segment);
                if wire.converts {
                    *segment = segment.scaled(wire.conversion.factor, wire.conversion.offset);
                }
            }
            RealInput::Open(value) => segment.hold(*value, to),
            RealInput::Rotation(_) | RealInput::RotationRest(_) | RealInput::Line { .. } => pieces = true,
        }
    }
    pieces
}

impl World {
    /// Lays the inputs for the step to `to` on the participant's desk.
    pub(super) fn read_inputs(&mut self, participant: ParticipantId, to: SimTime) {
        let from = self.at[participant.index()];
        let desk = self.team.desk(participant);
        if let Some(rest) = self.feeds.read(participant, &self.histories, (from, to), desk) {
            self.read_rest(participant, from, to, rest);
        }
        if !self.silent.is_empty() {
            self.hold_inputs_of_silent(participant, from);
        }
    }

    /// What the short way left.
    #[cold]
    pub(super) fn read_rest(&mut self, participant: ParticipantId, from: SimTime, to: SimTime, rest: Rest) {
        if rest.pieces {
            self.read_pieces(participant, from, to, None);
        }
        if rest.extras {
            self.read_extras(participant, from, to, None);
        }
        if rest.corrected {
            let desk = self.team.desk(participant);
            let step = to.since(from);
            self.corrections
                .apply(participant, step, &mut desk.segments, &desk.ends);
        }
        if rest.driven {
            self.add_laws(participant, to);
        }
    }

    /// Lays the inputs for a step on the participant's desk as they came, not as they were extrapolated.
    pub(super) fn read_in_hindsight(
        &mut self,
        participant: ParticipantId,
        (from, to): (SimTime, SimTime),
        hindsight: Hindsight,
    ) {
        let desk = self.team.desk(participant);
        (desk.from, desk.to) = (from, to);
        desk.ends.clear();
        self.read_pieces(participant, from, to, Some(hindsight));
        if self.plan.seats[participant.index()].has_extras {
            self.read_extras(participant, from, to, Some(hindsight));
        }
        if self.feeds.is_driven(participant) {
            self.add_laws(participant, to);
        }
        self.hold_inputs_of_silent(participant, from);
    }

    /// The general case: lists of segments, rotations.
    fn read_pieces(
        &mut self,
        participant: ParticipantId,
        from: SimTime,
        to: SimTime,
        hindsight: Option<Hindsight>,
    ) {
        let resolution = self.plan.resolution;
        let silent: Vec<ParticipantId> = match hindsight {
            Some(_) => self.silent_ones().collect(),
            None => Vec::new(),
        };
        let Feeds {
            inputs, feeds, arcs, ..
        } = &mut self.feeds;
        let feed = feeds[participant.index()];
        let desk = self.team.desk(participant);
        desk.segments.clear();
        for input in &inputs[feed.first as usize..feed.end as usize] {
            let seen = match hindsight {
                Some(hindsight) => in_hindsight(&self.plan, *input, hindsight, &silent),
                None => *input,
            };
            match &seen {
                RealInput::Wire(wire) => {
                    let history = &self.histories[wire.source.index()];
                    wire_segments(wire, history, from, to, resolution, &mut desk.segments);
                }
                RealInput::Open(value) => desk.segments.push(Segment::constant(*value, to)),
                RealInput::Rotation(wire) => {
                    let history = &self.histories[wire.source.index()];
                    let ends =
                        rotation_segments(wire, history, (from, to), resolution, (arcs, &mut desk.segments));
                    desk.ends.extend(ends);
                    continue;
                }
                RealInput::RotationRest(_) => continue,
                RealInput::Line { end, component } => {
                    let history = &self.histories[participant.index()];
                    let which = (*end, *component);
                    self.lines
                        .read(&self.plan, which, (from, to), history, &mut desk.segments);
                }
            }
            desk.ends.push(desk.segments.len() as u32);
        }
    }

    /// Inputs that are not reals, and instants to watch.
    fn read_extras(
        &mut self,
        participant: ParticipantId,
        from: SimTime,
        to: SimTime,
        hindsight: Option<Hindsight>,
    ) {
        let seat = &self.plan.seats[participant.index()];
        let silent: Vec<ParticipantId> = match hindsight {
            Some(_) => self.silent_ones().collect(),
            None => Vec::new(),
        };
        let desk = self.team.desk(participant);
        if !seat.held_wires.is_empty() {
            read_held(
                &self.plan,
                &self.histories,
                &seat.held_wires,
                (from, to),
                hindsight.map(|hindsight| (hindsight, silent.as_slice())),
                &mut desk.held,
            );
            // A tick is an event of its instant, which is over when a step begins.
            for held in &mut desk.held {
                let ticks = seat.clock_inputs.iter();
                ticks.for_each(|&place| held.values.booleans[place as usize] = false);
            }
        }
        if self.samples[participant.index()].is_some()
            && let Some(grid) = self.plan.columns.every
        {
            World::watch_inside(grid, &self.plan, from, to, &mut desk.watch);
        }
    }

    /// Lays the inputs as exchanged at `at` on the participant's desk.
    pub(super) fn exchange_inputs(&mut self, participant: ParticipantId, at: SimTime) {
        let seat = &self.plan.seats[participant.index()];
        let desk = self.team.desk(participant);
        desk.to = at;
        for (index, input) in seat.real_inputs.iter().enumerate() {
            if let RealInput::Line { end, component } = input {
                let history = &self.histories[participant.index()];
                let which = (*end, *component);
                desk.current.reals[index] = match history.is_empty() {
                    true => 0.0,
                    false => self.lines.exchanged(&self.plan, which, at, history),
                };
                continue;
            }
            let (RealInput::Wire(wire) | RealInput::Rotation(wire) | RealInput::RotationRest(wire)) = input
            else {
                continue;
            };
            let history = &self.histories[wire.source.index()];
            if history.is_empty() {
                continue;
            }
            let column = wire.column as usize;
            let value = if self.arriving && wire.reading == Reading::Hold && self.plan.jumps(wire) {
                // What jumps at this instant has not jumped yet.
                let before = self.plan.resolution.just_before(at);
                history.row(history.index_at(before)).reals[column]
            } else if self.plan.resolution.same(history.latest(), at) {
                history.latest_row().reals[column]
            } else if let RealInput::Rotation(_) = input {
                let rotation = history.rotation(column, at);
                desk.current.reals[index..index + 4].copy_from_slice(&rotation);
                continue;
            } else if let RealInput::RotationRest(_) = input {
                continue;
            } else if let Some((value, _)) = self.told.of(participant, index, at)
                && history.latest() < at
            {
                desk.current.reals[index] = value;
                continue;
            } else {
                history.signal(column).read(wire.reading, at)
            };
            desk.current.reals[index] = wire.conversion.apply(value);
        }
        for wire in &seat.held_wires {
            let history = &self.histories[wire.source.index()];
            if !history.is_empty() {
                let index = match self.arriving {
                    true => history.index_at(self.plan.resolution.just_before(at)),
                    false => visible_at(history, self.plan.resolution, at),
                };
                copy_held(wire, history, index, &mut desk.current);
            }
        }
        if self.feeds.is_driven(participant) {
            self.exchange_laws(participant, at, true);
        }
    }
}

impl World {
    /// Lays the slopes of the inputs at `at` on the participant's desk: those of their sources where known, else those
    /// of the laws that led here.
    pub(super) fn exchange_input_slopes(&mut self, participant: ParticipantId, at: SimTime) {
        let seat = &self.plan.seats[participant.index()];
        let desk = self.team.desk(participant);
        for (index, input) in seat.real_inputs.iter().enumerate() {
            let (RealInput::Wire(wire) | RealInput::Rotation(wire) | RealInput::RotationRest(wire)) = input
            else {
                continue;
            };
            let history = &self.histories[wire.source.index()];
            let known = history.latest_slopes().get(wire.column as usize).copied();
            let known =
                known.filter(|slope| slope.is_finite() && self.plan.resolution.same(history.latest(), at));
            let told = self
                .told
                .of(participant, index, at)
                .filter(|_| history.latest() < at);
            desk.input_slopes[index] = match (known, told) {
                (Some(slope), _) => wire.conversion.factor * slope,
                (None, Some((_, slope))) => slope,
                (None, None) => {
                    let law = match desk.ends.get(index) {
                        Some(&end) => desk.segments.get(end as usize - 1),
                        None => desk.segments.get(index),
                    };
                    law.map_or(0.0, |segment| segment.slope(at))
                }
            };
        }
        if self.feeds.is_driven(participant) {
            self.add_slopes_of_laws(participant, at);
        }
    }
}

/// How an input is read when its source has come to the end of the step as well. What is held between two points of a
/// continuous signal is on its chord.
#[cold]
fn in_hindsight(plan: &Plan, input: RealInput, hindsight: Hindsight, silent: &[ParticipantId]) -> RealInput {
    let seen = |wire: Wire| Wire {
        leads: true,
        reading: match wire.reading == Reading::Hold && plan.jumps(&wire) {
            true if hindsight == Hindsight::Jumped && silent.contains(&wire.source) => Reading::HoldNew,
            true => Reading::Hold,
            false => wire.reading.in_hindsight(),
        },
        ..wire
    };
    match input {
        RealInput::Wire(wire) => RealInput::Wire(seen(wire)),
        RealInput::Rotation(wire) => RealInput::Rotation(seen(wire)),
        RealInput::RotationRest(wire) => RealInput::RotationRest(seen(wire)),
        RealInput::Open(_) | RealInput::Line { .. } => input,
    }
}

/// The same input, on its chord where it would hold the new value of a continuous signal.
fn with_course(plan: &Plan, input: RealInput) -> RealInput {
    match input {
        RealInput::Wire(wire) if wire.reading == Reading::HoldNew && !plan.jumps(&wire) => {
            RealInput::Wire(Wire {
                reading: wire.reading.in_hindsight(),
                ..wire
            })
        }
        other => other,
    }
}

fn wire_segments(
    wire: &Wire,
    history: &History,
    from: SimTime,
    to: SimTime,
    resolution: Resolution,
    segments: &mut Vec<Segment>,
) {
    let before = segments.len();
    let visible = wire.sees_up_to(from, resolution);
    history
        .signal(wire.column as usize)
        .segments(wire.reading, (from, to), visible, resolution, segments);
    if wire.converts {
        for segment in &mut segments[before..] {
            *segment = segment.scaled(wire.conversion.factor, wire.conversion.offset);
        }
    }
}

/// Appends the segments of all four components, one component after the other, and returns where each ends.
#[cold]
fn rotation_segments(
    wire: &Wire,
    history: &History,
    (from, to): (SimTime, SimTime),
    resolution: Resolution,
    (arcs, segments): (&mut [Vec<Segment>; 4], &mut Vec<Segment>),
) -> [u32; 4] {
    let visible = wire.sees_up_to(from, resolution);
    arcs.iter_mut().for_each(Vec::clear);
    let [w, x, y, z] = arcs;
    history.rotation_segments(
        wire.column as usize,
        (from, to),
        visible,
        resolution,
        [w, x, y, z],
    );
    std::array::from_fn(|component| {
        segments.extend_from_slice(&arcs[component]);
        segments.len() as u32
    })
}

/// Lays the inputs that are not reals on the desk: one set of values for each instant at which one of them changes.
fn read_held(
    plan: &Plan,
    histories: &[History],
    wires: &[HeldWire],
    (from, to): (SimTime, SimTime),
    hindsight: Option<(Hindsight, &[ParticipantId])>,
    held: &mut Vec<HeldInputs>,
) {
    let resolution = plan.resolution;
    held.truncate(1);
    let sees = |wire: &HeldWire| wire.leads || hindsight.is_some();
    let jumped = |wire: &HeldWire| {
        hindsight.is_some_and(|(kind, silent)| kind == Hindsight::Jumped && silent.contains(&wire.source))
    };
    let mut since = from;
    loop {
        // The next point of a leading source inside the step, if any.
        let next = wires
            .iter()
            .filter(|wire| sees(wire))
            .filter_map(|wire| {
                let history = &histories[wire.source.index()];
                (0..history.len())
                    .map(|index| history.time(index))
                    .find(|time| resolution.before(since, *time) && resolution.before(*time, to))
            })
            .reduce(SimTime::min);
        let Some(current) = held.last_mut() else { return };
        for wire in wires {
            let history = &histories[wire.source.index()];
            let seen = match sees(wire) {
                true if jumped(wire) => to,
                true => since,
                false => from,
            };
            copy_held(
                wire,
                history,
                visible_at(history, resolution, seen),
                &mut current.values,
            );
        }
        current.until = next.unwrap_or(to);
        let Some(next) = next else { return };
        since = next;
        let copy = current.clone();
        held.push(copy);
    }
}

fn visible_at(history: &History, resolution: Resolution, time: SimTime) -> usize {
    history.index_at(resolution.just_after(time))
}

fn copy_held(wire: &HeldWire, history: &History, index: usize, values: &mut Planes) {
    let row = history.row(index);
    let (from, to) = (wire.from as usize, wire.to as usize);
    match wire.plane {
        Plane::Reals => {}
        Plane::Integers => values.integers[to] = wire.mapping.apply(row.integers[from]),
        Plane::Booleans => values.booleans[to] = wire.mapping.apply_boolean(row.booleans[from]),
        Plane::Bytes => values.bytes[to].clone_from(&row.bytes[from]),
    }
}

/// The value of a real output at `time`, between points held or on the chord; in the glue and with lines, where the points of others lie
/// anywhere in between, on the parabola.
pub(crate) fn row_value(plan: &Plan, history: &History, column: usize, time: SimTime, held: bool) -> f64 {
    let anywhere = plan.needs.steps != Steps::Together;
    let reading = match (held, anywhere) {
        (true, _) => Reading::Hold,
        (false, true) => Reading::Quadratic,
        (false, false) => Reading::LINE,
    };
    history.signal(column).read(reading, time)
}
