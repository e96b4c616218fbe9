//! Bytes as plain values. No length is believed before there are bytes for it.

use super::Damage;
use crate::planes::Planes;
use crate::time::SimTime;

/// Reads values in the order in which they were written.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// From the first byte on.
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { rest: bytes }
    }

    fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], Damage> {
        let (taken, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or(Damage::CutShort { what })?;
        self.rest = rest;
        Ok(taken)
    }

    fn word(&mut self, what: &'static str) -> Result<[u8; 8], Damage> {
        let (word, rest) = self
            .rest
            .split_first_chunk::<8>()
            .ok_or(Damage::CutShort { what })?;
        self.rest = rest;
        Ok(*word)
    }

    /// A byte.
    pub fn byte(&mut self, what: &'static str) -> Result<u8, Damage> {
        self.take(1, what).map(|byte| byte[0])
    }

    /// A truth value: one or zero.
    pub fn boolean(&mut self, what: &'static str) -> Result<bool, Damage> {
        match self.byte(what)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Damage::Nonsense { what }),
        }
    }

    /// A whole number that is not negative.
    pub fn count(&mut self, what: &'static str) -> Result<u64, Damage> {
        self.word(what).map(u64::from_le_bytes)
    }

    /// A whole number.
    pub fn integer(&mut self, what: &'static str) -> Result<i64, Damage> {
        self.word(what).map(i64::from_le_bytes)
    }

    /// A real, whatever it is.
    pub fn real(&mut self, what: &'static str) -> Result<f64, Damage> {
        self.count(what).map(f64::from_bits)
    }

    /// A size, a length or an error: a finite number that is not below zero.
    pub fn size(&mut self, what: &'static str) -> Result<f64, Damage> {
        let size = self.real(what)?;
        match size.is_finite() && size >= 0.0 {
            true => Ok(size),
            false => Err(Damage::Nonsense { what }),
        }
    }

    /// An instant, which is always a number.
    pub fn time(&mut self, what: &'static str) -> Result<SimTime, Damage> {
        let seconds = self.real(what)?;
        if seconds.is_nan() {
            return Err(Damage::Nonsense { what });
        }
        Ok(SimTime::from_seconds(seconds))
    }

    /// The length of a list whose elements take at least `size` bytes each: one that cannot be true is refused before
    /// any memory is asked for.
    pub fn length(&mut self, size: usize, what: &'static str) -> Result<usize, Damage> {
        let length = usize::try_from(self.count(what)?).map_err(|_| Damage::CutShort { what })?;
        match length <= self.rest.len() / size.max(1) {
            true => Ok(length),
            false => Err(Damage::CutShort { what }),
        }
    }

    /// The length of a list that has `expected` elements here.
    pub fn exactly(&mut self, expected: usize, what: &'static str) -> Result<(), Damage> {
        let found = usize::try_from(self.count(what)?).unwrap_or(usize::MAX);
        match found == expected {
            true => Ok(()),
            false => Err(Damage::Unfit {
                what,
                expected,
                found,
            }),
        }
    }

    /// As many reals as there is room for.
    pub fn fill(&mut self, values: &mut [f64], what: &'static str) -> Result<(), Damage> {
        self.exactly(values.len(), what)?;
        for value in values {
            *value = self.real(what)?;
        }
        Ok(())
    }

    /// As many truth values as there is room for.
    pub fn fill_booleans(&mut self, values: &mut [bool], what: &'static str) -> Result<(), Damage> {
        self.exactly(values.len(), what)?;
        for value in values {
            *value = self.boolean(what)?;
        }
        Ok(())
    }

    /// A list whose elements take at least `size` bytes each.
    pub fn list<T>(
        &mut self,
        size: usize,
        what: &'static str,
        mut element: impl FnMut(&mut Self) -> Result<T, Damage>,
    ) -> Result<Vec<T>, Damage> {
        let length = self.length(size, what)?;
        (0..length).map(|_| element(self)).collect()
    }

    /// Reals.
    pub fn reals(&mut self, what: &'static str) -> Result<Vec<f64>, Damage> {
        self.list(8, what, |reader| reader.real(what))
    }

    /// Whole numbers.
    pub fn integers(&mut self, what: &'static str) -> Result<Vec<i64>, Damage> {
        self.list(8, what, |reader| reader.integer(what))
    }

    /// Truth values.
    pub fn booleans(&mut self, what: &'static str) -> Result<Vec<bool>, Damage> {
        self.list(1, what, |reader| reader.boolean(what))
    }

    /// Bytes.
    pub fn blob(&mut self, what: &'static str) -> Result<&'a [u8], Damage> {
        let length = self.length(1, what)?;
        self.take(length, what)
    }

    /// A text.
    pub fn text(&mut self, what: &'static str) -> Result<String, Damage> {
        let bytes = self.blob(what)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| Damage::Nonsense { what })
    }

    /// Values of many ports.
    pub fn planes(&mut self, what: &'static str) -> Result<Planes, Damage> {
        Ok(Planes {
            reals: self.reals(what)?,
            integers: self.integers(what)?,
            booleans: self.booleans(what)?,
            bytes: self.list(8, what, |reader| reader.blob(what).map(<[u8]>::to_vec))?,
        })
    }

    /// Values of many ports in place of others, of which there are as many.
    pub fn replace(&mut self, planes: &mut Planes, what: &'static str) -> Result<(), Damage> {
        let found = self.planes(what)?;
        let sizes = [
            (planes.reals.len(), found.reals.len()),
            (planes.integers.len(), found.integers.len()),
            (planes.booleans.len(), found.booleans.len()),
            (planes.bytes.len(), found.bytes.len()),
        ];
        if let Some((expected, found)) = sizes.into_iter().find(|(expected, found)| expected != found) {
            return Err(Damage::Unfit {
                what,
                expected,
                found,
            });
        }
        *planes = found;
        Ok(())
    }

    /// Nothing may be left over.
    pub fn end(self) -> Result<(), Damage> {
        match self.rest.len() {
            0 => Ok(()),
            count => Err(Damage::TooLong { count }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Writer;
    use super::*;

    fn planes() -> Planes {
        Planes {
            reals: vec![-0.0, f64::NAN, f64::INFINITY],
            integers: vec![i64::MIN, 7],
            booleans: vec![true, false],
            bytes: vec![b"one".to_vec(), Vec::new()],
        }
    }

    #[test]
    fn what_is_written_is_read_back_to_the_bit() {
        let mut writer = Writer::new();
        writer.time(SimTime::PAST);
        writer.planes(&planes());
        writer.text("größer");
        writer.booleans(&[true]);
        let bytes = writer.into_bytes();
        let mut reader = Reader::new(&bytes);
        assert_eq!(reader.time("t").unwrap(), SimTime::PAST);
        let read = reader.planes("p").unwrap();
        let bits = |p: &Planes| p.reals.iter().map(|r| r.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&read), bits(&planes()));
        assert_eq!(
            (read.integers, read.booleans, read.bytes),
            (planes().integers, planes().booleans, planes().bytes)
        );
        assert_eq!(reader.text("text").unwrap(), "größer");
        let mut one = [false];
        reader.fill_booleans(&mut one, "b").unwrap();
        assert_eq!(one, [true]);
        reader.end().unwrap();
    }

    #[test]
    fn no_length_is_believed_without_bytes_for_it() {
        let mut writer = Writer::new();
        writer.count(u64::MAX);
        writer.real(1.0);
        let bytes = writer.into_bytes();
        let cut_short = Err(Damage::CutShort { what: "x" });
        assert_eq!(Reader::new(&bytes).length(8, "x"), cut_short);
        assert_eq!(Reader::new(&bytes).blob("x").map(<[u8]>::len), cut_short);
        assert_eq!(
            Reader::new(&bytes)
                .list(1, "x", |r| r.byte("x"))
                .map(|list| list.len()),
            cut_short
        );
        assert!(Reader::new(&bytes).fill(&mut [0.0], "x").is_err());
        assert_eq!(Reader::new(&bytes).end(), Err(Damage::TooLong { count: 16 }));
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        let nonsense = Err(Damage::Nonsense { what: "x" });
        assert_eq!(Reader::new(&[2]).boolean("x"), nonsense);
        let nan = f64::NAN.to_bits().to_le_bytes();
        assert!(Reader::new(&nan).time("x").is_err());
        let mut writer = Writer::new();
        writer.blob(&[0xff]);
        assert!(Reader::new(&writer.into_bytes()).text("x").is_err());
    }
}
