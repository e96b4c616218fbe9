//! Random linear problems.

use crate::TOLERANCE;
use crate::problems::{Linear, solve};
use cardan_core::accel::{Aitken, Broyden, IqnIls, Newton, Relaxation};
use proptest::prelude::*;

fn entries(n: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1.0..1.0_f64, n)
}

fn solutions(n: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(1.0..2.0_f64, n)
}

/// `A` of which every row sums to `contraction` in size at most.
fn contractive() -> impl Strategy<Value = (Linear, f64)> {
    (1..7_usize, 0.1..0.8_f64).prop_flat_map(|(n, contraction)| {
        (entries(n * n), solutions(n)).prop_map(move |(mut matrix, solution)| {
            for row in matrix.chunks_exact_mut(n) {
                let sum: f64 = row.iter().map(|a| a.abs()).sum();
                row.iter_mut().for_each(|a| *a *= contraction / sum.max(1e-3));
            }
            (Linear::new(n, matrix, solution), contraction)
        })
    })
}

/// `1 − A` is one, plus a symmetric positive matrix, plus `skew` times a skew one: never singular, and GMRES gains in every
/// round (Eisenstat, Elman and Schultz 1983). The spectral radius of `A` grows with the size.
fn positive(skew: f64) -> impl Strategy<Value = Linear> {
    (1..6_usize, 1.0..5.0_f64).prop_flat_map(move |(n, size)| {
        (entries(n * n), entries(n * n), solutions(n)).prop_map(move |(root, turn, solution)| {
            let entry = |i: usize, j: usize| {
                let square: f64 = (0..n).map(|k| root[i * n + k] * root[j * n + k]).sum();
                -size * (square + skew * (turn[i * n + j] - turn[j * n + i]))
            };
            let matrix = (0..n * n).map(|ij| entry(ij / n, ij % n)).collect();
            Linear::new(n, matrix, solution)
        })
    })
}

proptest! {
    #[test]
    fn passing_values_on_contracts((problem, contraction) in contractive()) {
        let step = solve(&mut Relaxation::default(), &problem, TOLERANCE, 100);
        prop_assert!(step.converged);
        for pair in step.ratios.windows(2) {
            // Rounding of the residual against the tolerance, which is 1 here: 1e-16 / 1e-8, times some.
            prop_assert!(pair[1] <= contraction * pair[0] + 1e-6);
        }
    }

    #[test]
    fn iqn_ils_finds_it_in_two_proposals_more_than_values(problem in positive(0.5)) {
        let step = solve(&mut IqnIls::default(), &problem, TOLERANCE, problem.n + 2);
        prop_assert!(step.converged, "{step:?}");
    }

    #[test]
    fn broyden_finds_it_in_twice_as_many_moves_as_values(problem in positive(0.5)) {
        let step = solve(&mut Broyden::default(), &problem, TOLERANCE, 2 * problem.n);
        prop_assert!(step.converged, "{step:?}");
    }

    #[test]
    fn quasi_newton_methods_keep_what_contracts((problem, _) in contractive()) {
        prop_assert!(solve(&mut IqnIls::default(), &problem, TOLERANCE, problem.n + 2).converged);
        prop_assert!(solve(&mut Broyden::default(), &problem, TOLERANCE, 2 * problem.n).converged);
    }

    #[test]
    fn newton_finds_it_at_once(problem in positive(0.5)) {
        let step = solve(&mut Newton::default(), &problem, TOLERANCE, 1);
        prop_assert!(step.converged, "{step:?}");
    }

    /// Symmetric: steps of Barzilai and Borwein, which converge (Raydan 1993), though not with a bound on their number.
    #[test]
    fn aitken_finds_symmetric_ones(problem in positive(0.0)) {
        let step = solve(&mut Aitken::default(), &problem, TOLERANCE, 1000);
        prop_assert!(step.converged, "{step:?}");
    }
}
