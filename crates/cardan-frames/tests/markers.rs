//! Points fixed to bodies: where they go, and what acts there.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod support;

use cardan_core::interface::{Causality, Interface, Port, PortId};
use cardan_core::participant::{Outcome, Participant, RunWindow, Settings, Slopes, StepEnd, StepRequest};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::signal::{Curve, Segment};
use cardan_core::spatial::{after, back, by_angles, by_vector, cross, minus, plus, times, turned};
use cardan_core::time::SimTime;
use cardan_core::value::{Shape, Value};
use cardan_frames::{Layout, Part, Placement};
use cardan_testkit::order::observed_order;
use std::sync::{Arc, Mutex};
use support::{Bench, SMALL, at, close, marker, model, placed};

fn three(values: &[f64], first: usize) -> [f64; 3] {
    std::array::from_fn(|i| values[first + i])
}

/// A body that flies straight and turns about a principal axis: every point of it moves on a helix.
#[test]
fn a_marker_is_where_the_body_carries_it() {
    let (velocity, spin) = ([0.3, -0.2, 0.1], [0.0, 0.0, 4.0]);
    let body = model(
        "rigid-body",
        &[("velocity", &velocity), ("angular_velocity", &spin)],
    );
    let markers = vec![marker("tip", "frame", None, SMALL)];
    let mut bench = Bench::new(placed(body, Placement::NONE, markers), &[], &["tip"]);
    for k in 1..=10 {
        let t = 0.2 * f64::from(k);
        bench.hold(t, &[]);
        let tip = bench.outputs(&[]);
        let arm = turned(by_vector([0.0, 0.0, 4.0 * t]), SMALL);
        let orientation = after(by_vector([0.0, 0.0, 4.0 * t]), by_angles([0.2, 0.1, -0.4]));
        let mut expected = plus(times(t, velocity), arm).to_vec();
        // The quaternion of a body that turns on goes on beyond a whole turn.
        let sign = (tip[3] * orientation[0]).signum();
        expected.extend(orientation.map(|q| sign * q));
        expected.extend(plus(velocity, cross(spin, arm)));
        expected.extend(spin);
        // The solver is told 1e-11 for each step.
        close(&tip, &expected, 1e-9);
    }
}

/// The swing of a body that a constant force pulls at an arm: I φ'' = -|r F| sin φ, as for a pendulum. Its reference is
/// made in steps that are a thousand times finer.
fn pendulum(arm: f64, force: f64, inertia: f64, (angle, stop): (f64, f64)) -> f64 {
    let steps = 20_000;
    let h = stop / f64::from(steps);
    let rate = |[angle, speed]: [f64; 2]| [speed, -arm * force / inertia * angle.sin()];
    let mut x = [angle, 0.0];
    for _ in 0..steps {
        let go = |k: [f64; 2], h: f64| [x[0] + h * k[0], x[1] + h * k[1]];
        let k1 = rate(x);
        let k2 = rate(go(k1, 0.5 * h));
        let k3 = rate(go(k2, 0.5 * h));
        let k4 = rate(go(k3, h));
        x = std::array::from_fn(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    x[0]
}

/// While a body steps, the arm of a load turns as its last angular velocity says: the moment is wrong by the square of the
/// step, and so is the motion.
#[test]
fn a_load_at_an_arm_turns_the_body_to_second_order() {
    let (arm, force, inertia, start, stop) = (0.5, 3.0, 0.2, 1.0, 1.0);
    let reference = pendulum(arm, force, inertia, (start, stop));
    let error = |steps: u32| {
        let body = model(
            "rigid-body",
            &[("inertia", &[inertia; 3]), ("orientation", &[start, 0.0, 0.0])],
        );
        let markers = vec![marker("end", "frame", Some("load"), [arm, 0.0, 0.0])];
        let mut bench = Bench::new(placed(body, Placement::NONE, markers), &["end_load"], &["frame"]);
        let pull = [force, 0.0, 0.0, 0.0, 0.0, 0.0];
        for k in 1..=steps {
            bench.hold(stop * f64::from(k) / f64::from(steps), &pull);
        }
        let frame = bench.outputs(&pull);
        // The force moves the body, too, and nothing else turns it.
        close(&frame[..1], &[0.5 * force * stop * stop], 1e-9);
        (2.0 * frame[6].atan2(frame[3]) - reference).abs()
    };
    let errors = [20, 40, 80].map(|steps| (stop / f64::from(steps), error(steps)));
    let order = observed_order(&errors);
    assert!((1.8..2.3).contains(&order), "{order}, errors {errors:?}");
}

/// A force at a marker is the same force at the centre and a moment r × F: without rotation, where both can be told.
#[test]
fn a_load_at_a_marker_is_a_load_with_a_moment() {
    let start = [0.4, 0.3, -0.2];
    let body = || model("rigid-body", &[("inertia", &[1e12; 3]), ("orientation", &start)]);
    let markers = vec![marker("end", "frame", Some("load"), SMALL)];
    let at_end = Bench::new(
        placed(body(), Placement::NONE, markers),
        &["load", "end_load"],
        &["frame"],
    );
    let at_centre = Bench::new(body(), &["load"], &["frame"]);
    let (own, other) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [-3.0, 5.0, 7.0, 0.5, 0.25, -1.0]);
    let arm = turned(by_angles(start), SMALL);
    let force = plus(three(&own, 0), three(&other, 0));
    let moment = plus(
        plus(three(&own, 3), three(&other, 3)),
        cross(arm, three(&other, 0)),
    );
    let both: Vec<f64> = own.into_iter().chain(other).collect();
    let total: Vec<f64> = force.into_iter().chain(moment).collect();
    let [found, expected] = [(at_end, both), (at_centre, total)].map(|(mut bench, load)| {
        bench.hold(0.5, &load);
        bench.outputs(&load)
    });
    // Angular velocities are about 1e-12: what counts of them is compared in their own size.
    close(&found[..10], &expected[..10], 1e-12);
    let scaled = |frame: &[f64]| frame[10..].iter().map(|w| 1e12 * w).collect::<Vec<f64>>();
    close(&scaled(&found), &scaled(&expected), 1e-9);
}

/// Instants, and what was read there.
type Heard = Arc<Mutex<Vec<(f64, Vec<f64>)>>>;

/// Listens to a frame: keeps what it read at instants that are no nodes of a cubic.
struct Listener {
    interface: Interface,
    heard: Heard,
}

impl Participant for Listener {
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
    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        let mut heard = self.heard.lock().unwrap();
        for part in [0.125, 0.5, 0.875] {
            let time = request.from.after(part * request.to.since(request.from));
            let values = (0..13).map(|i| request.inputs.real(i, time)).collect();
            heard.push((time.seconds(), values));
        }
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
}

/// A marker that turns steadily and flies along a line drives a body at an arm: the body goes round. Orientation and
/// angular velocity are exact; position and velocity are cubics, wrong by the fourth power of the step.
#[test]
fn a_body_driven_through_a_marker_follows_to_fourth_order() {
    let (rate, speed) = (3.0, [0.5, 0.0, -0.25]);
    let offset = by_angles([0.2, 0.1, -0.4]);
    let error = |h: f64| {
        let heard = Heard::default();
        let mut interface = Interface::default();
        interface.port(Port::input("body").frame());
        let listener = Listener {
            interface,
            heard: Arc::clone(&heard),
        };
        let markers = vec![marker("grip", "body", None, SMALL)];
        let mut bench = Bench::new(
            placed(Box::new(listener), Placement::NONE, markers),
            &["grip"],
            &[],
        );
        let line = |a: f64, b: f64| Segment::polynomial([a, b, 0.0, 0.0], at(0.0), at(h));
        let arc = |cosine: f64, sine: f64| Segment {
            until: at(h),
            origin: at(0.0),
            curve: Curve::Arc {
                cosine,
                sine,
                rate: 0.5 * rate,
            },
        };
        let mut laws: Vec<Segment> = speed.iter().map(|v| line(0.0, *v)).collect();
        laws.extend([arc(1.0, 0.0), line(0.0, 0.0), line(0.0, 0.0), arc(0.0, 1.0)]);
        laws.extend(speed.map(|v| line(v, 0.0)));
        laws.extend([0.0, 0.0, rate].map(|w| line(w, 0.0)));
        bench.step(h, &laws);
        let heard = heard.lock().unwrap();
        let mut worst = 0.0_f64;
        for (t, found) in heard.iter() {
            let spin = by_vector([0.0, 0.0, rate * t]);
            let orientation = after(spin, back(offset));
            let arm = turned(orientation, SMALL);
            close(&found[3..7], &orientation, 1e-15);
            close(&found[10..], &[0.0, 0.0, rate], 0.0);
            let position = minus(times(*t, speed), arm);
            let velocity = minus(speed, cross([0.0, 0.0, rate], arm));
            for i in 0..3 {
                worst = worst.max((found[i] - position[i]).abs());
                worst = worst.max((found[7 + i] - velocity[i]).abs());
            }
        }
        // What four equal nodes promise: (rate h)⁴ / 1944, for an arm of 0.23 and velocities three times that.
        assert!(worst <= 0.23 * rate * (rate * h).powi(4) / 1944.0, "{h}: {worst}");
        worst
    };
    let order = observed_order(&[0.4, 0.2, 0.1].map(|h| (h, error(h))));
    assert!((3.7..4.3).contains(&order), "{order}");
}

/// The load of a bushing at a marker, whose frame is driven there: as far as the marker can tell, the same force, and a
/// moment about another point.
#[test]
fn a_load_is_told_at_the_marker() {
    let stiffness = [300.0, 200.0, 100.0, 30.0, 20.0, 10.0];
    let bushing = || model("bushing", &[("stiffness", &stiffness)]);
    let markers = vec![marker("end", "frame", Some("load"), SMALL)];
    let shown = placed(bushing(), Placement::NONE, markers);
    let base = shown.interface().find_port("frame").unwrap();
    assert_eq!(shown.interface().ports[base.index()].causality, Causality::Local);
    let mut at_end = Bench::new(shown, &["end"], &["frame", "load", "end_load"]);
    let mut at_body = Bench::new(bushing(), &["frame"], &["load"]);
    let orientation = by_angles([0.1, 0.2, 0.3]);
    let mut body = vec![0.01, 0.02, 0.03];
    body.extend(orientation);
    body.extend([0.0; 6]);
    let arm = turned(orientation, SMALL);
    let mut end = plus(three(&body, 0), arm).to_vec();
    end.extend(after(orientation, by_angles([0.2, 0.1, -0.4])));
    end.extend([0.0; 6]);
    let load = at_body.outputs(&body);
    let found = at_end.outputs(&end);
    close(&found[..13], &body, 1e-15);
    close(&found[13..19], &load, 1e-12);
    let moment = minus(three(&load, 3), cross(arm, three(&load, 0)));
    close(&found[19..22], &load[..3], 1e-12);
    close(&found[22..], &moment, 1e-12);
}

/// Turns steadily about z and shows the load that it feels.
struct Spinner {
    interface: Interface,
}

const SPIN: f64 = 3.0;

impl Spinner {
    fn new() -> Self {
        let mut interface = Interface::default();
        interface.port(Port::output("frame").frame());
        let load = interface.port(Port::input("load").load());
        let felt = interface.port(Port::output("felt").shaped(Shape::vector(6)));
        interface.feeds_through(felt, load);
        Spinner { interface }
    }
}

impl Participant for Spinner {
    fn interface(&self) -> &Interface {
        &self.interface
    }
    /// Bound to the load, and to the feeling before the frame.
    fn bind(&mut self, inputs: &[PortId], outputs: &[PortId]) -> Outcome<()> {
        assert_eq!((inputs, outputs), (&[PortId(1)][..], &[PortId(2), PortId(0)][..]));
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
    fn outputs(&mut self, at: SimTime, inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        values.reals[..6].copy_from_slice(&inputs.reals);
        values.reals[6..].fill(0.0);
        values.reals[9..13].copy_from_slice(&by_vector([0.0, 0.0, SPIN * at.seconds()]));
        values.reals[18] = SPIN;
        Ok(())
    }
    fn set_parameters(&mut self, _: SimTime, _: &Settings) -> Outcome<()> {
        Ok(())
    }
    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }
    fn slopes(&mut self) -> Option<&mut dyn Slopes> {
        Some(self)
    }
}

impl Slopes for Spinner {
    fn slopes(&mut self, _: SimTime, _: &Planes, rates: &[f64], slopes: &mut [f64]) -> Outcome<()> {
        slopes[..6].copy_from_slice(rates);
        slopes[6..].fill(0.0);
        Ok(())
    }
}

/// A steady force at an arm that turns makes a moment that changes: M = r × F, M' = (ω × r) × F.
#[test]
fn the_slope_of_a_moment_has_the_turn_of_its_arm() {
    let markers = vec![marker("end", "frame", Some("load"), SMALL)];
    let mut bench = Bench::new(
        placed(Box::new(Spinner::new()), Placement::NONE, markers),
        &["end_load"],
        &["felt"],
    );
    let force = [2.0, -1.0, 0.5];
    let inputs = Planes {
        reals: force.into_iter().chain([0.0; 3]).collect(),
        ..Planes::default()
    };
    bench.hold(0.7, &inputs.reals);
    let arm = turned(by_vector([0.0, 0.0, SPIN * 0.7]), SMALL);
    let felt = bench.outputs(&inputs.reals);
    close(&felt[3..], &cross(arm, force), 1e-14);
    let mut slopes = [f64::NAN; 6];
    let ability = bench.participant.slopes().unwrap();
    ability.slopes(at(0.7), &inputs, &[0.0; 6], &mut slopes).unwrap();
    close(&slopes[..3], &[0.0; 3], 0.0);
    close(&slopes[3..], &cross(cross([0.0, 0.0, SPIN], arm), force), 1e-14);
}

#[test]
fn markers_that_cannot_be_are_all_told() {
    let mut own = Interface::default();
    let frame = own.port(Port::output("frame").frame());
    let load = own.port(Port::input("load").load().start(Value::Reals(vec![0.0; 6])));
    own.port(Port::input("base").frame());
    own.port(Port::output("number"));
    own.feeds_through(frame, load);
    let markers = vec![
        marker("a", "fram", Some("number"), SMALL),
        marker("number", "frame", None, SMALL),
        marker("b", "base", None, SMALL),
        marker("c", "base", None, SMALL),
        marker("d", "frame", Some("load"), SMALL),
    ];
    let mistakes = Layout::new(&own, Placement::NONE, markers).unwrap_err();
    let told: Vec<(usize, Part, &str)> = mistakes
        .iter()
        .map(|m| (m.marker, m.part, m.message.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (0, Part::Frame, "there is no port `fram`"),
            (0, Part::Load, "`number` is not a load"),
            (1, Part::Name, "there is a port `number` already"),
            (3, Part::Frame, "`base` is driven through the marker `b` already"),
            (
                4,
                Part::Load,
                "`frame` reacts at once to `load`: how a load turns it cannot be told from how it is turned"
            ),
        ]
    );
    assert_eq!(mistakes[0].advice, "choose among `frame`, `base`");
}
