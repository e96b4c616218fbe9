//! Takes a payload apart.

use super::malformed::Malformed;
use cardan_core::time::SimTime;

/// What is left of a payload.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// At the beginning of a payload.
    pub fn new(payload: &'a [u8]) -> Self {
        Reader { rest: payload }
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The next `count` bytes.
    #[inline]
    pub fn bytes(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Malformed::CutOff(what))?;
        self.rest = rest;
        Ok(taken)
    }

    #[inline]
    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], Malformed> {
        let (taken, rest) = self
            .rest
            .split_first_chunk::<N>()
            .ok_or(Malformed::CutOff(what))?;
        self.rest = rest;
        Ok(*taken)
    }

    /// A fixed number of bytes.
    pub fn block<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], Malformed> {
        self.array(what)
    }

    /// One byte.
    pub fn u8(&mut self, what: &'static str) -> Result<u8, Malformed> {
        self.array::<1>(what).map(|[byte]| byte)
    }

    /// Two bytes.
    pub fn u16(&mut self, what: &'static str) -> Result<u16, Malformed> {
        self.array(what).map(u16::from_le_bytes)
    }

    /// Four bytes.
    pub fn u32(&mut self, what: &'static str) -> Result<u32, Malformed> {
        self.array(what).map(u32::from_le_bytes)
    }

    /// Four bytes with a sign.
    pub fn i32(&mut self, what: &'static str) -> Result<i32, Malformed> {
        self.array(what).map(i32::from_le_bytes)
    }

    /// Eight bytes.
    pub fn u64(&mut self, what: &'static str) -> Result<u64, Malformed> {
        self.array(what).map(u64::from_le_bytes)
    }

    /// Eight bytes with a sign.
    pub fn i64(&mut self, what: &'static str) -> Result<i64, Malformed> {
        self.array(what).map(i64::from_le_bytes)
    }

    /// A real.
    #[inline]
    pub fn f64(&mut self, what: &'static str) -> Result<f64, Malformed> {
        self.array(what).map(f64::from_le_bytes)
    }

    /// An instant.
    #[inline]
    pub fn time(&mut self) -> Result<SimTime, Malformed> {
        let seconds = self.f64("a time")?;
        if seconds.is_nan() {
            return Err(Malformed::Time);
        }
        Ok(SimTime::from_seconds(seconds))
    }

    /// As many reals as `into` has room for.
    #[inline]
    pub fn reals(&mut self, into: &mut [f64]) -> Result<(), Malformed> {
        let bytes = self.bytes(8 * into.len(), "a list of reals")?;
        for (real, chunk) in into.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *real = f64::from_le_bytes(*chunk);
        }
        Ok(())
    }

    /// True or false.
    pub fn flag(&mut self, what: &'static str) -> Result<bool, Malformed> {
        match self.u8(what)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(Malformed::Unknown {
                what: "truth value",
                number: other.into(),
            }),
        }
    }

    /// How many items of at least `smallest` bytes follow. A count that the rest of the payload cannot hold is refused
    /// here, so that what is allocated for it stays in proportion to what was sent.
    pub fn count(&mut self, smallest: usize, what: &'static str) -> Result<usize, Malformed> {
        let found = self.u32(what)?;
        let most = self.rest.len() / smallest.max(1);
        match usize::try_from(found) {
            Ok(count) if count <= most => Ok(count),
            _ => Err(Malformed::TooMuch {
                what,
                found: found.into(),
                most: most as u64,
            }),
        }
    }

    /// Bytes with their length before them.
    pub fn blob(&mut self, what: &'static str) -> Result<&'a [u8], Malformed> {
        let length = self.count(1, what)?;
        self.bytes(length, what)
    }

    /// A text with its length before it.
    pub fn text(&mut self, what: &'static str) -> Result<&'a str, Malformed> {
        std::str::from_utf8(self.blob(what)?).map_err(|_| Malformed::Text)
    }

    /// Something that may be missing.
    pub fn optional<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Malformed>,
    ) -> Result<Option<T>, Malformed> {
        if self.flag("the mark of something optional")? {
            read(self).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Nothing may be left.
    #[inline]
    pub fn finish(self) -> Result<(), Malformed> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(Malformed::LeftOver(self.rest.len()))
        }
    }
}
