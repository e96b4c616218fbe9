//! Serves a participant of this process to Cardan in another one.
//!
//! A program that takes part calls [`serve_here`] and nothing else: the environment tells where Cardan waits.

mod here;
mod requests;

pub use here::{Served, serve_here};

use crate::copies::Copies;
use crate::error::Error;
use crate::handshake::{Secret, introduce};
use crate::transport::{Deadline, Transport};
use crate::wire::{Abilities, Flags, Kind, Malformed, write_failure};
use cardan_core::participant::{Failure, Participant};
use requests::Desk;
use std::time::Duration;

/// How long Cardan may take to answer the first words.
const GREETING: Duration = Duration::from_secs(30);

/// Serves a participant until Cardan says goodbye or is gone.
pub fn serve(
    participant: &mut dyn Participant,
    transport: &mut dyn Transport,
    name: &str,
    secret: Option<&Secret>,
) -> Result<(), Error> {
    serve_with(participant, transport, name, secret, None)
}

/// The same, for one that may save states as copies of this process where it does not do that itself.
pub(crate) fn serve_with(
    participant: &mut dyn Participant,
    transport: &mut dyn Transport,
    name: &str,
    secret: Option<&Secret>,
    copies: Option<Copies>,
) -> Result<(), Error> {
    let mut abilities = Abilities::of(participant);
    if copies.is_some() {
        abilities = abilities.and(Abilities::ROLLBACK);
    }
    let interface = participant.interface().clone();
    let deadline = Deadline::from_now(Some(GREETING));
    introduce(transport, name, secret, abilities, &interface, &deadline)?;
    let (mut desk, never) = (Desk::new(interface, copies), Deadline::never());
    loop {
        let header = match transport.receive(&never) {
            Ok(header) => header,
            // Cardan may go without a word once the run is over.
            Err(error) if error.is_closed() && desk.terminated => return Ok(()),
            Err(error) => return Err(error),
        };
        if header.kind == Kind::Goodbye {
            return Ok(());
        }
        let answered = match header.reply {
            true => Err(Malformed::Unexpected {
                expected: "a request",
                found: header.kind as u16 | Kind::REPLY,
            }),
            false => desk.answer(participant, &header, transport.payload()),
        };
        match answered {
            Ok(Ok(())) => {}
            Ok(Err(failure)) => report(&mut desk, header.sequence, &failure),
            Err(malformed) => {
                let failure = Failure::failed(format!("A request cannot be read: {malformed}."));
                report(&mut desk, header.sequence, &failure);
                transport.send(desk.message.frame(), &never)?;
                return Err(malformed.into());
            }
        }
        transport.send(desk.message.frame(), &never)?;
    }
}

/// A failure instead of the reply.
#[cold]
fn report(desk: &mut Desk, sequence: u64, failure: &Failure) {
    let mut writer = desk.message.begin(Kind::Failure, Flags::default(), sequence);
    write_failure(failure, &mut writer);
}
