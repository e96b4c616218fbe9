//! Parquet: small, typed and quick to read in parts, with units and settings kept.

mod reader;
mod writer;

pub(crate) use reader::read;
pub use writer::ParquetWriter;

/// Keys of the metadata of a field.
const UNIT: &str = "unit";
const DESCRIPTION: &str = "description";
/// The type of the value where the storage does not tell it.
const TYPE: &str = "cardan.type";

/// Keys of the metadata of the file.
const SYSTEM: &str = "cardan.system";
/// A setting's name follows.
const SETTING: &str = "cardan.setting.";
