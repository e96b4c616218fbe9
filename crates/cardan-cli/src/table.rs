//! Columns of text that line up.

use crate::console::Paint;

/// On which side a column is even.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// Rows under a heading, each column as wide as its widest cell.
pub(crate) struct Table {
    heading: Vec<(String, Side)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// With the names of the columns; those that begin with `>` are even on the right, as numbers should be.
    pub(crate) fn new<const N: usize>(heading: [&str; N]) -> Self {
        let column = |name: &str| match name.strip_prefix('>') {
            Some(name) => (name.to_owned(), Side::Right),
            None => (name.to_owned(), Side::Left),
        };
        Table {
            heading: heading.into_iter().map(column).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into());
    }

    /// The table as text, pushed in by two spaces.
    pub(crate) fn render(&self, paint: Paint) -> String {
        let names: Vec<String> = self.heading.iter().map(|(name, _)| name.clone()).collect();
        let widths: Vec<usize> = (0..names.len())
            .map(|column| {
                let cells = self.rows.iter().chain([&names]).filter_map(|row| row.get(column));
                cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
            })
            .collect();
        let mut text = paint.dim(&self.line(&names, &widths)) + "\n";
        for row in &self.rows {
            text += &self.line(row, &widths);
            text.push('\n');
        }
        text
    }

    fn line(&self, cells: &[String], widths: &[usize]) -> String {
        let mut line = String::new();
        for ((cell, width), (_, side)) in cells.iter().zip(widths).zip(&self.heading) {
            line += "  ";
            match side {
                Side::Left => line += &format!("{cell:<width$}"),
                Side::Right => line += &format!("{cell:>width$}"),
            }
        }
        line.truncate(line.trim_end().len());
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(["name", ">steps"]);
        table.row(["a".into(), "10".into()]);
        table.row(["wheel µ".into(), "5".into()]);
        let text = table.render(Paint { coloured: false });
        assert_eq!(text, "  name     steps\n  a           10\n  wheel µ      5\n");
    }
}
