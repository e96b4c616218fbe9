//! Nothing is allocated per step, wherever a participant lives.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod support;

use cardan_core::inputs::Inputs;
use cardan_core::participant::{Participant, StepRequest, Watch};
use cardan_core::planes::Planes;
use cardan_core::signal::Segment;
use cardan_testkit::allocation::{CountingAllocator, allocations};
use support::{Bench, SMALL, at, in_millimetres, marker, model, placed};

#[global_allocator]
static COUNTING: CountingAllocator = CountingAllocator;

/// Everything that a master does in a step.
fn drive(
    participant: &mut dyn Participant,
    inputs: &mut Planes,
    seen: &mut Planes,
    segments: &mut [Segment],
    steps: std::ops::Range<u32>,
) {
    let mut directions = [0.0; 32];
    directions.fill(1.0);
    for k in steps {
        let (from, to) = (at(0.01 * f64::from(k)), at(0.01 * f64::from(k + 1)));
        for ((index, segment), value) in segments.iter_mut().enumerate().zip(&mut inputs.reals) {
            *segment = Segment::polynomial([index as f64 * 0.1, 1.0, -2.0, 0.5], from, to);
            *value = segment.at(to);
        }
        let watched = [to];
        let request = StepRequest {
            from,
            to,
            inputs: Inputs::single(segments),
            watch: Watch::Instants(&watched),
        };
        participant.step(request).unwrap();
        let trace = participant.trace().unwrap();
        trace.point(0, seen.view_mut()).unwrap();
        participant.outputs(to, inputs, seen.view_mut()).unwrap();
        let directions = &directions[..inputs.reals.len()];
        let derivatives = participant.derivatives().unwrap();
        derivatives
            .directional(to, inputs, directions, &mut seen.reals)
            .unwrap();
        let slopes = participant.slopes().unwrap();
        slopes.slopes(to, inputs, directions, &mut seen.reals).unwrap();
    }
}

#[test]
fn steps_allocate_nothing() {
    let markers = || vec![marker("end", "frame", Some("load"), SMALL)];
    let body = placed(
        model("rigid-body", &[("inertia", &[1e6; 3])]),
        in_millimetres(),
        markers(),
    );
    let bushing = placed(model("bushing", &[]), in_millimetres(), markers());
    for (participant, inputs, outputs, sizes) in [
        (body, &["load", "end_load"][..], &["frame", "end"][..], (12, 26)),
        (
            bushing,
            &["end"][..],
            &["load", "end_load", "frame"][..],
            (13, 25),
        ),
    ] {
        let mut bench = Bench::new(participant, inputs, outputs);
        let room = |size: usize| Planes {
            reals: vec![0.0; size],
            ..Planes::default()
        };
        let (mut given, mut seen) = (room(sizes.0), room(sizes.1));
        let mut segments = vec![Segment::constant(0.0, at(0.0)); sizes.0];
        let participant = &mut *bench.participant;
        drive(participant, &mut given, &mut seen, &mut segments, 0..20);
        let count = allocations(|| drive(participant, &mut given, &mut seen, &mut segments, 20..60));
        assert_eq!(count, 0, "{inputs:?}");
    }
}
