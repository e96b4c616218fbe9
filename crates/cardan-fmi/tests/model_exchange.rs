//! FMUs in Model Exchange against solutions that are known.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

use std::sync::Arc;

use cardan_core::inputs::{HeldInputs, Inputs};
use cardan_core::interface::{Causality, ParameterId, PortId};
use cardan_core::participant::{Participant, RunWindow, Settings, StepEnd, StepRequest, Watch};
use cardan_core::planes::{Extent, Planes};
use cardan_core::signal::Segment;
use cardan_core::time::{Grid, SimTime};
use cardan_core::value::Value;
use cardan_describe::Reporter;
use cardan_fmi::model_exchange::Options;
use cardan_fmi::{Fmu, FmuInterface, ModelExchange};
use cardan_ode::{Method, SolverSettings};
use cardan_testkit::fmus::{Fmi, build};

const GRAVITY: f64 = 9.81;
const RESTITUTION: f64 = 0.7;
/// The ball rests when it would leave the ground slower than this.
const SLOWEST: f64 = 0.1;

/// A participant with all its ports bound, and where it stands.
struct Rig {
    participant: ModelExchange,
    extent: Extent,
    now: SimTime,
}

fn interface(name: &str, version: Fmi) -> Arc<FmuInterface> {
    let mut reporter = Reporter::new();
    let fmu = Fmu::open(&build(name, version), &mut reporter).unwrap();
    Arc::new(FmuInterface::new(fmu, &Settings::default()).unwrap())
}

impl Rig {
    fn new(name: &str, version: Fmi, solver: SolverSettings, parameters: &[(&str, f64)]) -> Self {
        let fmu = interface(name, version);
        let parameter = |(name, value): &(&str, f64)| {
            let id: ParameterId = fmu.interface().find_parameter(name).unwrap();
            (id, Value::real(*value))
        };
        let settings = Settings(parameters.iter().map(parameter).collect());
        let options = Options {
            solver: Some(solver),
            ..Options::default()
        };
        let ports = |input: bool| -> Vec<PortId> {
            let all = (0_u32..).map(PortId).zip(&fmu.interface().ports);
            all.filter(|(_, port)| (port.causality == Causality::Input) == input)
                .map(|(id, _)| id)
                .collect()
        };
        let (inputs, outputs) = (ports(true), ports(false));
        let extent = Extent::of(outputs.iter().map(|id| &fmu.interface().ports[id.index()]));
        let mut participant = ModelExchange::new(Arc::clone(&fmu), name, settings, options).unwrap();
        participant.bind(&inputs, &outputs).unwrap();
        let window = RunWindow {
            start: SimTime::default(),
            stop: SimTime::from_seconds(10.0),
            tolerance: None,
        };
        participant
            .begin_initialization(&window, &Settings::default())
            .unwrap();
        participant.finish_initialization().unwrap();
        Rig {
            participant,
            extent,
            now: SimTime::default(),
        }
    }

    /// Steps with inputs that follow these polynomials of time.
    fn step(&mut self, to: f64, laws: &[[f64; 4]]) -> StepEnd {
        let to = SimTime::from_seconds(to);
        let origin = SimTime::default();
        let segments: Vec<Segment> = laws
            .iter()
            .map(|law| Segment::polynomial(*law, origin, to))
            .collect();
        self.step_with(to, Inputs::single(&segments), Watch::Nothing)
    }

    fn step_with(&mut self, to: SimTime, inputs: Inputs<'_>, watch: Watch<'_>) -> StepEnd {
        let request = StepRequest {
            from: self.now,
            to,
            inputs,
            watch,
        };
        let end = self.participant.step(request).unwrap();
        self.now = match end {
            StepEnd::Completed => to,
            StepEnd::Early { at } | StepEnd::Terminate { at } => at,
            StepEnd::Rejected { .. } => panic!("rejected"),
        };
        end
    }

    fn outputs(&mut self, reals: &[f64]) -> Planes {
        let mut values = Planes::new(self.extent);
        let inputs = Planes {
            reals: reals.to_vec(),
            ..Planes::default()
        };
        self.participant
            .outputs(self.now, &inputs, values.view_mut())
            .unwrap();
        values
    }

    /// The value of a real output or local.
    fn real(&mut self, name: &str, inputs: &[f64]) -> f64 {
        let place = self.place(name);
        self.outputs(inputs).reals[place]
    }

    fn place(&self, name: &str) -> usize {
        let mut extent = Extent::default();
        for port in &self.participant.interface().ports {
            if port.causality != Causality::Input {
                let first = extent.place(port);
                if port.name == name {
                    return first;
                }
            }
        }
        panic!("there is no output {name}")
    }

    /// Goes to `to` in equal communication steps.
    fn run(&mut self, to: f64, steps: i64, law: Option<[f64; 4]>) {
        let grid = Grid::new(self.now, (to - self.now.seconds()) / steps as f64);
        let laws: Vec<[f64; 4]> = law.into_iter().collect();
        for k in 1..=steps {
            let end = self.step(if k == steps { to } else { grid.at(k).seconds() }, &laws);
            assert_eq!(end, StepEnd::Completed);
        }
    }
}

fn tight(method: Method) -> SolverSettings {
    SolverSettings {
        rtol: 1e-9,
        atol: 1e-12,
        ..SolverSettings::of(method)
    }
}

/// T x' = t - x from x = 0: x = t - T (1 - exp(-t / T)).
fn lag_after_ramp(t: f64, constant: f64) -> f64 {
    t - constant * (1.0 - (-t / constant).exp())
}

const RAMP: Option<[f64; 4]> = Some([0.0, 1.0, 0.0, 0.0]);

#[test]
fn adaptive_solvers_keep_their_tolerance() {
    for version in Fmi::ALL {
        for method in [Method::Dopri5, Method::Bdf] {
            let mut rig = Rig::new("lag", version, tight(method), &[("T", 0.5)]);
            rig.run(2.0, 20, RAMP);
            let error = rig.real("y", &[2.0]) - lag_after_ramp(2.0, 0.5);
            // Errors of single steps are forgotten within T, so that a few tolerances add up.
            assert!(error.abs() < 1e-8, "{version} {method}: {error:e}");
        }
    }
}

#[test]
fn an_oscillator_keeps_its_phase() {
    for version in Fmi::ALL {
        let parameters = [("x0", 1.0), ("k", 4.0)];
        let mut rig = Rig::new("driven-mass", version, tight(Method::Dopri5), &parameters);
        rig.run(5.0, 50, Some([0.0; 4]));
        let error = rig.real("position", &[0.0]) - 10.0_f64.cos();
        // One tolerance for each of some hundred steps at the most.
        assert!(error.abs() < 1e-7, "{version}: {error:e}");
    }
}

#[test]
fn rk4_is_of_fourth_order() {
    for version in Fmi::ALL {
        let error = |step: f64| {
            let solver = SolverSettings {
                step: Some(step),
                ..SolverSettings::of(Method::Rk4)
            };
            let mut rig = Rig::new("lag", version, solver, &[]);
            // A cubic is read at the stages, where a method that held its inputs would be of first order.
            rig.run(1.0, 1, Some([0.0, 0.0, 0.0, 1.0]));
            // x' = t³ - x from 0: x = t³ - 3 t² + 6 t - 6 + 6 exp(-t)
            (rig.real("x", &[1.0]) - (6.0 * (-1.0_f64).exp() - 2.0)).abs()
        };
        let order = (error(0.1) / error(0.05)).log2();
        assert!((3.8..4.2).contains(&order), "{version}: {order}");
    }
}

#[test]
fn the_way_to_a_point_does_not_matter() {
    for version in Fmi::ALL {
        let at_two = |steps: i64| {
            let mut rig = Rig::new("lag", version, tight(Method::Dopri5), &[]);
            rig.run(2.0, steps, RAMP);
            rig.real("x", &[2.0])
        };
        let (one, seven, hundred) = (at_two(1), at_two(7), at_two(100));
        assert!((one - seven).abs() < 1e-8 && (one - hundred).abs() < 1e-8);
    }
}

/// A stiff lag: the Jacobian comes from the FMU's directional derivatives, and steps are longer than its time constant.
#[test]
fn bdf_strides_over_a_fast_lag() {
    for version in Fmi::ALL {
        let mut rig = Rig::new("lag", version, tight(Method::Bdf), &[("T", 1e-6)]);
        rig.run(1.0, 1, RAMP);
        let error = rig.real("x", &[1.0]) - lag_after_ramp(1.0, 1e-6);
        assert!(error.abs() < 1e-8, "{version}: {error:e}");
        let effort = rig.participant.effort();
        assert!(effort.inner_steps < 1000, "{version}: {effort:?}");
    }
}

/// Inputs that jump in the middle of a step: each piece is an exponential.
#[test]
fn a_jump_inside_a_step_is_met_exactly() {
    for version in Fmi::ALL {
        let mut rig = Rig::new("lag", version, tight(Method::Dopri5), &[]);
        let at = SimTime::from_seconds;
        let segments = [Segment::constant(1.0, at(0.3)), Segment::constant(-1.0, at(1.0))];
        rig.step_with(at(1.0), Inputs::new(&segments, &[2], &[]), Watch::Nothing);
        let before = 1.0 - (-0.3_f64).exp();
        let exact = -1.0 + (before + 1.0) * (-0.7_f64).exp();
        let error = rig.real("x", &[-1.0]) - exact;
        assert!(error.abs() < 1e-9, "{version}: {error:e}");
        let steps = rig.participant.effort().inner_steps;
        assert!(steps < 100, "{version}: {steps} steps for two smooth pieces");
    }
}

/// Times of the bounces in closed form, and the number of the one after which the ball rests.
fn bounces() -> Vec<f64> {
    let mut speed = (2.0 * GRAVITY).sqrt();
    let mut times = vec![speed / GRAVITY];
    loop {
        speed *= RESTITUTION;
        if speed < SLOWEST {
            return times;
        }
        times.push(times[times.len() - 1] + 2.0 * speed / GRAVITY);
    }
}

/// The instants at which the number of bounces has changed, as seen inside one long step.
fn seen_bounces(rig: &mut Rig, to: f64) -> Vec<f64> {
    let place = rig.place("bounces");
    rig.step_with(SimTime::from_seconds(to), Inputs::default(), Watch::InnerSteps);
    let extent = rig.extent;
    let trace = rig.participant.trace().unwrap();
    let (mut before, mut times) = (0, Vec::new());
    for index in 0..trace.instants().len() {
        let mut row = Planes::new(extent);
        trace.point(index, row.view_mut()).unwrap();
        let count = row.integers[place];
        assert!(count - before <= 1, "a bounce was missed");
        if count > before {
            times.push(trace.instants()[index].seconds());
        }
        before = count;
    }
    times
}

#[test]
fn a_ball_bounces_when_it_should_and_comes_to_rest() {
    let exact = bounces();
    assert_eq!(exact.len(), 11);
    for version in Fmi::ALL {
        // A parabola is solved up to rounding by dopri5 and rk4: some units in the last place of a height of one metre,
        // over the speed at the ground, are added at each bounce, and the slowest flight divides them by 0.1 m/s. bdf
        // makes an error of a few tolerances in each flight.
        let rk4 = SolverSettings {
            step: Some(0.01),
            ..SolverSettings::of(Method::Rk4)
        };
        for (solver, allowed) in [
            (tight(Method::Dopri5), 1e-12),
            (rk4, 1e-12),
            (tight(Method::Bdf), 1e-6),
        ] {
            let method = solver.method;
            let mut rig = Rig::new("bouncing-ball", version, solver, &[]);
            let seen = seen_bounces(&mut rig, 3.0);
            assert_eq!(seen.len(), exact.len(), "{version} {method}");
            for (seen, exact) in seen.iter().zip(&exact) {
                let error = (seen - exact).abs();
                assert!(
                    error < allowed,
                    "{version} {method}: {exact} s is missed by {error:e} s"
                );
            }
            // At rest nothing happens any more, and the way is free.
            let steps = rig.participant.effort().inner_steps;
            assert_eq!((rig.real("h", &[]), rig.real("v", &[])), (0.0, 0.0));
            rig.run(10.0, 7, None);
            assert_eq!((rig.real("h", &[]), rig.real("v", &[])), (0.0, 0.0));
            if method == Method::Dopri5 {
                assert!(rig.participant.effort().inner_steps - steps < 50);
            }
        }
    }
}

#[test]
fn bounces_do_not_depend_on_communication_steps() {
    for version in Fmi::ALL {
        let height = |steps: i64| {
            let mut rig = Rig::new("bouncing-ball", version, tight(Method::Dopri5), &[]);
            rig.run(2.0, steps, None);
            (rig.real("h", &[]), rig.outputs(&[]).integers[0])
        };
        let (one, many) = (height(1), height(1000));
        assert_eq!(one.1, many.1);
        assert!((one.0 - many.0).abs() < 1e-12, "{version}: {}", one.0 - many.0);
    }
}

#[test]
fn a_bounce_can_be_taken_back_bit_for_bit() {
    for version in Fmi::ALL {
        for method in [Method::Dopri5, Method::Bdf, Method::Heun] {
            let mut rig = Rig::new("bouncing-ball", version, tight(method), &[]);
            rig.run(0.4, 4, None);
            rig.participant.rollback().unwrap().save(0).unwrap();
            let saved = rig.now;
            let go = |rig: &mut Rig| {
                rig.run(0.5, 1, None); // over the first bounce at 0.45 s
                rig.run(2.0, 3, None);
                rig.outputs(&[])
            };
            let first = go(&mut rig);
            rig.participant.rollback().unwrap().restore(0).unwrap();
            rig.now = saved;
            let again = go(&mut rig);
            let bits = |planes: &Planes| -> Vec<u64> { planes.reals.iter().map(|v| v.to_bits()).collect() };
            assert_eq!(bits(&first), bits(&again), "{version} {method}");
            assert_eq!(first.integers, again.integers, "{version} {method}");
            assert!(first.integers[0] > 1);
        }
    }
}

/// Neither states nor indicators: time just passes, and discrete inputs change in events.
#[test]
fn an_fmu_without_states_passes_values_on() {
    for version in Fmi::ALL {
        let fmu = interface("feedthrough", version);
        let name = if version == Fmi::V2 { "integer" } else { "int32" };
        let id = |suffix: &str| fmu.interface().find_port(&format!("{name}_{suffix}")).unwrap();
        let mut participant =
            ModelExchange::new(Arc::clone(&fmu), "pass", Settings::default(), Options::default()).unwrap();
        participant.bind(&[id("in")], &[id("out")]).unwrap();
        let at = SimTime::from_seconds;
        let window = RunWindow {
            start: at(0.0),
            stop: at(1.0),
            tolerance: None,
        };
        participant
            .begin_initialization(&window, &Settings::default())
            .unwrap();
        participant.finish_initialization().unwrap();
        let held = |value: i64, until: f64| HeldInputs {
            until: at(until),
            values: Planes {
                integers: vec![value],
                ..Planes::default()
            },
        };
        // A value that changes inside the step, watched before and after.
        let held = [held(3, 0.25), held(7, 0.5)];
        let watched = [at(0.1), at(0.3), at(0.5)];
        let end = participant.step(StepRequest {
            from: at(0.0),
            to: at(0.5),
            inputs: Inputs::new(&[], &[], &held),
            watch: Watch::Instants(&watched),
        });
        assert_eq!(end.unwrap(), StepEnd::Completed);
        let mut row = Planes {
            integers: vec![0],
            ..Planes::default()
        };
        for (index, expected) in [3, 7, 7].into_iter().enumerate() {
            let trace = participant.trace().unwrap();
            trace.point(index, row.view_mut()).unwrap();
            assert_eq!(row.integers, [expected], "{version}, point {index}");
        }
        // Exchanged values show at once, however often they change.
        for value in [9, -4, 9] {
            let inputs = Planes {
                integers: vec![value],
                ..Planes::default()
            };
            participant.outputs(at(0.5), &inputs, row.view_mut()).unwrap();
            assert_eq!(row.integers, [value]);
        }
    }
}

#[test]
fn an_input_that_is_not_finite_is_named() {
    let mut rig = Rig::new("lag", Fmi::V3, tight(Method::Dopri5), &[]);
    let to = SimTime::from_seconds(1.0);
    let segments = [Segment::constant(f64::NAN, to)];
    let failure = rig.participant.step(StepRequest {
        from: rig.now,
        to,
        inputs: Inputs::single(&segments),
        watch: Watch::Nothing,
    });
    let failure = failure.unwrap_err();
    assert!(failure.message.contains("input u is not finite"), "{failure}");
}

#[test]
fn a_parameter_that_the_fmu_refuses_is_told_in_its_words() {
    for version in Fmi::ALL {
        let fmu = interface("lag", version);
        let id = fmu.interface().find_parameter("T").unwrap();
        let settings = Settings(vec![(id, Value::real(-1.0))]);
        let mut participant = ModelExchange::new(fmu, "lag", settings, Options::default()).unwrap();
        participant.bind(&[], &[]).unwrap();
        let window = RunWindow {
            start: SimTime::default(),
            stop: SimTime::from_seconds(1.0),
            tolerance: None,
        };
        let begun = participant.begin_initialization(&window, &Settings::default());
        let failure = begun
            .and_then(|()| participant.finish_initialization())
            .unwrap_err();
        let message = &failure.message;
        assert!(message.contains("ExitInitializationMode"), "{message}");
        assert!(message.contains("T must be positive"), "{message}");
    }
}
