//! A saved state as bytes: little-endian, each list after its length.

use cardan_core::participant::{Failure, Outcome};
use cardan_core::value::Value;

/// What a saved state begins with: a name and, as its last byte, the version of the layout.
const MARK: &[u8; 8] = b"cardan\0\x03";

pub(super) struct Writer<'a>(&'a mut Vec<u8>);

impl<'a> Writer<'a> {
    pub(super) fn begin(bytes: &'a mut Vec<u8>) -> Self {
        bytes.extend_from_slice(MARK);
        Writer(bytes)
    }

    pub(super) fn real(&mut self, value: f64) {
        self.0.extend_from_slice(&value.to_bits().to_le_bytes());
    }

    pub(super) fn reals(&mut self, values: &[f64]) {
        self.length(values.len());
        values.iter().for_each(|&value| self.real(value));
    }

    pub(super) fn integers(&mut self, values: &[i64]) {
        self.length(values.len());
        values
            .iter()
            .for_each(|value| self.0.extend_from_slice(&value.to_le_bytes()));
    }

    pub(super) fn flags(&mut self, flags: &[bool]) {
        self.length(flags.len());
        self.0.extend(flags.iter().map(|flag| u8::from(*flag)));
    }

    pub(super) fn text(&mut self, text: &str) {
        self.blob(text.as_bytes());
    }

    pub(super) fn values(&mut self, values: &[Value]) {
        self.length(values.len());
        for value in values {
            match value {
                Value::Reals(reals) => {
                    self.0.push(0);
                    self.reals(reals);
                }
                Value::Integers(integers) => {
                    self.0.push(1);
                    self.integers(integers);
                }
                Value::Booleans(booleans) => {
                    self.0.push(2);
                    self.length(booleans.len());
                    self.0.extend(booleans.iter().map(|&b| u8::from(b)));
                }
                Value::Strings(texts) => {
                    self.0.push(3);
                    self.length(texts.len());
                    texts.iter().for_each(|text| self.text(text));
                }
                Value::Binaries(blobs) => {
                    self.0.push(4);
                    self.length(blobs.len());
                    blobs.iter().for_each(|blob| self.blob(blob));
                }
            }
        }
    }

    fn blob(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    fn length(&mut self, length: usize) {
        self.0.extend_from_slice(&(length as u64).to_le_bytes());
    }
}

pub(super) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn begin(bytes: &'a [u8]) -> Outcome<Self> {
        let Some((head, rest)) = bytes.split_first_chunk::<8>() else {
            return Err(cut_short());
        };
        if head[..7] != MARK[..7] {
            return Err(Failure::failed(
                "the bytes are not the saved state of a built-in model",
            ));
        }
        if head[7] != MARK[7] {
            return Err(Failure::failed(format!(
                "the saved state has layout version {}, this release reads version {}",
                head[7], MARK[7]
            ))
            .advise("resume with the release that saved it"));
        }
        Ok(Reader(rest))
    }

    pub(super) fn real(&mut self) -> Outcome<f64> {
        Ok(f64::from_bits(u64::from_le_bytes(self.chunk()?)))
    }

    pub(super) fn reals(&mut self) -> Outcome<Vec<f64>> {
        self.list(8, Self::real)
    }

    pub(super) fn integers(&mut self) -> Outcome<Vec<i64>> {
        self.list(8, |reader| Ok(i64::from_le_bytes(reader.chunk()?)))
    }

    pub(super) fn flags(&mut self) -> Outcome<Vec<bool>> {
        self.list(1, |reader| Ok(reader.chunk::<1>()? != [0]))
    }

    pub(super) fn text(&mut self) -> Outcome<String> {
        String::from_utf8(self.blob()?).map_err(|_| Failure::failed("a text in the saved state is not UTF-8"))
    }

    pub(super) fn values(&mut self) -> Outcome<Vec<Value>> {
        self.list(9, |reader| {
            let [kind] = reader.chunk()?;
            match kind {
                0 => reader.reals().map(Value::Reals),
                1 => reader.integers().map(Value::Integers),
                2 => reader.list(1, |r| Ok(r.chunk()? != [0])).map(Value::Booleans),
                3 => reader.list(8, Self::text).map(Value::Strings),
                4 => reader.list(8, Self::blob).map(Value::Binaries),
                other => Err(Failure::failed(format!(
                    "the saved state has a value of unknown kind {other}"
                ))),
            }
        })
    }

    /// Nothing may be left over.
    pub(super) fn end(self) -> Outcome<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        Err(Failure::failed(format!(
            "the saved state has {} bytes too many",
            self.0.len()
        )))
    }

    fn blob(&mut self) -> Outcome<Vec<u8>> {
        self.list(1, |reader| reader.chunk().map(|[byte]| byte))
    }

    /// A list whose elements take at least `size` bytes each: a length that cannot be true is refused before any
    /// memory is asked for.
    fn list<T>(&mut self, size: usize, mut element: impl FnMut(&mut Self) -> Outcome<T>) -> Outcome<Vec<T>> {
        let length = u64::from_le_bytes(self.chunk()?);
        if length > (self.0.len() / size) as u64 {
            return Err(cut_short());
        }
        (0..length).map(|_| element(self)).collect()
    }

    fn chunk<const N: usize>(&mut self) -> Outcome<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk::<N>().ok_or_else(cut_short)?;
        self.0 = rest;
        Ok(*head)
    }
}

fn cut_short() -> Failure {
    Failure::failed("the saved state is cut short")
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
        let mut bytes = Vec::new();
        let mut writer = Writer::begin(&mut bytes);
        writer.text("mass");
        writer.values(&values);
        writer.reals(&[0.1, f64::INFINITY]);
        let mut reader = Reader::begin(&bytes).unwrap();
        assert_eq!(reader.text().unwrap(), "mass");
        assert_eq!(reader.values().unwrap(), values);
        assert_eq!(reader.reals().unwrap(), [0.1, f64::INFINITY]);
        reader.end().unwrap();
    }

    #[test]
    fn damage_is_noticed() {
        let mut bytes = Vec::new();
        Writer::begin(&mut bytes).reals(&[1.0, 2.0]);
        assert!(Reader::begin(&bytes[..5]).is_err());
        assert!(Reader::begin(&bytes[..20]).unwrap().reals().is_err());
        assert!(Reader::begin(&bytes).unwrap().end().is_err());
        let mut foreign = bytes.clone();
        foreign[0] = b'x';
        assert!(Reader::begin(&foreign).is_err());
        let mut newer = bytes.clone();
        newer[7] = 9;
        assert!(Reader::begin(&newer).is_err());
        let mut boundless = bytes;
        boundless[8..16].fill(0xff);
        assert!(Reader::begin(&boundless).unwrap().reals().is_err());
    }
}
