//! Which methods keep energy, and which one takes it from what is too fast for the step.

use cardan_ode::Method;

use crate::Outcome;
use crate::oscillator::Oscillator;
use crate::rods::Rods;
use crate::support::{begin, fixed, watch};

/// A symmetric method on a reversible system: what oscillates does not grow. The double pendulum from low down, where it
/// swings almost regularly.
#[test]
fn the_energy_of_rattle_oscillates_and_does_not_drift() -> Outcome {
    let mut rods = Rods::double_pendulum();
    let (sin, cos) = 0.3_f64.sin_cos();
    let start = [sin, -cos, 2.0 * sin, -2.0 * cos, 0.0, 0.0, 0.0, 0.0];
    let mut solver = begin(&fixed(Method::Rattle, 0.05), &rods, &start)?;
    let energy = rods.energy(&start);
    let mut parts = [0.0_f64; 2];
    // The first ten of four hundred periods of the slow mode, and all of them.
    for (part, time) in parts.iter_mut().zip([20.0, 800.0]) {
        watch(&mut *solver, &mut rods, time, |rods, _, x| {
            *part = part.max((rods.energy(x) - energy).abs());
        })?;
    }
    assert!(parts[0] > 1e-8, "nothing to see: {parts:?}");
    // A drift would make it forty times as large. Modes meet in other phases later on.
    assert!(parts[1] < 3.0 * parts[0], "{parts:?}");
    Ok(())
}

/// Amplitudes after each of so many steps of length one on a spring far too stiff for that: a frequency of ten thousand a step.
fn amplitudes(method: Method, spectral_radius: f64, steps: u32) -> Outcome<Vec<f64>> {
    let mut spring = Oscillator::new(1e8);
    let mut settings = fixed(method, 1.0);
    settings.mechanical.spectral_radius = spectral_radius;
    settings.mechanical.tolerance = Some(1e-6);
    let mut solver = begin(&settings, &spring, &[1.0, 0.0])?;
    let mut amplitudes = Vec::new();
    watch(&mut *solver, &mut spring, f64::from(steps), |_, _, x| {
        amplitudes.push(x[0].hypot(x[1] / 1e4))
    })?;
    Ok(amplitudes)
}

/// In the limit of stiff springs all three roots of generalised-alpha are the spectral radius, so that amplitudes go as
/// `n² ρⁿ`: between the steps 40 and 80 by `4 ρ⁴⁰` at the most, and by `ρ⁴⁰` at least.
#[test]
fn generalised_alpha_leaves_its_spectral_radius() -> Outcome {
    for rho in [0.6_f64, 0.8, 0.9] {
        let amplitudes = amplitudes(Method::GeneralizedAlpha, rho, 80)?;
        let left = amplitudes[79] / amplitudes[39];
        let expected = rho.powi(40);
        assert!(
            (0.5 * expected..8.0 * expected).contains(&left),
            "{rho}: {left:e}"
        );
    }
    Ok(())
}

#[test]
fn with_a_spectral_radius_of_zero_fast_oscillations_vanish_at_once() -> Outcome {
    let amplitudes = amplitudes(Method::GeneralizedAlpha, 0.0, 10)?;
    // Three roots of zero are gone after three steps, up to parts of one over the stiffness.
    assert!(amplitudes[4..].iter().all(|x| *x < 1e-5), "{amplitudes:?}");
    Ok(())
}

#[test]
fn the_trapezoidal_rule_damps_nothing() -> Outcome {
    let amplitudes = amplitudes(Method::Trapezoidal, 0.8, 1000)?;
    // The tolerance of 1e-6 lets a thousandth go astray in a thousand steps, at the worst.
    assert!(
        amplitudes.iter().all(|x| (x - 1.0).abs() < 2e-3),
        "{:?}",
        amplitudes.last()
    );
    Ok(())
}
