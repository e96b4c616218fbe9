//! Methods for fixed points, held against what theory says of them.
//!
//! Bounds on counts are those of exact arithmetic. They are checked where rounding cannot matter: the residual is to fall
//! by eight digits (`TOLERANCE`) out of sixteen, and what the problems and the methods amplify, stiffness ratios and
//! condition numbers, takes less than the other eight.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod manners;
mod problems;
mod random;
mod resumed;

use cardan_core::accel::{
    Accelerator, Aitken, AitkenSettings, Broyden, BroydenSettings, IqnIls, IqnIlsSettings, Newton, Relaxation,
};
use cardan_testkit::allocation::CountingAllocator;
use problems::{Linear, attempt, solve, some_values, springs, with_eigenvalues};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// By how much the residual has to fall.
const TOLERANCE: f64 = 1e-8;
/// Stiffness ratios: one where passing values on converges, one where it just does not, one far beyond.
const RATIOS: [f64; 3] = [0.6, 2.0, 31.0];

#[test]
fn aitken_is_exact_after_two_evaluations_of_a_linear_scalar() {
    for a in [-31.0, -2.0, -0.6, 0.0, 0.5, 3.0, 31.0] {
        let mut aitken = Aitken::default();
        let mut next = [0.0];
        aitken.begin(&[1.0]);
        aitken.propose(&[0.0], &[1.0], &mut next).unwrap();
        assert_eq!(next, [0.5], "the first factor");
        let x = next;
        aitken.propose(&x, &[a * x[0] + 1.0], &mut next).unwrap();
        // A dozen roundings, amplified by the slope of the residual, which is at most 32.
        let error = next[0] - 1.0 / (1.0 - a);
        assert!(error.abs() <= 12.0 * 32.0 * f64::EPSILON, "{a}: {error:e}");
        assert!((aitken.factor() - 1.0 / (1.0 - a)).abs() <= 12.0 * 32.0 * f64::EPSILON);
    }
}

#[test]
fn passing_values_on_converges_exactly_where_the_spectral_radius_is_below_one() {
    for n in [1, 6] {
        for alpha in RATIOS {
            let step = solve(&mut Relaxation::new(1.0), &springs(n, alpha), TOLERANCE, 60);
            assert_eq!(step.converged, alpha < 1.0, "{n} {alpha}");
            // In the end each round multiplies the residual by the radius.
            let [.., before, last] = step.ratios[..] else {
                panic!("too few rounds");
            };
            assert!((last / before / alpha - 1.0).abs() < 0.05, "{}", last / before);
        }
    }
}

#[test]
fn a_small_factor_cures_a_negative_spectrum() {
    // The eigenvalues of 1 − ω (1 − A) lie between 1 − ω and 1 − ω (1 + alpha): inside the circle for ω < 2 / (1 + alpha).
    for alpha in RATIOS {
        let problem = springs(6, alpha);
        for (part, converges) in [(0.9, true), (1.1, false)] {
            let omega = part * 2.0 / (1.0 + alpha);
            let step = solve(&mut Relaxation::new(omega), &problem, TOLERANCE, 1500);
            assert_eq!(step.converged, converges, "{alpha} {omega}");
        }
    }
}

#[test]
fn aitken_converges_for_springs_of_any_ratio() {
    for alpha in RATIOS {
        // One value: the third evaluation finds nothing left to do.
        assert_eq!(
            solve(&mut Aitken::default(), &springs(1, alpha), TOLERANCE, 9).proposals,
            2
        );
        // More: 1 − A is symmetric and positive, where steps of Barzilai and Borwein converge (Raydan 1993). The theorem
        // gives no count; the limit is what steepest descent needs at the worst, ln(1e8) (1 + alpha) / 2 or less.
        let limit = (0.5 * 1e8_f64.ln() * (1.0 + alpha)).ceil() as usize;
        let step = solve(&mut Aitken::default(), &springs(6, alpha), TOLERANCE, limit);
        assert!(step.converged, "{alpha}: {step:?}");
    }
}

#[test]
fn broyden_needs_at_most_twice_as_many_moves_as_values() {
    for n in [1, 2, 3, 6] {
        for alpha in RATIOS {
            let step = solve(&mut Broyden::default(), &springs(n, alpha), TOLERANCE, 2 * n);
            assert!(step.converged, "{n} {alpha}: {step:?}");
            assert_near(&step.x, &springs(n, alpha).solution);
        }
    }
}

#[test]
fn iqn_ils_needs_at_most_two_proposals_more_than_the_rank() {
    for n in [1, 2, 3, 6] {
        for alpha in RATIOS {
            let step = solve(&mut IqnIls::default(), &springs(n, alpha), TOLERANCE, n + 2);
            assert!(step.converged, "{n} {alpha}: {step:?}");
            assert_near(&step.x, &springs(n, alpha).solution);
        }
    }
    // Many values, few modes that react.
    let (n, eigenvalues) = (40, [-31.0, 3.0, -2.0]);
    let problem = Linear::new(n, with_eigenvalues(n, &eigenvalues), some_values(n));
    let step = solve(&mut IqnIls::default(), &problem, TOLERANCE, eigenvalues.len() + 2);
    assert!(step.converged, "{step:?}");
    assert_near(&step.x, &problem.solution);
}

#[test]
fn newton_solves_a_linear_problem_with_one_proposal() {
    for n in [1, 6] {
        for alpha in RATIOS {
            let step = solve(&mut Newton::default(), &springs(n, alpha), TOLERANCE, 10);
            assert_eq!(step.proposals, 1, "{step:?}");
            assert_near(&step.x, &springs(n, alpha).solution);
        }
    }
}

/// The residual is below `TOLERANCE` of the first one, and `1 − A` of all problems here has eigenvalues of size one or
/// more (2 for the eigenvalue 3), so the error is no larger than the residual, in the 2-norm.
fn assert_near(x: &[f64], solution: &[f64]) {
    // The first residual is at most 32 times the solution.
    let bound = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
    let difference: Vec<f64> = x.iter().zip(solution).map(|(x, s)| x - s).collect();
    let n = x.len() as f64;
    assert!(bound(&difference) <= 32.0 * n.sqrt() * TOLERANCE * bound(solution));
}

#[test]
fn dependent_columns_are_passed_over() {
    // The same problem again and again, from other starts: six directions, and many columns.
    let n = 6;
    let mut method = IqnIls::new(IqnIlsSettings {
        reuse: 100,
        ..IqnIlsSettings::default()
    });
    let problem = springs(n, 2.0);
    for round in 0..5 {
        let start: Vec<f64> = (0..n).map(|i| ((i + 3 * round) % 5) as f64).collect();
        let absolute = TOLERANCE * problem.first_residual();
        let matrix = |_: &[f64]| problem.matrix.clone();
        let mut image_of = |x: &[f64]| problem.image(x);
        let (step, image) = attempt(&mut method, &start, absolute, n + 2, &mut image_of, &matrix).unwrap();
        assert!(step.converged, "{step:?}");
        // All six directions are known from the first step: one proposal, and one more to work off what the least-squares
        // model loses to its filter.
        assert!(round == 0 || step.proposals <= 2, "{step:?}");
        method.accept(&step.x, &image);
        assert!(method.used() <= n);
    }
    assert!(method.columns() > n, "{}", method.columns());

    // Twice the same column, exactly: there and back again.
    let mut method = IqnIls::default();
    let mut next = [0.0; 2];
    method.begin(&[1.0; 2]);
    let (here, there) = ([0.0, 0.0], [1.0, 2.0]);
    let image = |x: &[f64; 2]| [1.0 - 3.0 * x[0], 2.0 - 3.0 * x[1]];
    for x in [here, there, here, there] {
        method.propose(&x, &image(&x), &mut next).unwrap();
    }
    assert_eq!((method.columns(), method.used()), (3, 1));
    // The one column holds all that matters here: the residual is along it.
    assert!((next[0] - 0.25).abs() < 1e-15 && (next[1] - 0.5).abs() < 1e-15);
}

#[test]
fn noise_does_not_pass_the_filter() {
    // There and back again as above, but what comes out the second time is off by `noise` across the way. The second
    // column is then the first one but for that part, a direction of which nothing is known.
    let noise = 1e-9;
    let evaluations = [
        ([0.0, 0.0], [1.0, 2.0]),
        ([1.0, 2.0], [-2.0 - 2.0 * noise, -4.0 + noise]),
        ([0.0, 0.0], [1.0, 2.0]),
        ([1.0, 2.0], [-2.0, -4.0]),
    ];
    for (filter, used) in [(1e-6, 1), (1e-12, 2)] {
        let mut method = IqnIls::new(IqnIlsSettings {
            filter,
            ..IqnIlsSettings::default()
        });
        let mut next = [0.0; 2];
        method.begin(&[1.0; 2]);
        for (x, image) in evaluations {
            method.propose(&x, &image, &mut next).unwrap();
        }
        assert_eq!((method.columns(), method.used()), (3, used));
    }
}

#[test]
fn the_oldest_columns_make_room() {
    let mut method = IqnIls::new(IqnIlsSettings {
        columns: 3,
        ..IqnIlsSettings::default()
    });
    // With three columns at hand it is GMRES with restarts of a kind; 1 − A is symmetric and positive, it still converges.
    let step = solve(&mut method, &springs(6, 0.6), TOLERANCE, 60);
    assert!(step.converged);
    assert_eq!(method.columns(), 3);
    let mut none = IqnIls::new(IqnIlsSettings {
        columns: 0,
        ..IqnIlsSettings::default()
    });
    // Without columns it is relaxation: 1 − 0.5 (1 + 0.6) = 0.2 and 1 − 0.5 = 0.5 bound the factor of each round.
    let rounds = (TOLERANCE.ln() / 0.5_f64.ln()).ceil() as usize + 2;
    assert!(solve(&mut none, &springs(6, 0.6), TOLERANCE, rounds).converged);
}

#[test]
fn columns_last_for_as_many_steps_as_asked() {
    let problem = springs(4, 2.0);
    let columns_after_steps = |reuse| {
        let mut method = IqnIls::new(IqnIlsSettings {
            reuse,
            ..IqnIlsSettings::default()
        });
        let mut brought = Vec::new();
        for _ in 0..4 {
            brought.push(solve(&mut method, &problem, TOLERANCE, 6).proposals);
            // A step that has converged before it began brings nothing, and makes nothing older.
            method.begin(&[1.0; 4]);
            method.accept(&problem.solution, &problem.solution);
        }
        (brought, method.columns())
    };
    for reuse in [0, 1, 2, 9] {
        let (brought, columns) = columns_after_steps(reuse);
        // Each proposal leads to one more evaluation, and that to a column.
        let expected = brought.iter().rev().take(reuse).sum::<usize>();
        assert_eq!(columns, expected, "{reuse}: {brought:?}");
    }
}

#[test]
fn moves_within_rounding_teach_nothing() {
    // One unit in the last place further, the residual is quite another: noise.
    let (x, moved) = ([1.0], [1.0 + f64::EPSILON]);
    let (image, noise) = ([2.0], [3.0]);
    let mut next = [0.0];
    let mut aitken = Aitken::default();
    let mut broyden = Broyden::default();
    let mut ils = IqnIls::default();
    let methods: [&mut dyn Accelerator; 3] = [&mut aitken, &mut broyden, &mut ils];
    for (method, first) in methods.into_iter().zip([0.5, 1.0, 0.5]) {
        method.begin(&[1.0]);
        method.propose(&x, &image, &mut next).unwrap();
        method.propose(&moved, &noise, &mut next).unwrap();
        assert_eq!(next[0], moved[0] + first * (noise[0] - moved[0]));
    }
    assert_eq!((aitken.factor(), ils.columns()), (0.5, 0));
}

#[test]
fn a_residual_that_hardly_changes_does_not_throw_broyden_far() {
    let mut broyden = Broyden::default();
    let mut next = [0.0];
    // A move of one changed the residual by rounding: believed, it would lead to 10¹⁵. The determinant may shrink by 10⁶.
    for change in [4.0 * f64::EPSILON, -4.0 * f64::EPSILON, 0.0] {
        broyden.begin(&[1.0]);
        broyden.propose(&[0.0], &[1.0], &mut next).unwrap();
        broyden.propose(&[1.0], &[2.0 + change], &mut next).unwrap();
        let thrown = (next[0] - 1.0).abs();
        assert!((thrown / 1e6 - 1.0).abs() < 1e-8, "{change:e}: {thrown:e}");
    }
}

/// Stiffness and load change by a percent or so from step to step.
fn slowly_varying(step: usize) -> Linear {
    let t = 0.1 * step as f64;
    let mut problem = springs(6, 2.0 * (1.0 + 0.1 * t.sin()));
    problem.b.iter_mut().for_each(|b| *b *= t.cos());
    problem
}

fn proposals_of_steps(method: &mut dyn Accelerator) -> Vec<usize> {
    let steps = (0..10).map(|step| solve(method, &slowly_varying(step), TOLERANCE, 100));
    steps
        .map(|step| {
            assert!(step.converged);
            step.proposals
        })
        .collect()
}

#[test]
fn what_earlier_steps_taught_saves_rounds() {
    let ils = |reuse| {
        IqnIls::new(IqnIlsSettings {
            reuse,
            ..IqnIlsSettings::default()
        })
    };
    let broyden = |reuse| {
        Broyden::new(BroydenSettings {
            reuse,
            ..BroydenSettings::default()
        })
    };
    let pairs: [(Box<dyn Accelerator>, Box<dyn Accelerator>); 2] = [
        (Box::new(ils(0)), Box::new(ils(8))),
        (Box::new(broyden(false)), Box::new(broyden(true))),
    ];
    for (mut without, mut with) in pairs {
        let without = proposals_of_steps(&mut *without);
        let with = proposals_of_steps(&mut *with);
        assert_eq!(with[0], without[0], "the first step has nothing to reuse");
        // Six modes have to be learnt without reuse. With it the model is off by a percent and each round of the
        // eight digits wins about two.
        for (with, without) in with.iter().zip(&without).skip(1) {
            assert!(with < without, "{with} {without}");
        }
    }
}

#[test]
fn aitken_begins_with_the_last_factor_in_limits() {
    let mut aitken = Aitken::default();
    let factor_after = |aitken: &mut Aitken, a: f64| {
        let problem = Linear::new(1, vec![a], vec![1.0]);
        assert!(solve(aitken, &problem, TOLERANCE, 10).converged);
        aitken.begin(&[1.0]);
        aitken.factor()
    };
    assert!((factor_after(&mut aitken, -3.0) - 0.25).abs() < 1e-12);
    // 1 / (1 − 0.9) = 10 is too bold to begin with.
    assert_eq!(factor_after(&mut aitken, 0.9), 1.0);
    assert!((factor_after(&mut aitken, 3.0) + 0.5).abs() < 1e-12);
    let mut cautious = Aitken::new(AitkenSettings {
        largest: 0.2,
        ..AitkenSettings::default()
    });
    let mut next = [0.0];
    cautious.begin(&[1.0]);
    cautious.propose(&[0.0], &[1.0], &mut next).unwrap();
    cautious.propose(&[0.5], &[1.25], &mut next).unwrap();
    assert_eq!(cautious.factor(), 0.2);
}

#[test]
fn the_cosine_meets_its_argument() {
    // The digits of the fixed point of cos are well known.
    const DOTTIE: f64 = 0.739_085_133_215_160_6;
    for (name, mut method) in manners::methods() {
        let image = |x: &[f64]| vec![x[0].cos()];
        let slope = |x: &[f64]| vec![-x[0].sin()];
        let (step, _) = attempt(&mut *method, &[1.0], 1e-12, 80, &mut { image }, &slope).unwrap();
        assert!(step.converged, "{name}: {step:?}");
        // The residual falls by 1 + sin 0.739 > 1.6 for each unit of error.
        assert!((step.x[0] - DOTTIE).abs() < 1e-12, "{name}: {:?}", step.x);
        // Secants converge with order 1.6: from 0.3 to 1e-12 in 6 rounds once they are under way. Newton keeps its
        // derivatives while each round gains a digit, and there are twelve.
        let most = match name {
            "passing on" | "relaxation" => 80,
            "Newton" => 12,
            _ => 8,
        };
        assert!(step.proposals <= most, "{name}: {}", step.proposals);
    }
}

#[test]
fn a_stiffening_spring_with_a_known_solution() {
    // Two coupled values; the second part stiffens with the cube of the displacement. With d = x − (1, 2) the image is
    // x − (1, 2) = −(2 d₀ + 0.5 d₁ + d₀³, 0.5 d₀ + 3 d₁ + d₁³): zero at d = 0, and nowhere else, for 1 + (the reaction)
    // grows with d.
    let image = |x: &[f64]| {
        let d = [x[0] - 1.0, x[1] - 2.0];
        let force = [
            2.0 * d[0] + 0.5 * d[1] + d[0].powi(3),
            0.5 * d[0] + 3.0 * d[1] + d[1].powi(3),
        ];
        vec![1.0 - force[0], 2.0 - force[1]]
    };
    let slopes = |x: &[f64]| {
        let d = [x[0] - 1.0, x[1] - 2.0];
        vec![-2.0 - 3.0 * d[0] * d[0], -0.5, -0.5, -3.0 - 3.0 * d[1] * d[1]]
    };
    for (name, mut method) in manners::methods() {
        let start = [0.5, 1.4];
        let result = attempt(&mut *method, &start, 1e-10, 60, &mut { image }, &slopes);
        let expected = !name.starts_with("passing on") && name != "relaxation";
        let converged = matches!(&result, Ok((step, _)) if step.converged);
        assert_eq!(converged, expected, "{name}: {result:?}");
        if let (true, Ok((step, _))) = (expected, result) {
            // 1 − ∂G/∂x is at least 1 + 2 − 0.5 in the 2-norm: the error is less than the residual.
            assert!((step.x[0] - 1.0).abs() < 2e-10 && (step.x[1] - 2.0).abs() < 2e-10);
        }
    }
}
