//! How clients from elsewhere show that they belong to a co-simulation.
//!
//! On the loopback device nobody needs a secret: only this machine can connect, and tools of others know nothing of it.
//! A manager that listens further wants one. The text of the first message then is not the name alone but the name, a zero
//! and the secret: `name\0secret` in REG_COMPONENT, `component.interface\0secret` in the first REG_INTERFACE of a
//! monitor. A manager that knows nothing of secrets refuses such a name as unknown; one that wants none ignores what follows
//! the zero, so a client may always send it.
//!
//! The secret goes over the wire as it is. It keeps strangers out; whoever can listen to the network reads it, as they read
//! all samples. Across networks that are not your own, use a tunnel.

use std::fmt;

/// A word that both sides know.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Vec<u8>);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Secret {
    /// The environment variable that both sides look into.
    pub const VARIABLE: &'static str = "CARDAN_TLM_SECRET";

    /// A secret from a text, without the white space around it. None if nothing is left, or if there is a zero in it.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty() && !text.contains('\0')).then(|| Secret(text.as_bytes().to_vec()))
    }

    /// As bytes.
    pub fn reveal(&self) -> &[u8] {
        &self.0
    }

    /// Is this the secret? Looks at all bytes whatever they are, so that the time taken tells nothing but the length.
    pub fn is(&self, offered: &[u8]) -> bool {
        let pairs = self.0.iter().zip(offered.iter().chain(std::iter::repeat(&0)));
        let difference = pairs.fold(0, |all, (a, b)| all | (a ^ b));
        std::hint::black_box(difference) == 0 && offered.len() == self.0.len()
    }
}

/// The text of a first message: a name, and perhaps a secret.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Introduction<'a> {
    /// The name, or the registration of an interface point.
    pub name: &'a [u8],
    /// What follows the zero.
    pub secret: Option<&'a [u8]>,
}

impl<'a> Introduction<'a> {
    /// Takes a text apart.
    pub fn parse(payload: &'a [u8]) -> Self {
        let mut parts = payload.splitn(2, |byte| *byte == 0);
        Introduction {
            name: parts.next().unwrap_or_default(),
            secret: parts.next().filter(|secret| !secret.is_empty()),
        }
    }

    /// Puts it together.
    pub fn compose(name: &str, secret: Option<&Secret>) -> Vec<u8> {
        let mut text = name.as_bytes().to_vec();
        if let Some(secret) = secret {
            text.push(0);
            text.extend_from_slice(secret.reveal());
        }
        text
    }

    /// Does it come with this secret?
    pub fn knows(&self, secret: &Secret) -> bool {
        self.secret.is_some_and(|offered| secret.is(offered))
    }
}
