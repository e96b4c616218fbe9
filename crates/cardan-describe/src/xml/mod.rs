//! XML as tools write it: read leniently, never trusted, every element and attribute with its place.
//!
//! Names are compared without their namespaces: which prefix a tool chose, and whether it declared it, says nothing
//! about what it means. Entities are not expanded.

mod bounds;
mod encoding;
mod file;
mod number;
mod prefixes;

pub use encoding::decode;
pub use file::{Folder, text_of};
pub use number::{boolean, integer, real};

use crate::diagnostic::{Reporter, Severity, Source, SourceId, Span, Spanned};
use roxmltree::{Node, ParsingOptions};
use std::borrow::Cow;

/// No file of this sort is longer; what is, is likely something else.
pub const MAX_BYTES: u64 = 256 << 20;
/// Bounds the memory of a tree: a node costs about fifty bytes whatever it says.
const MAX_NODES: u32 = 20_000_000;

/// Parses a text and lets `work` look at its root. None where the text is not XML, which is reported.
pub fn read<T>(
    source: Source,
    reporter: &mut Reporter,
    work: impl FnOnce(Element<'_>, &mut Reporter) -> T,
) -> Option<T> {
    // The tree borrows its text while the reporter, which keeps another copy for its excerpts, is written to.
    let text = source.text().to_owned();
    let id = reporter.add(source);
    if let Some(at) = text.find("<!ENTITY") {
        reporter
            .error(
                Span::new(id, at..at + "<!ENTITY".len()),
                "the file declares entities, which are not expanded",
            )
            .advice("write the text out: descriptions do not need entities");
        return None;
    }
    if let Some((at, what)) = bounds::exceeded(&text) {
        reporter
            .error(
                Span::new(id, at..at + 1),
                format!("{what}, which no description needs"),
            )
            .advice("is this the right file?");
        return None;
    }
    let plain: Cow<'_, str>;
    let mut parsed = parse(&text);
    if matches!(parsed, Err(roxmltree::Error::UnknownNamespace(..))) {
        plain = prefixes::taken_out(&text, |text| parse(text).err());
        parsed = parse(&plain);
    }
    match parsed {
        Ok(document) => {
            let root = Element {
                node: document.root_element(),
                text: document.input_text(),
                source: id,
            };
            Some(work(root, reporter))
        }
        Err(error) => {
            let at = offset(&text, error.pos());
            reporter
                .error(
                    Span::new(id, at..at),
                    format!("the file is not well-formed XML: {error}"),
                )
                .advice("is it cut off? Export it again");
            None
        }
    }
}

fn parse(text: &str) -> Result<roxmltree::Document<'_>, roxmltree::Error> {
    let options = ParsingOptions {
        // Without entities a document type is an idle word.
        allow_dtd: true,
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    };
    roxmltree::Document::parse_with_options(text, options)
}

/// The byte of a place that the parser gives as row and column, both from one, the column in characters.
fn offset(text: &str, place: roxmltree::TextPos) -> usize {
    let row = (place.row as usize).saturating_sub(1);
    let start: usize = text.split_inclusive('\n').take(row).map(str::len).sum();
    let line = text.get(start..).unwrap_or_default();
    let column = (place.col as usize).saturating_sub(1);
    start + line.chars().take(column).map(char::len_utf8).sum::<usize>()
}

/// An element of a document.
#[derive(Clone, Copy, Debug)]
pub struct Element<'a> {
    node: Node<'a, 'a>,
    text: &'a str,
    source: SourceId,
}

impl<'a> Element<'a> {
    /// Its name without a prefix.
    pub fn name(&self) -> &'a str {
        self.node.tag_name().name()
    }

    /// The namespace its prefix stands for.
    pub fn namespace(&self) -> Option<&'a str> {
        self.node.tag_name().namespace()
    }

    /// The place of its opening tag.
    pub fn span(&self) -> Span {
        let range = self.node.range();
        let written = self.text.get(range.clone()).unwrap_or_default();
        let end = written.find('>').map_or(range.end, |at| range.start + at + 1);
        Span::new(self.source, range.start..end)
    }

    /// Its elements, in order.
    pub fn children(&self) -> impl Iterator<Item = Element<'a>> + use<'a> {
        let (text, source) = (self.text, self.source);
        let elements = self.node.children().filter(Node::is_element);
        elements.map(move |node| Element { node, text, source })
    }

    /// Its elements of that name, in order.
    pub fn children_named<'n>(&self, name: &'n str) -> impl Iterator<Item = Element<'a>> + use<'a, 'n> {
        self.children().filter(move |element| element.name() == name)
    }

    /// Its first element of that name.
    pub fn child(&self, name: &str) -> Option<Element<'a>> {
        self.children_named(name).next()
    }

    /// The text directly inside, without white space around it.
    pub fn inner_text(&self) -> &'a str {
        self.node.text().unwrap_or_default().trim()
    }

    /// The text of an attribute and where its value was written.
    pub fn attribute(&self, name: &str) -> Option<Spanned<&'a str>> {
        let found = self.node.attributes().find(|a| a.name() == name)?;
        Some(Spanned::new(
            found.value(),
            Span::new(self.source, found.range_value()),
        ))
    }

    /// All attributes: name without prefix, value, place.
    pub fn attributes(&self) -> impl Iterator<Item = (&'a str, Spanned<&'a str>)> + use<'a> {
        let source = self.source;
        self.node.attributes().map(move |a| {
            let value = Spanned::new(a.value(), Span::new(source, a.range_value()));
            (a.name(), value)
        })
    }

    /// An attribute that must be there; reported if it is not.
    pub fn required(&self, name: &str, reporter: &mut Reporter) -> Option<Spanned<&'a str>> {
        let found = self.attribute(name);
        if found.is_none() {
            reporter.error(
                self.span(),
                format!("<{}> has no attribute `{name}`", self.name()),
            );
        }
        found
    }

    /// A number. What is written but is none is reported with `severity`, and counts as not written.
    pub fn real(&self, name: &str, severity: Severity, reporter: &mut Reporter) -> Option<Spanned<f64>> {
        self.read(name, real, "a number", severity, reporter)
    }

    /// A whole number, in the same way.
    pub fn integer(&self, name: &str, severity: Severity, reporter: &mut Reporter) -> Option<Spanned<i64>> {
        self.read(name, integer, "a whole number", severity, reporter)
    }

    /// `true`, `false`, `1` or `0`, in the same way.
    pub fn boolean(&self, name: &str, severity: Severity, reporter: &mut Reporter) -> Option<Spanned<bool>> {
        self.read(name, boolean, "`true` or `false`", severity, reporter)
    }

    fn read<T>(
        &self,
        name: &str,
        parse: impl Fn(&str) -> Option<T>,
        what: &str,
        severity: Severity,
        reporter: &mut Reporter,
    ) -> Option<Spanned<T>> {
        let written = self.attribute(name)?;
        let value = parse(written.value);
        if value.is_none() {
            let message = format!(
                "`{name}` of <{}> must be {what}, found `{}`",
                self.name(),
                written.value
            );
            reporter.report(severity, written.span, message);
        }
        value.map(|value| Spanned::new(value, written.span))
    }
}
