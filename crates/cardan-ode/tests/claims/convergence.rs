//! Errors shrink as theory says.

use cardan_ode::{Method, Progress, SolverSettings};

use crate::Outcome;
use crate::problems::{DECAY, OSCILLATOR, begin, fixed, run, tight};

/// Error after one unit of time on the oscillator.
fn error_with(settings: &SolverSettings, stop: f64) -> Result<(f64, u64), Box<dyn std::error::Error>> {
    let mut solver = begin(settings, &OSCILLATOR, &[1.0, 0.0])?;
    run(&mut *solver, &mut OSCILLATOR.clone(), stop)?;
    let (x, v) = (solver.state()[0], solver.state()[1]);
    Ok(((x - stop.cos()).hypot(v + stop.sin()), solver.counts().steps))
}

/// On x' = λx with |λ| = 1 the error is C hᵖ (1 + ε h + …) with |ε| ≤ 1 for all three (the ratio of the first two
/// terms of log R(z) − z is 2/3, 3/4 and 5/6 of h), so halving h shows p + ε h / (2 ln 2): within h of p.
#[test]
fn fixed_step_methods_have_their_orders() -> Outcome {
    let h = 0.02;
    for (method, order) in [(Method::Euler, 1.0), (Method::Heun, 2.0), (Method::Rk4, 4.0)] {
        let (coarse, _) = error_with(&fixed(method, h), 1.0)?;
        let (fine, _) = error_with(&fixed(method, h / 2.0), 1.0)?;
        let slope = (coarse / fine).log2();
        assert!((slope - order).abs() < h, "{method}: order {slope}");
    }
    Ok(())
}

/// Largest error of the dense output inside a single step from exact data.
fn dense_error(method: Method, h: f64) -> Result<f64, Box<dyn std::error::Error>> {
    let settings = SolverSettings {
        step: Some(h),
        rtol: 1.0,
        atol: 1.0,
        ..SolverSettings::of(method)
    };
    let mut solver = begin(&settings, &DECAY, &[1.0])?;
    assert_eq!(solver.advance(&mut DECAY.clone(), h)?, Progress::Limit);
    let mut x = [0.0];
    let mut largest = 0.0_f64;
    for k in 0..=20 {
        let t = h * f64::from(k) / 20.0;
        solver.interpolate(t, &mut x);
        largest = largest.max((x[0] - (-t).exp()).abs());
    }
    Ok(largest)
}

/// One step's curve is as good as the step (order p + 1 locally), or as the cubic through its ends (order 4) where
/// the step is better; Dormand-Prince has a quartic (order 5). The next term is largest for the classical method,
/// whose own error h⁵/120 stands beside the cubic's h⁴/384: 3.2 h, which shows as 3.2 h / (2 ln 2) < 2.4 h in the slope.
#[test]
fn dense_output_has_its_order() -> Outcome {
    let h = 0.02;
    let orders = [
        (Method::Euler, 2.0),
        (Method::Heun, 3.0),
        (Method::Rk4, 4.0),
        (Method::Dopri5, 5.0),
    ];
    for (method, order) in orders {
        let slope = (dense_error(method, h)? / dense_error(method, h / 2.0)?).log2();
        assert!((slope - order).abs() < 2.4 * h, "{method}: order {slope}");
    }
    Ok(())
}

#[test]
fn dense_output_joins_the_steps() -> Outcome {
    for settings in crate::problems::every_method() {
        let mut solver = begin(&settings, &OSCILLATOR, &[1.0, 0.0])?;
        let mut before = [1.0, 0.0];
        let mut x = [0.0; 2];
        for _ in 0..40 {
            solver.advance(&mut OSCILLATOR.clone(), 10.0)?;
            solver.interpolate(solver.previous_time(), &mut x);
            // The same point, up to rounding: of order eps for differences of numbers of size one.
            assert!(
                (x[0] - before[0]).hypot(x[1] - before[1]) < 64.0 * f64::EPSILON,
                "{}",
                settings.method
            );
            solver.interpolate(solver.time(), &mut x);
            assert_eq!(x, solver.state());
            before = x;
        }
    }
    Ok(())
}

/// Steps go with the fifth root of the tolerance and the error of the solution with the fifth power of the step.
#[test]
fn the_error_of_dopri5_is_proportional_to_the_tolerance() -> Outcome {
    let (loose, _) = error_with(&tight(Method::Dopri5, 1e-5, 1e-5), 10.0)?;
    let (strict, _) = error_with(&tight(Method::Dopri5, 1e-10, 1e-10), 10.0)?;
    let decades = (loose / strict).log10();
    assert!(
        (decades - 5.0).abs() < 0.5,
        "five decades of tolerance gave {decades} of error"
    );
    Ok(())
}

/// The oscillator does not amplify errors, so they add up to no more than one tolerance a step (in the mean square
/// norm: a factor √2 for two states; the allowance is rtol·|x| + atol ≤ 2 rtol here).
#[test]
fn the_error_stays_below_the_sum_of_the_tolerances() -> Outcome {
    for method in [Method::Dopri5, Method::Bdf] {
        for rtol in [1e-4, 1e-6, 1e-8] {
            let (error, steps) = error_with(&tight(method, rtol, rtol), 10.0)?;
            let sum = 2.0 * 2.0_f64.sqrt() * rtol * steps as f64;
            assert!(error < sum, "{method} at {rtol}: {error} in {steps} steps");
        }
    }
    Ok(())
}
