//! The part of a line around a spot, as wide as a terminal shows it.

use super::{Source, Span};
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// Wider lines are cut around the spot.
const MAX_WIDTH: usize = 110;
/// How much of a cut line is kept before the spot.
const LEAD: usize = 40;
/// Bytes of a line that are looked at on either side of the spot.
const REACH: usize = 1000;
const TAB: &str = "    ";

/// The part of a line that is shown, and where in it the spot lies.
pub(super) struct Excerpt {
    pub(super) text: String,
    pub(super) lead: usize,
    pub(super) width: usize,
}

impl Excerpt {
    pub(super) fn of(source: &Source, span: Span) -> Self {
        let range = near(source, source.line_range(source.line_of(span.start)), span);
        let start = source.floor(span.start.clamp(range.start, range.end));
        let end = source.floor(span.end.clamp(start, range.end));
        let part = |range| visible(source.text().get(range).unwrap_or_default());
        let (before, spot, after) = (part(range.start..start), part(start..end), part(end..range.end));
        let (lead, width) = (columns(&before), columns(&spot).max(1));
        if lead + columns(&spot) + columns(&after) <= MAX_WIDTH {
            return Excerpt {
                text: before + &spot + &after,
                lead,
                width,
            };
        }
        let before = if lead > LEAD {
            format!("…{}", last_columns(&before, LEAD))
        } else {
            before
        };
        let lead = columns(&before);
        let kept = first_columns(&spot, MAX_WIDTH - lead);
        let width = columns(kept).max(1);
        let rest = format!("{}{after}", &spot[kept.len()..]);
        let tail = first_columns(&rest, MAX_WIDTH - lead - width);
        let dots = if tail.len() < rest.len() { "…" } else { "" };
        Excerpt {
            text: format!("{before}{kept}{tail}{dots}"),
            lead,
            width,
        }
    }
}

/// The part of a line that can matter: a line may be the whole of a very long file.
fn near(source: &Source, line: Range<usize>, span: Span) -> Range<usize> {
    let start = source.floor(span.start.saturating_sub(REACH)).max(line.start);
    let end = source.floor(span.start.saturating_add(REACH)).min(line.end);
    start..end.max(start)
}

/// Tabs as spaces; other control characters must not reach a terminal.
pub(super) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push_str(TAB),
            '\n' => out.push('\n'),
            c if c.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}

fn columns(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

fn first_columns(text: &str, limit: usize) -> &str {
    let mut used = 0;
    for (i, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > limit {
            return &text[..i];
        }
    }
    text
}

fn last_columns(text: &str, limit: usize) -> &str {
    let mut used = 0;
    for (i, c) in text.char_indices().rev() {
        used += c.width().unwrap_or(0);
        if used > limit {
            return &text[i + c.len_utf8()..];
        }
    }
    text
}
