//! Convergence of each order on a given grid, without any control.

use super::*;
use crate::{Method, Trouble};

/// x'' = −x
struct Oscillator;

impl Equations for Oscillator {
    fn states(&self) -> usize {
        2
    }

    fn derivatives(&mut self, _t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        dx[0] = x[1];
        dx[1] = -x[0];
        Ok(())
    }
}

/// Error at t = 1 after so many equal steps of one order, begun with exact differences.
fn error(order: usize, steps: u32) -> Result<f64, SolveError> {
    let settings = SolverSettings {
        rtol: 1e-13,
        atol: 1e-13,
        ..SolverSettings::of(Method::Bdf)
    };
    let mut bdf = Bdf::new(&settings, 2);
    let h = 1.0 / f64::from(steps);
    bdf.differences = Differences::sampled(&[f64::cos, |t| -t.sin()], 0.0, h);
    bdf.control.fix(order);
    for k in 1..=steps {
        let to = f64::from(k) * h;
        bdf.attempt(&mut Oscillator, to)
            .map_err(|setback| setback.at(to))?;
        bdf.differences.advance(order, &bdf.correction, &mut bdf.x);
        bdf.end = to;
    }
    Ok((bdf.x[0] - 1.0_f64.cos()).hypot(bdf.x[1] + 1.0_f64.sin()))
}

/// The error is C hᵏ (1 + ε h + …) with |ε| of the size of the order, so halving h shows k + ε h / (2 ln 2), and the
/// parasitic roots of the higher orders die out within a few of the steps.
#[test]
fn every_order_is_what_it_says() -> Result<(), SolveError> {
    for order in 1..=coefficients::MAX_ORDER {
        let steps = 64;
        let slope = (error(order, steps)? / error(order, 2 * steps)?).log2();
        let margin = order as f64 / f64::from(steps);
        assert!((slope - order as f64).abs() < margin, "order {order}: {slope}");
    }
    Ok(())
}

#[test]
fn a_smooth_solution_is_followed_at_high_order() -> Result<(), SolveError> {
    let settings = SolverSettings {
        rtol: 1e-8,
        ..SolverSettings::of(Method::Bdf)
    };
    let mut bdf = Bdf::new(&settings, 2);
    bdf.restart(0.0, &[1.0, 0.0]);
    let mut highest = 0;
    while bdf.end() < 5.0 {
        bdf.step(&mut Oscillator, Limit::Goal(5.0))?;
        highest = highest.max(bdf.curve_order);
    }
    assert!(highest >= 4, "order {highest}");
    bdf.disturb(5.0, &[1.0, 0.0]);
    bdf.step(&mut Oscillator, Limit::Goal(10.0))?;
    assert_eq!(bdf.curve_order, 1);
    Ok(())
}
