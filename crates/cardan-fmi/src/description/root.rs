//! The root of a `modelDescription.xml`.

use super::{
    DefaultExperiment, Kind, ModelDescription, ModelStructure, Variable, Version, dependencies, types, units,
    usage, variables, version,
};
use cardan_describe::xml::{self, Element};
use cardan_describe::{Reporter, Severity, Source};

/// Its name in an FMU.
pub const FILE: &str = "modelDescription.xml";

impl ModelDescription {
    /// Reads the text of a `modelDescription.xml`. None where it is not one; mistakes inside are reported, and the
    /// rest comes back.
    pub fn read(source: Source, reporter: &mut Reporter) -> Option<ModelDescription> {
        xml::read(source, reporter, description)?
    }
}

fn description(root: Element<'_>, reporter: &mut Reporter) -> Option<ModelDescription> {
    if root.name() != "fmiModelDescription" {
        reporter
            .error(
                root.span(),
                format!("<{}> is not the description of an FMU", root.name()),
            )
            .label("expected <fmiModelDescription>");
        return None;
    }
    let errors = reporter.error_count();
    let (version, fmi_version) = version::version(root, reporter)?;
    let co_simulation = usage::co_simulation(root, version, reporter);
    let mut model_exchange = usage::model_exchange(root, version, reporter);
    let scheduled_execution = root.child("ScheduledExecution").is_some();
    let offers_nothing = co_simulation.is_none() && model_exchange.is_none() && !scheduled_execution;
    if offers_nothing && reporter.error_count() == errors {
        reporter
            .error(
                root.span(),
                "the FMU offers neither co-simulation nor model exchange",
            )
            .advice("export it again, as co-simulation");
    }
    let units = units::units(root, reporter);
    let types = types::types(root, version, reporter);
    let variables = variables::variables(root, version, &types, &units, reporter);
    let mut structure = dependencies::structure(root, version, &variables, reporter);
    if model_exchange.is_some() && !states_are_known(&mut structure, &variables.list, root, reporter) {
        model_exchange = None;
        if co_simulation.is_none() {
            reporter.error(root.span(), "the FMU offers nothing that can be used");
        }
    }
    let text = |name| root.attribute(name).map(|text| text.value.to_owned());
    let token = if version == Version::V2 {
        "guid"
    } else {
        "instantiationToken"
    };
    if text(token).is_none() {
        let message = format!("there is no `{token}`: the binary may refuse to work");
        reporter.warning(root.span(), message);
    }
    Some(ModelDescription {
        version,
        fmi_version,
        model_name: model_name(root, reporter),
        token: text(token).unwrap_or_default(),
        description: text("description"),
        author: text("author"),
        model_version: text("version"),
        generation_tool: text("generationTool"),
        generation_date: text("generationDateAndTime"),
        structured_names: text("variableNamingConvention").is_some_and(|word| word.trim() == "structured"),
        co_simulation,
        model_exchange,
        scheduled_execution,
        units,
        log_categories: log_categories(root),
        default_experiment: default_experiment(root, reporter),
        variables: variables.list,
        structure,
        terminals: Vec::new(),
        span: root.span(),
    })
}

fn model_name(root: Element<'_>, reporter: &mut Reporter) -> String {
    let name = root.attribute("modelName");
    if name.is_none() {
        reporter.warning(root.span(), "there is no `modelName`");
    }
    name.map_or_else(|| "unnamed".to_owned(), |name| name.value.to_owned())
}

fn log_categories(root: Element<'_>) -> Vec<(String, Option<String>)> {
    let list = root.child("LogCategories");
    let categories = list.iter().flat_map(|list| list.children_named("Category"));
    categories
        .filter_map(|category| {
            let description = category.attribute("description");
            Some((
                category.attribute("name")?.value.to_owned(),
                description.map(|text| text.value.to_owned()),
            ))
        })
        .collect()
}

fn default_experiment(root: Element<'_>, reporter: &mut Reporter) -> DefaultExperiment {
    let Some(element) = root.child("DefaultExperiment") else {
        return DefaultExperiment::default();
    };
    let mut finite = |name| {
        let written = element.real(name, Severity::Warning, reporter)?;
        written.value.is_finite().then_some(written.value)
    };
    let (start, stop) = (finite("startTime"), finite("stopTime"));
    let (tolerance, step) = (finite("tolerance"), finite("stepSize"));
    let mut positive = |name: &str, number: Option<f64>| {
        let number = number?;
        if number > 0.0 {
            return Some(number);
        }
        let span = element
            .attribute(name)
            .map_or(element.span(), |written| written.span);
        let message = format!("`{name}` must be greater than 0, found {number}: it is not used");
        reporter.warning(span, message);
        None
    };
    DefaultExperiment {
        start,
        stop,
        tolerance: positive("tolerance", tolerance),
        step: positive("stepSize", step),
    }
}

/// Does each derivative say of which state it is one? Without that there is nothing to integrate; one that is not a
/// derivative of anything is then left out.
fn states_are_known(
    structure: &mut ModelStructure,
    list: &[Variable],
    root: Element<'_>,
    reporter: &mut Reporter,
) -> bool {
    let is_known = |variable: &Variable| {
        let state = variable.derivative_of.and_then(|state| list.get(state));
        state.is_some_and(|state| state.kind.is_float())
            && matches!(variable.kind, Kind::Float32 | Kind::Float64)
    };
    let lost = structure
        .derivatives
        .iter()
        .find(|d| !is_known(&list[d.variable]));
    if let Some(lost) = lost {
        let name = &list[lost.variable].name;
        let message = format!(
            "`{name}` is listed as a derivative, but not of which state: the FMU cannot be used in model exchange"
        );
        reporter
            .warning(list[lost.variable].span, message)
            .related(root.span(), "in this FMU");
        structure.derivatives.retain(|d| is_known(&list[d.variable]));
        return false;
    }
    true
}
