//! The connection to a manager: messages with deadlines, and patience while it starts.

use super::error::PluginError;
use crate::wire::{ByteOrder, Header, Inbox, Kind, Sender};
use std::io::{self, ErrorKind};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long to wait for what.
#[derive(Clone, Debug)]
pub struct Patience {
    /// For a manager that is not there yet.
    pub meeting: Duration,
    /// For a message; none waits as long as the connection stands.
    pub message: Option<Duration>,
    /// Ends every wait when it becomes true.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            meeting: Duration::from_secs(30),
            message: None,
            interrupt: Arc::new(AtomicBool::new(false)),
        }
    }
}

/// A connection to a manager.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    address: String,
    patience: Patience,
    order: ByteOrder,
    inbox: Inbox,
    sender: Sender,
}

/// A message that has arrived.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Message {
    pub(crate) header: Header,
    pub(crate) payload: Vec<u8>,
}

impl Message {
    pub(crate) fn is(&self, kind: Kind) -> bool {
        self.header.kind == kind
    }

    /// The payload as numbers; none if it is no whole number of them.
    pub(crate) fn numbers(&self) -> Option<Vec<f64>> {
        let whole = self.payload.len().is_multiple_of(8);
        whole.then(|| self.header.order.f64s(&self.payload).collect())
    }
}

/// How often a wait looks up.
const LOOK_UP: Duration = Duration::from_millis(50);

impl Connection {
    /// Connects, trying again while nobody listens.
    pub(crate) fn open(address: &str, patience: Patience, order: ByteOrder) -> Result<Self, PluginError> {
        let bad = || PluginError::BadAddress {
            address: address.to_owned(),
        };
        let (host, port) = address.rsplit_once(':').ok_or_else(bad)?;
        let port: u16 = port.parse().map_err(|_| bad())?;
        let begun = Instant::now();
        let mut pause = Duration::from_millis(5);
        loop {
            let reason = match dial(host, port) {
                Ok(stream) => {
                    stream.set_nodelay(true).map_err(|e| lost("connecting", e))?;
                    stream
                        .set_read_timeout(Some(LOOK_UP))
                        .map_err(|e| lost("connecting", e))?;
                    return Ok(Connection {
                        stream,
                        address: address.to_owned(),
                        patience,
                        order,
                        inbox: Inbox::new(),
                        sender: Sender::new(),
                    });
                }
                Err(reason) => reason,
            };
            if begun.elapsed() + pause > patience.meeting {
                return Err(PluginError::Unreachable {
                    address: address.to_owned(),
                    reason,
                    seconds: begun.elapsed().as_secs_f64(),
                });
            }
            if patience.interrupt.load(Ordering::Relaxed) {
                return Err(PluginError::Interrupted {
                    during: "waiting for the manager".to_owned(),
                });
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(100));
        }
    }

    /// Sends a message, in one piece.
    pub(crate) fn send(
        &mut self,
        kind: Kind,
        interface: i32,
        payload: &[u8],
        during: &str,
    ) -> Result<(), PluginError> {
        let header = Header::new(kind, interface).ordered(self.order);
        let sent = self.sender.send(&mut self.stream, header, payload);
        sent.map_err(|e| lost(during, e))
    }

    /// Sends numbers.
    pub(crate) fn send_numbers(
        &mut self,
        interface: i32,
        numbers: &[f64],
        during: &str,
    ) -> Result<(), PluginError> {
        let order = self.order;
        let header = Header::new(Kind::TimeData, interface).ordered(order);
        let sent = self.sender.send_with(&mut self.stream, header, |buffer| {
            for number in numbers {
                buffer.extend_from_slice(&order.f64_bytes(*number));
            }
        });
        sent.map_err(|e| lost(during, e))
    }

    /// The next message.
    pub(crate) fn receive(&mut self, during: &str) -> Result<Message, PluginError> {
        let begun = Instant::now();
        loop {
            if let Some(message) = self.take()? {
                return Ok(message);
            }
            self.fill(begun, during)?;
        }
    }

    /// The next message, if there is one within that time.
    pub(crate) fn receive_within(
        &mut self,
        limit: Duration,
        during: &str,
    ) -> Result<Option<Message>, PluginError> {
        let begun = Instant::now();
        loop {
            if let Some(message) = self.take()? {
                return Ok(Some(message));
            }
            if begun.elapsed() >= limit {
                return Ok(None);
            }
            self.fill(begun, during)?;
        }
    }

    /// A whole message from what has arrived.
    fn take(&mut self) -> Result<Option<Message>, PluginError> {
        match self.inbox.take() {
            Ok(message) => Ok(message.map(|message| Message {
                header: message.header,
                payload: message.payload().to_vec(),
            })),
            Err(error) => Err(PluginError::Stranger {
                address: self.address.clone(),
                what: error.to_string(),
            }),
        }
    }

    /// Waits a little for more bytes.
    fn fill(&mut self, begun: Instant, during: &str) -> Result<(), PluginError> {
        if self.patience.interrupt.load(Ordering::Relaxed) {
            return Err(PluginError::Interrupted {
                during: during.to_owned(),
            });
        }
        match self.inbox.fill(&mut self.stream) {
            Ok(0) => return Err(lost(during, ErrorKind::UnexpectedEof.into())),
            Ok(_) => return Ok(()),
            Err(e)
                if matches!(
                    e.kind(),
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                ) => {}
            Err(e) => return Err(lost(during, e)),
        }
        match self.patience.message {
            Some(limit) if begun.elapsed() > limit => Err(PluginError::Silent {
                seconds: limit.as_secs_f64(),
                during: during.to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// From now on nobody waits here any more because of an interruption: it has been heard.
    pub(crate) fn be_deaf(&mut self) {
        self.patience.interrupt = Arc::new(AtomicBool::new(false));
    }

    /// Hangs up.
    pub(crate) fn hang_up(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Tries all addresses of a host.
fn dial(host: &str, port: u16) -> io::Result<TcpStream> {
    let mut reason = io::Error::new(ErrorKind::NotFound, format!("the host `{host}` has no address"));
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, Duration::from_secs(5)) {
            Ok(stream) => return Ok(stream),
            Err(error) => reason = error,
        }
    }
    Err(reason)
}

fn lost(during: &str, reason: io::Error) -> PluginError {
    let reason = match reason.kind() {
        ErrorKind::UnexpectedEof => io::Error::new(reason.kind(), "the manager has closed it"),
        _ => reason,
    };
    PluginError::Lost {
        during: during.to_owned(),
        reason,
    }
}
