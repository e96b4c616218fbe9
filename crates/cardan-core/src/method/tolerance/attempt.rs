//! Trying a step and judging it.

use super::controller::{GROW, GROW_SLOWLY};
use super::energy;
use super::pulses::Pulses;
use crate::checkpoint::{Damage, Reader, Resumable, Writer};
use crate::error::{RunError, RunErrorKind};
use crate::graph::ParticipantId;
use crate::method::crossing::{BEGINNING, Crossing, MIDDLE, Reached, Setback, Stretch, arrive};
use crate::method::gauge::{Gauge, Gauged, lowest_degree};
use crate::method::{Estimator, StepControl};
use crate::plan::Plan;
use crate::time::SimTime;
use crate::world::{SilentJump, World};
use std::sync::Arc;

/// Circles may leave this part of the error that a step is allowed.
const LEFT_BY_CIRCLES: f64 = 0.1;

/// Errors of interpolation keep their sign for many steps on end, and then add up faster than errors that are independent of
/// each other. Two masses on weakly damped springs stay within ten times the tolerance with this.
const SAME_SIGN: f64 = 4.0;
/// Steps that are more than so many have shares of the tolerance in proportion to their lengths.
const MANY: f64 = 1.5e3;
/// A step has at least this share of the tolerance.
const LEAST_SHARE: f64 = 1e-3;
/// Over this part of the run nothing happens but an event, and what outputs show of it is hardly more than rounding, however small
/// they are yet.
const NOTHING: f64 = 1e-9;
/// Inputs that do not go as polynomials go are looked at where they are off by more than this part of what is allowed.
const WORTH_A_LOOK: f64 = 0.1;
/// The first step in which a discrete signal jumped has at least this share of the tolerance, and those that follow have less and
/// less: together, a hundred of them have about twice the tolerance.
const SELDOM: f64 = 0.1;
/// The same for one in which an input did not go as polynomials go, which ends as soon as it is known to.
const RARELY: f64 = 0.1;
/// What an input that is read wrongly by one tolerance all the time may do to something hidden, which integrates it. A controller at
/// its limit shows nothing of what it makes of its inputs; where it does show, they are hardly ever read so wrongly.
const HIDDEN: f64 = 1.0;
/// Over steps of less than so many of the shortest ones, inputs may be read as they are.
const BRIEF: f64 = 100.0;
/// So many tolerances of an output may be missed where it sets off on another course at the end of a step.
const MISSED: f64 = 5.0;
/// How much of its size a signal may change in the first step after a jump.
const LITTLE: f64 = 0.01;

/// How far an attempt came and with what error, or why it has to be taken back.
pub(super) type Attempt = Result<(Reached, Gauged), Setback>;

/// Tries steps; all memory is used again.
pub(super) struct Trial {
    plan: Arc<Plan>,
    control: StepControl,
    estimator: Estimator,
    gauge: Gauge,
    crossing: Crossing,
    /// The degree of what signals are read by.
    degree: u32,
    /// Outputs after the step as a whole, and how far off inputs were then.
    whole: Vec<f64>,
    whole_defects: Vec<f64>,
    /// How far off inputs were after the first half of the step.
    half_defects: Vec<f64>,
    /// Those who can go back, once that is known.
    saved: Vec<ParticipantId>,
    /// Have some who cannot go back taken the last step?
    passed: bool,
    /// May two results of the last step agree and be wrong both?
    doubtful: bool,
    /// Has a discrete signal jumped inside the last step, without a word?
    jumped: bool,
    /// In how many steps that were kept did one?
    jumps: u32,
    /// When that was.
    pulses: Pulses,
    /// How wrongly inputs were read in an attempt before, which was taken back, and how long it was.
    read_before: Option<(f64, f64)>,
    /// Do steps have to be judged by what shorter ones make of them, although they are repeated?
    blunt: bool,
    /// Can steps be done only once? Then all that tells of their errors is how far off inputs were.
    once: bool,
}

/// The error of a step in which somebody came upon an event somewhere, so that it is taken back.
const SOMEWHERE: f64 = 2.0;
/// Where inputs are taken as constant within a step, errors shrink with this power of its length.
const BLUNT: u32 = 3;

impl Trial {
    pub(super) fn new(plan: Arc<Plan>, control: StepControl) -> Self {
        Trial {
            degree: lowest_degree(&plan),
            control,
            estimator: control.estimator,
            gauge: Gauge::new(Arc::clone(&plan), control.relative, control.absolute),
            crossing: Crossing::new(Arc::clone(&plan)),
            whole: Vec::new(),
            whole_defects: Vec::new(),
            half_defects: Vec::new(),
            saved: Vec::new(),
            passed: false,
            doubtful: false,
            jumped: false,
            jumps: 0,
            pulses: Pulses::since(plan.window.start),
            read_before: None,
            blunt: false,
            once: false,
            plan,
        }
    }

    /// The error of a step shrinks with this power of its length.
    fn power(&self) -> u32 {
        match self.estimator {
            Estimator::Corrected if self.blunt => BLUNT,
            Estimator::Richardson if self.once => self.degree + 1,
            // Inputs that are wrong by the power degree + 1 act over the length of a step.
            Estimator::Richardson | Estimator::Corrected => self.degree + 2,
            // A correction takes the leading part of what is wrong away.
            Estimator::Energy => self.degree + 2 + u32::from(self.plan.correction),
            Estimator::Embedded => self.degree + 1,
        }
    }

    /// The error against what is allowed shrinks with this power of the step.
    pub(super) fn order(&self) -> f64 {
        match self.estimator {
            // Of what is allowed, a shorter step gets less.
            Estimator::Richardson | Estimator::Corrected => f64::from(self.power()) - 0.5,
            Estimator::Embedded | Estimator::Energy => f64::from(self.power()),
        }
    }

    /// No step is longer than the last by more than this.
    pub(super) fn growth(&self) -> f64 {
        match self.estimator {
            Estimator::Richardson | Estimator::Embedded | Estimator::Corrected => GROW,
            Estimator::Energy => GROW_SLOWLY,
        }
    }

    /// Meets those who take part.
    pub(super) fn meet(&mut self, world: &World) {
        self.blunt = world.is_blunt();
        self.once = !self.plan.needs.repeats && world.one_way().next().is_some();
    }

    /// What everybody shows now counts.
    pub(super) fn learn(&mut self, world: &World) {
        self.gauge.learn(world);
    }

    /// Begins a step. Where steps can be repeated, this is where they are repeated from.
    pub(super) fn begin(&mut self, world: &mut World, repeats: bool) -> Result<(), RunError> {
        self.learn(world);
        self.read_before = None;
        if !repeats {
            return Ok(());
        }
        if self.saved.is_empty() {
            self.saved = world.two_way().collect();
        }
        world.save(&self.saved, BEGINNING)
    }

    /// A step in which signals change little against their size, as their slopes are now. None if nobody knows them.
    pub(super) fn quiet_step(&self, world: &World) -> Option<f64> {
        self.gauge.quickest(world).map(|rate| LITTLE / rate)
    }

    /// Takes an attempt back.
    pub(super) fn reject(&self, world: &mut World) -> Result<(), RunError> {
        world.reject(&self.saved, BEGINNING)
    }

    /// The name of a real of a row.
    pub(super) fn name(&self, place: (ParticipantId, u32)) -> String {
        self.gauge.name(place)
    }

    /// Tries a step. Where it may be repeated, its beginning was saved. An event as `close` to its end is taken there.
    /// `before` is the length of the step before it.
    pub(super) fn attempt(
        &mut self,
        world: &mut World,
        (from, to): (SimTime, SimTime),
        (before, close): (f64, f64),
        cutters: &[ParticipantId],
        repeats: bool,
    ) -> Result<Attempt, RunError> {
        let stretch = Stretch {
            from,
            to,
            repeats,
            close,
            // Only the second one tells what the error of the first was.
            rounds: match self.estimator {
                Estimator::Corrected => 2,
                Estimator::Richardson | Estimator::Embedded | Estimator::Energy => 1,
            },
            part: LEFT_BY_CIRCLES * self.share(to.since(from)),
            slot: BEGINNING,
        };
        (self.passed, self.doubtful, self.jumped) = (false, false, false);
        let tried = match (repeats, self.estimator) {
            (true, Estimator::Richardson) => self.in_halves(world, stretch),
            (true, Estimator::Corrected) => self.repeated(world, stretch, before),
            _ => self.at_once(world, stretch),
        };
        let tried = match tried {
            Ok(Ok((reached, gauged))) if repeats && gauged.error <= 1.0 && !reached.terminated => {
                self.look_back(world, stretch, (reached, gauged), cutters)
            }
            other => other,
        };
        match tried {
            Ok(Ok((reached, gauged))) if gauged.error <= 1.0 => {
                self.follow(world, stretch, (reached, gauged))
            }
            Err(error) if repeats && error.kind() == RunErrorKind::Numbers => Ok(Err(Setback::Broken(error))),
            other => other,
        }
    }

    /// The step is good: those who wait for that follow.
    fn follow(
        &mut self,
        world: &mut World,
        stretch: Stretch,
        (reached, gauged): (Reached, Gauged),
    ) -> Result<Attempt, RunError> {
        let finished = self.crossing.finish(world, reached, stretch.close)?;
        self.passed = self.crossing.lets_wait(world);
        Ok(finished.map(|reached| {
            // Of those who cannot go back, errors are known when it is too late; the next step can be shorter.
            let late = match self.passed {
                true => self.gauge.defects(world, (stretch.from, reached.at), 1.0),
                false => Gauged::default(),
            };
            (reached, gauged.worse(late))
        }))
    }

    /// The error is small. Is it still with inputs as they came, where there is reason to ask?
    fn look_back(
        &mut self,
        world: &mut World,
        stretch: Stretch,
        (reached, gauged): (Reached, Gauged),
        cutters: &[ParticipantId],
    ) -> Result<Attempt, RunError> {
        if let Some(found) = self.event_somewhere(world, (stretch.from, reached.at), cutters)? {
            return Ok(Ok((reached, found)));
        }
        let length = reached.at.since(stretch.from);
        let inside = self.pulses.may_hide_in(length).then_some(stretch.slot);
        let jump = world.jumps_silently((stretch.from, reached.at), inside)?;
        self.jumped = jump != SilentJump::None;
        let guessed = world
            .guessing()
            .any(|who| self.gauge.has_moved(world, who, stretch.from));
        if jump == SilentJump::PassedOn || guessed {
            let somewhere = Gauged {
                error: SOMEWHERE,
                worst: None,
            };
            return Ok(Ok((reached, somewhere)));
        }
        let bent = self.bends(world, (stretch.from, reached.at))?;
        if bent.error > 1.0 {
            return Ok(Ok((reached, bent)));
        }
        world.show_silent(reached.at);
        match self.doubtful || self.jumped {
            true => self.in_hindsight(world, stretch, gauged),
            false => Ok(Ok((reached, gauged))),
        }
    }

    /// How much is missed where an output of one that does not follow its inputs sets off on another course. A jump is searched
    /// for.
    fn bends(&mut self, world: &mut World, step: (SimTime, SimTime)) -> Result<Gauged, RunError> {
        let mut gauged = Gauged::default();
        if !self.blunt {
            return Ok(gauged);
        }
        let brief = step.1.since(step.0) < BRIEF * self.control.min;
        for bend in world.bends(step)? {
            let value = world.history(bend.participant).latest_reals()[bend.column as usize];
            let place = (bend.participant.index(), bend.column as usize);
            let allowed = MISSED * self.gauge.allowed(place, value, step.1);
            // What shorter steps do not make smaller has jumped inside.
            self.jumped |= bend.jump > allowed || (brief && bend.missed > allowed);
            gauged.consider(
                bend.missed.max(bend.jump) / allowed,
                bend.participant,
                bend.column,
            );
        }
        Ok(gauged)
    }

    /// Has somebody come upon an event somewhere in the step that was tried last? Then it is to be searched for.
    pub(super) fn event_somewhere(
        &mut self,
        world: &mut World,
        step: (SimTime, SimTime),
        cutters: &[ParticipantId],
    ) -> Result<Option<Gauged>, RunError> {
        let found = world.comes_upon_events(step, cutters)?;
        self.jumped |= found;
        Ok(found.then_some(Gauged {
            error: SOMEWHERE,
            worst: None,
        }))
    }

    /// Has a discrete signal jumped inside the step that was tried last, without a word?
    pub(super) fn has_jumped(&self) -> bool {
        self.jumped
    }

    /// The step that was tried last is kept.
    pub(super) fn keep_step(&mut self, (from, to): (SimTime, SimTime)) {
        if self.jumped {
            self.jumps += 1;
            self.pulses.note(to, to.since(from));
        }
    }

    /// No step from there should be longer, for signals that jump again and again.
    pub(super) fn longest_step(&self, from: SimTime) -> f64 {
        self.pulses.longest_step(from)
    }

    /// Can the step that was tried last not be taken back any more?
    pub(super) fn is_passed(&self) -> bool {
        self.passed
    }

    /// The step once. Its error is how far off the readings were.
    fn at_once(&mut self, world: &mut World, stretch: Stretch) -> Result<Attempt, RunError> {
        let swept = self.crossing.go(world, &self.gauge, stretch)?;
        Ok(swept.map(|reached| {
            let step = (stretch.from, reached.at);
            let gauged = match self.estimator {
                Estimator::Energy => energy::residuals(&self.plan, self.control, world),
                Estimator::Embedded => self.gauge.defects(world, step, 1.0),
                Estimator::Richardson | Estimator::Corrected => {
                    let share = self.share(reached.at.since(stretch.from));
                    self.gauge.defects(world, step, share)
                }
            };
            (reached, gauged)
        }))
    }

    /// The step, repeated in its circles until values fit together.
    fn corrected(&mut self, world: &mut World, stretch: Stretch, before: f64) -> Result<Attempt, RunError> {
        let step = stretch.to.since(stretch.from);
        let left = interpolating(self.degree, before / step);
        let reached = match self.crossing.go(world, &self.gauge, stretch)? {
            Ok(reached) => reached,
            Err(setback) => return Ok(Err(setback)),
        };
        let forecast = &self.crossing.forecast;
        let shown = SAME_SIGN * left / self.share(step);
        let shown = self.gauge.corrections(world, forecast, shown);
        // What is not repeated is not wrong itself, but read wrongly.
        let single = self.gauge.surprises(world, forecast, (false, left));
        let read = self
            .gauge
            .surprises(world, forecast, (true, left / self.unseen(step)));
        Ok(Ok((reached, shown.worse(single).worse(self.hidden(step, read)))))
    }

    /// How wrongly inputs were read, as long as shorter steps help: of a jump, others know more.
    fn hidden(&mut self, step: f64, read: Gauged) -> Gauged {
        if read.error <= 1.0 {
            return read;
        }
        let stays = |(length, error): (f64, f64)| read.error > error * (step / length).sqrt();
        if step < BRIEF * self.control.min || self.read_before.is_some_and(stays) {
            return Gauged::default();
        }
        self.read_before = Some((step, read.error));
        read
    }

    /// The step as a whole, and once more in two halves, whose result is kept.
    fn in_halves(&mut self, world: &mut World, stretch: Stretch) -> Result<Attempt, RunError> {
        match self.crossing.go(world, &self.gauge, stretch)? {
            Ok(_) => self.halves(world, stretch, Gauged::default()),
            Err(setback) => Ok(Err(setback)),
        }
    }

    /// The step, repeated until values fit together. Where somebody does not follow the course of its inputs, once more in two
    /// halves: how the step was repeated does not tell what it makes of them.
    fn repeated(&mut self, world: &mut World, stretch: Stretch, before: f64) -> Result<Attempt, RunError> {
        match self.corrected(world, stretch, before)? {
            Ok((_, gauged)) if self.blunt && gauged.error <= 1.0 => self.halves(world, stretch, gauged),
            attempt => Ok(attempt),
        }
    }

    /// A step that was done as a whole, once more in two halves. `known` is an error that is known already.
    fn halves(&mut self, world: &mut World, stretch: Stretch, known: Gauged) -> Result<Attempt, RunError> {
        let Stretch { from, to, .. } = stretch;
        self.gauge.note(world, &mut self.whole);
        self.gauge
            .note_defects(world, (from, to), &mut self.whole_defects);
        world.restore(&self.saved, BEGINNING)?;
        let step = to.since(from);
        let middle = from.after(0.5 * step);
        let first = Stretch {
            to: middle,
            ..stretch
        };
        if let Err(setback) = self.crossing.go(world, &self.gauge, first)? {
            return Ok(Err(setback));
        }
        self.gauge
            .note_defects(world, (from, middle), &mut self.half_defects);
        if self.plan.needs.repeats {
            world.save(&self.saved, MIDDLE)?;
        }
        let second = Stretch {
            from: middle,
            slot: MIDDLE,
            ..stretch
        };
        let share = f64::from(2_u32.pow(self.power() - 1) - 1) * self.share(step);
        let reached = match self.crossing.go(world, &self.gauge, second)? {
            Ok(reached) => reached,
            setback => return Ok(setback.map(|reached| (reached, Gauged::default()))),
        };
        let found = self.gauge.differences(world, &self.whole, share);
        let read = self.gauge.defects(world, (middle, to), self.unseen(step));
        let gauged = known.worse(found).worse(self.hidden(step, read));
        let part = WORTH_A_LOOK * self.share(step);
        self.doubtful = self.gauge.is_deceptive(
            world,
            (middle, to),
            (&self.whole_defects, &self.half_defects),
            part,
        );
        Ok(Ok((reached, gauged)))
    }

    /// The step once more, with inputs as they came: what that changes is the error of extrapolating them.
    fn in_hindsight(
        &mut self,
        world: &mut World,
        stretch: Stretch,
        before: Gauged,
    ) -> Result<Attempt, RunError> {
        let to = stretch.to;
        self.gauge.note(world, &mut self.whole);
        let came = self.saved.iter().copied().filter(|p| world.time_of(*p) == to);
        let group: Vec<ParticipantId> = came.collect();
        world.repeat_in_hindsight(&group, BEGINNING, to)?;
        let reached = match arrive(world, &group, (to, stretch.close), true)? {
            Ok(reached) => reached,
            Err(setback) => return Ok(Err(setback)),
        };
        let least = match self.jumped {
            true => SELDOM / f64::from(self.jumps + 1).sqrt(),
            false => RARELY,
        };
        let share = self.share(to.since(stretch.from)).max(least);
        let found = self.gauge.differences(world, &self.whole, share);
        Ok(Ok((reached, before.worse(found))))
    }

    /// How many tolerances an input may be read wrongly by over a step: what integrates it feels less of a shorter one.
    fn unseen(&self, step: f64) -> f64 {
        let window = self.plan.window;
        HIDDEN / (step / window.stop.since(window.start)).sqrt()
    }

    /// The share of the tolerance that belongs to a step. The tolerance is meant for the result, to which errors of all
    /// steps add up. Taken as independent of each other, n of them make √n times the error of one. Where there are more than
    /// some, that would be much, and errors of neighbours are alike: they have shares in proportion to their lengths; errors of
    /// repeated steps are told too large as it is. Very short steps are taken at events, of which there are few.
    fn share(&self, step: f64) -> f64 {
        let window = self.plan.window;
        let part = step / window.stop.since(window.start);
        if part <= NOTHING {
            return 1.0;
        }
        let alike = match self.estimator {
            Estimator::Corrected => 1.0,
            Estimator::Richardson | Estimator::Embedded | Estimator::Energy => (part * MANY).sqrt().min(1.0),
        };
        (part.sqrt() * alike).max(LEAST_SHARE)
    }
}

impl Resumable for Trial {
    /// All else is made anew in every attempt.
    fn keep(&self, writer: &mut Writer) {
        writer.count(u64::from(self.jumps));
        self.pulses.keep(writer);
        self.gauge.keep(writer);
        self.crossing.keep(writer);
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        self.jumps = u32::try_from(reader.count("jumps")?).unwrap_or(u32::MAX);
        self.pulses.resume(reader)?;
        self.gauge.resume(reader)?;
        self.crossing.resume(reader)
    }
}

/// The error that interpolating to the end of a step makes, against that of foretelling, both by the same rule, where the
/// step before was `ratio` times as long. The errors of the polynomials over s from 0 to 1 are in proportion to s and 1 - s;
/// s (s + r) and s (1 - s); s (s + r) (s + 2r) and s (1 - s) (s + r); s² (s + r)² and s² (1 - s)². What an input does to a
/// position counts the more the earlier it comes: the integrals are those with the weight 1 - s.
fn interpolating(degree: u32, ratio: f64) -> f64 {
    let r = ratio;
    match degree {
        0 => 2.0,
        1 => (1.0 / 12.0) / (1.0 / 12.0 + r / 6.0),
        2 => (1.0 / 30.0 + r / 12.0) / (1.0 / 20.0 + r / 4.0 + r * r / 3.0),
        _ => (1.0 / 60.0) / (1.0 / 30.0 + r / 10.0 + r * r / 12.0),
    }
}
