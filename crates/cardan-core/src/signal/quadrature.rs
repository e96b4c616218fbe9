//! Gauss's quadrature with four points: exact for products of two cubics, whose degree is six.

/// How many points there are.
pub(crate) const NODES: usize = 4;

/// Places between -1 and 1, and their weights, which add up to one.
const GAUSS: [(f64, f64); NODES] = [
    (-0.861_136_311_594_052_6, 0.173_927_422_568_726_92),
    (-0.339_981_043_584_856_3, 0.326_072_577_431_273_1),
    (0.339_981_043_584_856_3, 0.326_072_577_431_273_1),
    (0.861_136_311_594_052_6, 0.173_927_422_568_726_92),
];

/// Points between `from` and `to` with weights for the mean.
pub(crate) fn over(from: f64, to: f64) -> [(f64, f64); NODES] {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    GAUSS.map(|(place, weight)| (middle + half * place, weight))
}

#[cfg(test)]
mod tests {
    use super::over;

    #[test]
    fn powers_up_to_the_seventh_are_exact() {
        for power in 0..8 {
            let mean: f64 = over(1.0, 3.0).iter().map(|(t, w)| w * t.powi(power)).sum();
            let exact = (3_f64.powi(power + 1) - 1.0) / (2.0 * f64::from(power + 1));
            assert!((mean / exact - 1.0).abs() < 1e-14, "{power}: {mean} {exact}");
        }
    }
}
