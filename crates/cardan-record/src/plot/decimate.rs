//! Thins a line to what pixels can show.

/// Lines between gaps: in each column of pixels the first, lowest, highest and last point, in their order. Points
/// whose height is not finite are gaps.
pub(super) fn strokes(points: impl Iterator<Item = (f64, f64)>) -> Vec<Vec<(f64, f64)>> {
    let mut strokes = Vec::new();
    let mut stroke = Vec::new();
    let mut column: Option<Column> = None;
    for (x, y) in points {
        if !(x.is_finite() && y.is_finite()) {
            if let Some(column) = column.take() {
                column.close(&mut stroke);
                strokes.push(std::mem::take(&mut stroke));
            }
            continue;
        }
        match &mut column {
            Some(open) if open.number == x.floor() => open.add((x, y)),
            _ => {
                if let Some(done) = column.replace(Column::new((x, y))) {
                    done.close(&mut stroke);
                }
            }
        }
    }
    if let Some(column) = column {
        column.close(&mut stroke);
        strokes.push(stroke);
    }
    strokes
}

/// The points of a column of pixels that matter, each with its place in the order.
struct Column {
    number: f64,
    count: usize,
    first: (f64, f64),
    lowest: (usize, (f64, f64)),
    highest: (usize, (f64, f64)),
    last: (f64, f64),
}

impl Column {
    fn new(point: (f64, f64)) -> Self {
        let at = (0, point);
        Column {
            number: point.0.floor(),
            count: 1,
            first: point,
            lowest: at,
            highest: at,
            last: point,
        }
    }

    fn add(&mut self, point: (f64, f64)) {
        if point.1 < self.lowest.1.1 {
            self.lowest = (self.count, point);
        }
        if point.1 > self.highest.1.1 {
            self.highest = (self.count, point);
        }
        self.last = point;
        self.count += 1;
    }

    fn close(self, stroke: &mut Vec<(f64, f64)>) {
        let mut kept = [
            (0, self.first),
            self.lowest,
            self.highest,
            (self.count - 1, self.last),
        ];
        kept.sort_unstable_by_key(|(place, _)| *place);
        let mut before = None;
        for (place, point) in kept {
            if before.replace(place) != Some(place) {
                stroke.push(point);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_survive() {
        let mut points: Vec<(f64, f64)> = (0..100_000)
            .map(|i| (f64::from(i) * 1e-3, f64::from(i).sin()))
            .collect();
        points[54_321].1 = 7.0;
        points[54_322].1 = -9.0;
        let strokes = strokes(points.iter().copied());
        assert_eq!(strokes.len(), 1);
        assert!(strokes[0].len() <= 400);
        assert!(strokes[0].contains(&points[54_321]) && strokes[0].contains(&points[54_322]));
        assert_eq!(
            (strokes[0].first(), strokes[0].last()),
            (points.first(), points.last())
        );
        assert!(strokes[0].is_sorted_by_key(|p| p.0));
    }

    #[test]
    fn few_points_stay_as_they_are() {
        let points = vec![(0.0, 1.0), (0.5, 2.0), (0.5, -1.0), (40.0, 0.0)];
        assert_eq!(strokes(points.iter().copied()), [points]);
    }

    #[test]
    fn a_gap_breaks_the_line() {
        let points = [
            (0.0, 1.0),
            (1.0, f64::NAN),
            (2.0, 1.0),
            (3.0, 2.0),
            (4.0, f64::INFINITY),
        ];
        assert_eq!(
            strokes(points.into_iter()),
            [vec![(0.0, 1.0)], vec![(2.0, 1.0), (3.0, 2.0)]]
        );
        assert!(strokes([(0.0, f64::NAN)].into_iter()).is_empty());
    }
}
