//! The claim on saved states that leave the process.

use super::bench::Bench;
use super::rig::Rig;
use super::{Make, Options};
use cardan_core::participant::Slot;

/// A state exported from one instance and imported by a fresh one continues with the same bits.
pub fn exported_state_continues(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("exported_state_continues", make, options) else {
        return;
    };
    let points = bench.points();
    let mut rig = bench.ready();
    let portable = rig
        .participant
        .rollback()
        .is_some_and(|back| back.portable().is_some());
    if !portable {
        return;
    }
    rig.trail(&points[..2]);
    rig.save(0);
    let at = rig.now;
    let bytes = export(&mut rig, 0);
    let expected = rig.trail(&points[2..4]);
    if export(&mut rig, 0) != bytes {
        bench.fail("a slot exported twice gives different bytes");
    }
    let ports = rig.ports.clone();
    drop(rig);

    // Once into an instance that just woke up, once into one that is somewhere else.
    for steps_before in [0, 1] {
        let mut fresh = bench.ready();
        fresh.go_to(bench.point(steps_before));
        let outcome = fresh.back().portable().map(|portable| portable.import(1, &bytes));
        fresh.expect("import", outcome.transpose());
        fresh.restore(1, at);
        let found = fresh.trail(&points[2..4]);
        let what = format!("steps from {at:?} against the same in a fresh instance after export and import");
        bench.expect_same(&ports, &expected, &found, what);
    }
}

fn export(rig: &mut Rig<'_>, slot: Slot) -> Vec<u8> {
    let before = b"before";
    let mut bytes = before.to_vec();
    let outcome = rig
        .back()
        .portable()
        .map(|portable| portable.export(slot, &mut bytes));
    rig.expect("export", outcome.transpose());
    match bytes.strip_prefix(before) {
        Some(state) => state.to_vec(),
        None => rig
            .terms
            .fail("`export` must append, and changed the bytes before"),
    }
}
