//! Values given at instants.

use cardan_core::interface::{Interface, Parameter, Port, Variability};
use cardan_core::participant::{Participant, Settings};
use cardan_core::value::{Value, ValueType};
use cardan_ode::SolverSettings;

use super::source::{self, Law, Source};
use crate::blueprint::Blueprint;
use crate::catalogue::ModelInfo;
use crate::declare::list;
use crate::{BuildError, Model, Native, Values};

pub(crate) const INFO: ModelInfo = ModelInfo {
    domain: "sources",
    name: "table",
    summary: "values at instants, held or joined by lines: `times` and `values`, or a `file` (CSV, Parquet, MAT) with a \
              column `time` and one output for each other column",
    parameters,
    ports,
    model,
};

fn parameters() -> Vec<Parameter> {
    source::parameters(vec![
        list(
            "times",
            "s",
            "the instants in order; where one comes twice, the value jumps",
        )
        .tunable(),
        list("values", "", "the value at each instant").tunable(),
        Parameter::new("interpolation")
            .typed(ValueType::String)
            .default(Value::string("linear"))
            .described("between the instants: \"linear\" or \"hold\""),
    ])
}

fn ports(values: &Values) -> Result<Interface, BuildError> {
    source::ports(values, Interpolation::read(values)?.variability())
}

fn model(values: &Values) -> Result<Box<dyn Model>, BuildError> {
    let columns = vec![values.reals("values")?.to_vec()];
    let table = Table::new(
        values.reals("times")?.to_vec(),
        columns,
        Interpolation::read(values)?,
    )?;
    source::model(values, table)
}

/// How a table is read between its instants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Interpolation {
    /// Along straight lines.
    #[default]
    Linear,
    /// The last value holds until the next instant.
    Hold,
}

impl Interpolation {
    fn read(values: &Values) -> Result<Self, BuildError> {
        match values.text("interpolation")? {
            "linear" => Ok(Interpolation::Linear),
            "hold" => Ok(Interpolation::Hold),
            other => Err(BuildError::of(
                "interpolation",
                format!("must be \"linear\" or \"hold\", found \"{other}\""),
            )),
        }
    }

    fn variability(self) -> Variability {
        match self {
            Interpolation::Linear => Variability::Continuous,
            Interpolation::Hold => Variability::Discrete,
        }
    }
}

/// One output of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// The name of the port.
    pub name: String,
    /// Its unit, where known.
    pub unit: Option<String>,
    /// A value for each instant of the table.
    pub values: Vec<f64>,
}

/// A table with an output port for each column, for data that the caller has read from a file. A `period` of zero
/// means a continuous output.
pub fn table_from_columns(
    times: Vec<f64>,
    columns: Vec<Column>,
    interpolation: Interpolation,
    period: f64,
) -> Result<Box<dyn Participant>, BuildError> {
    if !(period >= 0.0 && period.is_finite()) {
        return Err(BuildError::of(
            "period",
            format!("must be at least 0, found {period}"),
        ));
    }
    let ports: Vec<Port> = columns
        .iter()
        .map(|column| Port {
            unit: column.unit.clone(),
            ..Port::output(&column.name).described("a column of the table")
        })
        .collect();
    let interface = source::interface(ports, interpolation.variability(), period);
    let columns = columns.into_iter().map(|column| column.values).collect();
    let table = Table::new(times, columns, interpolation)?;
    let blueprint = Blueprint {
        name: "table".to_owned(),
        parameters: Vec::new(),
        ports: Box::new(move |_| Ok(interface.clone())),
        model: Box::new(move |_| Ok(Box::new(Source::new(table.clone(), period)))),
    };
    let native = Native::new(blueprint, &Settings::default(), &SolverSettings::default())?;
    Ok(Box::new(native))
}

#[derive(Clone)]
pub(crate) struct Table {
    times: Vec<f64>,
    columns: Vec<Vec<f64>>,
    interpolation: Interpolation,
}

impl Table {
    pub(crate) fn new(
        times: Vec<f64>,
        columns: Vec<Vec<f64>>,
        interpolation: Interpolation,
    ) -> Result<Self, BuildError> {
        if times.is_empty() {
            return Err(BuildError::of("times", "must have at least one instant"));
        }
        if let Some(bad) = times.iter().find(|t| !t.is_finite()) {
            return Err(BuildError::of("times", format!("must be finite, found {bad}")));
        }
        if let Some(pair) = times.windows(2).find(|pair| pair[1] < pair[0]) {
            return Err(BuildError::of(
                "times",
                format!("must not go back, but {} follows {}", pair[1], pair[0]),
            ));
        }
        if let Some(column) = columns.iter().find(|column| column.len() != times.len()) {
            return Err(BuildError::of(
                "values",
                format!(
                    "must have one value for each of the {} times, found {}",
                    times.len(),
                    column.len()
                ),
            ));
        }
        Ok(Table {
            times,
            columns,
            interpolation,
        })
    }

    /// The number of instants at or before `t`: the later one counts where one comes twice.
    fn passed(&self, t: f64) -> usize {
        self.times.partition_point(|time| *time <= t)
    }

    /// The rows on both sides of `t`, where it lies between two and a line joins them.
    fn bracket(&self, t: f64) -> Option<(usize, usize)> {
        let after = self.passed(t);
        let inside = after > 0 && after < self.times.len();
        (inside && self.interpolation == Interpolation::Linear).then(|| (after - 1, after))
    }
}

impl Law for Table {
    fn values(&self, t: f64, y: &mut [f64]) {
        let row = self.passed(t).saturating_sub(1);
        let bracket = self.bracket(t);
        for (y, column) in y.iter_mut().zip(&self.columns) {
            *y = match bracket {
                None => column[row],
                Some((before, after)) => {
                    let share = (t - self.times[before]) / (self.times[after] - self.times[before]);
                    column[before] + share * (column[after] - column[before])
                }
            };
        }
    }

    fn rates(&self, t: f64, dy: &mut [f64]) {
        let bracket = self.bracket(t);
        for (dy, column) in dy.iter_mut().zip(&self.columns) {
            *dy = bracket.map_or(0.0, |(before, after)| {
                (column[after] - column[before]) / (self.times[after] - self.times[before])
            });
        }
    }

    fn next_corner(&self, t: f64) -> Option<f64> {
        self.times.get(self.passed(t)).copied()
    }
}
