//! Result files of Cardan: writing them while a run goes on, reading them back, comparing and plotting them.
//!
//! Three formats, chosen by the extension of the path: `.csv` (every digit, opens everywhere), `.parquet` (small,
//! typed, with units) and `.mat` (MATLAB level 4). A writer works on a temporary file beside its target and puts it in
//! place when it is finished, so an older result is replaced whole or not at all.
//!
//! ```
//! use cardan_core::record::{Block, Column, ColumnData, Recorder, Schema};
//! use cardan_core::value::ValueType;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("result.csv");
//! let schema = Schema {
//!     columns: vec![Column {
//!         name: "wheel.velocity".into(),
//!         value_type: ValueType::Real,
//!         unit: Some("m/s".into()),
//!         description: String::new(),
//!     }],
//!     ..Schema::default()
//! };
//! let mut file = cardan_record::create(&path)?;
//! file.begin(&schema)?;
//! file.write(&Block { times: vec![0.0, 0.1], columns: vec![ColumnData::Reals(vec![1.0, 0.5])] })?;
//! file.finish()?;
//!
//! let table = cardan_record::read(&path)?;
//! assert_eq!(table.times, [0.0, 0.1]);
//! assert!(cardan_record::compare(&table, &table, 0.0, 0.0).agrees());
//! # Ok(())
//! # }
//! ```

mod block;
mod comparison;
mod csv;
mod earlier;
mod error;
mod format;
mod mat;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "plot")]
pub mod plot;
pub mod scene;
mod summary;
mod table;
mod target;

pub use comparison::{Comparison, Difference, Grid, compare};
pub use csv::CsvWriter;
pub use earlier::read_earlier;
pub use error::ReadError;
pub use format::{Format, ResultFile, create, describe, read, read_as_written};
pub use mat::MatWriter;
#[cfg(feature = "parquet")]
pub use parquet::ParquetWriter;
pub use summary::{ColumnSummary, Summary};
pub use table::Table;
