//! Eigenvalues of a general matrix: balanced, reduced to Hessenberg's form, then shifted QR steps.

use super::{Complex, Matrix};

/// Steps for one eigenvalue before the rest is taken as it stands; a handful is usual.
const PATIENCE: usize = 120;

/// All eigenvalues, in no special order.
pub(crate) fn eigenvalues(matrix: &Matrix) -> Vec<Complex> {
    let mut balanced = matrix.clone();
    balance(&mut balanced);
    let hessenberg = hessenberg(balanced);
    qr(hessenberg)
}

/// The size of the largest eigenvalue.
pub(crate) fn spectral_radius(matrix: &Matrix) -> f64 {
    eigenvalues(matrix).iter().map(|z| z.abs()).fold(0.0, f64::max)
}

/// Scales rows against columns by powers of two until both are about as large: units must not cost digits.
fn balance(m: &mut Matrix) {
    let n = m.rows();
    for _ in 0..100 {
        let mut changed = false;
        for i in 0..n {
            let others = || (0..n).filter(move |j| *j != i);
            let row: f64 = others().map(|j| m[(i, j)].abs()).sum();
            let column: f64 = others().map(|j| m[(j, i)].abs()).sum();
            if row == 0.0 || column == 0.0 {
                continue;
            }
            let factor = ((row / column).sqrt().log2().round()).exp2();
            if column * factor + row / factor < 0.95 * (row + column) {
                changed = true;
                for j in 0..n {
                    m[(i, j)] /= factor;
                }
                for j in 0..n {
                    m[(j, i)] *= factor;
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// An equal matrix with zeros below the first subdiagonal, by reflections.
fn hessenberg(mut m: Matrix) -> Matrix {
    let n = m.rows();
    for k in 0..n.saturating_sub(2) {
        let below: f64 = (k + 1..n).map(|i| m[(i, k)] * m[(i, k)]).sum::<f64>().sqrt();
        if below == 0.0 {
            continue;
        }
        let head = if m[(k + 1, k)] > 0.0 { -below } else { below };
        let mut mirror: Vec<f64> = (k + 1..n).map(|i| m[(i, k)]).collect();
        mirror[0] -= head;
        let size: f64 = mirror.iter().map(|x| x * x).sum();
        if size == 0.0 {
            continue;
        }
        for j in 0..n {
            let along: f64 = mirror
                .iter()
                .enumerate()
                .map(|(i, x)| x * m[(k + 1 + i, j)])
                .sum();
            for (i, x) in mirror.iter().enumerate() {
                m[(k + 1 + i, j)] -= 2.0 * along / size * x;
            }
        }
        for i in 0..n {
            let along: f64 = mirror
                .iter()
                .enumerate()
                .map(|(j, x)| x * m[(i, k + 1 + j)])
                .sum();
            for (j, x) in mirror.iter().enumerate() {
                m[(i, k + 1 + j)] -= 2.0 * along / size * x;
            }
        }
        for i in k + 2..n {
            m[(i, k)] = 0.0;
        }
    }
    m
}

/// Complex QR steps with Wilkinson's shift; the matrix shrinks by one row whenever an eigenvalue has settled.
fn qr(m: Matrix) -> Vec<Complex> {
    let n = m.rows();
    let mut a: Vec<Vec<Complex>> = (0..n)
        .map(|i| (0..n).map(|j| Complex::real(m[(i, j)])).collect())
        .collect();
    let mut found = Vec::with_capacity(n);
    let mut end = n;
    let mut steps = 0;
    while end > 0 {
        let last = end - 1;
        // The part that no zero cuts off from the last row.
        let mut first = last;
        while first > 0 {
            let beside = a[first - 1][first - 1].abs() + a[first][first].abs();
            let scale = if beside > 0.0 { beside } else { m.largest() };
            if a[first][first - 1].abs() <= f64::EPSILON * scale {
                a[first][first - 1] = Complex::ZERO;
                break;
            }
            first -= 1;
        }
        if first == last || steps > PATIENCE {
            found.push(a[last][last]);
            end = last;
            steps = 0;
            continue;
        }
        steps += 1;
        let shift = match steps % 11 {
            // Once in a while another one, should it go round in circles.
            10 => a[last][last] + Complex::real(a[last][last - 1].abs()),
            _ => wilkinson(&a, last),
        };
        qr_step(&mut a, first, end, shift);
    }
    found
}

/// The eigenvalue of the last two rows and columns that is nearest to the last entry.
fn wilkinson(a: &[Vec<Complex>], last: usize) -> Complex {
    let (p, q) = (a[last - 1][last - 1], a[last - 1][last]);
    let (r, s) = (a[last][last - 1], a[last][last]);
    let half = (p - s).scale(0.5);
    let root = (half * half + q * r).sqrt();
    let (plus, minus) = (half + root, half - root);
    let far = if plus.abs() > minus.abs() { plus } else { minus };
    if far.abs() == 0.0 { s } else { s - q * r / far }
}

fn qr_step(a: &mut [Vec<Complex>], first: usize, end: usize, shift: Complex) {
    for (k, row) in a.iter_mut().enumerate().take(end).skip(first) {
        row[k] = row[k] - shift;
    }
    let mut turns = Vec::with_capacity(end - first);
    for k in first..end - 1 {
        let (x, y) = (a[k][k], a[k + 1][k]);
        let size = x.abs().hypot(y.abs());
        let (c, s) = match size > 0.0 {
            true => (x.scale(1.0 / size), y.scale(1.0 / size)),
            false => (Complex::real(1.0), Complex::ZERO),
        };
        let (above, below) = a.split_at_mut(k + 1);
        for (p, q) in above[k][k..end].iter_mut().zip(&mut below[0][k..end]) {
            let (u, v) = (*p, *q);
            *p = c.conj() * u + s.conj() * v;
            *q = c * v - s * u;
        }
        turns.push((c, s));
    }
    for (k, (c, s)) in (first..).zip(turns) {
        for row in &mut a[first..(k + 2).min(end)] {
            let (u, v) = (row[k], row[k + 1]);
            row[k] = u * c + v * s;
            row[k + 1] = v * c.conj() - u * s.conj();
        }
    }
    for (k, row) in a.iter_mut().enumerate().take(end).skip(first) {
        row[k] = row[k] + shift;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The companion matrix of a polynomial has its roots.
    fn companion(coefficients: &[f64]) -> Matrix {
        let n = coefficients.len();
        Matrix::of(n, n, |i, j| match (i, j) {
            (0, j) => -coefficients[j],
            (i, j) if i == j + 1 => 1.0,
            _ => 0.0,
        })
    }

    fn sorted(matrix: &Matrix) -> Vec<Complex> {
        let mut found = eigenvalues(matrix);
        found.sort_by(|a, b| (a.re, a.im).partial_cmp(&(b.re, b.im)).unwrap());
        found
    }

    #[test]
    fn roots_of_polynomials() {
        // (x - 1)(x - 2)(x + 3)(x² + 4)
        let found = sorted(&companion(&[0.0, -3.0, 6.0, -28.0, 24.0]));
        let roots = [(-3.0, 0.0), (0.0, -2.0), (0.0, 2.0), (1.0, 0.0), (2.0, 0.0)];
        for ((re, im), found) in roots.into_iter().zip(&found) {
            assert!(
                (found.re - re).hypot(found.im - im) < 1e-12,
                "{found:?} is not {re} + {im}i"
            );
        }
    }

    #[test]
    fn units_cost_no_digits() {
        // A turn by 0.01 rad, written in units twelve decades apart.
        let (sine, cosine) = 0.01_f64.sin_cos();
        let turn = Matrix::of(2, 2, |i, j| match (i, j) {
            (0, 1) => -1e6 * sine,
            (1, 0) => 1e-6 * sine,
            _ => cosine,
        });
        assert!((spectral_radius(&turn) - 1.0).abs() < 4.0 * f64::EPSILON);
    }

    #[test]
    fn a_triangle_shows_its_eigenvalues() {
        let triangle = Matrix::of(6, 6, |i, j| if i <= j { (1 + i + 2 * j) as f64 } else { 0.0 });
        let found = sorted(&triangle);
        for (k, found) in found.iter().enumerate() {
            assert!((found.re - (1 + 3 * k) as f64).abs() < 1e-10, "{found:?}");
        }
    }
}
