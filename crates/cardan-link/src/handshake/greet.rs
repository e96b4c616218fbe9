//! Cardan's side of the first words.

use super::secret::{Secret, Side, nonce, same};
use crate::error::Error;
use crate::transport::{Deadline, Transport};
use crate::wire::{
    Abilities, Challenge, Flags, Hello, Kind, LARGEST_PAYLOAD, Malformed, Message, Proof, Refusal, VERSION,
    Welcome, read_failure, read_interface,
};
use cardan_core::interface::Interface;

/// Bytes of garbage that are shown to the user.
const SHOWN: usize = 60;

/// Who came, and what it offers.
#[derive(Clone, PartialEq, Debug)]
pub struct Greeting {
    /// What it calls itself.
    pub name: String,
    /// The tool behind it.
    pub tool: String,
    /// Ports and parameters.
    pub interface: Interface,
    /// What it can do.
    pub abilities: Abilities,
}

/// Talks to a participant that just connected, up to its interface.
pub fn greet(
    transport: &mut dyn Transport,
    component: &str,
    secret: Option<&Secret>,
    deadline: &Deadline,
) -> Result<Greeting, Error> {
    let mut message = Message::default();
    let hello = match expect(transport, Kind::Hello, deadline) {
        Ok(()) => Hello::read(transport.payload())?,
        // Somebody who says less than a header and falls silent has not begun the protocol either.
        Err(_) if !transport.unread().is_empty() => return Err(garbage(transport.unread())),
        Err(error) => return Err(error),
    };
    if hello.version != VERSION {
        let words = format!(
            "The participant speaks version {} of the protocol, Cardan speaks version {VERSION}.",
            hello.version
        );
        refuse(transport, &words, deadline);
        return Err(Error::refused(words).advise("use a client that belongs to this version of Cardan"));
    }
    let digest = match secret {
        None => [0; 32],
        Some(secret) => {
            let own = nonce()?;
            Challenge { nonce: own }.write(&mut message.begin(Kind::Challenge, Flags::default(), 0));
            transport.send(message.frame(), deadline)?;
            expect(transport, Kind::Proof, deadline)?;
            let proof = Proof::read(transport.payload())?;
            if !same(
                &proof.digest,
                &secret.proof(Side::Participant, &hello.nonce, &own),
            ) {
                let words = "The participant does not know the secret.";
                refuse(transport, words, deadline);
                return Err(Error::refused(words)
                    .advise("give both sides the same secret: `secret` here, CARDAN_SECRET there"));
            }
            secret.proof(Side::Cardan, &hello.nonce, &own)
        }
    };
    let component = component.to_owned();
    Welcome { digest, component }.write(&mut message.begin(Kind::Welcome, Flags::default(), 0));
    transport.send(message.frame(), deadline)?;
    transport.limit(LARGEST_PAYLOAD);
    expect(transport, Kind::Interface, deadline)?;
    let (abilities, interface) = read_interface(transport.payload())?;
    Ok(Greeting {
        name: hello.name,
        tool: hello.tool,
        interface,
        abilities,
    })
}

/// Waits for a message of this kind; a refusal and a failure are told as what they are.
pub(super) fn expect(transport: &mut dyn Transport, kind: Kind, deadline: &Deadline) -> Result<(), Error> {
    let header = transport.receive(deadline)?;
    match header.kind {
        Kind::Refuse => {
            let refusal = Refusal::read(transport.payload())?;
            Err(Error::refused(format!(
                "The other side refuses: {}",
                refusal.reason
            )))
        }
        Kind::Failure => {
            let failure = read_failure(transport.payload())?;
            let error = Error::other(failure.message);
            Err(match failure.advice {
                Some(advice) => error.advise(advice),
                None => error,
            })
        }
        found if found == kind && !header.reply => Ok(()),
        found => Err(Malformed::Unexpected {
            expected: "the next message of the handshake",
            found: found as u16,
        }
        .into()),
    }
}

/// Tells the other side why. Whether it hears it or not, the reason is told here too.
pub(super) fn refuse(transport: &mut dyn Transport, reason: &str, deadline: &Deadline) {
    let mut message = Message::default();
    let refusal = Refusal {
        version: VERSION,
        reason: reason.to_owned(),
    };
    refusal.write(&mut message.begin(Refusal::KIND, Flags::default(), 0));
    let _ = transport.send(message.frame(), deadline);
}

/// What was written instead of the protocol.
fn garbage(bytes: &[u8]) -> Error {
    let shown: String = String::from_utf8_lossy(bytes)
        .chars()
        .take(SHOWN)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let more = if bytes.len() > shown.len() { " …" } else { "" };
    let message = format!("It wrote `{}`{more} instead of the protocol.", shown.trim());
    Error::malformed(message).advise(
        "over a pipe, standard output belongs to the protocol: let the program print to standard error, use the client \
         of its language, or choose another transport",
    )
}
