//! What the standard forbids and a run survives: for `cardan check`, beyond what reading already reports.

use super::gathered::Gathered;
use super::rules::{go_together, initials};
use super::words::Word;
use super::{Causality, Kind, ModelDescription, Variability, Variable, Version};
use cardan_core::value::Value;
use cardan_describe::{Reporter, Severity};
use std::collections::HashMap;

/// Checks a description that could be read against the rules of the standard.
pub fn validate(description: &ModelDescription, reporter: &mut Reporter) {
    for variable in &description.variables {
        combination(description.version, variable, reporter);
        range(variable, reporter);
        choice(variable, reporter);
    }
    experiment(description, reporter);
    independent(description, reporter);
    states(description, reporter);
    aliases(description, reporter);
    initial_unknowns(description, reporter);
    dependencies(description, reporter);
}

fn combination(version: Version, variable: &Variable, reporter: &mut Reporter) {
    let Variable {
        name,
        causality,
        variability,
        span,
        ..
    } = variable;
    if !go_together(*causality, *variability) {
        let message = format!(
            "`{name}`: causality `{}` and variability `{}` do not go together",
            causality.word(),
            variability.word()
        );
        reporter.warning(*span, message);
        return;
    }
    if *variability == Variability::Continuous && !variable.kind.is_float() {
        reporter.warning(
            *span,
            format!("`{name}` cannot be continuous: it is not a floating-point number"),
        );
    }
    let allowed = initials(version, *causality, *variability);
    if let Some(initial) = variable.initial
        && !allowed.contains(&initial)
    {
        let message = format!(
            "`{name}`: initial `{}` is not allowed for a {} {}",
            initial.word(),
            variability.word(),
            causality.word()
        );
        let words: Vec<&str> = allowed.iter().map(|initial| initial.word()).collect();
        let advice = (!words.is_empty()).then(|| format!("allowed: {}", words.join(", ")));
        reporter.warning(*span, message).advice_if(advice);
    }
    let is_settable = matches!(
        causality,
        Causality::Input | Causality::Parameter | Causality::StructuralParameter
    );
    if variable.initial == Some(super::Initial::Calculated) && variable.start.is_some() && !is_settable {
        let message = format!("`{name}` is calculated, so it must not have a start value: it is ignored");
        reporter.warning(*span, message);
    }
}

fn range(variable: &Variable, reporter: &mut Reporter) {
    let Variable {
        name,
        span,
        minimum,
        maximum,
        ..
    } = variable;
    if let (Some(minimum), Some(maximum)) = (minimum, maximum)
        && minimum > maximum
    {
        let message = format!("`{name}`: the minimum {minimum} is above the maximum {maximum}");
        reporter.warning(*span, message);
        return;
    }
    let outside = |x: f64| minimum.is_some_and(|low| x < low) || maximum.is_some_and(|high| x > high);
    let found = match &variable.start {
        Some(Value::Reals(values)) => values.iter().copied().find(|x| outside(*x)),
        Some(Value::Integers(values)) => values.iter().map(|x| *x as f64).find(|x| outside(*x)),
        _ => None,
    };
    if let Some(value) = found {
        let low = minimum.unwrap_or(f64::NEG_INFINITY);
        let high = maximum.unwrap_or(f64::INFINITY);
        let message = format!("`{name}`: the start value {value} lies outside of {low} … {high}");
        reporter.warning(*span, message);
    }
    if variable
        .nominal
        .is_some_and(|nominal| nominal <= 0.0 || nominal.is_nan())
    {
        reporter.warning(*span, format!("`{name}`: a nominal value must be greater than 0"));
    }
}

fn choice(variable: &Variable, reporter: &mut Reporter) {
    let Some(Value::Integers(values)) = variable.start.as_ref() else {
        return;
    };
    if variable.choices.is_empty() {
        return;
    }
    let known = |value: &i64| variable.choices.iter().any(|(_, item)| item == value);
    // Few items and one value, as a rule; a long array of a long enumeration is looked at in part.
    if let Some(value) = values.iter().take(100).find(|value| !known(value)) {
        let message = format!(
            "`{}`: the start value {value} is no item of the enumeration",
            variable.name
        );
        reporter.warning(variable.span, message);
    }
}

fn experiment(description: &ModelDescription, reporter: &mut Reporter) {
    let experiment = description.default_experiment;
    if let (start, Some(stop)) = (experiment.start.unwrap_or(0.0), experiment.stop)
        && stop <= start
    {
        let message = format!("the default experiment stops ({stop} s) before it starts ({start} s)");
        reporter.warning(description.span, message);
    }
}

fn independent(description: &ModelDescription, reporter: &mut Reporter) {
    let mut times = description
        .variables
        .iter()
        .filter(|v| v.causality == Causality::Independent);
    let first = times.next();
    if let (Some(first), Some(second)) = (first, times.next()) {
        reporter
            .warning(
                second.span,
                format!("`{}` is a second independent variable", second.name),
            )
            .related(first.span, "the first");
    }
    if let Some(time) = first.filter(|time| !time.kind.is_float()) {
        let message = format!("`{}` is independent but not a floating-point number", time.name);
        reporter.warning(time.span, message);
    }
}

/// States and their derivatives.
fn states(description: &ModelDescription, reporter: &mut Reporter) {
    let list = &description.variables;
    let mut is_state = vec![false; list.len()];
    for derivative in &description.structure.derivatives {
        let Some(state) = list[derivative.variable].derivative_of else {
            let variable = &list[derivative.variable];
            let message = format!(
                "`{}` is listed as a derivative, but not of which state",
                variable.name
            );
            reporter.warning(variable.span, message);
            continue;
        };
        is_state[state] = true;
        if list[state].variability != Variability::Continuous {
            let message = format!("`{}` is a state, so it must be continuous", list[state].name);
            reporter.warning(list[state].span, message);
        }
        if list[state].dimensions != list[derivative.variable].dimensions {
            let message = format!("`{}` and its derivative differ in size", list[state].name);
            reporter.error(list[state].span, message);
        }
    }
    let mut strangers = Gathered::default();
    for (variable, is_state) in list.iter().zip(&is_state) {
        if variable.reinit && !is_state {
            strangers.add(variable.span, &variable.name);
        }
    }
    strangers.report(Severity::Warning, "`reinit` is only for states", reporter);
}

/// Variables of one value reference and type are one variable of the binary, so they must agree.
fn aliases(description: &ModelDescription, reporter: &mut Reporter) {
    let mut first: HashMap<(u32, Kind), usize> = HashMap::new();
    let (mut starts, mut inputs) = (Gathered::default(), Gathered::default());
    for (index, variable) in description.variables.iter().enumerate() {
        let Some(&first) = first.get(&(variable.value_reference, variable.kind)) else {
            first.insert((variable.value_reference, variable.kind), index);
            continue;
        };
        let other = &description.variables[first];
        if variable.start.is_some() && other.start.is_some() && variable.start != other.start {
            starts.add(variable.span, &variable.name);
        }
        if variable.causality == Causality::Input && other.causality == Causality::Input {
            inputs.add(variable.span, &variable.name);
        }
    }
    let sentence = "another name of a variable that has another start value";
    starts.report(Severity::Warning, sentence, reporter);
    let sentence = "two inputs are one variable of the binary: whoever comes last sets it";
    inputs.report(Severity::Warning, sentence, reporter);
}

/// What the FMU calculates at its start must be listed there, or the order of initialisation is guesswork.
fn initial_unknowns(description: &ModelDescription, reporter: &mut Reporter) {
    if description.structure.initial_unknowns.is_empty() {
        return;
    }
    let mut listed = vec![false; description.variables.len()];
    for unknown in &description.structure.initial_unknowns {
        listed[unknown.variable] = true;
    }
    let mut missing = Gathered::default();
    for (variable, listed) in description.variables.iter().zip(listed) {
        let is_unknown = variable.causality == Causality::Output
            && matches!(
                variable.initial,
                Some(super::Initial::Approx | super::Initial::Calculated)
            )
            && variable.clocks.is_empty()
            && variable.kind != Kind::Clock;
        if is_unknown && !listed {
            missing.add(variable.span, &variable.name);
        }
    }
    let sentence = "calculated at the start, but not listed among the initial unknowns";
    missing.report(Severity::Warning, sentence, reporter);
}

/// What an output reacts to while the model runs: parameters that are fixed are no part of that, and where one is
/// listed an input may be meant.
fn dependencies(description: &ModelDescription, reporter: &mut Reporter) {
    let list = &description.variables;
    let structure = &description.structure;
    let is_fixed = |index: &usize| list[*index].variability <= Variability::Fixed;
    let unknowns = structure.outputs.iter().chain(&structure.derivatives);
    let mut odd = unknowns.filter_map(|unknown| {
        let fixed = unknown
            .dependencies
            .iter()
            .flatten()
            .find(|index| is_fixed(index))?;
        Some((unknown, &list[*fixed]))
    });
    let Some((first, fixed)) = odd.next() else {
        return;
    };
    let message = format!(
        "`{}` is listed as depending on `{}`, which never changes: is an input meant?",
        list[first.variable].name, fixed.name
    );
    let more = odd.count();
    let label = (more > 0).then(|| format!("and {more} more entries like this one"));
    let diagnostic = reporter.warning(first.span, message);
    if let Some(label) = label {
        diagnostic.label(label);
    }
}
