//! A manager in a process of its own, and connections that say what they are told to, byte by byte.

use crate::bench::{Answer, Bench};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// No answer takes longer.
const PATIENCE: Duration = Duration::from_secs(30);

/// `cardan tlm manager` at work, which does not outlive the test. It says where it listens on its first line.
pub(crate) struct Manager {
    pub(crate) child: Child,
    pub(crate) tools: String,
    pub(crate) monitors: Option<String>,
    out: BufReader<std::process::ChildStdout>,
}

impl Manager {
    pub(crate) fn start(bench: &Bench, arguments: &[&str]) -> Self {
        let words = [&["tlm", "manager", "-p", "0"], arguments].concat();
        let mut child = bench
            .command(&words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let words = line.trim().trim_end_matches('.').split_whitespace();
        let mut addresses = words.filter(|word| word.starts_with("127.0.0.1:"));
        let mut address = || Some(addresses.next()?.trim_end_matches(',').to_owned());
        Manager {
            tools: address().unwrap(),
            monitors: address(),
            child,
            out,
        }
    }

    pub(crate) fn connect(&self) -> Raw {
        Raw::new(&self.tools)
    }

    /// Its end, which must come in time.
    #[track_caller]
    pub(crate) fn ends(mut self) -> Answer {
        let began = Instant::now();
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None => assert!(began.elapsed() < PATIENCE, "the manager hangs"),
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let mut answer = Answer {
            code: status.code().unwrap(),
            out: String::new(),
            err: String::new(),
        };
        self.out.read_to_string(&mut answer.out).unwrap();
        let said = self.child.stderr.as_mut().unwrap();
        said.read_to_string(&mut answer.err).unwrap();
        answer
    }

    /// The most memory that it ever had, in bytes.
    pub(crate) fn peak(&self) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        1024 * line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap()
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        // After its end this does nothing.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A tool of the test bench, started by hand.
pub(crate) fn tool(bench: &Bench, name: &str, address: &str, model: &str) -> Child {
    let mut command = Command::new(bench.path("tool"));
    command
        .args([name, "0", "0.1", "0.0005", address, model])
        .current_dir(bench.path("."))
        .stdout(Stdio::null());
    command.spawn().unwrap()
}

/// A connection.
pub(crate) struct Raw(pub(crate) TcpStream);

impl Raw {
    pub(crate) fn new(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Raw(stream)
    }

    pub(crate) fn send(&mut self, kind: u8, id: i32, payload: &[u8]) {
        self.0.write_all(&message(kind, id, payload)).unwrap();
    }

    /// The next message: type, number, bytes.
    #[track_caller]
    pub(crate) fn receive(&mut self) -> (u8, i32, Vec<u8>) {
        let mut header = [0; 24];
        self.0.read_exact(&mut header).unwrap();
        let number = |at: usize| i32::from_le_bytes(header[at..at + 4].try_into().unwrap());
        let mut payload = vec![0; usize::try_from(number(12)).unwrap()];
        self.0.read_exact(&mut payload).unwrap();
        (header[8], number(16), payload)
    }

    /// Says its name and one interface point, and that it is ready.
    pub(crate) fn register(&mut self, name: &str, interface: &str) {
        self.send(2, -1, name.as_bytes());
        self.receive();
        self.send(3, -1, interface.as_bytes());
        self.receive();
        self.send(4, -1, b"");
    }

    /// The manager has closed it.
    #[track_caller]
    pub(crate) fn is_closed(&mut self) {
        let mut rest = Vec::new();
        if let Err(error) = self.0.read_to_end(&mut rest) {
            assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "{error}");
        }
    }
}

pub(crate) fn message(kind: u8, id: i32, payload: &[u8]) -> Vec<u8> {
    let mut bytes = b"TLM_0101".to_vec();
    bytes.extend([kind, 0, 0, 0]);
    bytes.extend(i32::try_from(payload.len()).unwrap().to_le_bytes());
    bytes.extend(id.to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(payload);
    bytes
}

/// A sample of one degree of freedom.
pub(crate) fn sample(time: f64) -> Vec<u8> {
    [time, 0.0, 0.0, 1.0]
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .collect()
}
