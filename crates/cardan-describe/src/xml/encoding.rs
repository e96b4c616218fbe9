//! Which characters the bytes of a file stand for.

/// The text of an XML file: UTF-8, UTF-16 with a byte order mark, or Latin-1 where the file says so. Bytes that do not
/// fit become replacement characters; then the answer says in which line the first one was.
pub fn decode(bytes: &[u8]) -> (String, Option<usize>) {
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf8(rest),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        _ if is_declared_latin(bytes) => (bytes.iter().map(|&byte| latin(byte)).collect(), None),
        _ => utf8(bytes),
    }
}

fn utf8(bytes: &[u8]) -> (String, Option<usize>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), None),
        Err(error) => {
            let before = bytes.iter().take(error.valid_up_to());
            let line = before.filter(|byte| **byte == b'\n').count() + 1;
            (String::from_utf8_lossy(bytes).into_owned(), Some(line))
        }
    }
}

fn utf16(bytes: &[u8], join: impl Fn([u8; 2]) -> u16) -> (String, Option<usize>) {
    let units = bytes.chunks_exact(2).map(|pair| join([pair[0], pair[1]]));
    let (mut text, mut line, mut broken) = (String::with_capacity(bytes.len() / 2), 1, None);
    for unit in char::decode_utf16(units) {
        let character = unit.unwrap_or_else(|_| {
            broken.get_or_insert(line);
            char::REPLACEMENT_CHARACTER
        });
        line += usize::from(character == '\n');
        text.push(character);
    }
    (text, broken)
}

/// Does the declaration at the beginning name one of the one-byte encodings of the West?
fn is_declared_latin(bytes: &[u8]) -> bool {
    let head = bytes.get(..200).unwrap_or(bytes).to_ascii_lowercase();
    let Some(end) = head.windows(2).position(|w| w == b"?>") else {
        return false;
    };
    let declaration = String::from_utf8_lossy(&head[..end]).into_owned();
    ["iso-8859-1", "latin1", "latin-1", "windows-1252", "cp1252"]
        .iter()
        .any(|name| declaration.contains(name))
}

/// The characters of Windows-1252, which is Latin-1 but for the range that Latin-1 leaves to control codes.
fn latin(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9F => HIGH[usize::from(byte - 0x80)],
        other => char::from(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_told_apart() {
        assert_eq!(decode("µ".as_bytes()), ("µ".to_owned(), None));
        let latin = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a u=\"\xB5\"/>";
        assert!(decode(latin).0.contains("µ"));
        assert_eq!(decode(b"\xFF\xFE<\0a\0/\0>\0").0, "<a/>");
        assert_eq!(decode(b"\xFE\xFF\0<\0a").0, "<a");
        let (text, line) = decode(b"a\nb\xFF");
        assert_eq!((text.as_str(), line), ("a\nb\u{FFFD}", Some(2)));
    }
}
