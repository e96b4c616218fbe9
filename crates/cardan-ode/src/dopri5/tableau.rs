//! The coefficients of Dormand and Prince (J. Comp. Appl. Math. 6, 1980), and those of the continuous extension
//! (Hairer, Nørsett, Wanner, *Solving Ordinary Differential Equations I*, section II.6).

pub(super) const STAGES: usize = 7;

/// The fractions of the step at which the stages lie.
pub(super) const NODES: [f64; STAGES] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];

/// Row `s` holds the weights of the earlier stages in stage `s`. The last row is the solution of order 5 itself, so
/// that the last stage is the first one of the next step.
pub(super) const WEIGHTS: [[f64; STAGES - 1]; STAGES] = [
    [0.0; 6],
    [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
        0.0,
        0.0,
    ],
    [
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
        0.0,
    ],
    [
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
];

/// The difference between the solutions of order 5 and 4.
pub(super) const ERROR: [f64; STAGES] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

/// The quartic part of the continuous extension.
pub(super) const DENSE: [f64; STAGES] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The conditions for quadrature of order p: Σ bᵢ cᵢᵏ = 1 / (k + 1) for k < p. Stage nodes are row sums.
    #[test]
    fn the_coefficients_satisfy_the_order_conditions() {
        for (row, node) in WEIGHTS.iter().zip(NODES) {
            assert!((row.iter().sum::<f64>() - node).abs() < 1e-14);
        }
        for k in 0..5 {
            let sum: f64 = WEIGHTS[6].iter().zip(NODES).map(|(b, c)| b * c.powi(k)).sum();
            assert!((sum - 1.0 / f64::from(k + 1)).abs() < 1e-15);
            let error: f64 = ERROR.iter().zip(NODES).map(|(e, c)| e * c.powi(k)).sum();
            // The embedded solution has order 4: the difference shows at k = 4 only.
            assert_eq!(error.abs() < 1e-15, k < 4);
        }
        assert!(DENSE.iter().sum::<f64>().abs() < 1e-14);
    }
}
