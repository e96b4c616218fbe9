//! Keys and tables that are given twice: where was the first?

use super::document::Entries;
use crate::spec::Literal;
use std::ops::Range;

/// The start of the line that holds a byte.
fn line_start(text: &str, at: usize) -> usize {
    text.get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |end| end + 1)
}

/// The header `[…]` on the line that starts at `start`, without spaces.
fn header(text: &str, start: usize) -> Option<String> {
    let line = text.get(start..)?.lines().next()?.trim_start();
    let end = line.starts_with('[').then(|| line.find(']'))??;
    Some(line.get(..=end)?.split_whitespace().collect())
}

/// Is this a header that is given twice? Then where the first is.
pub(super) fn first_header(text: &str, duplicate: &Range<usize>) -> Option<Range<usize>> {
    let start = line_start(text, duplicate.start);
    let wanted = header(text, start)?;
    let mut at = 0;
    for line in text.get(..start)?.split_inclusive('\n') {
        if header(text, at).as_deref() == Some(wanted.as_str()) {
            return Some(at..at + line.trim_end().len());
        }
        at += line.len();
    }
    None
}

/// The header above a key, as the byte at which its line starts.
pub(super) fn header_above(text: &str, key: &Range<usize>) -> Option<usize> {
    let mut at = line_start(text, key.start);
    loop {
        if header(text, at).is_some() {
            return Some(at);
        }
        at = line_start(text, at.checked_sub(1)?);
    }
}

/// The last key of that name before the duplicate that can be in the same table: inside an inline table only if the
/// duplicate is in it too.
pub(super) fn first_key(entries: &Entries, name: &str, duplicate: &Range<usize>) -> Option<Range<usize>> {
    let here = entries.iter().map(|(key, _)| key).filter(|key| key.value == name);
    let here = here
        .map(|key| key.span.start..key.span.end)
        .filter(|span| span.start < duplicate.start);
    let deeper = entries.iter().filter_map(|(_, value)| {
        let Literal::Table(inner) = &value.value else {
            return None;
        };
        let written = value.span.start..value.span.end;
        let inline = inner
            .first()
            .is_some_and(|(key, _)| written.contains(&key.span.start));
        (!inline || written.contains(&duplicate.start)).then(|| first_key(inner, name, duplicate))?
    });
    here.chain(deeper).max_by_key(|span| span.start)
}
