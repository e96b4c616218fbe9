//! Which column drives which input.

use super::InputFile;
use super::column::Column;
use crate::components::Component;
use cardan_core::interface::{Causality, Interface, Port};
use cardan_core::participant::Settings;
use cardan_core::signal::Reading;
use cardan_describe::spec::{ComponentSpec, ConnectionSpec};
use cardan_describe::{Reporter, Source, Span, Spanned, SystemSpec, nearest};
use cardan_record::Table;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The name of the component that drives inputs from the file.
const NAME: &str = "input";

/// An input that a column may drive.
struct Target {
    /// `component.port`
    path: String,
    port: Port,
    element: usize,
}

/// Adds a component to the system that drives inputs from the columns of `file`: the column `component.input`, or
/// just `input` where there is one component, drives that input; `input[2]` is one element of it. Answers with the
/// instants of jumps.
pub(crate) fn attach(
    file: &Path,
    spec: &mut SystemSpec,
    components: &mut Vec<Component>,
    reporter: &mut Reporter,
) -> Vec<f64> {
    let text = format!("--input {}", file.display());
    let end = text.len();
    let source = reporter.add(Source::new("<command line>", text));
    let span = Span::new(source, "--input ".len()..end);
    let table = match cardan_record::read_as_written(file) {
        Ok(table) if table.times.is_empty() => {
            reporter.error(span, format!("{} has no rows", file.display()));
            return Vec::new();
        }
        Ok(table) => table,
        Err(error) => {
            reporter
                .error(span, format!("the inputs cannot be read: {error}"))
                .advice("a table has a column `time` and one for each input, with names in the first line");
            return Vec::new();
        }
    };
    if let Some(row) = table
        .times
        .windows(2)
        .position(|pair| pair[1] < pair[0] || pair[1].is_nan())
    {
        let message = format!("{}: time goes back in row {}", file.display(), row + 2);
        reporter
            .error(span, message)
            .advice("two rows may have the same time, for a jump, but none an earlier one");
        return Vec::new();
    }
    let known = targets(spec, components);
    let driven = drive(&table, &known, &connected(spec), file, span, reporter);
    let Some((interface, columns)) = driven else {
        return Vec::new();
    };
    let name = free_name(spec);
    for port in &interface.ports {
        let continuous = port.variability == cardan_core::interface::Variability::Continuous;
        let line = Reading::Linear { weight: 1.0 };
        let from = Spanned::new(format!("{name}.{}", port.name), span);
        let to = Spanned::new(port.name.clone(), span);
        spec.connections.push(ConnectionSpec {
            reading: continuous.then(|| Spanned::new(line, span)),
            ..ConnectionSpec::new(Some(from), Some(to))
        });
    }
    let participant = InputFile::new(interface, table.times, columns);
    let jumps = participant.jumps.clone();
    let mut component = ComponentSpec::new(Spanned::new(name, span));
    // At least as often as whoever reads it, so that nobody looks beyond its points.
    let steps = spec
        .components
        .iter()
        .filter_map(|c| c.step.map(|step| step.value));
    let shortest = steps
        .chain(spec.method.step.map(|step| step.value))
        .reduce(f64::min);
    if spec.components.iter().any(|c| c.step.is_some()) {
        component.step = shortest.map(|step| Spanned::new(step, span));
    }
    spec.components.push(component);
    components.push(Component::Made(Box::new(participant), Settings::default()));
    jumps
}

fn free_name(spec: &SystemSpec) -> String {
    let mut name = NAME.to_owned();
    while spec.component(&name).is_some() {
        name.push('_');
    }
    name
}

/// The inputs that connections drive.
fn connected(spec: &SystemSpec) -> HashSet<String> {
    let ends = spec.connections.iter().filter_map(|c| c.to.as_ref());
    ends.map(|to| to.value.clone()).collect()
}

/// Every input that nobody drives, by the names a column may give it.
fn targets(spec: &SystemSpec, components: &[Component]) -> HashMap<String, Target> {
    let taken = connected(spec);
    let mut targets = HashMap::new();
    for (component, made) in spec.components.iter().zip(components) {
        let Some(interface) = made.interface() else {
            continue;
        };
        for (_, port) in interface.ports_of(Causality::Input) {
            let path = format!("{}.{}", component.name.value, port.name);
            if taken.contains(&path) {
                continue;
            }
            for element in 0..port.shape.len() {
                let suffix = port.element_suffix(element);
                let target = || Target {
                    path: path.clone(),
                    port: port.clone(),
                    element,
                };
                targets.insert(format!("{path}{suffix}"), target());
                if spec.components.len() == 1 {
                    targets.insert(format!("{}{suffix}", port.name), target());
                }
            }
        }
    }
    targets
}

/// The ports that the table drives, with their columns.
fn drive(
    table: &Table,
    targets: &HashMap<String, Target>,
    connected: &HashSet<String>,
    file: &Path,
    span: Span,
    reporter: &mut Reporter,
) -> Option<(Interface, Vec<Vec<Column>>)> {
    let errors = reporter.error_count();
    let mut interface = Interface::default();
    let mut elements: Vec<Vec<Option<Column>>> = Vec::new();
    for (column, data) in table.schema.columns.iter().zip(&table.columns) {
        let Some(target) = targets.get(&column.name) else {
            let mut known: Vec<&str> = targets.keys().map(String::as_str).collect();
            known.sort_unstable();
            let whole = column.name.split('[').next().unwrap_or_default();
            let advice = if connected.contains(whole) {
                Some(format!("`{whole}` is connected already"))
            } else {
                nearest(&column.name, known).map(|near| format!("did you mean `{near}`?"))
            };
            reporter
                .warning(
                    span,
                    format!("column `{}` of {} drives no input", column.name, file.display()),
                )
                .advice_if(advice);
            continue;
        };
        let index = interface.find_port(&target.path).unwrap_or_else(|| {
            elements.push(vec![None; target.port.shape.len()]);
            interface.port(Port {
                name: target.path.clone(),
                causality: Causality::Output,
                start: None,
                ..target.port.clone()
            })
        });
        match Column::of(data, &target.port) {
            Ok(values) => elements[index.index()][target.element] = Some(values),
            Err((row, cell)) => {
                let range = target.port.range;
                let range = range.map_or_else(String::new, |(low, high)| format!(" from {low} to {high}"));
                let message = format!(
                    "{}: row {} of column `{}` must be {}{range}, found {cell}",
                    file.display(),
                    row + 1,
                    column.name,
                    target.port.value_type
                );
                let advice = format!("in a CSV file that is line {}", row + 2);
                reporter.error(span, message).advice(advice);
            }
        }
    }
    if interface.ports.is_empty() {
        reporter
            .error(
                span,
                format!("no column of {} has the name of an input", file.display()),
            )
            .advice("name the columns `component.input`, or just `input` for a single component");
        return None;
    }
    for (port, columns) in interface.ports.iter().zip(&elements) {
        for element in columns
            .iter()
            .enumerate()
            .filter_map(|(e, c)| c.is_none().then_some(e))
        {
            let name = format!("{}{}", port.name, port.element_suffix(element));
            if reporter.error_count() == errors {
                reporter.error(span, format!("{} has no column `{name}`", file.display()));
            }
        }
    }
    let whole = elements
        .into_iter()
        .map(|list| list.into_iter().flatten().collect());
    (reporter.error_count() == errors).then(|| (interface, whole.collect()))
}
