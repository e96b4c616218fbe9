//! Claims on asking for outputs: it changes nothing, and only declared inputs are heard.

use super::bench::Bench;
use super::bits::{difference, differing, distance};
use super::rig::{Binding, Rig};
use super::{Make, Options};
use cardan_core::interface::{Port, PortId};
use cardan_core::planes::{Extent, Planes};
use cardan_core::time::SimTime;
use cardan_core::value::{Plane, ValueType};

/// Asking twice gives the same bits, whatever was asked in between and whatever the planes held before; and a run in
/// which outputs were asked for often goes the same way as one in which they were not.
pub fn outputs_are_repeatable(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("outputs_are_repeatable", make, options) else {
        return;
    };
    let mut quiet = bench.ready();
    bench.points().into_iter().for_each(|to| quiet.go_to(to));
    let last = (quiet.now, quiet.outputs());
    drop(quiet);

    let mut rig = bench.ready();
    ask_around(&mut rig);
    for to in bench.points() {
        rig.go_to(to);
        ask_around(&mut rig);
    }
    let asked = (rig.now, rig.outputs());
    let what = "a run without asking for outputs against one that asks often";
    bench.expect_same(&rig.ports, &vec![last], &vec![asked], what);
}

fn ask_around(rig: &mut Rig<'_>) {
    let inputs = rig.drive.at(rig.now);
    let elsewhere = rig
        .drive
        .at(SimTime::from_seconds(rig.now.seconds() + 7.0 * rig.terms.step()));
    let mut first = stale(rig.room(), true);
    rig.write_outputs(&inputs, &mut first);
    for between in [&inputs, &elsewhere] {
        rig.outputs_with(between);
        let mut again = stale(rig.room(), false);
        rig.write_outputs(&inputs, &mut again);
        if let Some(words) = difference(&rig.ports, &first, &again) {
            rig.terms
                .fail(format_args!("asked twice at {:?}, {words}", rig.now));
        }
    }
}

/// Planes full of leftovers: an output that is not written shows what was left.
fn stale(mut planes: Planes, odd: bool) -> Planes {
    planes.reals.fill(if odd { 1e300 } else { -1e300 });
    planes.integers.fill(if odd { i64::MAX } else { i64::MIN });
    planes.booleans.fill(odd);
    planes
        .bytes
        .fill(if odd { b"left over".to_vec() } else { Vec::new() });
    planes
}

/// An output changes with an input of the same instant only where the interface says so.
pub fn feedthrough_is_declared(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("feedthrough_is_declared", make, options) else {
        return;
    };
    let mut rig = bench.ready();
    for k in [0, 1, 2] {
        rig.go_to(bench.point(k));
        hear_undeclared(&mut rig);
    }
}

fn hear_undeclared(rig: &mut Rig<'_>) {
    let terms = rig.terms;
    let bound = Binding::all(&terms.interface);
    let inputs = rig.drive.at(rig.now);
    let usual = rig.outputs_with(&inputs);
    let mut extent = Extent::default();
    for &input in &bound.inputs {
        let port = &terms.interface.ports[input.index()];
        let first = extent.place(port);
        for up in [true, false] {
            let answer = rig.outputs_with(&altered(&inputs, port, first, up));
            // Outputs that wander by themselves are the business of another claim.
            let again = rig.outputs_with(&inputs);
            if difference(&rig.ports, &usual, &again).is_some() {
                return;
            }
            for (index, words) in differing(&rig.ports, &usual, &answer) {
                let output: PortId = bound.outputs[index];
                if !terms.interface.feedthrough.contains(&(output, input)) {
                    let (name, now) = (&port.name, rig.now);
                    terms.fail(format_args!(
                        "input `{name}` changed at {now:?}, and {words}, but no feedthrough is declared"
                    ));
                }
            }
        }
    }
}

/// The inputs with another value for one port.
fn altered(inputs: &Planes, port: &Port, first: usize, up: bool) -> Planes {
    let mut planes = inputs.clone();
    let range = first..first + port.shape.len();
    match port.value_type.plane() {
        Plane::Reals => {
            let shift = if up { 0.5 } else { -0.5 } * port.nominal;
            planes.reals[range].iter_mut().for_each(|v| *v += shift);
            if let Some(quaternion) = port.form.quaternion() {
                let turned = if up {
                    [0.8, 0.6, 0.0, 0.0]
                } else {
                    [0.6, 0.0, -0.8, 0.0]
                };
                planes.reals[first + quaternion..][..4].copy_from_slice(&turned);
            }
        }
        Plane::Integers if port.value_type == ValueType::Enumeration && !port.choices.is_empty() => {
            let choice = if up {
                port.choices.first()
            } else {
                port.choices.last()
            };
            planes.integers[range].fill(choice.map_or(0, |(_, number)| *number));
        }
        Plane::Integers => {
            let shift = if up { 1 } else { -1 };
            planes.integers[range]
                .iter_mut()
                .for_each(|v| *v = v.wrapping_add(shift));
        }
        Plane::Booleans => planes.booleans[range].iter_mut().for_each(|v| *v = !*v),
        Plane::Bytes => planes.bytes[range]
            .iter_mut()
            .for_each(|v| v.push(if up { b'+' } else { b'-' })),
    }
    planes
}

/// Where outputs before the start are known, they are repeatable and lead up to the outputs at the start.
pub fn past_meets_the_start(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("past_meets_the_start", make, options) else {
        return;
    };
    let mut rig = bench.ready();
    if rig.participant.past().is_none() {
        return;
    }
    let before = |rig: &mut Rig<'_>, seconds: f64| {
        let at = SimTime::from_seconds(rig.now.seconds() - seconds);
        let mut values = stale(rig.room(), seconds > 0.0);
        let outcome = rig
            .participant
            .past()
            .map(|past| past.outputs_before(at, values.view_mut()));
        rig.expect("outputs_before", outcome.transpose());
        values
    };
    let earlier = before(&mut rig, bench.step());
    let meeting = before(&mut rig, 0.0);
    let again = before(&mut rig, bench.step());
    if let Some(words) = difference(&rig.ports, &earlier, &again) {
        bench.fail(format_args!(
            "asked twice for the outputs one step before the start, {words}"
        ));
    }
    let start = rig.outputs();
    if let Some(words) = distance(&rig.ports, &start, &meeting) {
        bench.fail(format_args!(
            "at the start, as output against as the end of the past, {words}"
        ));
    }
}
