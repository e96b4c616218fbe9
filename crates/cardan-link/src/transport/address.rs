//! Where to find the other side, in words.

use crate::error::Error;
use std::fmt;
use std::path::PathBuf;

/// Where to find the other side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Address {
    /// `stdio:`, the standard streams of the participant.
    Stdio,
    /// `unix:/path`
    Unix(PathBuf),
    /// `tcp://host:port`, on this host.
    Tcp {
        /// Name or number.
        host: String,
        /// Zero lets the system choose.
        port: u16,
    },
    /// `tls://host:port`, on any host.
    Tls {
        /// Name or number.
        host: String,
        /// Zero lets the system choose.
        port: u16,
    },
    /// `shm:/path`, a file made by Cardan.
    SharedMemory(PathBuf),
}

const FORMS: &str = "write tcp://host:port, tls://host:port or unix:/path";

impl Address {
    /// From words such as `tcp://localhost:5000`.
    pub fn parse(text: &str) -> Result<Address, Error> {
        let no = |words: &str| Err(Error::other(format!("`{text}` is no address: {words}.")).advise(FORMS));
        let (scheme, rest) = match text.split_once(':') {
            Some(parts) => parts,
            None => return no("it does not begin with tcp, tls or unix"),
        };
        let path = || PathBuf::from(rest.strip_prefix("//").unwrap_or(rest));
        match scheme {
            "stdio" if rest.is_empty() => Ok(Address::Stdio),
            "unix" | "shm" if rest.is_empty() => no("the path is missing"),
            "unix" => Ok(Address::Unix(path())),
            "shm" => Ok(Address::SharedMemory(path())),
            "tcp" | "tls" => {
                let Some((host, port)) = rest.strip_prefix("//").and_then(|rest| rest.rsplit_once(':'))
                else {
                    return no("it has no host or no port");
                };
                let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
                let Ok(port) = port.parse() else {
                    return no("the port is no number from 0 to 65535");
                };
                if host.is_empty() {
                    return no("the host is missing");
                }
                Ok(match scheme {
                    "tcp" => Address::Tcp { host, port },
                    _ => Address::Tls { host, port },
                })
            }
            _ => no("it does not begin with tcp, tls or unix"),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = |host: &str| match host.contains(':') {
            true => format!("[{host}]"),
            false => host.to_owned(),
        };
        match self {
            Address::Stdio => f.write_str("stdio:"),
            Address::Unix(path) => write!(f, "unix:{}", path.display()),
            Address::SharedMemory(path) => write!(f, "shm:{}", path.display()),
            Address::Tcp { host: name, port } => write!(f, "tcp://{}:{port}", host(name)),
            Address::Tls { host: name, port } => write!(f, "tls://{}:{port}", host(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_read_back_the_same() {
        for text in [
            "stdio:",
            "unix:/run/a b",
            "shm:/dev/shm/x",
            "tcp://localhost:5000",
            "tls://[::1]:1",
        ] {
            assert_eq!(Address::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_address_is_refused_with_the_reason() {
        for (text, reason) in [
            ("localhost:5000", "does not begin with"),
            ("tcp:localhost:5000", "no host or no port"),
            ("tcp://:5000", "host is missing"),
            ("tcp://localhost:70000", "no number from 0 to 65535"),
            ("unix:", "path is missing"),
        ] {
            let error = Address::parse(text).unwrap_err();
            assert!(error.message().contains(reason), "{error}");
            assert!(error.advice().is_some());
        }
    }
}
