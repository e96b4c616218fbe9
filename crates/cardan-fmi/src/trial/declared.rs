//! What can be said of a description beyond the rules of the standard: will it do in a coupled system?

use super::{Finding, listed, values};
use crate::description::{Causality, ModelDescription, Unit};
use cardan_core::interface::UnitDefinition;
use cardan_describe::units;
use std::collections::BTreeSet;

/// Looks at units and dependencies.
pub fn declared(description: &ModelDescription) -> Vec<Finding> {
    let mut findings = Vec::new();
    check_units(description, &mut findings);
    findings.push(dependencies(description));
    findings
}

/// A connection converts units, so those of inputs and outputs must mean something.
fn check_units(description: &ModelDescription, findings: &mut Vec<Finding>) {
    const CHECK: &str = "units";
    let is_port = |causality| matches!(causality, Causality::Input | Causality::Output);
    let ports = description.variables.iter().filter(|v| is_port(v.causality));
    let used: BTreeSet<&str> = ports.filter_map(|variable| variable.unit.as_deref()).collect();
    let before = findings.len();
    let mut unknown = Vec::new();
    for name in &used {
        let declared = description.units.iter().find(|unit| unit.name == *name);
        let declared = declared.and_then(definition);
        let known = units::Unit::parse(name);
        match (declared, known) {
            (None, Err(_)) => unknown.push((*name).to_owned()),
            (Some(declared), Ok(known)) if declared.conversion_to(&known).is_err() => {
                let message = format!("the unit `{name}` is defined as something else than is usual");
                let advice = "the definition counts; connections to the usual unit are refused";
                findings.push(Finding::warning(CHECK, message).advise(advice));
            }
            _ => {}
        }
    }
    if !unknown.is_empty() {
        let message = format!(
            "units that nobody knows and nothing defines: {}",
            listed(&unknown)
        );
        let advice = "values in them cannot be converted; define them by base units";
        findings.push(Finding::warning(CHECK, message).advise(advice));
    }
    if findings.len() == before {
        findings.push(match used.len() {
            0 => Finding::skipped(CHECK, "no input or output has a unit"),
            count => Finding::passed(CHECK, format!("of inputs and outputs: {count}, all understood")),
        });
    }
}

/// The unit as the FMU defines it, if it does. Its name means nothing, so that the definition alone counts.
fn definition(unit: &Unit) -> Option<units::Unit> {
    const NAMELESS: &str = "?";
    let definition = UnitDefinition {
        name: NAMELESS.to_owned(),
        exponents: unit.base?,
        factor: unit.factor,
        offset: unit.offset,
    };
    units::Unit::find(NAMELESS, &[definition]).ok()
}

/// An output of which nothing is declared must be taken to depend on everything.
fn dependencies(description: &ModelDescription) -> Finding {
    const CHECK: &str = "dependencies";
    let inputs = values::all(description, Causality::Input);
    let outputs = &description.structure.outputs;
    if inputs.is_empty() || outputs.is_empty() {
        return Finding::skipped(CHECK, "there are not both inputs and outputs");
    }
    let silent: Vec<String> = outputs
        .iter()
        .filter(|unknown| unknown.dependencies.is_none())
        .filter_map(|unknown| description.variables.get(unknown.variable))
        .filter(|variable| values::is_unclocked(variable))
        .map(|variable| variable.name.clone())
        .collect();
    if silent.is_empty() {
        return Finding::passed(CHECK, format!("declared for all outputs ({})", outputs.len()));
    }
    let message = format!(
        "nothing is declared for {}: taken to depend on every input",
        listed(&silent)
    );
    Finding::skipped(CHECK, message)
}
