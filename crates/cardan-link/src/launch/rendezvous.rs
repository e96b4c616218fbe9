//! The three ways to meet a participant.

use super::doorstep::Doorstep;
use super::process::Process;
use super::{CONNECT, SECRET};
use crate::error::Error;
use crate::handshake::Secret;
use crate::remote::{Manner, Remote};
use crate::transport::{
    Address, Deadline, Descriptors, Framed, Listener, SharedMemory, TlsClient, TlsServer, Transport, Waiting,
    connect,
};
use rustix::pipe::{PipeFlags, pipe_with};
use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How a launched process and Cardan talk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Way {
    /// Over its standard input and output.
    #[default]
    Pipe,
    /// Over a Unix socket in a private folder.
    Unix,
    /// Over TCP on this host.
    Tcp,
    /// Over shared memory.
    SharedMemory(Waiting),
}

/// A process to start.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Where it works; the present folder if empty.
    pub folder: PathBuf,
    /// Variables on top of Cardan's own.
    pub environment: Vec<(String, String)>,
    /// How to talk to it.
    pub way: Way,
    /// Takes a copy of what it prints.
    pub log: Option<PathBuf>,
    /// How long it may take to end by itself.
    pub grace: Duration,
}

/// A participant that is on its way: its process was started, or its port is open. Several can be on their way at once,
/// whoever is met first.
#[derive(Debug)]
pub struct Appointment {
    place: Place,
    manner: Manner,
    deadline: Deadline,
}

/// Where a participant is met.
enum Place {
    /// Over a line that is there already.
    Line(Box<dyn Transport>, Process),
    /// It comes to a port; perhaps it is this process that comes, perhaps to a folder of its own.
    Port(Listener, Option<Process>, Option<Doorstep>),
    /// It waits there to be called.
    Address(Address, Option<TlsClient>),
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(_, process) => f.debug_tuple("Line").field(process).finish(),
            Place::Port(listener, process, _) => {
                f.debug_tuple("Port").field(listener).field(process).finish()
            }
            Place::Address(address, _) => f.debug_tuple("Address").field(address).finish(),
        }
    }
}

impl Appointment {
    /// Starts a process; the time it has for its introduction begins now.
    pub fn launch(launch: &Launch, manner: &Manner) -> Result<Self, Error> {
        let deadline = Deadline::from_now(manner.start);
        let mut manner = plain(manner);
        let place = match launch.way {
            Way::Pipe => {
                let (mut command, said) = command(launch, &Address::Stdio, None)?;
                command.stdin(Stdio::piped()).stdout(Stdio::piped());
                let mut process = start(launch, &manner, command, said)?;
                let Some((input, output)) = process.take_pipes() else {
                    return Err(Error::other("The process has no standard streams."));
                };
                let stream = Descriptors::pipes(input, output)?.watching(Some(process.peer().clone()));
                Place::Line(Box::new(Framed::new(stream)), process)
            }
            Way::Unix => {
                let doorstep = Doorstep::new()?;
                let listener = Listener::bind(&Address::Unix(doorstep.socket()), None)?;
                let (command, said) = command(launch, listener.address(), None)?;
                let process = start(launch, &manner, command, said)?;
                Place::Port(listener, Some(process), Some(doorstep))
            }
            Way::Tcp => {
                let host = "127.0.0.1".to_owned();
                let listener = Listener::bind(&Address::Tcp { host, port: 0 }, None)?;
                // Anybody on this host can connect; only the process we start knows this.
                let secret = Secret::random()?;
                let (command, said) = command(launch, listener.address(), Some(&secret))?;
                let process = start(launch, &manner, command, said)?;
                manner.secret = Some(secret);
                Place::Port(listener, Some(process), None)
            }
            Way::SharedMemory(waiting) => {
                let memory = SharedMemory::create(waiting)?;
                let path = memory.path().unwrap_or_default();
                let (command, said) = command(launch, &Address::SharedMemory(path), None)?;
                let process = start(launch, &manner, command, said)?;
                let memory = memory.watching(Some(process.peer().clone()));
                Place::Line(Box::new(Framed::new(memory)), process)
            }
        };
        Ok(Appointment {
            place,
            manner,
            deadline,
        })
    }

    /// Begins to listen at an address.
    pub fn listen(address: &Address, tls: Option<&TlsServer>, manner: &Manner) -> Result<Self, Error> {
        needs_secret(address, manner)?;
        let listener = Listener::bind(address, tls)?;
        let deadline = Deadline::from_now(manner.start);
        tracing::info!(
            component = manner.component,
            "waiting for a participant at {}",
            listener.address()
        );
        Ok(Appointment {
            place: Place::Port(listener, None, None),
            manner: manner.clone(),
            deadline,
        })
    }

    /// Remembers whom to call.
    pub fn call(address: &Address, tls: Option<TlsClient>, manner: &Manner) -> Result<Self, Error> {
        needs_secret(address, manner)?;
        Ok(Appointment {
            place: Place::Address(address.clone(), tls),
            manner: manner.clone(),
            deadline: Deadline::from_now(manner.start),
        })
    }

    /// Must somebody come whom Cardan has not started?
    pub fn needs_a_visitor(&self) -> bool {
        matches!(self.place, Place::Port(_, None, _))
    }

    /// Is it Cardan who calls?
    pub fn is_a_call(&self) -> bool {
        matches!(self.place, Place::Address(..))
    }

    /// Waits for the participant, or calls it, up to its introduction.
    pub fn keep(self) -> Result<Remote, Error> {
        self.keep_while(|| false)
    }

    /// The same, but where nobody listens yet, it calls again as long as there is hope: somebody else who is on the way
    /// may bring the one that is called.
    pub fn keep_while(self, hope: impl Fn() -> bool) -> Result<Remote, Error> {
        let Appointment {
            place,
            manner,
            deadline,
        } = self;
        match place {
            Place::Line(transport, process) => Remote::meet_by(transport, Some(process), &manner, &deadline),
            // The folder goes when the participant has come.
            Place::Port(listener, process, _doorstep) => admit(listener, process, &manner, &deadline),
            Place::Address(address, tls) => {
                let transport = loop {
                    // Asked for before the call, so that the last call comes after everybody else.
                    let again = hope() && !deadline.has_passed();
                    match connect(&address, tls.as_ref(), &deadline) {
                        Err(error) if error.is_unreachable() && again => std::thread::sleep(BETWEEN_CALLS),
                        other => break other?,
                    }
                };
                Remote::meet_by(transport, None, &manner, &deadline)
            }
        }
    }
}

/// Starts a process and meets the participant in it.
pub fn launch(launch: &Launch, manner: &Manner) -> Result<Remote, Error> {
    Appointment::launch(launch, manner)?.keep()
}

/// Listens at an address until a participant comes.
pub fn wait_for(address: &Address, tls: Option<&TlsServer>, manner: &Manner) -> Result<Remote, Error> {
    Appointment::listen(address, tls, manner)?.keep()
}

/// Calls a participant that listens at an address.
pub fn call(address: &Address, tls: Option<&TlsClient>, manner: &Manner) -> Result<Remote, Error> {
    Appointment::call(address, tls.cloned(), manner)?.keep()
}

/// TLS tells the participant who Cardan is, or the other way round; the secret tells the rest.
fn needs_secret(address: &Address, manner: &Manner) -> Result<(), Error> {
    match (address, &manner.secret) {
        (Address::Tls { .. }, None) => Err(Error::other(format!(
            "`{address}` leaves this host, so both sides must share a secret, and none is given."
        ))
        .advise("add `secret = \"NAME\"`, the name of an environment variable that holds it")),
        _ => Ok(()),
    }
}

/// Between two calls of somebody who is not there yet.
const BETWEEN_CALLS: Duration = Duration::from_millis(20);

/// How long somebody who came may take until it has introduced itself, where there is no other limit.
const GREETING: Duration = Duration::from_secs(60);

/// Takes the first who can introduce itself. Strangers are sent away; only if nobody else comes, they are told of.
fn admit(
    mut listener: Listener,
    process: Option<Process>,
    manner: &Manner,
    deadline: &Deadline,
) -> Result<Remote, Error> {
    let mut stranger: Option<Error> = None;
    let peer = process.as_ref().map(|process| process.peer().clone());
    let error = loop {
        let transport: Box<dyn Transport> = match listener.hear(peer.as_ref(), deadline) {
            Ok(transport) => transport,
            Err(error) => break stranger.unwrap_or(error),
        };
        // Whoever began to speak and then stops is not waited for to the end: somebody else may come.
        let manner = Manner {
            start: Some(deadline.left().map_or(GREETING, |left| left / 2)),
            ..manner.clone()
        };
        match Remote::meet(transport, None, &manner) {
            Ok(remote) => return Ok(remote.with(process)),
            Err(error) => stranger = Some(error),
        }
        // Over a private socket only the process itself can come, and it has only one try.
        if let (Some(peer), Address::Unix(_)) = (&peer, listener.address())
            && (peer.is_gone() || stranger.as_ref().is_some_and(Error::is_refused))
            && let Some(error) = stranger
        {
            break error;
        }
    };
    let error = match (error.is_timeout(), manner.start, &process) {
        (true, Some(start), _) if listener.has_silent() => error
            .reworded(format!(
                "Somebody connected to `{}` but said nothing within {} s.",
                listener.address(),
                start.as_secs_f64()
            ))
            .advise("does the participant use a client of Cardan at all? else raise `start`"),
        (true, Some(start), None) => error
            .reworded(format!(
                "Nobody came to `{}` within {} s.",
                listener.address(),
                start.as_secs_f64()
            ))
            .advise("start the participant, or raise `start`"),
        (true, Some(start), Some(_)) => error
            .reworded(format!(
                "It did not connect to `{}` within {} s.",
                listener.address(),
                start.as_secs_f64()
            ))
            .advise("raise `start` if it needs longer to begin; does it use a client of Cardan at all?"),
        _ => error,
    };
    Err(crate::remote::told_before_the_run(error, process))
}

/// Over private ways no secret is asked for.
fn plain(manner: &Manner) -> Manner {
    Manner {
        secret: None,
        ..manner.clone()
    }
}

fn start(
    launch: &Launch,
    manner: &Manner,
    command: Command,
    said: std::os::fd::OwnedFd,
) -> Result<Process, Error> {
    let log = launch.log.as_deref();
    Process::start(command, said, &manner.component, log, launch.grace)
}

/// The command with its environment, and the stream of what it prints.
fn command(
    launch: &Launch,
    address: &Address,
    secret: Option<&Secret>,
) -> Result<(Command, std::os::fd::OwnedFd), Error> {
    let [program, arguments @ ..] = launch.command.as_slice() else {
        return Err(Error::other("The command is empty.").advise("name a program"));
    };
    let mut command = match program.contains('/') {
        // From the folder, wherever Cardan itself works.
        true => Command::new(absolute(&launch.folder.join(program))),
        false => Command::new(program),
    };
    if !launch.folder.as_os_str().is_empty() {
        if !launch.folder.is_dir() {
            let message = format!("There is no folder `{}`.", launch.folder.display());
            return Err(
                Error::unreachable(message).advise("`folder` is where the process works; make it first")
            );
        }
        command.current_dir(&launch.folder);
    }
    let (said, saying) =
        pipe_with(PipeFlags::CLOEXEC).map_err(|error| Error::system("A pipe cannot be made", error))?;
    let copy = saying
        .try_clone()
        .map_err(|error| Error::system("A pipe cannot be made", error))?;
    command
        .args(arguments)
        .envs(launch.environment.iter().map(|(name, value)| (name, value)))
        .env(CONNECT, address.to_string())
        .env_remove(SECRET)
        .stdin(Stdio::null())
        .stdout(copy)
        .stderr(saying);
    if let Some(secret) = secret {
        command.env(SECRET, OsStr::from_bytes(secret.reveal()));
    }
    Ok((command, said))
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
