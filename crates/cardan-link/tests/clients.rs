//! The clients, each with its real interpreter or compiler.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

mod support;

use cardan_core::form::Form;
use cardan_core::inputs::Inputs;
use cardan_core::interface::PortId;
use cardan_core::participant::{Participant, RunWindow, Settings, StepEnd, StepRequest, Watch};
use cardan_core::planes::Planes;
use cardan_core::signal::Segment;
use cardan_core::time::SimTime;
use cardan_core::value::Value;
use cardan_link::Manner;
use cardan_link::launch::{Launch, Way, launch};
use cardan_link::transport::Waiting;
use cardan_testkit::{conformance, tools};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;
use support::manner;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

const CLASSES: &str = r#"
import sys, cardan

class Oscillator(cardan.Participant):
    """Everything a class can have."""
    force = cardan.Input(unit="N")
    position = cardan.Output(unit="m")
    acceleration = cardan.Output(unit="m/s2", direct=["force"])
    stiffness = cardan.Parameter(300.0, unit="N/m", tunable=True)
    rollback = True

    def initialize(self, start, stop):
        self.x, self.v = 0.1, 0.0
        self.position = self.x
        self.log("ready", "debug")

    def step(self, t, dt):
        print("prints do no harm", t)
        force = self.read("force", t + dt / 2)
        self.v += dt * (force - self.stiffness * self.x) / 2.0
        self.x += dt * self.v
        self.position = self.x

    def outputs(self, t):
        self.acceleration = (self.force - self.stiffness * self.x) / 2.0

    def tangent(self, t):
        return [[0.0], [0.5]]

class Everything(cardan.Participant):
    """Every type and shape."""
    vector_in = cardan.Input(shape=3)
    count_in = cardan.Input(type="integer")
    flag_in = cardan.Input(type="boolean")
    name_in = cardan.Input(type="string", start="grüße")
    raw_in = cardan.Input(type="binary")
    body_in = cardan.Input(form="frame")
    push_in = cardan.Input(form="load")
    body = cardan.Output(form="frame")
    push = cardan.Output(form="load")
    vector = cardan.Output(shape=3)
    matrix = cardan.Output(shape=(2, 2))
    count = cardan.Output(type="integer")
    flag = cardan.Output(type="boolean")
    name = cardan.Output(type="string")
    raw = cardan.Output(type="binary")

    def step(self, t, dt):
        self.vector = self.read("vector_in", t + dt)
        self.matrix = [[t, dt], [1.0, 2.0]]
        self.body, self.push = self.read("body_in", t + dt), self.read("push_in", t + dt)
        self.count, self.flag, self.name, self.raw = self.count_in, self.flag_in, self.name_in, self.raw_in

class Ending(cardan.Participant):
    y = cardan.Output()

    def step(self, t, dt):
        if t < 0.035 <= t + dt:
            self.y = 1.0
            return cardan.Early(0.035) if t + dt > 0.035 else None
        if t + dt > 0.0625:
            return cardan.Terminate(0.0625)

cardan.run(globals()[sys.argv[1]])
"#;

fn started(command: &[&str], way: Way) -> Box<dyn Participant> {
    let client = std::path::absolute(root().join("bindings/python")).unwrap();
    let order = Launch {
        command: command.iter().map(|word| (*word).to_owned()).collect(),
        environment: vec![
            ("PYTHONPATH".into(), client.to_str().unwrap().into()),
            ("PYTHONDONTWRITEBYTECODE".into(), "1".into()),
        ],
        way,
        grace: Duration::from_secs(5),
        ..Launch::default()
    };
    Box::new(launch(&order, &manner()).unwrap())
}

/// A few claims each: every one of them starts interpreters.
fn python_conforms(class: &str, way: Way, claims: &[conformance::Claim]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("it.py");
    std::fs::write(&file, CLASSES).unwrap();
    for claim in claims {
        let make = || started(&["python3", file.to_str().unwrap(), class], way);
        claim(&make, &conformance::Options::new());
    }
}

#[test]
fn a_python_class_keeps_the_promises() {
    python_conforms(
        "Oscillator",
        Way::Pipe,
        &[
            conformance::interface_is_consistent,
            conformance::calls_in_order_work,
            conformance::feedthrough_is_declared,
            conformance::rollback_repeats_steps,
            conformance::derivatives_agree_with_differences,
            conformance::defaults_of_tunable_parameters_change_nothing,
        ],
    );
    for way in [Way::Unix, Way::Tcp] {
        python_conforms("Oscillator", way, &[conformance::calls_in_order_work]);
    }
}

#[test]
fn python_knows_all_types_and_ends() {
    let claims: &[conformance::Claim] = &[
        conformance::interface_is_consistent,
        conformance::same_run_gives_same_bits,
        conformance::binds_outputs_in_any_order,
    ];
    python_conforms("Everything", Way::Pipe, claims);
    python_conforms("Ending", Way::Pipe, claims);
}

#[test]
fn python_declares_frames_and_loads() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("it.py");
    std::fs::write(&file, CLASSES).unwrap();
    let participant = started(&["python3", file.to_str().unwrap(), "Everything"], Way::Pipe);
    let interface = participant.interface();
    let port = |name: &str| interface.ports[interface.find_port(name).unwrap().index()].clone();
    let (frame, load) = (port("body_in"), port("push_in"));
    assert_eq!((frame.form, load.form), (Form::Frame, Form::Load));
    // Where nothing drives it, a body does not vanish: its quaternion has a length.
    assert_eq!(frame.start, Some(Value::Reals(Form::AT_REST.to_vec())));
    assert_eq!(load.start, Some(Value::Reals(vec![0.0; 6])));
    assert_eq!((port("body").form, port("push").form), (Form::Frame, Form::Load));
    assert_eq!(port("vector").form, Form::Plain);
}

/// The mass of the example, compiled once.
fn mass() -> &'static str {
    static PROGRAM: OnceLock<(tempfile::TempDir, String)> = OnceLock::new();
    let (_, program) = PROGRAM.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("mass");
        let compiled = Command::new("cc")
            .args([
                "-std=c11",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-Wno-misleading-indentation",
                "-O2",
                "-o",
            ])
            .arg(&program)
            .arg(root().join("examples/c-over-tcp/mass.c"))
            .arg(root().join("bindings/c/cardan.c"))
            .arg(format!("-I{}", root().join("bindings/c").display()))
            .arg("-lm")
            .status();
        assert!(compiled.unwrap().success());
        let program = program.to_str().unwrap().to_owned();
        (folder, program)
    });
    program
}

cardan_testkit::conformance!(c_over_pipe, || started(&[mass()], Way::Pipe));
cardan_testkit::conformance!(c_over_unix, || started(&[mass()], Way::Unix));
cardan_testkit::conformance!(c_over_tcp, || started(&[mass()], Way::Tcp));
cardan_testkit::conformance!(c_over_shared_memory, || started(
    &[mass()],
    Way::SharedMemory(Waiting::Sleep)
));

/// Twice as much comes out of each output as went into its input.
const MANY: &str = r#"
#include "cardan.h"
#include <stdio.h>
enum { MANY = 10000 };
static double doubled[MANY];
static int step(cardan *c, double from, double to) {
    (void)from;
    cardan_log(c, CARDAN_DEBUG, "a word before the reply, while the request is being read");
    for (int i = 0; i < MANY; i++) doubled[i] = 2.0 * cardan_input(c, i, to);
    return CARDAN_DONE;
}
static int publish(cardan *c, double at) {
    (void)at;
    for (int i = 0; i < MANY; i++) cardan_set(c, i, doubled[i]);
    return CARDAN_DONE;
}
int main(void) {
    static char names[2 * MANY][8];
    static cardan_value values[2 * MANY];
    for (int i = 0; i < 2 * MANY; i++) {
        snprintf(names[i], sizeof names[i], "p%d", i);
        values[i].name = names[i];
    }
    const cardan_model model = {.name = "many", .inputs = values, .input_count = MANY, .outputs = values + MANY,
                                .output_count = MANY, .step = step, .publish = publish};
    return cardan_run(&model);
}
"#;

/// Requests of 480 kB and replies of 80 kB: neither fits into one parcel of shared memory.
#[test]
fn c_takes_and_gives_messages_of_many_pieces() {
    const COUNT: u32 = 10_000;
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("many.c"), folder.path().join("many"));
    std::fs::write(&source, MANY).unwrap();
    let client = root().join("bindings/c");
    let compiled = Command::new("cc")
        .args(["-std=c11", "-O2", "-o"])
        .args([&program, &source, &client.join("cardan.c")])
        .arg(format!("-I{}", client.display()))
        .arg("-lm")
        .status();
    assert!(compiled.unwrap().success());
    for way in [
        Way::Pipe,
        Way::SharedMemory(Waiting::Sleep),
        Way::SharedMemory(Waiting::Spin),
    ] {
        let mut many = started(&[program.to_str().unwrap()], way);
        let ids = |from: u32| (from..from + COUNT).map(PortId).collect::<Vec<_>>();
        many.bind(&ids(0), &ids(COUNT)).unwrap();
        let at = SimTime::from_seconds;
        let window = RunWindow {
            start: at(0.0),
            stop: at(1.0),
            tolerance: None,
        };
        many.begin_initialization(&window, &Settings::default()).unwrap();
        many.finish_initialization().unwrap();
        let mut values = Planes {
            reals: vec![0.0; COUNT as usize],
            ..Planes::default()
        };
        for k in 0..3 {
            let (from, to) = (at(0.25 * f64::from(k)), at(0.25 * f64::from(k + 1)));
            let segment = |i| Segment::polynomial([f64::from(i + k), 0.0, 0.0, 0.0], from, to);
            let segments: Vec<_> = (0..COUNT as i32).map(segment).collect();
            let request = StepRequest {
                from,
                to,
                inputs: Inputs::single(&segments),
                watch: Watch::Nothing,
            };
            assert_eq!(many.step(request).unwrap(), StepEnd::Completed);
            many.outputs(to, &Planes::default(), values.view_mut()).unwrap();
            let expected: Vec<_> = (0..COUNT as i32).map(|i| 2.0 * f64::from(i + k)).collect();
            assert_eq!(values.reals, expected, "{way:?}");
        }
        many.terminate().unwrap();
    }
}

/// The header from C++, and numbers that are in no table: what the argument chooses.
const WRONG_NUMBERS: &str = r#"
#include "cardan.h"
static char chosen;
static int step(cardan *c, double, double to) {
    if (chosen == 'i') cardan_input(c, 1, to);
    if (chosen == 'p') cardan_parameter(c, 0);
    if (chosen == 'o') cardan_set(c, -1, 0.0);
    return CARDAN_DONE;
}
int main(int, char **words) {
    chosen = words[1][0];
    static const cardan_value inputs[] = {{"u", "m", 0.0, 0}}, outputs[] = {{"y", "m", 0.0, 0}};
    cardan_model model = {};
    model.name = "plus", model.inputs = inputs, model.outputs = outputs, model.step = step;
    model.input_count = model.output_count = 1;
    return cardan_run(&model);
}
"#;

#[test]
fn the_header_works_in_c_plus_plus_and_wrong_numbers_are_told() {
    if Command::new("c++").arg("--version").output().is_err() {
        return; // Cardan itself needs a compiler for C only.
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("plus.cpp"), WRONG_NUMBERS).unwrap();
    let client = root().join("bindings/c");
    let object = Command::new("cc")
        .args(["-std=c11", "-c", "-o"])
        .args([&at("cardan.o"), &client.join("cardan.c")])
        .status();
    assert!(object.unwrap().success());
    let program = Command::new("c++")
        .args(["-Wall", "-Wextra", "-Werror", "-o"])
        .args([&at("plus"), &at("plus.cpp"), &at("cardan.o")])
        .arg(format!("-I{}", client.display()))
        .arg("-lm")
        .status();
    assert!(program.unwrap().success());
    for (chosen, words) in [
        ("nothing", None),
        ("input", Some("cardan_input: there is no such input")),
        ("parameter", Some("cardan_parameter: there is no such parameter")),
        ("output", Some("cardan_set: there is no such output")),
    ] {
        let mut plus = started(&[at("plus").to_str().unwrap(), chosen], Way::Pipe);
        plus.bind(&[PortId(0)], &[PortId(1)]).unwrap();
        let time = SimTime::from_seconds;
        let window = RunWindow {
            start: time(0.0),
            stop: time(1.0),
            tolerance: None,
        };
        plus.begin_initialization(&window, &Settings::default()).unwrap();
        plus.finish_initialization().unwrap();
        let segments = [Segment::polynomial([0.0; 4], time(0.0), time(1.0))];
        let end = plus.step(StepRequest {
            from: time(0.0),
            to: time(1.0),
            inputs: Inputs::single(&segments),
            watch: Watch::Nothing,
        });
        match words {
            None => assert_eq!(end.unwrap(), StepEnd::Completed),
            Some(words) => {
                let told = format!("{:?}", end.unwrap_err());
                assert!(told.contains(words), "{told}");
            }
        }
    }
}

/// Spinning takes both cores of a small machine, so not everything is done again.
#[test]
fn c_over_spinning_shared_memory() {
    for claim in [
        conformance::calls_in_order_work,
        conformance::rollback_repeats_steps,
        conformance::same_run_gives_same_bits,
    ] {
        claim(
            &|| started(&[mass()], Way::SharedMemory(Waiting::Spin)),
            &conformance::Options::new(),
        );
    }
}

const OCTAVE: &str = r#"
function p = oscillator ()
  p.inputs = {"force", "N"};
  p.outputs = {"position", "m"; "velocity", "m/s"};
  p.parameters = {"stiffness", "N/m", 300};
  p.initialize = @(parameters, start, stop) struct ("x", [0.1; 0], "k", parameters(1));
  p.step = @(s, read, t, dt) setfield (s, "x", s.x + dt * [s.x(2); read(t + dt / 2) - s.k * s.x(1)]);
  p.publish = @(s, u, t) s.x;
  p.changed = @(s, parameters, t) setfield (s, "k", parameters(1));
end
==
function p = commands ()
  p.inputs = {"force", "N"};
  p.outputs = {"position", "m"; "acceleration", "m/s2"};
  p.parameters = {"stiffness", "N/m", 300};
  p.direct = true;
  p.initialize = "position = 0.1; velocity = 0; steps = 0;";
  p.step = "velocity += dt * (force - stiffness * position); position += dt * velocity; steps++";
  p.publish = "acceleration = force - stiffness * position;";
  p.changed = "";
  p.terminate = "cardan_log ('over', 'debug')";
end
==
function p = everything ()
  p.inputs = {"vector_in", "m", [1; 2; 3]; "matrix_in", "", [1 2 3; 4 5 6]; "count_in", "", int64(7); "counts_in", "", int32([1 2]);
              "flag_in", "", true; "name_in", "", "grüße"};
  p.outputs = {"vector", "m", [0; 0; 0]; "matrix", "", zeros(3, 2); "count", "", int64(0); "counts", "", int32([0 0]);
               "flag", "", false; "name", "", ""};
  p.parameters = {"label", "", "it"; "gain", "", 2; "weights", "", [1 2]; "on", "", true};
  p.initialize = @(parameters, start, stop) {parameters{3}(2) * [1; 2; 3], zeros(3, 2), int64(1), int32([1 2]), parameters{4}, parameters{1}};
  p.step = @(s, read, t, dt) further (s, read (t), read (t + dt));
  p.publish = @(s, u, t) s;
end
function s = further (s, u, later)
  if (! (isa (u{3}, "int64") && islogical (u{5}) && ischar (u{6}) && isequal (size (u{2}), [2 3])))
    error ("a type got lost");
  end
  s = {s{1} + later{1}, u{2}', u{3} + 1, u{4}, ! u{5}, [u{6} "!"]};
end
"#;

/// Functions, commands in the workspace of the interpreter, and all types: a few claims each, as for Python.
#[test]
#[ignore = "needs Octave: ./test --tools"]
fn an_octave_function_keeps_the_promises() {
    if !tools::has("octave") {
        return;
    }
    let boot = include_str!("../../../bindings/octave/boot.sh");
    for (name, text) in ["oscillator", "commands", "everything"]
        .iter()
        .zip(OCTAVE.split("==\n"))
    {
        keeps_its_promises(boot, "octave/cardan_serve.m", &format!("{name}.m"), text);
    }
}

const SCILAB: &str = r#"
function p = oscillator()
    p.inputs = {"force", "N"};
    p.outputs = {"position", "m"; "acceleration", "m/s2"};
    p.parameters = {"stiffness", "N/m", 300};
    p.direct = %t;
    p.initialize = "position = 0.1; velocity = 0; steps = 0;";
    p.step = ["velocity = velocity + dt * accelerated(cardan_read(t + dt / 2), stiffness, position);"
              "position = position + dt * velocity"
              "steps = steps + 1"];
    p.publish = "acceleration = accelerated(force, stiffness, position);";
    p.changed = "";
    p.terminate = "cardan_log(''over'', ''debug'')";
endfunction
function a = accelerated(force, stiffness, position)
    a = force - stiffness * position;
endfunction
==
function p = everything()
    p.inputs = {"vector_in", "m", [1; 2; 3]; "matrix_in", "", [1 2 3; 4 5 6]; "count_in", "", int64(7);
                "counts_in", "", int32([1 2]); "flag_in", "", %t; "name_in", "", "grüße"};
    p.outputs = {"vector", "m", [0; 0; 0]; "table", "", zeros(3, 2); "count", "", int64(0);
                 "counts", "", int32([0 0]); "flag", "", %f; "name", "", ""};
    p.parameters = {"label", "", "it"; "gain", "", 2; "weights", "", [1 2]; "on", "", %t};
    p.initialize = ["vector = weights(2) * [1; 2; 3]; table = zeros(3, 2); count = int64(1); counts = int32([1 2]);"
                    "flag = on; name = label;"];
    p.step = ["if typeof(count_in) <> ''int64'' | typeof(flag_in) <> ''boolean'' | or(size(matrix_in) <> [2 3]) then"
              "    error(''a type got lost'');"
              "end"
              "later = cardan_read(t + dt);"
              "vector = vector + later(1:3); table = matrix_in'';"
              "count = count_in + int64(1); counts = counts_in; flag = ~flag_in; name = name_in + ''!'';"];
endfunction
"#;

#[test]
#[ignore = "needs Scilab: ./test --tools"]
fn a_scilab_function_keeps_the_promises() {
    if !tools::has("scilab") {
        return;
    }
    let boot = include_str!("../../../bindings/scilab/boot.sh");
    for (name, text) in ["oscillator", "everything"].iter().zip(SCILAB.split("==\n")) {
        keeps_its_promises(boot, "scilab/cardan_serve.sce", &format!("{name}.sci"), text);
    }
}

/// Scilab has files of its own, which it removes only if it can.
#[test]
#[ignore = "needs Scilab: ./test --tools"]
fn scilab_leaves_no_files_when_it_is_killed() {
    if !tools::has("scilab") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (script, temporary) = (folder.path().join("stuck.sci"), folder.path().join("temporary"));
    std::fs::create_dir(&temporary).unwrap();
    let text = "function p = stuck()\n    p.initialize = \"while %t, end\";\nendfunction\n";
    std::fs::write(&script, text).unwrap();
    let order = Launch {
        command: ["sh", "-c", include_str!("../../../bindings/scilab/boot.sh")]
            .map(str::to_owned)
            .to_vec(),
        environment: vec![
            (
                "CARDAN_CLIENT".into(),
                include_str!("../../../bindings/scilab/cardan_serve.sce").into(),
            ),
            ("CARDAN_SCRIPT".into(), script.to_str().unwrap().into()),
            ("TMPDIR".into(), temporary.to_str().unwrap().into()),
        ],
        way: Way::Pipe,
        grace: Duration::from_millis(200),
        ..Launch::default()
    };
    let impatient = Manner {
        call: Some(Duration::from_millis(500)),
        ..manner()
    };
    let mut stuck = launch(&order, &impatient).unwrap();
    let files = || std::fs::read_dir(&temporary).unwrap().count();
    assert_eq!(files(), 1);
    stuck.bind(&[], &[]).unwrap();
    let window = RunWindow {
        start: SimTime::default(),
        stop: SimTime::from_seconds(1.0),
        tolerance: None,
    };
    assert!(stuck.begin_initialization(&window, &Settings::default()).is_err());
    drop(stuck);
    let begun = std::time::Instant::now();
    while files() > 0 {
        assert!(begun.elapsed() < Duration::from_secs(10), "files are left");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// What any interpreter has to keep.
fn keeps_its_promises(boot: &str, client: &str, name: &str, text: &str) {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join(name);
    std::fs::write(&script, text).unwrap();
    let client = std::fs::read_to_string(root().join("bindings").join(client)).unwrap();
    let order = Launch {
        command: ["sh", "-c", boot].map(str::to_owned).to_vec(),
        environment: vec![
            ("CARDAN_CLIENT".into(), client),
            ("CARDAN_SCRIPT".into(), script.to_str().unwrap().into()),
        ],
        way: Way::Pipe,
        grace: Duration::from_secs(5),
        ..Launch::default()
    };
    let claims: &[conformance::Claim] = &[
        conformance::interface_is_consistent,
        conformance::calls_in_order_work,
        conformance::feedthrough_is_declared,
        conformance::rollback_repeats_steps,
        conformance::binds_outputs_in_any_order,
        conformance::binds_inputs_in_any_order,
        conformance::unbound_inputs_keep_their_start,
        conformance::same_run_gives_same_bits,
        conformance::defaults_of_tunable_parameters_change_nothing,
    ];
    for claim in claims {
        claim(
            &|| Box::new(launch(&order, &manner()).unwrap()),
            &conformance::Options::new(),
        );
    }
}

/// Clients are to stay small.
#[test]
fn clients_are_small() {
    let lines = |file: &str| {
        std::fs::read_to_string(root().join(file))
            .unwrap()
            .lines()
            .count()
    };
    assert!(lines("bindings/python/cardan/__init__.py") < 400);
    assert!(lines("bindings/python/cardan/sockets.py") < 100);
    assert!(lines("bindings/octave/cardan_serve.m") < 400);
    assert!(lines("bindings/scilab/cardan_serve.sce") < 400);
    assert!(lines("bindings/c/cardan.c") < 400);
}
