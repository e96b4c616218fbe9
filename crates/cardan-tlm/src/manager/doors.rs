//! The ports of a manager.

use super::outcome::Failure;
use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, TcpListener};

/// Ports that are tried one after the other.
const TRIES: u16 = 1000;

/// Opens a port, or the next one that is free.
pub(super) fn open(address: IpAddr, port: u16) -> Result<(TcpListener, SocketAddr), Failure> {
    let mut last = None;
    for port in port..=port.saturating_add(TRIES - 1) {
        match TcpListener::bind((address, port)) {
            Ok(listener) => {
                let local = listener
                    .set_nonblocking(true)
                    .and_then(|()| listener.local_addr());
                return match local {
                    Ok(local) => Ok((listener, local)),
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
