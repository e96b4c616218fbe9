//! Derivatives of outputs by differences.

/// The first step, as a part of the size of what is varied. Large, because most models are linear in what is
/// varied here, and the larger the step the less is lost to rounding.
const FIRST: f64 = 0.125;

/// By how much the step shrinks where the outputs are curved, and how often.
const SHRINK: f64 = 0.125;
const ROUNDS: u32 = 7;

/// Slopes with single and double step that differ by less than this belong to a cubic at most; what is left of
/// the error after extrapolation is about the square of it.
const CURVED: f64 = 1e-6;

/// Rounding in an output, in units of its size.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Room for the evaluations and for the point at which they are made.
pub(super) struct Differences {
    /// The varied state and inputs.
    pub(super) x: Vec<f64>,
    pub(super) u: Vec<f64>,
    /// How fast the state changes.
    pub(super) dx: Vec<f64>,
    /// How fast the inputs change.
    pub(super) du: Vec<f64>,
    /// The slopes found.
    pub(super) dy: Vec<f64>,
    ahead: Vec<f64>,
    back: Vec<f64>,
    double: Vec<f64>,
}

impl Differences {
    pub(super) fn new(states: usize, inputs: usize, outputs: usize) -> Self {
        Differences {
            x: vec![0.0; states],
            u: vec![0.0; inputs],
            dx: vec![0.0; states],
            du: vec![0.0; inputs],
            dy: vec![0.0; outputs],
            ahead: vec![0.0; outputs],
            back: vec![0.0; outputs],
            double: vec![0.0; outputs],
        }
    }

    /// Writes to `dy` the derivative at `s = 0` of the outputs at `(x + s dx, u + s du)`, where `outputs(s, x, u, y)`
    /// writes them. `reach` is the `s` that moves something by its own size.
    ///
    /// Central differences over two steps tell the slope to fourth order and whether the step was too large.
    pub(super) fn slope(
        &mut self,
        x: &[f64],
        u: &[f64],
        reach: f64,
        mut outputs: impl FnMut(f64, &[f64], &[f64], &mut [f64]),
    ) {
        // A power of two: neither the step nor the division by it is rounded.
        let mut step = (FIRST * reach).log2().floor().exp2();
        for round in 1..=ROUNDS {
            self.probe(x, u, 2.0 * step, &mut outputs);
            for ((slope, ahead), back) in self.double.iter_mut().zip(&self.ahead).zip(&self.back) {
                *slope = (ahead - back) / (4.0 * step);
            }
            self.probe(x, u, step, &mut outputs);
            let mut straight = true;
            let points = self.ahead.iter().zip(&self.back);
            for ((slope, double), (ahead, back)) in self.dy.iter_mut().zip(&self.double).zip(points) {
                let single = (ahead - back) / (2.0 * step);
                let rounding = ROUNDING * ahead.abs().max(back.abs()) / step;
                straight &= (single - double).abs() <= CURVED * single.abs().max(double.abs()) + rounding;
                *slope = single + (single - double) / 3.0;
            }
            if straight || round == ROUNDS {
                return;
            }
            step *= SHRINK;
        }
    }

    /// Evaluates the outputs at `±s`.
    fn probe(
        &mut self,
        x: &[f64],
        u: &[f64],
        s: f64,
        outputs: &mut impl FnMut(f64, &[f64], &[f64], &mut [f64]),
    ) {
        for (s, y) in [(s, &mut self.ahead), (-s, &mut self.back)] {
            shift(&mut self.x, x, s, &self.dx);
            shift(&mut self.u, u, s, &self.du);
            outputs(s, &self.x, &self.u, y);
        }
    }
}

fn shift(point: &mut [f64], from: &[f64], s: f64, direction: &[f64]) {
    for ((point, from), direction) in point.iter_mut().zip(from).zip(direction) {
        *point = from + s * direction;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slope_of(law: impl Fn(f64) -> f64, at: f64) -> f64 {
        let mut differences = Differences::new(0, 1, 1);
        differences.du[0] = 1.0;
        differences.slope(&[], &[at], at.abs().max(1.0), |_, _, u, y| y[0] = law(u[0]));
        differences.dy[0]
    }

    #[test]
    fn lines_and_parabolas_are_exact() {
        assert_eq!(slope_of(|u| 3.0 - 2.5 * u, 0.0), -2.5);
        assert_eq!(slope_of(|u| u * u, 3.0), 6.0);
        // A large offset costs digits by rounding, but only as many as it must.
        assert!((slope_of(|u| 1e6 + u, 0.3) - 1.0).abs() < 1e-8);
    }

    #[test]
    fn curves_are_followed_to_ten_digits() {
        assert!((slope_of(f64::sin, 0.7) - 0.7_f64.cos()).abs() < 1e-10);
        assert!((slope_of(|u| (50.0 * u).sin(), 0.7) - 50.0 * 35.0_f64.cos()).abs() < 1e-8);
        assert!((slope_of(f64::exp, 1.0) - 1.0_f64.exp()).abs() < 1e-10);
        // Defined for positive numbers only, which the first steps leave.
        assert!((slope_of(f64::sqrt, 0.01) - 5.0).abs() < 1e-8);
    }

    #[test]
    fn a_kink_nearby_does_not_matter() {
        assert!((slope_of(|u| u.min(1.0), 0.999) - 1.0).abs() < 1e-11);
    }
}
