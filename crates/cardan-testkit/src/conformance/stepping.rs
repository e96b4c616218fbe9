//! The claim on how steps end.

use super::bench::Bench;
use super::{Make, Options};
use cardan_core::participant::{StepEnd, Watch};
use cardan_core::time::SimTime;

/// How a walk went: its events, and where it ended.
struct Walk {
    /// Early ends and the request to terminate, with their times.
    events: Vec<(&'static str, SimTime)>,
    end: SimTime,
}

/// With inputs that do not change, steps of half the size meet the same early ends and the same request to terminate, and
/// arrive at the same instants.
pub fn half_steps_end_alike(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("half_steps_end_alike", make, options) else {
        return;
    };
    let whole = bench.points();
    let middle = |k: usize| 0.5 * (bench.point(k).seconds() + bench.point(k + 1).seconds());
    let halves: Vec<SimTime> = whole
        .iter()
        .enumerate()
        .flat_map(|(k, &to)| [SimTime::from_seconds(middle(k)), to])
        .collect();
    let tolerance = options.agreement.max(1e-6) * bench.step();
    let same = |a: SimTime, b: SimTime| a.since(b).abs() <= tolerance;

    let [one, other] = [&whole, &halves].map(|points| {
        let mut walk = walk(&bench, points);
        // An event at the end of a step needs no early end, so it may show in one walk only.
        walk.events
            .retain(|(kind, at)| *kind != "early" || !halves.iter().any(|&point| same(point, *at)));
        walk
    });
    let alike = one.events.len() == other.events.len()
        && one
            .events
            .iter()
            .zip(&other.events)
            .all(|(a, b)| a.0 == b.0 && same(a.1, b.1));
    if !alike {
        let (one, other) = (one.events, other.events);
        bench.fail(format_args!("whole steps meet {one:?}, half steps {other:?}"));
    }
    if !same(one.end, other.end) {
        bench.fail(format_args!(
            "whole steps arrive at {:?}, half steps at {:?}",
            one.end, other.end
        ));
    }
}

fn walk(bench: &Bench<'_>, points: &[SimTime]) -> Walk {
    let mut rig = bench.ready();
    rig.drive.hold(rig.now);
    let mut events = Vec::new();
    for &to in points {
        while !rig.ended && rig.now < to {
            match rig.step_once(to, Watch::Nothing).0 {
                StepEnd::Early { at } => events.push(("early", at)),
                StepEnd::Terminate { at } => events.push(("terminate", at)),
                StepEnd::Completed | StepEnd::Rejected { .. } => {}
            }
            if events.len() > 10_000 {
                bench.fail(format_args!("10000 early ends before {to:?}"));
            }
        }
    }
    Walk { events, end: rig.now }
}
