//! What the leader feels of its followers inside its step.
//!
//! A follower that is driven by the leader's motion and answers at once can tell how its answer changes with the motion. Then
//! the leader needs no answer as a signal of time, but as a law of its own motion. The law is made anew before every step of
//! the leader from the last points at which the follower computed.

use crate::checkpoint::{Damage, Reader, Writer};
use crate::error::RunError;
use crate::graph::{Conversion, ParticipantId};
use crate::method::Tangent;
use crate::plan::{Interaction, Plan, RealInput};
use crate::reaction::{MOST, Motion, Part, Reaction, moved_from};
use crate::time::SimTime;
use crate::world::World;
use std::sync::Arc;

/// A law bends up to so many times the way between the two points that it was made from, and goes on straight from there:
/// a cubic that is followed further makes much of every error of its points.
const REACH: f64 = 5.0;
/// It goes on straight, too, where its slope along the way would become so many times larger or smaller than at the nearer of
/// the two points.
const STEEPER: f64 = 3.0;

/// The part of a step that is short enough to tell a slope.
const SHORT: f64 = 1e-4;

/// A follower that tells its tangent.
#[derive(Clone)]
struct Touch {
    follower: ParticipantId,
    /// What it gets of the leader: the motion, the first place among its own inputs, and the change of units.
    drives: Vec<(Motion, usize, Conversion)>,
    /// Which of the interactions are its answers.
    answers: Vec<usize>,
    /// The last point at which it computed, and the one before.
    last: Contact,
    before: Contact,
}

/// A point at which a follower computed.
#[derive(Clone, Default)]
struct Contact {
    /// None yet, if in the past.
    at: SimTime,
    /// The motion that drove it, at the places of the leader's outputs.
    origin: Vec<f64>,
    /// Its answers, in the leader's units.
    values: Vec<f64>,
    /// Row by row, one for each answer: how it changes with the numbers of the motion.
    gains: Vec<f64>,
    /// How fast each answer changes whatever moves; not a number where nobody tells.
    drifts: Vec<f64>,
}

/// All of them.
pub(super) struct Tangents {
    plan: Arc<Plan>,
    leader: ParticipantId,
    kind: Tangent,
    touches: Vec<Touch>,
    /// Before a step that may be taken back.
    saved: Vec<Touch>,
    /// What the leader feels in its present step.
    pub(super) reaction: Reaction,
    /// By input of the leader: is it part of the reaction?
    reacts: Vec<bool>,
    /// A direction in the follower's inputs, what it does to its outputs, a motion.
    direction: Vec<f64>,
    change: Vec<f64>,
    moved: Vec<f64>,
}

impl Tangents {
    /// Finds the followers whose tangent the leader can feel.
    pub(super) fn find(
        plan: &Arc<Plan>,
        leader: ParticipantId,
        kind: Tangent,
        able: impl Fn(ParticipantId) -> bool,
    ) -> Self {
        let mut touches: Vec<Touch> = Vec::new();
        for (index, interaction) in plan.interactions.iter().enumerate() {
            let follower = interaction.wire.source;
            if kind == Tangent::None || !interaction.at_once || !able(follower) {
                continue;
            }
            match touches.iter_mut().find(|touch| touch.follower == follower) {
                Some(touch) => touch.answers.push(index),
                None => touches.push(Touch {
                    follower,
                    drives: drives(plan, leader, follower),
                    answers: vec![index],
                    last: Contact::none(),
                    before: Contact::none(),
                }),
            }
        }
        // A tangent of very many directions costs more than it is worth.
        touches.retain(|touch| touch.freedoms() <= MOST);
        Tangents {
            leader,
            kind,
            touches,
            saved: Vec::new(),
            reaction: Reaction::default(),
            reacts: vec![false; plan.seats[leader.index()].real_inputs.len()],
            direction: Vec::new(),
            change: Vec::new(),
            moved: Vec::new(),
            plan: Arc::clone(plan),
        }
    }

    /// Does the leader feel an input inside its step?
    pub(super) fn feels(&self, input: u32) -> bool {
        self.reacts.get(input as usize).copied().unwrap_or_default()
    }

    /// Remembers everything for a step that may be taken back.
    pub(super) fn save(&mut self) {
        self.saved.clone_from(&self.touches);
    }

    /// The step was taken back.
    pub(super) fn restore(&mut self) {
        self.touches.clone_from(&self.saved);
    }

    /// By how much what a follower gives and what the leader felt of it part over a step of the leader, had they parted all
    /// along as they do at its end. None where the leader feels nothing of it.
    pub(super) fn parting(
        &mut self,
        interaction: usize,
        at: SimTime,
        (begin, end): (&[f64], &[f64]),
        (outputs, inputs): (&mut [f64], &mut [f64]),
    ) -> Option<f64> {
        let touch = self
            .touches
            .iter()
            .find(|touch| touch.answers.contains(&interaction))?;
        let row = touch.answers.iter().position(|answer| *answer == interaction)?;
        let motions: Vec<Motion> = touch.drives.iter().map(|(motion, ..)| *motion).collect();
        let freedoms: usize = motions.iter().map(|motion| motion.freedoms()).sum();
        self.moved.resize(freedoms, 0.0);
        moved_from(begin, &motions, end, &mut self.moved);
        let gains = &touch.last.gains[row * freedoms..][..freedoms];
        let computed: f64 = gains.iter().zip(&self.moved).map(|(g, m)| g * m).sum();
        let input = self.plan.interactions[interaction].input as usize;
        self.reaction.apply(at, end, inputs);
        let after = inputs[input];
        for (output, (begin, end)) in outputs.iter_mut().zip(begin.iter().zip(end)) {
            *output = end - SHORT * (end - begin);
        }
        self.reaction.apply(at, outputs, inputs);
        Some((computed - (after - inputs[input]) / SHORT).abs())
    }

    /// Tells the leader, which has gone on from `from`, what it felt at the end of its step. Until followers have come there,
    /// nobody knows better; a signal that is read so far ahead of its points knows nothing.
    pub(super) fn tell(&mut self, world: &mut World, from: SimTime) -> Result<(), RunError> {
        if self.touches.is_empty() {
            return Ok(());
        }
        let (leader, at) = (self.leader, world.time_of(self.leader));
        let history = world.history(leader);
        let begin = history.row(history.index_at(from)).reals;
        self.change.resize(self.reacts.len(), 0.0);
        self.reaction.apply(from, begin, &mut self.change);
        self.moved.clear();
        self.moved.extend_from_slice(&self.change);
        self.reaction.apply(at, history.latest_reals(), &mut self.moved);
        for (slope, value) in self.change.iter_mut().zip(&self.moved) {
            *slope = (value - *slope) / at.since(from);
        }
        for input in 0..self.reacts.len() {
            if !self.reacts[input] {
                (self.moved[input], self.change[input]) = world.input_law(leader, input, at);
            }
        }
        world.tell(leader, &self.moved, &self.change);
        world.exchange(&[leader], at)
    }

    /// Asks all of them where they stand.
    pub(super) fn note_all(&mut self, world: &mut World) -> Result<(), RunError> {
        for index in 0..self.touches.len() {
            self.note(world, self.touches[index].follower)?;
        }
        Ok(())
    }

    /// A follower has computed where it stands: takes its answers and its tangent down.
    pub(super) fn note(&mut self, world: &mut World, follower: ParticipantId) -> Result<(), RunError> {
        let Some(touch) = self.touches.iter_mut().find(|touch| touch.follower == follower) else {
            return Ok(());
        };
        let at = world.time_of(follower);
        // A point that is computed anew replaces itself.
        if touch.last.at != at {
            std::mem::swap(&mut touch.last, &mut touch.before);
        }
        let freedoms = touch.freedoms();
        let contact = &mut touch.last;
        contact.at = at;
        contact.origin.clear();
        contact
            .origin
            .extend_from_slice(world.history(self.leader).latest_reals());
        let inputs = world.inputs_here(follower);
        self.direction.clear();
        self.direction.resize(inputs.len(), 0.0);
        for (motion, place, conversion) in &touch.drives {
            match motion {
                Motion::Value(column) => {
                    contact.origin[*column as usize] =
                        (inputs[*place] - conversion.offset) / conversion.factor;
                }
                Motion::Turn(column) => {
                    contact.origin[*column as usize..][..4].copy_from_slice(&inputs[*place..][..4]);
                }
            }
        }
        let answers = touch.answers.iter().map(|index| &self.plan.interactions[*index]);
        let values = world.history(follower).latest_reals();
        contact.values.clear();
        contact
            .values
            .extend(answers.map(|i| i.wire.conversion.apply(values[i.wire.column as usize])));
        self.change.resize(values.len(), 0.0);
        world.drift_of(follower, &mut self.change)?;
        let answers = touch
            .answers
            .iter()
            .map(|index| &self.plan.interactions[*index].wire);
        contact.drifts.clear();
        contact
            .drifts
            .extend(answers.map(|wire| wire.conversion.factor * self.change[wire.column as usize]));
        contact.gains.clear();
        contact.gains.resize(freedoms * touch.answers.len(), 0.0);
        let mut freedom = 0;
        for (motion, place, conversion) in &touch.drives {
            for axis in 0..motion.freedoms() {
                match motion {
                    Motion::Value(_) => self.direction[*place] = conversion.factor,
                    Motion::Turn(column) => {
                        let q = std::array::from_fn(|i| contact.origin[*column as usize + i]);
                        self.direction[*place..][..4].copy_from_slice(&turned_about(axis, q));
                    }
                }
                world.change_along(follower, &self.direction, &mut self.change)?;
                self.direction[*place..][..motion.places()].fill(0.0);
                for (row, index) in touch.answers.iter().enumerate() {
                    let wire = &self.plan.interactions[*index].wire;
                    contact.gains[row * freedoms + freedom] =
                        wire.conversion.factor * self.change[wire.column as usize];
                }
                freedom += 1;
            }
        }
        Ok(())
    }

    /// Lets the leader feel its followers in the step that begins at `from`.
    pub(super) fn lay(&mut self, world: &mut World, from: SimTime) -> Result<(), RunError> {
        if self.touches.is_empty() {
            return Ok(());
        }
        let interactions = &self.plan.interactions;
        self.reaction.parts.resize_with(self.touches.len(), Part::default);
        for (touch, part) in self.touches.iter().zip(&mut self.reaction.parts) {
            part.inputs.clear();
            part.inputs
                .extend(touch.answers.iter().map(|index| interactions[*index].input));
            part.motions.clear();
            part.motions
                .extend(touch.drives.iter().map(|(motion, ..)| *motion));
            part.gains.clone_from(&touch.last.gains);
            part.way.clear();
            part.weights.clear();
            part.bends.clear();
            part.drifts.clear();
            match self.kind {
                Tangent::Linear => {
                    part.origin.clear();
                    part.origin
                        .extend_from_slice(world.history(self.leader).latest_reals());
                    let read = |index: &usize| read_at(world, &interactions[*index], from);
                    part.base.clear();
                    part.base.extend(touch.answers.iter().map(read));
                }
                _ => {
                    part.origin.clone_from(&touch.last.origin);
                    part.base.clone_from(&touch.last.values);
                    part.since = touch.last.at;
                    self.moved.resize(part.freedoms(), 0.0);
                    touch.drift(part, &mut self.moved);
                    touch.bend(part, &self.moved);
                }
            }
            for input in &part.inputs {
                self.reacts[*input as usize] = true;
            }
        }
        world.react(self.leader, &self.reaction)
    }
}

impl Touch {
    /// Numbers that its motions make.
    fn freedoms(&self) -> usize {
        self.drives.iter().map(|(motion, ..)| motion.freedoms()).sum()
    }

    /// Lets the law drift as the follower said, or, if it did not, by what its tangents leave unexplained between the two
    /// points. Leaves the way to the point before behind.
    fn drift(&self, part: &mut Part, way: &mut [f64]) {
        let (last, before) = (&self.last, &self.before);
        if before.at == SimTime::PAST {
            let told = last.drifts.iter().map(|drift| [not_nan(*drift), 0.0]);
            part.drifts.extend(told);
            return;
        }
        moved_from(&part.origin, &part.motions, &before.origin, way);
        let time = before.at.since(last.at);
        for row in 0..part.inputs.len() {
            let (here, there) = (last.drifts[row], before.drifts[row]);
            part.drifts.push(match here.is_finite() && there.is_finite() {
                true => [here, 0.5 * (there - here) / time],
                false => {
                    let slopes = last.along(row, way) + before.along(row, way);
                    [(before.values[row] - last.values[row] - 0.5 * slopes) / time, 0.0]
                }
            });
        }
    }

    /// Lets the law bend along the way to the point before.
    fn bend(&self, part: &mut Part, moved: &[f64]) {
        if self.before.at == SimTime::PAST {
            return;
        }
        let freedoms = moved.len();
        // Motions have different units; what makes them comparable is the force that each makes.
        let weight = |freedom: usize| -> f64 {
            let gains = part
                .gains
                .chunks_exact(freedoms)
                .zip(self.before.gains.chunks_exact(freedoms));
            gains
                .map(|(now, then)| now[freedom].powi(2) + then[freedom].powi(2))
                .sum()
        };
        part.weights.extend((0..freedoms).map(|f| weight(f) * moved[f]));
        let length: f64 = part.weights.iter().zip(moved.iter()).map(|(w, m)| w * m).sum();
        if length == 0.0 {
            part.weights.clear();
            return;
        }
        part.weights.iter_mut().for_each(|w| *w /= length);
        part.way.extend_from_slice(moved);
        let time = self.before.at.since(self.last.at);
        for row in 0..part.inputs.len() {
            let (here, there) = (self.last.along(row, moved), self.before.along(row, moved));
            let [a, b] = part.drifts[row];
            let rise = self.before.values[row] - part.base[row] - time * (a + time * b);
            let bend = [here, 3.0 * rise - 2.0 * here - there, here + there - 2.0 * rise];
            part.bends.push(bend);
        }
        // How the slopes change along the way, seen in the direction that they have at one of the points.
        let seen = |near: fn(&[f64; 3]) -> f64, part_of: fn(&[f64; 3]) -> f64| -> f64 {
            part.bends.iter().map(|bend| near(bend) * part_of(bend)).sum()
        };
        let begin: fn(&[f64; 3]) -> f64 = |[a, ..]| *a;
        let end: fn(&[f64; 3]) -> f64 = |[a, b, c]| a + 2.0 * b + 3.0 * c;
        let behind = reach(
            seen(begin, begin),
            -seen(begin, |[_, b, _]| *b),
            seen(begin, |[.., c]| *c),
        );
        let beyond = reach(
            seen(end, end),
            seen(end, |[_, b, c]| b + 3.0 * c),
            seen(end, |[.., c]| *c),
        );
        part.reach = (-behind, 1.0 + beyond);
    }
}

/// How far beyond a point a law may bend whose slope is `a + 2 b s + 3 c s²` there.
fn reach(a: f64, b: f64, c: f64) -> f64 {
    // Where the slope becomes what it must not.
    let leaves = |slope: f64| {
        let (p, q, r) = (3.0 * c, 2.0 * b, a - slope);
        let square = q * q - 4.0 * p * r;
        if square < 0.0 {
            return f64::INFINITY;
        }
        let t = -0.5 * (q + square.sqrt().copysign(q));
        let ahead = |s: f64| if s > 0.0 { s } else { f64::INFINITY };
        ahead(t / p).min(ahead(r / t))
    };
    match a == 0.0 {
        true => 0.0,
        false => REACH.min(leaves(STEEPER * a)).min(leaves(a / STEEPER)),
    }
}

/// What a follower gets of the leader.
fn drives(plan: &Plan, leader: ParticipantId, follower: ParticipantId) -> Vec<(Motion, usize, Conversion)> {
    let inputs = plan.seats[follower.index()].real_inputs.iter().enumerate();
    let drive = |(place, input): (usize, &RealInput)| match input {
        RealInput::Wire(wire) if wire.source == leader => {
            Some((Motion::Value(wire.column), place, wire.conversion))
        }
        RealInput::Rotation(wire) if wire.source == leader => {
            Some((Motion::Turn(wire.column), place, wire.conversion))
        }
        _ => None,
    };
    inputs.filter_map(drive).collect()
}

/// What the leader would get if it read a signal in time.
fn read_at(world: &World, interaction: &Interaction, at: SimTime) -> f64 {
    let wire = &interaction.wire;
    let signal = world.history(wire.source).signal(wire.column as usize);
    wire.conversion.apply(signal.read(wire.reading, at))
}

/// How a quaternion changes when it turns about an inertial axis: half the axis times it.
fn turned_about(axis: usize, [w, x, y, z]: [f64; 4]) -> [f64; 4] {
    match axis {
        0 => [-0.5 * x, 0.5 * w, -0.5 * z, 0.5 * y],
        1 => [-0.5 * y, 0.5 * z, 0.5 * w, -0.5 * x],
        _ => [-0.5 * z, -0.5 * y, 0.5 * x, 0.5 * w],
    }
}

/// A drift, or none where it is not known.
fn not_nan(drift: f64) -> f64 {
    if drift.is_finite() { drift } else { 0.0 }
}

impl Contact {
    /// How an answer changes along a motion.
    fn along(&self, row: usize, motion: &[f64]) -> f64 {
        let gains = &self.gains[row * motion.len()..][..motion.len()];
        gains.iter().zip(motion).map(|(gain, moved)| gain * moved).sum()
    }

    fn none() -> Self {
        Contact {
            at: SimTime::PAST,
            ..Contact::default()
        }
    }

    fn keep(&self, writer: &mut Writer) {
        writer.time(self.at);
        for list in [&self.origin, &self.values, &self.gains, &self.drifts] {
            writer.reals(list);
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, Damage> {
        const WHAT: &str = "tangents";
        let at = reader.time(WHAT)?;
        let mut list = || reader.list(8, WHAT, |reader| reader.real(WHAT));
        Ok(Contact {
            at,
            origin: list()?,
            values: list()?,
            gains: list()?,
            drifts: list()?,
        })
    }

    /// Has it as many numbers as another one?
    fn is_like(&self, other: &Contact) -> bool {
        let sizes = |c: &Contact| [&c.origin, &c.values, &c.gains, &c.drifts].map(Vec::len);
        self.at == SimTime::PAST || sizes(self) == sizes(other)
    }
}

/// The points at which followers computed before a checkpoint.
#[derive(Default)]
pub(super) struct Contacts(Vec<[Contact; 2]>);

impl Contacts {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Damage> {
        let pair = |reader: &mut Reader<'_>| Ok([Contact::read(reader)?, Contact::read(reader)?]);
        reader.list(80, "tangents", pair).map(Contacts)
    }
}

impl Tangents {
    pub(super) fn keep(&self, writer: &mut Writer) {
        writer.length(self.touches.len());
        for touch in &self.touches {
            touch.last.keep(writer);
            touch.before.keep(writer);
        }
    }

    /// Goes on with the points before a checkpoint, as far as they fit; everybody has told its tangent.
    pub(super) fn resume(&mut self, Contacts(known): Contacts) {
        for (touch, [last, before]) in self.touches.iter_mut().zip(known) {
            if last.at == touch.last.at && last.is_like(&touch.last) && before.is_like(&touch.last) {
                (touch.last, touch.before) = (last, before);
            }
        }
    }
}
