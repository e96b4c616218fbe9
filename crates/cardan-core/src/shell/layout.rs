//! Saved states as bytes that leave the process.

use crate::checkpoint::{Reader, Writer};
use crate::participant::{Failure, Outcome};

/// How saved states of one kind are written down.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The first bytes: a name and, as the last one, the version.
    pub mark: [u8; 8],
    /// Whose states these are.
    pub of: &'static str,
}

impl Layout {
    /// Appends what `write` writes, after the mark.
    pub fn append(&self, bytes: &mut Vec<u8>, write: impl FnOnce(&mut Writer)) {
        let mut writer = Writer::new();
        self.mark.iter().for_each(|byte| writer.byte(*byte));
        write(&mut writer);
        bytes.append(&mut writer.into_bytes());
    }

    /// Reads what comes after the mark.
    ///
    /// # Errors
    /// If it is another mark, or of another version.
    pub fn read<'a>(&self, bytes: &'a [u8]) -> Outcome<Reader<'a>> {
        let [name @ .., version] = &self.mark;
        match bytes.strip_prefix(name) {
            Some([found, rest @ ..]) if found == version => Ok(Reader::new(rest)),
            Some([_, ..]) => Err(Failure::failed(format!(
                "the saved state of {} has another layout than this release reads",
                self.of
            ))
            .advise("resume with the release that saved it")),
            _ => Err(Failure::failed(format!(
                "the bytes are not the saved state of {}",
                self.of
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUT: Layout = Layout {
        mark: *b"cardan\0\x03",
        of: "a model",
    };

    #[test]
    fn damage_is_noticed() {
        let mut bytes = Vec::new();
        LAYOUT.append(&mut bytes, |writer| writer.reals(&[1.0, 2.0]));
        assert_eq!(LAYOUT.read(&bytes).unwrap().reals("x").unwrap(), [1.0, 2.0]);
        assert!(LAYOUT.read(&bytes[..5]).is_err());
        assert!(LAYOUT.read(&bytes[..20]).unwrap().reals("x").is_err());
        assert!(LAYOUT.read(&bytes).unwrap().end().is_err());
        let mut foreign = bytes.clone();
        foreign[0] = b'x';
        assert!(LAYOUT.read(&foreign).is_err());
        let mut newer = bytes.clone();
        newer[7] = 9;
        let refusal = LAYOUT.read(&newer).unwrap_err();
        assert!(refusal.message.contains("another layout"), "{refusal}");
        let mut boundless = bytes;
        boundless[8..16].fill(0xff);
        assert!(LAYOUT.read(&boundless).unwrap().reals("x").is_err());
    }
}
