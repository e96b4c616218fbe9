//! Files beside a description.

use super::{Element, MAX_BYTES, decode, read};
use crate::diagnostic::{Reporter, Source, Spanned};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// The folder that the sources in a description are relative to.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// An unpacked archive: whatever is asked for must lie inside.
    sealed: bool,
}

impl Folder {
    /// The folder of an unpacked archive, which nothing leads out of.
    pub fn sealed(path: impl Into<PathBuf>) -> Self {
        Folder {
            path: path.into(),
            sealed: true,
        }
    }

    /// A folder among others.
    pub fn open(path: impl Into<PathBuf>) -> Self {
        Folder {
            path: path.into(),
            sealed: false,
        }
    }

    /// The path of an existing file that a description names, relative to this folder; reported if it is not to be had.
    pub fn find(&self, source: Spanned<&str>, reporter: &mut Reporter) -> Option<String> {
        // Some tools write paths as Windows does.
        let text = unescaped(source.value.trim()).replace('\\', "/");
        let path = text.strip_prefix("file:").unwrap_or(&text);
        if path.is_empty() {
            reporter
                .error(source.span, "the source is empty")
                .advice("name a file");
            return None;
        }
        if let Some(scheme) = scheme(path) {
            reporter
                .error(source.span, format!("sources by `{scheme}:` are not supported"))
                .advice("put the file beside the description and name its path");
            return None;
        }
        let outside = Path::new(path)
            .components()
            .any(|part| !matches!(part, Component::Normal(_) | Component::CurDir));
        if self.sealed && outside {
            reporter
                .error(source.span, format!("`{path}` leads out of the archive"))
                .label("not allowed")
                .advice("put the file into the archive, in the folder `resources`");
            return None;
        }
        if !self.path.join(path).exists() {
            let folder = reporter.known_as(&self.path).display().to_string();
            let here = if folder.is_empty() { "." } else { &folder };
            reporter
                .error(source.span, format!("there is no file `{path}`"))
                .label("not found")
                .advice(format!("paths are relative to `{here}`"));
            return None;
        }
        Some(path.to_owned())
    }

    /// Reads an XML file that a description names and lets `work` look at its root.
    pub fn read<T>(
        &self,
        source: Spanned<&str>,
        reporter: &mut Reporter,
        work: impl FnOnce(Element<'_>, &mut Reporter) -> T,
    ) -> Option<T> {
        let path = self.path.join(self.find(source, reporter)?);
        match text_of(&path) {
            Ok(text) => read(Source::new(path, text), reporter, work),
            Err(error) => {
                reporter.error(
                    source.span,
                    format!("`{}` cannot be read: {error}", path.display()),
                );
                None
            }
        }
    }
}

/// The text of a file; no more of it than is allowed.
pub fn text_of(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!(
            "it is longer than {} MB",
            MAX_BYTES >> 20
        )));
    }
    Ok(decode(&bytes).0)
}

/// `http` in `http://…`; the letter of a drive is none.
fn scheme(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once(':')?;
    let plain = scheme.chars().all(|c| c.is_ascii_alphanumeric() || c == '+');
    (plain && scheme.len() > 1).then_some(scheme)
}

/// Sources are URIs, in which a space is `%20`.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = |digit: &u8| (*digit as char).to_digit(16);
        match (first, tail) {
            (b'%', [high, low, after @ ..]) if hex(high).is_some() && hex(low).is_some() => {
                let value = hex(high).unwrap_or(0) * 16 + hex(low).unwrap_or(0);
                bytes.push(value as u8);
                rest = after;
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}
