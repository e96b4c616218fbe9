//! Waiting for participants, and calling those that wait.

use super::address::Address;
use super::descriptors::Descriptors;
use super::framed::Framed;
use super::peer::Peer;
use super::tls::{TlsClient, TlsServer};
use super::{Deadline, SharedMemory, Transport, late};
use crate::error::Error;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::time::Duration;

/// How many may be there and say nothing; who comes then takes the place of the oldest.
const MOST_SILENT: usize = 64;

/// Waits for a participant to come.
#[derive(Debug)]
pub struct Listener {
    socket: Socket,
    address: Address,
    /// Those who came and said nothing yet, the oldest first.
    silent: Vec<Stream>,
}

#[derive(Debug)]
enum Socket {
    Unix(UnixListener, PathBuf),
    Tcp(TcpListener, Option<TlsServer>),
}

/// Somebody who came.
#[derive(Debug)]
enum Stream {
    Unix(UnixStream),
    Tcp(TcpStream),
}

impl AsFd for Stream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Stream::Unix(stream) => stream.as_fd(),
            Stream::Tcp(stream) => stream.as_fd(),
        }
    }
}

/// What there is to do.
enum Ready {
    /// Somebody is at the door.
    Door,
    /// One of those who were silent speaks, or is gone.
    Speaker(usize),
    /// Nothing: look again.
    Nothing,
}

impl Listener {
    /// Begins to listen. Plain TCP is for this host alone; beyond it a certificate is asked for.
    pub fn bind(address: &Address, tls: Option<&TlsServer>) -> Result<Self, Error> {
        let (socket, address) = match address {
            Address::Unix(path) => {
                let listener = UnixListener::bind(path).map_err(|error| taken(address, &error))?;
                (Socket::Unix(listener, path.clone()), address.clone())
            }
            Address::Tcp { host, port } | Address::Tls { host, port } => {
                let tls = server(address, tls)?;
                let found = resolve(address, host, *port)?;
                if tls.is_none() {
                    on_this_host(address, &found)?;
                }
                let listener = TcpListener::bind(&*found).map_err(|error| taken(address, &error))?;
                let port = listener.local_addr().map_or(*port, |local| local.port());
                let host = host.clone();
                let address = match tls {
                    None => Address::Tcp { host, port },
                    Some(_) => Address::Tls { host, port },
                };
                (Socket::Tcp(listener, tls.cloned()), address)
            }
            Address::Stdio | Address::SharedMemory(_) => {
                let message = format!("Nobody can be waited for at `{address}`.");
                return Err(Error::other(message).advise("listen at tcp://, tls:// or unix:"));
            }
        };
        let listener = Listener {
            socket,
            address,
            silent: Vec::new(),
        };
        match &listener.socket {
            Socket::Unix(socket, _) => socket.set_nonblocking(true),
            Socket::Tcp(socket, _) => socket.set_nonblocking(true),
        }
        .map_err(|error| Error::system("A socket cannot be set up", error))?;
        Ok(listener)
    }

    /// Where it listens, with the port that the system chose.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Waits for somebody to come, as long as the process that should come lives.
    pub fn accept(&self, peer: Option<&Peer>, deadline: &Deadline) -> Result<Box<dyn Transport>, Error> {
        loop {
            if let Ready::Door = self.wait(peer, &[], deadline)?
                && let Some(stream) = self.take()?
            {
                return self.transport(stream, peer);
            }
        }
    }

    /// Waits for somebody to come and speak. Those who come and say nothing keep nobody else from it.
    pub fn hear(&mut self, peer: Option<&Peer>, deadline: &Deadline) -> Result<Box<dyn Transport>, Error> {
        loop {
            match self.wait(peer, &self.silent, deadline)? {
                Ready::Speaker(index) => {
                    let stream = self.silent.remove(index);
                    return self.transport(stream, peer);
                }
                Ready::Door => {
                    if self.silent.len() == MOST_SILENT {
                        self.silent.remove(0);
                    }
                    self.silent.extend(self.take()?);
                }
                Ready::Nothing => {}
            }
        }
    }

    /// Are there some who came and said nothing?
    pub fn has_silent(&self) -> bool {
        !self.silent.is_empty()
    }

    fn take(&self) -> Result<Option<Stream>, Error> {
        let accepted = match &self.socket {
            Socket::Unix(socket, _) => socket.accept().map(|(stream, _)| Stream::Unix(stream)),
            Socket::Tcp(socket, _) => socket.accept().map(|(stream, _)| Stream::Tcp(stream)),
        };
        match accepted {
            Ok(stream) => Ok(Some(stream)),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(None),
            Err(error) => Err(Error::system("A connection cannot be taken", error)),
        }
    }

    fn transport(&self, stream: Stream, peer: Option<&Peer>) -> Result<Box<dyn Transport>, Error> {
        let stream = match stream {
            Stream::Unix(stream) => Descriptors::unix(stream)?,
            Stream::Tcp(stream) => Descriptors::tcp(stream)?,
        };
        let stream = stream.watching(peer.cloned());
        match &self.socket {
            Socket::Tcp(_, Some(tls)) => Ok(Box::new(Framed::new(tls.accept(stream)?))),
            _ => Ok(Box::new(Framed::new(stream))),
        }
    }

    fn wait(&self, peer: Option<&Peer>, silent: &[Stream], deadline: &Deadline) -> Result<Ready, Error> {
        let socket = match &self.socket {
            Socket::Unix(socket, _) => socket.as_fd(),
            Socket::Tcp(socket, _) => socket.as_fd(),
        };
        let timeout = deadline
            .patience()
            .map(|left| Timespec::try_from(left).unwrap_or_default());
        let mut fds = vec![PollFd::from_borrowed_fd(socket, PollFlags::IN)];
        fds.extend(silent.iter().map(|stream| PollFd::new(stream, PollFlags::IN)));
        fds.extend(peer.map(|peer| PollFd::new(peer, PollFlags::IN)));
        match poll(&mut fds, timeout.as_ref()) {
            Err(rustix::io::Errno::INTR) => return Ok(Ready::Nothing),
            Err(error) => return Err(Error::system("A connection cannot be waited for", error)),
            Ok(0) if deadline.has_passed() => return Err(late()),
            Ok(0) => return Ok(Ready::Nothing),
            Ok(_) => {}
        }
        // Whoever speaks comes before those at the door, so that a crowd there keeps nobody waiting.
        let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
        let door = ready.next().unwrap_or(false);
        match ready.take(silent.len()).position(|speaks| speaks) {
            Some(index) => Ok(Ready::Speaker(index)),
            None if door => Ok(Ready::Door),
            None => Err(Error::closed("The process ended before it connected.")),
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Socket::Unix(_, path) = &self.socket {
            // The file has no other use; if somebody else removed it, so much the better.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Connects to whoever listens at an address.
pub fn connect(
    address: &Address,
    tls: Option<&TlsClient>,
    deadline: &Deadline,
) -> Result<Box<dyn Transport>, Error> {
    match address {
        Address::Unix(path) => {
            let stream = UnixStream::connect(path).map_err(|error| nobody(address, &error))?;
            Ok(Box::new(Framed::new(Descriptors::unix(stream)?)))
        }
        Address::Tcp { host, port } => {
            let found = resolve(address, host, *port)?;
            on_this_host(address, &found)?;
            let stream = call(address, &found, deadline)?;
            Ok(Box::new(Framed::new(Descriptors::tcp(stream)?)))
        }
        Address::Tls { host, port } => {
            let Some(tls) = tls else {
                let message = format!("`{address}` asks for TLS, but no certificate is given to trust.");
                return Err(Error::other(message)
                    .advise("add `certificate = \"file.pem\"`: the certificate of the other side, or of its authority"));
            };
            let found = resolve(address, host, *port)?;
            let stream = call(address, &found, deadline)?;
            let stream = tls.connect(host, Descriptors::tcp(stream)?)?;
            Ok(Box::new(Framed::new(stream)))
        }
        Address::SharedMemory(path) => {
            let memory = SharedMemory::open(path)?.watching(Peer::parent());
            Ok(Box::new(Framed::new(memory)))
        }
        Address::Stdio => {
            let message = "Standard streams belong to a process that Cardan starts.";
            Err(Error::other(message).advise("connect to tcp://, tls:// or unix:"))
        }
    }
}

fn call(address: &Address, found: &[SocketAddr], deadline: &Deadline) -> Result<TcpStream, Error> {
    let mut last = None;
    for candidate in found {
        let connected = match deadline.left() {
            None => TcpStream::connect(candidate),
            Some(left) => TcpStream::connect_timeout(candidate, left.max(Duration::from_millis(1))),
        };
        match connected {
            Ok(stream) => return Ok(stream),
            Err(error) => last = Some(error),
        }
    }
    Err(match last {
        Some(error) => nobody(address, &error),
        None => Error::unreachable(format!("The host of `{address}` has no address.")),
    })
}

fn resolve(address: &Address, host: &str, port: u16) -> Result<Vec<SocketAddr>, Error> {
    match (host, port).to_socket_addrs() {
        Ok(found) => Ok(found.collect()),
        Err(error) => {
            let message = format!("The host of `{address}` cannot be found: {error}.");
            Err(Error::unreachable(message).advise("check the name, or write its number"))
        }
    }
}

fn on_this_host(address: &Address, found: &[SocketAddr]) -> Result<(), Error> {
    let local = |ip: IpAddr| ip.to_canonical().is_loopback();
    match found.iter().all(|found| local(found.ip())) {
        true => Ok(()),
        false => Err(Error::refused(format!(
            "`{address}` leaves this host, where plain TCP can be read and changed by others."
        ))
        .advise("use tls:// with a certificate and a secret, or a tunnel that ends on this host")),
    }
}

fn server<'a>(address: &Address, tls: Option<&'a TlsServer>) -> Result<Option<&'a TlsServer>, Error> {
    match (address, tls) {
        (Address::Tls { .. }, None) => {
            let message = format!("To listen at `{address}` takes a certificate and its key.");
            Err(Error::other(message).advise("add `certificate = \"file.pem\"` and `key = \"file.pem\"`"))
        }
        (Address::Tls { .. }, tls) => Ok(tls),
        _ => Ok(None),
    }
}

fn taken(address: &Address, error: &std::io::Error) -> Error {
    let error_is = |kind| error.kind() == kind;
    let (why, advice) = if error_is(ErrorKind::AddrInUse) {
        (
            "it is in use",
            "choose another one, or end the process that uses it",
        )
    } else if error_is(ErrorKind::PermissionDenied) {
        (
            "it is not allowed",
            "choose a port above 1023, or a folder of your own",
        )
    } else if error_is(ErrorKind::InvalidInput) && matches!(address, Address::Unix(_)) {
        (
            "its path is longer than that of a Unix socket can be",
            "choose a shorter path; sockets of processes that Cardan starts are made in TMPDIR: set it to a folder with a \
             shorter path, or choose another `transport`",
        )
    } else {
        return Error::unreachable(format!("Cardan cannot listen at `{address}`: {error}."));
    };
    Error::unreachable(format!("Cardan cannot listen at `{address}`: {why}.")).advise(advice)
}

fn nobody(address: &Address, error: &std::io::Error) -> Error {
    let (why, advice) = match error.kind() {
        ErrorKind::ConnectionRefused => ("nobody listens there", "start the participant first"),
        ErrorKind::NotFound => ("there is no such socket", "start the participant first"),
        ErrorKind::TimedOut | ErrorKind::WouldBlock => {
            ("the host does not answer", "check the address and the firewall")
        }
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => {
            ("the host cannot be reached", "check the address and the network")
        }
        _ => return Error::unreachable(format!("`{address}` cannot be connected to: {error}.")),
    };
    Error::unreachable(format!("`{address}` cannot be connected to: {why}.")).advise(advice)
}
