//! Collects mistakes, and keeps the texts they were found in.

use super::{Diagnostic, Severity, Source, SourceId, Span, Spanned, render};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Nobody reads more; a file of garbage must not fill the memory with what is wrong in it.
const KEPT: usize = 500;

/// Messages quote names, which may be of any length in a file of garbage.
const LONGEST: usize = 500;

/// Collects mistakes.
#[derive(Clone, Debug, Default)]
pub struct Reporter {
    sources: Vec<Source>,
    /// Folders, and what people call them.
    names: Vec<(PathBuf, PathBuf)>,
    diagnostics: Vec<Diagnostic>,
    /// Takes the place of what is no longer kept.
    spare: Option<Diagnostic>,
    dropped: usize,
    errors: usize,
}

impl Reporter {
    /// Without mistakes, so far.
    pub fn new() -> Self {
        Reporter::default()
    }

    /// From now on, what lies below `folder` is told as if it lay below `name`: people know the archive that they
    /// wrote, not the folder it was unpacked to.
    pub fn call(&mut self, folder: impl Into<PathBuf>, name: impl Into<PathBuf>) {
        self.names.push((folder.into(), name.into()));
    }

    /// A path as people know it.
    pub fn known_as(&self, path: &Path) -> PathBuf {
        let renamed = self.names.iter().find_map(|(folder, name)| {
            let inside = path.strip_prefix(folder).ok()?;
            // Joining nothing would add a slash.
            let itself = inside.as_os_str().is_empty();
            Some(if itself { name.clone() } else { name.join(inside) })
        });
        renamed.unwrap_or_else(|| path.to_owned())
    }

    /// Keeps a text, so that spans can point into it.
    pub fn add(&mut self, source: Source) -> SourceId {
        let id = SourceId(self.sources.len() as u32);
        let path = self.known_as(source.path());
        self.sources.push(source.at(path));
        id
    }

    /// A text that was added. The one of another reporter may be missing here.
    pub fn source(&self, id: SourceId) -> Option<&Source> {
        self.sources.get(id.0 as usize)
    }

    /// A place for people who have the file at hand: `file:line`.
    pub fn place(&self, span: Span) -> String {
        match self.source(span.source) {
            Some(source) => format!("{}:{}", source.path().display(), source.position(span.start).line),
            None => String::new(),
        }
    }

    /// Notes a mistake at a place.
    pub fn report(&mut self, severity: Severity, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        let source = self.source(span.source).filter(|_| self.diagnostics.len() < KEPT);
        let position = source.map(|s| s.position(span.start));
        let diagnostic = Diagnostic {
            file: source.map(|s| s.path().to_owned()).unwrap_or_default(),
            line: position.map(|p| p.line),
            column: position.map(|p| p.column),
            severity,
            message: message.into(),
            advice: None,
            span: Some(span),
            label: None,
            related: Vec::new(),
        };
        self.push(diagnostic)
    }

    /// Notes an error at a place.
    pub fn error(&mut self, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.report(Severity::Error, span, message)
    }

    /// Notes a warning at a place.
    pub fn warning(&mut self, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.report(Severity::Warning, span, message)
    }

    /// Notes an error that concerns a file as a whole.
    pub fn file_error(&mut self, file: impl Into<PathBuf>, message: impl Into<String>) -> &mut Diagnostic {
        let file = self.known_as(&file.into());
        self.push(Diagnostic {
            file,
            line: None,
            column: None,
            severity: Severity::Error,
            message: message.into(),
            advice: None,
            span: None,
            label: None,
            related: Vec::new(),
        })
    }

    fn push(&mut self, mut diagnostic: Diagnostic) -> &mut Diagnostic {
        // Messages of others may quote a path that only we know.
        for (folder, name) in &self.names {
            let (folder, name) = (folder.display().to_string(), name.display().to_string());
            diagnostic.message = diagnostic.message.replace(&folder, &name);
        }
        let end = diagnostic.message.floor_char_boundary(LONGEST);
        if end < diagnostic.message.len() {
            diagnostic.message.truncate(end);
            diagnostic.message.push('…');
        }
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        let index = self.diagnostics.len();
        if index >= KEPT {
            self.dropped += 1;
            return self.spare.insert(diagnostic);
        }
        self.diagnostics.push(diagnostic);
        &mut self.diagnostics[index]
    }

    /// Was there an error?
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many errors there were. Comparing counts tells whether a stretch of work went well.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Are there so many mistakes that nobody will see the next one? Then it is not worth a search for advice.
    pub fn is_full(&self) -> bool {
        self.diagnostics.len() >= KEPT
    }

    /// How many mistakes were counted but not kept, because there were too many.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// All mistakes, file by file in the order of their places; first those that concern a file as a whole.
    pub fn sorted(&self) -> Vec<&Diagnostic> {
        let mut all: Vec<&Diagnostic> = self.diagnostics.iter().collect();
        all.sort_by_key(|d| d.span);
        all
    }

    /// The same, handed over.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|d| d.span);
        self.diagnostics
    }

    /// One mistake as text, with the lines it is about.
    pub fn render(&self, diagnostic: &Diagnostic, colour: bool) -> String {
        render::render(self, diagnostic, colour)
    }

    /// All mistakes as text, with an empty line after each.
    pub fn render_all(&self, colour: bool) -> String {
        let mut text: String = self
            .sorted()
            .into_iter()
            .map(|d| self.render(d, colour) + "\n")
            .collect();
        if self.dropped > 0 {
            text.push_str(&format!("… and {} more\n", self.dropped));
        }
        text
    }

    /// The place of a part of a string value. The whole value, where escapes make bytes of the value and of the text
    /// differ.
    pub fn within(&self, text: &Spanned<impl AsRef<str>>, part: Range<usize>) -> Span {
        let value = text.value.as_ref();
        let written = self
            .source(text.span.source)
            .and_then(|s| s.text().get(text.span.start..text.span.end))
            .unwrap_or_default();
        let quotes = match written {
            w if w == value => 0,
            w if w.get(1..w.len().saturating_sub(1)) == Some(value) => 1,
            w if w.get(3..w.len().saturating_sub(3)) == Some(value) => 3,
            _ => return text.span,
        };
        let start = text.span.start + quotes;
        Span::new(text.span.source, start + part.start..start + part.end)
    }
}
