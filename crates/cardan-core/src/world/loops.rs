//! Loops: outputs that depend on each other at one instant, found together.
//!
//! A loop is cut open at every real connection inside it. The values `u` of the cut inputs are unknown; evaluating
//! the members with them gives the values `g(u)` that the connections would carry, and `u = g(u)` is solved by
//! Newton's method. Its matrix comes from the members' directional derivatives, or from differences where they have
//! none, and is kept from one instant to the next while it does its work. Where Newton fails, damped fixed-point
//! iteration is tried before the run gives up.

use super::World;
use super::crew::Task;
use crate::accel::{Accelerator, Newton};
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::participant::Failure;
use crate::plan::Loop;
use crate::planes::Planes;
use crate::time::SimTime;

/// A residual this small against the size of the values is rounding.
const TIGHT: f64 = 1e-12;
/// A residual this small is a solution if it does not shrink any more.
const ENOUGH: f64 = 1e-8;
/// Newton either converges within this many rounds or does not.
const NEWTON_ROUNDS: u32 = 50;
/// A step is halved this often before it counts as leading nowhere.
const HALVINGS: u32 = 10;
/// The same for fixed-point iteration, with half of each change taken.
const FIXED_POINT_ROUNDS: u32 = 2000;

/// What the solver of one loop keeps between instants.
#[derive(Debug, Default)]
pub(super) struct LoopMemory {
    u: Vec<f64>,
    g: Vec<f64>,
    pub(super) newton: Newton,
}

impl LoopMemory {
    pub(super) fn of(circle: &Loop) -> Self {
        let n = circle.tears.len();
        let mut newton = Newton::default();
        newton.begin(&vec![1.0; n]);
        LoopMemory {
            u: vec![0.0; n],
            g: vec![0.0; n],
            newton,
        }
    }

    /// The matrix is too old.
    pub(super) fn forget(&mut self) {
        self.newton.forget();
    }

    /// Is what is left rounding, against the values themselves? Small systems are solved as well as large ones.
    fn is_tight(&self) -> bool {
        let largest = self
            .u
            .iter()
            .chain(&self.g)
            .fold(0.0, |most: f64, v| most.max(v.abs()));
        let mut pairs = self.u.iter().zip(&self.g);
        pairs.all(|(u, g)| (g - u).abs() <= TIGHT * u.abs().max(REST * largest))
    }

    /// The largest difference between what was assumed and what came out, against the size of the values.
    fn residual(&self, circle: &Loop) -> f64 {
        let parts = circle.tears.iter().zip(self.u.iter().zip(&self.g));
        parts
            .map(|(tear, (u, g))| (g - u).abs() / scale(tear.nominal, *u))
            // A maximum that does not lose what is not a number.
            .fold(0.0, |worst, part| if part <= worst { worst } else { part })
    }
}

/// Values that are smaller than this part of the largest one of their loop are what is left of larger ones.
const REST: f64 = 1e-3;

fn scale(nominal: f64, value: f64) -> f64 {
    let size = nominal.max(value.abs());
    if size > 0.0 { size } else { 1.0 }
}

/// How a loop was solved.
struct Solved {
    rounds: u32,
    residual: f64,
}

impl World {
    /// Evaluates the outputs of a loop, number `index` of the present phase, where its `members` stand. Members that
    /// stand elsewhere are read, so that what is left is no loop.
    pub(super) fn solve_loop(
        &mut self,
        index: usize,
        circle: &Loop,
        members: &[ParticipantId],
    ) -> Result<(), RunError> {
        let at = members.first().map_or(self.frontier, |m| self.at[m.index()]);
        if members.len() < circle.members.len() {
            for &member in members {
                self.evaluate(member, at)?;
            }
            return Ok(());
        }
        let mut memory = std::mem::take(&mut self.loops[index]);
        let solved = self.find_outputs(circle, &mut memory, at);
        self.loops[index] = memory;
        let solved = solved?;
        self.monitor
            .solved(&circle.names, at, solved.rounds, solved.residual);
        Ok(())
    }

    fn find_outputs(
        &mut self,
        circle: &Loop,
        memory: &mut LoopMemory,
        at: SimTime,
    ) -> Result<Solved, RunError> {
        for &member in &circle.members {
            self.exchange_inputs(member, at);
        }
        for (u, tear) in memory.u.iter_mut().zip(&circle.tears) {
            *u = self.team.desk(tear.reader).current.reals[tear.input as usize];
        }
        let guess = memory.u.clone();
        if let Some(solved) = self.newton(circle, memory, at)? {
            return Ok(solved);
        }
        memory.newton.forget();
        memory.u = guess;
        match self.fixed_point(circle, memory, at)? {
            Ok(solved) => Ok(solved),
            Err(residual) => Err(self.unsolved(circle, at, residual)),
        }
    }

    fn newton(
        &mut self,
        circle: &Loop,
        memory: &mut LoopMemory,
        at: SimTime,
    ) -> Result<Option<Solved>, RunError> {
        let mut settled = self.evaluate_loop(circle, memory, at)?;
        let mut residual = memory.residual(circle);
        let mut before = f64::INFINITY;
        for rounds in 1..=NEWTON_ROUNDS {
            let at_rest = residual <= ENOUGH && residual > 0.5 * before;
            if settled && (memory.is_tight() || at_rest) {
                return Ok(Some(Solved { rounds, residual }));
            }
            let fresh = !memory.newton.has_jacobian();
            if fresh && !self.differentiate(circle, memory, at)? {
                return Ok(None);
            }
            before = residual;
            (residual, settled) = self.newton_step(circle, memory, at, residual)?;
            if !residual.is_finite() || (fresh && residual > before && before > ENOUGH) {
                return Ok(None);
            }
            // Old factors that no longer lead on quickly are made anew.
            if residual > 0.1 * before && residual > TIGHT {
                memory.newton.forget();
            }
        }
        Ok(None)
    }

    /// One step, halved while it makes things worse.
    fn newton_step(
        &mut self,
        circle: &Loop,
        memory: &mut LoopMemory,
        at: SimTime,
        residual: f64,
    ) -> Result<(f64, bool), RunError> {
        let base = memory.u.clone();
        let mut step: Vec<f64> = memory.g.iter().zip(&base).map(|(g, u)| g - u).collect();
        memory.newton.solve(&mut step);
        let mut part = 1.0;
        let mut found = (f64::INFINITY, false);
        for _ in 0..HALVINGS {
            for (u, (base, step)) in memory.u.iter_mut().zip(base.iter().zip(&step)) {
                *u = base + part * step;
            }
            let settled = self.evaluate_loop(circle, memory, at)?;
            found = (memory.residual(circle), settled);
            if found.0 <= residual || residual <= ENOUGH {
                break;
            }
            part *= 0.5;
        }
        Ok(found)
    }

    fn fixed_point(
        &mut self,
        circle: &Loop,
        memory: &mut LoopMemory,
        at: SimTime,
    ) -> Result<Result<Solved, f64>, RunError> {
        let mut residual = f64::INFINITY;
        for rounds in 1..=FIXED_POINT_ROUNDS {
            let settled = self.evaluate_loop(circle, memory, at)?;
            residual = memory.residual(circle);
            if settled && residual <= TIGHT {
                return Ok(Ok(Solved { rounds, residual }));
            }
            if !residual.is_finite() {
                break;
            }
            for (u, g) in memory.u.iter_mut().zip(&memory.g) {
                *u += 0.5 * (g - *u);
            }
        }
        Ok(if residual <= ENOUGH {
            Ok(Solved {
                rounds: FIXED_POINT_ROUNDS,
                residual,
            })
        } else {
            Err(residual)
        })
    }

    /// Evaluates all members with the assumed inputs. Tells whether what is not a real stayed as it was.
    fn evaluate_loop(
        &mut self,
        circle: &Loop,
        memory: &mut LoopMemory,
        at: SimTime,
    ) -> Result<bool, RunError> {
        let before = self.discrete_outputs(circle);
        // First all inputs, then all outputs, so that the order of the members does not show.
        for &member in &circle.members {
            self.exchange_inputs(member, at);
        }
        for (u, tear) in memory.u.iter().zip(&circle.tears) {
            self.team.desk(tear.reader).current.reals[tear.input as usize] = *u;
        }
        self.outputs_of(&circle.members, at)?;
        for (g, tear) in memory.g.iter_mut().zip(&circle.tears) {
            let row = self.histories[tear.source.index()].latest_row();
            *g = tear.conversion.apply(row.reals[tear.column as usize]);
        }
        Ok(before == self.discrete_outputs(circle))
    }

    fn discrete_outputs(&self, circle: &Loop) -> Vec<Planes> {
        let members = circle.members.iter();
        let histories = members.map(|m| &self.histories[m.index()]);
        histories
            .filter(|history| history.extent().has_discrete() && !history.is_empty())
            .map(|history| Planes {
                reals: Vec::new(),
                ..history.latest_row().to_planes()
            })
            .collect()
    }

    /// Turns residuals of the cut inputs of a loop into the changes that mend them, to first order. False if no change
    /// follows from them.
    pub(super) fn newton_of_loop(
        &mut self,
        circle: &Loop,
        index: usize,
        at: SimTime,
        residual: &mut [f64],
    ) -> Result<bool, RunError> {
        let mut memory = std::mem::take(&mut self.loops[index]);
        let known = match memory.newton.has_jacobian() {
            true => Ok(true),
            false => self.differentiate(circle, &mut memory, at),
        };
        if let Ok(true) = known {
            memory.newton.solve(residual);
        }
        self.loops[index] = memory;
        known
    }

    /// Asks for outputs with the inputs that lie on the desks.
    fn outputs_of(&mut self, members: &[ParticipantId], at: SimTime) -> Result<(), RunError> {
        if self.team.is_local() {
            for &member in members {
                self.called = member;
                // One instant sees many of these.
                self.pen.calling_again(member, Call::Outputs, at);
                self.outputs_at_home(member, at)?;
            }
            return Ok(());
        }
        self.team.perform(Task::Outputs, members.iter().copied());
        members.iter().try_for_each(|&member| self.take_outputs(member))
    }

    /// Gives Newton's method `∂g/∂u`. False if no step follows from it.
    fn differentiate(
        &mut self,
        circle: &Loop,
        memory: &mut LoopMemory,
        at: SimTime,
    ) -> Result<bool, RunError> {
        let n = circle.tears.len();
        let mut reactions = vec![0.0; n * n];
        for (j, tear) in circle.tears.iter().enumerate() {
            let change = match self.directional(tear.reader, tear.input as usize, at)? {
                Some(change) => change,
                None => self.difference(circle, memory, j, at)?,
            };
            for (i, driven) in circle.tears.iter().enumerate() {
                if driven.source == tear.reader {
                    reactions[i * n + j] = driven.conversion.factor * change[driven.column as usize];
                }
            }
        }
        Ok(memory.newton.set_jacobian(&reactions).is_ok())
    }

    /// How the outputs of a member react to one of its inputs, if it can tell.
    fn directional(
        &mut self,
        member: ParticipantId,
        input: usize,
        at: SimTime,
    ) -> Result<Option<Vec<f64>>, RunError> {
        let extent = self.plan.seats[member.index()].output_extent;
        let inputs = self.team.desk(member).current.clone();
        self.call(member, Call::Derivatives, Some(at), move |p| {
            let Some(ability) = p.derivatives() else {
                return Ok(None);
            };
            let mut direction = vec![0.0; inputs.reals.len()];
            direction[input] = 1.0;
            let mut change = vec![0.0; extent.reals];
            ability.directional(at, &inputs, &direction, &mut change)?;
            Ok(change.iter().all(|c| c.is_finite()).then_some(change))
        })
    }

    /// The same by moving the input a little.
    fn difference(
        &mut self,
        circle: &Loop,
        memory: &LoopMemory,
        index: usize,
        at: SimTime,
    ) -> Result<Vec<f64>, RunError> {
        let tear = &circle.tears[index];
        let (member, input) = (tear.reader, tear.input as usize);
        let base = self.histories[member.index()].latest_reals().to_vec();
        let value = memory.u[index];
        let moved = value + f64::EPSILON.sqrt() * scale(tear.nominal, value);
        self.team.desk(member).current.reals[input] = moved;
        let result = self.outputs_of(&[member], at);
        let away = self.histories[member.index()].latest_reals().to_vec();
        // Back to where the residual was taken, outputs included.
        self.team.desk(member).current.reals[input] = value;
        result?;
        self.outputs_of(&[member], at)?;
        let change = away.iter().zip(&base);
        Ok(change.map(|(a, b)| (a - b) / (moved - value)).collect())
    }

    #[cold]
    fn unsolved(&self, circle: &Loop, at: SimTime, residual: f64) -> RunError {
        let first = circle
            .members
            .first()
            .map_or("", |m| &self.plan.seats[m.index()].name);
        let shown = circle
            .names
            .iter()
            .take(8)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ");
        let failure = Failure::numbers(format!(
            "the outputs {shown} depend on each other at the same instant, and no values were found that fit all of \
             them: neither Newton's method nor fixed-point iteration converged (residual {residual:.1e})"
        ))
        .advise("give start values near the solution, or break the loop with a lag or a sampled component");
        RunError::participant(first, Call::Outputs, Some(at), failure)
    }
}
