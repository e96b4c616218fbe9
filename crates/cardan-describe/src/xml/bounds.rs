//! Bounds on the shape of a document, found in one quick pass before the parser sees it.
//!
//! The parser compares each attribute with those before it in its element, and whoever walks through a tree does it by
//! recursion: neither must be left to the author of a hostile file.

/// Elements inside elements.
const MAX_DEPTH: usize = 200;
/// In one element.
const MAX_ATTRIBUTES: usize = 1000;

/// Where a document goes beyond a bound, and which.
pub(super) fn exceeded(text: &str) -> Option<(usize, String)> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0usize);
    while let Some(next) = find(bytes, at, b"<") {
        at = match bytes.get(next + 1) {
            Some(b'!') if bytes[next..].starts_with(b"<!--") => after(bytes, next + 4, b"-->")?,
            Some(b'!') if bytes[next..].starts_with(b"<![CDATA[") => after(bytes, next, b"]]>")?,
            Some(b'?') => after(bytes, next, b"?>")?,
            Some(b'/') => {
                depth = depth.saturating_sub(1);
                after(bytes, next, b">")?
            }
            _ => {
                let tag = tag(bytes, next + 1)?;
                if tag.attributes > MAX_ATTRIBUTES {
                    return Some((
                        next,
                        format!("an element has more than {MAX_ATTRIBUTES} attributes"),
                    ));
                }
                depth += usize::from(!tag.is_closed);
                if depth > MAX_DEPTH {
                    return Some((next, format!("elements are nested more than {MAX_DEPTH} deep")));
                }
                tag.end
            }
        };
    }
    None
}

struct Tag {
    end: usize,
    attributes: usize,
    is_closed: bool,
}

/// From behind `<` to behind `>`; quotes may hide a `>`.
fn tag(bytes: &[u8], start: usize) -> Option<Tag> {
    let (mut at, mut attributes) = (start, 0);
    loop {
        match bytes.get(at)? {
            b'>' => {
                return Some(Tag {
                    end: at + 1,
                    attributes,
                    is_closed: bytes.get(at - 1) == Some(&b'/') || bytes.get(start) == Some(&b'!'),
                });
            }
            quote @ (b'"' | b'\'') => {
                attributes += 1;
                at = find(bytes, at + 1, &[*quote])? + 1;
            }
            _ => at += 1,
        }
    }
}

fn after(bytes: &[u8], from: usize, end: &[u8]) -> Option<usize> {
    find(bytes, from, end).map(|at| at + end.len())
}

fn find(bytes: &[u8], from: usize, wanted: &[u8]) -> Option<usize> {
    let (first, rest) = (bytes.get(from..)?, *wanted.first()?);
    let mut offset = 0;
    loop {
        offset += first[offset..].iter().position(|byte| *byte == rest)?;
        if first[offset..].starts_with(wanted) {
            return Some(from + offset);
        }
        offset += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_documents_pass() {
        let text = "<?xml version='1.0'?><!DOCTYPE a><!-- <b><b> --><a x='>' y=\"<\"><b/><![CDATA[<c>]]></a>";
        assert_eq!(exceeded(text), None);
        assert_eq!(exceeded(&"<a/>".repeat(10_000)), None);
        assert_eq!(exceeded("<a"), None);
    }

    #[test]
    fn depth_and_attributes_are_bounded() {
        assert!(exceeded(&"<a>".repeat(1000)).is_some());
        let attributes: String = (0..2000).map(|i| format!(" a{i}='1'")).collect();
        assert!(exceeded(&format!("<a{attributes}/>")).is_some());
    }
}
