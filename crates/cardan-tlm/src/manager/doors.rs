//! The ports of a manager, and who comes in through them.

use super::line::{Line, Role, prepare};
use super::outcome::Failure;
use super::session::{COMPONENT_DOOR, MONITOR_DOOR, Session};
use crate::wire::Inbox;
use rustix::event::epoll::{self, EventData, EventFlags};
use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsFd;

/// Ports that are tried one after the other.
const TRIES: u16 = 1000;

/// Connections that have not said who they are.
const STRANGERS: usize = 64;

/// A port that is open, and the one that was wanted if that was taken.
pub(super) struct Door {
    pub(super) listener: TcpListener,
    pub(super) address: SocketAddr,
    pub(super) taken: Option<u16>,
}

impl Door {
    /// What to tell of a port that is not the one that was asked for. Clients that know only that one do not come.
    pub(super) fn remark(&self, whose: &str) -> Option<String> {
        let (taken, port) = (self.taken?, self.address.port());
        Some(format!(
            "The port {taken} is taken, perhaps by another manager; {whose} connect to {port}."
        ))
    }
}

/// Opens a port, or the next one that is free.
pub(super) fn open(address: IpAddr, wanted: u16) -> Result<Door, Failure> {
    let mut last = None;
    for port in wanted..=wanted.saturating_add(TRIES - 1) {
        match TcpListener::bind((address, port)) {
            Ok(listener) => {
                let local = listener
                    .set_nonblocking(true)
                    .and_then(|()| listener.local_addr());
                return match local {
                    Ok(address) => Ok(Door {
                        listener,
                        address,
                        taken: (port != wanted).then_some(wanted),
                    }),
                    Err(error) => Err(cannot(address, port, &error)),
                };
            }
            Err(error) if error.kind() == ErrorKind::AddrInUse => last = Some((port, error)),
            Err(error) => return Err(cannot(address, port, &error)),
        }
    }
    let failure = match last {
        Some((port, error)) => cannot(address, port, &error),
        None => Failure::new(format!("No port of {address} can be opened.")),
    };
    Err(failure.advise(format!(
        "{TRIES} ports were tried; choose another one with -p or -m"
    )))
}

fn cannot(address: IpAddr, port: u16, error: &std::io::Error) -> Failure {
    Failure::new(format!("The port {port} of {address} cannot be opened: {error}."))
        .advise("choose another port with -p or -m, or another address with --listen")
}

impl Session<'_> {
    /// Lets all in who wait at a door.
    pub(super) fn accept(&mut self, role: Role) {
        loop {
            let door = match (role, &self.monitor_door) {
                (Role::NewMonitor, Some(door)) => door,
                _ => &self.door,
            };
            match door.accept() {
                Ok((stream, peer)) => self.let_in(stream, peer, role),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                // Whoever it was is gone.
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::ConnectionAborted | ErrorKind::Interrupted
                    ) => {}
                Err(error) => {
                    // There are no descriptors left. Others may free some; asking all the time does not help.
                    self.warn_of_stranger(format!("Nobody can be let in for now: {error}."));
                    self.watch_doors(EventFlags::empty());
                    self.doors_closed = true;
                    return;
                }
            }
        }
    }

    fn let_in(&mut self, stream: TcpStream, peer: SocketAddr, role: Role) {
        self.make_room();
        let index = self
            .lines
            .iter()
            .position(Option::is_none)
            .unwrap_or(self.lines.len());
        let token = index as u64;
        let watched = prepare(&stream).and_then(|()| {
            Ok(epoll::add(
                &self.epoll,
                stream.as_fd(),
                EventData::new_u64(token),
                EventFlags::IN,
            )?)
        });
        if let Err(error) = watched {
            self.warn_of_stranger(format!("A connection from {peer} cannot be used: {error}."));
            return;
        }
        let line = Line::new(stream, peer, token, role);
        if index == self.lines.len() {
            self.lines.push(Some(line));
            self.inboxes.push(Inbox::new());
        } else {
            self.lines[index] = Some(line);
            self.inboxes[index] = Inbox::new();
        }
    }

    /// A crowd that says nothing keeps nobody out: the one that has been silent for longest goes.
    fn make_room(&mut self) {
        let lines = self.lines.iter().enumerate();
        let strangers = lines.filter_map(|(index, line)| {
            let line = line.as_ref().filter(|line| line.role.is_new())?;
            Some((index, line.since, line.peer))
        });
        let strangers: Vec<_> = strangers.collect();
        if strangers.len() < STRANGERS {
            return;
        }
        if let Some(&(index, _, peer)) = strangers.iter().min_by_key(|(_, since, _)| *since) {
            self.warn_of_stranger(format!(
                "A connection from {peer} is closed: {STRANGERS} connections have not said yet who they are."
            ));
            self.drop_line(index);
        }
    }

    fn watch_doors(&self, flags: EventFlags) {
        let _ = epoll::modify(&self.epoll, &self.door, EventData::new_u64(COMPONENT_DOOR), flags);
        if let Some(door) = &self.monitor_door {
            let _ = epoll::modify(&self.epoll, door, EventData::new_u64(MONITOR_DOOR), flags);
        }
    }

    /// Listens to newcomers again, if that was stopped.
    pub(super) fn open_doors(&mut self) {
        if self.doors_closed {
            self.doors_closed = false;
            self.watch_doors(EventFlags::IN);
        }
    }
}
