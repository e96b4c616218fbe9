//! The last step as a curve: cubics through positions and velocities at both ends.

use crate::memory::{Reader, Writer};

/// States `[q, v, z]` at both ends of a step, and how fast `z` changes there.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    coordinates: usize,
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) from: Vec<f64>,
    pub(super) to: Vec<f64>,
    pub(super) from_rates: Vec<f64>,
    pub(super) to_rates: Vec<f64>,
}

impl Curve {
    pub(super) fn new(coordinates: usize, quadratures: usize) -> Self {
        let states = 2 * coordinates + quadratures;
        Curve {
            coordinates,
            start: 0.0,
            end: 0.0,
            from: vec![0.0; states],
            to: vec![0.0; states],
            from_rates: vec![0.0; quadratures],
            to_rates: vec![0.0; quadratures],
        }
    }

    /// From now on a single point.
    pub(super) fn stand(&mut self, t: f64, x: &[f64]) {
        self.start = t;
        self.end = t;
        self.to.copy_from_slice(x);
    }

    /// The end becomes the beginning; the next end is `to`. State and rates there are taken, and left with no meaning.
    pub(super) fn advance(&mut self, to: f64, state: &mut Vec<f64>, rates: &mut Vec<f64>) {
        self.start = self.end;
        self.end = to;
        std::mem::swap(&mut self.from, &mut self.to);
        std::mem::swap(&mut self.to, state);
        std::mem::swap(&mut self.from_rates, &mut self.to_rates);
        std::mem::swap(&mut self.to_rates, rates);
    }

    pub(super) fn at(&self, t: f64, x: &mut [f64]) {
        let h = self.end - self.start;
        if h <= 0.0 {
            return x.copy_from_slice(&self.to);
        }
        let (n, s) = (self.coordinates, (t - self.start) / h);
        let cubic = |[a, b, da, db]: [f64; 4]| {
            let chord = b - a;
            a + s * chord + s * (1.0 - s) * ((1.0 - s) * (h * da - chord) - s * (h * db - chord))
        };
        for i in 0..n {
            let (q, v) = ([self.from[i], self.to[i]], [self.from[n + i], self.to[n + i]]);
            x[i] = cubic([q[0], q[1], v[0], v[1]]);
            // The derivative of that cubic: velocities belong to positions.
            let mean = (q[1] - q[0]) / h;
            x[n + i] = (1.0 - s) * v[0] + s * v[1] + 6.0 * s * (1.0 - s) * (mean - 0.5 * (v[0] + v[1]));
        }
        for i in 2 * n..x.len().min(self.to.len()) {
            let rates = (self.from_rates[i - 2 * n], self.to_rates[i - 2 * n]);
            x[i] = cubic([self.from[i], self.to[i], rates.0, rates.1]);
        }
    }

    pub(super) fn save(&self, memory: &mut Writer<'_>) {
        memory.real(self.start);
        memory.real(self.end);
        for part in [&self.from, &self.to, &self.from_rates, &self.to_rates] {
            memory.reals(part);
        }
    }

    pub(super) fn restore(&mut self, memory: &mut Reader<'_>) {
        self.start = memory.real();
        self.end = memory.real();
        for part in [
            &mut self.from,
            &mut self.to,
            &mut self.from_rates,
            &mut self.to_rates,
        ] {
            memory.reals(part);
        }
    }
}
