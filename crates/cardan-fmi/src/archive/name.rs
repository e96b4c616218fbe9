//! Names of entries, and the places below a folder that they stand for.

use super::Refusal;
use std::path::PathBuf;

/// File systems have no longer names.
const MAX_PART: usize = 255;
/// And no longer paths, the private folder in front included.
const MAX_NAME: usize = 2048;

/// A name that was looked at and leads nowhere but down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Name {
    parts: Vec<String>,
    /// It ends like a folder.
    pub(super) is_folder: bool,
    /// Its parts were separated by backslashes, as a few tools write them against the rules.
    pub(super) has_backslashes: bool,
}

impl Name {
    pub(super) fn new(written: &str) -> Result<Name, Refusal> {
        if written.chars().any(char::is_control) {
            return Err(Refusal::Control);
        }
        if written.len() > MAX_NAME {
            return Err(Refusal::LongName);
        }
        let has_backslashes = written.contains('\\');
        let name = written.replace('\\', "/");
        let drive = name.as_bytes();
        if name.starts_with('/')
            || (drive.first().is_some_and(u8::is_ascii_alphabetic) && drive.get(1) == Some(&b':'))
        {
            return Err(Refusal::Absolute);
        }
        let mut parts = Vec::new();
        for part in name.split('/') {
            match part {
                "" | "." => {}
                ".." => return Err(Refusal::Upward),
                // Other systems would drop the dots and spaces and find the parent.
                _ if part.trim_matches(['.', ' ']).is_empty() => return Err(Refusal::Upward),
                _ if part.len() > MAX_PART => return Err(Refusal::LongName),
                _ => parts.push(part.to_owned()),
            }
        }
        let is_folder = name.ends_with('/') || name.ends_with("/.") || name == ".";
        if parts.is_empty() && !is_folder {
            return Err(Refusal::Nameless);
        }
        Ok(Name {
            parts,
            is_folder,
            has_backslashes,
        })
    }

    /// Below whatever folder.
    pub(super) fn path(&self) -> PathBuf {
        self.parts.iter().collect()
    }

    /// With slashes.
    pub(super) fn text(&self) -> String {
        self.parts.join("/")
    }

    /// The folders it lies in, with slashes, outermost first.
    pub(super) fn parents(&self) -> impl Iterator<Item = String> + '_ {
        (1..self.parts.len()).map(|count| self.parts[..count].join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_names_lead_down() {
        let path = |name: &str| Name::new(name).map(|name| name.text());
        assert_eq!(path("binaries/linux64/m.so"), Ok("binaries/linux64/m.so".into()));
        assert_eq!(path("binaries\\win64\\m.dll"), Ok("binaries/win64/m.dll".into()));
        assert_eq!(path("./sources//a.c"), Ok("sources/a.c".into()));
        assert_eq!(
            path("resources/Straße µ.txt"),
            Ok("resources/Straße µ.txt".into())
        );
        assert!(Name::new("./").is_ok_and(|name| name.is_folder));
    }

    #[test]
    fn hostile_names_are_refused() {
        let refused = |name: &str| Name::new(name).unwrap_err();
        for name in ["/etc/passwd", "\\\\host\\share", "C:\\x", "c:x", "//x"] {
            assert_eq!(refused(name), Refusal::Absolute, "{name}");
        }
        for name in ["../x", "a/../../x", "a\\..\\x", "..", "a/.. /x", "..."] {
            assert_eq!(refused(name), Refusal::Upward, "{name}");
        }
        for name in ["a\0b", "a\nb", "\u{1b}[2J", "a\u{85}"] {
            assert_eq!(refused(name), Refusal::Control, "{name:?}");
        }
        assert_eq!(refused(""), Refusal::Nameless);
        assert_eq!(refused(&"x".repeat(300)), Refusal::LongName);
        assert_eq!(refused(&"x/".repeat(3000)), Refusal::LongName);
    }
}
