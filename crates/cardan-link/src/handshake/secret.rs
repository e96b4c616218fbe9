//! Proving that one knows a secret without saying it.

use crate::error::Error;
use sha2::{Digest, Sha256};
use std::fmt;

/// Bytes of a block of SHA-256.
const BLOCK: usize = 64;

/// A secret that both sides know.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Who proves: a proof of one side is worth nothing as a proof of the other.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Participant,
    Cardan,
}

impl Secret {
    /// Any text or bytes; their length is up to the user.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Secret(bytes.into())
    }

    /// A new one that nobody can guess, in hexadecimal digits, so that it fits into an environment variable.
    pub fn random() -> Result<Self, Error> {
        let digits = nonce()?
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>();
        Ok(Secret(digits.into_bytes()))
    }

    /// As text, to hand it to a process.
    pub fn reveal(&self) -> &[u8] {
        &self.0
    }

    /// The proof of one side, for the nonces of this connection.
    pub(super) fn proof(&self, side: Side, participant: &[u8; 32], cardan: &[u8; 32]) -> [u8; 32] {
        let role: &[u8] = match side {
            Side::Participant => b"participant",
            Side::Cardan => b"cardan",
        };
        hmac(&self.0, &[role, participant, cardan])
    }
}

/// HMAC-SHA256 as in RFC 2104.
fn hmac(key: &[u8], message: &[&[u8]]) -> [u8; 32] {
    let mut block = [0; BLOCK];
    if key.len() > BLOCK {
        block[..32].copy_from_slice(&Sha256::digest(key));
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let mut inner = Sha256::new();
    inner.update(block.map(|byte| byte ^ 0x36));
    message.iter().for_each(|part| inner.update(part));
    let mut outer = Sha256::new();
    outer.update(block.map(|byte| byte ^ 0x5c));
    outer.update(inner.finalize());
    outer.finalize().into()
}

/// Compares all bytes whatever they are, so that the time taken tells nothing.
pub(super) fn same(a: &[u8; 32], b: &[u8; 32]) -> bool {
    let difference = a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b));
    std::hint::black_box(difference) == 0
}

/// Random bytes from the system.
pub(super) fn nonce() -> Result<[u8; 32], Error> {
    let mut bytes = [0; 32];
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())
        .map_err(|error| Error::system("The system gives no random numbers", error))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn test_vectors_of_rfc_4231() {
        assert_eq!(
            hex(&hmac(b"Jefe", &[b"what do ya want ", b"for nothing?"])),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
        assert_eq!(
            hex(&hmac(
                &[0xaa; 131],
                &[b"Test Using Larger Than Block-Size Key - Hash Key First"]
            )),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        );
    }

    #[test]
    fn proofs_differ_by_side_and_nonce() {
        let secret = Secret::random().unwrap();
        let (a, b) = (nonce().unwrap(), nonce().unwrap());
        let proof = secret.proof(Side::Cardan, &a, &b);
        assert!(same(&proof, &secret.proof(Side::Cardan, &a, &b)));
        assert!(!same(&proof, &secret.proof(Side::Participant, &a, &b)));
        assert!(!same(&proof, &secret.proof(Side::Cardan, &b, &a)));
    }
}
