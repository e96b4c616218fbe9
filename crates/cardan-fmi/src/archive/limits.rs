//! How much an archive may hold.

/// How much an archive may hold, counted while it is unpacked: what it says of itself is not trusted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// Bytes of all files together.
    pub total: u64,
    /// Files and folders.
    pub entries: usize,
    /// Bytes unpacked per byte of the archive.
    pub ratio: u64,
    /// The ratio counts from so many unpacked bytes on: a small file of zeros is harmless.
    pub ratio_from: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            total: 8 << 30,
            entries: 100_000,
            ratio: 1000,
            ratio_from: 64 << 20,
        }
    }
}
