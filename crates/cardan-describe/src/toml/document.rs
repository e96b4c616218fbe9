//! From text to a tree of values with their places; the only file that knows the TOML library.

use super::duplicates;
use super::fields::Entry;
use crate::diagnostic::{Reporter, Source, SourceId, Span, Spanned};
use crate::spec::Literal;
use std::collections::HashSet;
use toml::de::{DeTable, DeValue, Error};

/// A table in the order of the text.
pub(super) type Entries = Vec<Entry>;

/// More syntax errors than these help nobody.
const MAX_SYNTAX_ERRORS: usize = 20;
/// Longer texts are likely not descriptions at all, if there are errors in them.
const MAX_RECOVERABLE: usize = 1 << 20;

/// Parses a whole document. Tells also whether all of it could be read.
pub(super) fn parse_document(id: SourceId, reporter: &mut Reporter) -> (Entries, bool) {
    // The tree borrows the text, which the reporter owns: hence the copy.
    let text = reporter
        .source(id)
        .map(Source::text)
        .unwrap_or_default()
        .to_owned();
    let (table, errors) = parse_text(&text);
    let wrong = errors
        .iter()
        .filter_map(Error::span)
        .map(|span| span.start)
        .collect();
    let entries = Import {
        id,
        offset: 0,
        wrong,
        reporter,
    }
    .table(table.into_inner());
    report_all(&errors, &text, &entries, id, reporter);
    (entries, errors.is_empty())
}

/// Parses with recovery, which costs memory for every error; a long text gets it only for its beginning.
fn parse_text(text: &str) -> (toml::Spanned<DeTable<'_>>, Vec<Error>) {
    if text.len() <= MAX_RECOVERABLE {
        return DeTable::parse_recoverable(text);
    }
    let beginning = text[..text.floor_char_boundary(MAX_RECOVERABLE)].trim_end();
    let (table, mut errors) = DeTable::parse_recoverable(beginning);
    // What the cut did to the text shows at its end.
    errors.retain(|error| error.span().is_some_and(|span| span.end < beginning.len()));
    if !errors.is_empty() {
        return (table, errors);
    }
    match DeTable::parse(text) {
        Ok(table) => (table, Vec::new()),
        Err(error) => (table, vec![error]),
    }
}

fn report_all(errors: &[Error], text: &str, entries: &Entries, id: SourceId, reporter: &mut Reporter) {
    // The keys below a header that is given twice are read into the first table; their clashes are its fault.
    let mut doubled: Vec<usize> = Vec::new();
    for error in errors.iter().take(MAX_SYNTAX_ERRORS) {
        let range = error.span().unwrap_or(0..0);
        if !is_duplicate(error) {
            report_syntax(error, id, 0, reporter);
            continue;
        }
        let above = duplicates::header_above(text, &range);
        let name = text.get(range.clone()).unwrap_or_default();
        let first = match duplicates::first_header(text, &range) {
            Some(first) => {
                doubled.extend(above);
                Some(first)
            }
            None if above.is_some_and(|header| doubled.contains(&header)) => continue,
            None => duplicates::first_key(entries, name.trim_matches(['"', '\'']), &range),
        };
        let diagnostic = reporter.error(Span::new(id, range), format!("`{name}` is given twice"));
        diagnostic.label("given again").advice("keep one of the two");
        if let Some(first) = first {
            diagnostic.related(Span::new(id, first), "first given here");
        }
    }
    if let Some(next) = errors.get(MAX_SYNTAX_ERRORS) {
        let more = errors.len() - MAX_SYNTAX_ERRORS;
        let span = Span::new(id, next.span().unwrap_or(0..0));
        reporter.error(span, format!("{more} more syntax errors follow"));
    }
}

fn is_duplicate(error: &Error) -> bool {
    error.message().starts_with("duplicate key")
}

/// Parses a single value that begins at byte `offset` of a text.
pub(crate) fn parse_value(
    text: &str,
    id: SourceId,
    offset: usize,
    reporter: &mut Reporter,
) -> Result<Spanned<Literal>, Error> {
    let value = DeValue::parse(text)?;
    Ok(Import {
        id,
        offset,
        wrong: HashSet::new(),
        reporter,
    }
    .value(value))
}

/// Reports what the library found wrong in a text that begins at byte `offset`.
pub(crate) fn report_syntax(error: &Error, id: SourceId, offset: usize, reporter: &mut Reporter) {
    let range = error.span().unwrap_or(0..0);
    let span = Span::new(id, range.start + offset..range.end + offset);
    let written = reporter
        .source(id)
        .and_then(|s| s.text().get(span.start..span.end))
        .unwrap_or_default();
    // The library takes a word for the beginning of a string, or of `true`, or of a number: too clever for people.
    let message = error.message();
    let word = message.contains("string values must be quoted") || message.starts_with("invalid boolean");
    match written.trim() {
        "" if word => reporter
            .error(span, "a value is missing")
            .advice("write one after the `=`"),
        text if word => {
            let advice = format!("if it is a string, write \"{text}\"");
            reporter
                .error(
                    span,
                    "not valid TOML: neither a number, nor true or false, nor in quotes",
                )
                .advice(advice)
        }
        _ => reporter.error(span, format!("not valid TOML: {message}")),
    };
}

struct Import<'a> {
    id: SourceId,
    offset: usize,
    /// Where syntax errors start. The library puts some value there, which nobody wrote.
    wrong: HashSet<usize>,
    reporter: &'a mut Reporter,
}

impl Import<'_> {
    fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(self.id, range.start + self.offset..range.end + self.offset)
    }

    fn was_written(&self, value: &toml::Spanned<DeValue<'_>>) -> bool {
        let nested = matches!(value.get_ref(), DeValue::Table(_) | DeValue::Array(_));
        nested || !self.wrong.contains(&value.span().start)
    }

    fn table(&mut self, table: DeTable<'_>) -> Entries {
        let mut entries: Entries = Vec::with_capacity(table.len());
        for (key, value) in table {
            if !self.was_written(&value) {
                continue;
            }
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
            DeValue::Array(items) => {
                let items = items
                    .into_iter()
                    .filter(|item| self.was_written(item))
                    .collect::<Vec<_>>();
                Literal::Array(items.into_iter().map(|item| self.value(item)).collect())
            }
            DeValue::Table(table) => Literal::Table(self.table(table)),
            DeValue::Integer(digits) => match i64::from_str_radix(digits.as_str(), digits.radix()) {
                Ok(number) => Literal::Integer(number),
                Err(_) => {
                    let message = format!(
                        "the whole number is out of range: it must lie between {} and {}",
                        i64::MIN,
                        i64::MAX
                    );
                    self.reporter
                        .error(span, message)
                        .advice("where a real is meant, write it with a decimal point, such as 1.0e20");
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
