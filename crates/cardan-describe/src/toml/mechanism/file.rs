//! A mechanism in a file of its own.

use super::Reader;
use crate::diagnostic::{Reporter, Source, Spanned};
use crate::load::{MAX_BYTES, text_of};
use crate::spec::MechanismSpec;
use std::path::Path;

/// Reads the mechanism in a file beside a description. None if there was nothing to read; what is wrong inside is reported, and
/// the rest comes back.
pub fn load_mechanism(
    file: &Spanned<String>,
    folder: &Path,
    reporter: &mut Reporter,
) -> Option<MechanismSpec> {
    let path = folder.join(&file.value);
    if !path.exists() {
        let here = match folder.as_os_str().is_empty() {
            true => "the present folder".to_owned(),
            false => folder.display().to_string(),
        };
        reporter
            .error(file.span, format!("there is no file `{}`", file.value))
            .label("not found")
            .advice(format!("paths are relative to {here}"));
        return None;
    }
    let text = text_of(&path, MAX_BYTES, reporter)?;
    let (reader, entries) = Reader::open(Source::new(path, text), reporter);
    Some(reader.mechanism(&entries, reader.whole, reporter))
}
