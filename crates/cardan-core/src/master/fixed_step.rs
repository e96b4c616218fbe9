//! Jacobi and Gauss-Seidel with one step for everybody.
//!
//! Both are the same loop: Jacobi has one wave in which all step side by side and see each other's past; in
//! Gauss-Seidel a later wave sees the points that earlier waves just published. The plan made the waves and decided
//! for each connection what it may see.

use super::{Advanced, Master, ending};
use crate::checkpoint::{Damage, Reader, Writer};
use crate::error::RunError;
use crate::plan::Plan;
use crate::time::{Grid, SimTime};
use crate::world::World;
use std::sync::Arc;

pub(super) struct FixedStep {
    plan: Arc<Plan>,
    grid: Option<Grid>,
    steps: i64,
}

impl FixedStep {
    pub(super) fn new(plan: Arc<Plan>) -> Self {
        FixedStep {
            grid: plan.seats.first().map(|seat| seat.grid),
            plan,
            steps: 0,
        }
    }
}

/// Point `index` of the grid, or the end of the run where that is not truly later.
#[inline]
pub(super) fn landing(plan: &Plan, grid: Grid, index: i64) -> SimTime {
    let at = grid.at(index);
    if plan.resolution.reached(at, plan.window.stop) {
        plan.window.stop
    } else {
        at
    }
}

impl Master for FixedStep {
    #[inline]
    fn advance(&mut self, world: &mut World) -> Result<Advanced, RunError> {
        // A system without participants reaches its end in one step.
        let mut to = self.grid.map_or(self.plan.window.stop, |grid| {
            landing(&self.plan, grid, self.steps + 1)
        });
        let event = world.next_event();
        if self.plan.resolution.before(event, to) {
            to = event;
        } else {
            self.steps += 1;
            // Who acts at an instant knows it best.
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
                if let Some(at) = ending::answer(world, &unusual, to)? {
                    world.exchange(wave, to)?;
                    // Waves to come go just as far as the run does.
                    to = at;
                    terminated = true;
                }
            }
            world.exchange(wave, to)?;
        }
        world.events(to)?;
        world.settle(to);
        Ok(Advanced {
            frontier: to,
            steps: 1,
            terminated,
        })
    }

    /// Where the world stands says it all.
    fn keep(&self, _writer: &mut Writer) {}

    fn resume(&mut self, world: &World, _reader: &mut Reader<'_>) -> Result<(), Damage> {
        let passed = |grid: Grid| grid.count_to(world.frontier(), self.plan.resolution);
        self.steps = self.grid.map_or(0, passed);
        Ok(())
    }
}
