//! Finding Cardan by what the environment says.

use super::serve;
use crate::error::Error;
use crate::handshake::Secret;
use crate::launch::{CERTIFICATE, CONNECT, SECRET};
use crate::transport::{Address, Deadline, Descriptors, Framed, TlsClient, Transport, connect};
use cardan_core::participant::Participant;
use std::io::{stderr, stdin, stdout};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::time::Duration;

/// Where Cardan waits, from the environment or from elsewhere.
#[derive(Clone, Debug)]
pub struct Served {
    /// Where to connect to.
    pub address: Address,
    /// What both sides know.
    pub secret: Option<Secret>,
    /// Whom to trust, where the connection is secured.
    pub certificate: Option<PathBuf>,
}

impl Served {
    /// From the environment that Cardan gives to processes it starts.
    pub fn from_environment() -> Result<Self, Error> {
        let address = std::env::var(CONNECT).map_err(|_| {
            Error::other(format!("{CONNECT} is not set, so Cardan cannot be found."))
                .advise("let Cardan start this program, or set it to where Cardan listens")
        })?;
        Ok(Served {
            address: Address::parse(&address)?,
            secret: std::env::var(SECRET).ok().map(Secret::new),
            certificate: std::env::var_os(CERTIFICATE).map(PathBuf::from),
        })
    }

    /// Connects. With the standard streams, whatever is printed from now on goes to standard error: standard output
    /// belongs to the protocol.
    pub fn connect(&self) -> Result<Box<dyn Transport>, Error> {
        if self.address != Address::Stdio {
            let tls = self.certificate.as_deref().map(TlsClient::trusting).transpose()?;
            let deadline = Deadline::from_now(Some(Duration::from_secs(30)));
            return connect(&self.address, tls.as_ref(), &deadline);
        }
        let failed = |error| Error::system("The standard streams cannot be used", error);
        let input = stdin().as_fd().try_clone_to_owned().map_err(failed)?;
        let output = stdout().as_fd().try_clone_to_owned().map_err(failed)?;
        let moved = rustix::stdio::dup2_stdout(stderr());
        moved.map_err(|error| Error::system("The standard streams cannot be used", error))?;
        Ok(Box::new(Framed::new(Descriptors::inherited(input, output))))
    }
}

/// Serves a participant to the Cardan that started this process.
pub fn serve_here(participant: &mut dyn Participant, name: &str) -> Result<(), Error> {
    let served = Served::from_environment()?;
    let mut transport = served.connect()?;
    serve(participant, transport.as_mut(), name, served.secret.as_ref())
}
