//! A mistake as text, with the lines it is about and carets under the spot.

use super::{Diagnostic, Reporter, Severity, Source, Span};
use std::fmt::Write;
use unicode_width::UnicodeWidthChar;

/// Wider lines are cut around the spot.
const MAX_WIDTH: usize = 110;
/// How much of a cut line is kept before the spot.
const LEAD: usize = 40;
const TAB: &str = "    ";

const BOLD: &str = "\x1b[1m";
const BLUE: &str = "\x1b[1;34m";

/// A spot to underline.
struct Mark<'a> {
    span: Span,
    text: &'a str,
    primary: bool,
}

pub(super) fn render(reporter: &Reporter, diagnostic: &Diagnostic, colour: bool) -> String {
    let mut marks: Vec<Mark<'_>> = Vec::new();
    if let Some(span) = diagnostic.span {
        let text = diagnostic.label.as_deref().unwrap_or_default();
        marks.push(Mark { span, text, primary: true });
    }
    marks.extend(diagnostic.related.iter().map(|(span, text)| Mark { span: *span, text, primary: false }));
    // The file of the mistake comes first, whatever the others are called.
    let home = diagnostic.span.map(|s| s.source);
    marks.sort_by_key(|m| (Some(m.span.source) != home, m.span));

    let last_line = |m: &Mark<'_>| reporter.source(m.span.source).map_or(0, |s| s.line_of(m.span.start) + 1);
    let gutter = marks.iter().map(last_line).max().unwrap_or(0).to_string().len();
    let mut page = Page {
        out: String::new(),
        gutter,
        colour,
        severity: diagnostic.severity,
    };
    page.heading(diagnostic);
    page.snippets(reporter, &marks);
    if let Some(advice) = &diagnostic.advice {
        page.advice(advice);
    }
    page.out
}

struct Page {
    out: String,
    gutter: usize,
    colour: bool,
    severity: Severity,
}

impl Page {
    fn paint(&self, code: &str, text: &str) -> String {
        if self.colour { format!("{code}{text}\x1b[0m") } else { text.to_owned() }
    }

    fn severity_colour(&self) -> &'static str {
        match self.severity {
            Severity::Error => "\x1b[1;31m",
            Severity::Warning => "\x1b[1;33m",
            Severity::Note => "\x1b[1;32m",
        }
    }

    fn line(&mut self, number: &str, separator: &str, content: &str) {
        let edge = self.paint(BLUE, &format!("{number:>width$} {separator}", width = self.gutter));
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{}", format!("{edge} {content}").trim_end());
    }

    fn heading(&mut self, diagnostic: &Diagnostic) {
        let severity = self.paint(self.severity_colour(), &diagnostic.severity.to_string());
        let message = self.paint(BOLD, &format!(": {}", visible(&diagnostic.message)));
        let _ = writeln!(self.out, "{severity}{message}");
        let arrow = self.paint(BLUE, &format!("{:>width$}-->", "", width = self.gutter));
        let file = visible(&diagnostic.file.display().to_string());
        let _ = match (diagnostic.line, diagnostic.column) {
            (Some(line), Some(column)) => writeln!(self.out, "{arrow} {file}:{line}:{column}"),
            _ => writeln!(self.out, "{arrow} {file}"),
        };
    }

    fn snippets(&mut self, reporter: &Reporter, marks: &[Mark<'_>]) {
        let mut before: Option<(&Source, Mark<'_>, usize)> = None;
        for mark in marks {
            let Some(source) = reporter.source(mark.span.source) else {
                continue;
            };
            let line = source.line_of(mark.span.start);
            match before {
                Some((_, ref last, _)) if last.span.source != mark.span.source => {
                    let arrow = self.paint(BLUE, &format!("{:>width$}:::", "", width = self.gutter));
                    let position = source.position(mark.span.start);
                    let file = visible(&source.path().display().to_string());
                    let _ = writeln!(self.out, "{arrow} {file}:{}:{}", position.line, position.column);
                    self.line("", "|", "");
                }
                Some((_, _, last)) if line > last + 1 => {
                    let dots = self.paint(BLUE, "...");
                    let _ = writeln!(self.out, "{dots}");
                }
                Some(_) => {}
                None => self.line("", "|", ""),
            }
            let excerpt = Excerpt::of(source, mark.span);
            if !matches!(before, Some((_, ref last, l)) if l == line && last.span.source == mark.span.source) {
                self.line(&(line + 1).to_string(), "|", &excerpt.text);
            }
            let (sign, code) = if mark.primary { ("^", self.severity_colour()) } else { ("-", BLUE) };
            let under = format!("{} {}", sign.repeat(excerpt.width), visible(mark.text));
            let content = format!("{}{}", " ".repeat(excerpt.lead), self.paint(code, under.trim_end()));
            self.line("", "|", &content);
            before = Some((source, Mark { span: mark.span, text: mark.text, primary: mark.primary }, line));
        }
    }

    fn advice(&mut self, advice: &str) {
        let advice = visible(advice);
        let mut lines = advice.split('\n');
        let help = self.paint(BOLD, "help");
        self.line("", "=", &format!("{help}: {}", lines.next().unwrap_or_default()));
        for more in lines {
            self.line("", " ", &format!("      {more}"));
        }
    }
}

/// The part of a line that is shown, and where in it the spot lies.
struct Excerpt {
    text: String,
    lead: usize,
    width: usize,
}

impl Excerpt {
    fn of(source: &Source, span: Span) -> Self {
        let range = source.line_range(source.line_of(span.start));
        let start = source.floor(span.start.clamp(range.start, range.end));
        let end = source.floor(span.end.clamp(start, range.end));
        let part = |range| visible(source.text().get(range).unwrap_or_default());
        let (before, spot, after) = (part(range.start..start), part(start..end), part(end..range.end));
        let (lead, width) = (columns(&before), columns(&spot).max(1));
        if lead + columns(&spot) + columns(&after) <= MAX_WIDTH {
            return Excerpt { text: before + &spot + &after, lead, width };
        }
        let before = if lead > LEAD { format!("…{}", last_columns(&before, LEAD)) } else { before };
        let lead = columns(&before);
        let kept = first_columns(&spot, MAX_WIDTH - lead);
        let width = columns(kept).max(1);
        let rest = format!("{}{after}", &spot[kept.len()..]);
        let tail = first_columns(&rest, MAX_WIDTH - lead - width);
        let dots = if tail.len() < rest.len() { "…" } else { "" };
        Excerpt { text: format!("{before}{kept}{tail}{dots}"), lead, width }
    }
}

/// Tabs as spaces; other control characters must not reach a terminal.
fn visible(text: &str) -> String {
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
