//! What a result contains, at a glance.

use crate::table::{Table, numbers};
use cardan_core::record::{Column, ColumnData};
use cardan_core::value::{Value, ValueType};

/// What a result contains.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// The name of the system, empty where the format does not keep it.
    pub system: String,
    /// Number of rows.
    pub rows: usize,
    /// First and last time, if there is a row.
    pub span: Option<(f64, f64)>,
    /// The columns after time, in order.
    pub columns: Vec<ColumnSummary>,
}

/// One column of a result.
#[derive(Clone, PartialEq, Debug)]
pub struct ColumnSummary {
    /// Name, type, unit and description.
    pub column: Column,
    /// The smallest number (booleans count as 0 and 1); nothing for text, or if there is no number.
    pub min: Option<f64>,
    /// The largest number.
    pub max: Option<f64>,
    /// The value in the first row.
    pub first: Option<Value>,
    /// The value in the last row.
    pub last: Option<Value>,
    /// How many values are NaN.
    pub not_numbers: usize,
}

impl Summary {
    pub(crate) fn of(table: &Table) -> Self {
        Summary {
            system: table.schema.system.clone(),
            rows: table.rows(),
            span: table.span(),
            columns: table
                .schema
                .columns
                .iter()
                .zip(&table.columns)
                .map(|(column, data)| ColumnSummary::of(column, data))
                .collect(),
        }
    }
}

impl ColumnSummary {
    fn of(column: &Column, data: &ColumnData) -> Self {
        let numbers = numbers(data).unwrap_or_default();
        let known = || numbers.iter().copied().filter(|v| !v.is_nan());
        ColumnSummary {
            column: column.clone(),
            min: known().reduce(f64::min),
            max: known().reduce(f64::max),
            first: value(column.value_type, data, 0),
            last: data
                .len()
                .checked_sub(1)
                .and_then(|row| value(column.value_type, data, row)),
            not_numbers: numbers.iter().filter(|v| v.is_nan()).count(),
        }
    }
}

fn value(value_type: ValueType, data: &ColumnData, row: usize) -> Option<Value> {
    match data {
        ColumnData::Reals(values) => values.get(row).map(|&v| Value::real(v)),
        ColumnData::Integers(values) => values.get(row).map(|&v| Value::integer(v)),
        ColumnData::Booleans(values) => values.get(row).map(|&v| Value::boolean(v)),
        ColumnData::Bytes(values) if row >= values.len() => None,
        ColumnData::Bytes(values) if value_type == ValueType::Binary => {
            Some(Value::Binaries(vec![values.get(row).to_vec()]))
        }
        ColumnData::Bytes(values) => Some(Value::string(String::from_utf8_lossy(values.get(row)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cardan_core::record::Schema;

    fn column(name: &str, value_type: ValueType) -> Column {
        Column {
            name: name.into(),
            value_type,
            unit: None,
            description: String::new(),
        }
    }

    #[test]
    fn ranges_leave_nan_out_and_count_it() {
        let table = Table {
            schema: Schema {
                columns: vec![column("x", ValueType::Real), column("on", ValueType::Boolean)],
                ..Schema::default()
            },
            times: vec![0.0, 1.0, 2.0],
            columns: vec![
                ColumnData::Reals(vec![2.0, f64::NAN, -1.0]),
                ColumnData::Booleans(vec![true, true, false]),
            ],
        };
        let summary = table.summary();
        assert_eq!((summary.rows, summary.span), (3, Some((0.0, 2.0))));
        let [x, on] = summary.columns.as_slice() else {
            panic!("two columns")
        };
        assert_eq!((x.min, x.max, x.not_numbers), (Some(-1.0), Some(2.0), 1));
        assert_eq!(
            (x.first.clone(), x.last.clone()),
            (Some(Value::real(2.0)), Some(Value::real(-1.0)))
        );
        assert_eq!(
            (on.min, on.max, on.last.clone()),
            (Some(0.0), Some(1.0), Some(Value::boolean(false)))
        );
    }

    #[test]
    fn no_rows_have_no_range() {
        let schema = Schema {
            columns: vec![column("x", ValueType::Real)],
            ..Schema::default()
        };
        let table = Table {
            schema,
            times: vec![],
            columns: vec![ColumnData::Reals(vec![])],
        };
        let summary = table.summary();
        assert_eq!(
            (
                summary.span,
                summary.columns[0].min,
                summary.columns[0].first.clone()
            ),
            (None, None, None)
        );
    }
}
