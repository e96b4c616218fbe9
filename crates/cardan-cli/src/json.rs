//! `--json`: exactly one object on standard output.

use crate::console;
use anyhow::Context;
use cardan::{Diagnostic, Severity, Value};
use serde::Serialize;
use serde_json::json;

/// Prints the one object.
pub(crate) fn print(object: &impl Serialize) -> anyhow::Result<()> {
    let mut text = serde_json::to_string_pretty(object).context("cannot write JSON")?;
    text.push('\n');
    console::print(&text)
}

/// Prints what stands in place of an answer when nothing was done: the mistakes in a description.
pub(crate) fn print_mistakes(system: Option<&str>, diagnostics: &[Diagnostic]) -> anyhow::Result<()> {
    print(&Refusal {
        system,
        status: "failed",
        diagnostics,
    })
}

#[derive(Serialize)]
struct Refusal<'a> {
    system: Option<&'a str>,
    status: &'static str,
    diagnostics: &'a [Diagnostic],
}

/// The same for a call that could not be carried out.
pub(crate) fn print_failure(message: &str) {
    // The message is on standard error already; a standard output that is gone cannot be helped.
    let _ = print_mistakes(None, &[call_mistake(message)]);
}

/// A mistake in the call rather than in a file.
pub(crate) fn call_mistake(message: &str) -> Diagnostic {
    Diagnostic {
        file: "<command line>".into(),
        line: None,
        column: None,
        severity: Severity::Error,
        message: message.to_owned(),
        advice: None,
        span: None,
        label: None,
        related: Vec::new(),
    }
}

/// A value of a port or parameter: a single one as it is, several as a list.
pub(crate) fn value(value: &Value) -> serde_json::Value {
    let list = match value {
        Value::Reals(values) => json!(values),
        Value::Integers(values) => json!(values),
        Value::Booleans(values) => json!(values),
        Value::Strings(values) => json!(values),
        Value::Binaries(values) => json!(values),
    };
    match list {
        serde_json::Value::Array(mut values) if values.len() == 1 => values.pop().unwrap_or_default(),
        list => list,
    }
}
