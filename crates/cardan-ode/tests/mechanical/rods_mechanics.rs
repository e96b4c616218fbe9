//! What integrators ask of rods.

use super::{End, Rods};
use cardan_ode::mechanical::{Mechanics, Structure};
use cardan_ode::{Equations, Trouble};

impl Equations for Rods {
    fn states(&self) -> usize {
        self.structure.states()
    }

    fn derivatives(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Trouble> {
        Err(Trouble::Fatal)
    }

    fn mechanics(&mut self) -> Option<&mut dyn Mechanics> {
        Some(self)
    }
}

impl Mechanics for Rods {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn damped(&self) -> bool {
        self.damping != 0.0 || self.drag != 0.0
    }

    fn constraints(&mut self, t: f64, q: &[f64], values: &mut [f64]) {
        for (value, (coordinate, way)) in values[self.rods.len()..].iter_mut().zip(&self.led) {
            *value = q[*coordinate] - way(t)[0];
        }
        for (value, &(a, b, length)) in values.iter_mut().zip(&self.rods) {
            let ([ax, ay], [bx, by]) = (self.position(a, q), self.position(b, q));
            *value = (bx - ax) * (bx - ax) + (by - ay) * (by - ay) - length * length;
        }
    }

    fn jacobian(&mut self, _: f64, q: &[f64], entries: &mut [f64]) {
        let mut entries = entries.iter_mut();
        for &(a, b, _) in &self.rods {
            let ([ax, ay], [bx, by]) = (self.position(a, q), self.position(b, q));
            let away = [2.0 * (bx - ax), 2.0 * (by - ay)];
            for (end, sign) in [(a, -1.0), (b, 1.0)] {
                if let End::Free(_) = end {
                    for (part, entry) in away.iter().zip(entries.by_ref()) {
                        *entry = sign * part;
                    }
                }
            }
        }
        entries.for_each(|entry| *entry = 1.0);
    }

    fn drives(&mut self, t: f64, _: &[f64], rates: &mut [f64]) {
        rates.fill(0.0);
        for (rate, (_, way)) in rates[self.rods.len()..].iter_mut().zip(&self.led) {
            *rate = -way(t)[1];
        }
    }

    fn curvatures(&mut self, t: f64, _: &[f64], v: &[f64], values: &mut [f64]) {
        for (value, (_, way)) in values[self.rods.len()..].iter_mut().zip(&self.led) {
            *value = -way(t)[2];
        }
        for (value, &(a, b, _)) in values.iter_mut().zip(&self.rods) {
            let ([ax, ay], [bx, by]) = (Self::velocity(a, v), Self::velocity(b, v));
            *value = 2.0 * ((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
        }
    }

    fn forces(&mut self, _: f64, x: &[f64], forces: &mut [f64]) -> Result<(), Trouble> {
        let (_, v, _) = self.structure.split(x);
        for ((force, weight), v) in forces.iter_mut().zip(&self.weights).zip(v) {
            *force = weight - self.damping * v;
        }
        if self.torque != 0.0 || self.drag != 0.0 {
            // On the rod from the origin to the first point, clockwise.
            let square = x[0] * x[0] + x[1] * x[1];
            let turning = (v[0] * x[1] - v[1] * x[0]) / square;
            let pull = (self.torque - self.drag * turning) / square;
            forces[0] += pull * x[1];
            forces[1] -= pull * x[0];
        }
        Ok(())
    }

    fn tangents(&mut self, _: f64, _: &[f64], stiffness: &mut [f64], damping: &mut [f64]) {
        stiffness.fill(0.0);
        damping.fill(self.damping);
    }

    /// The power that friction takes.
    fn quadratures(&mut self, _: f64, x: &[f64], rates: &mut [f64]) {
        let (_, v, _) = self.structure.split(x);
        rates.fill(self.damping * v.iter().map(|v| v * v).sum::<f64>());
    }
}
