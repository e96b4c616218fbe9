//! Components in other processes: real interpreters and compilers, and what goes wrong with them.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan::{Options, Overrides, Reporter, Simulation, System, Value};
use support::{Variant, example, largest_error, reals, run};

/// The example with C over another transport, in a folder of its own.
fn over(transport: &str) -> Variant {
    let variant = Variant::of("c-over-tcp/system.toml", &[("\"tcp\"", transport)]);
    for file in ["mass.c", "mass.sh", "cardan.c", "cardan.h"] {
        std::fs::copy(example("c-over-tcp").join(file), variant.path().join(file)).unwrap();
    }
    variant
}

#[test]
fn every_transport_gives_the_same_bits_and_the_result_of_one_process() {
    let together = run("two-mass/system.toml", Overrides::default());
    let tcp = run("c-over-tcp/system.toml", Overrides::default());
    for name in ["one.position", "two.position"] {
        let inside = reals(&together, name);
        for (a, b) in reals(&tcp, name).iter().zip(inside) {
            // Runge-Kutta of the fourth order at 0.25 ms against Dormand-Prince at a tolerance of 1e-9.
            assert!((a - b).abs() < 1e-11, "{name}: {a} and {b}");
        }
    }
    for transport in [
        "\"pipe\"",
        "\"unix\"",
        "\"shared-memory\"",
        "\"shared-memory\", spin = true",
    ] {
        let other = over(transport).run(Overrides::default());
        assert_eq!(other.times, tcp.times);
        for name in ["one.position", "one.velocity", "two.position", "two.velocity"] {
            assert_eq!(reals(&other, name), reals(&tcp, name), "{name} over {transport}");
        }
    }
}

const CLASSES: &str = r#"
import cardan

class Plain(cardan.Participant):
    stiffness = cardan.Parameter(300.0, unit="N/m")

class Failing(cardan.Participant):
    y = cardan.Output()

    def step(self, t, dt):
        self.y = 1.0 / (0.03 - t) if t < 0.03 else 1 / 0

class Leaving(cardan.Participant):
    y = cardan.Output()

    def step(self, t, dt):
        import os
        os._exit(3)
"#;

fn classes() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("it.py"), CLASSES).unwrap();
    std::fs::create_dir(folder.path().join("folder")).unwrap();
    for (name, text) in [
        ("orphan", "#!/nonexistent/interp\n"),
        ("windows", "#!/bin/sh\r\necho\r\n"),
    ] {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

fn failure(class: &str) -> cardan::ErrorReport {
    let folder = classes();
    let text =
        format!("[components.x]\npython = \"it.py:{class}\"\n[system]\nstop = 1.0\n[method]\nstep = 0.01\n");
    std::fs::write(folder.path().join("system.toml"), text).unwrap();
    let mut simulation = Simulation::open_with(folder.path(), Options::default()).unwrap();
    simulation.run().error.unwrap()
}

#[test]
fn what_goes_wrong_in_python_is_told() {
    let error = failure("Failing");
    assert_eq!(error.participant.as_deref(), Some("x"));
    assert!(
        error.message.starts_with("ZeroDivisionError: division by zero."),
        "{}",
        error.message
    );
    assert!(error.message.contains("of it.py, in step"), "{}", error.message);
    let error = failure("Leaving");
    assert_eq!(error.message, "The process ended with exit status 3.");
}

/// What the description of a component is told.
fn complaint(component: &str) -> String {
    let folder = classes();
    let text = format!("[components.x]\n{component}\n[system]\nstop = 1.0\n[method]\nstep = 0.01\n");
    std::fs::write(folder.path().join("system.toml"), text).unwrap();
    let mut reporter = Reporter::new();
    let system = System::load(folder.path(), &Overrides::default(), false, &mut reporter);
    assert!(system.is_none(), "{component} gives a system");
    let diagnostics = reporter.finish();
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    diagnostics[0].message.clone()
}

#[test]
fn descriptions_that_cannot_work_are_told_once() {
    for (component, words) in [
        ("python = \"it.py\"", "names no class in a Python file"),
        ("python = \"that.py:A\"", "there is no file `that.py`"),
        ("python = \"it.py:Nobody\"", "it.py has no class `Nobody`"),
        (
            "process = { command = [\"no-such-program\"] }",
            "There is no program `no-such-program`",
        ),
        ("process = { command = [\"./it.py\"] }", "may not be executed"),
        (
            "process = { command = [\"./folder\"] }",
            "is a folder, not a program",
        ),
        (
            "process = { command = [\"./orphan\"] }",
            "its first line asks for the interpreter `/nonexistent/interp`, which is not there",
        ),
        (
            "process = { command = [\"./windows\"] }",
            "its lines end as on Windows",
        ),
        (
            "process = { command = [\"echo\", \"hello\"] }",
            "It wrote `hello` instead of the protocol",
        ),
        ("process = { command = [\"false\"] }", "ended with exit status 1"),
        (
            "process = { command = [\"sleep\", \"30\"] }\nlink = { start = 0.3 }",
            "did not introduce itself within 0.3 s",
        ),
        ("octave = \"that.m\"", "there is no Octave file `that.m`"),
        ("scilab = \"it.py\"", "there is no Scilab file `it.py`"),
        ("connect = \"tcp://127.0.0.1:1\"", "nobody listens there"),
        ("connect = \"tcp://192.0.2.1:1\"", "leaves this host"),
        ("connect = \"here\"", "is no address"),
        (
            "listen = \"tcp://127.0.0.1:0\"\nlink = { start = 0.2 }",
            "Nobody came to `tcp://127.0.0.1:",
        ),
        (
            "connect = \"tls://localhost:1\"\nlink = { secret = \"CARDAN_TEST_NOT_SET\" }",
            "`CARDAN_TEST_NOT_SET` is not set",
        ),
        (
            "python = \"it.py:Plain\"\nparameters = { stifness = 3.0 }",
            "stifness",
        ),
    ] {
        let found = complaint(component);
        assert!(found.contains(words), "{component}: {found}");
    }
}

#[test]
fn a_call_beyond_its_limit_ends_the_run() {
    let folder = classes();
    std::fs::write(
        folder.path().join("slow.py"),
        "import cardan, time\nclass Slow(cardan.Participant):\n    y = cardan.Output()\n    def step(self, t, dt):\n        time.sleep(60)\n",
    )
    .unwrap();
    let text = "[components.x]\npython = \"slow.py:Slow\"\n[system]\nstop = 1.0\n[method]\nstep = 0.01\n[limits]\ncall = 0.5\n";
    std::fs::write(folder.path().join("system.toml"), text).unwrap();
    let mut simulation = Simulation::open_with(folder.path(), Options::default()).unwrap();
    let begun = std::time::Instant::now();
    let error = simulation.run().error.unwrap();
    assert_eq!(error.message, "The call did not return within 0.5 s.");
    assert!(begun.elapsed().as_secs_f64() < 5.0);
}

#[test]
fn keys_without_effect_are_told() {
    let folder = classes();
    let text = "[components.x]\npython = \"it.py:Plain\"\nlink = { certificate = \"a.pem\" }\nparallel = true\n\
                [system]\nstop = 1.0\n[method]\nstep = 0.01\n";
    std::fs::write(folder.path().join("system.toml"), text).unwrap();
    let mut reporter = Reporter::new();
    assert!(System::load(folder.path(), &Overrides::default(), false, &mut reporter).is_some());
    let told: Vec<String> = reporter
        .finish()
        .iter()
        .map(|told| told.message.clone())
        .collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told.iter()
            .any(|told| told.starts_with("`parallel` has no effect")),
        "{told:?}"
    );
    assert!(
        told.iter()
            .any(|told| told.starts_with("`certificate` has no effect")),
        "{told:?}"
    );
}

#[test]
fn parameters_change_while_a_python_class_runs() {
    let (mut simulation, handle) = {
        let (recorder, handle) = cardan::MemoryRecorder::new();
        let options = Options {
            recorder: Some(Box::new(recorder)),
            ..Options::default()
        };
        (
            Simulation::open_with(example("python-driver"), options).unwrap(),
            handle,
        )
    };
    simulation.advance_to(5.0).unwrap();
    simulation.set("driver.target", Value::real(0.0)).unwrap();
    assert_eq!(simulation.run().status, "ok");
    let table = handle.table();
    let speeds = reals(&table, "car.velocity");
    assert!(speeds[50] > 20.0 && speeds[100] < 2.0, "{speeds:?}");
    // From there on the speed shrinks as it grew before.
    let shrinks = |t: f64| match t <= 5.0 {
        true => 25.0 * (1.0 - 0.95_f64.powi((t * 10.0).round() as i32)),
        false => speeds[50] * 0.95_f64.powi(((t - 5.0) * 10.0).round() as i32),
    };
    assert!(largest_error(&table, "car.velocity", shrinks) < 1e-9);
}
