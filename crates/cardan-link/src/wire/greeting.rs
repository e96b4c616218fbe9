//! The handshake: who is there, and may they?

use super::header::Kind;
use super::malformed::Malformed;
use super::reader::Reader;
use super::writer::Writer;
use super::{MAGIC, VERSION};

/// Bytes of a nonce and of a proof.
pub(super) const DIGEST: usize = 32;

/// The first message, from the participant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hello {
    /// The protocol it speaks.
    pub version: u32,
    /// Random bytes, for Cardan's proof.
    pub nonce: [u8; DIGEST],
    /// What it calls itself.
    pub name: String,
    /// The tool behind it, with a version.
    pub tool: String,
}

impl Hello {
    /// Of this version.
    pub fn new(nonce: [u8; DIGEST], name: impl Into<String>, tool: impl Into<String>) -> Self {
        Hello {
            version: VERSION,
            nonce,
            name: name.into(),
            tool: tool.into(),
        }
    }

    /// Writes the payload.
    pub fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(&MAGIC).u32(self.version).bytes(&self.nonce);
        writer.text(&self.name).text(&self.tool);
    }

    /// Reads the payload. One of another version is read up to its version only: what follows may be anything.
    pub fn read(payload: &[u8]) -> Result<Hello, Malformed> {
        let mut reader = Reader::new(payload);
        if reader.block::<8>("the magic bytes")? != MAGIC {
            return Err(Malformed::Magic);
        }
        let version = reader.u32("the version")?;
        if version != VERSION {
            return Ok(Hello {
                version,
                nonce: [0; DIGEST],
                name: String::new(),
                tool: String::new(),
            });
        }
        let hello = Hello {
            version,
            nonce: reader.block("a nonce")?,
            name: reader.text("the name")?.to_owned(),
            tool: reader.text("the tool")?.to_owned(),
        };
        reader.finish()?;
        Ok(hello)
    }
}

/// Cardan's answer where a secret is shared: prove that you know it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Challenge {
    /// Random bytes, for the participant's proof.
    pub nonce: [u8; DIGEST],
}

impl Challenge {
    /// Writes the payload.
    pub fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(&self.nonce);
    }

    /// Reads the payload.
    pub fn read(payload: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(payload);
        let nonce = reader.block("a nonce")?;
        reader.finish()?;
        Ok(Challenge { nonce })
    }
}

/// The participant's proof that it knows the secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// HMAC-SHA256.
    pub digest: [u8; DIGEST],
}

impl Proof {
    /// Writes the payload.
    pub fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(&self.digest);
    }

    /// Reads the payload.
    pub fn read(payload: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(payload);
        let digest = reader.block("a proof")?;
        reader.finish()?;
        Ok(Proof { digest })
    }
}

/// Cardan takes the participant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Welcome {
    /// Cardan's own proof; zeros where no secret is shared.
    pub digest: [u8; DIGEST],
    /// The name of the component in the description.
    pub component: String,
}

impl Welcome {
    /// Writes the payload.
    pub fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(&self.digest).text(&self.component);
    }

    /// Reads the payload.
    pub fn read(payload: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(payload);
        let welcome = Welcome {
            digest: reader.block("a proof")?,
            component: reader.text("the name of the component")?.to_owned(),
        };
        reader.finish()?;
        Ok(welcome)
    }
}

/// One side does not take the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The version that the refusing side speaks.
    pub version: u32,
    /// A sentence for the user.
    pub reason: String,
}

impl Refusal {
    /// The kind of message that carries it.
    pub const KIND: Kind = Kind::Refuse;

    /// Writes the payload.
    pub fn write(&self, writer: &mut Writer<'_>) {
        writer.u32(self.version).text(&self.reason);
    }

    /// Reads the payload.
    pub fn read(payload: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(payload);
        let refusal = Refusal {
            version: reader.u32("the version")?,
            reason: reader.text("the reason")?.to_owned(),
        };
        reader.finish()?;
        Ok(refusal)
    }
}
