//! From text to a tree of values with their places; the only file that knows the TOML library.

use crate::diagnostic::{Reporter, Source, SourceId, Span, Spanned};
use crate::spec::Literal;
use toml::de::{DeTable, DeValue, Error};

/// A table in the order of the text.
pub(crate) type Entries = Vec<(Spanned<String>, Spanned<Literal>)>;

/// More syntax errors than these help nobody.
const MAX_SYNTAX_ERRORS: usize = 20;
/// Recovering from errors costs memory for each of them; a long text with errors is likely not a description at all,
/// and its first error is enough.
const MAX_RECOVERABLE: usize = 1 << 20;

/// Parses a whole document. Tells also whether all of it could be read.
pub(crate) fn parse_document(id: SourceId, reporter: &mut Reporter) -> (Entries, bool) {
    // The tree borrows the text, which the reporter owns: hence the copy.
    let text = reporter.source(id).map(Source::text).unwrap_or_default().to_owned();
    let (table, errors) = if text.len() <= MAX_RECOVERABLE {
        DeTable::parse_recoverable(&text)
    } else {
        match DeTable::parse(&text) {
            Ok(table) => (table, Vec::new()),
            Err(error) => (toml::Spanned::new(0..0, DeTable::new()), vec![error]),
        }
    };
    for error in errors.iter().take(MAX_SYNTAX_ERRORS) {
        report_syntax(error, id, 0, reporter);
    }
    if let Some(next) = errors.get(MAX_SYNTAX_ERRORS) {
        let more = errors.len() - MAX_SYNTAX_ERRORS;
        let span = Span::new(id, next.span().unwrap_or(0..0));
        reporter.error(span, format!("{more} more syntax errors follow"));
    }
    let mut import = Import { id, offset: 0, reporter };
    let entries = import.table(table.into_inner());
    (entries, errors.is_empty())
}

/// Parses a single value that begins at byte `offset` of a text. None if it is not one; nothing is reported then.
pub(crate) fn parse_value(
    text: &str,
    id: SourceId,
    offset: usize,
    reporter: &mut Reporter,
) -> Result<Spanned<Literal>, Error> {
    let value = DeValue::parse(text)?;
    Ok(Import { id, offset, reporter }.value(value))
}

pub(crate) fn report_syntax(error: &Error, id: SourceId, offset: usize, reporter: &mut Reporter) {
    let range = error.span().unwrap_or(0..0);
    let span = Span::new(id, range.start + offset..range.end + offset);
    let message = error.message();
    if message.starts_with("duplicate key") {
        let written = reporter.source(id).and_then(|s| s.text().get(range)).unwrap_or_default().to_owned();
        reporter
            .error(span, format!("`{written}` is given twice"))
            .label("given before")
            .advice("keep one of the two");
    } else {
        reporter.error(span, format!("not valid TOML: {message}"));
    }
}

struct Import<'a> {
    id: SourceId,
    offset: usize,
    reporter: &'a mut Reporter,
}

impl Import<'_> {
    fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(self.id, range.start + self.offset..range.end + self.offset)
    }

    fn table(&mut self, table: DeTable<'_>) -> Entries {
        let mut entries: Entries = Vec::with_capacity(table.len());
        for (key, value) in table {
            let span = self.span(key.span());
            let value = self.value(value);
            entries.push((Spanned::new(key.into_inner().into_owned(), span), value));
        }
        // The library sorts keys by name; order matters to us: components are numbered in the order of the text.
        entries.sort_by_key(|(key, _)| key.span.start);
        entries
    }

    fn value(&mut self, value: toml::Spanned<DeValue<'_>>) -> Spanned<Literal> {
        let span = self.span(value.span());
        let literal = match value.into_inner() {
            DeValue::String(text) => Literal::String(text.into_owned()),
            DeValue::Boolean(flag) => Literal::Boolean(flag),
            DeValue::Datetime(date) => Literal::Date(date.to_string()),
            DeValue::Array(items) => Literal::Array(items.into_iter().map(|item| self.value(item)).collect()),
            DeValue::Table(table) => Literal::Table(self.table(table)),
            DeValue::Integer(digits) => match i64::from_str_radix(digits.as_str(), digits.radix()) {
                Ok(number) => Literal::Integer(number),
                Err(_) => {
                    self.reporter
                        .error(span, "the whole number is too large")
                        .advice("write it as a number with a decimal point, such as 1.0e20");
                    Literal::Integer(0)
                }
            },
            DeValue::Float(digits) => match digits.as_str().parse() {
                Ok(number) => Literal::Real(number),
                Err(_) => {
                    self.reporter.error(span, "not a number");
                    Literal::Real(0.0)
                }
            },
        };
        Spanned::new(literal, span)
    }
}
