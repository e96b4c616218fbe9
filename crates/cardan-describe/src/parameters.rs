//! The parameters of a component.

use crate::diagnostic::{Reporter, Spanned, nearest};
use crate::spec::{ComponentSpec, Literal};
use crate::value::{Wanted, value};
use cardan_core::interface::{Parameter, ParameterId};
use cardan_core::participant::Settings;
use cardan_core::value::Value;

/// The settings a component gives to the parameters it has; what it does not give keeps its default.
///
/// Reports unknown names, values that do not fit and required parameters that are missing; none if there was one.
pub fn parameters(known: &[Parameter], component: &ComponentSpec, reporter: &mut Reporter) -> Option<Settings> {
    let errors = reporter.error_count();
    let mut settings = Settings::default();
    for (name, literal) in &component.parameters {
        match known.iter().position(|p| p.name == name.value) {
            Some(index) => {
                if let Some(value) = parameter_value(&known[index], literal, reporter) {
                    settings.0.push((ParameterId(index as u32), value));
                }
            }
            None => unknown(name, known, component, reporter),
        }
    }
    let given = |p: &Parameter| component.parameters.iter().any(|(name, _)| name.value == p.name);
    for missing in known.iter().filter(|p| p.default.is_none() && !given(p)) {
        let component = &component.name;
        let unit = missing.unit.as_deref().map(|unit| format!(" in {unit}")).unwrap_or_default();
        let about = match missing.description.as_str() {
            "" => String::new(),
            text => format!(": {text}"),
        };
        reporter
            .error(component.span, format!("component `{}` needs the parameter `{}`", component.value, missing.name))
            .advice(format!("add `{}` ({}{unit}) to its `parameters`{about}", missing.name, missing.value_type));
    }
    (reporter.error_count() == errors).then_some(settings)
}

fn unknown(name: &Spanned<String>, known: &[Parameter], component: &ComponentSpec, reporter: &mut Reporter) {
    let names: Vec<&str> = known.iter().map(|p| p.name.as_str()).collect();
    let advice = match nearest(&name.value, names.iter().copied()) {
        Some(known) => format!("did you mean `{known}`?"),
        None if names.is_empty() => "it has no parameters".to_owned(),
        None => format!("its parameters: {}", names.join(", ")),
    };
    reporter
        .error(name.span, format!("component `{}` has no parameter `{}`", component.name.value, name.value))
        .label("no such parameter")
        .advice(advice);
}

/// The value of a parameter. A real parameter with a unit also takes a string such as `"150 kN/m"`.
pub fn parameter_value(
    parameter: &Parameter,
    literal: &Spanned<Literal>,
    reporter: &mut Reporter,
) -> Option<Value> {
    let wanted = Wanted {
        name: &parameter.name,
        value_type: parameter.value_type,
        unit: parameter.unit.as_deref(),
        choices: &[],
    };
    let value = value(wanted, parameter.shape.as_ref(), literal, reporter)?;
    match parameter.objection(&value) {
        None => Some(value),
        Some(objection) => {
            let unit = parameter.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
            reporter
                .error(literal.span, format!("`{}` {objection}{unit}", parameter.name))
                .advice_if((!parameter.description.is_empty()).then(|| {
                    format!("`{}` is {}", parameter.name, parameter.description)
                }));
            None
        }
    }
}
