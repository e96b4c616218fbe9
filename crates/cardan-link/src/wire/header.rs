//! The sixteen bytes before every payload.

use super::malformed::Malformed;

/// Size of the header in bytes.
pub const HEADER_SIZE: usize = 16;

/// Writes the list of kinds once: the numbers, and the way back from a number.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $number:literal,)*) => {
        /// What a message is. A reply has the number of its request plus [`Kind::REPLY`].
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u16)]
        pub enum Kind {
            $($(#[$doc])* $name = $number,)*
        }

        impl Kind {
            /// The kind behind a number; replies count as the kind of their request.
            pub fn of(number: u16) -> Option<Kind> {
                match number & !Kind::REPLY {
                    $($number => Some(Kind::$name),)*
                    _ => None,
                }
            }
        }
    };
}

kinds! {
    /// Participant: who it is.
    Hello = 0x01,
    /// Cardan: prove that you know the secret.
    Challenge = 0x02,
    /// Participant: the proof.
    Proof = 0x03,
    /// Cardan: you may take part.
    Welcome = 0x04,
    /// Either: no.
    Refuse = 0x05,
    /// Participant: ports, parameters, abilities.
    Interface = 0x06,
    /// Participant: something to tell people. May come before any reply.
    Log = 0x08,
    /// Participant: instead of a reply, the end.
    Failure = 0x09,
    /// Cardan: the connection ends here. No reply.
    Goodbye = 0x0a,
    /// Which ports are used.
    Bind = 0x10,
    /// The initialisation begins.
    BeginInitialization = 0x11,
    /// The initialisation ends.
    FinishInitialization = 0x12,
    /// One step.
    Step = 0x13,
    /// The outputs where the participant stands.
    Outputs = 0x14,
    /// Parameters change.
    SetParameters = 0x15,
    /// The end of the run.
    Terminate = 0x16,
    /// Keep the state.
    Save = 0x20,
    /// Go back to a state.
    Restore = 0x21,
    /// A kept state as bytes.
    Export = 0x22,
    /// Bytes as a kept state.
    Import = 0x23,
    /// How outputs react to inputs along one direction.
    Directional = 0x30,
    /// How all outputs react to all inputs.
    Tangent = 0x31,
    /// How fast outputs change.
    Slopes = 0x32,
    /// The outputs before the start.
    OutputsBefore = 0x33,
    /// Time stands still.
    EnterEvents = 0x40,
    /// A round at one instant ends.
    UpdateEvents = 0x41,
    /// Time goes on.
    LeaveEvents = 0x42,
    /// Others read the outputs: steps end at events.
    ShareEvents = 0x43,
}

impl Kind {
    /// Added to the kind of a request by its reply.
    pub const REPLY: u16 = 0x8000;
}

/// The bits beside the kind. What they mean depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags(pub u16);

impl Flags {
    /// In a request to step: send the outputs along. In its reply: here they are.
    pub const OUTPUTS: Flags = Flags(1);
    /// In a request to step: some segments are arcs, a byte for each segment says which.
    pub const ARCS: Flags = Flags(2);
    /// In a reply: an event waits to be handled.
    pub const PENDING: Flags = Flags(4);
    /// In the reply to the end of a round: another one, please.
    pub const AGAIN: Flags = Flags(8);
    /// In a request to step: one step of the participant's own is enough.
    pub const OWN_STEP: Flags = Flags(16);

    /// Are the bits of `other` set?
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// With the bits of `other` if `condition` holds.
    #[must_use]
    pub fn with(self, other: Flags, condition: bool) -> Flags {
        if condition { Flags(self.0 | other.0) } else { self }
    }
}

/// The header of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// Bytes of payload that follow.
    pub length: u32,
    /// What it is.
    pub kind: Kind,
    /// Is it a reply?
    pub reply: bool,
    /// Bits that depend on the kind.
    pub flags: Flags,
    /// Counts requests; a reply repeats the number of its request.
    pub sequence: u64,
}

impl Header {
    /// From bytes, with a limit on the payload.
    pub fn read(bytes: &[u8; HEADER_SIZE], most: u32) -> Result<Header, Malformed> {
        let [a, b, c, d, k0, k1, f0, f1, s @ ..] = *bytes;
        let length = u32::from_le_bytes([a, b, c, d]);
        let number = u16::from_le_bytes([k0, k1]);
        let kind = Kind::of(number).ok_or(Malformed::Unknown {
            what: "kind of message",
            number: number.into(),
        })?;
        if length > most {
            return Err(Malformed::TooMuch {
                what: "the length of a message",
                found: length.into(),
                most: most.into(),
            });
        }
        Ok(Header {
            length,
            kind,
            reply: number & Kind::REPLY != 0,
            flags: Flags(u16::from_le_bytes([f0, f1])),
            sequence: u64::from_le_bytes(s),
        })
    }

    /// As bytes.
    pub fn bytes(&self) -> [u8; HEADER_SIZE] {
        let number = self.kind as u16 | if self.reply { Kind::REPLY } else { 0 };
        let mut bytes = [0; HEADER_SIZE];
        bytes[0..4].copy_from_slice(&self.length.to_le_bytes());
        bytes[4..6].copy_from_slice(&number.to_le_bytes());
        bytes[6..8].copy_from_slice(&self.flags.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.sequence.to_le_bytes());
        bytes
    }
}
