//! Which format a path asks for, and the writer and reader behind it.

use crate::csv::{self, CsvWriter};
use crate::error::ReadError;
use crate::mat::{self, MatWriter};
#[cfg(feature = "parquet")]
use crate::parquet::{self, ParquetWriter};
use crate::summary::Summary;
use crate::table::Table;
use cardan_core::record::{Block, RecordError, Recorder, Schema};
use std::path::Path;

/// The formats of result files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Text with commas, `.csv`.
    Csv,
    /// Apache Parquet, `.parquet`.
    #[cfg(feature = "parquet")]
    Parquet,
    /// MATLAB level 4, `.mat`.
    Mat,
}

impl Format {
    /// The formats of this build.
    pub const ALL: &[Format] = &[
        Format::Csv,
        #[cfg(feature = "parquet")]
        Format::Parquet,
        Format::Mat,
    ];

    /// The extension without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            #[cfg(feature = "parquet")]
            Format::Parquet => "parquet",
            Format::Mat => "mat",
        }
    }

    /// The format that the extension of `path` stands for, in capitals or not.
    pub fn of(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?;
        Format::ALL
            .iter()
            .copied()
            .find(|f| f.extension().eq_ignore_ascii_case(extension))
    }
}

/// Why the extension of `path` says nothing to us, with the ones that would.
fn unknown_extension(path: &Path) -> String {
    let known: Vec<String> = Format::ALL
        .iter()
        .map(|f| format!(".{}", f.extension()))
        .collect();
    let found = match path.extension() {
        Some(extension) => format!("the extension `.{}` is not a result format", extension.display()),
        None => "it has no extension to tell the format".into(),
    };
    format!("{found}; known are {}", known.join(", "))
}

/// A writer of any format.
#[derive(Debug)]
pub enum ResultFile {
    /// Writes CSV.
    Csv(CsvWriter),
    /// Writes Parquet.
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetWriter>),
    /// Writes MAT v4.
    Mat(MatWriter),
}

impl ResultFile {
    /// What the format could not keep, one sentence each; known once the file has begun.
    pub fn notes(&self) -> &[String] {
        match self {
            ResultFile::Mat(writer) => writer.notes(),
            _ => &[],
        }
    }

    fn recorder(&mut self) -> &mut dyn Recorder {
        match self {
            ResultFile::Csv(writer) => writer,
            #[cfg(feature = "parquet")]
            ResultFile::Parquet(writer) => writer.as_mut(),
            ResultFile::Mat(writer) => writer,
        }
    }
}

impl Recorder for ResultFile {
    fn begin(&mut self, schema: &Schema) -> Result<(), RecordError> {
        self.recorder().begin(schema)
    }

    fn write(&mut self, block: &Block) -> Result<(), RecordError> {
        self.recorder().write(block)
    }

    fn secure(&mut self) -> Result<(), RecordError> {
        self.recorder().secure()
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        self.recorder().finish()
    }
}

/// A writer for `path`, by its extension. Nothing is touched before [`Recorder::begin`].
pub fn create(path: &Path) -> Result<ResultFile, RecordError> {
    match Format::of(path) {
        Some(Format::Csv) => Ok(ResultFile::Csv(CsvWriter::new(path))),
        #[cfg(feature = "parquet")]
        Some(Format::Parquet) => Ok(ResultFile::Parquet(Box::new(ParquetWriter::new(path)))),
        Some(Format::Mat) => Ok(ResultFile::Mat(MatWriter::new(path))),
        None => Err(RecordError::new(format!(
            "cannot write `{}`: {}",
            path.display(),
            unknown_extension(path)
        ))),
    }
}

/// Reads a result, by the extension of its path.
pub fn read(path: &Path) -> Result<Table, ReadError> {
    match Format::of(path) {
        Some(Format::Csv) => csv::read(path),
        #[cfg(feature = "parquet")]
        Some(Format::Parquet) => parquet::read(path),
        Some(Format::Mat) => mat::read(path),
        None => Err(ReadError::new(path, unknown_extension(path))),
    }
}

/// Reads a table of which the reader knows better than the file what its cells are: those of CSV stay text, so that
/// nothing is lost on the way to a type.
pub fn read_as_written(path: &Path) -> Result<Table, ReadError> {
    match Format::of(path) {
        Some(Format::Csv) => csv::read_text(path),
        _ => read(path),
    }
}

/// Reads a result and says what is in it.
pub fn describe(path: &Path) -> Result<Summary, ReadError> {
    Ok(read(path)?.summary())
}
