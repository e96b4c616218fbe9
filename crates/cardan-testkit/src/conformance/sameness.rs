//! Claims that a run goes the same way whatever happens around it.

use super::bench::Bench;
use super::rig::{Binding, Rig};
use super::{Make, Options};
use cardan_core::interface::{Parameter, ParameterId};
use cardan_core::participant::Settings;
use cardan_core::planes::Planes;
use cardan_core::time::SimTime;

/// The same run twice gives the same bits.
pub fn same_run_gives_same_bits(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("same_run_gives_same_bits", make, options) else {
        return;
    };
    let all = Binding::all(&bench.interface);
    let one = bench.run(&all);
    let mut second = bench.ready();
    let other = second.run();
    bench.expect_same(&second.ports, &one, &other, "the first run against the second");
}

/// Two instances that take turns go the same ways as each by itself.
pub fn instances_do_not_disturb_each_other(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("instances_do_not_disturb_each_other", make, options) else {
        return;
    };
    let (points, shift) = (bench.points(), 7.0 * bench.step());
    let alone = |shift: f64| {
        let mut rig = bench.ready();
        rig.drive.shift = shift;
        rig.trail(&points)
    };
    let expected = [alone(0.0), alone(shift)];
    let mut pair = [bench.ready(), bench.ready()];
    pair[1].drive.shift = shift;
    let mut found = pair.each_mut().map(|rig| rig.trail(&[]));
    for &to in &points {
        // Take turns inside the steps too: both step before either is asked.
        pair.iter_mut()
            .filter(|rig| !rig.ended)
            .for_each(|rig| rig.go_to(to));
        for (rig, trail) in pair.iter_mut().zip(&mut found) {
            let at = rig.now;
            if trail.last().is_some_and(|(last, _)| *last < at) {
                trail.push((at, rig.outputs()));
            }
        }
    }
    for index in 0..2 {
        let what = format!("instance {} alone against taking turns with another", index + 1);
        bench.expect_same(&pair[index].ports, &expected[index], &found[index], what);
    }
}

/// A participant that is moved to another thread between steps goes the same way.
pub fn moves_between_threads(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("moves_between_threads", make, options) else {
        return;
    };
    let points = bench.points();
    let expected = bench.ready().trail(&points);
    let mut rig = bench.ready();
    let mut found = rig.trail(&[]);
    for (k, &to) in points.iter().enumerate() {
        if rig.ended {
            break;
        }
        let point;
        (rig, point) = if k % 2 == 0 {
            elsewhere(rig, to)
        } else {
            stepped(rig, to)
        };
        found.push(point);
    }
    bench.expect_same(
        &rig.ports,
        &expected,
        &found,
        "on one thread against moved to others",
    );
    rig.terminate();
}

/// A rig after a step, and its outputs there.
fn stepped(mut rig: Rig<'_>, to: SimTime) -> (Rig<'_>, (SimTime, Planes)) {
    rig.go_to(to);
    let point = (rig.now, rig.outputs());
    (rig, point)
}

/// The same, done by a thread that lives no longer.
fn elsewhere(rig: Rig<'_>, to: SimTime) -> (Rig<'_>, (SimTime, Planes)) {
    std::thread::scope(|scope| {
        let thread = scope.spawn(move || stepped(rig, to));
        thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Setting tunable parameters to the values they have changes nothing.
pub fn defaults_of_tunable_parameters_change_nothing(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("defaults_of_tunable_parameters_change_nothing", make, options) else {
        return;
    };
    let given = bench.settings();
    let value = |(index, parameter): (usize, &Parameter)| {
        let id = ParameterId(index as u32);
        let value = given
            .get(id)
            .or(parameter.default.as_ref())
            .filter(|_| parameter.tunable)?;
        Some((id, value.clone()))
    };
    let values = Settings(
        bench
            .interface
            .parameters
            .iter()
            .enumerate()
            .filter_map(value)
            .collect(),
    );
    if values.0.is_empty() {
        return;
    }
    let points = bench.points();
    let expected = bench.ready().trail(&points);
    let mut rig = bench.ready();
    let mut found = rig.trail(&[]);
    for to in points {
        if rig.ended {
            break;
        }
        let outcome = rig.participant.set_parameters(rig.now, &values);
        rig.expect("set_parameters", outcome);
        rig.go_to(to);
        found.push((rig.now, rig.outputs()));
    }
    let names: Vec<&str> = values
        .0
        .iter()
        .map(|(id, _)| bench.interface.parameters[id.index()].name.as_str())
        .collect();
    let what = format!("a run against one that sets {names:?} to the values they have");
    bench.expect_same(&rig.ports, &expected, &found, what);
}
