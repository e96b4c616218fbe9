//! The pieces of a script: braces, words, and `keyword = value`. What is odd about one is noted with it, so that whoever
//! knows what was meant can say so.

use std::ops::Range;

/// A piece of a script, by the bytes where it stands.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Piece {
    /// `{`
    Open(Range<usize>),
    /// `}`
    Close(Range<usize>),
    /// A word by itself: the name of a group, if a brace follows.
    Word(Range<usize>),
    /// `keyword = value`
    Entry(Entry),
}

/// `keyword = value`
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Entry {
    pub(super) keyword: Range<usize>,
    /// Without quotes, and without spaces around it; empty where there is none.
    pub(super) value: Range<usize>,
    pub(super) quoted: bool,
    pub(super) fault: Option<Fault>,
}

/// What is odd about an entry.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Fault {
    /// There is no `=` between keyword and value.
    NoEquals,
    /// There is nothing in front of the `=`.
    NoKeyword,
    /// There is nothing behind the `=`.
    NoValue,
    /// There are two `=` in a row, the second one here.
    TwoEquals(Range<usize>),
    /// The quote does not end on its line.
    OpenQuote,
    /// Something stands behind the closing quote.
    AfterQuote(Range<usize>),
    /// Another entry follows on the same line, with this keyword.
    Crowded(Range<usize>),
}

/// Takes a text to pieces.
pub(super) struct Pieces<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Pieces<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Pieces { text, at: 0 }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Goes past what satisfies a condition.
    fn skip(&mut self, past: impl Fn(char) -> bool) -> Range<usize> {
        let start = self.at;
        let rest = self.rest();
        self.at += rest.find(|c| !past(c)).unwrap_or(rest.len());
        start..self.at
    }

    fn skip_blanks(&mut self) {
        self.skip(|c| c.is_whitespace() && c != '\n');
    }

    fn skip_line(&mut self) -> Range<usize> {
        self.skip(|c| c != '\n')
    }

    /// Does nothing more follow that belongs to the entry? Asked behind blanks or a quote, where a sign begins a comment.
    fn is_over(&self) -> bool {
        self.peek()
            .is_none_or(|c| matches!(c, '\n' | '{' | '}') || is_comment(c))
    }

    fn entry(&mut self, keyword: Range<usize>, fault: Option<Fault>) -> Piece {
        self.skip_blanks();
        let mut entry = Entry {
            keyword,
            value: self.at..self.at,
            quoted: false,
            fault,
        };
        let found = match self.peek() {
            _ if self.is_over() => Some(Fault::NoValue),
            Some(quote @ ('"' | '\'')) => self.quoted(quote, &mut entry),
            _ => self.bare(&mut entry),
        };
        entry.fault = entry.fault.or(found);
        Piece::Entry(entry)
    }

    fn quoted(&mut self, quote: char, entry: &mut Entry) -> Option<Fault> {
        entry.quoted = true;
        self.at += quote.len_utf8();
        let inner = self.skip(|c| c != '\n' && c != quote);
        entry.value = inner;
        if self.peek() != Some(quote) {
            return Some(Fault::OpenQuote);
        }
        self.at += quote.len_utf8();
        self.skip_blanks();
        if self.is_over() {
            return None;
        }
        let after = self.skip(|c| !matches!(c, '\n' | '{' | '}'));
        Some(Fault::AfterQuote(self.trimmed(after)))
    }

    /// A value without quotes goes to the end of the line, spaces included.
    fn bare(&mut self, entry: &mut Entry) -> Option<Fault> {
        let mut fault = None;
        if self.peek() == Some('=') {
            fault = Some(Fault::TwoEquals(self.at..self.at + 1));
            self.at += 1;
            self.skip_blanks();
        }
        let line = self.rest();
        let line = line.split('\n').next().unwrap_or_default();
        let mut end = line.len();
        let mut blank = false;
        for (at, c) in line.char_indices() {
            if matches!(c, '{' | '}') || (blank && is_comment(c)) {
                end = at;
                break;
            }
            blank = c.is_whitespace();
        }
        let value = self.trimmed(self.at..self.at + end);
        let written = self.text.get(value.clone()).unwrap_or_default();
        self.at = value.end;
        entry.value = value.clone();
        // `id = 1 name = adams`: the word in front of the next `=` is a keyword, if words stand in front of it.
        let before = written.find('=').map(|at| written[..at].trim_end());
        let next = before.and_then(|before| Some((before.rfind(char::is_whitespace)?, before.len())));
        let Some((blank, end)) = next else { return fault };
        self.at = value.start + blank;
        self.skip_blanks();
        entry.value = self.trimmed(value.start..value.start + blank);
        fault.or(Some(Fault::Crowded(self.at..value.start + end)))
    }

    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let text = self.text.get(range.clone()).unwrap_or_default();
        let start = range.start + text.len() - text.trim_start().len();
        start..start + text.trim().len()
    }
}

/// A sign that begins a comment, at the beginning of a line or behind a space.
fn is_comment(c: char) -> bool {
    matches!(c, '$' | '#' | '!')
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        loop {
            self.skip(char::is_whitespace);
            match self.peek()? {
                c if is_comment(c) => {
                    self.skip_line();
                }
                c @ ('{' | '}') => {
                    let range = self.at..self.at + 1;
                    self.at += 1;
                    return Some(match c {
                        '{' => Piece::Open(range),
                        _ => Piece::Close(range),
                    });
                }
                '=' => {
                    let nowhere = self.at..self.at + 1;
                    self.at += 1;
                    return Some(self.entry(nowhere, Some(Fault::NoKeyword)));
                }
                _ => {
                    let word = self.skip(|c| !c.is_whitespace() && !matches!(c, '=' | '{' | '}'));
                    self.skip_blanks();
                    if self.is_over() {
                        return Some(Piece::Word(word));
                    }
                    let fault = match self.peek() {
                        Some('=') => {
                            self.at += 1;
                            None
                        }
                        _ => Some(Fault::NoEquals),
                    };
                    return Some(self.entry(word, fault));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each piece in brief.
    fn pieces(text: &str) -> Vec<String> {
        let brief = |piece| match piece {
            Piece::Open(at) | Piece::Close(at) | Piece::Word(at) => text[at].to_owned(),
            Piece::Entry(entry) => {
                let fault = entry.fault.map(|fault| format!(" {fault:?}")).unwrap_or_default();
                let (keyword, value) = (&text[entry.keyword], &text[entry.value]);
                format!("{keyword}={value}{}", fault.split('(').next().unwrap_or_default())
            }
        };
        Pieces::of(text).map(brief).collect()
    }

    #[test]
    fn values_go_to_the_end_of_the_line() {
        assert_eq!(
            pieces("name = Rigid parts  \r\nid=3"),
            ["name=Rigid parts", "id=3"]
        );
        assert_eq!(
            pieces("a = Bob's part"),
            ["a=Bob's part"],
            "a quote inside is a letter"
        );
        assert_eq!(pieces("a = \"x = {1} # y\" # z"), ["a=x = {1} # y"]);
        assert_eq!(pieces("a = 'say \"so\"'"), ["a=say \"so\""]);
    }

    #[test]
    fn comments_begin_at_a_sign_behind_a_space() {
        assert_eq!(pieces("$ a\n  # b\n!c\nx = 1 ! d"), ["x=1"]);
        assert_eq!(pieces("x = a#1 $ b"), ["x=a#1"]);
        assert_eq!(pieces("process # a\n{ ! b\n} $"), ["process", "{", "}"]);
    }

    #[test]
    fn braces_stand_anywhere() {
        assert_eq!(pieces("process{id=1}"), ["process", "{", "id=1", "}"]);
        assert_eq!(pieces("process\n\n{\n}"), ["process", "{", "}"]);
    }

    #[test]
    fn oddities_are_noted() {
        assert_eq!(pieces("id 1"), ["id=1 NoEquals"]);
        assert_eq!(pieces("id =\nname = a"), ["id= NoValue", "name=a"]);
        assert_eq!(pieces("= 1"), ["==1 NoKeyword"]);
        assert_eq!(pieces("id == 1"), ["id=1 TwoEquals"]);
        assert_eq!(pieces("a = \"b\nc = d"), ["a=b OpenQuote", "c=d"]);
        assert_eq!(pieces("a = \"b\" c\nd = e"), ["a=b AfterQuote", "d=e"]);
        assert_eq!(
            pieces("id = 1 name = two words"),
            ["id=1 Crowded", "name=two words"]
        );
        assert_eq!(pieces("a = b=c"), ["a=b=c"], "one word may hold the sign");
    }
}
