//! A mistake as text, with the lines it is about and carets under the spot.

use super::excerpt::{Excerpt, visible};
use super::{Diagnostic, Reporter, Severity, Source, SourceId, Span};
use std::fmt::Write;

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
        marks.push(Mark {
            span,
            text,
            primary: true,
        });
    }
    marks.extend(diagnostic.related.iter().map(|(span, text)| Mark {
        span: *span,
        text,
        primary: false,
    }));
    // The file of the mistake comes first, whatever the others are called.
    let home = diagnostic.span.map(|s| s.source);
    marks.sort_by_key(|m| (Some(m.span.source) != home, m.span));

    let last_line = |m: &Mark<'_>| {
        reporter
            .source(m.span.source)
            .map_or(0, |s| s.line_of(m.span.start) + 1)
    };
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
        if self.colour {
            format!("{code}{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    fn severity_colour(&self) -> &'static str {
        match self.severity {
            Severity::Error => "\x1b[1;31m",
            Severity::Warning => "\x1b[1;33m",
            Severity::Note => "\x1b[1;32m",
        }
    }

    fn line(&mut self, number: &str, separator: &str, content: &str) {
        let edge = self.paint(
            BLUE,
            &format!("{number:>width$} {separator}", width = self.gutter),
        );
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{}", format!("{edge} {content}").trim_end());
    }

    fn heading(&mut self, diagnostic: &Diagnostic) {
        let severity = self.paint(self.severity_colour(), &diagnostic.severity.to_string());
        let (message, quoted) = parts(&diagnostic.message);
        let message = self.paint(BOLD, &format!(": {message}"));
        let _ = writeln!(self.out, "{severity}{message}");
        for line in quoted {
            let _ = writeln!(self.out, "{line}");
        }
        let arrow = self.paint(BLUE, &format!("{:>width$}-->", "", width = self.gutter));
        let file = visible(&diagnostic.file.display().to_string());
        let _ = match (diagnostic.line, diagnostic.column) {
            (Some(line), Some(column)) => writeln!(self.out, "{arrow} {file}:{line}:{column}"),
            _ => writeln!(self.out, "{arrow} {file}"),
        };
    }

    fn snippets(&mut self, reporter: &Reporter, marks: &[Mark<'_>]) {
        let mut before: Option<(SourceId, usize)> = None;
        let mut shown = String::new();
        for mark in marks {
            let Some(source) = reporter.source(mark.span.source) else {
                continue;
            };
            let here = (mark.span.source, source.line_of(mark.span.start));
            let excerpt = Excerpt::of(source, mark.span);
            // Two spots of one line share it, unless the line was cut differently for them.
            if before != Some(here) || excerpt.text != shown {
                self.gap(before, here, source, mark.span);
                self.line(&(here.1 + 1).to_string(), "|", &excerpt.text);
                shown = excerpt.text;
            }
            let (sign, code) = if mark.primary {
                ("^", self.severity_colour())
            } else {
                ("-", BLUE)
            };
            let under = format!("{} {}", sign.repeat(excerpt.width), visible(mark.text));
            let content = format!(
                "{}{}",
                " ".repeat(excerpt.lead),
                self.paint(code, under.trim_end())
            );
            self.line("", "|", &content);
            before = Some(here);
        }
    }

    /// What stands between two lines that are not neighbours, or in front of the first.
    fn gap(
        &mut self,
        before: Option<(SourceId, usize)>,
        here: (SourceId, usize),
        source: &Source,
        span: Span,
    ) {
        match before {
            None => self.line("", "|", ""),
            Some((id, _)) if id != here.0 => {
                let arrow = self.paint(BLUE, &format!("{:>width$}:::", "", width = self.gutter));
                let position = source.position(span.start);
                let file = visible(&source.path().display().to_string());
                let _ = writeln!(self.out, "{arrow} {file}:{}:{}", position.line, position.column);
                self.line("", "|", "");
            }
            Some((_, line)) if here.1 > line + 1 => {
                let dots = self.paint(BLUE, "...");
                let _ = writeln!(self.out, "{dots}");
            }
            Some(_) => {}
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

/// A message in one line, and the lines that it quotes, such as the last words of a process: those that are indented.
fn parts(message: &str) -> (String, Vec<String>) {
    let message = visible(message);
    let is_quoted = |line: &&str| line.starts_with("    ");
    let (mut quoted, mut own) = (Vec::new(), Vec::new());
    for (index, line) in message.split('\n').enumerate() {
        match index > 0 && is_quoted(&line) {
            true => quoted.push(line.trim_end().to_owned()),
            false => own.push(line),
        }
    }
    (own.join(" "), quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_lines_stay_lines() {
        let quoted = |line: &str| vec![line.to_owned()];
        assert_eq!(parts("one\ntwo"), ("one two".to_owned(), vec![]));
        assert_eq!(
            parts("It said:\n    no"),
            ("It said:".to_owned(), quoted("    no"))
        );
    }
}
