//! The same mistake in many variables is one message, not thousands.

use cardan_describe::{Diagnostic, Reporter, Severity, Span};

/// How many names a message lists.
const SHOWN: usize = 4;

/// Variables with one and the same mistake.
#[derive(Default)]
pub(crate) struct Gathered {
    first: Option<Span>,
    names: Vec<String>,
    count: usize,
}

impl Gathered {
    /// One more.
    pub(crate) fn add(&mut self, span: Span, name: &str) {
        self.first.get_or_insert(span);
        self.count += 1;
        if self.names.len() < SHOWN {
            self.names.push(format!("`{name}`"));
        }
    }

    /// Reports all of them at the place of the first; the sentence gets "`a`, `b` and 7 more" in front.
    pub(crate) fn report<'r>(
        &self,
        severity: Severity,
        sentence: &str,
        reporter: &'r mut Reporter,
    ) -> Option<&'r mut Diagnostic> {
        let span = self.first?;
        let list = self.names.join(", ");
        let message = match self.count - self.names.len() {
            0 => format!("{list}: {sentence}"),
            more => format!("{list} and {more} more: {sentence}"),
        };
        Some(reporter.report(severity, span, message))
    }
}
