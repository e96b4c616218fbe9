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

class Wordy(cardan.Participant):
    force = cardan.Output()

    def step(self, t, dt):
        self.force = "text"

class Broken(cardan.Participant):
    count = cardan.Output(type="integer")

    def step(self, t, dt):
        self.count = 1.5

class Colliding(cardan.Participant):
    outputs = cardan.Output()

class Sampled(cardan.Participant):
    period = cardan.Parameter(0.1)

class Starting(cardan.Participant):
    u = cardan.Input(start="text")

class Reacting(cardan.Participant):
    u = cardan.Input()
    y = cardan.Output(direct=["uu"])

class Stranger:
    pass
"#;

/// A class with a type that does not exist: the file cannot even be read.
const FLOATING: &str = "import cardan\nclass F(cardan.Participant):\n    y = cardan.Output(type=\"float\")\n";

fn classes() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("it.py"), CLASSES).unwrap();
    std::fs::write(folder.path().join("floating.py"), FLOATING).unwrap();
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
    for (class, words) in [
        (
            "Wordy",
            "TypeError: `force` takes a value of the type real, not 'text'.",
        ),
        (
            "Broken",
            "TypeError: `count` takes a value of the type integer, not 1.5.",
        ),
    ] {
        let error = failure(class);
        assert!(error.message.starts_with(words), "{}", error.message);
    }
}

/// A file may be called like a module that Python has loaded already.
#[test]
fn a_python_file_is_found_by_its_path_alone() {
    let folder = classes();
    std::fs::copy(folder.path().join("it.py"), folder.path().join("types.py")).unwrap();
    let text = "[components.x]\npython = \"types.py:Plain\"\n[system]\nstop = 1.0\n[method]\nstep = 0.5\n";
    std::fs::write(folder.path().join("system.toml"), text).unwrap();
    let mut simulation = Simulation::open_with(folder.path(), Options::default()).unwrap();
    assert_eq!(simulation.run().status, "ok");
}

/// Copies of the example share a folder of programs, but whoever changes a source gets the program of that source.
#[test]
fn copies_of_the_example_with_c_have_programs_of_their_own() {
    let cache = tempfile::tempdir().unwrap();
    let left = |changed: &str, text: &str| {
        let copy = over("\"pipe\"");
        if !changed.is_empty() {
            let file = std::fs::File::create(copy.path().join(changed)).unwrap();
            std::io::Write::write_all(&mut &file, text.as_bytes()).unwrap();
            // Older than any program: the times of files say nothing.
            file.set_modified(std::time::UNIX_EPOCH).unwrap();
        }
        let run = std::process::Command::new(copy.path().join("mass.sh"))
            .env("XDG_CACHE_HOME", cache.path())
            .env_remove("CARDAN_CONNECT")
            .output()
            .unwrap();
        (run.status.code(), String::from_utf8(run.stderr).unwrap())
    };
    let (code, told) = left("", "");
    assert_eq!(code, Some(1));
    assert!(told.contains("CARDAN_CONNECT is not set"), "{told}");
    assert_eq!(
        left("mass.c", "int main(void) { return 7; }").0,
        Some(7),
        "it is compiled from its own source"
    );
    let (_, told) = left("cardan.h", "#error \"the header is read\"");
    assert!(told.contains("the header is read"), "{told}");
}

/// A program that was started by hand and listens. It ends with the test.
struct Listening {
    program: std::process::Child,
    folder: tempfile::TempDir,
    port: u16,
}

impl Listening {
    fn new(host: &str, secret: Option<&str>, link: &str) -> Self {
        let folder = classes();
        let port = {
            let free = std::net::TcpListener::bind((host, 0)).unwrap();
            free.local_addr().unwrap().port()
        };
        let around = if host.contains(':') {
            format!("[{host}]")
        } else {
            host.to_owned()
        };
        let address = format!("tcp://{around}:{port}");
        let script = format!("import it, cardan; cardan.run(it.Plain, listen='{address}')");
        let mut command = std::process::Command::new("python3");
        command.args(["-c", &script]).current_dir(folder.path());
        command.env(
            "PYTHONPATH",
            example("../bindings/python").canonicalize().unwrap(),
        );
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command.stderr(std::process::Stdio::piped());
        match secret {
            Some(secret) => command.env("CARDAN_SECRET", secret),
            None => command.env_remove("CARDAN_SECRET"),
        };
        let text = format!(
            "[components.x]\nconnect = \"{address}\"\n{link}\n[system]\nstop = 1.0\n[method]\nstep = 0.5\n"
        );
        std::fs::write(folder.path().join("system.toml"), text).unwrap();
        let program = command.spawn().unwrap();
        Listening {
            program,
            folder,
            port,
        }
    }

    /// Connects as soon as it listens.
    fn stranger(&self, host: &str) -> std::net::TcpStream {
        let begun = std::time::Instant::now();
        loop {
            match std::net::TcpStream::connect((host, self.port)) {
                Ok(line) => return line,
                Err(error) => assert!(begun.elapsed().as_secs() < 20, "{error}"),
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    /// What it printed, once it has ended.
    fn end(mut self, kill: bool) -> (Option<i32>, String) {
        if kill {
            self.program.kill().unwrap();
        }
        let end = self.program.wait_with_output().unwrap();
        (end.status.code(), String::from_utf8(end.stderr).unwrap())
    }
}

#[test]
fn strangers_keep_nobody_from_a_python_program_that_listens() {
    for host in ["127.0.0.1", "::1"] {
        if std::net::TcpListener::bind((host, 0)).is_err() {
            continue; // Not every host has IPv6.
        }
        let listening = Listening::new(host, None, "");
        drop(listening.stranger(host));
        let mut web = listening.stranger(host);
        std::io::Write::write_all(&mut web, b"GET / HTTP/1.1\r\nHost: tank\r\n\r\n").unwrap();
        let mut simulation = Simulation::open_with(listening.folder.path(), Options::default()).unwrap();
        assert_eq!(simulation.run().status, "ok");
        drop(simulation);
        let (code, told) = listening.end(false);
        assert_eq!(code, Some(0), "{told}");
        assert_eq!(told.matches("Waiting for the next.").count(), 2, "{told}");
    }
}

/// Both sides say on which one the secret is missing.
#[test]
fn a_secret_on_one_side_only_is_told_on_both() {
    for (secret, link, words) in [
        (
            Some("open, barley"),
            "",
            "Cardan did not ask for the secret in CARDAN_SECRET",
        ),
        // Any variable that is set will do.
        (
            None,
            "link = { secret = \"PATH\" }",
            "Cardan wants a secret: set CARDAN_SECRET",
        ),
    ] {
        let host = "127.0.0.1";
        let listening = Listening::new(host, secret, link);
        drop(listening.stranger(host));
        let told = match Simulation::open_with(listening.folder.path(), Options::default()) {
            Ok(_) => panic!("they talk without a common secret"),
            Err(error) => error.to_string(),
        };
        assert!(told.contains(words), "{told}");
        // Once it greets the next one, it has told what was wrong with the one before.
        std::io::Read::read_exact(&mut listening.stranger(host), &mut [0]).unwrap();
        let (_, told) = listening.end(true);
        assert!(told.contains(words), "{told}");
    }
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
            "python = \"it.py:Stranger\"",
            "write `class Stranger(cardan.Participant):`",
        ),
        (
            "python = \"it.py:Colliding\"",
            "A port or parameter cannot be called `outputs`",
        ),
        (
            "python = \"it.py:Sampled\"",
            "A port or parameter cannot be called `period`",
        ),
        (
            "python = \"it.py:Starting\"",
            "`u` takes a value of the type real, not 'text'",
        ),
        (
            "python = \"it.py:Reacting\"",
            "`y` is to react to `uu`, but `Reacting` has no such input",
        ),
        (
            "python = \"floating.py:F\"",
            "there is no type `float`: choose one of real, integer, boolean, string, binary",
        ),
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
