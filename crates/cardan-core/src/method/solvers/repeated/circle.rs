//! A circle of participants that repeat a step until what they assumed of each other is what they do.

use super::interface::Interface;
use super::newton;
use crate::accel::{
    Accelerator, Aitken, Broyden, Convergence, IqnIls, IqnIlsSettings, Measure, Newton, NoProposal,
    Relaxation,
};
use crate::checkpoint::{Damage, Reader, Writer};
use crate::error::{Call, RunError, RunErrorKind};
use crate::graph::ParticipantId;
use crate::method::crossing::{Crossed, Reached, Setback, Stretch, arrive, once};
use crate::method::forecast::Forecast;
use crate::method::gauge::Gauge;
use crate::method::{Acceleration, Iteration, Sweep, WaveSolver, members};
use crate::participant::Failure;
use crate::plan::Plan;
use crate::time::SimTime;
use crate::world::World;

/// From one step to the next, reactions may grow by so much.
const GROWTH: f64 = 2.0;
/// A residual that has grown by so much does not come back: who is driven by it may not come back either.
const HOPELESS: f64 = 1e4;
/// Below this, reactions are small enough to count on them: a residual acts on the result only through them.
const WEAK: f64 = 0.5;
/// How much of the way to values that broke the numbers is tried next, and how often.
const RETREAT: f64 = 0.25;
const RETREATS: u32 = 8;

/// A circle and what is kept of its rounds.
pub(super) struct Circle {
    members: Vec<ParticipantId>,
    /// Do all step at once in a round, or one after the other?
    side_by_side: bool,
    interface: Interface,
    iteration: Iteration,
    accelerator: Box<dyn Accelerator>,
    convergence: Convergence,
    /// What was assumed, what came of it, and what to try next.
    x: Vec<f64>,
    image: Vec<f64>,
    next: Vec<f64>,
    /// The same one round before.
    x_before: Vec<f64>,
    image_before: Vec<f64>,
    bounds: Vec<f64>,
    /// How much of a change of what was assumed came through, in the last step that was repeated, and its length.
    reaction: (f64, f64),
}

impl Circle {
    pub(super) fn new(plan: &Plan, wave: usize, iteration: Iteration) -> Self {
        let side_by_side = plan.method.sweep == Sweep::Jacobi;
        let members = members(plan, wave);
        let interface = Interface::of(plan, members, side_by_side);
        let n = interface.len();
        Circle {
            members: members.to_vec(),
            side_by_side,
            iteration,
            accelerator: match iteration.acceleration {
                Acceleration::FixedPoint { factor } => Box::new(Relaxation::new(factor)),
                Acceleration::Aitken => Box::new(Aitken::default()),
                Acceleration::Broyden => Box::new(Broyden::default()),
                Acceleration::IqnIls { reuse } => Box::new(IqnIls::new(IqnIlsSettings {
                    first: 1.0,
                    reuse,
                    ..IqnIlsSettings::default()
                })),
                Acceleration::Newton => Box::new(Newton::new()),
            },
            convergence: Convergence::new(0.0, vec![0.0; n]),
            x: vec![0.0; n],
            image: vec![0.0; n],
            next: vec![0.0; n],
            x_before: vec![0.0; n],
            image_before: vec![0.0; n],
            bounds: vec![0.0; n],
            reaction: (f64::INFINITY, 1.0),
            interface,
        }
    }

    /// Goes to the end of a stretch, again and again, until values fit together.
    fn agree(
        &mut self,
        world: &mut World,
        (gauge, forecast): (&Gauge, &mut Forecast),
        stretch: Stretch,
    ) -> Result<Crossed, RunError> {
        let (to, step) = (stretch.to, stretch.to.since(stretch.from));
        self.interface.foretell(world, forecast, step, &mut self.x);
        // What acts through two integrations grows with the square of the step.
        let longer = (step / self.reaction.1).max(1.0);
        let mut reaction = GROWTH * longer * longer * self.reaction.0;
        let mut known = false;
        let mut first = None;
        let mut retreats = 0;
        let least = stretch.rounds.min(self.iteration.rounds);
        for round in 1..=self.iteration.rounds {
            let reached = match self.try_out(world, forecast, stretch) {
                Ok(Ok(reached)) => reached,
                Err(error) if known && retreats < RETREATS && error.kind() == RunErrorKind::Numbers => {
                    // The way was right, perhaps, and too long.
                    retreats += 1;
                    self.back(world, stretch)?;
                    for (x, before) in self.x.iter_mut().zip(&self.x_before) {
                        *x = before + RETREAT * (*x - before);
                    }
                    continue;
                }
                other => return other,
            };
            self.interface.take(world, step, &self.x, &mut self.image);
            retreats = 0;
            if round == 1 {
                for &member in &self.members {
                    forecast.note_first(world, member);
                }
                // Signals that began with zero have a size from now on.
                self.interface.allow(gauge, world, stretch.part, &mut self.bounds);
                self.convergence.begin_with(&self.bounds);
                self.accelerator.begin(&self.bounds);
            }
            let measure = self.convergence.measure(&self.x, &self.image);
            if known {
                reaction = self.measure_reaction();
            }
            if round >= least && measure.ratio * effect(reaction) <= 1.0 {
                if known {
                    self.reaction = (reaction, step);
                }
                self.accelerator.accept(&self.x, &self.image);
                return Ok(Ok(reached));
            }
            if reached.terminated {
                // Where somebody ends the run, nothing is repeated any more.
                return Ok(Ok(reached));
            }
            let hopeless = HOPELESS * first.get_or_insert(measure.ratio).max(HOPELESS);
            if round == self.iteration.rounds || measure.ratio > hopeless {
                return Ok(Err(Setback::Broken(self.disagree(world, gauge, to, measure))));
            }
            if let Err(reason) = self.propose(world, forecast, stretch)? {
                let lost = self.lost(world, to, &reason.to_string(), measure);
                return Ok(Err(Setback::Broken(lost)));
            }
            self.x_before.copy_from_slice(&self.x);
            self.image_before.copy_from_slice(&self.image);
            self.x.copy_from_slice(&self.next);
            known = true;
            self.back(world, stretch)?;
        }
        let reason = "its rounds were spent on retreats from values that break the numbers";
        let lost = self.lost(world, to, reason, self.convergence_of_last());
        Ok(Err(Setback::Broken(lost)))
    }

    /// One round with the values that are assumed now.
    fn try_out(&self, world: &mut World, forecast: &Forecast, stretch: Stretch) -> Result<Crossed, RunError> {
        let (to, step) = (stretch.to, stretch.to.since(stretch.from));
        self.interface.assume(world, forecast, (to, step), &self.x);
        if self.side_by_side {
            world.step_blindly(&self.members, to)?;
            return arrive(world, &self.members, (to, stretch.close), true);
        }
        let mut reached = Reached::at(to);
        for member in self.members.chunks(1) {
            match once(
                world,
                member,
                Stretch {
                    to: reached.at,
                    repeats: true,
                    ..stretch
                },
            )? {
                Ok(own) => reached.join(own),
                setback => return Ok(setback),
            }
        }
        Ok(Ok(reached))
    }

    /// Back to the beginning, for another round.
    fn back(&self, world: &mut World, stretch: Stretch) -> Result<(), RunError> {
        world.repeat(&self.members, stretch.slot)
    }

    /// Finds the values to try next.
    fn propose(
        &mut self,
        world: &mut World,
        forecast: &Forecast,
        stretch: Stretch,
    ) -> Result<Result<(), NoProposal>, RunError> {
        if self.accelerator.needs_jacobian(&self.x, &self.image) {
            let reactions = match self.differentiate(world, forecast, stretch)? {
                Some(reactions) => reactions,
                None => return Ok(Err(NoProposal::NoJacobian)),
            };
            if let Err(reason) = self.accelerator.set_jacobian(&reactions) {
                return Ok(Err(reason));
            }
        }
        Ok(self.accelerator.propose(&self.x, &self.image, &mut self.next))
    }

    /// How what comes out reacts to what is assumed, row by row: one round for each value. None if a round does not come
    /// through.
    fn differentiate(
        &mut self,
        world: &mut World,
        forecast: &Forecast,
        stretch: Stretch,
    ) -> Result<Option<Vec<f64>>, RunError> {
        let n = self.interface.len();
        let step = stretch.to.since(stretch.from);
        let mut reactions = newton::Reactions::new(n);
        let (x, image) = (self.x.clone(), self.image.clone());
        let mut moved = vec![0.0; n];
        for (j, &value) in x.iter().enumerate() {
            self.back(world, stretch)?;
            let size = self.bounds[j] / stretch.part;
            self.x[j] = value + newton::nudge(value, size, self.iteration.relative);
            let nudge = self.x[j] - value;
            let tried = self.try_out(world, forecast, stretch);
            self.x[j] = value;
            match tried {
                Ok(Ok(_)) => {}
                Err(error) if error.kind() != RunErrorKind::Numbers => return Err(error),
                _ => return Ok(None),
            }
            self.interface.take(world, step, &self.x, &mut moved);
            reactions.set(j, &image, &moved, nudge);
        }
        Ok(Some(reactions.rows))
    }

    /// The largest change of what came out, against that of what was assumed, in units of what is allowed.
    fn measure_reaction(&self) -> f64 {
        let largest = |now: &[f64], before: &[f64]| {
            let changes = now.iter().zip(before).zip(&self.bounds);
            let changes = changes.map(|((now, before), bound)| match now == before {
                true => 0.0,
                false => (now - before).abs() / bound,
            });
            changes.fold(0.0, f64::max)
        };
        let assumed = largest(&self.x, &self.x_before);
        let came = largest(&self.image, &self.image_before);
        match assumed > 0.0 && assumed.is_finite() {
            true => came / assumed,
            false => f64::INFINITY,
        }
    }

    fn convergence_of_last(&self) -> Measure {
        let last = self.convergence.history().ratios().last().copied();
        Measure {
            ratio: last.unwrap_or(f64::INFINITY),
            worst: None,
        }
    }

    #[cold]
    fn disagree(&self, world: &World, gauge: &Gauge, at: SimTime, measure: Measure) -> RunError {
        let rounds = self.convergence.rounds();
        let worst = measure.worst.map(|i| self.interface.place(i));
        let named = worst.map_or("a value".to_owned(), |(who, column, slope)| {
            let name = gauge.name((who, column));
            if slope {
                format!("the slope of {name}")
            } else {
                name
            }
        });
        let reason = format!(
            "after {rounds} rounds, {named} as assumed and as computed still differ by {:.2e} times what is allowed",
            measure.ratio
        );
        self.lost(world, at, &reason, measure)
    }

    #[cold]
    fn lost(&self, world: &World, at: SimTime, reason: &str, measure: Measure) -> RunError {
        let plan = world.plan();
        let who = measure
            .worst
            .map_or(self.members[0], |i| self.interface.place(i).0);
        let members: Vec<&str> = self
            .members
            .iter()
            .map(|m| plan.seats[m.index()].name.as_str())
            .collect();
        let failure = Failure::numbers(format!(
            "the step to {at} s does not converge: {reason} (residuals of the rounds, in units of what is allowed: {}; \
             in the circle of {})",
            self.convergence.history(),
            members.join(", ")
        ))
        .advise(format!(
            "try a shorter step; {}or a larger tolerance or max_iterations under [method]",
            match self.iteration.acceleration {
                Acceleration::FixedPoint { .. } | Acceleration::Aitken =>
                    "accelerator = \"iqn-ils\" or \"newton\", which stiff couplings need; ",
                Acceleration::Broyden | Acceleration::IqnIls { .. } => "accelerator = \"newton\"; ",
                Acceleration::Newton => "",
            }
        ));
        let name = &plan.seats[who.index()].name;
        RunError::participant(name, Call::Step, Some(at), failure)
    }
}

impl WaveSolver for Circle {
    fn cross(
        &mut self,
        world: &mut World,
        _wave: &[ParticipantId],
        judge: (&Gauge, &mut Forecast),
        stretch: Stretch,
    ) -> Result<Crossed, RunError> {
        self.agree(world, judge, stretch)
    }

    fn keep(&self, writer: &mut Writer) {
        writer.real(self.reaction.0);
        writer.real(self.reaction.1);
        self.accelerator.keep(writer);
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "reactions";
        self.reaction = (reader.real(WHAT)?, reader.real(WHAT)?);
        self.accelerator.resume(reader)
    }
}

/// How much of a residual is an error of the result: what was assumed wrongly acts through the reactions, again and again.
fn effect(reaction: f64) -> f64 {
    if reaction < WEAK {
        reaction / (1.0 - reaction)
    } else {
        1.0
    }
}
