//! Curves, and the panels they share.

use crate::table::{Table, numbers};
use cardan_core::record::ColumnData;
use std::borrow::Cow;
use std::ops::Range;

/// More variables in a panel cannot be told apart, more panels cannot be read.
const VARIABLES: usize = 8;
const PANELS: usize = 6;

/// Without units, values belong to one panel if their magnitudes are within this factor.
const SAME_MAGNITUDE: f64 = 30.0;

/// A variable of one result.
#[derive(Clone, Debug)]
pub(super) struct Curve<'a> {
    /// The place of its variable in the panel, which gives the colour.
    pub(super) variable: usize,
    /// The place of its result, which gives the dashes.
    pub(super) table: usize,
    pub(super) times: &'a [f64],
    pub(super) values: Cow<'a, [f64]>,
    /// Drawn as steps: not a real.
    pub(super) held: bool,
}

impl Curve<'_> {
    /// The rows in a span of time, with a neighbour on either side so that the line reaches the edge.
    fn rows(&self, (from, to): (f64, f64)) -> Range<usize> {
        let first = self.times.partition_point(|&t| t < from).saturating_sub(1);
        let end = self.times.partition_point(|&t| t <= to);
        first..(end + 1).min(self.times.len())
    }

    /// The corners of the line in a span of time; gaps are points without a finite value.
    pub(super) fn points(&self, span: (f64, f64)) -> impl Iterator<Item = (f64, f64)> {
        let rows = self.rows(span);
        let first = rows.start;
        rows.flat_map(move |row| {
            let corner = (self.held && row > first).then(|| (self.times[row], self.values[row - 1]));
            corner.into_iter().chain([(self.times[row], self.values[row])])
        })
    }
}

/// Curves over one pair of axes.
#[derive(Clone, Debug)]
pub(super) struct Panel<'a> {
    pub(super) unit: Option<String>,
    /// The names of its variables.
    pub(super) variables: Vec<String>,
    pub(super) curves: Vec<Curve<'a>>,
    /// The largest absolute value.
    magnitude: f64,
}

impl Panel<'_> {
    /// Values shown in a span of time, with some room; around the value where there is just one.
    pub(super) fn value_range(&self, span: (f64, f64)) -> (f64, f64) {
        let (from, to) = span;
        // A neighbour outside the span is only there to lead the line out of the picture.
        let shown = |&(t, v): &(f64, f64)| v.is_finite() && (from..=to).contains(&t);
        let points = self
            .curves
            .iter()
            .flat_map(|c| c.points(span))
            .filter(shown)
            .map(|(_, v)| v);
        let range = points.fold(None, |range: Option<(f64, f64)>, v| {
            // Axes need differences of values: stay clear of the largest numbers.
            let v = v.clamp(-1e300, 1e300);
            Some(range.map_or((v, v), |(low, high)| (low.min(v), high.max(v))))
        });
        let (low, high) = range.unwrap_or((0.0, 1.0));
        let magnitude = low.abs().max(high.abs());
        if high - low <= 1e-9 * magnitude {
            let room = if magnitude > 0.0 { 0.1 * magnitude } else { 1.0 };
            return (low - room, high + room);
        }
        let room = 0.04 * (high - low);
        (low - room, high + room)
    }

    /// What the vertical axis is called: the last part of the names if it is common, and the unit. The legend says the
    /// rest.
    pub(super) fn label(&self) -> String {
        let last = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
        let first = self.variables.first().map(|n| last(n)).unwrap_or_default();
        let common = self.variables.iter().all(|n| last(n) == first);
        match (&self.unit, common) {
            (Some(unit), true) => format!("{first} [{unit}]"),
            (Some(unit), false) => format!("[{unit}]"),
            (None, true) if self.variables.len() > 1 => first,
            (None, _) => String::new(),
        }
    }
}

/// Puts variables of one unit into one panel; variables without a unit go by their magnitude. What finds no place is
/// given back.
pub(super) fn panels<'a>(tables: &[(&str, &'a Table)], names: Vec<String>) -> (Vec<Panel<'a>>, Vec<String>) {
    let mut panels: Vec<Panel<'a>> = Vec::new();
    let mut left_out = Vec::new();
    for name in names {
        let (unit, curves) = curves(tables, &name);
        let magnitude = magnitude(&curves);
        let fits = |panel: &Panel<'_>| {
            let ratio = magnitude / panel.magnitude;
            let close = magnitude == 0.0
                || panel.magnitude == 0.0
                || (1.0 / SAME_MAGNITUDE..=SAME_MAGNITUDE).contains(&ratio);
            panel.unit == unit && panel.variables.len() < VARIABLES && (unit.is_some() || close)
        };
        let place = panels.iter().position(fits).unwrap_or(panels.len());
        if place == PANELS {
            left_out.push(name);
            continue;
        }
        if place == panels.len() {
            panels.push(Panel {
                unit,
                variables: Vec::new(),
                curves: Vec::new(),
                magnitude,
            });
        }
        let panel = &mut panels[place];
        let variable = panel.variables.len();
        panel
            .curves
            .extend(curves.into_iter().map(|c| Curve { variable, ..c }));
        panel.magnitude = panel.magnitude.max(magnitude);
        panel.variables.push(name);
    }
    // The first result below, the ones it is compared with above.
    panels.iter_mut().for_each(|p| p.curves.sort_by_key(|c| c.table));
    (panels, left_out)
}

/// A variable in all results that have it, and its unit.
fn curves<'a>(tables: &[(&str, &'a Table)], name: &str) -> (Option<String>, Vec<Curve<'a>>) {
    let mut unit = None;
    let mut curves = Vec::new();
    for (index, (_, table)) in tables.iter().enumerate() {
        let Some(position) = table.find(name) else {
            continue;
        };
        let Some((data, values)) = table.columns.get(position).and_then(|d| Some((d, numbers(d)?))) else {
            continue;
        };
        unit = unit.or_else(|| table.schema.columns[position].unit.clone());
        let held = !matches!(data, ColumnData::Reals(_));
        curves.push(Curve {
            variable: 0,
            table: index,
            times: &table.times,
            values,
            held,
        });
    }
    (unit, curves)
}

fn magnitude(curves: &[Curve<'_>]) -> f64 {
    let finite = curves
        .iter()
        .flat_map(|c| c.values.iter())
        .filter(|v| v.is_finite());
    finite.fold(0.0, |m, v| m.max(v.abs()))
}
