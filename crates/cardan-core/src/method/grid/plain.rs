//! Jacobi and Gauss-Seidel with one step for everybody.
//!
//! Both are the same loop: Jacobi has one wave in which all step side by side and see each other's past; in
//! Gauss-Seidel a later wave sees the points that earlier waves just published. The plan made the waves and decided
//! for each connection what it may see.
//!
//! Where somebody has events and all can go back, a step that an event cuts short is taken back and ends at the event.

use super::landing;
use super::landing::Landing;
use crate::checkpoint::{Damage, Reader, Writer};
use crate::error::RunError;
use crate::method::{Advanced, Master, ending};
use crate::plan::Plan;
use crate::time::{Grid, SimTime};
use crate::world::World;
use std::sync::Arc;

pub(super) struct Plain {
    plan: Arc<Plan>,
    grid: Option<Grid>,
    steps: i64,
    /// Takes steps that may be taken back, once it is known whether there are any.
    landing: Option<Option<Box<Landing>>>,
}

impl Plain {
    pub(super) fn new(plan: Arc<Plan>) -> Self {
        Plain {
            grid: plan.seats.first().map(|seat| seat.grid),
            plan,
            steps: 0,
            landing: None,
        }
    }

    /// The way of steps that end at events, if there is one.
    #[inline]
    fn landing(&mut self, world: &World) -> Option<&mut Landing> {
        let landing = self.landing.get_or_insert_with(|| {
            let lands = world.shares_events() && world.one_way().next().is_none();
            lands.then(|| Box::new(Landing::new(Arc::clone(&self.plan))))
        });
        landing.as_deref_mut()
    }
}

impl Master for Plain {
    #[inline]
    fn advance(&mut self, world: &mut World, limit: SimTime) -> Result<Advanced, RunError> {
        if let Some(landing) = self.landing(world) {
            return landing.advance(world, limit);
        }
        // A system without participants reaches its end in one step.
        let mut to = self.grid.map_or(self.plan.window.stop, |grid| {
            landing(&self.plan, grid, self.steps + 1)
        });
        let event = world.next_event().min(limit);
        if self.plan.resolution.before(event, to) {
            to = event;
        } else {
            self.steps += 1;
            // Who acts at an instant knows it best.
            let event = world.next_event();
            to = if self.plan.resolution.same(event, to) {
                event
            } else {
                to
            };
        }
        let mut terminated = false;
        for wave in &self.plan.waves {
            let wave = &self.plan.order[wave.clone()];
            let unusual = world.step_group(wave, to)?;
            if !unusual.is_empty() {
                let unusual = unusual.to_vec();
                if let Some(at) = ending::answer(world, &unusual, to, true)? {
                    world.exchange(wave, to)?;
                    // Waves to come go just as far as the run does.
                    to = at;
                    terminated = true;
                }
            }
            world.exchange(wave, to)?;
        }
        world.note_late_events(to)?;
        world.events(to)?;
        world.settle(to);
        Ok(Advanced {
            frontier: to,
            steps: 1,
            terminated,
        })
    }

    fn disturbed(&mut self, world: &mut World) -> Result<(), RunError> {
        match self.landing(world) {
            Some(landing) => landing.disturbed(world),
            None => {
                world.forget_past();
                Ok(())
            }
        }
    }

    /// Where the world stands says it all, unless steps may be taken back.
    fn keep(&self, writer: &mut Writer) {
        if let Some(Some(landing)) = &self.landing {
            landing.keep(writer);
        }
    }

    fn resume(&mut self, world: &World, reader: &mut Reader<'_>) -> Result<(), Damage> {
        if let Some(landing) = self.landing(world) {
            return landing.resume(world, reader);
        }
        let passed = |grid: Grid| grid.count_to(world.frontier(), self.plan.resolution);
        self.steps = self.grid.map_or(0, passed);
        Ok(())
    }
}
