//! The numerical differentiation formulas (Shampine and Reichelt, *The MATLAB ODE Suite*, SIAM J. Sci. Comput. 18,
//! 1997): backward differentiation with a small share of the next difference, which lowers the error constant.
//!
//! With γₖ = Σ 1/j (j = 1..k), the formula of order k on equal steps is
//! `Σ (1/j) ∇ʲx = h f + κ γₖ (x − predicted)`, summed over j = 1..k.

pub(super) const MAX_ORDER: usize = 5;

/// Γ[k] = Σ 1/j for j = 1..k
pub(super) const GAMMA: [f64; MAX_ORDER + 1] = [0.0, 1.0, 3.0 / 2.0, 11.0 / 6.0, 25.0 / 12.0, 137.0 / 60.0];

/// The share of the next difference; chosen for efficiency at orders 1 to 3 and for stability at order 4.
const KAPPA: [f64; MAX_ORDER + 1] = [0.0, -37.0 / 200.0, -1.0 / 9.0, -0.0823, -0.0415, 0.0];

/// The factor of the correction in the formula: `alpha · correction = h f − Σ γⱼ ∇ʲ`.
pub(super) fn alpha(order: usize) -> f64 {
    (1.0 - KAPPA[order]) * GAMMA[order]
}

/// The factor between the correction of a step and its local error.
pub(super) fn error_constant(order: usize) -> f64 {
    KAPPA[order] * GAMMA[order] + 1.0 / (order + 1) as f64
}
