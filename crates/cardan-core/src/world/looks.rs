//! Looking at the coupling during a run: how far off the readings are.
//!
//! Where steps are chosen, at every one of them. With fixed steps a look must cost next to nothing: the first few thousand
//! readings are all looked at, so that short runs are known exactly, later ones once in a while.

use super::World;
use super::correction::last_step;
use crate::checkpoint::{Damage, Reader, Resumable, Writer};
use crate::monitor::{ConnectionAccount, WarningKind};
use crate::plan::{Plan, ProbeName, Probes};
use crate::signal::{Defect, History};
use crate::time::SimTime;
use std::sync::Arc;

/// So many readings are all looked at.
const EXACT: usize = 4096;
/// After them, those of one step in so many.
const STRIDE: u64 = 128;
/// A defect of so much of the range of its signal is large.
const LARGE: f64 = 0.1;
/// Readings that are wrong by so much of what moves say little about the signal. A sine that is held is wrong by 2π over
/// the steps of a period: there are twelve of them.
const UNTRUSTWORTHY: f64 = 0.5;
/// One jump is no swing; so many turns with large defects are.
const SWINGS: u32 = 4;
/// A mean of fewer looks says nothing.
const FEWEST: u64 = 8;
/// Changes below this part of the largest value are noise of solvers, not the range of a signal.
const NOISE: f64 = 1e-6;

/// What is known of the readings so far.
pub(super) struct Looks {
    /// Parallel to the probes of the plan.
    tallies: Vec<Tally>,
    /// Is every step looked at?
    exact: bool,
    /// The step after which to look again, counted as `World::settled`.
    due: u64,
    /// The one after which it looked last.
    last: u64,
    /// Readings looked at so far.
    seen: usize,
}

/// What is known of one reading.
#[derive(Clone, Copy)]
struct Tally {
    low: f64,
    high: f64,
    largest: f64,
    time: SimTime,
    /// The sum of the squares of defects.
    squares: f64,
    /// The first value, and sums over the distances from it: of themselves and of their squares.
    first: f64,
    distances: f64,
    spread: f64,
    /// For how many steps the sums stand.
    steps: f64,
    looks: u64,
    /// Looks at large defects of a signal that turned at every point.
    swings: u32,
}

impl Tally {
    const NEW: Tally = Tally {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        largest: 0.0,
        time: SimTime::PAST,
        squares: 0.0,
        first: 0.0,
        distances: 0.0,
        spread: 0.0,
        steps: 0.0,
        looks: 0,
        swings: 0,
    };

    /// How large the signal is: the range of its values, whatever their offset.
    fn size(&self) -> f64 {
        (self.high - self.low).max(NOISE * self.high.abs().max(self.low.abs()))
    }

    fn relative(&self, defect: f64) -> f64 {
        let size = self.size();
        if size > 0.0 { defect / size } else { 0.0 }
    }

    /// The root of the mean square of defects against that of the signal about its mean. Unlike a plain mean it does
    /// not get better while a signal is at rest.
    fn mean(&self) -> f64 {
        let steps = self.steps.max(1.0);
        let spread = (self.spread / steps - (self.distances / steps).powi(2)).max(0.0);
        let noise = NOISE * self.high.abs().max(self.low.abs());
        let size = spread.sqrt().max(noise);
        if size > 0.0 {
            (self.squares / steps).sqrt() / size
        } else {
            0.0
        }
    }

    /// Enters a defect that stands for so many steps. Answers with its magnitude.
    fn enter(&mut self, defect: Defect, at: SimTime, steps: f64) -> f64 {
        if self.looks == 0 {
            self.first = defect.came;
        }
        let distance = defect.came - self.first;
        self.distances += steps * distance;
        self.spread += steps * distance * distance;
        self.low = self.low.min(defect.came);
        self.high = self.high.max(defect.came);
        let off = (defect.came - defect.foretold).abs();
        self.squares += steps * off * off;
        self.steps += steps;
        self.looks += 1;
        if off > self.largest {
            (self.largest, self.time) = (off, at);
        }
        off
    }
}

impl Looks {
    pub(super) fn of(plan: &Plan) -> Self {
        let probes = plan.probes.list.len();
        Looks {
            tallies: vec![Tally::NEW; probes],
            exact: plan.needs.tolerance.is_some(),
            due: if probes == 0 { u64::MAX } else { 1 },
            last: 0,
            seen: 0,
        }
    }

    /// The step after which to look again.
    pub(super) fn due(&self) -> u64 {
        self.due
    }

    /// Looks at all readings. Answers with those that have swung too often just now.
    fn look(&mut self, plan: &Plan, histories: &[History], count: u64) -> Option<usize> {
        let mut restless = None;
        let steps = (count - self.last) as f64;
        self.last = count;
        let resolution = plan.resolution;
        for (index, (probe, tally)) in plan.probes.list.iter().zip(&mut self.tallies).enumerate() {
            let Some(step) = last_step(&histories[probe.reader.index()]) else {
                continue;
            };
            let wire = &probe.wire;
            let signal = histories[wire.source.index()].signal(wire.column as usize);
            let Some(defect) = signal.defect(wire.reading, step, resolution) else {
                continue;
            };
            let off = tally.enter(defect, step.1, steps);
            if off > LARGE * tally.size() && signal.swings() {
                tally.swings += 1;
                if tally.swings == SWINGS {
                    restless = Some(index);
                }
            }
        }
        self.seen += self.tallies.len();
        let next = if self.exact || self.seen < EXACT {
            1
        } else {
            STRIDE
        };
        self.due = count + next;
        restless
    }

    /// What is known, connection by connection: of vectors the element that is off most.
    pub(super) fn accounts(&self, probes: &Probes) -> Vec<ConnectionAccount> {
        let connections = probes.connections.iter();
        let worst = connections.filter_map(|range| {
            let off = |index: &usize| self.tallies[*index].relative(self.tallies[*index].largest);
            let seen = range.clone().filter(|index| self.tallies[*index].looks > 0);
            seen.max_by(|a, b| off(a).total_cmp(&off(b)).then(b.cmp(a)))
        });
        let account = |index: usize| {
            let (tally, name) = (&self.tallies[index], &probes.names[index]);
            ConnectionAccount {
                from: name.from.clone(),
                to: name.to.clone(),
                largest: tally.relative(tally.largest),
                mean: tally.mean(),
                time: tally.time,
                size: tally.size(),
                looks: tally.looks,
            }
        };
        worst.map(account).collect()
    }
}

impl Tally {
    /// All numbers but the counts.
    fn reals(&mut self) -> [&mut f64; 8] {
        [
            &mut self.low,
            &mut self.high,
            &mut self.largest,
            &mut self.squares,
            &mut self.first,
            &mut self.distances,
            &mut self.spread,
            &mut self.steps,
        ]
    }
}

impl Resumable for Looks {
    fn keep(&self, writer: &mut Writer) {
        writer.length(self.tallies.len());
        for tally in &self.tallies {
            let mut tally = *tally;
            tally.reals().into_iter().for_each(|real| writer.real(*real));
            writer.real(tally.time.seconds());
            writer.count(tally.looks);
            writer.count(u64::from(tally.swings));
        }
        for count in [self.due, self.last, self.seen as u64] {
            writer.count(count);
        }
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "looks at the coupling";
        reader.exactly(self.tallies.len(), WHAT)?;
        for tally in &mut self.tallies {
            for real in tally.reals() {
                *real = reader.real(WHAT)?;
            }
            tally.time = SimTime::from_seconds(reader.real(WHAT)?);
            tally.looks = reader.count(WHAT)?;
            tally.swings = u32::try_from(reader.count(WHAT)?).map_err(|_| Damage::Nonsense { what: WHAT })?;
        }
        self.due = reader.count(WHAT)?;
        self.last = reader.count(WHAT)?;
        self.seen = usize::try_from(reader.count(WHAT)?).map_err(|_| Damage::Nonsense { what: WHAT })?;
        if self.due <= self.last {
            return Err(Damage::Nonsense { what: WHAT });
        }
        Ok(())
    }
}

impl World {
    /// Looks at the step that ends where everybody stands, the `count`-th that counts: before events change values there.
    #[cold]
    pub(super) fn look(&mut self, count: u64) {
        let plan = Arc::clone(&self.plan);
        if self.keeps_books {
            self.books.close(&plan, &self.at);
        }
        self.corrections.learn(&plan, &self.histories);
        if count >= self.looks.due()
            && let Some(index) = self.looks.look(&plan, &self.histories, count)
            && plan.needs.tolerance.is_none()
        {
            let at = self.histories[plan.probes.list[index].wire.source.index()].latest();
            self.warn_of_swings(&plan.probes.names[index], at);
        }
        self.next_look = match self.keeps_books || !self.corrections.is_empty() {
            true => count + 1,
            false => self.looks.due(),
        };
    }

    fn warn_of_swings(&mut self, name: &ProbeName, at: SimTime) {
        let place = place(name);
        self.monitor.notice(WarningKind::CouplingDefect, &place, at, || {
            format!(
                "{} turns at every exchange, and was read wrong by more than {} % of its range {SWINGS} times: at this step \
                 the coupling swings by itself. Take a smaller step, another reading (reading = \"linear\"), or kind = \
                 \"adaptive\"",
                name.from,
                100.0 * LARGE
            )
        });
    }

    /// Says which readings were so far off, all the time, that the result cannot be trusted.
    pub(crate) fn judge_coupling(&mut self) {
        if self.plan.needs.tolerance.is_some() {
            return;
        }
        let plan = Arc::clone(&self.plan);
        for (index, name) in plan.probes.names.iter().enumerate() {
            let tally = self.looks.tallies[index];
            if tally.looks < FEWEST || tally.mean() <= UNTRUSTWORTHY {
                continue;
            }
            self.monitor
                .notice(WarningKind::CouplingDefect, &place(name), tally.time, || {
                    format!(
                        "{} was read wrong by {:.0} % of its motion on average, at worst by {:.0} % of its range: such a result \
                         cannot be trusted. Take a smaller step, another reading (reading = \"quadratic\"), or kind = \"adaptive\"",
                        name.from,
                        100.0 * tally.mean(),
                        100.0 * tally.relative(tally.largest)
                    )
                });
        }
    }

    /// How far off readings were so far, connection by connection.
    pub fn coupling(&self) -> Vec<ConnectionAccount> {
        self.looks.accounts(&self.plan.probes)
    }
}

fn place(name: &ProbeName) -> String {
    format!("{} → {}", name.from, name.to)
}
