//! Which variables a figure shows.

use super::PlotError;
use crate::table::Table;
use cardan_core::record::ColumnData;

/// Suggestions in a message.
const SUGGESTIONS: usize = 5;

/// The names that `patterns` stand for, in the order asked for, each once; all that can be drawn if there are none.
pub(super) fn names(tables: &[(&str, &Table)], patterns: &[&str]) -> Result<Vec<String>, PlotError> {
    let columns = || {
        tables
            .iter()
            .flat_map(|(_, t)| t.schema.columns.iter().map(|c| c.name.as_str()).zip(&t.columns))
    };
    let is_text = |data: &ColumnData| matches!(data, ColumnData::Bytes(_));
    let all = ["*"];
    let mut names: Vec<String> = Vec::new();
    for &pattern in if patterns.is_empty() { &all[..] } else { patterns } {
        let mut found = false;
        for (name, data) in columns().filter(|(name, _)| matches(pattern, name)) {
            if !is_text(data) {
                found = true;
                if !names.iter().any(|n| n == name) {
                    names.push(name.to_owned());
                }
            } else if pattern == name {
                return Err(PlotError::NotNumbers {
                    name: name.to_owned(),
                });
            }
        }
        if !found && pattern != "*" {
            let known: Vec<&str> = columns()
                .filter(|(_, d)| !is_text(d))
                .map(|(name, _)| name)
                .collect();
            return Err(PlotError::UnknownVariable {
                name: pattern.to_owned(),
                advice: advice(pattern, &known),
            });
        }
    }
    if names.is_empty() {
        Err(PlotError::Nothing)
    } else {
        Ok(names)
    }
}

/// Names that have something in common with the one asked for, or else any.
fn advice(wanted: &str, known: &[&str]) -> String {
    let last = |name: &str| name.rsplit('.').next().unwrap_or(name).to_lowercase();
    let wanted = last(wanted);
    let mut close: Vec<&str> = known
        .iter()
        .copied()
        .filter(|name| name.to_lowercase().contains(&wanted) || wanted.contains(&last(name)))
        .collect();
    let lead = if close.is_empty() {
        "the result has"
    } else {
        "did you mean"
    };
    if close.is_empty() {
        close = known.to_vec();
    }
    let more = if close.len() > SUGGESTIONS { ", …" } else { "" };
    close.truncate(SUGGESTIONS);
    format!("{lead} {}{more}", close.join(", "))
}

/// Does `name` fit the pattern, in which `*` stands for any characters?
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => name.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices()
                .map(|(i, _)| i)
                .chain([rest.len()])
                .any(|i| matches(after, &rest[i..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        assert!(matches("wheel.*", "wheel.velocity"));
        assert!(matches("*.velocity", "wheel.velocity"));
        assert!(matches("*", ""));
        assert!(matches("w*l*y", "wheel.velocity"));
        assert!(!matches("wheel", "wheel.velocity"));
        assert!(!matches("*x", "wheel.velocity"));
        assert!(matches("x[1]", "x[1]"));
    }

    #[test]
    fn advice_names_what_is_close() {
        assert_eq!(
            advice("whel.velocity", &["wheel.velocity", "x"]),
            "did you mean wheel.velocity"
        );
        assert_eq!(advice("q", &["a", "b"]), "the result has a, b");
    }
}
