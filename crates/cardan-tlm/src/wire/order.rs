//! The order of bytes in a message.

/// Which byte of a number comes first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ByteOrder {
    /// The lowest.
    Little,
    /// The highest.
    Big,
}

impl ByteOrder {
    /// That of this machine.
    pub const NATIVE: ByteOrder = if cfg!(target_endian = "big") {
        ByteOrder::Big
    } else {
        ByteOrder::Little
    };

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            ByteOrder::Little => ByteOrder::Big,
            ByteOrder::Big => ByteOrder::Little,
        }
    }

    /// A whole number out of its bytes.
    pub fn i32(self, bytes: [u8; 4]) -> i32 {
        match self {
            ByteOrder::Little => i32::from_le_bytes(bytes),
            ByteOrder::Big => i32::from_be_bytes(bytes),
        }
    }

    /// The bytes of a whole number.
    pub fn i32_bytes(self, value: i32) -> [u8; 4] {
        match self {
            ByteOrder::Little => value.to_le_bytes(),
            ByteOrder::Big => value.to_be_bytes(),
        }
    }

    /// A number out of its bytes.
    pub fn f64(self, bytes: [u8; 8]) -> f64 {
        match self {
            ByteOrder::Little => f64::from_le_bytes(bytes),
            ByteOrder::Big => f64::from_be_bytes(bytes),
        }
    }

    /// The bytes of a number.
    pub fn f64_bytes(self, value: f64) -> [u8; 8] {
        match self {
            ByteOrder::Little => value.to_le_bytes(),
            ByteOrder::Big => value.to_be_bytes(),
        }
    }

    /// Numbers out of their bytes, one after the other; what is left over at the end does not count.
    pub fn f64s(self, bytes: &[u8]) -> impl Iterator<Item = f64> + '_ {
        let (numbers, _) = bytes.as_chunks::<8>();
        numbers.iter().map(move |bytes| self.f64(*bytes))
    }
}
