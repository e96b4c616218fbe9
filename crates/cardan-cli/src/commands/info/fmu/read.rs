//! Takes the description out of an archive, and leaves the rest where it is.

use cardan::Reporter;
use cardan_describe::{Source, Span, xml};
use cardan_fmi::ModelDescription;
use cardan_fmi::archive::{ArchiveError, read_entry};
use cardan_fmi::description::{FILE, TERMINALS_FILE};
use std::path::Path;

/// None if there is none, which is reported.
pub(super) fn description(path: &Path, reporter: &mut Reporter) -> Option<ModelDescription> {
    let (source, broken) = source(path, FILE, reporter)?;
    let Some(source) = source else {
        let message = format!("there is no {FILE} inside: this is not an FMU");
        reporter
            .file_error(path, message)
            .advice("is this the right file?");
        return None;
    };
    let start = broken.map(|line| {
        source
            .text()
            .split_inclusive('\n')
            .take(line - 1)
            .map(str::len)
            .sum()
    });
    let mut description = ModelDescription::read(source, reporter)?;
    if let Some(start) = start {
        let span = Span::new(description.span.source, start..start);
        let message = "there are bytes that are not text in UTF-8: they are read as `\u{FFFD}`";
        reporter.warning(span, message);
    }
    if let Some((Some(source), _)) = self::source(path, TERMINALS_FILE, reporter) {
        description.read_terminals(source, reporter);
    }
    Some(description)
}

/// The text of a file inside, if it has it, and the line with the first byte that is no text. None after an error.
fn source(path: &Path, name: &str, reporter: &mut Reporter) -> Option<(Option<Source>, Option<usize>)> {
    match read_entry(path, name, xml::MAX_BYTES) {
        Ok(Some(bytes)) => {
            let (text, broken) = xml::decode(&bytes);
            let broken = broken.filter(|line| *line > 0);
            Some((Some(Source::new(path.join(name), text)), broken))
        }
        Ok(None) => Some((None, None)),
        Err(error) => {
            reporter
                .file_error(path, error.to_string())
                .advice(advice(&error));
            None
        }
    }
}

fn advice(error: &ArchiveError) -> &'static str {
    if error.is_hostile() {
        "ask its author for another export"
    } else {
        "export or copy it again"
    }
}
