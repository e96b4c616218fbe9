//! Pictures of results: SVG, PNG, and braille dots in a terminal.
//!
//! A [`Figure`] shows variables over time. Variables of one unit share a panel, panels share the time axis. Several
//! results can lie over each other, the first drawn solid and the others dashed.
//!
//! ```
//! use cardan_record::{Table, plot::Figure};
//! use cardan_core::record::{Column, ColumnData, Schema};
//! use cardan_core::value::ValueType;
//!
//! # fn main() -> Result<(), cardan_record::plot::PlotError> {
//! let x = Column { name: "x".into(), value_type: ValueType::Real, unit: Some("m".into()), description: String::new() };
//! let table = Table {
//!     schema: Schema { columns: vec![x], ..Schema::default() },
//!     times: vec![0.0, 1.0, 2.0],
//!     columns: vec![ColumnData::Reals(vec![0.0, 1.0, 0.5])],
//! };
//! let figure = Figure::new(&table, &["x"])?.title("A bounce");
//! assert!(figure.to_svg().starts_with("<svg"));
//! assert!(figure.to_terminal(60, 12).contains("A bounce"));
//! # Ok(())
//! # }
//! ```

mod braille;
mod curve;
mod decimate;
mod drawing;
mod layout;
mod png;
mod selection;
mod style;
mod svg;
mod terminal;
mod ticks;

use crate::table::Table;
use curve::Panel;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// No result has a variable of that name.
    #[error("there is no variable `{name}`; {advice}")]
    UnknownVariable {
        /// What was asked for.
        name: String,
        /// Names that exist.
        advice: String,
    },
    /// Text cannot be drawn.
    #[error("`{name}` holds text, which cannot be plotted")]
    NotNumbers {
        /// The variable.
        name: String,
    },
    /// No column holds numbers.
    #[error("the result holds no numbers to plot")]
    Nothing,
    /// The picture could not be turned into pixels.
    #[error("cannot draw the picture: {0}")]
    Pixels(String),
}

/// A picture of variables over time, not yet drawn.
#[derive(Clone, Debug)]
pub struct Figure<'a> {
    title: Option<String>,
    size: Option<(u32, u32)>,
    span: Option<(f64, f64)>,
    coloured: bool,
    /// One label for each result; a single result needs none.
    labels: Vec<String>,
    panels: Vec<Panel<'a>>,
    left_out: Vec<String>,
}

impl<'a> Figure<'a> {
    /// Shows variables of a result: names, or patterns in which `*` stands for anything. Without any, those that fit.
    pub fn new(table: &'a Table, variables: &[&str]) -> Result<Self, PlotError> {
        Figure::overlay(&[("", table)], variables)
    }

    /// Shows the same variables of several results over each other, each with a label.
    pub fn overlay(tables: &[(&str, &'a Table)], variables: &[&str]) -> Result<Self, PlotError> {
        let names = selection::names(tables, variables)?;
        let (panels, left_out) = curve::panels(tables, names);
        Ok(Figure {
            title: None,
            size: None,
            span: None,
            coloured: false,
            labels: tables.iter().map(|(label, _)| (*label).to_owned()).collect(),
            panels,
            left_out,
        })
    }

    /// A line above the picture.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// The size in pixels; PNG has twice as many in each direction. By default 900 wide,
    /// and as high as the panels need, which is also the least height.
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.size = Some((width, height));
        self
    }

    /// Shows only this part of the time. A span that is empty or not finite shows everything.
    pub fn span(mut self, from: f64, to: f64) -> Self {
        self.span = (from < to && from.is_finite() && to.is_finite()).then_some((from, to));
        self
    }

    /// Draws in colours in the terminal, by ANSI escapes. Without, letters on the curves tell them apart.
    pub fn coloured(mut self, coloured: bool) -> Self {
        self.coloured = coloured;
        self
    }

    /// Variables that found no place in the picture.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// The picture as SVG. Curves are thinned to what a pixel can show, so a million rows stay small.
    pub fn to_svg(&self) -> String {
        drawing::draw(self)
    }

    /// The picture as PNG. The font is built in, so it looks the same everywhere.
    pub fn to_png(&self) -> Result<Vec<u8>, PlotError> {
        png::render(&self.to_svg())
    }

    /// The picture in braille dots, about so many characters wide and high.
    pub fn to_terminal(&self, width: usize, height: usize) -> String {
        terminal::draw(self, width, height)
    }

    /// The part of the time that is shown.
    fn time_range(&self) -> (f64, f64) {
        let all = || {
            let curves = self.panels.iter().flat_map(|p| &p.curves);
            let ends = curves.filter_map(|c| Some((*c.times.first()?, *c.times.last()?)));
            ends.reduce(|(from, to), (first, last)| (from.min(first), to.max(last)))
        };
        let (from, to) = self.span.or_else(all).unwrap_or((0.0, 1.0));
        if to > from {
            (from, to)
        } else {
            (from - 0.5, from + 0.5)
        }
    }
}

#[cfg(test)]
mod tests;
