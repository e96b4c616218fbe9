//! One step of Gragg, Bulirsch and Stoer: the modified midpoint rule with more and more substeps, extrapolated to none.

/// Columns of the extrapolation: the last one has the order 18.
const COLUMNS: usize = 9;

/// The slopes of the states at a time.
pub(super) type Rates<'a> = dyn Fn(f64, &[f64], &mut [f64]) + 'a;

/// What became of a step.
pub(super) struct Step {
    pub(super) state: Vec<f64>,
    /// Did two columns agree?
    pub(super) converged: bool,
    /// By how much the next step may be longer, or must be shorter.
    pub(super) factor: f64,
}

/// From `x` at `t` over `h`; each state may be wrong by its entry in `allowed`.
pub(super) fn step(
    rates: &Rates<'_>,
    t: f64,
    x: &[f64],
    h: f64,
    allowed: &dyn Fn(usize, f64) -> f64,
) -> Step {
    let mut slope = vec![0.0; x.len()];
    rates(t, x, &mut slope);
    // The last row of the table: the newest midpoint result first, then better and better ones.
    let mut row: Vec<Vec<f64>> = Vec::new();
    for column in 0..COLUMNS {
        let mut value = midpoint(rates, t, x, &slope, h, substeps(column));
        let mut next = Vec::with_capacity(column + 1);
        for (k, before) in row.iter().enumerate() {
            // The error has even powers of the length of a substep only.
            let ratio = f64::from(substeps(column)) / f64::from(substeps(column - k - 1));
            let better = value
                .iter()
                .zip(before)
                .map(|(new, old)| new + (new - old) / (ratio * ratio - 1.0))
                .collect();
            next.push(std::mem::replace(&mut value, better));
        }
        let agrees = next.last().is_some_and(|last| {
            let pairs = value.iter().zip(last).enumerate();
            pairs
                .into_iter()
                .all(|(i, (a, b))| (a - b).abs() <= allowed(i, *a))
        });
        if agrees {
            return Step {
                state: value,
                converged: true,
                factor: [4.0, 4.0, 4.0, 2.5, 2.0, 1.5, 1.2, 1.0, 0.8][column],
            };
        }
        next.push(value);
        row = next;
    }
    Step {
        state: row.pop().unwrap_or_default(),
        converged: false,
        factor: 0.3,
    }
}

fn substeps(column: usize) -> u32 {
    2 * (column as u32 + 1)
}

fn midpoint(rates: &Rates<'_>, t: f64, x: &[f64], slope: &[f64], h: f64, count: u32) -> Vec<f64> {
    let part = h / f64::from(count);
    let mut before = x.to_vec();
    let mut now: Vec<f64> = x.iter().zip(slope).map(|(x, dx)| x + part * dx).collect();
    let mut slope = vec![0.0; x.len()];
    for k in 1..count {
        rates(t + f64::from(k) * part, &now, &mut slope);
        for (old, dx) in before.iter_mut().zip(&slope) {
            *old += 2.0 * part * dx;
        }
        std::mem::swap(&mut before, &mut now);
    }
    now
}
