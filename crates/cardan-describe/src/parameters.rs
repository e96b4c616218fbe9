//! The parameters of a component.

use crate::diagnostic::{Reporter, Spanned, nearest, suggest};
use crate::spec::{ComponentSpec, Literal};
use crate::value::{Wanted, value};
use cardan_core::interface::{Causality, Interface, Parameter, ParameterId, UnitDefinition};
use cardan_core::participant::Settings;
use cardan_core::value::Value;
use std::collections::{HashMap, HashSet};

/// The settings a component gives to the parameters it has; what it does not give keeps its default.
///
/// Reports unknown names, values that do not fit and required parameters that are missing; none if there was one.
pub fn parameters(
    known: &[Parameter],
    component: &ComponentSpec,
    reporter: &mut Reporter,
) -> Option<Settings> {
    settings(known, &[], &HashSet::new(), component, reporter)
}

/// The same for a component whose interface is known: units that it defines count, and a value may be meant for an input,
/// which [`resolve`](crate::resolve) takes care of.
pub fn interface_parameters(
    interface: &Interface,
    component: &ComponentSpec,
    reporter: &mut Reporter,
) -> Option<Settings> {
    let inputs = interface.ports_of(Causality::Input);
    let inputs = inputs.map(|(_, port)| port.name.as_str()).collect();
    settings(
        &interface.parameters,
        &interface.units,
        &inputs,
        component,
        reporter,
    )
}

fn settings(
    known: &[Parameter],
    units: &[UnitDefinition],
    inputs: &HashSet<&str>,
    component: &ComponentSpec,
    reporter: &mut Reporter,
) -> Option<Settings> {
    let errors = reporter.error_count();
    let by_name: HashMap<&str, usize> = known
        .iter()
        .enumerate()
        .map(|(index, parameter)| (parameter.name.as_str(), index))
        .collect();
    let mut settings = Settings::default();
    let mut guessed: HashSet<&str> = HashSet::new();
    let mut unused: Vec<&Spanned<String>> = Vec::new();
    for (name, literal) in &component.parameters {
        match by_name.get(name.value.as_str()) {
            Some(&index) => {
                if let Some(value) = value_of(&known[index], units, literal, reporter) {
                    settings.0.push((ParameterId(index as u32), value));
                }
            }
            None if inputs.contains(name.value.as_str()) => {}
            None if component.shares_parameters && !component.demanded.contains(&name.value) => {
                unused.push(name);
            }
            None => guessed.extend(unknown(name, known, component, reporter)),
        }
    }
    report_unused(&unused, component, reporter);
    let given: HashSet<&str> = component
        .parameters
        .iter()
        .map(|(name, _)| name.value.as_str())
        .collect();
    let missing = known
        .iter()
        .filter(|p| p.default.is_none() && !given.contains(p.name.as_str()));
    // What was misspelt has been reported, with the right name.
    for missing in missing.filter(|p| !component.incomplete && !guessed.contains(p.name.as_str())) {
        report_missing(missing, component, reporter);
    }
    (reporter.error_count() == errors).then_some(settings)
}

fn report_missing(missing: &Parameter, component: &ComponentSpec, reporter: &mut Reporter) {
    let Parameter { name, value_type, .. } = missing;
    let unit = missing
        .unit
        .as_deref()
        .map(|unit| format!(" in {unit}"))
        .unwrap_or_default();
    let about = match missing.description.as_str() {
        "" => String::new(),
        text => format!(": {text}"),
    };
    let component = &component.name;
    reporter
        .error(
            component.span,
            format!("component `{}` needs the parameter `{name}`", component.value),
        )
        .advice(format!(
            "add `{name}` ({value_type}{unit}) to its `parameters`{about}"
        ));
}

/// A set of parameters may serve many components: what is left over is told in one go.
fn report_unused(unused: &[&Spanned<String>], component: &ComponentSpec, reporter: &mut Reporter) {
    let Some(first) = unused.first() else { return };
    let names: Vec<String> = unused
        .iter()
        .take(10)
        .map(|name| format!("`{}`", name.value))
        .collect();
    let more = if unused.len() > names.len() { ", …" } else { "" };
    reporter
        .warning(
            first.span,
            format!(
                "component `{}` has no parameter {}{more}",
                component.name.value,
                names.join(", ")
            ),
        )
        .label("not used");
}

/// Reports a name that is not there. Answers with the one that was probably meant.
fn unknown<'a>(
    name: &Spanned<String>,
    known: &'a [Parameter],
    component: &ComponentSpec,
    reporter: &mut Reporter,
) -> Option<&'a str> {
    let names: Vec<&str> = known.iter().map(|p| p.name.as_str()).collect();
    let guess = nearest(&name.value, names.iter().copied());
    let advice = suggest(&name.value, "parameters", names);
    let message = format!(
        "component `{}` has no parameter `{}`",
        component.name.value, name.value
    );
    reporter
        .error(name.span, message)
        .label("no such parameter")
        .advice(advice);
    guess
}

/// The value of a parameter. A real parameter with a unit also takes a string such as `"150 kN/m"`.
pub fn parameter_value(
    parameter: &Parameter,
    literal: &Spanned<Literal>,
    reporter: &mut Reporter,
) -> Option<Value> {
    value_of(parameter, &[], literal, reporter)
}

fn value_of(
    parameter: &Parameter,
    units: &[UnitDefinition],
    literal: &Spanned<Literal>,
    reporter: &mut Reporter,
) -> Option<Value> {
    let wanted = Wanted {
        name: &parameter.name,
        value_type: parameter.value_type,
        unit: parameter.unit.as_deref(),
        choices: &parameter.choices,
        units,
    };
    let value = value(wanted, parameter.shape.as_ref(), literal, reporter)?;
    match parameter.objection(&value) {
        None => Some(value),
        Some(objection) => {
            let unit = parameter
                .unit
                .as_deref()
                .map(|unit| format!(" {unit}"))
                .unwrap_or_default();
            reporter
                .error(literal.span, format!("`{}` {objection}{unit}", parameter.name))
                .advice_if(
                    // "`mass` is mass" would help nobody.
                    (!parameter.description.is_empty() && parameter.description != parameter.name)
                        .then(|| format!("`{}` is {}", parameter.name, parameter.description)),
                );
            None
        }
    }
}
