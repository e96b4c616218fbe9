//! The books of the bonds: what energy each side took across, and what is left over.
//!
//! The two sides of a bond do not see the same power. Whoever gives the effort `e` and reads the flow as `f̃` takes in
//! the work `∫ e f̃ dt`; whoever gives the flow `f` and reads the effort as `ẽ` gives away `∫ ẽ f dt`. The difference
//! comes from nowhere, or goes there: the coupling makes it. It is the residual energy of
//! S. Sadjina, L. T. Kyllingstad, S. Skjong, E. Pedersen, *Energy conservation and power bonds in co-simulations*
//! (2017).
//!
//! What a participant gives inside a step is what it gives with the inputs that it has there, not what it shows once
//! new ones have arrived. So it is looked at at both ends of the step with the inputs as read: see `inner.rs`. Between
//! them lies a cubic where its slopes are known, else a chord.

use crate::checkpoint::{Damage, Reader, Resumable, Writer};
use crate::graph::ParticipantId;
use crate::monitor::BondAccount;
use crate::plan::{Plan, Side};
use crate::signal::{Point, Reading, Segment, law, over};
use crate::time::SimTime;

/// The books of all bonds.
#[derive(Default)]
pub(super) struct Books {
    /// Parallel to the ties of the plan.
    entries: Vec<Entry>,
    /// Parallel to the bonds of the plan.
    accounts: Vec<BondAccount>,
}

/// Both sides of a tie since both were last at the same instant.
#[derive(Clone, Copy)]
struct Entry {
    effort: Page,
    flow: Page,
}

/// What one side did.
#[derive(Clone, Copy)]
struct Page {
    side: Side,
    /// The beginning of a step whose end has not been looked at.
    open: Option<Point>,
    work: f64,
    /// What it gave at the end of its last step, in SI.
    last: f64,
}

/// What a bond did since its books were last closed.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Balance {
    /// Energy from nowhere.
    pub(crate) residual: f64,
    /// Energy that crossed, whatever its direction.
    pub(crate) crossed: f64,
    /// The power at the end.
    pub(crate) power: f64,
}

impl Books {
    pub(super) fn of(plan: &Plan) -> Self {
        let page = |side: Side| Page {
            side,
            open: None,
            work: 0.0,
            last: 0.0,
        };
        let entries = plan.bonds.ties.iter().map(|tie| Entry {
            effort: page(tie.effort),
            flow: page(tie.flow),
        });
        Books {
            entries: entries.collect(),
            accounts: plan.bonds.names.iter().map(|n| BondAccount::new(n)).collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn pages_of(&mut self, participant: ParticipantId) -> impl Iterator<Item = &mut Page> {
        let pages = self.entries.iter_mut().flat_map(|e| [&mut e.effort, &mut e.flow]);
        pages.filter(move |page| page.side.participant == participant)
    }

    /// Is a step of the participant open?
    pub(super) fn is_open(&self, participant: ParticipantId) -> bool {
        let mut pages = self.entries.iter().flat_map(|e| [&e.effort, &e.flow]);
        pages.any(|page| page.side.participant == participant && page.open.is_some())
    }

    /// A step begins, with these outputs and slopes.
    pub(super) fn open(&mut self, participant: ParticipantId, at: SimTime, outputs: &[f64], slopes: &[f64]) {
        for page in self.pages_of(participant) {
            page.open = Some(page.side.point(at, outputs, slopes));
        }
    }

    /// A step ends, with these outputs and slopes; `input` finds the law by which an input was read.
    pub(super) fn enter<'a>(
        &mut self,
        participant: ParticipantId,
        at: SimTime,
        (outputs, slopes): (&[f64], &[f64]),
        input: impl Fn(usize) -> &'a [Segment],
    ) {
        for page in self.pages_of(participant) {
            let Some(begin) = page.open.take() else { continue };
            let end = page.side.point(at, outputs, slopes);
            page.last = page.side.gives.apply(end.value);
            let given = law(Reading::Hermite, &[begin, end], true, at);
            let mut since = begin.time;
            for piece in input(page.side.input as usize) {
                let until = piece.until.min(at).seconds();
                let power = |t: f64| {
                    let t = SimTime::from_seconds(t);
                    page.side.gives.apply(given.at(t)) * page.side.reads.apply(piece.at(t))
                };
                let mean: f64 = over(since, until).iter().map(|(t, w)| w * power(*t)).sum();
                page.work += (until - since) * mean;
                since = until;
            }
        }
    }

    /// Forgets what participants did since the books were last closed.
    pub(super) fn forget(&mut self, group: &[ParticipantId]) {
        for &participant in group {
            for page in self.pages_of(participant) {
                (page.open, page.work) = (None, 0.0);
            }
        }
    }

    /// What a bond did since its books were last closed.
    pub(super) fn balance(&self, plan: &Plan, bond: usize) -> Balance {
        let mut balance = Balance::default();
        let ties = plan.bonds.ties.iter().zip(&self.entries);
        for (tie, entry) in ties.filter(|(tie, _)| tie.bond as usize == bond) {
            balance.residual += tie.sign * (entry.effort.work - entry.flow.work);
            balance.crossed += 0.5 * (entry.effort.work.abs() + entry.flow.work.abs());
            balance.power += entry.effort.last * entry.flow.last;
        }
        balance.power = balance.power.abs();
        balance
    }

    /// Closes the books of all bonds whose sides stand at the same instant.
    pub(super) fn close(&mut self, plan: &Plan, at: &[SimTime]) {
        for bond in 0..self.accounts.len() {
            let ties = || plan.bonds.ties.iter().filter(|tie| tie.bond as usize == bond);
            let stands = |side: Side| at[side.participant.index()];
            let Some(now) = ties().next().map(|tie| stands(tie.effort)) else {
                continue;
            };
            let together = |side: Side| plan.resolution.same(stands(side), now);
            if !ties().all(|tie| together(tie.effort) && together(tie.flow)) {
                continue;
            }
            let balance = self.balance(plan, bond);
            self.accounts[bond].enter(balance.residual, balance.crossed, balance.power, now);
            let entries = self.entries.iter_mut().zip(&plan.bonds.ties);
            for (entry, _) in entries.filter(|(_, tie)| tie.bond as usize == bond) {
                (entry.effort.work, entry.flow.work) = (0.0, 0.0);
            }
        }
    }

    pub(super) fn accounts(&self) -> &[BondAccount] {
        &self.accounts
    }
}

impl Resumable for Books {
    fn keep(&self, writer: &mut Writer) {
        writer.length(self.entries.len());
        for page in self.entries.iter().flat_map(|entry| [&entry.effort, &entry.flow]) {
            writer.boolean(page.open.is_some());
            if let Some(open) = page.open {
                for real in [open.time, open.value, open.slope] {
                    writer.real(real);
                }
            }
            writer.real(page.work);
            writer.real(page.last);
        }
        for a in &self.accounts {
            let numbers = [
                a.residual,
                a.absolute,
                a.largest,
                a.time.seconds(),
                a.crossed,
                a.power,
            ];
            numbers.into_iter().for_each(|number| writer.real(number));
        }
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "books of bonds";
        reader.exactly(self.entries.len(), WHAT)?;
        let pages = self
            .entries
            .iter_mut()
            .flat_map(|entry| [&mut entry.effort, &mut entry.flow]);
        for page in pages {
            page.open = match reader.boolean(WHAT)? {
                false => None,
                true => Some(Point {
                    time: reader.real(WHAT)?,
                    value: reader.real(WHAT)?,
                    slope: reader.real(WHAT)?,
                }),
            };
            page.work = reader.real(WHAT)?;
            page.last = reader.real(WHAT)?;
        }
        for a in &mut self.accounts {
            a.residual = reader.real(WHAT)?;
            a.absolute = reader.real(WHAT)?;
            a.largest = reader.real(WHAT)?;
            a.time = SimTime::from_seconds(reader.real(WHAT)?);
            a.crossed = reader.real(WHAT)?;
            a.power = reader.real(WHAT)?;
        }
        Ok(())
    }
}

impl Side {
    /// What the side gives at an instant.
    fn point(&self, at: SimTime, outputs: &[f64], slopes: &[f64]) -> Point {
        let place = self.column as usize;
        Point {
            time: at.seconds(),
            value: outputs.get(place).copied().unwrap_or_default(),
            slope: slopes.get(place).copied().unwrap_or(f64::NAN),
        }
    }
}
