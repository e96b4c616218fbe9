//! Prefixes that a tool uses without declaring them. They say nothing, so they are taken out; every other byte stays
//! where it is, and with it every place.

use std::borrow::Cow;

/// More different ones are no slip of a tool.
const MAX_PREFIXES: usize = 8;

/// The text without prefixes that the parser does not know.
pub(super) fn taken_out(text: &str, mistake: impl Fn(&str) -> Option<roxmltree::Error>) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for _ in 0..MAX_PREFIXES {
        let Some(roxmltree::Error::UnknownNamespace(prefix, _)) = mistake(&text) else {
            break;
        };
        text = Cow::Owned(without(&text, &prefix));
    }
    text
}

/// The text with the prefix taken out of all names in tags: `<a:b c:d="">` becomes `<b     d="">`.
fn without(text: &str, prefix: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(open) = rest.find('<') {
        out.push_str(&rest[..open]);
        rest = &rest[open..];
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")];
        let skipped = skipped.into_iter().find(|(start, _)| rest.starts_with(start));
        let end = match skipped {
            Some((start, end)) => rest[start.len()..]
                .find(end)
                .map(|at| start.len() + at + end.len()),
            None => Some(tag_end(rest)),
        };
        let (tag, after) = rest.split_at(end.unwrap_or(rest.len()));
        match skipped {
            Some(_) => out.push_str(tag),
            None => out.push_str(&plain(tag, prefix)),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Behind the `>` of the tag that begins the text; quotes may hide others.
fn tag_end(text: &str) -> usize {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return at + 1,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    text.len()
}

fn plain(tag: &str, prefix: &str) -> String {
    let start = if tag.starts_with("</") { 2 } else { 1 };
    let (bracket, body) = tag.split_at(start.min(tag.len()));
    let marked = format!("{prefix}:");
    let gap = " ".repeat(marked.len());
    let mut out = bracket.to_owned();
    let mut body = body;
    if let Some(named) = body.strip_prefix(&marked) {
        // A tag begins with its name, so the gap goes behind it.
        let end = named.find(|c: char| c.is_whitespace() || c == '/' || c == '>');
        let (name, after) = named.split_at(end.unwrap_or(named.len()));
        out.push_str(name);
        out.push_str(&gap);
        body = after;
    }
    let mut quote = None;
    let mut before = ' ';
    while let Some(c) = body.chars().next() {
        if quote.is_none() && before.is_whitespace() && body.starts_with(&marked) {
            out.push_str(&gap);
            body = &body[marked.len()..];
            before = 'x';
            continue;
        }
        match quote {
            None if c == '"' || c == '\'' => quote = Some(c),
            Some(open) if open == c => quote = None,
            _ => {}
        }
        out.push(c);
        before = c;
        body = &body[c.len_utf8()..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undeclared_prefixes_go_and_places_stay() {
        let text = "<a x:y='x:z > '><x:b/>x:c<!-- <x:d> --></a>";
        let plain = without(text, "x");
        assert_eq!(plain, "<a   y='x:z > '><b  />x:c<!-- <x:d> --></a>");
        assert_eq!(plain.len(), text.len());
        assert_eq!(without("<x:a></x:a>", "x"), "<a  ></a  >");
    }
}
