//! Going on where the right-hand side changes a little.

use super::Bdf;

/// A change that moves the state in one step by more than this, against the tolerance, is a jump.
///
/// After the amendment there is left what follows from the shift in turn: at the step sizes that an error test allows, some
/// hundredths of it. So this much leaves about the tolerance, and the error test sees to the rest.
const SMALL: f64 = 100.0;

impl Bdf {
    /// Writes the past anew, as if the law that holds from now on had always been in force; false if the change is a jump.
    ///
    /// The points of the table lie on a solution of the old law. The solution of the new one through the same last point
    /// differs from it by `δ' = J δ + change` with `δ = 0` now, which is the integral of the change as long as `J δ` does
    /// not count. Without this the table has a corner where the law changed, and every step across it pays for that with
    /// its order. Where `J δ` counts within one step, a stiff part answers at once; then the factors of Newton's method
    /// know how little of the shift is left.
    pub(super) fn carry(&mut self, change: &[[f64; 4]]) -> bool {
        let h = self.differences.step();
        for (shift, change) in self.shift.iter_mut().zip(change) {
            let mut power = 1.0;
            for (m, (shift, c)) in shift.iter_mut().zip(change).enumerate() {
                power *= h;
                *shift = power * c / (m + 1) as f64;
            }
        }
        for m in 0..4 {
            for (moved, shift) in self.past.iter_mut().zip(&self.shift) {
                *moved = shift[m];
            }
            self.newton.soften(&mut self.past);
            for (moved, shift) in self.past.iter().zip(&mut self.shift) {
                shift[m] = *moved;
            }
        }
        // One step ahead or back, whichever is more; the next step may be longer than those in the table.
        let s = (self.control.wanted() / h).max(1.0);
        let size = |s: f64| self.tolerance.norm(&self.x, |i| shifted(&self.shift[i], s));
        let small = size(s) <= SMALL && size(-s) <= SMALL;
        if small {
            self.differences.shift(self.control.order() + 2, &self.shift);
        }
        small
    }
}

/// The shift `s` steps after the last point.
pub(super) fn shifted([a, b, c, d]: &[f64; 4], s: f64) -> f64 {
    s * (a + s * (b + s * (c + s * d)))
}
