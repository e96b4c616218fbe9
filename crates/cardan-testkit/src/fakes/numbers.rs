//! Saved states as bytes.

use cardan_core::participant::{Failure, Outcome};

/// Reads `N` numbers that were written one after the other as little-endian bytes.
pub(super) fn numbers<const N: usize>(bytes: &[u8]) -> Outcome<[f64; N]> {
    if bytes.len() != 8 * N {
        let message = format!("A saved state has {} bytes, found {}.", 8 * N, bytes.len());
        return Err(Failure::failed(message));
    }
    let mut numbers = [0.0; N];
    for (number, chunk) in numbers.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *number = f64::from_le_bytes(*chunk);
    }
    Ok(numbers)
}
