//! The system as a right-hand side: accelerations, multipliers, and what keeps constraints from drifting.

use cardan_ode::mechanical::{Accelerations, Mechanics, Stabilization};

use crate::Outcome;
use crate::rods::{End, GRAVITY, Rods};

fn solve(rods: &mut Rods, x: &[f64], stabilization: Stabilization) -> Outcome<Accelerations> {
    let mut accelerations = Accelerations::new(rods.structure());
    accelerations
        .solve(rods, 0.0, x, stabilization)
        .map_err(|trouble| format!("{trouble:?}"))?;
    Ok(accelerations)
}

/// The gradient of x² + y² - 1 has the length two: half the weight is the multiplier.
#[test]
fn a_pendulum_at_rest_hangs_by_its_weight() -> Outcome {
    let mut rods = Rods::damped_pendulum(0.0);
    let found = solve(&mut rods, &[0.0, -1.0, 0.0, 0.0], Stabilization::None)?;
    // Corrections stop where they are rounding: 1e7 of weight lets seven digits go in one, none in several.
    assert!((2.0 * found.multipliers()[0] - GRAVITY).abs() < 1e-8);
    assert!(found.accelerations().iter().all(|a| a.abs() < 1e-8));
    assert_eq!(found.forces(), [0.0, -GRAVITY]);
    Ok(())
}

/// At the lowest point with speed v the rod bears weight and v².
#[test]
fn a_swinging_pendulum_pulls_harder() -> Outcome {
    let mut rods = Rods::damped_pendulum(0.0);
    let found = solve(&mut rods, &[0.0, -1.0, 3.0, 0.0], Stabilization::None)?;
    assert!((found.accelerations()[1] - 9.0).abs() < 1e-8);
    assert!((2.0 * found.multipliers()[0] - GRAVITY - 9.0).abs() < 1e-8);
    Ok(())
}

/// Rods given twice share the load.
#[test]
fn redundant_rods_share_the_load() -> Outcome {
    let mut rods = Rods::damped_pendulum(0.0).with_rod(End::Nail([0.0, 0.0]), End::Free(0), 1.0);
    let found = solve(&mut rods, &[0.0, -1.0, 0.0, 0.0], Stabilization::None)?;
    for multiplier in found.multipliers() {
        assert!((4.0 * multiplier - GRAVITY).abs() < 1e-8);
    }
    Ok(())
}

/// Second derivatives of the violation as accelerations give them: `Φq a + (Φq v)q v`.
fn violation(rods: &mut Rods, x: &[f64], found: &Accelerations) -> [f64; 3] {
    let n = rods.structure().coordinates;
    let (mut value, mut curvature, mut row) = ([0.0], [0.0], [0.0; 2]);
    rods.constraints(0.0, &x[..n], &mut value);
    rods.jacobian(0.0, &x[..n], &mut row);
    rods.curvatures(0.0, &x[..n], &x[n..2 * n], &mut curvature);
    let along = |x: &[f64]| row[0] * x[0] + row[1] * x[1];
    [
        value[0],
        along(&x[n..]),
        along(found.accelerations()) + curvature[0],
    ]
}

/// `Φ'' + 2 ω Φ' + ω² Φ = 0`: a critically damped oscillator.
#[test]
fn violations_die_out_with_the_frequency_of_baumgarte() -> Outcome {
    let mut rods = Rods::damped_pendulum(0.0);
    let x = [0.3, -1.1, 0.7, 0.4];
    for frequency in [1.0, 10.0, 100.0] {
        let found = solve(&mut rods, &x, Stabilization::Baumgarte { frequency })?;
        let [value, rate, second] = violation(&mut rods, &x, &found);
        let wanted = -2.0 * frequency * rate - frequency * frequency * value;
        // What is left of eight corrections is rounding of the wanted value, seven digits of which the weight may cost.
        assert!((second - wanted).abs() < 1e-8 * wanted.abs(), "{second} {wanted}");
    }
    Ok(())
}

/// The same for springs in place of multipliers, which give way by the load over the penalty.
#[test]
fn penalties_give_way_a_little() -> Outcome {
    let mut rods = Rods::damped_pendulum(0.0);
    let (x, frequency) = ([0.3, -1.1, 0.7, 0.4], 10.0);
    for factor in [1e3, 1e5] {
        let found = solve(&mut rods, &x, Stabilization::Penalty { factor, frequency })?;
        let [value, rate, second] = violation(&mut rods, &x, &found);
        let wanted = -2.0 * frequency * rate - frequency * frequency * value;
        // The load: what the rod would have to bear, no more than the forces that appear here over its gradient.
        let load = GRAVITY + wanted.abs();
        assert!((second - wanted).abs() < load / factor, "{second} {wanted}");
        assert!(
            (second - wanted).abs() > 1e-3 * load / factor,
            "{second} {wanted}"
        );
    }
    Ok(())
}
