//! The table source with its values in a file.

use super::{Component, native};
use cardan_core::interface::Parameter;
use cardan_core::participant::Settings;
use cardan_core::record::ColumnData;
use cardan_core::value::{Value, ValueType};
use cardan_describe::spec::ComponentSpec;
use cardan_describe::{Reporter, parameters};
use cardan_models::{Column, Interpolation, table_from_columns};
use std::path::Path;

/// Does the component name a file?
pub(super) fn is_meant(component: &ComponentSpec) -> bool {
    component.parameters.iter().any(|(name, _)| name.value == "file")
}

/// The parameters of a table that comes from a file.
fn own_parameters() -> [Parameter; 3] {
    [
        Parameter::new("file")
            .typed(ValueType::String)
            .described("a CSV, Parquet or MAT file: a column `time` and one for each output"),
        Parameter::new("interpolation")
            .typed(ValueType::String)
            .default(Value::string("linear"))
            .described("between the instants: \"linear\" or \"hold\""),
        Parameter::new("period")
            .unit("s")
            .default(Value::real(0.0))
            .at_least(0.0)
            .described("sampling period; 0 for a continuous output"),
    ]
}

/// A table with one output for each numeric column of the file.
pub(super) fn create(component: &ComponentSpec, folder: &Path, reporter: &mut Reporter) -> Option<Component> {
    let own = own_parameters();
    let settings = parameters(&own, component, reporter)?;
    let text = |name: &str| {
        let index = own.iter().position(|p| p.name == name)?;
        let id = cardan_core::interface::ParameterId(index as u32);
        settings.get(id).or(own[index].default.as_ref()).cloned()
    };
    let span_of = |name: &str| {
        let written = component.parameters.iter().find(|(known, _)| known.value == name);
        written.map_or(component.name.span, |(_, value)| value.span)
    };
    let file = text("file")?;
    let path = folder.join(file.as_str()?);
    let table = match cardan_record::read(&path) {
        Ok(table) => table,
        Err(error) => {
            reporter
                .error(span_of("file"), format!("the table cannot be read: {error}"))
                .advice("paths are relative to the folder of the description");
            return None;
        }
    };
    let interpolation = match text("interpolation")?.as_str() {
        Some("linear") => Interpolation::Linear,
        Some("hold") => Interpolation::Hold,
        _ => {
            reporter.error(span_of("interpolation"), "must be \"linear\" or \"hold\"");
            return None;
        }
    };
    if table.times.is_empty() {
        reporter.error(span_of("file"), format!("{} has no rows", path.display()));
        return None;
    }
    let mut columns = Vec::with_capacity(table.columns.len());
    for (column, data) in table.schema.columns.iter().zip(table.columns) {
        match numbers(data) {
            Ok(values) => columns.push(Column {
                name: column.name.replace('.', "_"),
                unit: column.unit.clone(),
                values,
            }),
            Err((row, cell)) => {
                // In a text file the first row stands below the line of names.
                let message = format!(
                    "{}: row {} of column `{}` is no number: {cell}",
                    path.display(),
                    row + 1,
                    column.name
                );
                reporter
                    .error(span_of("file"), message)
                    .advice(format!("in a CSV file that is line {}", row + 2));
                return None;
            }
        }
    }
    let period = text("period")?.as_real()?;
    match table_from_columns(table.times, columns, interpolation, period) {
        // Everything is built in: nothing is left to set at the initialisation.
        Ok(participant) => Some(Component::Made(participant, Settings::default())),
        Err(error) => {
            native::report(&error, component, reporter);
            None
        }
    }
}

/// The values of a column as finite numbers, or the first row where there is none, with what stands there.
fn numbers(data: ColumnData) -> Result<Vec<f64>, (usize, String)> {
    match data {
        ColumnData::Reals(values) => match values.iter().position(|v| !v.is_finite()) {
            Some(row) => Err((row, values[row].to_string())),
            None => Ok(values),
        },
        ColumnData::Integers(values) => Ok(values.into_iter().map(|v| v as f64).collect()),
        ColumnData::Booleans(values) => Ok(values.into_iter().map(|v| f64::from(u8::from(v))).collect()),
        ColumnData::Bytes(values) => {
            let texts: Vec<_> = values.iter().map(String::from_utf8_lossy).collect();
            match texts
                .iter()
                .position(|t| !t.trim().parse().is_ok_and(f64::is_finite))
            {
                Some(row) => Err((row, format!("`{}`", texts[row]))),
                None => Ok(texts.iter().filter_map(|t| t.trim().parse().ok()).collect()),
            }
        }
    }
}
