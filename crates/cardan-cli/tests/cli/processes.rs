//! Components in other processes: exit codes, results, and what is left behind.
#![cfg(target_os = "linux")]

use crate::bench::{Answer, Bench};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A class that writes the number of its process into a file, prints, and after half a second does what it is told.
fn bench(then: &str) -> Bench {
    let bench = Bench::new();
    bench.write(
        "it.py",
        &format!(
            "import os, sys, time, cardan\n\
             class It(cardan.Participant):\n\
             \x20   y = cardan.Output()\n\
             \x20   def initialize(self, start, stop):\n\
             \x20       open('pid', 'w').write(str(os.getpid()))\n\
             \x20   def step(self, t, dt):\n\
             \x20       print('this would harm', t)\n\
             \x20       if t >= 0.5:\n\
             \x20           {then}\n\
             \x20       self.y = t + dt\n"
        ),
    );
    bench.write(
        "system.toml",
        "[system]\nname = \"it\"\nstop = 1.0\n[components.it]\npython = \"it.py:It\"\n[method]\nstep = 0.1\n",
    );
    bench
}

fn is_gone(bench: &Bench) -> bool {
    let process = format!("/proc/{}/stat", bench.read("pid"));
    let deadline = Instant::now() + Duration::from_secs(5);
    loop {
        // A process that nobody has reaped yet has ended all the same.
        let ended = match std::fs::read_to_string(&process) {
            Ok(stat) => stat
                .rsplit(')')
                .next()
                .is_some_and(|rest| rest.trim_start().starts_with('Z')),
            Err(_) => true,
        };
        if ended || Instant::now() > deadline {
            return ended;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn prints_harm_nothing() {
    let bench = bench("pass");
    let answer = bench.cardan(&["run", ".", "--json"]).expect(0);
    let report = answer.json();
    assert_eq!(report["status"], "ok");
    assert_eq!(bench.table("it.csv").times.len(), 11);
    assert!(is_gone(&bench));
    assert_eq!(bench.files(), ["it.csv", "it.py", "pid", "system.toml"]);
}

#[test]
fn a_process_that_dies_ends_the_run_with_its_name_and_keeps_the_rows() {
    for (then, words) in [
        ("os._exit(7)", "The process ended with exit status 7."),
        ("os.abort()", "The process was ended by signal 6"),
        ("raise RuntimeError('no fuel')", "RuntimeError: no fuel."),
    ] {
        let bench = bench(then);
        let answer = bench.cardan(&["run", ".", "--json"]).expect(3);
        let error = &answer.json()["error"];
        assert_eq!(error["participant"], "it");
        assert_eq!(error["call"], "step");
        assert_eq!(error["time"], 0.5);
        assert!(error["message"].as_str().unwrap().starts_with(words), "{error}");
        assert_eq!(bench.table("it.csv").times.len(), 6);
        assert!(is_gone(&bench));
    }
}

#[test]
fn numbers_that_break_in_python_are_numbers() {
    let bench = bench("1 / 0");
    let answer = bench.cardan(&["run", ".", "--json"]).expect(4);
    let message = answer.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(message.starts_with("ZeroDivisionError"), "{message}");
}

#[test]
fn a_description_that_cannot_start_is_wrong() {
    let bench = bench("pass");
    bench.write(
        "system.toml",
        "[system]\nstop = 1.0\n[components.it]\nprocess = { command = [\"./nothing\"] }\n[method]\nstep = 0.1\n",
    );
    let answer = bench.cardan(&["run", "."]).expect(2);
    assert!(answer.err.contains("There is no program"), "{}", answer.err);
}

/// Whatever Cardan dies of, nothing stays behind.
#[test]
fn a_participant_dies_with_cardan() {
    let bench = bench("time.sleep(60)");
    let mut child = bench
        .command(&["run", "."])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while !bench.path("pid").exists() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(300));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_gone(&bench));
}

#[test]
fn the_second_ctrl_c_ends_a_call_that_does_not_return() {
    let bench = bench("time.sleep(60)");
    let child = bench
        .command(&["run", "."])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while !bench.path("pid").exists() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(300));
    for _ in 0..2 {
        let process = child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &process])
                .status()
                .unwrap()
                .success()
        );
        std::thread::sleep(Duration::from_millis(100));
    }
    let begun = Instant::now();
    let answer = Answer::from(child.wait_with_output().unwrap());
    assert_eq!(answer.code, 130);
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert!(is_gone(&bench));
    assert!(Path::new(&bench.path("it.py")).exists());
}

/// Processes whose command line has this word.
fn living(word: &str) -> usize {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines
        .filter(|line| String::from_utf8_lossy(line).contains(word))
        .count()
}

fn until(what: impl Fn() -> bool) {
    let began = Instant::now();
    while !what() {
        assert!(began.elapsed() < Duration::from_secs(20), "it takes too long");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn signal(process: u32, name: &str) {
    let sent = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(sent.unwrap().success());
}

fn script(bench: &Bench, name: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    bench.write(name, text);
    std::fs::set_permissions(bench.path(name), std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Whoever does not want to wait for a participant leaves no process and no socket behind.
#[test]
fn an_interrupted_setup_leaves_nothing() {
    for (number, (command, name)) in [
        ("check", "-INT"),
        ("check", "-TERM"),
        ("run", "-INT"),
        ("run", "-TERM"),
    ]
    .into_iter()
    .enumerate()
    {
        let bench = Bench::new();
        // Nobody else sleeps exactly that long.
        let orphan = format!("{}{number}.5", 10_000 + std::process::id());
        script(&bench, "silent", &format!("#!/bin/sh\nsleep {orphan}\n"));
        bench.write(
            "system.toml",
            "[system]\nname = \"it\"\nstop = 1.0\n[components.it]\nprocess = { command = [\"./silent\"], transport = \
             \"unix\" }\n[method]\nstep = 0.1\n",
        );
        std::fs::create_dir(bench.path("temporary")).unwrap();
        let child = bench
            .command(&[command, "."])
            .env("TMPDIR", bench.path("temporary"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        until(|| living(&orphan) == 1);
        assert_eq!(std::fs::read_dir(bench.path("temporary")).unwrap().count(), 1);
        signal(child.id(), name);
        let answer = Answer::from(child.wait_with_output().unwrap()).expect(130);
        assert_eq!(living(&orphan), 0, "{command} {name} left a process behind");
        let left = std::fs::read_dir(bench.path("temporary")).unwrap().count();
        assert_eq!(left, 0, "{command} {name} left a socket behind");
        let told = answer.out + &answer.err;
        assert_eq!(told.lines().count(), 1, "{told}");
        assert!(
            told.to_lowercase().starts_with("interrupted") || told.starts_with("error: interrupted"),
            "{told}"
        );
    }
}

/// Even a kill that nobody hears of leaves no socket.
#[test]
fn a_killed_setup_leaves_no_socket() {
    let bench = Bench::new();
    script(&bench, "silent", "#!/bin/sh\ntouch begun\nexec sleep 60\n");
    bench.write(
        "system.toml",
        "[system]\nstop = 1.0\n[components.it]\nprocess = { command = [\"./silent\"], transport = \"unix\" }\n\
         [method]\nstep = 0.1\n",
    );
    std::fs::create_dir(bench.path("temporary")).unwrap();
    let mut child = bench
        .command(&["run", "."])
        .env("TMPDIR", bench.path("temporary"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until(|| bench.path("begun").exists());
    child.kill().unwrap();
    child.wait().unwrap();
    until(|| std::fs::read_dir(bench.path("temporary")).unwrap().count() == 0);
}

/// Ctrl-Z lets processes of components stand still too, and the time of their calls with them.
#[test]
fn processes_stand_still_with_the_run() {
    let bench = bench("[(time.sleep(0.01), open('count', 'a').write('.')) for i in range(50)]");
    let text = bench.read("system.toml") + "[limits]\ncall = 2.0\n";
    bench.write("system.toml", &text);
    let child = bench
        .command(&["run", "."])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until(|| bench.path("count").exists());
    signal(child.id(), "-TSTP");
    let state = |process: &str| {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        stat.rsplit(") ").next().unwrap().chars().next().unwrap()
    };
    let all = [child.id().to_string(), bench.read("pid")];
    until(|| all.iter().all(|process| state(process) == 'T'));
    // Longer than a call may take.
    let counted = bench.read("count").len();
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(bench.read("count").len(), counted);
    signal(child.id(), "-CONT");
    Answer::from(child.wait_with_output().unwrap()).expect(0);
    assert_eq!(bench.table("it.csv").times.len(), 11);
}

/// Three that need a while to begin need it at the same time.
#[test]
fn processes_begin_side_by_side() {
    let bench = Bench::new();
    bench.write(
        "it.py",
        "import time, cardan\ntime.sleep(2)\nclass It(cardan.Participant):\n    y = cardan.Output()\n    def step(self, t, \
         dt):\n        self.y = t\n",
    );
    let components: String = ["a", "b", "c"]
        .map(|name| format!("[components.{name}]\npython = \"it.py:It\"\n"))
        .concat();
    bench.write(
        "system.toml",
        &format!("[system]\nname = \"it\"\nstop = 1.0\n{components}[method]\nstep = 0.1\n"),
    );
    let answer = bench.cardan(&["run", ".", "--json"]).expect(0);
    // One after the other they need six seconds at the least.
    let setup = answer.json()["setup_s"].as_f64().unwrap();
    assert!((2.0..6.0).contains(&setup), "{setup}");
}

/// Whoever comes first, each finds its port open.
#[test]
fn guests_come_in_any_order() {
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/python");
    let bench = Bench::new();
    bench.write(
        "it.py",
        "import cardan\nclass It(cardan.Participant):\n    y = cardan.Output()\n    def step(self, t, dt):\n        self.y \
         = t\ncardan.run(It)\n",
    );
    let address = |name: &str| format!("unix:{}", bench.path(name).display());
    bench.write(
        "system.toml",
        &format!(
            "[system]\nname = \"it\"\nstop = 1.0\n[components.a]\nlisten = {:?}\n[components.b]\nlisten = {:?}\n[method]\n\
             step = 0.1\n",
            address("first"),
            address("second")
        ),
    );
    let child = bench
        .command(&["run", "."])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let guest = |name: &str| {
        until(|| bench.path(name).exists());
        let mut guest = Command::new("python3");
        guest.arg(bench.path("it.py")).env("PYTHONPATH", &client);
        guest.env("CARDAN_CONNECT", address(name)).spawn().unwrap()
    };
    let guests = ["second", "first"].map(|name| {
        let guest = guest(name);
        std::thread::sleep(Duration::from_millis(300));
        guest
    });
    Answer::from(child.wait_with_output().unwrap()).expect(0);
    for mut guest in guests {
        assert!(guest.wait().unwrap().success());
    }
}

#[test]
fn one_address_for_two_is_told_at_once() {
    let bench = Bench::new();
    bench.write(
        "system.toml",
        "[system]\nstop = 1.0\n[components.a]\nlisten = \"unix:/tmp/cardan-test-same\"\n[components.b]\nlisten = \
         \"unix:/tmp/cardan-test-same\"\n[method]\nstep = 0.1\n",
    );
    let began = Instant::now();
    let answer = bench.cardan(&["check", "."]).expect(2);
    // The usual time to wait for a guest is thirty seconds.
    assert!(began.elapsed() < Duration::from_secs(10));
    let told = answer.err.matches("error").count();
    assert_eq!(told, 1, "{}", answer.err);
    assert!(answer.err.contains("`a` listens at"), "{}", answer.err);
}

#[test]
fn last_words_before_the_run_keep_their_lines() {
    let bench = Bench::new();
    script(
        &bench,
        "early",
        "#!/bin/sh\necho first >&2\necho second >&2\nexit 5\n",
    );
    bench.write(
        "system.toml",
        "[system]\nstop = 1.0\n[components.it]\nprocess = { command = [\"./early\"] }\n[method]\nstep = 0.1\n",
    );
    let answer = bench.cardan(&["check", "."]).expect(2);
    let told = &answer.err;
    assert!(
        told.contains("exit status 5. Its last words:\n    first\n    second\n"),
        "{told}"
    );
    assert!(told.contains("its last words should tell why"), "{told}");
}

#[test]
fn a_folder_too_deep_for_a_socket_is_told() {
    let bench = Bench::new();
    let deep = bench.path(&"deep/".repeat(30));
    std::fs::create_dir_all(&deep).unwrap();
    bench.write(
        "system.toml",
        "[system]\nstop = 1.0\n[components.it]\nprocess = { command = [\"true\"], transport = \"unix\" }\n[method]\n\
         step = 0.1\n",
    );
    let output = bench.command(&["check", "."]).env("TMPDIR", &deep).output();
    let answer = Answer::from(output.unwrap()).expect(2);
    assert!(
        answer.err.contains("help: choose a shorter path"),
        "{}",
        answer.err
    );
    assert_eq!(std::fs::read_dir(&deep).unwrap().count(), 0);
}

/// One participant may start another that Cardan calls, whatever their order in the description.
#[test]
fn who_is_called_may_come_with_another() {
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/python");
    let bench = Bench::new();
    let class = "import os, subprocess, sys, time, cardan\nclass It(cardan.Participant):\n    y = cardan.Output()\n    def \
                 step(self, t, dt):\n        self.y = t\n";
    bench.write(
        "called.py",
        &format!("{class}time.sleep(0.5)\ncardan.run(It, listen=sys.argv[1])\n"),
    );
    bench.write(
        "both.py",
        &format!(
            "{class}subprocess.Popen([sys.executable, 'called.py', sys.argv[1]], stdin=subprocess.DEVNULL, stdout=sys.stderr)\n\
             while not os.path.exists(sys.argv[1].removeprefix('unix:')): time.sleep(0.01)\n\
             cardan.run(It)\n"
        ),
    );
    let address = format!("unix:{}", bench.path("door").display());
    bench.write(
        "system.toml",
        &format!(
            "[system]\nname = \"it\"\nstop = 1.0\n[components.called]\nconnect = {address:?}\n[components.both]\nprocess = {{ \
             command = [\"python3\", \"both.py\", {address:?}], environment = {{ PYTHONPATH = {client:?} }} }}\n[method]\n\
             step = 0.1\n"
        ),
    );
    bench.cardan(&["run", "."]).expect(0);
}
