//! One column of a table as a signal.

use cardan_core::interface::{Port, Variability};
use cardan_core::planes::PlanesMut;
use cardan_core::record::ColumnData;
use cardan_core::value::ValueType;

/// Of a jump: the value before it or after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Before,
    After,
}

/// The values of one element of a port.
#[derive(Clone, Debug)]
pub(super) enum Column {
    /// Lines between the rows.
    Lines(Vec<f64>),
    /// A real that jumps.
    Reals(Vec<f64>),
    Integers(Vec<i64>),
    Booleans(Vec<bool>),
    Texts(Vec<Vec<u8>>),
}

impl Column {
    /// The data of a file as values for a port; else the first row that does not fit, with what stands there.
    pub(super) fn of(data: &ColumnData, port: &Port) -> Result<Column, (usize, String)> {
        let integer = |cell: &str| integer(cell).filter(|number| port.objection(*number).is_none());
        match port.value_type {
            ValueType::Real => {
                let values = each(data, real)?;
                Ok(match port.variability {
                    Variability::Continuous => Column::Lines(values),
                    Variability::Discrete => Column::Reals(values),
                })
            }
            ValueType::Integer => Ok(Column::Integers(each(data, integer)?)),
            ValueType::Enumeration => Ok(Column::Integers(each(data, |cell| {
                let named = port.choices.iter().find(|(name, _)| name == cell.trim());
                named.map(|(_, number)| *number).or_else(|| integer(cell))
            })?)),
            ValueType::Boolean => Ok(Column::Booleans(each(data, boolean)?)),
            ValueType::String => Ok(Column::Texts(each(data, |cell| Some(cell.as_bytes().to_vec()))?)),
            ValueType::Binary | ValueType::Clock => {
                Err((0, format!("a {} cannot come from a file", port.value_type)))
            }
        }
    }

    /// Does the value jump with that row, the first being 0?
    pub(super) fn jumps_at(&self, row: usize, times: &[f64]) -> bool {
        match self {
            Column::Lines(v) => times[row] == times[row - 1] && v[row] != v[row - 1],
            Column::Reals(v) => v[row] != v[row - 1],
            Column::Integers(v) => v[row] != v[row - 1],
            Column::Booleans(v) => v[row] != v[row - 1],
            Column::Texts(v) => v[row] != v[row - 1],
        }
    }

    /// Writes the value at `time` to its place.
    pub(super) fn write(
        &self,
        times: &[f64],
        time: f64,
        side: Side,
        place: usize,
        values: &mut PlanesMut<'_>,
    ) {
        let row = match side {
            Side::After => times.partition_point(|&t| t <= time),
            Side::Before => times.partition_point(|&t| t < time),
        };
        let row = row.saturating_sub(1);
        match self {
            Column::Lines(v) => values.reals[place] = line(times, v, row, time),
            Column::Reals(v) => values.reals[place] = v[row],
            Column::Integers(v) => values.integers[place] = v[row],
            Column::Booleans(v) => values.booleans[place] = v[row],
            Column::Texts(v) => values.bytes[place].clone_from(&v[row]),
        }
    }
}

/// Between rows the line, beyond the ends the last value.
fn line(times: &[f64], values: &[f64], row: usize, time: f64) -> f64 {
    let next = (row + 1).min(times.len() - 1);
    let (from, to) = (times[row], times[next]);
    if time <= from || to <= from {
        return values[row];
    }
    if time >= to {
        return values[next];
    }
    let part = (time - from) / (to - from);
    values[row] + part * (values[next] - values[row])
}

/// Every cell as text and then as a value: files seldom say what they mean, so the port decides.
fn each<T>(data: &ColumnData, read: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, (usize, String)> {
    let cells: Vec<String> = match data {
        ColumnData::Reals(v) => v.iter().map(f64::to_string).collect(),
        ColumnData::Integers(v) => v.iter().map(i64::to_string).collect(),
        ColumnData::Booleans(v) => v.iter().map(bool::to_string).collect(),
        ColumnData::Bytes(v) => v
            .iter()
            .map(|b| String::from_utf8_lossy(b).into_owned())
            .collect(),
    };
    let found = cells.iter().enumerate();
    found
        .map(|(row, cell)| read(cell).ok_or_else(|| (row, format!("`{cell}`"))))
        .collect()
}

fn real(cell: &str) -> Option<f64> {
    let number = cell.trim().parse().ok().or(match cell.trim() {
        "true" => Some(1.0),
        "false" => Some(0.0),
        _ => None,
    });
    number.filter(|n: &f64| n.is_finite())
}

fn integer(cell: &str) -> Option<i64> {
    let whole = |n: &f64| n.fract() == 0.0 && n.abs() <= 9e15;
    let exact = cell.trim().parse().ok();
    exact.or_else(|| real(cell).filter(whole).map(|n| n as i64))
}

fn boolean(cell: &str) -> Option<bool> {
    match cell.trim() {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        number => match number.parse::<f64>().ok()? {
            0.0 => Some(false),
            1.0 => Some(true),
            _ => None,
        },
    }
}
