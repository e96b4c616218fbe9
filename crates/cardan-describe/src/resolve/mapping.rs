//! What happens to a value that is not a real on its way from an output to an input.

use super::connections::Ends;
use super::way::misplaced;
use crate::diagnostic::{Reporter, Spanned, suggest};
use crate::spec::{Hop, Transformation};
use cardan_core::graph::Mapping;
use cardan_core::interface::Port;
use cardan_core::value::ValueType;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The mappings of all stretches in one.
pub(super) fn mapping(
    ends: &Ends,
    hops: &[Hop],
    source: &Port,
    target: &Port,
    reporter: &mut Reporter,
) -> Mapping {
    let mut numbers: Vec<(i64, i64)> = Vec::new();
    let mut names: Vec<(Spanned<String>, Spanned<String>)> = Vec::new();
    for transformation in hops.iter().filter_map(|hop| hop.transformation.as_ref()) {
        let span = transformation.span;
        match (&transformation.value, source.value_type) {
            (Transformation::Booleans(table), ValueType::Boolean) => {
                let table = table.iter().map(|(a, b)| (i64::from(*a), i64::from(*b)));
                let table: Vec<_> = table.collect();
                numbers = after(numbers, &table, |n| *n);
            }
            (Transformation::Integers(table), ValueType::Integer | ValueType::Enumeration) => {
                numbers = after(numbers, table, |n| *n);
            }
            (Transformation::Enumeration(table), ValueType::Enumeration) => {
                names = after(names, table, |name| name.value.clone());
            }
            (other, _) => misplaced(ends, other, source, span, reporter),
        }
        if !names.is_empty() && !numbers.is_empty() {
            reporter
                .error(
                    span,
                    "mappings by name and by number follow each other, which is not supported",
                )
                .advice("map by name on all stretches of this way, or by number");
            return Mapping::NONE;
        }
    }
    let by_name = names.iter().filter_map(|(from, to)| {
        let from = number(&ends.from, source, from, reporter);
        let to = number(&ends.to, target, to, reporter);
        Some((from?, to?))
    });
    numbers.extend(by_name);
    Mapping::new(numbers)
}

/// First one table, then the other; what a table does not name passes unchanged.
fn after<T: Clone, K: Eq + Hash>(
    mut first: Vec<(T, T)>,
    then: &[(T, T)],
    key: impl Fn(&T) -> K,
) -> Vec<(T, T)> {
    let next: HashMap<K, &T> = then.iter().rev().map(|(from, to)| (key(from), to)).collect();
    let named: HashSet<K> = first.iter().map(|(from, _)| key(from)).collect();
    for (_, value) in &mut first {
        if let Some(further) = next.get(&key(value)) {
            *value = (*further).clone();
        }
    }
    let rest = then.iter().filter(|(from, _)| !named.contains(&key(from)));
    first.extend(rest.cloned());
    first
}

fn number(owner: &str, port: &Port, name: &Spanned<String>, reporter: &mut Reporter) -> Option<i64> {
    let found = port.choices.iter().find(|(known, _)| *known == name.value);
    if found.is_none() {
        let known = port.choices.iter().map(|(known, _)| known.as_str());
        reporter
            .error(name.span, format!("`{owner}` cannot be `{}`", name.value))
            .label("no such choice")
            .advice(suggest(&name.value, &format!("choices of `{owner}`"), known));
    }
    found.map(|(_, number)| *number)
}
