//! The exponential of a small dense matrix.

/// A square matrix, row by row.
pub type Matrix<const N: usize> = [[f64; N]; N];

/// After scaling the norm is at most this, so that the Taylor series below is exact to rounding.
const SMALL_NORM: f64 = 0.5;

/// The remainder of the series is below 0.5¹⁷/17! < 3e-20.
const TERMS: usize = 16;

/// `exp(a · t)`, by balancing, scaling, a Taylor series and squaring.
///
/// Balancing matters here: a mechanical system in metres and metres per second has entries of 1 beside 10⁴, and each
/// squaring that it saves keeps half a digit.
pub fn exponential<const N: usize>(a: &Matrix<N>, t: f64) -> Matrix<N> {
    let (balanced, scale) = balance(a);
    let norm = norm(&balanced) * t.abs();
    let halvings = if norm > SMALL_NORM {
        (norm / SMALL_NORM).log2().ceil() as i32
    } else {
        0
    };
    let factor = t * 0.5_f64.powi(halvings);
    let small = balanced.map(|row| row.map(|entry| entry * factor));
    let mut result = series(&small);
    for _ in 0..halvings {
        result = multiply(&result, &result);
    }
    for (row, of_row) in result.iter_mut().zip(scale) {
        for (entry, of_column) in row.iter_mut().zip(scale) {
            *entry *= of_row / of_column;
        }
    }
    result
}

/// The product of two matrices.
pub fn multiply<const N: usize>(a: &Matrix<N>, b: &Matrix<N>) -> Matrix<N> {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..N).map(|k| a[i][k] * b[k][j]).sum()))
}

/// The product of a matrix and a column.
pub fn transform<const N: usize>(a: &Matrix<N>, x: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| (0..N).map(|k| a[i][k] * x[k]).sum())
}

/// The largest sum of a row.
fn norm<const N: usize>(a: &Matrix<N>) -> f64 {
    a.iter()
        .map(|row| row.iter().map(|e| e.abs()).sum())
        .fold(0.0, f64::max)
}

/// Horner's form of the Taylor series.
fn series<const N: usize>(a: &Matrix<N>) -> Matrix<N> {
    let identity: Matrix<N> = std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    let mut sum = identity;
    for term in (1..=TERMS).rev() {
        sum = multiply(a, &sum);
        for (i, row) in sum.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry = *entry / term as f64 + identity[i][j];
            }
        }
    }
    sum
}

/// `S⁻¹ a S` with rows and columns of about equal size, and the diagonal of `S`: powers of two, so nothing is rounded.
fn balance<const N: usize>(a: &Matrix<N>) -> (Matrix<N>, [f64; N]) {
    let mut balanced = *a;
    let mut scale = [1.0; N];
    // Two or three sweeps settle every matrix that a mechanical system gives; the bound is for odd ones.
    for _ in 0..20 {
        let mut settled = true;
        for i in 0..N {
            let others = || (0..N).filter(|&j| j != i);
            let row: f64 = others().map(|j| balanced[i][j].abs()).sum();
            let column: f64 = others().map(|j| balanced[j][i].abs()).sum();
            if row == 0.0 || column == 0.0 {
                continue;
            }
            let exponent = (0.5 * (row / column).log2()).round();
            if exponent == 0.0 {
                continue;
            }
            settled = false;
            let factor = exponent.exp2();
            scale[i] *= factor;
            for j in (0..N).filter(|&j| j != i) {
                balanced[i][j] /= factor;
                balanced[j][i] *= factor;
            }
        }
        if settled {
            break;
        }
    }
    (balanced, scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_turns() {
        // Five hundred radians per second against metres: badly balanced on purpose.
        let w: f64 = 500.0;
        let turned = exponential(&[[0.0, 1.0], [-w * w, 0.0]], 0.3);
        let (sin, cos) = (w * 0.3).sin_cos();
        let expected = [[cos, sin / w], [-w * sin, cos]];
        for i in 0..2 {
            for j in 0..2 {
                let size = expected[i][j].abs().max(1.0 / w);
                assert!((turned[i][j] - expected[i][j]).abs() < 1e-12 * size, "{turned:?}");
            }
        }
    }

    #[test]
    fn a_nilpotent_matrix_ends_its_series() {
        let a = [[0.0, 2.0, 3.0], [0.0, 0.0, 5.0], [0.0, 0.0, 0.0]];
        let expected = [[1.0, 4.0, 26.0], [0.0, 1.0, 10.0], [0.0, 0.0, 1.0]];
        let result = exponential(&a, 2.0);
        for i in 0..3 {
            for j in 0..3 {
                assert!((result[i][j] - expected[i][j]).abs() < 1e-13 * 26.0);
            }
        }
    }

    #[test]
    fn going_back_undoes_going_forth() {
        let a = [[-1.0, 2.0], [0.5, -3.0]];
        let there_and_back = multiply(&exponential(&a, 0.7), &exponential(&a, -0.7));
        for (i, row) in there_and_back.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                let identity = if i == j { 1.0 } else { 0.0 };
                assert!((entry - identity).abs() < 1e-13);
            }
        }
    }
}
