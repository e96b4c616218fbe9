//! Texts and places in them.

use std::path::{Path, PathBuf};

/// Number of a text in the [`Reporter`](super::Reporter) that holds it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SourceId(pub(super) u32);

/// A range of bytes in one of the texts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    /// Which text.
    pub source: SourceId,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// The range `start..end` of a text.
    pub fn new(source: SourceId, range: std::ops::Range<usize>) -> Self {
        Span {
            source,
            start: range.start,
            end: range.end.max(range.start),
        }
    }
}

/// A value and where it was written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it was written.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// A value with its place.
    pub fn new(value: T, span: Span) -> Self {
        Spanned { value, span }
    }

    /// Another value at the same place.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned::new(change(self.value), self.span)
    }
}

/// A place for people, both counted from one; the column counts characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

/// A text and the file it came from.
#[derive(Clone, Debug)]
pub struct Source {
    path: PathBuf,
    text: String,
    line_starts: Vec<usize>,
}

impl Source {
    /// A text as read from `path`.
    pub fn new(path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        let text = text.into();
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(breaks.map(|(i, _)| i + 1)).collect();
        Source {
            path: path.into(),
            text,
            line_starts,
        }
    }

    /// The same text from another file.
    pub(super) fn at(self, path: PathBuf) -> Self {
        Source { path, ..self }
    }

    /// Where the text came from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The index of the line that holds a byte; whatever lies beyond the end belongs to the last line.
    pub(super) fn line_of(&self, byte: usize) -> usize {
        self.line_starts
            .partition_point(|&start| start <= byte)
            .saturating_sub(1)
    }

    /// The bytes of a line, without its end.
    pub(super) fn line_range(&self, line: usize) -> std::ops::Range<usize> {
        let start = self.line_starts.get(line).copied().unwrap_or(self.text.len());
        let next = self.line_starts.get(line + 1).copied().unwrap_or(self.text.len());
        let text = self.text.get(start..next).unwrap_or_default();
        start..start + text.trim_end_matches(['\n', '\r']).len()
    }

    /// Line and column of a byte.
    pub fn position(&self, byte: usize) -> Position {
        let line = self.line_of(byte);
        let range = self.line_range(line);
        let before = self.floor(byte.clamp(range.start, range.end));
        let column = self
            .text
            .get(range.start..before)
            .map_or(0, |text| text.chars().count());
        Position {
            line: line + 1,
            column: column + 1,
        }
    }

    /// The nearest character boundary at or before a byte.
    pub(super) fn floor(&self, byte: usize) -> usize {
        self.text.floor_char_boundary(byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let source = Source::new("a.toml", "first\r\nµ = 1\n");
        let at = |byte| {
            let position = source.position(byte);
            (position.line, position.column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(6), (1, 6), "the line break belongs to its line");
        assert_eq!(at(7), (2, 1));
        assert_eq!(at(10), (2, 3), "µ is two bytes, one character");
        assert_eq!(at(1000), (3, 1));
    }
}
