//! Claims on going back.

use super::bench::Bench;
use super::rig::Rig;
use super::{Make, Options};
use cardan_core::participant::{Rollback, Slot};
use cardan_core::time::SimTime;

impl Rig<'_> {
    /// The ability to go back, for callers who know that there is one.
    pub(super) fn back(&mut self) -> &mut dyn Rollback {
        let terms = self.terms;
        self.participant
            .rollback()
            .unwrap_or_else(|| terms.fail("`rollback` was offered before and is not any more"))
    }

    pub(super) fn save(&mut self, slot: Slot) {
        let outcome = self.back().save(slot);
        self.expect("save", outcome);
    }

    /// Goes back to a state that was saved at `at`.
    pub(super) fn restore(&mut self, slot: Slot, at: SimTime) {
        let outcome = self.back().restore(slot);
        self.expect("restore", outcome);
        self.now = at;
        self.ended = false;
    }
}

/// Save, step, restore, step gives the same bits, however often and whatever was done in between; and a run with saves
/// goes the same way as one without.
pub fn rollback_repeats_steps(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("rollback_repeats_steps", make, options) else {
        return;
    };
    let points = bench.points();
    let mut rig = bench.ready();
    if rig.participant.rollback().is_none() {
        return;
    }
    let plain = bench.ready().trail(&points);
    for first in [0, 2] {
        if rig.ended {
            return;
        }
        let (at, ahead) = (rig.now, &points[first..first + 2]);
        rig.save(0);
        let next = rig.participant.next_instant();
        let expected = rig.trail(ahead);
        let unsaved = plain[first..plain.len().min(first + 3)].to_vec();
        bench.expect_same(
            &rig.ports,
            &unsaved,
            &expected,
            "a run without saving against one with",
        );
        for turn in 1..=4 {
            rig.restore(0, at);
            if turn % 2 == 0 {
                // Whatever other inputs did to the state must be gone with it.
                rig.drive.shift = 7.0 * bench.step();
                rig.trail(ahead);
                rig.drive.shift = 0.0;
                rig.restore(0, at);
            }
            if rig.participant.next_instant() != next {
                let now = rig.participant.next_instant();
                bench.fail(format_args!(
                    "the next instant at {at:?} is {next:?} when saved and {now:?} when restored"
                ));
            }
            let found = rig.trail(ahead);
            let what = format!("steps after saving at {at:?} against the same after restore {turn}");
            bench.expect_same(&rig.ports, &expected, &found, what);
        }
    }
}

/// Each slot keeps its own state until it is saved again.
pub fn rollback_slots_are_independent(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("rollback_slots_are_independent", make, options) else {
        return;
    };
    let points = &bench.points()[..4];
    let mut rig = bench.ready();
    if rig.participant.rollback().is_none() {
        return;
    }
    let mut whole = Vec::new();
    for k in 0..=4 {
        rig.go_to(bench.point(k));
        if rig.ended {
            return;
        }
        if k < 3 {
            rig.save(k);
        }
        whole.push((rig.now, rig.outputs()));
    }
    let check = |rig: &mut Rig<'_>, slot: Slot, k: usize| {
        rig.restore(slot, bench.point(k));
        let found = rig.trail(&points[k..]);
        let what = format!(
            "steps from {:?} against the same after restoring slot {slot}",
            bench.point(k)
        );
        bench.expect_same(&rig.ports, &whole[k..].to_vec(), &found, what);
    };
    for slot in [1, 0, 2, 2, 0, 1] {
        check(&mut rig, slot, slot);
    }
    // The first slot is reused for the state of the third; the others must not notice.
    rig.restore(2, bench.point(2));
    rig.save(0);
    for (slot, k) in [(1, 1), (0, 2), (2, 2)] {
        check(&mut rig, slot, k);
    }
}
