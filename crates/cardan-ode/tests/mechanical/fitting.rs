//! How a motion begins: positions and velocities that obey the constraints, near those that were given.

use cardan_ode::mechanical::{Fitting, Mechanics};

use crate::Outcome;
use crate::rods::{End, Rods};

const TOLERANCE: f64 = 1e-10;

fn fitting(rods: &Rods) -> Fitting {
    Fitting::new(rods.structure(), &vec![1.0; rods.structure().coordinates])
}

#[test]
fn bad_guesses_reach_the_constraints() -> Outcome {
    for guess in [
        [1.0, 0.1, 2.0, 0.2],
        [0.1, 0.0, 0.2, 0.1],
        [30.0, -20.0, -50.0, 4.0],
        [-0.01, 0.02, 7.0, -9.0],
    ] {
        let mut rods = Rods::double_pendulum();
        let mut q = guess;
        let fitted = fitting(&rods).positions(&mut rods, 0.0, &mut q, TOLERANCE);
        assert_eq!(fitted, Ok(()), "{guess:?} leads to {q:?}");
        assert!(rods.violation(0.0, &[q, [0.0; 4]].concat()) <= TOLERANCE);
    }
    Ok(())
}

#[test]
fn a_linkage_is_put_together() -> Outcome {
    let loops = 20;
    let mut rods = Rods::linkage(loops);
    let mut x = Rods::linkage_start(loops, 0.0);
    let n = rods.structure().coordinates;
    // Points scattered by a tenth of the rods' length.
    for (i, q) in x[..n].iter_mut().enumerate() {
        *q += 0.1 * (17.0 * i as f64).sin();
    }
    assert_eq!(
        fitting(&rods).positions(&mut rods, 0.0, &mut x[..n], TOLERANCE),
        Ok(())
    );
    assert!(rods.violation(0.0, &x) <= TOLERANCE);
    Ok(())
}

/// What weighs more moves less.
#[test]
fn weights_hold_coordinates() -> Outcome {
    let mut rods = Rods::double_pendulum();
    let mut fitting = Fitting::new(rods.structure(), &[1e4, 1e4, 1.0, 1.0]);
    // The first point obeys its rod, the second one hangs too low.
    let mut q = [1.0, 0.0, 1.0, -1.5];
    assert_eq!(fitting.positions(&mut rods, 0.0, &mut q, TOLERANCE), Ok(()));
    assert!(
        (q[0] - 1.0).hypot(q[1]) < 1e-3 && (q[3] + 1.0).abs() < 1e-3,
        "{q:?}"
    );
    Ok(())
}

/// Two nails three metres apart and a point that should be one metre from the first and half a metre from the second.
#[test]
fn contradictions_name_the_worst() -> Outcome {
    let mut rods = Rods::damped_pendulum(0.0).with_rod(End::Nail([3.0, 0.0]), End::Free(0), 0.5);
    let mut q = [1.0, 0.3];
    let unfit = fitting(&rods).positions(&mut rods, 0.0, &mut q, TOLERANCE).err();
    let unfit = unfit.ok_or("contradictions fit")?;
    let mut values = [0.0; 2];
    rods.constraints(0.0, &q, &mut values);
    let worst = usize::from(values[1].abs() > values[0].abs());
    assert_eq!(unfit.constraint, worst);
    assert_eq!(unfit.residual, values[worst].abs());
    assert!(unfit.residual > 0.1, "{unfit:?}");
    Ok(())
}

#[test]
fn what_is_not_a_number_fits_nothing() {
    let mut rods = Rods::double_pendulum();
    let mut q = [1.0, f64::NAN, 2.0, 0.0];
    assert!(
        fitting(&rods)
            .positions(&mut rods, 0.0, &mut q, TOLERANCE)
            .is_err()
    );
}

#[test]
fn velocities_follow_the_constraints() -> Outcome {
    let mut rods = Rods::double_pendulum();
    let q = [0.6, -0.8, 1.6, -0.8];
    let mut v = [1.0, 2.0, 3.0, -4.0];
    assert_eq!(
        fitting(&rods).velocities(&mut rods, 0.0, (&q, &mut v), TOLERANCE),
        Ok(())
    );
    assert!((0.6 * v[0] - 0.8 * v[1]).abs() <= TOLERANCE && (v[2] - v[0]).abs() <= TOLERANCE);
    // Once more changes nothing: they are the nearest already.
    let once = v;
    assert_eq!(
        fitting(&rods).velocities(&mut rods, 0.0, (&q, &mut v), TOLERANCE),
        Ok(())
    );
    assert_eq!(v, once);
    Ok(())
}

/// A support that is led takes its velocity from its way.
#[test]
fn velocities_of_supports_that_are_led() -> Outcome {
    let mut rods = Rods::led_pendulum(0.0, |t| [3.0 * t, 3.0, 0.0]);
    let mut v = [0.0; 4];
    let q = [0.0, 0.0, 0.0, -1.0];
    assert_eq!(
        fitting(&rods).velocities(&mut rods, 0.0, (&q, &mut v), TOLERANCE),
        Ok(())
    );
    assert!((v[0] - 3.0).abs() < TOLERANCE && v[1].abs() < TOLERANCE, "{v:?}");
    Ok(())
}
