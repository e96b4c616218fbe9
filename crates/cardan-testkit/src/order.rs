//! The order of convergence that a series of errors shows.

/// The slope of the line through the points (ln h, ln error), by least squares: about `p` for a method of order `p`.
///
/// # Panics
/// With fewer than two points, or where a step or an error is not positive and finite: such a series shows no order.
pub fn observed_order(errors: &[(f64, f64)]) -> f64 {
    assert!(
        errors.len() >= 2,
        "an order needs two steps at least, found {}",
        errors.len()
    );
    for &(step, error) in errors {
        assert!(
            step > 0.0 && step.is_finite() && error > 0.0 && error.is_finite(),
            "no order can be seen with error {error:e} at step {step:e}"
        );
    }
    let count = errors.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| errors.iter().map(of).sum::<f64>() / count;
    let (h, e) = (mean(|p| p.0.ln()), mean(|p| p.1.ln()));
    let (mut across, mut along) = (0.0, 0.0);
    for &(step, error) in errors {
        across += (step.ln() - h) * (error.ln() - e);
        along += (step.ln() - h).powi(2);
    }
    assert!(
        along > 0.0,
        "all steps are {:e}: no order can be seen",
        errors[0].0
    );
    across / along
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_shows_its_exponent() {
        for order in [0.5, 1.0, 2.0, 4.0] {
            let errors: Vec<(f64, f64)> = [0.1, 0.05, 0.02, 0.001]
                .map(|h: f64| (h, 3.0 * h.powf(order)))
                .to_vec();
            assert!((observed_order(&errors) - order).abs() < 1e-12);
        }
    }

    #[test]
    fn scatter_is_averaged_out() {
        // Factors symmetric in the logarithm about the middle leave the slope alone.
        let errors = [(1.0, 2.0), (0.5, 0.25), (0.25, 0.0625 * 2.0)];
        assert!((observed_order(&errors) - 2.0).abs() < 1e-12);
    }

    #[test]
    #[should_panic(expected = "no order can be seen with error 0e0")]
    fn an_exact_answer_shows_no_order() {
        observed_order(&[(0.1, 1e-3), (0.05, 0.0)]);
    }
}
