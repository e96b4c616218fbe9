//! Bodies that live elsewhere, turned and in other units.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod support;

use cardan_core::interface::{Interface, Port, PortId};
use cardan_core::participant::{
    Outcome, Participant, Reactive, RunWindow, Settings, StepEnd, StepRequest, Watch,
};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::reaction::{Motion, Part, Reaction};
use cardan_core::signal::Segment;
use cardan_core::spatial::{after, back, by_angles, by_vector, turned};
use cardan_core::time::SimTime;
use cardan_frames::{Placement, Scales};
use std::sync::{Arc, Mutex};
use support::{ANGLES, Bench, at, close, in_millimetres, marker, model, placed};

/// The same body in kg, m, s and in kg, mm, ms, in a frame that is turned and shifted.
fn pair() -> [Bench; 2] {
    let axes = by_angles(ANGLES);
    let origin = [1.0, -2.0, 0.5];
    let inward = |v: [f64; 3], scale: f64| turned(back(axes), v).map(|part| scale * part);
    let (position, velocity, spin) = ([0.2, 0.3, -0.1], [1.0, 0.5, -2.0], [1.0, 2.0, 3.0]);
    let (start, gravity) = (by_angles([0.3, 0.2, 0.1]), [0.0, 0.0, -9.81]);
    let inertia = [0.2, 0.5, 0.6, 0.03, -0.02, 0.05];
    let here = model(
        "rigid-body",
        &[
            ("mass", &[2.0]),
            ("inertia", &inertia),
            ("gravity", &gravity),
            ("position", &position),
            ("orientation", &start),
            ("velocity", &velocity),
            ("angular_velocity", &spin),
        ],
    );
    let from_origin: [f64; 3] = std::array::from_fn(|i| position[i] - origin[i]);
    let there = model(
        "rigid-body",
        &[
            ("mass", &[2.0]),
            ("inertia", &inertia.map(|i| 1e6 * i)),
            // m/s² in mm/ms², and m/s in mm/ms.
            ("gravity", &inward(gravity, 1e-3)),
            ("position", &inward(from_origin, 1e3)),
            ("orientation", &after(back(axes), start)),
            ("velocity", &inward(velocity, 1.0)),
            ("angular_velocity", &inward(spin, 1e-3)),
        ],
    );
    let there = placed(there, in_millimetres(), Vec::new());
    [here, there].map(|body| Bench::new(body, &["load"], &["frame"]))
}

/// Forces as cubics of time, and what comes of them in both frames.
#[test]
fn a_body_moves_the_same_wherever_it_lives() {
    let [mut here, mut there] = pair();
    for k in 0..10 {
        let (from, to) = (0.1 * f64::from(k), 0.1 * f64::from(k + 1));
        let law = |i: i32| {
            let c = [1.0, -3.0, 2.0, 5.0].map(|c| c * f64::from(i - 2) / f64::from(k + 1));
            Segment::polynomial(c, at(from), at(to))
        };
        let laws: Vec<Segment> = (0..6).map(law).collect();
        let load: Vec<f64> = laws.iter().map(|law| law.at(at(to))).collect();
        here.step(to, &laws);
        there.step(to, &laws);
        // Each solver has its own steps, of a relative error of 1e-11; coordinates are up to ten.
        close(&there.outputs(&load), &here.outputs(&load), 1e-8);
    }
}

/// A step that is watched shows the same instants and frames outside, whatever the clock inside says.
#[test]
fn inner_steps_are_told_in_the_units_of_the_system() {
    let [_, mut there] = pair();
    let laws: Vec<Segment> = [1.0; 6].map(|v| Segment::constant(v, at(0.1))).to_vec();
    let asked = [at(0.025), at(0.1)];
    for watch in [Watch::Instants(&asked), Watch::InnerSteps] {
        there.participant.rollback().unwrap().save(0).unwrap();
        let request = StepRequest {
            from: at(0.0),
            to: at(0.1),
            inputs: cardan_core::inputs::Inputs::single(&laws),
            watch,
        };
        assert_eq!(there.participant.step(request), Ok(StepEnd::Completed));
        let trace = there.participant.trace().unwrap();
        let instants = trace.instants().to_vec();
        assert_eq!(instants.last(), Some(&at(0.1)));
        match watch {
            Watch::Instants(_) => assert_eq!(instants, asked),
            _ => assert!(instants.len() > 1 && instants.is_sorted_by(|a, b| a < b)),
        }
        let mut frame = [0.0; 13];
        let values = PlanesMut {
            reals: &mut frame,
            ..PlanesMut::default()
        };
        trace.point(0, values).unwrap();
        let t = instants[0].seconds();
        // x = x₀ + v t + F t² / 2 m
        close(&frame[..1], &[0.2 + t + 0.25 * t * t], 1e-9);
        there.participant.rollback().unwrap().restore(0).unwrap();
    }
}

/// Keeps the reaction that it is told.
struct Keeper {
    interface: Interface,
    told: Arc<Mutex<Reaction>>,
}

impl Participant for Keeper {
    fn interface(&self) -> &Interface {
        &self.interface
    }
    fn bind(&mut self, _: &[PortId], _: &[PortId]) -> Outcome<()> {
        Ok(())
    }
    fn begin_initialization(&mut self, _: &RunWindow, _: &Settings) -> Outcome<()> {
        Ok(())
    }
    fn finish_initialization(&mut self) -> Outcome<()> {
        Ok(())
    }
    fn step(&mut self, _: StepRequest<'_>) -> Outcome<StepEnd> {
        Ok(StepEnd::Completed)
    }
    fn outputs(&mut self, _: SimTime, _: &Planes, _: PlanesMut<'_>) -> Outcome<()> {
        Ok(())
    }
    fn set_parameters(&mut self, _: SimTime, _: &Settings) -> Outcome<()> {
        Ok(())
    }
    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }
    fn reactive(&mut self) -> Option<&mut dyn Reactive> {
        Some(self)
    }
}

impl Reactive for Keeper {
    fn react(&mut self, reaction: &Reaction) -> Outcome<()> {
        *self.told.lock().unwrap() = reaction.clone();
        Ok(())
    }
}

fn keeper() -> (Box<dyn Participant>, Arc<Mutex<Reaction>>) {
    let told = Arc::new(Mutex::new(Reaction::default()));
    let mut interface = Interface::default();
    interface.port(Port::input("gain"));
    interface.port(Port::input("load").load());
    interface.port(Port::output("number"));
    interface.port(Port::output("frame").frame());
    let keeper = Keeper {
        interface,
        told: Arc::clone(&told),
    };
    (Box::new(keeper), told)
}

/// Numbers that are neither round nor alike.
fn numbers(count: usize, seed: f64) -> Vec<f64> {
    (0..count).map(|i| (seed + 1.7 * i as f64).sin()).collect()
}

/// What a law makes of a motion does not depend on the axes in which it is told.
#[test]
fn a_reaction_is_the_same_law_in_other_axes() {
    let scales = Scales {
        force: 1e3,
        length: 1e-3,
        ..Scales::NONE
    };
    let placement = Placement::new([1.0, -2.0, 0.5], ANGLES, scales);
    let axes = by_angles(ANGLES);
    let (inner, told) = keeper();
    let mut bench = Bench::new(
        placed(inner, placement, Vec::new()),
        &["load", "gain"],
        &["number", "frame"],
    );
    // Outside, the load comes first; positions, velocities and turns follow the number.
    let values = (1..4).chain(8..14).map(Motion::Value);
    let motions: Vec<Motion> = [Motion::Value(0)]
        .into_iter()
        .chain(values)
        .chain([Motion::Turn(4)])
        .collect();
    let orientation = by_angles([0.1, 0.2, 0.3]);
    let mut origin = numbers(14, 0.3);
    origin[4..8].copy_from_slice(&orientation);
    let part = Part {
        inputs: (0..7).collect(),
        motions,
        origin: origin.clone(),
        base: numbers(7, 0.5),
        gains: numbers(7 * 13, 0.9),
        way: numbers(13, 1.3),
        weights: numbers(13, 1.9),
        since: SimTime::from_seconds(0.25),
        drifts: numbers(7, 3.0).into_iter().map(|d| [d, -0.3 * d]).collect(),
        bends: numbers(7, 2.0).into_iter().map(|b| [b, -b, 0.5 * b]).collect(),
        reach: (-3.0, 1.0),
    };
    let reaction = Reaction {
        parts: vec![part],
        ..Reaction::default()
    };
    let now = SimTime::from_seconds(0.75);
    bench.participant.reactive().unwrap().react(&reaction).unwrap();
    let told = told.lock().unwrap();

    let mut outputs: Vec<f64> = origin
        .iter()
        .zip(numbers(14, 4.0))
        .map(|(o, d)| o + 0.1 * d)
        .collect();
    outputs[4..8].copy_from_slice(&after(by_vector([0.2, -0.1, 0.3]), orientation));
    let mut expected = [0.0; 7];
    reaction.apply(now, &outputs, &mut expected);

    // The same outputs as the participant has them: a number, then a frame of its own axes.
    let inward = |first: usize| {
        let v: [f64; 3] = std::array::from_fn(|i| outputs[first + i]);
        turned(back(axes), v)
    };
    let mut own = outputs.clone();
    let position: [f64; 3] = std::array::from_fn(|i| outputs[1 + i] - [1.0, -2.0, 0.5][i]);
    own[1..4].copy_from_slice(&turned(back(axes), position).map(|x| 1e3 * x));
    own[4..8].copy_from_slice(&after(back(axes), std::array::from_fn(|i| outputs[4 + i])));
    own[8..11].copy_from_slice(&inward(8).map(|v| 1e3 * v));
    own[11..14].copy_from_slice(&inward(11));
    let mut found = [0.0; 7];
    told.apply(now, &own, &mut found);
    // Inside, ports lie as they are bound: the load first, in units of 1000 N and of 1000 N mm.
    let mut seen = found;
    for (first, unit) in [(0, 1e3), (3, 1.0)] {
        let v: [f64; 3] = std::array::from_fn(|i| unit * found[first + i]);
        seen[first..first + 3].copy_from_slice(&turned(axes, v));
    }
    close(&seen, &expected, 1e-12);
    assert_ne!(found[..3], expected[..3]);
}

#[test]
fn reactions_are_not_offered_where_they_would_be_other_laws() {
    let offered = |placement: Placement, marked: bool| {
        let markers = if marked {
            vec![marker("tip", "frame", None, [0.1; 3])]
        } else {
            Vec::new()
        };
        placed(keeper().0, placement, markers).reactive().is_some()
    };
    assert!(offered(support::turned(), false));
    assert!(!offered(support::turned(), true));
    // In milliseconds, too.
    assert!(!offered(in_millimetres(), false));
}

#[test]
fn a_single_element_does_not_react_alone_in_turned_axes() {
    let mut bench = Bench::new(
        placed(keeper().0, support::turned(), Vec::new()),
        &["load"],
        &["frame"],
    );
    let part = Part {
        inputs: vec![0],
        motions: vec![Motion::Value(0)],
        origin: vec![0.0; 13],
        base: vec![1.0],
        gains: vec![-1.0],
        ..Part::default()
    };
    let reaction = Reaction {
        parts: vec![part],
        ..Reaction::default()
    };
    let failure = bench
        .participant
        .reactive()
        .unwrap()
        .react(&reaction)
        .unwrap_err();
    assert!(failure.message.contains("cannot react by itself"));
}
