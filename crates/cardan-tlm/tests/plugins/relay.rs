//! A manager of few words for whole runs: it introduces components to each other and hands their messages on.

use crate::peer::{
    CHECK_MODEL, CLOSE_PERMISSION, CLOSE_REQUEST, REG_COMPONENT, REG_INTERFACE, REG_PARAMETER, TIME_DATA,
    encoded,
};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// A component: its name, the values of its parameters, the command that runs it with the largest step of its own.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) parameters: &'static [(&'static str, &'static str)],
    pub(crate) command: Command,
    pub(crate) step: f64,
}

/// Lines: both ends as `component.interface`, and what is said about them.
pub(crate) type Lines<'a> = &'a [(&'a str, &'a str, [f64; 29])];

#[derive(Default)]
struct State {
    /// The stream of each component, once all of its first words are said.
    streams: Vec<Option<TcpStream>>,
    ready: usize,
    closing: usize,
}

struct Shared {
    ends: Vec<(String, [f64; 29])>,
    parts: Vec<(&'static str, &'static [(&'static str, &'static str)])>,
    state: Mutex<State>,
    changed: Condvar,
    /// Whether messages change their byte order on the way, as those of a big-endian peer have it.
    big: bool,
}

fn read_message(stream: &mut TcpStream) -> Option<(u8, i32, Vec<u8>)> {
    let mut header = [0; 24];
    stream.read_exact(&mut header).ok()?;
    let int = |at: usize| i32::from_le_bytes(header[at..at + 4].try_into().unwrap());
    let mut payload = vec![0; usize::try_from(int(12)).unwrap()];
    stream.read_exact(&mut payload).ok()?;
    Some((header[8], int(16), payload))
}

fn numbers(payload: &[u8]) -> Vec<f64> {
    let bytes = payload.chunks_exact(8);
    bytes.map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
}

impl Shared {
    /// Both ends of line k have the numbers 2k and 2k + 1.
    fn end(&self, name: &str) -> Option<usize> {
        self.ends.iter().position(|(end, _)| end == name)
    }

    fn owner(&self, end: usize) -> usize {
        let component = self.ends[end].0.split('.').next().unwrap();
        self.parts
            .iter()
            .position(|(name, _)| *name == component)
            .unwrap()
    }

    fn send(&self, to: usize, kind: u8, id: i32, payload: &[f64]) {
        let bytes = encoded(kind, id, payload, self.big);
        let state = self.state.lock().unwrap();
        // Whoever has gone does not miss it.
        let _ = state.streams[to].as_ref().unwrap().write_all(&bytes);
    }

    fn serve(&self, mut stream: TcpStream) {
        stream.set_nodelay(true).unwrap();
        let (kind, _, name) = read_message(&mut stream).unwrap();
        assert_eq!(kind, REG_COMPONENT);
        let me = self
            .parts
            .iter()
            .position(|(part, _)| part.as_bytes() == name)
            .unwrap();
        self.state.lock().unwrap().streams[me] = Some(stream.try_clone().unwrap());
        self.send(me, REG_COMPONENT, i32::try_from(me).unwrap(), &[]);
        while let Some((kind, id, payload)) = read_message(&mut stream) {
            match kind {
                TIME_DATA => {
                    let other = usize::try_from(id).unwrap() ^ 1;
                    self.send(
                        self.owner(other),
                        TIME_DATA,
                        i32::try_from(other).unwrap(),
                        &numbers(&payload),
                    );
                }
                REG_INTERFACE => {
                    let text = String::from_utf8(payload).unwrap();
                    let name = format!("{}.{}", self.parts[me].0, text.split(':').next().unwrap());
                    match self.end(&name) {
                        Some(end) => {
                            self.send(me, REG_INTERFACE, i32::try_from(end).unwrap(), &self.ends[end].1)
                        }
                        None => self.send(me, REG_INTERFACE, -1, &[]),
                    }
                }
                REG_PARAMETER => {
                    let text = String::from_utf8(payload).unwrap();
                    let (name, _) = text.split_once(':').unwrap();
                    let known = self.parts[me].1.iter().find(|(known, _)| *known == name);
                    let mut bytes = known.map_or(vec![], |(_, value)| value.as_bytes().to_vec());
                    if known.is_some() {
                        bytes.resize(104, 0);
                    }
                    let words: Vec<f64> = numbers(&bytes);
                    // Text has no byte order; only numbers are turned round.
                    let turned = words.iter().map(|n| {
                        if self.big {
                            f64::from_bits(n.to_bits().swap_bytes())
                        } else {
                            *n
                        }
                    });
                    self.send(me, REG_PARAMETER, -1, &turned.collect::<Vec<_>>());
                }
                CHECK_MODEL => {
                    let mut state = self.state.lock().unwrap();
                    state.ready += 1;
                    self.changed.notify_all();
                    let all = |state: &mut State| state.ready < self.parts.len();
                    drop(self.changed.wait_while(state, all).unwrap());
                    self.send(me, CHECK_MODEL, 1, &[]);
                }
                CLOSE_REQUEST => {
                    let mut state = self.state.lock().unwrap();
                    state.closing += 1;
                    self.changed.notify_all();
                    let all = |state: &mut State| state.closing < self.parts.len();
                    drop(self.changed.wait_while(state, all).unwrap());
                    self.send(me, CLOSE_PERMISSION, -1, &[]);
                }
                other => panic!("a message of type {other}"),
            }
        }
    }
}

/// Runs components until all have ended, and returns what each of them printed.
pub(crate) fn run(parts: Vec<Part>, lines: Lines, end: f64, big: bool) -> Vec<String> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let both = lines
        .iter()
        .flat_map(|(a, b, line)| [(a.to_string(), *line), (b.to_string(), *line)]);
    let shared = Arc::new(Shared {
        ends: both.collect(),
        parts: parts.iter().map(|part| (part.name, part.parameters)).collect(),
        state: Mutex::new(State {
            streams: parts.iter().map(|_| None).collect(),
            ..State::default()
        }),
        changed: Condvar::new(),
        big,
    });
    let count = parts.len();
    let serving = shared.clone();
    std::thread::spawn(move || {
        for _ in 0..count {
            let (stream, _) = listener.accept().unwrap();
            let shared = serving.clone();
            std::thread::spawn(move || shared.serve(stream));
        }
    });
    start_and_await(parts, end, &format!("127.0.0.1:{port}"))
}

/// Starts components as a manager does and waits for their ends.
pub(crate) fn start_and_await(parts: Vec<Part>, end: f64, server: &str) -> Vec<String> {
    let mut children = Vec::new();
    for mut part in parts {
        let times = ["0".to_owned(), end.to_string(), part.step.to_string()];
        let command = part.command.arg(part.name).args(times).arg(server).arg("model");
        children.push((
            part.name,
            command
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap(),
        ));
    }
    let until = Instant::now() + Duration::from_secs(120);
    let mut printed = Vec::new();
    for (name, mut child) in children {
        while child.try_wait().unwrap().is_none() {
            if Instant::now() > until {
                child.kill().unwrap();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let Output {
            status,
            stdout,
            stderr,
        } = child.wait_with_output().unwrap();
        let words = String::from_utf8_lossy(&stderr);
        assert!(status.success(), "{name}: {status}\n{words}");
        printed.push(String::from_utf8(stdout).unwrap());
    }
    printed
}
