//! The rules for reading signals, by the numbers that the script has for them.

use super::script::Rule;
use crate::diagnostic::Reporter;
use cardan_core::signal::Reading;

/// The reading that a rule stands for; none if the script leaves it open.
pub(super) fn of(rule: &Rule, letter: char, reporter: &mut Reporter) -> Option<Reading> {
    let order = rule.order.map(|order| order.value);
    if let Some(weight) = rule.weight.filter(|_| order != Some(1)) {
        reporter
            .warning(weight.span, format!("`linear_weight_{letter}` has no effect"))
            .advice(format!("it counts with `interpolate_order_{letter} = 1` only"));
    }
    Some(match order? {
        2 => Reading::Quadratic,
        1 => Reading::Linear {
            weight: rule.weight.map_or(1.0, |weight| weight.value),
        },
        0 => Reading::Hold,
        -1 => Reading::LeastSquares,
        _ => Reading::Mean,
    })
}
