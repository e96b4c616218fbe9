//! Who does not know the secret or has the wrong certificate stays outside.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

mod support;

use cardan_core::participant::Participant;
use cardan_link::handshake::Secret;
use cardan_link::launch::{call, wait_for};
use cardan_link::serve::{Served, serve};
use cardan_link::transport::{Address, Deadline, Listener, TlsClient, TlsServer};
use cardan_link::{Error, Manner, Remote};
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use support::{fake, manner};

fn knowing(secret: Option<&str>) -> Manner {
    Manner {
        secret: secret.map(Secret::new),
        start: Some(Duration::from_secs(2)),
        ..manner()
    }
}

/// A participant that connects to where Cardan listens.
fn participant(
    address: Address,
    secret: Option<&str>,
    certificate: Option<PathBuf>,
) -> JoinHandle<Result<(), Error>> {
    let served = Served {
        address,
        secret: secret.map(Secret::new),
        certificate,
    };
    std::thread::spawn(move || {
        let deadline = Instant::now() + Duration::from_secs(2);
        let mut transport = loop {
            match served.connect() {
                Ok(transport) => break transport,
                Err(error) if error.is_unreachable() && Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(error) => return Err(error),
            }
        };
        serve(
            fake("harmonic").as_mut(),
            transport.as_mut(),
            "harmonic",
            served.secret.as_ref(),
        )
    })
}

fn meet(cardan: Option<&str>, theirs: Option<&str>) -> (Result<Remote, Error>, Result<(), Error>) {
    let folder = tempfile::tempdir().unwrap();
    let address = Address::Unix(folder.path().join("s"));
    let serving = participant(address.clone(), theirs, None);
    let met = wait_for(&address, None, &knowing(cardan));
    let met = met.map(|mut remote| {
        assert_eq!(remote.interface().ports.len(), 4);
        let _ = remote.terminate();
        remote
    });
    (met, serving.join().unwrap())
}

/// Connects as soon as somebody listens, and says only this.
fn stranger(path: &Path, words: &[u8]) -> UnixStream {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        match UnixStream::connect(path) {
            Ok(mut stream) => {
                stream.write_all(words).unwrap();
                return stream;
            }
            Err(_) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(2)),
            Err(error) => panic!("{error}"),
        }
    }
}

/// More strangers than are kept, all of them silent, and one that stops in the middle of its first word: the participant
/// that comes after them is met all the same. The silent ones take no time, the other at most half of what is left.
#[test]
fn strangers_who_say_nothing_keep_nobody_out() {
    for (crowd, words, limit) in [(100, &b""[..], 10), (1, &b"CARD"[..], 16)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let address = Address::Unix(path.clone());
        let waiting = {
            let (address, manner) = (
                address.clone(),
                Manner {
                    start: Some(Duration::from_secs(20)),
                    ..knowing(Some("sesame"))
                },
            );
            std::thread::spawn(move || wait_for(&address, None, &manner))
        };
        let strangers: Vec<_> = (0..crowd).map(|_| stranger(&path, words)).collect();
        let begun = Instant::now();
        let serving = participant(address, Some("sesame"), None);
        let mut remote = waiting.join().unwrap().unwrap();
        assert!(
            begun.elapsed() < Duration::from_secs(limit),
            "{:?}",
            begun.elapsed()
        );
        remote.terminate().unwrap();
        serving.join().unwrap().unwrap();
        drop(strangers);
    }
}

#[test]
fn a_stranger_who_says_nothing_is_told_of_in_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let address = Address::Unix(path.clone());
    let coming = std::thread::spawn(move || stranger(&path, b""));
    let manner = Manner {
        start: Some(Duration::from_secs(1)),
        ..knowing(None)
    };
    let error = wait_for(&address, None, &manner).unwrap_err();
    let expected = format!("Somebody connected to `{address}` but said nothing within 1 s.");
    assert_eq!(error.message(), expected);
    drop(coming.join().unwrap());
}

#[test]
fn the_same_secret_opens_both_ways() {
    let (met, served) = meet(Some("sesame"), Some("sesame"));
    met.unwrap();
    served.unwrap();
}

#[test]
fn a_wrong_secret_is_refused_by_cardan() {
    let (met, served) = meet(Some("sesame"), Some("rice"));
    let error = met.unwrap_err();
    assert_eq!(error.message(), "The participant does not know the secret.");
    assert!(
        error
            .advice()
            .is_some_and(|advice| advice.contains("CARDAN_SECRET"))
    );
    assert!(served.unwrap_err().is_refused());
}

#[test]
fn a_participant_with_a_secret_takes_no_orders_from_those_without() {
    let (met, served) = meet(None, Some("sesame"));
    assert!(met.is_err());
    assert!(served.is_err());
}

#[test]
fn a_participant_without_a_secret_cannot_answer_the_challenge() {
    let (met, served) = meet(Some("sesame"), None);
    assert!(met.is_err());
    assert!(served.is_err());
}

/// A certificate for `localhost` and its key, as files.
fn certificate(folder: &Path, name: &str) -> (PathBuf, PathBuf) {
    certificate_for(folder, name, rcgen::IsCa::NoCa)
}

fn certificate_for(folder: &Path, name: &str, authority: rcgen::IsCa) -> (PathBuf, PathBuf) {
    let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
    let mut wanted = rcgen::CertificateParams::new(names).unwrap();
    wanted.is_ca = authority;
    let signing = rcgen::KeyPair::generate().unwrap();
    let made = wanted.self_signed(&signing).unwrap();
    let (certificate, key) = (
        folder.join(format!("{name}.pem")),
        folder.join(format!("{name}.key")),
    );
    std::fs::write(&certificate, made.pem()).unwrap();
    std::fs::write(&key, signing.serialize_pem()).unwrap();
    (certificate, key)
}

/// A port of this host that is free, or was a moment ago.
fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

#[test]
fn tls_carries_a_whole_run() {
    let folder = tempfile::tempdir().unwrap();
    let (certificate, key) = certificate(folder.path(), "ours");
    let server = TlsServer::showing(&certificate, &key).unwrap();
    let address = Address::Tls {
        host: "localhost".into(),
        port: free_port(),
    };
    let serving = participant(address.clone(), Some("sesame"), Some(certificate));
    let mut remote = wait_for(&address, Some(&server), &knowing(Some("sesame"))).unwrap();
    remote.bind(&[], &[]).unwrap();
    remote.terminate().unwrap();
    drop(remote);
    serving.join().unwrap().unwrap();
}

#[test]
fn a_certificate_of_somebody_else_is_not_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let ours = certificate(folder.path(), "ours");
    let (other, _) = certificate(folder.path(), "other");
    let error = distrust(&ours, &other);
    let message = error.message();
    assert!(
        message.starts_with("The certificate of the other side is not trusted"),
        "{message}"
    );
}

/// What openssl makes unless it is told otherwise.
#[test]
fn a_certificate_of_an_authority_is_no_certificate_of_a_host() {
    let folder = tempfile::tempdir().unwrap();
    let authority = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let ours = certificate_for(folder.path(), "ours", authority);
    let error = distrust(&ours, &ours.0);
    assert!(error.message().contains("that of an authority"), "{error}");
    assert!(error.advice().unwrap().contains("CA:FALSE"));
}

/// What a caller says who trusts `trusted` of a host that shows `shown`.
fn distrust((shown, key): &(PathBuf, PathBuf), trusted: &Path) -> Error {
    let server = TlsServer::showing(shown, key).unwrap();
    let port = free_port();
    let listener = Listener::bind(
        &Address::Tls {
            host: "127.0.0.1".into(),
            port,
        },
        Some(&server),
    )
    .unwrap();
    let address = listener.address().clone();
    let accepting = std::thread::spawn(move || {
        let deadline = Deadline::from_now(Some(Duration::from_secs(2)));
        let mut transport = listener.accept(None, &deadline)?;
        serve(
            fake("harmonic").as_mut(),
            transport.as_mut(),
            "harmonic",
            Some(&Secret::new("sesame")),
        )
    });
    let client = TlsClient::trusting(trusted).unwrap();
    let error = call(&address, Some(&client), &knowing(Some("sesame"))).unwrap_err();
    assert!(accepting.join().unwrap().is_err());
    error
}

#[test]
fn tls_asks_for_a_secret_a_certificate_and_a_key() {
    let address = Address::parse("tls://localhost:5000").unwrap();
    let error = call(&address, None, &knowing(None)).unwrap_err();
    assert!(error.message().contains("must share a secret"), "{error}");
    let error = call(&address, None, &knowing(Some("x"))).unwrap_err();
    assert!(error.message().contains("no certificate"), "{error}");
    let error = wait_for(&address, None, &knowing(Some("x"))).unwrap_err();
    assert!(
        error.message().contains("takes a certificate and its key"),
        "{error}"
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.pem");
    std::fs::write(&file, "no certificate").unwrap();
    assert!(TlsClient::trusting(&file).is_err());
    assert!(TlsServer::showing(&file, &file).is_err());
}
