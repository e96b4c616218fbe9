//! Values to try, and how to compare them.

use crate::description::{Causality, Dimension, Kind, ModelDescription, Variable};
pub(super) use crate::values::{get, set};
use cardan_core::value::Value;

/// How many elements a variable has, with the structural parameters at their start values.
pub(super) fn count(variable: &Variable, description: &ModelDescription) -> usize {
    let sizes = variable.dimensions.iter().map(|dimension| match dimension {
        Dimension::Fixed(size) => usize::try_from(*size).unwrap_or(usize::MAX),
        Dimension::By(index) => {
            let start = description.variables.get(*index).and_then(|v| v.start.as_ref());
            let size = start.and_then(Value::as_integer);
            size.and_then(|size| usize::try_from(size).ok()).unwrap_or(0)
        }
    });
    sizes.fold(1, usize::saturating_mul)
}

/// The same down to the last bit.
pub(super) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Reals(one), Value::Reals(other)) => {
            let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            bits(one) == bits(other)
        }
        (one, other) => one == other,
    }
}

/// Can it be set and read at any time, clocks aside?
pub(super) fn is_unclocked(variable: &Variable) -> bool {
    variable.kind != Kind::Clock && variable.clocks.is_empty()
}

/// The indices of variables that are always there.
pub(super) fn all(description: &ModelDescription, causality: Causality) -> Vec<usize> {
    let variables = description.variables.iter().enumerate();
    variables
        .filter(|(_, variable)| variable.causality == causality && is_unclocked(variable))
        .map(|(index, _)| index)
        .collect()
}

/// Other values for an input, within its limits. Several, for one alone may happen to make no difference.
pub(super) fn others(variable: &Variable, value: &Value) -> Vec<Value> {
    let low = variable.minimum.unwrap_or(f64::NEG_INFINITY);
    let high = variable.maximum.unwrap_or(f64::INFINITY);
    let inside = |x: f64| if low <= high { x.clamp(low, high) } else { x };
    let tries: Vec<Value> = match value {
        Value::Reals(values) => {
            let scale = variable
                .nominal
                .filter(|nominal| nominal.is_finite() && *nominal > 0.0);
            let scale = |x: f64| scale.unwrap_or_else(|| x.abs().max(1.0));
            // Not too round, so that a table or a period does not hide the change.
            let changes = [0.1371, -0.1713, 1.2347, -2.3171];
            let moved = |change: f64| values.iter().map(|x| inside(x + change * scale(*x))).collect();
            changes
                .into_iter()
                .map(|change| Value::Reals(moved(change)))
                .collect()
        }
        Value::Integers(values) if !variable.choices.is_empty() => {
            let choices = variable.choices.iter().take(4);
            choices
                .map(|(_, item)| Value::Integers(vec![*item; values.len()]))
                .collect()
        }
        Value::Integers(values) => {
            let (least, most) = variable.kind.whole_range();
            let fits = |x: i64| {
                let wide = i128::from(x);
                least <= wide && wide <= most && low <= x as f64 && x as f64 <= high
            };
            let moved = |change: i64| -> Vec<i64> {
                let moved = values.iter().map(|x| (x.saturating_add(change), *x));
                moved
                    .map(|(new, old)| if fits(new) { new } else { old })
                    .collect()
            };
            [1, -1, 7]
                .into_iter()
                .map(|change| Value::Integers(moved(change)))
                .collect()
        }
        Value::Booleans(values) => vec![Value::Booleans(values.iter().map(|x| !x).collect())],
        Value::Strings(values) => vec![Value::Strings(vec!["other".to_owned(); values.len()])],
        Value::Binaries(values) => vec![Value::Binaries(vec![b"other".to_vec(); values.len()])],
    };
    tries.into_iter().filter(|other| !same(other, value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::Variability;
    use cardan_describe::{Reporter, Source};

    fn variable(attributes: &str) -> Variable {
        let text = format!(
            r#"<fmiModelDescription fmiVersion="3.0" modelName="m" instantiationToken="t">
            <CoSimulation modelIdentifier="m"/><ModelVariables>{attributes}</ModelVariables><ModelStructure/>
            </fmiModelDescription>"#
        );
        let read = ModelDescription::read(Source::new("a.xml", text), &mut Reporter::new());
        read.unwrap().variables.remove(0)
    }

    #[test]
    fn other_values_stay_within_the_limits() {
        let input = variable(
            r#"<Float64 name="u" valueReference="1" causality="input" start="1" min="0.9" max="1"/>"#,
        );
        assert_eq!(input.variability, Variability::Continuous);
        let others = others(&input, &Value::real(1.0));
        assert!(!others.is_empty());
        for other in others {
            let real = other.as_real().unwrap();
            assert!((0.9..1.0).contains(&real), "{real}");
        }
        let byte = variable(r#"<UInt8 name="u" valueReference="1" causality="input" start="0"/>"#);
        let found = super::others(&byte, &Value::integer(0));
        assert_eq!(found, [Value::integer(1), Value::integer(7)]);
    }

    #[test]
    fn bits_count_not_numbers() {
        assert!(same(&Value::real(f64::NAN), &Value::real(f64::NAN)));
        assert!(!same(&Value::real(0.0), &Value::real(-0.0)));
    }
}
