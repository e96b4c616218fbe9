//! Saved states of built-in models as bytes.

use cardan_core::checkpoint::{Damage, Reader, Writer};
use cardan_core::shell::Layout;
use cardan_core::value::Value;

pub(super) const LAYOUT: Layout = Layout {
    mark: *b"cardan\0\x03",
    of: "a built-in model",
};

const WHAT: &str = "values of parameters";

pub(super) fn write_values(writer: &mut Writer, values: &[Value]) {
    writer.length(values.len());
    for value in values {
        match value {
            Value::Reals(reals) => {
                writer.byte(0);
                writer.reals(reals);
            }
            Value::Integers(integers) => {
                writer.byte(1);
                writer.integers(integers);
            }
            Value::Booleans(booleans) => {
                writer.byte(2);
                writer.booleans(booleans);
            }
            Value::Strings(texts) => {
                writer.byte(3);
                writer.length(texts.len());
                texts.iter().for_each(|text| writer.text(text));
            }
            Value::Binaries(blobs) => {
                writer.byte(4);
                writer.length(blobs.len());
                blobs.iter().for_each(|blob| writer.blob(blob));
            }
        }
    }
}

pub(super) fn read_values(reader: &mut Reader<'_>) -> Result<Vec<Value>, Damage> {
    reader.list(9, WHAT, |reader| match reader.byte(WHAT)? {
        0 => reader.reals(WHAT).map(Value::Reals),
        1 => reader.integers(WHAT).map(Value::Integers),
        2 => reader.booleans(WHAT).map(Value::Booleans),
        3 => reader.list(8, WHAT, |r| r.text(WHAT)).map(Value::Strings),
        4 => {
            let blobs = reader.list(8, WHAT, |r| r.blob(WHAT).map(<[u8]>::to_vec));
            blobs.map(Value::Binaries)
        }
        _ => Err(Damage::Nonsense { what: WHAT }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let values = [
            Value::Reals(vec![1.0, -0.0]),
            Value::Integers(vec![i64::MIN]),
            Value::Booleans(vec![true, false]),
            Value::Strings(vec!["linear".to_owned(), String::new()]),
            Value::Binaries(vec![vec![0, 255]]),
        ];
        let mut writer = Writer::new();
        writer.text("mass");
        write_values(&mut writer, &values);
        writer.reals(&[0.1, f64::INFINITY]);
        let bytes = writer.into_bytes();
        let mut reader = Reader::new(&bytes);
        assert_eq!(reader.text("name").unwrap(), "mass");
        assert_eq!(read_values(&mut reader).unwrap(), values);
        assert_eq!(reader.reals("x").unwrap(), [0.1, f64::INFINITY]);
        reader.end().unwrap();
    }
}
