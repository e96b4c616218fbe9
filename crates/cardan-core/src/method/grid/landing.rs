//! Steps on a grid that may be taken back: they end at events, and their waves are crossed by any solver.

use super::landing;
use crate::checkpoint::{Damage, Reader, Resumable, Writer};
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::method::crossing::{BEGINNING, Crossing, Reached, Setback, Stretch};
use crate::method::cuts::{Crowd, Cuts, MOST_CUTS};
use crate::method::gauge::Gauge;
use crate::method::review::review;
use crate::method::{Advanced, Master};
use crate::participant::Failure;
use crate::plan::Plan;
use crate::time::SimTime;
use crate::world::World;
use std::sync::Arc;

/// A step that leads to an event may be as short as this part of a whole one.
const CLOSE: f64 = 1e-12;

/// Takes steps that may be taken back.
pub(super) struct Landing {
    plan: Arc<Plan>,
    gauge: Gauge,
    crossing: Crossing,
    /// Those who can go back.
    saved: Vec<ParticipantId>,
    /// Did the last step end where somebody stopped early, so that signals may have jumped?
    jumped: bool,
    /// Steps that events have cut to nothing.
    crowd: Crowd,
}

impl Landing {
    pub(super) fn new(plan: Arc<Plan>) -> Self {
        // Where a solver has no errors of its own, nothing is judged.
        let (relative, absolute) = plan.method.solver.allowed().unwrap_or((1.0, 0.0));
        Landing {
            gauge: Gauge::new(Arc::clone(&plan), relative, absolute),
            crossing: Crossing::new(Arc::clone(&plan)),
            saved: Vec::new(),
            jumped: false,
            crowd: Crowd::default(),
            plan,
        }
    }

    /// Where the next step is to end: at the next point of a grid, or an event or the limit before it.
    fn target(&self, world: &mut World, limit: SimTime) -> Result<SimTime, RunError> {
        let plan = &self.plan;
        let corner = world.next_corner(world.frontier())?;
        let grids = plan.seats.iter().map(|seat| {
            let passed = seat.grid.count_to(world.frontier(), plan.resolution);
            landing(plan, seat.grid, passed + 1)
        });
        let grid = grids.fold(plan.window.stop, SimTime::min);
        let event = world.next_event().min(corner);
        // Who acts at an instant knows it best.
        let next = match plan.resolution.reached(grid, event) {
            true => event,
            false => grid,
        };
        Ok(match plan.resolution.before(limit, next) {
            true => limit,
            false => next,
        })
    }

    /// Goes to `to`, or to an event before it.
    fn step(&mut self, world: &mut World, mut to: SimTime) -> Result<Reached, RunError> {
        let from = world.frontier();
        self.jumped = false;
        let hair = self.crowd.hair(CLOSE * to.since(from));
        let mut cuts = Cuts::new(&self.plan, from, hair);
        loop {
            let close = cuts.close(to);
            let stretch = Stretch {
                from,
                to,
                repeats: true,
                close,
                rounds: 1,
                part: 1.0,
                slot: BEGINNING,
            };
            let swept = match self.crossing.go(world, &self.gauge, stretch)? {
                Ok(reached) => self.crossing.finish(world, reached, close)?,
                setback => setback,
            };
            let swept = match swept {
                Ok(reached) => {
                    // Whoever has passed its event in a hair is not asked again: others have heard of it.
                    let cutters = if cuts.bridges(to) { &[] } else { cuts.cutters() };
                    match review(world, cutters, (reached.at, close))? {
                        Some((at, who)) => Err(Setback::Early(at, who)),
                        None => Ok(reached),
                    }
                }
                setback => setback,
            };
            match swept {
                Ok(reached) => {
                    self.jumped |= cuts.bridges(reached.at);
                    self.crowd
                        .note(&self.plan, reached.at.since(from), !cuts.cutters().is_empty());
                    return Ok(reached);
                }
                Err(Setback::Early(at, who)) => {
                    self.jumped |= !world.acts(who);
                    to = match cuts.cut(at, who) {
                        Some(end) => end,
                        None => return Err(self.chattering(from, at)),
                    };
                }
                Err(Setback::Refused(who, advice)) => return Err(self.refused(who, (from, to), advice)),
                Err(Setback::Broken(error)) => return Err(error),
            }
            world.reject(&self.saved, BEGINNING)?;
        }
    }

    #[cold]
    fn chattering(&self, from: SimTime, at: SimTime) -> RunError {
        let failure = Failure::numbers(format!(
            "events come too thick: the step from {from} s was cut short {MOST_CUTS} times, the last time at {at} s"
        ))
        .advise("does a contact chatter? A softer contact, or kind = \"adaptive\" with a min_step, may help");
        let name = self.plan.seats.first().map_or("", |seat| seat.name.as_str());
        RunError::participant(name, Call::Step, Some(from), failure)
    }

    #[cold]
    fn refused(&self, who: ParticipantId, (from, to): (SimTime, SimTime), advice: Option<f64>) -> RunError {
        let failure = Failure::numbers(format!("refuses the step from {from} s to {to} s"));
        let failure = match advice {
            Some(step) => failure.advise(format!(
                "it suggests a step of {step:.3e} s: try --step {step:.3e}"
            )),
            None => failure.advise("try a shorter step, or leave `step` out to let it be chosen"),
        };
        RunError::participant(
            &self.plan.seats[who.index()].name,
            Call::Step,
            Some(from),
            failure,
        )
    }
}

impl Master for Landing {
    fn advance(&mut self, world: &mut World, limit: SimTime) -> Result<Advanced, RunError> {
        if self.saved.is_empty() {
            self.saved = world.two_way().collect();
        }
        if self.jumped {
            world.forget_past();
        }
        self.gauge.learn(world);
        world.save(&self.saved, BEGINNING)?;
        let to = self.target(world, limit)?;
        let reached = self.step(world, to)?;
        self.jumped |= world.land(reached.at)?;
        self.jumped |= world.events(reached.at)?;
        world.settle(reached.at);
        Ok(Advanced {
            frontier: reached.at,
            steps: 1,
            terminated: reached.terminated,
        })
    }

    fn disturbed(&mut self, _world: &mut World) -> Result<(), RunError> {
        self.jumped = true;
        Ok(())
    }

    fn keep(&self, writer: &mut Writer) {
        writer.boolean(self.jumped);
        self.crowd.keep(writer);
        self.gauge.keep(writer);
        self.crossing.keep(writer);
    }

    fn resume(&mut self, _world: &World, reader: &mut Reader<'_>) -> Result<(), Damage> {
        self.jumped = reader.boolean("jumps")?;
        self.crowd.resume(reader)?;
        self.gauge.resume(reader)?;
        self.crossing.resume(reader)
    }
}
