//! Everybody at its own steps: one leads, the others follow.
//!
//! | file | holds |
//! | --- | --- |
//! | `mod.rs` | who advances how far |
//! | `wish.rs` | what the user wants of it |
//! | `gait.rs` | where the next step of a follower ends |
//! | `tangent.rs` | what the leader feels of its followers inside its step |
//! | `prediction.rs` | what the leader was told to expect, against what came |
//! | `stride.rs` | the length of the leader's steps, where bad ones are taken back |
//!
//! The leader takes one step of its own with what it is told to expect of the others. Then they come after it, each at its
//! own steps, never ahead of it unless that is allowed, and at most one own step behind. Whoever is furthest behind goes first.
//! A reading sees all that was published, and as who goes next depends on simulated times alone, so does what is seen.

mod gait;
mod prediction;
mod stride;
mod tangent;
mod wish;

pub use wish::{Glue, Tangent};

use super::crossing::BEGINNING;
use super::{Advanced, Master, ending};
use crate::checkpoint::{Damage, Reader, Resumable, Writer};
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::participant::{Failure, StepEnd};
use crate::plan::Plan;
use crate::time::SimTime;
use crate::world::World;
use gait::{Follower, Gait, Way, next_on_grid};
use prediction::Predictions;
use std::sync::Arc;
use std::time::{Duration, Instant};
use stride::Stride;
use tangent::{Contacts, Tangents};

/// A step of the leader's own is at most so many times longer than the one before: no solver goes faster, and what is looked
/// up ahead of it stays short.
const FASTER: f64 = 10.0;
/// The same where there are sources that are read ahead: a law through points that lie far apart is a bad one.
const FASTER_THAN_SOURCES: f64 = 2.0;
/// A step that would leave less than this part of itself to a landmark goes all the way there.
const CRUMB: f64 = 1e-3;

struct Glued {
    plan: Arc<Plan>,
    wish: Glue,
    gait: Gait,
    followers: Vec<Follower>,
    /// Those that depend on time alone and have no steps: they go before the leader.
    sources: Vec<ParticipantId>,
    stride: Stride,
    /// The leader's last step.
    last: f64,
    tangents: Tangents,
    predictions: Predictions,
    /// The next instant that no step passes.
    landmark: SimTime,
    /// An event closer to the end of a step than this is taken there.
    close: f64,
    /// Have all been asked what they can do?
    prepared: bool,
    /// What was known before a checkpoint.
    resumed: Contacts,
    watch: Stopwatch,
    group: Vec<ParticipantId>,
    everyone: Vec<ParticipantId>,
}

/// Tells how long it was since it was last looked at: one look at the clock for each who kept others waiting.
struct Stopwatch(Instant);

impl Stopwatch {
    fn lap(&mut self) -> Duration {
        let now = Instant::now();
        now.duration_since(std::mem::replace(&mut self.0, now))
    }
}

/// How followers came after the leader.
enum Followed {
    /// As far as they may.
    All,
    /// One of them wants the run to end.
    Ended,
    /// One has an event on its way, or cannot take such a step, and can be met there.
    Early(SimTime),
}

/// How a try of the leader's step went.
enum Tried {
    /// Everybody came there.
    Through { at: SimTime, terminated: bool },
    /// A follower has an event before, and can be met there.
    Early(SimTime),
}

impl Glued {
    pub(super) fn new(plan: Arc<Plan>, wish: Glue) -> Self {
        let others = plan.order.iter().copied().filter(|p| *p != wish.leader);
        let is_source = |p: &ParticipantId| {
            let seat = &plan.seats[p.index()];
            seat.foretold && !seat.has_own_grid
        };
        let (sources, followers): (Vec<ParticipantId>, Vec<ParticipantId>) = others.partition(is_source);
        let leader = &plan.seats[wish.leader.index()];
        let most = match leader.has_own_grid {
            true => leader.grid.step().min(wish.max),
            false => wish.max,
        };
        let mut followers: Vec<Follower> = followers.iter().map(|p| Follower::new(&plan, *p)).collect();
        // At one instant those who hold their values go first: the others are to see the new ones.
        followers.sort_by_key(|follower| !follower.discrete);
        Glued {
            gait: match leader.has_own_grid {
                true => Gait::Grid,
                false => Gait::Own,
            },
            followers,
            sources,
            stride: Stride::new(wish.min, most),
            last: leader.grid.step(),
            tangents: Tangents::find(&plan, wish.leader, Tangent::None, |_| false),
            predictions: Predictions::new(Arc::clone(&plan), wish),
            landmark: SimTime::FUTURE,
            close: wish.min,
            prepared: false,
            resumed: Contacts::default(),
            watch: Stopwatch(Instant::now()),
            group: Vec::with_capacity(plan.seats.len()),
            everyone: plan.order.clone(),
            wish,
            plan,
        }
    }

    /// Finds out what everybody can do.
    fn prepare(&mut self, world: &mut World) -> Result<(), RunError> {
        let leader = world.pace_of(self.wish.leader)?;
        if self.gait == Gait::Own && !leader.own_steps {
            let failure =
                Failure::failed("leads, and has no steps of its own that could be asked for one by one")
                    .advise("give it a `step`, or let another component lead: role = \"leader\"");
            let name = &self.plan.seats[self.wish.leader.index()].name;
            return Err(RunError::participant(
                name,
                Call::Step,
                Some(world.frontier()),
                failure,
            ));
        }
        let mut able = vec![false; self.plan.seats.len()];
        for follower in &self.followers {
            let pace = world.pace_of(follower.participant)?;
            able[follower.participant.index()] = pace.tangent && leader.reacts;
            if follower.gait == Gait::Whole && pace.own_steps && pace.shows {
                world.show_inner_steps(follower.participant);
            }
        }
        let (leader, kind) = (self.wish.leader, self.wish.tangent);
        self.tangents = Tangents::find(&self.plan, leader, kind, |p| able[p.index()]);
        self.tangents.note_all(world)?;
        self.tangents.resume(std::mem::take(&mut self.resumed));
        self.prepared = true;
        Ok(())
    }

    /// The next instant that no step of the leader may pass: the end, an event that somebody announced, a corner of a source,
    /// an instant of one who holds its values.
    fn landmark(&self, world: &mut World, from: SimTime, limit: SimTime) -> Result<SimTime, RunError> {
        let plan = &self.plan;
        let stop = plan.resolution.earlier(limit, plan.window.stop);
        let discrete = self.followers.iter().filter(|follower| follower.discrete);
        let instants = discrete.map(|follower| next_on_grid(plan, follower.participant, from));
        let corner = world.next_corner(from)?;
        let event = match plan.resolution.before(from, world.next_event()) {
            true => world.next_event(),
            false => SimTime::FUTURE,
        };
        let next = instants.fold(corner.min(event), SimTime::min);
        Ok(plan.resolution.earlier(next, stop))
    }

    /// How far the leader may go at most.
    fn limit(&self, from: SimTime, landmark: SimTime) -> SimTime {
        let faster = match self.sources.is_empty() {
            true => FASTER,
            false => FASTER_THAN_SOURCES,
        };
        let mut longest = self.wish.max;
        if self.wish.reject {
            longest = longest.min(self.stride.length);
        }
        if self.gait == Gait::Own {
            // However short the last step was, the next one leads on.
            longest = longest.min(faster * self.last.max(self.wish.min));
        }
        // Instants come from a grid or a landmark where one is near enough, and not from adding up steps.
        let planned = match self.gait {
            Gait::Grid if !self.wish.reject => next_on_grid(&self.plan, self.wish.leader, from).min(landmark),
            _ => landmark,
        };
        let limit = match longest * (1.0 + CRUMB) < planned.since(from) {
            true => from.after(longest),
            false => planned,
        };
        match self.plan.resolution.before(limit, landmark) {
            true => limit,
            false => landmark,
        }
    }

    /// One step of the leader, and everybody after it.
    fn attempt(
        &mut self,
        world: &mut World,
        (from, to): (SimTime, SimTime),
        limit: SimTime,
    ) -> Result<Tried, RunError> {
        self.foretell(world, to)?;
        self.tangents.lay(world, from)?;
        self.watch.lap();
        let (at, terminated) = self.lead(world, from, to)?;
        // Whoever announced something wants it to happen to all. And a step is judged by what all make of its end.
        let meeting = world.next_event().min(limit);
        let land = terminated || self.wish.reject || self.plan.resolution.reached(at, meeting);
        let way = Way {
            lead: at,
            ahead: self.wish.ahead,
            land,
            limit,
        };
        Ok(match self.follow(world, way)? {
            Followed::All => Tried::Through { at, terminated },
            Followed::Ended => Tried::Through { at, terminated: true },
            Followed::Early(event) => Tried::Early(event),
        })
    }

    /// Sources go as far as the leader can come.
    fn foretell(&mut self, world: &mut World, limit: SimTime) -> Result<(), RunError> {
        for index in 0..self.sources.len() {
            let source = self.sources[index];
            if self.plan.resolution.before(world.time_of(source), limit) {
                world.step_blindly(&[source], limit)?;
                let unusual = world.unusual().to_vec();
                ending::answer(world, &unusual, limit, true)?;
                world.exchange(&[source], limit)?;
            }
        }
        Ok(())
    }

    /// The leader goes. Answers where it stands, and whether it wants the run to end there.
    fn lead(
        &mut self,
        world: &mut World,
        from: SimTime,
        limit: SimTime,
    ) -> Result<(SimTime, bool), RunError> {
        let leader = self.wish.leader;
        match self.gait {
            Gait::Own => {
                world.step_own(leader, limit)?;
            }
            _ => world.step_blindly(&[leader], limit)?,
        }
        let mut terminated = false;
        match world.unusual().first() {
            None => {}
            // The others have not gone yet, so they can come there as well.
            Some(&(_, StepEnd::Early { at })) if from < at && at <= limit => world.end_at(leader, at)?,
            Some(_) => {
                let unusual = world.unusual().to_vec();
                terminated = ending::answer(world, &unusual, limit, true)?.is_some();
            }
        }
        let at = world.time_of(leader);
        if self.plan.resolution.same(at, self.landmark) {
            world.expect_kink(at);
        }
        world.exchange(&[leader], at)?;
        self.tangents.tell(world, from)?;
        let time = self.watch.lap();
        world.busy(&[leader], time);
        Ok((at, terminated))
    }

    /// All others come after the leader.
    fn follow(&mut self, world: &mut World, way: Way) -> Result<Followed, RunError> {
        while let Some(end) = self.choose(world, way) {
            let group = std::mem::take(&mut self.group);
            let from = group.first().map_or(end, |follower| world.time_of(*follower));
            world.step_blindly(&group, end)?;
            let mut ended = false;
            if !world.unusual().is_empty() {
                let unusual = world.unusual().to_vec();
                if let Some(at) = self.meeting_point(&unusual, (from, end)) {
                    self.group = group;
                    return Ok(Followed::Early(at));
                }
                ended = ending::answer(world, &unusual, end, !self.wish.reject)?.is_some();
            }
            world.exchange(&group, end)?;
            for &follower in &group {
                self.tangents.note(world, follower)?;
            }
            let time = self.watch.lap();
            world.busy(&group, time);
            self.group = group;
            if ended {
                return Ok(Followed::Ended);
            }
        }
        Ok(Followed::All)
    }

    /// Where all others are to meet a follower whose step did not simply complete, if steps can be taken back.
    fn meeting_point(
        &self,
        unusual: &[(ParticipantId, StepEnd)],
        (from, end): (SimTime, SimTime),
    ) -> Option<SimTime> {
        let (_, first) = unusual.first().filter(|_| self.wish.reject)?;
        let at = match first {
            StepEnd::Early { at } => *at,
            StepEnd::Rejected { advice, .. } => from.after(advice.unwrap_or(0.5 * end.since(from))),
            _ => return None,
        };
        (end.since(at) > self.close).then_some(at)
    }

    /// Chooses who goes next, into `self.group`, and says to which instant: whoever is furthest behind, with all others that
    /// go the same way and do not read each other.
    fn choose(&mut self, world: &World, way: Way) -> Option<SimTime> {
        let plan = &self.plan;
        let mut first: Option<(usize, SimTime, SimTime)> = None;
        for (index, follower) in self.followers.iter_mut().enumerate() {
            let at = world.time_of(follower.participant);
            follower.plan_end(plan, at, way);
            let behind = first.is_none_or(|(_, least, _)| plan.resolution.before(at, least));
            if let Some(end) = follower.end.filter(|_| behind) {
                first = Some((index, at, end));
            }
        }
        let (first, at, end) = first?;
        self.group.clear();
        for follower in &self.followers[first..] {
            let same = plan.resolution.same(world.time_of(follower.participant), at)
                && follower.end.is_some_and(|to| plan.resolution.same(to, end));
            let alone = |other: &&Follower| {
                self.group.contains(&other.participant)
                    && (other.reads(follower.participant) || follower.reads(other.participant))
            };
            if same && !self.followers.iter().any(|other| alone(&other)) {
                self.group.push(follower.participant);
            }
        }
        Some(end)
    }

    /// The leader is where all are to meet, and the others come there.
    fn gather(&mut self, world: &mut World, at: SimTime) -> Result<Advanced, RunError> {
        self.watch.lap();
        let way = Way {
            lead: at,
            ahead: 0,
            land: true,
            limit: at,
        };
        let terminated = matches!(self.follow(world, way)?, Followed::Ended);
        world.events(at)?;
        world.settle(at);
        Ok(Advanced {
            frontier: at,
            steps: 0,
            terminated,
        })
    }

    fn reject(&mut self, world: &mut World) -> Result<(), RunError> {
        world.reject(&self.everyone, BEGINNING)?;
        self.tangents.restore();
        Ok(())
    }
}

impl Master for Glued {
    fn advance(&mut self, world: &mut World, limit: SimTime) -> Result<Advanced, RunError> {
        if !self.prepared {
            self.prepare(world)?;
        }
        let from = world.time_of(self.wish.leader);
        if self.plan.resolution.reached(from, limit) {
            return self.gather(world, from);
        }
        let landmark = self.landmark(world, from, limit)?;
        if self.wish.reject {
            world.save(&self.everyone, BEGINNING)?;
            self.tangents.save();
        }
        let mut event: Option<SimTime> = None;
        self.close = self.wish.min;
        let intended = self.stride.length;
        let (at, terminated) = loop {
            let landmark = event.map_or(landmark, |event| event.min(landmark));
            self.landmark = landmark;
            let furthest = self.limit(from, landmark);
            let (at, terminated) = match self.attempt(world, (from, furthest), limit)? {
                Tried::Through { at, terminated } => (at, terminated),
                Tried::Early(found) => {
                    event = Some(found.max(from.after(self.wish.min)));
                    // Two ways to the same event never agree to the last digit.
                    self.close *= 2.0;
                    self.reject(world)?;
                    continue;
                }
            };
            if !self.wish.reject {
                break (at, terminated);
            }
            let off = self.predictions.worst(world, &mut self.tangents, (from, at));
            let tried = at.since(from);
            if off.is_too_far() && self.stride.shorten(tried, off) {
                self.reject(world)?;
                continue;
            }
            match off.is_too_far() {
                // What jumps is met by no step. It is behind now.
                true => self.stride.length = intended,
                false => self.stride.lengthen(tried, off),
            }
            break (at, terminated);
        };
        self.last = at.since(from);
        self.predictions.note(world, &self.tangents, (from, at));
        world.events(at)?;
        let frontier = match self.plan.resolution.reached(at, limit) {
            // Who is behind holds its values between instants of its own.
            true => at,
            false => {
                let all = self.plan.order.iter().map(|p| world.time_of(*p));
                all.fold(SimTime::FUTURE, SimTime::min)
            }
        };
        world.settle(frontier);
        Ok(Advanced {
            frontier,
            steps: 1,
            terminated,
        })
    }

    fn disturbed(&mut self, world: &mut World) -> Result<(), RunError> {
        world.forget_past();
        match self.prepared {
            true => self.tangents.note_all(world),
            false => Ok(()),
        }
    }

    fn keep(&self, writer: &mut Writer) {
        writer.real(self.last);
        self.stride.keep(writer);
        self.predictions.keep(writer);
        self.tangents.keep(writer);
    }

    fn resume(&mut self, _world: &World, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "a step";
        self.last = reader.real(WHAT)?;
        if !(self.last > 0.0 && self.last.is_finite()) {
            return Err(Damage::Nonsense { what: WHAT });
        }
        self.stride.resume(reader)?;
        self.predictions.resume(reader)?;
        self.resumed = Contacts::read(reader)?;
        Ok(())
    }
}
