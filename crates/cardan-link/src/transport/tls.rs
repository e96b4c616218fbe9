//! TLS on top of TCP, for whatever leaves this host.

use super::descriptors::Descriptors;
use super::{ByteStream, Deadline};
use crate::error::Error;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, Connection, RootCertStore, ServerConfig, ServerConnection};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

/// Knows whom to trust.
#[derive(Clone, Debug)]
pub struct TlsClient(Arc<ClientConfig>);

impl TlsClient {
    /// Trusts the certificates in a PEM file, and nobody else.
    pub fn trusting(certificate: &Path) -> Result<Self, Error> {
        let mut roots = RootCertStore::empty();
        for certificate in certificates(certificate)? {
            roots
                .add(certificate)
                .map_err(|error| Error::system("A certificate cannot be used", error))?;
        }
        let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| Error::system("TLS cannot be set up", error))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(TlsClient(Arc::new(config)))
    }

    /// Secures a connection to `host`. The keys are exchanged with the first bytes.
    pub fn connect(&self, host: &str, stream: Descriptors) -> Result<TlsStream, Error> {
        let name = ServerName::try_from(host.to_owned())
            .map_err(|_| Error::other(format!("`{host}` is no name that a certificate can have.")))?;
        let session = ClientConnection::new(Arc::clone(&self.0), name)
            .map_err(|error| Error::system("TLS cannot be set up", error))?;
        Ok(TlsStream {
            session: session.into(),
            stream,
        })
    }
}

/// Knows who it is.
#[derive(Clone, Debug)]
pub struct TlsServer(Arc<ServerConfig>);

impl TlsServer {
    /// Shows the certificate of a PEM file, with the key in another.
    pub fn showing(certificate: &Path, key: &Path) -> Result<Self, Error> {
        let chain = certificates(certificate)?;
        let key = PrivateKeyDer::from_pem_file(key).map_err(|error| {
            let message = format!("`{}` holds no private key: {error}.", key.display());
            Error::other(message).advise("give a PEM file with one private key")
        })?;
        let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| Error::system("TLS cannot be set up", error))?
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .map_err(|error| Error::system("The certificate and its key cannot be used", error))?;
        Ok(TlsServer(Arc::new(config)))
    }

    /// Secures a connection that came in.
    pub fn accept(&self, stream: Descriptors) -> Result<TlsStream, Error> {
        let session = ServerConnection::new(Arc::clone(&self.0))
            .map_err(|error| Error::system("TLS cannot be set up", error))?;
        Ok(TlsStream {
            session: session.into(),
            stream,
        })
    }
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, Error> {
    let unreadable = |error: rustls::pki_types::pem::Error| {
        let message = format!("`{}` holds no certificate: {error}.", path.display());
        Error::other(message).advise("give a PEM file with one certificate or more")
    };
    let found: Vec<_> = CertificateDer::pem_file_iter(path)
        .map_err(unreadable)?
        .collect::<Result<_, _>>()
        .map_err(unreadable)?;
    match found.is_empty() {
        true => Err(unreadable(rustls::pki_types::pem::Error::NoItemsFound)),
        false => Ok(found),
    }
}

/// A secured connection.
#[derive(Debug)]
pub struct TlsStream {
    session: Connection,
    stream: Descriptors,
}

impl TlsStream {
    /// Exchanges records until the session does not want to write any more.
    fn flush(&mut self, deadline: &Deadline) -> Result<(), Error> {
        let mut timed = Timed {
            stream: &mut self.stream,
            deadline,
        };
        while self.session.wants_write() {
            self.session.write_tls(&mut timed).map_err(unwrapped)?;
        }
        Ok(())
    }

    /// Takes in one batch of records. False means the end.
    fn take_in(&mut self, deadline: &Deadline) -> Result<bool, Error> {
        let mut timed = Timed {
            stream: &mut self.stream,
            deadline,
        };
        if self.session.read_tls(&mut timed).map_err(unwrapped)? == 0 {
            return Ok(false);
        }
        let state = self.session.process_new_packets();
        if let Err(error) = state {
            // The alert that tells the other side why; if it cannot be sent, the reason is told here all the same.
            let _ = self.flush(deadline);
            return Err(untrusted(&error));
        }
        Ok(true)
    }
}

impl ByteStream for TlsStream {
    fn read_some(&mut self, into: &mut [u8], deadline: &Deadline) -> Result<usize, Error> {
        loop {
            self.flush(deadline)?;
            match self.session.reader().read(into) {
                Ok(read) => return Ok(read),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                // The other side left without saying so; the frames tell whether that matters.
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(0),
                Err(error) => return Err(Error::system("The secured connection broke", error)),
            }
            if !self.take_in(deadline)? {
                return Ok(0);
            }
        }
    }

    fn write_all(&mut self, mut bytes: &[u8], deadline: &Deadline) -> Result<(), Error> {
        while self.session.is_handshaking() {
            self.flush(deadline)?;
            if self.session.is_handshaking() && !self.take_in(deadline)? {
                return Err(super::gone());
            }
        }
        while !bytes.is_empty() {
            let written = self
                .session
                .writer()
                .write(bytes)
                .map_err(|error| Error::system("The secured connection broke", error))?;
            bytes = bytes.get(written..).unwrap_or_default();
            self.flush(deadline)?;
        }
        Ok(())
    }
}

fn untrusted(error: &rustls::Error) -> Error {
    // The library has no name of its own for this one.
    if format!("{error:?}").contains("CaUsedAsEndEntity") {
        let message =
            "The certificate of the other side is not trusted: it is that of an authority, not of a host.";
        let advice = "make it with `openssl req -x509 … -addext basicConstraints=critical,CA:FALSE`";
        return Error::refused(message).advise(advice);
    }
    let message = match error {
        rustls::Error::InvalidCertificate(why) => {
            format!("The certificate of the other side is not trusted: {why}.")
        }
        rustls::Error::AlertReceived(alert) => {
            format!("The other side does not trust the certificate, or speaks no TLS that fits: {alert:?}.")
        }
        other => format!("The other side does not speak TLS as it should: {other}."),
    };
    Error::refused(message).advise("check `certificate`, its names and its dates, on both sides")
}

/// The way from and to `std::io`, which knows no deadlines.
struct Timed<'a> {
    stream: &'a mut Descriptors,
    deadline: &'a Deadline,
}

impl Read for Timed<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stream
            .read_some(into, self.deadline)
            .map_err(io::Error::other)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream
            .write_all(bytes, self.deadline)
            .map(|()| bytes.len())
            .map_err(io::Error::other)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Our own errors come back as they went in.
fn unwrapped(error: io::Error) -> Error {
    match error.downcast::<Error>() {
        Ok(own) => own,
        Err(other) => Error::system("The secured connection broke", other),
    }
}
