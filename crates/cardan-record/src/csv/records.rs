//! Splits text into records and cells (RFC 4180, with either line ending), a record at a time.

use crate::error::ReadError;
use std::borrow::Cow;
use std::io::{BufRead, Read};
use std::path::Path;

/// A longer record is not a row of a result; reading stops before it fills the memory.
const LONGEST: u64 = 16 * 1024 * 1024;

/// The records of a file.
pub(super) struct Records<'p, R> {
    path: &'p Path,
    input: R,
    /// Lines read so far.
    lines: u64,
    bytes: Vec<u8>,
}

/// One record and the line it begins in.
pub(super) struct Record<'r> {
    pub(super) line: u64,
    pub(super) text: &'r str,
}

impl<'p, R: BufRead> Records<'p, R> {
    pub(super) fn new(path: &'p Path, input: R) -> Self {
        Records {
            path,
            input,
            lines: 0,
            bytes: Vec::new(),
        }
    }

    /// The next record that is not an empty line; nothing at the end.
    pub(super) fn next(&mut self) -> Result<Option<Record<'_>>, ReadError> {
        let line = loop {
            let line = self.lines + 1;
            self.bytes.clear();
            if !self.read_record(line)? {
                return Ok(None);
            }
            while matches!(self.bytes.last(), Some(b'\n' | b'\r')) {
                self.bytes.pop();
            }
            if !self.bytes.is_empty() {
                break line;
            }
        };
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => Ok(Some(Record {
                line,
                text: if line == 1 {
                    text.trim_start_matches('\u{feff}')
                } else {
                    text
                },
            })),
            Err(_) => {
                let message = "this is not text in UTF-8; save the table as CSV in UTF-8";
                Err(ReadError::new(self.path, message).at_line(line))
            }
        }
    }

    /// Lines are joined while a quote is open, which is while their number is odd. False at the end of the file.
    fn read_record(&mut self, line: u64) -> Result<bool, ReadError> {
        let mut open = false;
        loop {
            let before = self.bytes.len();
            let room = LONGEST.saturating_sub(before as u64);
            let read = self
                .input
                .by_ref()
                .take(room)
                .read_until(b'\n', &mut self.bytes)
                .map_err(|e| ReadError::because(self.path, "cannot read the file", e))?;
            let refuse = |message: &str| Err(ReadError::new(self.path, message).at_line(line));
            if read == 0 && room == 0 || self.bytes.len() as u64 == LONGEST {
                return refuse("this line is longer than 16 MB; it does not look like a table");
            }
            if read == 0 {
                return if open {
                    refuse("a quote is opened here and never closed")
                } else {
                    Ok(before > 0)
                };
            }
            self.lines += 1;
            open ^= self.bytes[before..].iter().filter(|&&b| b == b'"').count() % 2 == 1;
            if !open {
                return Ok(true);
            }
        }
    }
}

/// The cells of a record, quotes removed. Spaces may surround the quotes; anything else behind them is an error.
pub(super) fn cells(record: &str) -> impl Iterator<Item = Result<Cow<'_, str>, &'static str>> {
    let mut rest = Some(record);
    std::iter::from_fn(move || {
        let text = rest?;
        if let Some(inside) = text.trim_start_matches(' ').strip_prefix('"') {
            let Some((cell, after)) = quoted(inside) else {
                rest = None;
                return Some(Err("the quote is not closed"));
            };
            let after = after.trim_start_matches(' ');
            rest = after.strip_prefix(',');
            if rest.is_none() && !after.is_empty() {
                return Some(Err(
                    "text follows the closing quote; double a quote inside quotes",
                ));
            }
            return Some(Ok(cell));
        }
        let (cell, after) = text
            .split_once(',')
            .map_or((text, None), |(cell, after)| (cell, Some(after)));
        rest = after;
        Some(Ok(Cow::Borrowed(cell)))
    })
}

/// Splits after the closing quote; two quotes inside stand for one.
fn quoted(inside: &str) -> Option<(Cow<'_, str>, &str)> {
    let mut from = 0;
    loop {
        let quote = from + inside.get(from..)?.find('"')?;
        if inside[quote + 1..].starts_with('"') {
            from = quote + 2;
            continue;
        }
        let cell = &inside[..quote];
        let cell = if from == 0 {
            Cow::Borrowed(cell)
        } else {
            Cow::Owned(cell.replace("\"\"", "\""))
        };
        return Some((cell, &inside[quote + 1..]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(record: &str) -> Vec<String> {
        cells(record).map(|c| c.unwrap().into_owned()).collect()
    }

    #[test]
    fn cells_end_at_commas_outside_quotes() {
        assert_eq!(split("1,2,3"), ["1", "2", "3"]);
        assert_eq!(split("1,,"), ["1", "", ""]);
        assert_eq!(
            split(r#""a,b","say ""hi""","""",c"#),
            ["a,b", "say \"hi\"", "\"", "c"]
        );
        assert_eq!(split(r#" "a" , b "#), ["a", " b "]);
        assert!(cells(r#""a"b,c"#).next().unwrap().is_err());
    }

    #[test]
    fn records_span_lines_inside_quotes_and_know_their_line() {
        let text = "\u{feff}a,b\r\n\r\n\"1\n2\",3\n4,5";
        let mut records = Records::new(Path::new("x.csv"), text.as_bytes());
        let mut found = Vec::new();
        while let Some(record) = records.next().unwrap() {
            found.push((record.line, record.text.to_owned()));
        }
        let expected = [(1, "a,b"), (3, "\"1\n2\",3"), (5, "4,5")].map(|(l, t)| (l, t.to_owned()));
        assert_eq!(found, expected);
    }
}
