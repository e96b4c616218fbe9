//! The exponential of a matrix and its inverse, the logarithm.

use super::Matrix;

/// Terms of the series; with a norm below a half the last is below rounding.
const TERMS: usize = 18;
/// More halvings mean that there is no logarithm.
const ROOTS: u32 = 40;

/// `exp(matrix)`: a series for a matrix halved until it is small, then squared as often.
pub(crate) fn exponential(matrix: &Matrix) -> Matrix {
    let norm = matrix.norm();
    let halvings = if norm > 0.5 {
        (norm / 0.5).log2().ceil() as i32
    } else {
        0
    };
    // Beyond that all is infinite or gone.
    let halvings = halvings.min(1000);
    let small = matrix.scaled(0.5_f64.powi(halvings));
    let one = Matrix::identity(matrix.rows());
    // Horner's scheme, and only what is added to one: squaring it keeps the digits of small exponents.
    let mut rest = small.scaled(1.0 / TERMS as f64);
    for k in (1..TERMS).rev() {
        rest = small.times(&one.plus(1.0, &rest)).scaled(1.0 / k as f64);
    }
    for _ in 0..halvings {
        rest = rest.scaled(2.0).plus(1.0, &rest.times(&rest));
    }
    one.plus(1.0, &rest)
}

/// The principal logarithm, if there is one: roots are taken until the matrix is near one.
pub(crate) fn logarithm(matrix: &Matrix) -> Option<Matrix> {
    let one = Matrix::identity(matrix.rows());
    let mut root = matrix.clone();
    let mut doublings = 0;
    while root.plus(-1.0, &one).norm() > 0.25 {
        root = square_root(&root)?;
        doublings += 1;
        if doublings > ROOTS {
            return None;
        }
    }
    // ln m = 2 artanh((m - 1)(m + 1)⁻¹)
    let ratio = root.plus(1.0, &one).solve(&root.plus(-1.0, &one))?;
    let square = ratio.times(&ratio);
    let mut sum = Matrix::zeros(matrix.rows(), matrix.columns());
    let mut power = ratio;
    for k in 0..TERMS {
        sum = sum.plus(2.0 / (2 * k + 1) as f64, &power);
        power = power.times(&square);
    }
    let logarithm = sum.scaled(2.0_f64.powi(doublings as i32));
    logarithm.is_finite().then_some(logarithm)
}

/// By the iteration of Denman and Beavers: the root and its inverse approach together.
fn square_root(matrix: &Matrix) -> Option<Matrix> {
    let one = Matrix::identity(matrix.rows());
    let (mut root, mut inverse) = (matrix.clone(), one.clone());
    let mut change = f64::INFINITY;
    for _ in 0..60 {
        let next = root.plus(1.0, &inverse.solve(&one)?).scaled(0.5);
        inverse = inverse.plus(1.0, &root.solve(&one)?).scaled(0.5);
        let moved = next.plus(-1.0, &root).norm() / next.norm();
        root = next;
        // It converges quadratically until rounding stops it.
        if moved < 1e-15 || (moved < 1e-10 && moved >= change) {
            return root.is_finite().then_some(root);
        }
        change = moved;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oscillator(rate: f64, damping: f64) -> Matrix {
        Matrix::of(2, 2, |i, j| match (i, j) {
            (0, 1) => 1.0,
            (1, 0) => -rate * rate,
            (1, 1) => -2.0 * damping,
            _ => 0.0,
        })
    }

    #[test]
    fn a_turn_is_the_exponential_of_its_generator() {
        for rate in [0.3, 2.0, 40.0] {
            let turned = exponential(&oscillator(rate, 0.0));
            // Rounding grows with the squarings of what is of the size of the rate.
            assert!(
                (turned[(0, 0)] - rate.cos()).abs() < 1e-14 * rate * rate,
                "{rate}"
            );
            assert!(
                (turned[(1, 0)] + rate * rate.sin()).abs() < 1e-14 * rate * rate * rate,
                "{rate}"
            );
        }
    }

    #[test]
    fn the_logarithm_undoes_the_exponential() {
        for matrix in [oscillator(2.5, 0.01), oscillator(0.3, 1.0), Matrix::zeros(2, 2)] {
            let back = logarithm(&exponential(&matrix)).unwrap();
            assert!(back.plus(-1.0, &matrix).largest() < 1e-13, "{back:?}");
        }
        let flip = Matrix::identity(2).scaled(-1.0);
        assert!(logarithm(&flip).is_none(), "half a turn might go either way");
    }
}
