//! Mistakes: what is wrong, where, and what to do about it.
//!
//! Whoever reads or checks something takes a [`Reporter`] and goes on after a mistake, so that the user sees all of
//! them at once.

mod excerpt;
mod nearest;
mod render;
mod reporter;
mod source;

pub use nearest::nearest;
pub(crate) use nearest::{listed, suggest, suggest_choice};
pub use reporter::Reporter;
pub use source::{Position, Source, SourceId, Span, Spanned};

use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::path::{Path, PathBuf};

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing can be run.
    Error,
    /// It can be run, and the user should know.
    Warning,
    /// Worth knowing.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

/// One mistake.
///
/// As data (`--json`) it has the fields `file`, `line`, `column`, `severity`, `message` and `advice`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Where the text came from.
    #[serde(serialize_with = "lossy")]
    pub file: PathBuf,
    /// Counted from one; none where the file as a whole is meant.
    pub line: Option<usize>,
    /// In characters, counted from one.
    pub column: Option<usize>,
    /// How bad it is.
    pub severity: Severity,
    /// A sentence that can be understood without the text beside it.
    pub message: String,
    /// What to do.
    pub advice: Option<String>,
    /// The bytes to underline.
    #[serde(skip)]
    pub span: Option<Span>,
    /// A few words under the underlined bytes.
    #[serde(skip)]
    pub label: Option<String>,
    /// Other places that matter, such as "first driven here".
    #[serde(skip)]
    pub related: Vec<(Span, String)>,
}

impl Diagnostic {
    /// With a few words under the underlined text.
    pub fn label(&mut self, label: impl Into<String>) -> &mut Self {
        self.label = Some(label.into());
        self
    }

    /// With a word on what to do.
    pub fn advice(&mut self, advice: impl Into<String>) -> &mut Self {
        self.advice = Some(advice.into());
        self
    }

    /// With a word on what to do, if there is one.
    pub fn advice_if(&mut self, advice: Option<impl Into<String>>) -> &mut Self {
        if let Some(advice) = advice {
            self.advice(advice);
        }
        self
    }

    /// With another place that matters.
    pub fn related(&mut self, span: Span, what: impl Into<String>) -> &mut Self {
        self.related.push((span, what.into()));
        self
    }
}

/// A path that is not UTF-8 must not make the whole report fail.
fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}
