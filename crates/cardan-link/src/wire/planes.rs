//! Values side by side, as raw arrays. How many there are is known from the binding and not sent.

use super::malformed::Malformed;
use super::reader::Reader;
use super::writer::Writer;
use cardan_core::planes::{Extent, PlanesMut, PlanesRef};

/// Writes reals, integers, booleans and bytes, in this order.
#[inline]
pub fn write_planes(planes: PlanesRef<'_>, writer: &mut Writer<'_>) {
    writer.reals(planes.reals);
    for &integer in planes.integers {
        writer.i64(integer);
    }
    for &boolean in planes.booleans {
        writer.u8(boolean.into());
    }
    for bytes in planes.bytes {
        writer.blob(bytes);
    }
}

/// Reads as much as there is room for. Buffers of bytes are reused.
#[inline]
pub fn read_planes(reader: &mut Reader<'_>, planes: PlanesMut<'_>) -> Result<(), Malformed> {
    reader.reals(planes.reals)?;
    for integer in planes.integers {
        *integer = reader.i64("an integer")?;
    }
    for boolean in planes.booleans {
        *boolean = reader.flag("a boolean")?;
    }
    for bytes in planes.bytes {
        let sent = reader.blob("bytes")?;
        bytes.clear();
        bytes.extend_from_slice(sent);
    }
    Ok(())
}

/// The fewest bytes that planes of an extent take. Who has not that many left need not make room for them.
pub(super) fn smallest(extent: Extent) -> usize {
    8 * (extent.reals + extent.integers) + extent.booleans + 4 * extent.bytes
}
