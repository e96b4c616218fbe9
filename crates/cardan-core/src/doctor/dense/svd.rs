//! Singular values, by turning columns against each other until all of them stand upright (one-sided Jacobi).

use super::Matrix;

/// `u · diag(sizes) · vᵀ`, with falling sizes.
pub(crate) struct Svd {
    pub(crate) u: Matrix,
    pub(crate) sizes: Vec<f64>,
    pub(crate) v: Matrix,
}

/// Sweeps over all pairs of columns. Ten are plenty; what is left then is noise.
const SWEEPS: usize = 40;

/// The singular values of any matrix.
pub(crate) fn svd(matrix: &Matrix) -> Svd {
    if matrix.rows() < matrix.columns() {
        let Svd { u, sizes, v } = svd(&matrix.transposed());
        return Svd { u: v, sizes, v: u };
    }
    let n = matrix.columns();
    // Columns as rows, so that they lie together.
    let (mut columns, mut turns) = (matrix.transposed(), Matrix::identity(n));
    let dot = |m: &Matrix, a: usize, b: usize| (0..m.columns()).map(|k| m[(a, k)] * m[(b, k)]).sum::<f64>();
    for _ in 0..SWEEPS {
        let mut turned = false;
        for a in 0..n {
            for b in a + 1..n {
                let (aa, bb, ab) = (dot(&columns, a, a), dot(&columns, b, b), dot(&columns, a, b));
                if ab.abs() <= 1e-15 * (aa * bb).sqrt() || ab == 0.0 {
                    continue;
                }
                turned = true;
                let slope = (bb - aa) / (2.0 * ab);
                let tangent = slope.signum() / (slope.abs() + slope.hypot(1.0));
                let cosine = 1.0 / tangent.hypot(1.0);
                for m in [&mut columns, &mut turns] {
                    rotate(m, a, b, cosine, cosine * tangent);
                }
            }
        }
        if !turned {
            break;
        }
    }
    let sizes: Vec<f64> = (0..n).map(|a| dot(&columns, a, a).sqrt()).collect();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| sizes[*b].total_cmp(&sizes[*a]));
    let length = |a: usize| if sizes[a] > 0.0 { sizes[a] } else { 1.0 };
    Svd {
        u: Matrix::of(matrix.rows(), n, |i, j| columns[(order[j], i)] / length(order[j])),
        v: Matrix::of(n, n, |i, j| turns[(order[j], i)]),
        sizes: order.iter().map(|a| sizes[*a]).collect(),
    }
}

fn rotate(m: &mut Matrix, a: usize, b: usize, cosine: f64, sine: f64) {
    for k in 0..m.columns() {
        let (x, y) = (m[(a, k)], m[(b, k)]);
        m[(a, k)] = cosine * x - sine * y;
        m[(b, k)] = sine * x + cosine * y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factors_multiply_to_the_matrix() {
        for (rows, columns) in [(5, 3), (3, 5), (4, 4)] {
            let matrix = Matrix::of(rows, columns, |i, j| ((3 * i + 5 * j + 1) as f64).sin());
            let Svd { u, sizes, v } = svd(&matrix);
            let diagonal = Matrix::of(
                sizes.len(),
                sizes.len(),
                |i, j| if i == j { sizes[i] } else { 0.0 },
            );
            let product = u.times(&diagonal).times(&v.transposed());
            assert!(product.plus(-1.0, &matrix).largest() < 1e-14);
            assert!(sizes.windows(2).all(|pair| pair[0] >= pair[1]), "{sizes:?}");
        }
    }

    /// Each of 1, 2 and 3 dimensions of the matrix of Hilbert, whose last singular values are tiny, is found relative to
    /// its own size: the product of all is the determinant.
    #[test]
    fn small_values_are_found_too() {
        let hilbert = Matrix::of(3, 3, |i, j| 1.0 / (1 + i + j) as f64);
        let product: f64 = svd(&hilbert).sizes.iter().product();
        assert!((product * 2160.0 - 1.0).abs() < 1e-12, "{product}");
    }
}
