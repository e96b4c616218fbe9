//! The participants of the examples with tools keep their promises, over the real protocol.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

mod support;

use cardan_core::interface::{ParameterId, PortId};
use cardan_core::participant::{Participant, RunWindow, Settings};
use cardan_core::planes::Planes;
use cardan_core::time::SimTime;
use cardan_core::value::Value;
use cardan_link::launch::{Launch, launch};
use cardan_testkit::conformance::{self, Claim, Options};
use cardan_testkit::tools;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::manner;

const START: SimTime = SimTime::from_seconds(0.0);

fn root() -> PathBuf {
    std::path::absolute(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

fn started(example: &str, command: Vec<String>) -> Box<dyn Participant> {
    let order = Launch {
        command,
        folder: root().join("examples").join(example),
        environment: vec![
            (
                "PYTHONPATH".into(),
                root().join("bindings/python").display().to_string(),
            ),
            ("PYTHONDONTWRITEBYTECODE".into(), "1".into()),
        ],
        grace: Duration::from_secs(5),
        ..Launch::default()
    };
    Box::new(launch(&order, &manner()).unwrap())
}

/// A class of the example with MuJoCo, by the Python that has the tools.
fn class(spec: &str) -> Box<dyn Participant> {
    let python = tools::python_folder().join("python3").display().to_string();
    let script = format!("import cardan; cardan.main('{spec}')");
    started("mujoco-fe", vec![python, "-c".into(), script])
}

fn spice() -> Box<dyn Participant> {
    started("ngspice-heater", vec!["./spice.sh".into(), "heater.cir".into()])
}

/// Those that say something about a class with a solver of its own; each of them starts interpreters.
const CLAIMS: &[Claim] = &[
    conformance::interface_is_consistent,
    conformance::calls_in_order_work,
    conformance::feedthrough_is_declared,
    conformance::outputs_are_repeatable,
    conformance::same_run_gives_same_bits,
    conformance::binds_outputs_in_any_order,
    conformance::rollback_repeats_steps,
    conformance::rollback_slots_are_independent,
];

#[test]
#[ignore = "needs MuJoCo: ./test --tools"]
fn mujoco_keeps_the_promises() {
    if !tools::has("mujoco") {
        return;
    }
    assert!(class("body.py:Body").rollback().is_some());
    for claim in CLAIMS {
        claim(&|| class("body.py:Body"), &Options::new());
    }
}

#[test]
#[ignore = "needs scikit-fem: ./test --tools"]
fn scikit_fem_keeps_the_promises() {
    if !tools::has("mujoco") {
        return;
    }
    let mut beam = class("beam.py:Beam");
    assert!(beam.rollback().is_some());
    assert!(beam.derivatives().is_some());
    for claim in CLAIMS
        .iter()
        .chain([&(conformance::derivatives_agree_with_differences as Claim)])
    {
        // The tip moves by some centimetres.
        let options = Options::new().real("deflection", |t| 0.05 * (20.0 * t + 0.3).sin());
        claim(&|| class("beam.py:Beam"), &options);
    }
}

#[test]
#[ignore = "needs ngspice: ./test --tools"]
fn ngspice_keeps_the_promises_and_promises_no_rollback() {
    if !tools::has("ngspice") {
        return;
    }
    assert!(spice().rollback().is_none());
    for (_, claim) in conformance::CLAIMS {
        claim(&spice, &Options::new());
    }
}

/// A beam that stands still, ready to be asked.
struct Beam(Box<dyn Participant>);

impl Beam {
    /// With so many elements, and the force alone bound: the energy is left out.
    fn new(elements: i64) -> Self {
        let mut beam = class("beam.py:Beam");
        let interface = beam.interface().clone();
        let port = |name: &str| {
            let found = interface.ports.iter().position(|port| port.name.as_str() == name);
            PortId(found.unwrap() as u32)
        };
        beam.bind(&[port("deflection")], &[port("force")]).unwrap();
        let place = interface
            .parameters
            .iter()
            .position(|p| p.name.as_str() == "elements");
        let id = ParameterId(place.unwrap() as u32);
        let window = RunWindow {
            start: START,
            stop: SimTime::from_seconds(1.0),
            tolerance: None,
        };
        let settings = Settings(vec![(id, Value::Integers(vec![elements]))]);
        beam.begin_initialization(&window, &settings).unwrap();
        beam.finish_initialization().unwrap();
        Beam(beam)
    }

    fn force(&mut self, deflection: f64) -> f64 {
        let mut values = reals(f64::NAN);
        let inputs = reals(deflection);
        self.0.outputs(START, &inputs, values.view_mut()).unwrap();
        values.reals[0]
    }

    /// The tangent stiffness, as it comes over the line.
    fn stiffness(&mut self, deflection: f64) -> f64 {
        let mut change = [f64::NAN];
        let derivatives = self.0.derivatives().unwrap();
        derivatives
            .directional(START, &reals(deflection), &[1.0], &mut change)
            .unwrap();
        -change[0]
    }
}

fn reals(value: f64) -> Planes {
    Planes {
        reals: vec![value],
        ..Planes::default()
    }
}

/// 3 E I / L³ for the beam of the example.
const TEXTBOOK: f64 = 3.0 * 2.8 / (0.6 * 0.6 * 0.6);

/// The tension is the axial stiffness, 2000 N/m, times the elongation; for small deflections `w` the elongation is
/// 3/5 w²/L, and a tension `N` makes the beam stiffer by 2/5 N L² / E I of what it was. Both are integrals over the cubic
/// that the unloaded beam bends into. So the force is TEXTBOOK (w + STIFFENING w³), and the next term has the size of the
/// square of this one.
const STIFFENING: f64 = 0.4 * (0.6 * 2000.0 / 0.6) * 0.36 / 2.8;

#[test]
#[ignore = "needs scikit-fem: ./test --tools"]
fn the_tangent_stiffness_is_that_of_the_textbook_and_of_differences() {
    if !tools::has("mujoco") {
        return;
    }
    let mut beam = Beam::new(8);
    // Cubic elements bend exactly like a beam with forces at its nodes, so only the stiffening remains: 3e-6 here.
    let small = 1e-4;
    let stiffening = STIFFENING * small * small;
    // Newton stops at 1e-13 of the shape, and the stiffness of an element is 8³ times that of the beam: 1e-10 or less.
    let rounding = 1e-10;
    let off = beam.stiffness(small) / TEXTBOOK - 1.0;
    assert!(
        (off - 3.0 * stiffening).abs() < 10.0 * stiffening * stiffening + rounding,
        "{off}"
    );
    let off = beam.force(small) / (-TEXTBOOK * small) - 1.0;
    assert!(
        (off - stiffening).abs() < 10.0 * stiffening * stiffening + rounding,
        "{off}"
    );
    for deflection in [-0.07, -0.04, -0.01, 0.03] {
        let told = beam.stiffness(deflection);
        let delta = 1e-4;
        let differences = (beam.force(deflection - delta) - beam.force(deflection + delta)) / (2.0 * delta);
        // The third derivative of the force, which the cubic above overestimates, times delta²/6; and rounding.
        let third = 6.0 * TEXTBOOK * STIFFENING;
        let allowed = third * delta * delta / 6.0 + rounding * told * deflection.abs() / delta;
        assert!(
            (told - differences).abs() < allowed,
            "{told} and {differences} at {deflection} m, allowed {allowed}"
        );
        // The stiffening must be seen: the tangent is not the stiffness at rest.
        assert!(told > TEXTBOOK * (1.0 + STIFFENING * deflection * deflection));
    }
}

const CLASS: &str = r#"
import cardan

class Matrix(cardan.Participant):
    a = cardan.Input()
    b = cardan.Input(shape=2)
    x = cardan.Output(direct=True)
    count = cardan.Output(type="integer")
    y = cardan.Output(shape=2, direct=True)

    def tangent(self, t):
        return [[1, 2, 3], [4, 5, 6], [7, 8, 9]]

cardan.run(Matrix)
"#;

/// Before, a class had to be bound as a whole: the reply had derivatives of all its ports.
#[test]
fn derivatives_are_those_of_the_bound_ports() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("matrix.py");
    std::fs::write(&file, CLASS).unwrap();
    for (inputs, outputs, expected) in [
        (
            vec![0, 1],
            vec![2, 3, 4],
            vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0],
        ),
        (vec![1], vec![4], vec![5.0, 6.0, 8.0, 9.0]),
        (vec![0], vec![4, 2], vec![4.0, 7.0, 1.0]),
        (vec![1, 0], vec![2], vec![2.0, 3.0, 1.0]),
    ] {
        let python = vec!["python3".into(), file.display().to_string()];
        let mut matrix = started(".", python);
        let ids = |list: &[u32]| -> Vec<PortId> { list.iter().map(|id| PortId(*id)).collect() };
        matrix.bind(&ids(&inputs), &ids(&outputs)).unwrap();
        let window = RunWindow {
            start: START,
            stop: SimTime::from_seconds(1.0),
            tolerance: None,
        };
        matrix
            .begin_initialization(&window, &Settings::default())
            .unwrap();
        matrix.finish_initialization().unwrap();
        let count = inputs.iter().map(|id| if *id == 1 { 2 } else { 1 }).sum();
        let rows = expected.len() / count;
        let at = Planes {
            reals: vec![0.0; count],
            ..Planes::default()
        };
        for column in 0..count {
            let mut direction = vec![0.0; count];
            direction[column] = 1.0;
            let mut change = vec![f64::NAN; rows];
            let derivatives = matrix.derivatives().unwrap();
            derivatives
                .directional(START, &at, &direction, &mut change)
                .unwrap();
            let wanted: Vec<f64> = (0..rows).map(|row| expected[row * count + column]).collect();
            assert_eq!(change, wanted, "{inputs:?} {outputs:?} {column}");
        }
    }
}
