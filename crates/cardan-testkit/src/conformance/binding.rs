//! Claims on bindings: which ports are used, and in which order, changes no value.

use super::bench::Bench;
use super::bits::Trail;
use super::rig::Binding;
use super::{Make, Options};
use cardan_core::interface::{Port, PortId};
use cardan_core::planes::{Extent, Planes};
use cardan_core::value::{Plane, Value};

/// With no output bound, or any one of them, a run gives what it gives with all.
pub fn binds_subsets(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("binds_subsets", make, options) else {
        return;
    };
    let all = Binding::all(&bench.interface);
    let whole = bench.run(&all);
    let subsets = std::iter::once(Vec::new()).chain(all.outputs.iter().map(|&id| vec![id]));
    for outputs in subsets {
        let expected = picked(&bench.interface.ports, &whole, &all.outputs, &outputs);
        let ports = ports(&bench, &outputs);
        let names: Vec<&str> = ports.iter().map(|p| p.name.as_str()).collect();
        let found = bench.run(&Binding {
            outputs,
            ..all.clone()
        });
        bench.expect_same(
            &ports,
            &expected,
            &found,
            format_args!("all outputs bound against {names:?} alone"),
        );
    }
}

/// With the outputs bound in reverse each has the same values, at another place.
pub fn binds_outputs_in_any_order(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("binds_outputs_in_any_order", make, options) else {
        return;
    };
    let all = Binding::all(&bench.interface);
    let outputs: Vec<PortId> = all.outputs.iter().rev().copied().collect();
    let expected = picked(&bench.interface.ports, &bench.run(&all), &all.outputs, &outputs);
    let ports = ports(&bench, &outputs);
    let found = bench.run(&Binding {
        outputs,
        ..all.clone()
    });
    bench.expect_same(&ports, &expected, &found, "outputs in order against reversed");
}

/// With the inputs bound in reverse, and driven the same, the outputs are the same.
pub fn binds_inputs_in_any_order(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("binds_inputs_in_any_order", make, options) else {
        return;
    };
    let all = Binding::all(&bench.interface);
    let mut reversed = all.clone();
    reversed.inputs.reverse();
    let (one, other) = (bench.run(&all), bench.run(&reversed));
    bench.expect_same(
        &ports(&bench, &all.outputs),
        &one,
        &other,
        "inputs in order against reversed",
    );
}

/// An input that is not bound acts like one that is driven with its start value.
pub fn unbound_inputs_keep_their_start(make: Make<'_>, options: &Options) {
    const CLAIM: &str = "unbound_inputs_keep_their_start";
    let Some(bench) = Bench::new(CLAIM, make, options) else {
        return;
    };
    let start = |id: &PortId| bench.interface.ports[id.index()].start.clone();
    let all = Binding::all(&bench.interface);
    // Those without a start value must be driven.
    let without: Vec<PortId> = all
        .inputs
        .iter()
        .filter(|id| start(id).is_none())
        .copied()
        .collect();
    if without.len() == all.inputs.len() {
        return;
    }
    let mut held = options.clone();
    for id in &all.inputs {
        if let Some(value) = start(id) {
            let name = &bench.interface.ports[id.index()].name;
            held = held.input(name, move |_| Value::clone(&value));
        }
    }
    let Some(driven) = Bench::new(CLAIM, make, &held) else {
        return;
    };
    let expected = driven.run(&all);
    let found = bench.run(&Binding {
        inputs: without,
        ..all.clone()
    });
    bench.expect_same(
        &ports(&bench, &all.outputs),
        &expected,
        &found,
        "start values driven against not bound",
    );
}

fn ports(bench: &Bench<'_>, ids: &[PortId]) -> Vec<Port> {
    ids.iter()
        .map(|id| bench.interface.ports[id.index()].clone())
        .collect()
}

/// The trail that a binding to `wanted` should give, out of one that was bound to `given`.
fn picked(ports: &[Port], trail: &Trail, given: &[PortId], wanted: &[PortId]) -> Trail {
    let mut extent = Extent::default();
    let mut place = vec![0; ports.len()];
    for id in given {
        place[id.index()] = extent.place(&ports[id.index()]);
    }
    let pick = |values: &Planes| {
        let mut room = Extent::default();
        let places: Vec<usize> = wanted.iter().map(|id| room.place(&ports[id.index()])).collect();
        let mut picked = Planes::new(room);
        for (id, to) in wanted.iter().zip(places) {
            let port = &ports[id.index()];
            let range = place[id.index()]..place[id.index()] + port.shape.len();
            match port.value_type.plane() {
                Plane::Reals => copy(&values.reals[range], &mut picked.reals[to..]),
                Plane::Integers => copy(&values.integers[range], &mut picked.integers[to..]),
                Plane::Booleans => copy(&values.booleans[range], &mut picked.booleans[to..]),
                Plane::Bytes => copy(&values.bytes[range], &mut picked.bytes[to..]),
            }
        }
        picked
    };
    trail.iter().map(|(at, values)| (*at, pick(values))).collect()
}

fn copy<T: Clone>(from: &[T], to: &mut [T]) {
    to[..from.len()].clone_from_slice(from);
}
