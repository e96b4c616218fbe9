//! A canvas of braille dots: two by four in each character.

/// The bit of each dot in a character, by row and column.
const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// Dots, and who drew last in each character.
pub(super) struct Canvas {
    columns: usize,
    rows: usize,
    dots: Vec<u8>,
    owners: Vec<usize>,
}

impl Canvas {
    pub(super) fn new(columns: usize, rows: usize) -> Self {
        Canvas {
            columns,
            rows,
            dots: vec![0; columns * rows],
            owners: vec![0; columns * rows],
        }
    }

    /// Size in dots.
    pub(super) fn size(&self) -> (usize, usize) {
        (2 * self.columns, 4 * self.rows)
    }

    /// A straight line in dots, counted from the upper left; what lies outside is not drawn.
    pub(super) fn line(&mut self, (x0, y0): (f64, f64), (x1, y1): (f64, f64), owner: usize) {
        let (width, height) = self.size();
        // Only one neighbour lies outside, so the line is cut to the width before it is walked.
        let Some(((x0, y0), (x1, y1))) = cut((x0, y0), (x1, y1), width as f64, height as f64) else {
            return;
        };
        let steps = (x1 - x0).abs().max((y1 - y0).abs()).ceil().max(1.0);
        for step in 0..=steps as usize {
            let part = step as f64 / steps;
            self.dot(x0 + part * (x1 - x0), y0 + part * (y1 - y0), owner);
        }
    }

    fn dot(&mut self, x: f64, y: f64, owner: usize) {
        let (x, y) = (x.floor(), y.floor());
        let (width, height) = self.size();
        if x < 0.0 || y < 0.0 || x >= width as f64 || y >= height as f64 {
            return;
        }
        let (x, y) = (x as usize, y as usize);
        let cell = y / 4 * self.columns + x / 2;
        self.dots[cell] |= BITS[y % 4][x % 2];
        self.owners[cell] = owner;
    }

    /// The character at a place and its owner; a space where nothing is drawn.
    pub(super) fn cell(&self, column: usize, row: usize) -> (char, usize) {
        let index = row * self.columns + column;
        let dots = self.dots[index];
        let character = if dots == 0 {
            ' '
        } else {
            char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ')
        };
        (character, self.owners[index])
    }

    /// The row of a character that `owner` drew in a column, if any.
    pub(super) fn row_of(&self, owner: usize, column: usize) -> Option<usize> {
        (0..self.rows).find(|row| {
            let index = row * self.columns + column;
            self.dots[index] != 0 && self.owners[index] == owner
        })
    }
}

type Point = (f64, f64);

/// The part of a line within the canvas and a little around it, so that no line is walked for ever.
fn cut(a: Point, b: Point, width: f64, height: f64) -> Option<(Point, Point)> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for (start, delta, end) in [(a.0, dx, width), (a.1, dy, height)] {
        if delta == 0.0 {
            if !(-1.0..=end + 1.0).contains(&start) {
                return None;
            }
            continue;
        }
        let (one, other) = ((-1.0 - start) / delta, (end + 1.0 - start) / delta);
        from = from.max(one.min(other));
        to = to.min(one.max(other));
    }
    let at = |part: f64| (a.0 + part * dx, a.1 + part * dy);
    (from <= to).then(|| (at(from), at(to)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_dots() {
        let mut canvas = Canvas::new(2, 1);
        canvas.line((0.0, 0.0), (3.0, 3.0), 1);
        assert_eq!((canvas.cell(0, 0), canvas.cell(1, 0)), (('⠑', 1), ('⢄', 1)));
        assert_eq!(canvas.row_of(1, 1), Some(0));
        assert_eq!(canvas.row_of(0, 1), None);
    }

    #[test]
    fn far_away_ends_cost_nothing() {
        let mut canvas = Canvas::new(2, 1);
        canvas.line((-1e12, 1.0), (1e12, 1.0), 0);
        assert_eq!((canvas.cell(0, 0).0, canvas.cell(1, 0).0), ('⠒', '⠒'));
        canvas.line((-5.0, -1e300), (-5.0, 1e300), 0);
    }
}
