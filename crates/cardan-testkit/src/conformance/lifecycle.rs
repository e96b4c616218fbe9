//! Claims on the order of calls.

use super::bench::Bench;
use super::bits::real_elements;
use super::rig::Binding;
use super::{Make, Options};
use cardan_core::time::SimTime;

/// The calls come in the order of the contract, outputs are asked for with changing inputs during initialisation, every
/// step is accepted, and the end is clean.
pub fn calls_in_order_work(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("calls_in_order_work", make, options) else {
        return;
    };
    let mut rig = bench.fresh();
    rig.bind(&Binding::all(&bench.interface));
    rig.begin();
    // As in the solution of a loop: several times, with other inputs each time.
    for k in [0, 3, 1, 0] {
        let inputs = rig.drive.at(bench.point(k));
        rig.outputs_with(&inputs);
    }
    rig.finish();
    let trail = rig.run();
    for (at, values) in &trail {
        for ((_, name), real) in real_elements(&rig.ports).zip(&values.reals) {
            if !real.is_finite() {
                bench.fail(format_args!("`{name}` at {at:?} is {real}"));
            }
        }
    }
    // A participant must also survive being dropped at any point of its life.
    drop(bench.fresh());
    let mut bound = bench.fresh();
    bound.bind(&Binding::all(&bench.interface));
    drop(bound);
    let mut stepped = bench.ready();
    stepped.go_to(bench.point(1));
}

/// A run may end before its first step.
pub fn terminates_without_steps(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("terminates_without_steps", make, options) else {
        return;
    };
    bench.ready().terminate();
}

/// The next instant at which a participant acts by itself lies after the one where it stands.
pub fn next_instant_lies_ahead(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("next_instant_lies_ahead", make, options) else {
        return;
    };
    let mut rig = bench.ready();
    let expect_ahead = |next: Option<SimTime>, now: SimTime| {
        if let Some(next) = next
            && (next <= now || next.seconds().is_nan())
        {
            bench.fail(format_args!("at {now:?} the next instant is {next:?}"));
        }
    };
    expect_ahead(rig.participant.next_instant(), rig.now);
    for to in bench.points() {
        if rig.ended {
            return;
        }
        rig.go_to(to);
        rig.outputs();
        expect_ahead(rig.participant.next_instant(), rig.now);
    }
}
