//! Inputs that make good in one step what they were wrong by in the last.
//!
//! A reading `ỹ` that foretells is off by `y - ỹ` when the signal `y` comes. Over the step from t₀ to t₁ the reader is
//! left with the exchange defect
//!
//! ```text
//!     D = ∫ (y(t) - ỹ(t)) dt  ≈  h (y₁ - ỹ(t₁)) m,        h = t₁ - t₀, m = 1/2, 5/12, 3/8 … by the degree of ỹ
//! ```
//!
//! and never hears of it: a spring that is driven by held velocities is short of `D` for ever. With a correction the
//! reader owes `R`, at first nothing, and the law of the next step, h′ long, is shifted by a constant:
//!
//! ```text
//!     ỹ′(t) = ỹ(t) + c,      c = R / h′,                   R ← R + D - c h′
//! ```
//!
//! `D` is that of the law without the shift: then all that was missed up to the beginning of a step has been made good
//! at its end, and what is owed is never more than the defect of one step. For both directions of a bond the residual
//! energy of the last step is compensated to leading order, which is the idea of the *nearly energy preserving coupling
//! element*: S. Sadjina, E. Pedersen, *Energy conservation and coupling error reduction in non-iterative co-simulations*
//! (2020).
//!
//! A shift acts like a steeper line, and at a signal that turns from step to step it would be the wrong way round and
//! build up. So there is none after defects have changed their sign twice in a row, and none is larger than the mean
//! defect of the last step; what is not made good at once stays owed.

use crate::checkpoint::{Damage, Reader, Resumable, Writer};
use crate::graph::ParticipantId;
use crate::plan::{Plan, Probe};
use crate::signal::{History, Segment};
use crate::time::SimTime;
use std::ops::Range;

/// All inputs that are corrected, by reader.
#[derive(Default)]
pub(super) struct Corrections {
    items: Vec<Item>,
    /// By participant, which of the items are its inputs.
    ranges: Vec<Range<usize>>,
}

struct Item {
    probe: Probe,
    /// What was missed and not made good, in the source's unit times seconds.
    owed: f64,
    /// The mean defects of the last three steps, the latest first.
    means: [f64; 3],
    /// The shift in the step under way.
    shift: f64,
}

impl Corrections {
    /// Nothing unless the plan wants it. Left as they are: readings that go through no points, and inputs whose source
    /// has other steps than the reader.
    pub(super) fn of(plan: &Plan) -> Self {
        let mut corrections = Corrections {
            items: Vec::new(),
            ranges: vec![0..0; plan.seats.len()],
        };
        if !plan.correction {
            return corrections;
        }
        for (index, range) in corrections.ranges.iter_mut().enumerate() {
            let begin = corrections.items.len();
            let mine = plan.probes.list.iter().filter(|p| p.reader.index() == index);
            let mine = mine.filter(|p| p.wire.reading.interpolates() && shares_steps(plan, p));
            corrections.items.extend(mine.map(|probe| Item {
                probe: *probe,
                owed: 0.0,
                means: [0.0; 3],
                shift: 0.0,
            }));
            *range = begin..corrections.items.len();
        }
        corrections
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(super) fn has(&self, participant: ParticipantId) -> bool {
        !self.ranges[participant.index()].is_empty()
    }

    /// Shifts the inputs of a step of that length.
    pub(super) fn apply(
        &mut self,
        participant: ParticipantId,
        step: f64,
        segments: &mut [Segment],
        ends: &[u32],
    ) {
        for item in &mut self.items[self.ranges[participant.index()].clone()] {
            item.shift = item.wanted(step);
            let input = item.probe.input as usize;
            let end = |index: usize| ends.get(index).map_or(index + 1, |end| *end as usize);
            let begin = input.checked_sub(1).map_or(0, end);
            let by = item.probe.wire.conversion.factor * item.shift;
            for segment in segments.get_mut(begin..end(input)).unwrap_or_default() {
                *segment = segment.scaled(1.0, by);
            }
        }
    }

    /// A step counts: what was missed in it is owed, less what it made good.
    pub(super) fn learn(&mut self, plan: &Plan, histories: &[History]) {
        for item in &mut self.items {
            let Some(step) = last_step(&histories[item.probe.reader.index()]) else {
                continue;
            };
            let wire = &item.probe.wire;
            let signal = histories[wire.source.index()].signal(wire.column as usize);
            let length = step.1.since(step.0);
            let defect = signal.defect(wire.reading, step, plan.resolution);
            let share = signal.mean_share(wire.reading, step, plan.resolution);
            let mean = defect
                .zip(share)
                .map_or(0.0, |(d, share)| share * (d.came - d.foretold));
            item.owed += length * (mean - item.shift);
            item.means = [mean, item.means[0], item.means[1]];
        }
    }
}

impl Resumable for Corrections {
    fn keep(&self, writer: &mut Writer) {
        writer.length(self.items.len());
        for item in &self.items {
            writer.real(item.owed);
            item.means.iter().for_each(|mean| writer.real(*mean));
            writer.real(item.shift);
        }
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "corrections";
        reader.exactly(self.items.len(), WHAT)?;
        for item in &mut self.items {
            item.owed = reader.real(WHAT)?;
            for mean in &mut item.means {
                *mean = reader.real(WHAT)?;
            }
            item.shift = reader.real(WHAT)?;
        }
        Ok(())
    }
}

impl Item {
    fn wanted(&self, step: f64) -> f64 {
        let [latest, before, earlier] = self.means;
        if latest * before < 0.0 && before * earlier < 0.0 {
            return 0.0;
        }
        let most = latest.abs();
        (self.owed / step).clamp(-most, most)
    }
}

/// The last step of a participant.
#[inline]
pub(super) fn last_step(history: &History) -> Option<(SimTime, SimTime)> {
    let last = history.len().checked_sub(2)?;
    Some((history.time(last), history.time(last + 1)))
}

fn shares_steps(plan: &Plan, probe: &Probe) -> bool {
    let (reader, source) = (
        &plan.seats[probe.reader.index()],
        &plan.seats[probe.wire.source.index()],
    );
    reader.grid == source.grid && reader.has_own_grid == source.has_own_grid
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::Reading;

    fn item(owed: f64, means: [f64; 3]) -> Item {
        let wire = crate::plan::Wire {
            source: ParticipantId(0),
            column: 0,
            reading: Reading::Hold,
            leads: false,
            conversion: crate::graph::Conversion::NONE,
            converts: false,
        };
        let probe = Probe {
            reader: ParticipantId(1),
            input: 0,
            wire,
        };
        Item {
            probe,
            owed,
            means,
            shift: 0.0,
        }
    }

    #[test]
    fn what_is_owed_is_spread_over_the_step() {
        assert_eq!(item(0.5, [1.0; 3]).wanted(1.0), 0.5);
        assert_eq!(item(0.5, [1.0; 3]).wanted(2.0), 0.25);
        assert_eq!(
            item(0.5, [1.0; 3]).wanted(0.1),
            1.0,
            "never more than the last defect"
        );
        assert_eq!(item(-0.5, [1.0; 3]).wanted(0.1), -1.0);
        assert_eq!(item(0.5, [1.0, -1.0, 1.0]).wanted(1.0), 0.0, "it swings");
        assert_eq!(item(0.5, [1.0, -1.0, -1.0]).wanted(1.0), 0.5, "it turned once");
    }
}
