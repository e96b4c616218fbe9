//! Opens an FMU, once for all who want it.

use super::{Fmu, MAX_BYTES};
use crate::archive::{self, ArchiveError, Identity, Limits, Unpacked};
use crate::description::{FILE, ModelDescription, TERMINALS_FILE};
use cardan_describe::{Diagnostic, Reporter, Severity, Source, Span, xml};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

static KNOWN: LazyLock<Mutex<HashMap<Identity, Weak<Fmu>>>> = LazyLock::new(Mutex::default);

impl Fmu {
    /// Opens an archive or the folder of one. None if it cannot be used, which is reported.
    ///
    /// While somebody holds it, the same file is neither unpacked nor read again. Only a reporter that has not seen its
    /// description reads it anew, because places in the description count from the texts of the reporter.
    pub fn open(path: &Path, reporter: &mut Reporter) -> Option<Arc<Fmu>> {
        let identity = identity(path);
        let known = identity.as_ref().and_then(|identity| {
            let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
            known.get(identity)?.upgrade()
        });
        if let Some(known) = known.filter(|fmu| fmu.was_read_for(reporter)) {
            return Some(known);
        }
        if was_refused(path, reporter) {
            return None;
        }
        let fmu = Arc::new(read(path, reporter)?);
        if let Some(identity) = identity {
            let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
            known.retain(|_, fmu| fmu.strong_count() > 0);
            known.insert(identity, Arc::downgrade(&fmu));
        }
        Some(fmu)
    }

    fn was_read_for(&self, reporter: &Reporter) -> bool {
        let source = reporter.source(self.description.span.source);
        source.is_some_and(|source| source.path() == reporter.known_as(&self.path.join(FILE)))
    }
}

/// Were its mistakes told already? A thousand components of a broken FMU are no reason to tell them a thousand times.
fn was_refused(path: &Path, reporter: &Reporter) -> bool {
    let (path, inner) = (reporter.known_as(path), reporter.known_as(&path.join(FILE)));
    let is_about = |mistake: &&Diagnostic| mistake.file == path || mistake.file == inner;
    let mut mistakes = reporter.sorted().into_iter().filter(is_about);
    mistakes.any(|mistake| mistake.severity == Severity::Error)
}

/// A folder changes with the description in it.
fn identity(path: &Path) -> Option<Identity> {
    if path.is_dir() {
        Identity::of(&path.join(FILE))
    } else {
        Identity::of(path)
    }
}

fn read(path: &Path, reporter: &mut Reporter) -> Option<Fmu> {
    let errors = reporter.error_count();
    let files = match archive::unpack(path, &Limits::default()) {
        Ok(files) => files,
        Err(error) => {
            refuse(path, &error, reporter);
            return None;
        }
    };
    let (source, broken) = source(path, &files, FILE, reporter)?;
    let line = broken.map(|line| line_start(source.text(), line));
    let mut description = ModelDescription::read(source, reporter)?;
    if let Some(start) = line {
        let span = Span::new(description.span.source, start..start);
        reporter.warning(
            span,
            "there are bytes that are not text in UTF-8: they are read as `\u{FFFD}`",
        );
    }
    for warning in files.warnings() {
        reporter.warning(description.span, warning.clone());
    }
    if files.folder().join(TERMINALS_FILE).is_file()
        && let Some((source, _)) = self::source(path, &files, TERMINALS_FILE, reporter)
    {
        description.read_terminals(source, reporter);
    }
    warn_of_tools(&description, reporter);
    if reporter.error_count() > errors {
        return None;
    }
    Some(Fmu {
        path: path.to_owned(),
        files,
        description: Arc::new(description),
        binaries: Mutex::default(),
        names: Default::default(),
        fingerprint: Default::default(),
    })
}

/// The text of a file inside, under the name by which users know it, and the line with the first byte that is no text.
fn source(
    path: &Path,
    files: &Unpacked,
    name: &str,
    reporter: &mut Reporter,
) -> Option<(Source, Option<usize>)> {
    match archive::read_entry(files.folder(), name, MAX_BYTES) {
        Ok(Some(bytes)) => {
            let (text, broken) = xml::decode(&bytes);
            Some((Source::new(path.join(name), text), broken))
        }
        Ok(None) => {
            let is_ssp = files.folder().join("SystemStructure.ssd").is_file();
            let advice = if is_ssp {
                "it is an SSP, a whole system: run it instead of naming it as an FMU"
            } else {
                "is this the right file?"
            };
            let message = format!("there is no {name} inside: this is not an FMU");
            reporter.file_error(path, message).advice(advice);
            None
        }
        Err(error) => {
            refuse(path, &error, reporter);
            None
        }
    }
}

fn refuse(path: &Path, error: &ArchiveError, reporter: &mut Reporter) {
    reporter
        .file_error(PathBuf::from(path), error.to_string())
        .advice(error.advice());
}

fn line_start(text: &str, line: usize) -> usize {
    text.split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum()
}

fn warn_of_tools(description: &ModelDescription, reporter: &mut Reporter) {
    let co_simulation = description.co_simulation.as_ref().map(|cs| &cs.usage);
    let model_exchange = description.model_exchange.as_ref().map(|me| &me.usage);
    let needs = [co_simulation, model_exchange]
        .into_iter()
        .flatten()
        .any(|usage| usage.needs_execution_tool);
    if needs {
        let tool = description
            .generation_tool
            .as_deref()
            .unwrap_or("the tool that exported it");
        reporter
            .warning(
                description.span,
                format!("the FMU needs {tool} on this machine to run"),
            )
            .advice("without it, export the FMU as a standalone one");
    }
}
