//! Compiling the clients and driving them.

use crate::peer::{CHECK_MODEL, Peer, REG_COMPONENT, REG_INTERFACE};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

pub(crate) fn bindings() -> PathBuf {
    std::path::absolute(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/tlm")).unwrap()
}

pub(crate) fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/plugins")
        .join(name)
}

/// The sources of the client for C.
fn client() -> Vec<PathBuf> {
    let names = ["cardan_tlm.c", "cardan_tlm_line.c", "cardan_tlm_waves.c"];
    names.iter().map(|name| bindings().join("c").join(name)).collect()
}

const STRICT: &[&str] = &["-pedantic", "-Wall", "-Wextra", "-Werror", "-O2"];
/// Errors of memory and of arithmetic end the program.
const WATCHED: &[&str] = &["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// A program of these sources: C in the client's manner, the rest by its ending. Objects and programs are kept under the
/// hash of what they are made of, since each test is a process of its own.
pub(crate) fn program(sources: &[PathBuf], headers: &[PathBuf]) -> PathBuf {
    let objects: Vec<_> = sources
        .iter()
        .chain(&client())
        .map(|source| object(source, headers))
        .collect();
    let link = |made: &Path| {
        let mut command = Command::new(if plus(sources) { "c++" } else { "cc" });
        command.args(WATCHED).arg("-o").arg(made).args(&objects);
        command.args(["-lm", "-ldl", "-rdynamic"]);
        command
    };
    kept("program", &[&objects], link)
}

fn plus(sources: &[PathBuf]) -> bool {
    sources.iter().any(|s| s.extension().is_some_and(|e| e == "cpp"))
}

/// One source, compiled as strictly as can be.
fn object(source: &Path, headers: &[PathBuf]) -> PathBuf {
    let folders = [headers, &[bindings().join("c"), bindings().join("cpp")]].concat();
    let mut read = vec![source.to_owned()];
    for folder in &folders {
        let files = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path());
        read.extend(files.filter(|path| path.extension().is_some_and(|e| e == "h")));
    }
    read.sort();
    kept("object", &[&read], |made| {
        let plus = plus(&[source.to_owned()]);
        let mut command = Command::new(if plus { "c++" } else { "cc" });
        command.arg(if plus { "-std=c++11" } else { "-std=c99" });
        command.arg("-DMATLAB_MEX_FILE"); // which decides in tlmforce.c how it ends
        command
            .args(STRICT)
            .args(WATCHED)
            .arg("-c")
            .arg("-o")
            .arg(made)
            .arg(source);
        for folder in &folders {
            command.arg("-I").arg(folder);
        }
        command
    })
}

/// What a command makes of files, made once for each content of theirs.
fn kept(what: &str, files: &[&[PathBuf]], make: impl FnOnce(&Path) -> Command) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    for file in files.concat() {
        file.hash(&mut hasher);
        std::fs::read(&file).unwrap().hash(&mut hasher);
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let made = folder.join(format!("tlm-{what}-{:016x}.o", hasher.finish()));
    if !made.exists() {
        // Under another name until it is whole: others may be looking for it.
        let unfinished = folder.join(format!("tlm-{what}-{}", std::process::id()));
        let done = make(&unfinished).output().unwrap();
        let words = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{files:?} does not compile:\n{words}");
        std::fs::rename(&unfinished, &made).unwrap();
    }
    made
}

/// The three clients, each behind a program that does what it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Client {
    C,
    Cpp,
    Python,
}

pub(crate) const CLIENTS: [Client; 3] = [Client::C, Client::Cpp, Client::Python];

fn command(client: Client) -> Command {
    match client {
        Client::C => Command::new(program(&[here("probe.c")], &[])),
        Client::Cpp => Command::new(program(&[here("probe.cpp")], &[])),
        Client::Python => {
            let mut python = Command::new("python3");
            python.arg("-B").arg(here("probe.py"));
            python.env("PYTHONPATH", bindings().join("python"));
            python
        }
    }
}

/// What a client said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answer {
    Ok(String),
    Done,
    Error(i32, String),
}

impl Answer {
    /// The numbers that came back.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        let Self::Ok(text) = self else { panic!("{self:?}") };
        text.split_whitespace()
            .map(|word| word.parse().unwrap())
            .collect()
    }

    pub(crate) fn number(&self) -> f64 {
        self.numbers()[0]
    }
}

/// An answer from its line.
fn read(line: &str) -> Answer {
    let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
    match first {
        "ok" => Answer::Ok(rest.to_owned()),
        "done" => Answer::Done,
        _ => {
            let (code, words) = rest.split_once(' ').unwrap();
            Answer::Error(code.parse().unwrap(), words.to_owned())
        }
    }
}

/// A client at work.
pub(crate) struct Probe {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Probe {
    pub(crate) fn start(client: Client, environment: &[(&str, &str)]) -> Self {
        let mut child = command(client)
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (tell, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let _ = tell.send(line);
            }
        });
        Self { child, input, lines }
    }

    pub(crate) fn say(&mut self, order: &str) {
        writeln!(self.input, "{order}").unwrap();
    }

    pub(crate) fn answer(&mut self) -> Answer {
        read(&self.lines.recv_timeout(Duration::from_secs(30)).unwrap())
    }

    /// The answer, if there is one within a moment.
    pub(crate) fn soon(&mut self) -> Option<Answer> {
        let line = self.lines.recv_timeout(Duration::from_millis(40)).ok()?;
        Some(read(&line))
    }

    pub(crate) fn ask(&mut self, order: &str) -> Answer {
        self.say(order);
        self.answer()
    }

    /// Asks, and insists on an error with these words in it.
    pub(crate) fn refused(&mut self, order: &str, words: &str) -> i32 {
        match self.ask(order) {
            Answer::Error(code, said) if said.contains(words) => code,
            other => panic!("{order}: {other:?} does not say `{words}`"),
        }
    }

    /// Whether it is still thinking about the last order.
    pub(crate) fn waits(&self) -> bool {
        self.lines.recv_timeout(Duration::from_millis(100)).is_err()
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Closes its input and waits for its end.
    pub(crate) fn finish(self) -> std::process::ExitStatus {
        let Self { mut child, input, .. } = self;
        drop(input);
        child.wait().unwrap()
    }
}

/// A client with interfaces at lines whose other end is the test.
pub(crate) fn connected(
    client: Client,
    span: [f64; 3],
    interfaces: &[(&str, [f64; 29])],
    before: &[&str],
    environment: &[(&str, &str)],
) -> (Probe, Peer) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let mut probe = Probe::start(client, environment);
    for order in before {
        assert!(matches!(probe.ask(order), Answer::Ok(_)), "{order}");
    }
    let [start, end, step] = span;
    probe.say(&format!("connect m1 {start} {end} {step} localhost:{port}"));
    let mut peer = Peer::accept(&listener);
    assert_eq!(peer.expect(REG_COMPONENT).payload, b"m1");
    peer.send(REG_COMPONENT, 0, &[]);
    assert_eq!(probe.answer(), Answer::Ok(String::new()));
    for (id, (what, line)) in (0..).zip(interfaces) {
        probe.say(&format!("iface {what}"));
        let asked = peer.expect(REG_INTERFACE);
        assert_eq!(asked.payload, what.replace(' ', ":").to_lowercase().as_bytes());
        peer.send(REG_INTERFACE, id, line);
        assert_eq!(probe.answer().number(), f64::from(id));
    }
    (probe, peer)
}

/// The same, through the check of the model.
pub(crate) fn running(client: Client, interfaces: &[(&str, [f64; 29])], before: &[&str]) -> (Probe, Peer) {
    let (mut probe, mut peer) = connected(client, [0.0, 1.0, 1e-3], interfaces, before, &[]);
    probe.say("check");
    peer.expect(CHECK_MODEL);
    peer.send(CHECK_MODEL, 1, &[]);
    assert_eq!(probe.answer(), Answer::Ok(String::new()));
    (probe, peer)
}
