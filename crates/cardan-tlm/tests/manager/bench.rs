//! A manager to try things on, and clients that say what they are told to, byte by byte.

use cardan_describe::{Reporter, Source, tlm};
use cardan_tlm::manager::{Ending, Event, Failure, Handle, Manager, Options, Outcome, Task};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// No answer takes longer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// Two masses on a line, and a sensor that reads the second.
pub(crate) const PAIR: &str = r#"<?xml version="1.0" encoding="ISO-8859-1"?>
<Model Name="pair">
  <SubModels>
    <SubModel Name="m1" StartCommand="none" ModelFile="a" Position="1,2,3" Angle321="0.3,-0.4,1.2">
      <InterfacePoint Name="tlm" Dimensions="1" Position="0,-0.1,0" Angle321="0,0,0.5"/>
      <Parameter Name="mass" Value="2.5"/>
      <Parameter Name="name" Value="left"/>
    </SubModel>
    <SubModel Name="m2" StartCommand="none" ModelFile="b">
      <InterfacePoint Name="tlm" Dimensions="1"/>
      <InterfacePoint Name="free" Dimensions="1"/>
      <Parameter Name="mass" Value="4"/>
    </SubModel>
  </SubModels>
  <Connections><Connection From="m1.tlm" To="m2.tlm" Delay="1e-3" Zf="200" Zfr="3" alpha="0.2"/></Connections>
  <SimulationParams StartTime="0" StopTime="1"/>
</Model>"#;

pub(crate) fn model(text: &str, task: &Task) -> tlm::MetaModel {
    let mut reporter = Reporter::new();
    let extent = match task {
        Task::Simulate => tlm::Extent::Whole,
        Task::AskForInterfaces(_) => tlm::Extent::SubModels,
    };
    let model = tlm::parse(Source::new("model.xml", text), extent, &mut reporter);
    assert!(!reporter.has_errors(), "{}", reporter.render_all(false));
    model.unwrap()
}

/// A manager that runs in a thread of its own.
pub(crate) struct Running {
    pub(crate) tools: SocketAddr,
    pub(crate) monitors: Option<SocketAddr>,
    pub(crate) handle: Handle,
    warnings: Arc<Mutex<Vec<String>>>,
    outcome: Receiver<Outcome>,
    _thread: JoinHandle<()>,
}

/// Options for tests: any port, short times.
pub(crate) fn quick() -> Options {
    Options {
        port: Some(0),
        silence: Duration::from_millis(500),
        start_timeout: PATIENCE,
        monitor_wait: Duration::ZERO,
        grace: Duration::from_secs(2),
        short_grace: Duration::from_millis(200),
        last_chance: Duration::from_millis(700),
        ..Options::default()
    }
}

impl Running {
    pub(crate) fn pair() -> Self {
        Running::start(PAIR, quick())
    }

    pub(crate) fn start(text: &str, options: Options) -> Self {
        let manager = Manager::new(model(text, &options.task), options);
        let handle = manager.handle();
        let (tell_address, address) = channel();
        let (tell_outcome, outcome) = channel();
        let warnings: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = Arc::clone(&warnings);
        let thread = std::thread::spawn(move || {
            let outcome = manager.run(&mut |event| match event {
                Event::Listening { components, monitors } => {
                    tell_address.send((*components, *monitors)).unwrap();
                }
                Event::Warning(text) | Event::Progress(text) => heard.lock().unwrap().push(text.clone()),
                _ => {}
            });
            let _ = tell_outcome.send(outcome);
        });
        let (tools, monitors) = address.recv_timeout(PATIENCE).unwrap();
        Running {
            tools,
            monitors,
            handle,
            warnings,
            outcome,
            _thread: thread,
        }
    }

    pub(crate) fn connect(&self) -> Client {
        Client::new(self.tools)
    }

    pub(crate) fn monitor(&self) -> Client {
        Client::new(self.monitors.unwrap())
    }

    /// What was warned of so far.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.warnings.lock().unwrap().clone()
    }

    /// Both components of the pair, ready and running.
    pub(crate) fn both(&self) -> (Client, Client) {
        let (mut m1, mut m2) = (self.connect(), self.connect());
        m1.register("m1", &["tlm"]);
        m2.register("m2", &["tlm"]);
        m1.send(4, -1, b"");
        m2.send(4, -1, b"");
        assert_eq!(m1.receive().id, 1);
        assert_eq!(m2.receive().id, 1);
        (m1, m2)
    }

    /// A co-simulation that goes on whatever happened before, to its end.
    #[track_caller]
    pub(crate) fn goes_well(self) -> Vec<String> {
        let (mut m1, mut m2) = self.both();
        m1.send(1, 0, &sample(1.0, 1.0));
        assert_eq!(m2.receive().payload, sample(1.0, 1.0));
        m2.send(1, 1, &sample(1.0, 2.0));
        assert_eq!(m1.receive().payload, sample(1.0, 2.0));
        m1.send(7, -1, b"");
        m2.send(7, -1, b"");
        assert_eq!((m1.receive().kind, m2.receive().kind), (8, 8));
        drop((m1, m2));
        self.completes()
    }

    /// Waits for the end, which must be a good one. Returns what was warned of.
    #[track_caller]
    pub(crate) fn completes(self) -> Vec<String> {
        let outcome = self.outcome.recv_timeout(PATIENCE).unwrap();
        assert_eq!(outcome.ending, Ending::Completed);
        self.warnings.lock().unwrap().clone()
    }

    #[track_caller]
    pub(crate) fn outcome(&self) -> Outcome {
        self.outcome.recv_timeout(PATIENCE).unwrap()
    }

    /// Waits for the end, which must be a failure.
    #[track_caller]
    pub(crate) fn fails(self) -> Failure {
        match self.outcome().ending {
            Ending::Failed(failure) => failure,
            other => panic!("{other:?}"),
        }
    }

    /// Waits until a warning holds these words.
    #[track_caller]
    pub(crate) fn warns(&self, words: &str) {
        for _ in 0..2000 {
            if self
                .warnings
                .lock()
                .unwrap()
                .iter()
                .any(|text| text.contains(words))
            {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("no warning of `{words}`: {:?}", self.warnings.lock().unwrap());
    }
}

/// A message as it came.
#[derive(Debug, PartialEq)]
pub(crate) struct Received {
    pub(crate) kind: u8,
    pub(crate) big: bool,
    pub(crate) id: i32,
    pub(crate) parameter: i32,
    pub(crate) payload: Vec<u8>,
}

/// A client that knows nothing but bytes.
pub(crate) struct Client {
    pub(crate) stream: TcpStream,
    pub(crate) big: bool,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Client { stream, big: false }
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        // The manager may have closed the connection already.
        let _ = self.stream.write_all(bytes);
    }

    pub(crate) fn send(&mut self, kind: u8, id: i32, payload: &[u8]) {
        let bytes = message(self.big, kind, id, 0, payload);
        self.bytes(&bytes);
    }

    #[track_caller]
    pub(crate) fn receive(&mut self) -> Received {
        let mut header = [0; 24];
        self.stream.read_exact(&mut header).unwrap();
        assert_eq!(&header[..8], b"TLM_0101");
        let big = header[9] == 1;
        let number = |at: usize| {
            let bytes: [u8; 4] = header[at..at + 4].try_into().unwrap();
            if big {
                i32::from_be_bytes(bytes)
            } else {
                i32::from_le_bytes(bytes)
            }
        };
        let mut payload = vec![0; number(12) as usize];
        self.stream.read_exact(&mut payload).unwrap();
        Received {
            kind: header[8],
            big,
            id: number(16),
            parameter: number(20),
            payload,
        }
    }

    /// Says its name and registers interface points.
    #[track_caller]
    pub(crate) fn register(&mut self, name: &str, interfaces: &[&str]) {
        self.send(2, -1, name.as_bytes());
        assert_eq!(self.receive().kind, 2);
        for interface in interfaces {
            self.send(3, -1, interface.as_bytes());
            assert_eq!(self.receive().payload.len(), 232);
        }
    }

    /// The connection is closed, with or without regret. Samples may come before.
    #[track_caller]
    pub(crate) fn is_closed(&mut self) {
        let mut buffer = [0; 4096];
        loop {
            match self.stream.read(&mut buffer) {
                Ok(0) => return,
                Ok(_) => {}
                Err(error) => {
                    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "{error}");
                    return;
                }
            }
        }
    }
}

/// The bytes of a message, written out by the table of the protocol.
pub(crate) fn message(big: bool, kind: u8, id: i32, parameter: i32, payload: &[u8]) -> Vec<u8> {
    let size = i32::try_from(payload.len()).unwrap();
    let number = |n: i32| if big { n.to_be_bytes() } else { n.to_le_bytes() };
    let mut bytes = b"TLM_0101".to_vec();
    bytes.extend([kind, u8::from(big), 0, 0]);
    bytes.extend(number(size));
    bytes.extend(number(id));
    bytes.extend(number(parameter));
    bytes.extend(payload);
    bytes
}

pub(crate) fn numbers(big: bool, numbers: &[f64]) -> Vec<u8> {
    let bytes = |n: &f64| if big { n.to_be_bytes() } else { n.to_le_bytes() };
    numbers.iter().flat_map(bytes).collect()
}

/// A sample of one degree of freedom.
pub(crate) fn sample(time: f64, wave: f64) -> Vec<u8> {
    numbers(false, &[time, 0.25, -0.5, wave])
}
