//! Claims on what a participant shows of the inside of a step.

use super::bench::Bench;
use super::bits::{difference, distance};
use super::rig::Rig;
use super::{Make, Options};
use cardan_core::participant::{StepEnd, Watch};
use cardan_core::planes::Planes;
use cardan_core::time::SimTime;

/// Watched instants are delivered in order, the point at the end of the step is the output there, and a step that is not
/// watched leaves nothing behind.
pub fn trace_shows_watched_instants(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("trace_shows_watched_instants", make, options) else {
        return;
    };
    let mut rig = bench.ready();
    if rig.participant.trace().is_none() {
        return;
    }
    for (k, to) in bench.points().into_iter().enumerate() {
        let wanted = instants(rig.now, to);
        let (from, watch) = match k % 3 {
            0 => (rig.now, Watch::Instants(&wanted)),
            1 => (rig.now, Watch::InnerSteps),
            _ => (rig.now, Watch::Nothing),
        };
        let (end, driven) = rig.step_once(to, watch);
        if end != StepEnd::Completed {
            // What is shown of a step that ended elsewhere is not agreed.
            rig.go_to(to);
            if rig.ended {
                return;
            }
            continue;
        }
        let shown = rig
            .participant
            .trace()
            .map(|trace| trace.instants().to_vec())
            .unwrap_or_default();
        match watch {
            Watch::Nothing if shown.is_empty() => continue,
            Watch::Nothing => bench.fail(format_args!("an unwatched step left the instants {shown:?}")),
            Watch::Instants(wanted) if shown != wanted => {
                bench.fail(format_args!("asked for {wanted:?} it shows {shown:?}"));
            }
            Watch::Instants(_) => {}
            Watch::InnerSteps => {
                let rising = shown.windows(2).all(|pair| pair[0] < pair[1]);
                if !rising || shown.first().is_none_or(|&t| t <= from) || shown.last() != Some(&to) {
                    bench.fail(format_args!(
                        "the inner steps from {from:?} to {to:?} are {shown:?}"
                    ));
                }
            }
        }
        let last = shown.len() - 1;
        for (index, at) in shown.iter().enumerate() {
            let (one, other) = (point(&mut rig, index), point(&mut rig, index));
            if let Some(words) = difference(&rig.ports, &one, &other) {
                bench.fail(format_args!("asked twice for the point at {at:?}, {words}"));
            }
        }
        let (traced, output) = (point(&mut rig, last), rig.outputs_with(&driven.read_at(to)));
        if let Some(words) = distance(&rig.ports, &traced, &output) {
            bench.fail(format_args!(
                "at {to:?}, as the last point of the step against as output, {words}"
            ));
        }
    }
}

/// A run that is watched goes the same way as one that is not.
pub fn watching_changes_nothing(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("watching_changes_nothing", make, options) else {
        return;
    };
    if bench.ready().participant.trace().is_none() {
        return;
    }
    let points = bench.points();
    let expected = bench.ready().trail(&points);
    for inner in [false, true] {
        let mut rig = bench.ready();
        let mut found = rig.trail(&[]);
        for &to in &points {
            while !rig.ended && rig.now < to {
                let wanted = instants(rig.now, to);
                let watch = if inner {
                    Watch::InnerSteps
                } else {
                    Watch::Instants(&wanted)
                };
                rig.step_once(to, watch);
            }
            if found.last().is_some_and(|(at, _)| *at < rig.now) {
                found.push((rig.now, rig.outputs()));
            }
        }
        let how = if inner { "inner steps" } else { "instants" };
        bench.expect_same(
            &rig.ports,
            &expected,
            &found,
            format_args!("not watched against watched at {how}"),
        );
    }
}

/// Three instants inside a step and its end.
fn instants(from: SimTime, to: SimTime) -> [SimTime; 4] {
    let inside = |part: f64| SimTime::from_seconds(from.seconds() + part * to.since(from));
    [inside(0.125), inside(0.5), inside(0.9), to]
}

fn point(rig: &mut Rig<'_>, index: usize) -> Planes {
    let mut values = rig.room();
    let outcome = rig
        .participant
        .trace()
        .map(|trace| trace.point(index, values.view_mut()));
    rig.expect("point", outcome.transpose());
    values
}
