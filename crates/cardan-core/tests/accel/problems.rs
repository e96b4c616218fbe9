//! Problems with known fixed points, and a master in small.

use cardan_core::accel::{Accelerator, Convergence, NoProposal};
use std::f64::consts::PI;

/// `x = A x + b`, with the solution it was made for.
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    pub n: usize,
    /// `A`, row by row.
    pub matrix: Vec<f64>,
    pub b: Vec<f64>,
    pub solution: Vec<f64>,
}

impl Linear {
    pub(crate) fn new(n: usize, matrix: Vec<f64>, solution: Vec<f64>) -> Self {
        let reaction = product(n, &matrix, &solution);
        let b = solution.iter().zip(reaction).map(|(x, ax)| x - ax).collect();
        Linear {
            n,
            matrix,
            b,
            solution,
        }
    }

    pub(crate) fn image(&self, x: &[f64]) -> Vec<f64> {
        let reaction = product(self.n, &self.matrix, x);
        reaction.iter().zip(&self.b).map(|(ax, b)| ax + b).collect()
    }

    /// The largest residual at zero, where tests start.
    pub(crate) fn first_residual(&self) -> f64 {
        self.b.iter().fold(0.0, |worst: f64, b| worst.max(b.abs()))
    }
}

fn product(n: usize, matrix: &[f64], x: &[f64]) -> Vec<f64> {
    let row = |i: usize| matrix[i * n..(i + 1) * n].iter().zip(x).map(|(a, x)| a * x).sum();
    (0..n).map(row).collect()
}

/// Entry `i` of the mode `k` of a chain of `n` equal springs between two walls: orthonormal for `k` from one to `n`.
pub(crate) fn mode(n: usize, k: usize, i: usize) -> f64 {
    let phase = PI * (k * (i + 1)) as f64 / (n + 1) as f64;
    (2.0 / (n + 1) as f64).sqrt() * phase.sin()
}

/// `A` with these eigenvalues (zero beyond them) for the modes of a chain.
pub(crate) fn with_eigenvalues(n: usize, eigenvalues: &[f64]) -> Vec<f64> {
    let entry = |i, j| -> f64 {
        let modes = eigenvalues.iter().enumerate();
        modes
            .map(|(k, e)| e * mode(n, k + 1, i) * mode(n, k + 1, j))
            .sum()
    };
    (0..n * n).map(|ij| entry(ij / n, ij % n)).collect()
}

/// A solution without symmetry: every mode takes part.
pub(crate) fn some_values(n: usize) -> Vec<f64> {
    (0..n)
        .map(|i| 1.0 + 0.3 * i as f64 + 0.07 * (i * i) as f64)
        .collect()
}

/// A body cut into two parts, each a chain of springs, one `alpha` times as stiff as the other. The displacement that
/// one returns for the force of the other is `−alpha` times what was assumed in the worst mode, less in the others.
pub(crate) fn springs(n: usize, alpha: f64) -> Linear {
    let stiffness = |k: usize| 2.0 - 2.0 * (PI * k as f64 / (n + 1) as f64).cos();
    let eigenvalues: Vec<f64> = (1..=n).map(|k| -alpha * stiffness(k) / stiffness(n)).collect();
    Linear::new(n, with_eigenvalues(n, &eigenvalues), some_values(n))
}

/// How a step went.
#[derive(Debug)]
pub(crate) struct Step {
    pub x: Vec<f64>,
    pub converged: bool,
    /// How often the next values were proposed: one less than evaluations if it converged.
    pub proposals: usize,
    /// The measure of each round that is kept.
    pub ratios: Vec<f64>,
}

/// What a master does in one step: evaluates, measures, proposes. It does not accept.
pub(crate) fn attempt(
    method: &mut dyn Accelerator,
    start: &[f64],
    absolute: f64,
    limit: usize,
    image_of: &mut dyn FnMut(&[f64]) -> Vec<f64>,
    jacobian: &dyn Fn(&[f64]) -> Vec<f64>,
) -> Result<(Step, Vec<f64>), NoProposal> {
    let n = start.len();
    let mut convergence = Convergence::new(0.0, vec![absolute; n]);
    method.begin(&vec![1.0; n]);
    let mut x = start.to_vec();
    let mut next = vec![0.0; n];
    let mut proposals = 0;
    loop {
        let image = image_of(&x);
        let converged = convergence.measure(&x, &image).converged();
        if converged || proposals == limit {
            let ratios = convergence.history().ratios().to_vec();
            let step = Step {
                x,
                converged,
                proposals,
                ratios,
            };
            return Ok((step, image));
        }
        if method.needs_jacobian(&x, &image) {
            method.set_jacobian(&jacobian(&x))?;
        }
        method.propose(&x, &image, &mut next)?;
        proposals += 1;
        x.copy_from_slice(&next);
    }
}

/// A step of a linear problem from zero, accepted if it converged to `tolerance` times the first residual.
pub(crate) fn solve(method: &mut dyn Accelerator, problem: &Linear, tolerance: f64, limit: usize) -> Step {
    let absolute = tolerance * problem.first_residual();
    let jacobian = |_: &[f64]| problem.matrix.clone();
    let start = vec![0.0; problem.n];
    let (step, image) = attempt(
        method,
        &start,
        absolute,
        limit,
        &mut |x| problem.image(x),
        &jacobian,
    )
    .expect("a linear problem has proposals");
    if step.converged {
        method.accept(&step.x, &image);
    }
    step
}
