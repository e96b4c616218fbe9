//! The participant's side of the first words.

use super::greet::{expect, refuse};
use super::secret::{Secret, Side, nonce, same};
use crate::error::Error;
use crate::transport::{Deadline, Transport};
use crate::wire::{
    Abilities, Challenge, Flags, Hello, Kind, LARGEST_PAYLOAD, Message, Proof, Welcome, write_interface,
};
use cardan_core::interface::Interface;

/// Introduces a participant to Cardan. Returns the name of the component it is to be.
pub fn introduce(
    transport: &mut dyn Transport,
    name: &str,
    secret: Option<&Secret>,
    abilities: Abilities,
    interface: &Interface,
    deadline: &Deadline,
) -> Result<String, Error> {
    let mut message = Message::default();
    let own = nonce()?;
    let hello = Hello::new(own, name, concat!("cardan-link ", env!("CARGO_PKG_VERSION")));
    hello.write(&mut message.begin(Kind::Hello, Flags::default(), 0));
    transport.send(message.frame(), deadline)?;
    let mut proven = None;
    if let Some(secret) = secret {
        // Whoever shares a secret must ask for it: an answer without a challenge comes from somebody else.
        expect(transport, Kind::Challenge, deadline)?;
        let challenge = Challenge::read(transport.payload())?;
        let digest = secret.proof(Side::Participant, &own, &challenge.nonce);
        Proof { digest }.write(&mut message.begin(Kind::Proof, Flags::default(), 0));
        transport.send(message.frame(), deadline)?;
        proven = Some(secret.proof(Side::Cardan, &own, &challenge.nonce));
    }
    expect(transport, Kind::Welcome, deadline)?;
    let welcome = Welcome::read(transport.payload())?;
    if proven.is_some_and(|proof| !same(&proof, &welcome.digest)) {
        let words = "The other side does not know the secret.";
        refuse(transport, words, deadline);
        return Err(Error::refused(words));
    }
    transport.limit(LARGEST_PAYLOAD);
    let mut writer = message.begin(Kind::Interface, Flags::default(), 0);
    write_interface(abilities, interface, &mut writer);
    transport.send(message.frame(), deadline)?;
    Ok(welcome.component)
}
