//! Steps as long as the tolerance allows.
//!
//! | file | holds |
//! | --- | --- |
//! | `mod.rs` | which step to try, and whether it is kept or taken back |
//! | `control.rs` | what the user wants of it |
//! | `attempt.rs` | trying a step, in one of two ways, and judging it |
//! | `energy.rs` | the same for the energy that bonds gain or lose |
//! | `pulses.rs` | how long steps may be where signals jump again and again |
//! | `controller.rs` | from the error to the length of the next step |
//!
//! Where everybody can go back, a step whose error is too large is taken back and tried shorter. Where somebody cannot,
//! nothing is ever repeated: the error of a step decides the length of the next one only. Methods that repeat their steps
//! let those who cannot go back follow when the others have come through.

mod attempt;
mod control;
mod controller;
mod energy;
mod pulses;

pub use control::{Estimator, StepControl};

use super::crossing::Setback;
use super::cuts::{Crowd, Cuts, MOST_CUTS};
use super::gauge::Gauged;
use super::review::review;
use super::{Advanced, Master};
use crate::checkpoint::{Damage, Reader, Resumable, Writer};
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::monitor::WarningKind;
use crate::participant::Failure;
use crate::plan::Plan;
use crate::time::SimTime;
use crate::world::World;
use attempt::Trial;
use controller::Controller;
use std::sync::Arc;

/// A step that would leave less than this part of itself to the next landmark goes all the way there.
const CRUMB: f64 = 0.1;
/// Errors are told from this multiple of what is allowed on, where a step cannot be taken back: a little above it is what comes
/// of a step that is chosen by the error of the one before.
const LARGE: f64 = 10.0;
/// After an attempt whose numbers broke, the next one is so much shorter.
const BROKEN: f64 = 0.25;
/// The same after one that somebody refused without advice.
const REFUSED: f64 = 0.5;
/// After a jump of signals whose slopes nobody knows, the next step is shorter by this.
const CAUTION: f64 = 0.01;
/// After a step that was so much shorter than the next one is going to be, its beginning is forgotten: a law through points
/// that nearly coincide leads far astray.
const CRAMPED: f64 = 0.02;
/// The same after one in which a discrete signal jumped without a word.
const BISECT: f64 = 0.5;
/// A jump that is known to within this part of the tolerance and of the run is known well enough.
const LOCATED: f64 = 1e-5;
/// Where the shortest step is this part of the run or less, and the error of one is too large, something has jumped in it without a
/// word, and that is known well enough. But not so often in a row.
const LEAP: f64 = 1e-10;
/// Far from the origin of time, the shortest step is so many times the spacing of numbers there.
const SPACINGS: f64 = 64.0;
/// Steps up to so many times the shortest are as short as can be.
const SHORTEST: f64 = 1.5;
const MOST_LEAPS: u32 = 10;
/// A step that leads to an event may be as short as this part of the shortest one.
const CLOSE: f64 = 0.02;
/// The same for this part of the tolerance of a step: what changes by its own size over a step is off by no more.
const TIMELY: f64 = 1e-3;

pub(super) struct Adaptive {
    plan: Arc<Plan>,
    control: StepControl,
    controller: Controller,
    trial: Trial,
    /// The next step to try.
    step: f64,
    /// Can a step be taken back? Known after the first look.
    repeats: Option<bool>,
    /// The length of the last step that was kept.
    before: f64,
    /// Did it end where somebody stopped early, so that signals may have jumped?
    jumped: bool,
    /// A signal jumps without a word somewhere before this.
    wall: SimTime,
    /// The step before that was known.
    free: f64,
    /// Steps that events have cut to nothing.
    crowd: Crowd,
    /// Shortest steps in a row that were kept whatever their errors were.
    leaps: u32,
}

impl Adaptive {
    pub(super) fn new(plan: Arc<Plan>, mut control: StepControl) -> Self {
        let window = plan.window;
        let far = window.start.seconds().abs().max(window.stop.seconds().abs());
        control.min = control.min.max(SPACINGS * f64::EPSILON * far).min(control.max);
        let trial = Trial::new(Arc::clone(&plan), control);
        Adaptive {
            controller: Controller::new(trial.order(), trial.growth()),
            trial,
            step: control.first.clamp(control.min, control.max),
            repeats: None,
            before: control.first,
            jumped: false,
            wall: SimTime::PAST,
            free: 0.0,
            crowd: Crowd::default(),
            leaps: 0,
            control,
            plan,
        }
    }

    /// Where the next attempt is to end, and whether that is the landmark.
    fn target(&self, from: SimTime, landmark: SimTime) -> (SimTime, bool) {
        let left = landmark.since(from);
        // The way to a jump is halved until it does not matter any more where it is.
        let ahead = self.wall.since(from);
        let step = match ahead > self.near() {
            true => self.step.min(0.5 * ahead),
            false => self.step,
        };
        let step = step.min(self.trial.longest_step(from)).max(self.control.min);
        if step * (1.0 + CRUMB) >= left {
            return (landmark, true);
        }
        // Two equal steps rather than a long one and a short one.
        let step = if step * 2.0 > left { 0.5 * left } else { step };
        (from.after(step), false)
    }

    /// The next instant that no step may pass: the end, an event that somebody announced, a sample.
    fn landmark(&self, world: &mut World, from: SimTime, limit: SimTime) -> Result<SimTime, RunError> {
        let plan = &self.plan;
        let corner = world.next_corner(from)?;
        let own = plan.seats.iter().filter(|seat| seat.has_own_grid).map(|seat| {
            let passed = seat.grid.count_to(from, plan.resolution);
            seat.grid.at(passed + 1)
        });
        let row = world.next_row_to_land_on(from);
        let next = own.fold(world.next_event().min(corner).min(row), SimTime::min);
        let stop = plan.resolution.earlier(limit, plan.window.stop);
        Ok(plan.resolution.earlier(next, stop))
    }

    /// It does not matter where within this a signal jumps.
    fn near(&self) -> f64 {
        let window = self.plan.window;
        let near = LOCATED * self.control.relative * window.stop.since(window.start);
        near.clamp(2.0 * self.control.min, self.control.max)
    }

    /// Does an attempt of this length count whatever its error is? It leads to an event that is nearer than the shortest step,
    /// or it is known well enough where a signal jumped.
    fn must_do(&self, tried: f64, error: f64) -> bool {
        let located = self.trial.has_jumped() && tried <= self.near();
        located || (tried < self.control.min && error.is_finite()) || self.leaps_over(tried, error)
    }

    /// Is this the shortest step, over which nothing can happen but a jump that nobody announces?
    fn leaps_over(&self, tried: f64, error: f64) -> bool {
        let window = self.plan.window;
        let far = window.start.seconds().abs().max(window.stop.seconds().abs());
        let least = (LEAP * window.stop.since(window.start)).max(SPACINGS * f64::EPSILON * far);
        let short = self.control.min <= least;
        short && self.is_shortest(tried) && error.is_finite() && self.leaps < MOST_LEAPS
    }

    fn is_shortest(&self, tried: f64) -> bool {
        tried <= SHORTEST * self.control.min
    }

    /// Makes the next attempt shorter by this factor. False if steps that short are not allowed.
    fn shorten(&mut self, tried: f64, factor: f64) -> bool {
        self.step = (tried * factor).max(self.control.min);
        !self.is_shortest(tried)
    }

    /// Some of those who are coupled cannot take a step back: nobody sees what happens inside of it until it is too late.
    fn note_who_cannot_go_back(&self, world: &mut World) {
        let coupled = |id: &ParticipantId| {
            let mut inputs = self.plan.seats[id.index()].real_inputs.iter();
            self.plan.is_read(*id) || inputs.any(|input| input.source().is_some())
        };
        let names: Vec<&str> = world
            .one_way()
            .filter(coupled)
            .map(|id| self.plan.seats[id.index()].name.as_str())
            .collect();
        if names.is_empty() {
            return;
        }
        let (one, names) = (names.len() == 1, names.join(", "));
        let from = world.frontier();
        world.monitor.notice(WarningKind::Tolerance, "", from, || {
            format!(
                "whether the tolerance is kept is not known: {names} cannot go back, and what {} inside a step is seen too \
                 late; `isolate = true` would let {}, or `rollback = True` in a Python class",
                if one { "it does" } else { "they do" },
                if one { "it" } else { "them" }
            )
        });
    }

    /// A step stands that cannot be taken back. Was it as wrong as no step should be?
    fn note_what_stands(&self, world: &mut World, (from, to): (SimTime, SimTime), gauged: Gauged) {
        world.note_jumps_somewhere((from, to));
        if gauged.error <= LARGE {
            return;
        }
        let names: Vec<&str> = world
            .one_way()
            .map(|id| self.plan.seats[id.index()].name.as_str())
            .collect();
        let (names, one) = (names.join(", "), names.len() == 1);
        let signal = gauged
            .worst
            .map_or_else(String::new, |worst| self.trial.name(worst));
        world.monitor.notice(WarningKind::Tolerance, &signal, to, || {
            format!(
                "the tolerance is not kept: in the step from {from} s to {to} s, {signal} is off by {:.3e} times what is \
                 allowed, and the step stands because {names} cannot go back; `isolate = true` would let {}, or \
                 `rollback = True` in a Python class",
                gauged.error,
                if one { "it" } else { "them" }
            )
        });
    }

    #[cold]
    fn too_short(&self, from: SimTime, tried: f64, gauged: Gauged) -> RunError {
        let worst = gauged.worst.unwrap_or((ParticipantId(0), 0));
        let failure = Failure::numbers(format!(
            "the tolerance cannot be met: with a step of {tried:.3e} s the error of {} is {:.3} times what is allowed",
            self.trial.name(worst),
            gauged.error
        ))
        .advise(format!(
            "is there a jump or a contact that nobody announces? Allow a larger tolerance, or steps below {:.3e} s: \
             min_step under [method]",
            self.control.min
        ));
        let name = &self.plan.seats[worst.0.index()].name;
        RunError::participant(name, Call::Step, Some(from), failure)
    }

    #[cold]
    fn chattering(&self, from: SimTime, at: SimTime) -> RunError {
        let failure = Failure::numbers(format!(
            "events come too thick: the step from {from} s was cut short {MOST_CUTS} times, the last time at {at} s"
        ))
        .advise("does a contact chatter? Let steps be longer (min_step under [method]) or the contact be softer");
        let name = self.plan.seats.first().map_or("", |seat| seat.name.as_str());
        RunError::participant(name, Call::Step, Some(from), failure)
    }

    #[cold]
    fn refused(&self, who: ParticipantId, from: SimTime, tried: f64) -> RunError {
        let failure = Failure::numbers(format!(
            "refuses a step of {tried:.3e} s, and steps below {:.3e} s are not allowed",
            self.control.min
        ))
        .advise("allow shorter steps: min_step under [method]");
        let name = &self.plan.seats[who.index()].name;
        RunError::participant(name, Call::Step, Some(from), failure)
    }
}

impl Master for Adaptive {
    fn advance(&mut self, world: &mut World, limit: SimTime) -> Result<Advanced, RunError> {
        let from = world.frontier();
        let iterates = self.plan.needs.repeats;
        let repeats = match self.repeats {
            Some(repeats) => repeats,
            None => {
                self.trial.meet(world);
                self.note_who_cannot_go_back(world);
                self.controller.follow(self.trial.order());
                *self.repeats.insert(iterates || world.one_way().next().is_none())
            }
        };
        if self.jumped {
            world.forget_past();
            self.jumped = false;
            self.trial.learn(world);
            let quiet = self.trial.quiet_step(world).unwrap_or(CAUTION * self.step);
            self.step = self.step.min(quiet).max(self.control.min);
        } else if self.before < CRAMPED * self.step {
            world.thin();
            self.before = self.step;
        }
        let mut landmark = self.landmark(world, from, limit)?;
        self.trial.begin(world, repeats)?;
        let close = (CLOSE * self.control.min).max(TIMELY * self.control.relative * self.step);
        let mut cuts = Cuts::new(&self.plan, from, self.crowd.hair(close));
        loop {
            let (to, at_landmark) = self.target(from, landmark);
            let tried = to.since(from);
            let close = cuts.close(to);
            let attempt =
                self.trial
                    .attempt(world, (from, to), (self.before, close), cuts.cutters(), repeats)?;
            let attempt = match attempt {
                Ok((reached, gauged)) if repeats && !self.trial.is_passed() && gauged.error <= 1.0 => {
                    // Whoever has passed its event in a hair is not asked again: others have heard of it.
                    let cutters = if cuts.bridges(to) { &[] } else { cuts.cutters() };
                    match review(world, cutters, (reached.at, close))? {
                        Some((at, who)) => Err(Setback::Early(at, who)),
                        None => {
                            let found =
                                self.trial
                                    .event_somewhere(world, (from, reached.at), cuts.cutters())?;
                            Ok((reached, found.unwrap_or(gauged)))
                        }
                    }
                }
                other => other,
            };
            match attempt {
                Ok((reached, gauged))
                    if !repeats
                        || self.trial.is_passed()
                        || gauged.error <= 1.0
                        || self.must_do(tried, gauged.error) =>
                {
                    if !repeats || self.trial.is_passed() {
                        self.note_what_stands(world, (from, reached.at), gauged);
                    }
                    let leaps = gauged.error > 1.0 && self.leaps_over(tried, gauged.error);
                    self.leaps = if leaps { self.leaps + 1 } else { 0 };
                    self.trial.keep_step((from, reached.at));
                    self.crowd.note(&self.plan, tried, !cuts.cutters().is_empty());
                    let next = tried * self.controller.accepted(gauged.error);
                    // A step that was cut short at a landmark says nothing against longer ones.
                    let next = if at_landmark { next.max(self.step) } else { next };
                    self.step = next.clamp(self.control.min, self.control.max);
                    self.before = tried;
                    // Those who act tell themselves whether there was an event.
                    if self.trial.has_jumped() {
                        world.show_silent(reached.at);
                        self.wall = SimTime::PAST;
                        self.step = self.step.max(self.free);
                        self.free = 0.0;
                    }
                    self.jumped = self.trial.has_jumped();
                    self.jumped |= at_landmark && cuts.cutters().iter().any(|who| !world.acts(*who));
                    self.jumped |= leaps || cuts.bridges(reached.at);
                    self.jumped |= world.land(reached.at)?;
                    self.jumped |= world.events(reached.at)?;
                    world.settle(reached.at);
                    return Ok(Advanced {
                        frontier: reached.at,
                        steps: 1,
                        terminated: reached.terminated,
                    });
                }
                Ok((_, gauged)) => {
                    let mut factor = self.controller.rejected(gauged.error);
                    if self.trial.has_jumped() {
                        self.wall = to;
                        self.free = self.free.max(tried);
                        factor = BISECT;
                    }
                    if !self.shorten(tried, factor) {
                        return Err(self.too_short(from, tried, gauged));
                    }
                }
                Err(Setback::Early(at, who)) => {
                    landmark = match cuts.cut(at, who) {
                        Some(end) => end,
                        None => return Err(self.chattering(from, at)),
                    };
                }
                Err(Setback::Refused(who, advice)) => {
                    let factor = advice.map_or(REFUSED, |step| (step / tried).clamp(0.1, 0.9));
                    if !self.shorten(tried, factor) {
                        return Err(self.refused(who, from, tried));
                    }
                }
                Err(Setback::Broken(error)) => {
                    if !self.shorten(tried, BROKEN) {
                        return Err(error);
                    }
                }
            }
            self.trial.reject(world)?;
        }
    }

    fn disturbed(&mut self, _world: &mut World) -> Result<(), RunError> {
        self.jumped = true;
        Ok(())
    }

    fn keep(&self, writer: &mut Writer) {
        writer.real(self.step);
        writer.real(self.before);
        writer.boolean(self.jumped);
        writer.count(u64::from(self.leaps));
        self.crowd.keep(writer);
        self.controller.keep(writer);
        self.trial.keep(writer);
    }

    fn resume(&mut self, _world: &World, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "a step";
        let step = reader.real(WHAT)?;
        if !(step > 0.0 && step.is_finite()) {
            return Err(Damage::Nonsense { what: WHAT });
        }
        self.before = reader.size(WHAT)?;
        self.jumped = reader.boolean(WHAT)?;
        self.leaps = u32::try_from(reader.count(WHAT)?).unwrap_or(u32::MAX);
        self.crowd.resume(reader)?;
        // A run with another end may have other limits.
        self.step = step.clamp(self.control.min, self.control.max);
        self.controller.resume(reader)?;
        self.trial.resume(reader)
    }
}
