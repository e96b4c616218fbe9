//! One value as text, appended to a buffer that is reused.

use std::io::Write;

/// The shortest digits that read back to the same bits; `NaN`, `inf` and `-inf` for what has none.
pub(super) fn real(buffer: &mut Vec<u8>, value: f64) {
    if value.is_finite() {
        buffer.extend_from_slice(zmij::Buffer::new().format_finite(value).as_bytes());
    } else if value.is_nan() {
        buffer.extend_from_slice(b"NaN");
    } else {
        buffer.extend_from_slice(if value > 0.0 { b"inf" } else { b"-inf" });
    }
}

pub(super) fn integer(buffer: &mut Vec<u8>, value: i64) {
    // Writing into memory cannot fail.
    let _ = write!(buffer, "{value}");
}

pub(super) fn boolean(buffer: &mut Vec<u8>, value: bool) {
    buffer.extend_from_slice(if value { b"true" } else { b"false" });
}

/// Text in quotes where RFC 4180 asks for them. What is not UTF-8 is replaced, or nobody could read the file.
pub(super) fn text(buffer: &mut Vec<u8>, value: &[u8]) {
    let quoted = value.iter().any(|b| matches!(b, b',' | b'"' | b'\n' | b'\r'));
    if quoted {
        buffer.push(b'"');
    }
    for chunk in value.utf8_chunks() {
        for (index, part) in chunk.valid().split('"').enumerate() {
            if index > 0 {
                buffer.extend_from_slice(b"\"\"");
            }
            buffer.extend_from_slice(part.as_bytes());
        }
        if !chunk.invalid().is_empty() {
            buffer.extend_from_slice("\u{fffd}".as_bytes());
        }
    }
    if quoted {
        buffer.push(b'"');
    }
}

/// Two hexadecimal digits a byte.
pub(super) fn binary(buffer: &mut Vec<u8>, value: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for byte in value {
        buffer.push(DIGITS[usize::from(byte >> 4)]);
        buffer.push(DIGITS[usize::from(byte & 15)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(append: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut buffer = Vec::new();
        append(&mut buffer);
        String::from_utf8(buffer).unwrap()
    }

    #[test]
    fn reals_are_short_and_keep_their_sign() {
        let cases = [
            (0.1, "0.1"),
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (1e300, "1e+300"),
            (f64::NAN, "NaN"),
            (-f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (value, text) in cases {
            assert_eq!(shown(|b| real(b, value)), text);
        }
    }

    #[test]
    fn text_is_quoted_only_when_it_must_be() {
        assert_eq!(shown(|b| text(b, "plain text".as_bytes())), "plain text");
        assert_eq!(shown(|b| text(b, b"a,b")), "\"a,b\"");
        assert_eq!(shown(|b| text(b, b"say \"hi\"")), "\"say \"\"hi\"\"\"");
        assert_eq!(shown(|b| text(b, b"two\nlines")), "\"two\nlines\"");
        assert_eq!(shown(|b| text(b, b"not \xff text")), "not \u{fffd} text");
    }

    #[test]
    fn binaries_are_hexadecimal() {
        assert_eq!(shown(|b| binary(b, &[0, 0xa7, 0xff])), "00a7ff");
    }
}
