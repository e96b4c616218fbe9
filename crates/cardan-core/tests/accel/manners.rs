//! What every method has to observe, whatever its mathematics.

use crate::problems::{Linear, attempt, solve, some_values, springs};
use cardan_core::accel::{Accelerator, Aitken, Broyden, Convergence, IqnIls, Newton, NoProposal, Relaxation};
use cardan_testkit::allocation::allocations;
use std::cell::Cell;

pub(crate) fn methods() -> Vec<(&'static str, Box<dyn Accelerator>)> {
    vec![
        ("passing on", Box::new(Relaxation::default())),
        ("relaxation", Box::new(Relaxation::new(0.5))),
        ("Aitken", Box::new(Aitken::default())),
        ("Broyden", Box::new(Broyden::default())),
        ("IQN-ILS", Box::new(IqnIls::default())),
        ("Newton", Box::new(Newton::default())),
    ]
}

fn matrix_of(problem: &Linear) -> impl Fn(&[f64]) -> Vec<f64> {
    |_| problem.matrix.clone()
}

/// All the values at which a method evaluates in a step.
pub(crate) fn path(method: &mut dyn Accelerator, problem: &Linear, rounds: usize) -> Vec<Vec<f64>> {
    let mut path = Vec::new();
    let mut image_of = |x: &[f64]| {
        path.push(x.to_vec());
        problem.image(x)
    };
    let start = vec![0.0; problem.n];
    let (step, image) = attempt(method, &start, 0.0, rounds, &mut image_of, &matrix_of(problem)).unwrap();
    method.accept(&step.x, &image);
    path
}

#[test]
fn a_step_that_was_not_accepted_leaves_no_trace() {
    for ((name, mut straight), (_, mut detour)) in methods().into_iter().zip(methods()) {
        for method in [&mut straight, &mut detour] {
            path(&mut **method, &springs(4, 2.0), 4);
        }
        // A longer step, a stiffer problem; it is thrown away after some rounds. Newton's factors are kept on purpose.
        let rejected = springs(4, if name == "Newton" { 2.0 } else { 9.0 });
        let matrix = matrix_of(&rejected);
        attempt(
            &mut *detour,
            &[1.0; 4],
            0.0,
            3,
            &mut |x| rejected.image(x),
            &matrix,
        )
        .unwrap();
        let again = springs(4, 1.5);
        assert_eq!(
            path(&mut *straight, &again, 4),
            path(&mut *detour, &again, 4),
            "{name}"
        );
    }
}

#[test]
fn an_evaluation_that_is_not_finite_is_named_and_leaves_no_trace() {
    let problem = springs(3, 0.6);
    for ((name, mut clean), (_, mut method)) in methods().into_iter().zip(methods()) {
        for method in [&mut clean, &mut method] {
            method.begin(&[1.0; 3]);
            method.set_jacobian(&problem.matrix).unwrap();
        }
        let (mut x, mut next, mut other) = ([0.0; 3], [0.0; 3], [0.0; 3]);
        for _ in 0..3 {
            let image = problem.image(&x);
            clean.propose(&x, &image, &mut next).unwrap();
            for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                let broken = [image[0], bad, image[2]];
                let second = Err(NoProposal::NotFinite { variable: 1 });
                assert_eq!(method.propose(&x, &broken, &mut other), second, "{name}");
                let nowhere = [x[0], bad, x[2]];
                assert_eq!(method.propose(&nowhere, &image, &mut other), second, "{name}");
            }
            method.propose(&x, &image, &mut other).unwrap();
            assert_eq!(next, other, "{name}");
            x = next;
        }
        method.accept(&x, &[f64::NAN; 3]);
        method.begin(&[1.0; 3]);
        method.propose(&x, &problem.image(&x), &mut other).unwrap();
        assert!(other.iter().all(|value| value.is_finite()), "{name}");
    }
}

#[test]
fn numbers_at_the_end_of_their_range_are_reported() {
    for (name, mut method) in methods() {
        method.begin(&[1.0]);
        method.set_jacobian(&[0.0]).unwrap();
        let mut next = [0.0];
        let far = method.propose(&[-f64::MAX], &[f64::MAX], &mut next);
        assert_eq!(far, Err(NoProposal::NotFinite { variable: 0 }), "{name}");
    }
}

#[test]
fn no_residual_no_move() {
    for (name, mut method) in methods() {
        // At once, and with something learnt.
        for problem in [springs(3, 0.6), springs(3, 2.0)] {
            method.begin(&[1.0; 3]);
            method.set_jacobian(&problem.matrix).unwrap();
            let x = some_values(3);
            let mut next = [0.0; 3];
            for _ in 0..3 {
                method.propose(&x, &x, &mut next).unwrap();
                assert_eq!(next, x[..], "{name}");
            }
            path(&mut *method, &problem, 4);
        }
    }
}

#[test]
fn nothing_to_solve_and_one_value() {
    for (name, mut method) in methods() {
        method.begin(&[]);
        method.set_jacobian(&[]).unwrap();
        for _ in 0..3 {
            method.propose(&[], &[], &mut []).unwrap();
        }
        method.accept(&[], &[]);
        // The size may change: all that was learnt is then of no use.
        let problem = springs(1, 0.6);
        assert!(solve(&mut *method, &problem, 1e-8, 60).converged, "{name}");
        assert!(
            solve(&mut *method, &springs(3, 0.6), 1e-8, 60).converged,
            "{name}"
        );
        assert!(solve(&mut *method, &problem, 1e-8, 60).converged, "{name}");
    }
}

#[test]
fn wrong_sizes_are_refused() {
    for (name, mut method) in methods() {
        method.begin(&[1.0; 2]);
        method.set_jacobian(&[0.0; 4]).unwrap();
        let wrong = Err(NoProposal::Size {
            expected: 2,
            given: 3,
        });
        let mut next = [0.0; 3];
        assert_eq!(
            method.propose(&[0.0; 3], &[0.0; 2], &mut next[..2]),
            wrong,
            "{name}"
        );
        assert_eq!(
            method.propose(&[0.0; 2], &[0.0; 3], &mut next[..2]),
            wrong,
            "{name}"
        );
        assert_eq!(method.propose(&[0.0; 2], &[0.0; 2], &mut next), wrong, "{name}");
    }
}

#[test]
fn units_do_not_matter() {
    // Millimetres beside newtons: powers of two instead of ten, so that every number is the same but for its exponent.
    // Newton's pivots may differ, but it needs no scales.
    let n = 4;
    let unit = |i: usize| (-12.0 * i as f64).exp2();
    let plain = springs(n, 2.0);
    let matrix = (0..n * n).map(|ij| plain.matrix[ij] * unit(ij / n) / unit(ij % n));
    let scaled = Linear {
        matrix: matrix.collect(),
        b: (0..n).map(|i| plain.b[i] * unit(i)).collect(),
        ..plain.clone()
    };
    let scales: Vec<f64> = (0..n).map(unit).collect();
    for ((name, mut one), (_, mut other)) in methods().into_iter().zip(methods()) {
        if name == "Newton" {
            continue;
        }
        one.begin(&[1.0; 4]);
        other.begin(&scales);
        let (mut x, mut next, mut y, mut after) = ([0.0; 4], [0.0; 4], [0.0; 4], [0.0; 4]);
        for _ in 0..2 * n {
            one.propose(&x, &plain.image(&x), &mut next).unwrap();
            other.propose(&y, &scaled.image(&y), &mut after).unwrap();
            (x, y) = (next, after);
            for i in 0..n {
                assert_eq!(x[i] * unit(i), y[i], "{name}");
            }
        }
    }
}

#[test]
fn scales_that_are_none_are_taken_as_one() {
    for (name, mut method) in methods() {
        for scales in [[0.0; 2], [f64::NAN; 2], [f64::INFINITY; 2], [-1.0; 2]] {
            method.begin(&scales);
            method.set_jacobian(&[0.0; 4]).unwrap();
            let mut next = [0.0; 2];
            for x in [[0.0, 0.0], [1.0, 1.0], [1.0, 2.0]] {
                method.propose(&x, &[2.0, 1.0], &mut next).unwrap();
            }
            assert!(next.iter().all(|value| value.is_finite()), "{name}");
        }
    }
}

#[test]
fn a_residual_that_does_not_react_keeps_the_values_finite() {
    // x = x + 1 has no solution; derivatives of the residual are zero.
    for (name, mut method) in methods() {
        method.begin(&[1.0; 2]);
        if name == "Newton" {
            let ones = method.set_jacobian(&[1.0, 0.0, 0.0, 1.0]);
            assert_eq!(ones, Err(NoProposal::Singular));
            let none = method.propose(&[0.0; 2], &[1.0; 2], &mut [0.0; 2]);
            assert_eq!(none, Err(NoProposal::NoJacobian));
            continue;
        }
        let (mut x, mut next) = ([0.0; 2], [0.0; 2]);
        for _ in 0..30 {
            let image = [x[0] + 1.0, x[1] + 1.0];
            method.propose(&x, &image, &mut next).unwrap();
            x = next;
        }
    }
}

#[test]
fn derivatives_that_are_not_finite_are_refused() {
    let mut newton = Newton::default();
    newton.begin(&[1.0; 2]);
    // Above the diagonal, where no pivot would notice.
    assert_eq!(
        newton.set_jacobian(&[0.0, f64::NAN, 0.0, 0.0]),
        Err(NoProposal::Singular)
    );
    assert!(!newton.has_jacobian());
}

#[test]
fn newton_asks_for_derivatives_only_when_they_no_longer_do() {
    let mut newton = Newton::default();
    let asked = Cell::new(0);
    for step in 0..20 {
        let problem = springs(3, 2.0 + 0.01 * f64::from(step));
        let counted = |_: &[f64]| {
            asked.set(asked.get() + 1);
            problem.matrix.clone()
        };
        // In the worst mode the derivatives are off by 0.19 or less against 3: each round multiplies the residual by
        // 0.064 or less, which is below the tenth that calls for new ones. Eight digits are seven such rounds.
        let bound = 1e-8 * problem.first_residual();
        let mut image_of = |x: &[f64]| problem.image(x);
        let (step, _) = attempt(&mut newton, &[0.0; 3], bound, 7, &mut image_of, &counted).unwrap();
        assert!(step.converged, "{step:?}");
    }
    assert_eq!(asked.get(), 1);
    // Derivatives of quite another problem are noticed after one round.
    let other = springs(3, 9.0);
    assert!(solve(&mut newton, &other, 1e-8, 2).converged);
}

#[test]
fn no_allocation_after_the_first_begin() {
    let problems: Vec<Linear> = (0..20).map(|i| springs(5, 0.3 + 0.1 * f64::from(i))).collect();
    for (name, mut method) in methods() {
        let mut convergence = Convergence::new(1e-9, vec![1e-9; 5]);
        let (mut x, mut image, mut next, mut scales) = ([0.0; 5], [0.0; 5], [0.0; 5], [1.0; 5]);
        method.begin(&scales);
        let count = allocations(|| {
            for problem in &problems {
                convergence.begin();
                method.begin(&scales);
                method.set_jacobian(&problem.matrix).unwrap();
                x.fill(0.0);
                // More rounds than the history of residuals keeps.
                for _ in 0..100 {
                    for (i, image) in image.iter_mut().enumerate() {
                        let row = &problem.matrix[5 * i..5 * (i + 1)];
                        *image = problem.b[i] + row.iter().zip(&x).map(|(a, x)| a * x).sum::<f64>();
                    }
                    convergence.measure(&x, &image);
                    method.propose(&x, &image, &mut next).unwrap();
                    x = next;
                }
                for (scale, bound) in scales.iter_mut().zip(convergence.bounds(&image)) {
                    *scale = bound;
                }
                method.accept(&x, &image);
            }
        });
        assert_eq!(count, 0, "{name}");
    }
}
